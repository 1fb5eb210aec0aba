"""What a user asks of one limb in one tick."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from climbing_rig.errors import CommandError


@dataclass(frozen=True)
class LimbCommand:
    """One limb's input of one tick; the default is "no input".

    Attributes:
        move: (right, up) along the wall as the climber facing it sees it, m/s; clipped to the limb's ``move_speed``.
        grip: True asks for a grip, False for a release, None for neither. It is a level: repeating it is harmless.
        goal: Position in ``map`` for the guide, metres; clamped to reach. Overrides ``move``.
    """

    move: tuple[float, float] | None = None
    grip: bool | None = None
    goal: tuple[float, float, float] | None = None

    def checked(self, limb: str) -> LimbCommand:
        """This command with plain floats.

        Raises:
            CommandError: A value has the wrong shape or is not finite.
        """
        if self.grip is not None and not isinstance(self.grip, bool | np.bool_):
            raise CommandError(
                f"limb '{limb}': grip is {self.grip!r}",
                name=f"{limb}.grip",
                given=self.grip,
                choices=("True", "False", "None"),
            )
        move, goal = _numbers(self.move, 2, f"{limb}.move"), _numbers(self.goal, 3, f"{limb}.goal")
        return LimbCommand(
            move=None if move is None else (move[0], move[1]),
            grip=None if self.grip is None else bool(self.grip),
            goal=None if goal is None else (goal[0], goal[1], goal[2]),
        )


def _numbers(value: object, size: int, name: str) -> list[float] | None:
    if value is None:
        return None
    try:
        array = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise CommandError(f"{name} is {value!r}, not {size} numbers", name=name, given=value) from None
    if array.shape != (size,):
        raise CommandError(f"{name} has shape {array.shape}, not ({size},)", name=name, given=value)
    if not np.isfinite(array).all():
        raise CommandError(f"{name} is {array.tolist()}: not finite", name=name, given=value)
    numbers: list[float] = array.tolist()
    return numbers
