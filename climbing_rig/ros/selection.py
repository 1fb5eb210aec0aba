"""Which limb the user is moving: chosen by name, or automatically from the direction pushed."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from climbing_rig.limbs.guide import UP, wall_right
from climbing_rig.limbs.phases import Phase, Request, refusal
from climbing_rig.maths import TINY, Vector, unit
from climbing_rig.state import ClimberState

TIE = 0.25
"""Directions whose cosines are this close count as equal; then the limb that is behind the others goes."""


class Selection:
    """The selected limb; one push of the stick in automatic mode stays with the limb it chose.

    Attributes:
        limb: The selected limb, or None before any choice.
        automatic: Whether it was chosen by direction.
    """

    def __init__(self) -> None:
        self.limb: str | None = None
        self.automatic = False
        self._pushed_until = -math.inf

    def choose(self, limb: str) -> None:
        """The user named a limb."""
        self.limb = limb
        self.automatic = False

    def push(self, right: float, up: float, state: ClimberState, time: float, patience: float) -> str:
        """The user pushed in a direction without naming a limb.

        Args:
            right: Along the wall as the climber sees it, m/s; not zero together with ``up``.
            up: Along the wall, m/s.
            state: Where the limbs are and what they do.
            time: Seconds.
            patience: Seconds without a push after which the next push chooses anew.

        Returns:
            The limb that takes the move.
        """
        going_on = self.automatic and time <= self._pushed_until
        self._pushed_until = time + patience
        if self.limb is None or not going_on:
            self.limb = nearest_limb(right, up, state)
            self.automatic = True
        return self.limb


def nearest_limb(right: float, up: float, state: ClimberState) -> str:
    """The limb nearest in a direction: of those that can move now; of all when every limb holds.

    Args:
        right: Along the wall as the climber sees it.
        up: Along the wall.
        state: Where the limbs are.

    Returns:
        Its name: the limb whose tip, seen from the middle of all tips, lies most in the direction; of several that do
        the one that is least far along it.
    """
    right_axis, up_axis = wall_axes(state)
    middle = np.mean([limb.tip for limb in state.limbs.values()], axis=0)
    movable = [name for name, limb in state.limbs.items() if refusal(limb.phase, Request.MOVE) is None]
    direction = np.array([right, up]) / math.hypot(right, up)
    return _most_along(direction, middle, right_axis, up_axis, movable or state.limbs, state)


def _most_along(
    direction: Vector, middle: Vector, right: Vector, up: Vector, names: Iterable[str], state: ClimberState
) -> str:
    cosines, distances = {}, {}
    for name in names:
        offset = state.limbs[name].tip - middle
        flat = np.array([offset @ right, offset @ up])
        distances[name] = float(flat @ direction)
        cosines[name] = distances[name] / max(math.hypot(*flat), TINY)
    best = max(cosines.values())
    return min((name for name, cosine in cosines.items() if cosine >= best - TIE), key=distances.__getitem__)


def wall_axes(state: ClimberState) -> tuple[Vector, Vector]:
    """Right and up along the wall as the climber facing it sees them, from the holds' normals.

    Args:
        state: Limbs; the LOCKED ones' normals decide where there are any.

    Returns:
        (right, up): unit vectors in map. Facing a floor or a roof, up is the map's x axis laid on it.
    """
    limbs = state.limbs.values()
    holding = [limb.normal for limb in limbs if limb.phase is Phase.LOCKED]
    normal = unit(np.mean(holding or [limb.normal for limb in limbs], axis=0))
    up = UP - normal * float(normal @ UP)
    if float(up @ up) < 0.15**2:
        up = np.array([1.0, 0.0, 0.0]) - normal * normal[0]
    up = unit(up)
    return wall_right(normal, up), up
