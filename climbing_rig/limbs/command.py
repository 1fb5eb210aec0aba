"""What a user asks of the limbs in one tick, and the checks it must pass before anything changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from climbing_rig.errors import CommandError

LONGEST_TICK = 0.1
"""Seconds one step may take."""


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


FIELDS = tuple(field.name for field in fields(LimbCommand))


def checked_dt(dt: float) -> float:
    """The seconds of a tick.

    Raises:
        CommandError: Not a number, or not in 0 < dt <= LONGEST_TICK.
    """
    try:
        value = float(dt)
    except (TypeError, ValueError):
        raise CommandError(f"dt is {dt!r}, not a number of seconds", name="dt", given=dt) from None
    if not 0.0 < value <= LONGEST_TICK:
        raise CommandError(f"dt is {value!r}; valid: 0 < dt <= {LONGEST_TICK} s", name="dt", given=dt)
    return value


def checked_commands(
    commands: Mapping[str, LimbCommand | Mapping[str, Any]], limbs: tuple[str, ...]
) -> dict[str, LimbCommand]:
    """All commands of a tick, with plain values; a mapping of a command's fields counts as one.

    Raises:
        CommandError: An unknown limb or field, a wrong shape, or a value that is not finite.
    """
    if not isinstance(commands, Mapping):
        raise CommandError(f"commands is {commands!r}, not a mapping of limb name to command", name="commands")
    checked = {}
    for name, command in commands.items():
        if name not in limbs:
            raise CommandError(f"unknown limb {name!r}", name="limb", given=name, choices=limbs)
        if isinstance(command, Mapping):
            unknown = set(command) - set(FIELDS)
            if unknown:
                raise CommandError(
                    f"limb '{name}': unknown {sorted(map(str, unknown))}", name=name, given=command, choices=FIELDS
                )
            command = LimbCommand(**command)
        elif not isinstance(command, LimbCommand):
            raise CommandError(f"limb '{name}': {command!r} is not a LimbCommand", name=name, given=command)
        checked[name] = command.checked(name)
    return checked


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
