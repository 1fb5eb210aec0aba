"""Finding the hold under a guide: a trace along the limb's normal, kept inside the limb's reach."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from climbing_rig.limbs.guide import clip_length
from climbing_rig.maths import Vector

if TYPE_CHECKING:
    from climbing_rig.wall import Wall

TRACE_OUTSIDE = 0.25
TRACE_INSIDE = 2.00
"""Metres the trace starts in front of the guide and ends behind it, along the limb's normal."""
SLIDES = 3
"""Traces tried while sliding an out-of-reach hit back along the wall."""

INSIDE = 1e-3
"""Share of the circle's radius a slid hit stays inside it: the next trace is then within reach on a rough wall too."""


@dataclass(frozen=True)
class Hold:
    """A surface point a limb may grip, in map, with its unit normal towards the climber."""

    point: Vector
    normal: Vector


def find_hold(
    wall: Wall | None, guide: Vector, directions: Sequence[Vector], centre: Vector, reach: float
) -> tuple[Hold | None, str]:
    """The hold under ``guide``, or None with the reason in words.

    Args:
        wall: The surface, or None.
        guide: (3,) the point the user steers, in map.
        directions: Unit directions out of the wall to trace along, best first: on a knob's flank the limb's own normal
            may lead past it, where the body's still finds the wall.
        centre: (3,) centre of the ball the tip can reach.
        reach: Its radius, metres.

    Returns:
        The hold along the first direction that has one, and "" or why the first direction has none.
    """
    if wall is None:
        return None, "no wall"
    words = ""
    for direction in directions:
        hold, refusal = _trace_within_reach(wall, guide, direction, centre, reach)
        if hold is not None:
            return hold, ""
        words = words or refusal
    return None, words


def _trace_within_reach(
    wall: Wall, guide: Vector, normal: Vector, centre: Vector, reach: float
) -> tuple[Hold | None, str]:
    """One trace along ``normal``, slid back into reach.

    A guide at the edge of the reach ball stands off the wall, so that the point straight under it is always a little
    too far: such a hit slides along the wall towards the foot of the perpendicular from the centre, to the circle in
    which wall and ball meet, and the wall is traced there again.
    """
    above = guide
    for _ in range(SLIDES):
        hit = wall.trace(above + normal * TRACE_OUTSIDE, above - normal * TRACE_INSIDE)
        if hit is None:
            return None, "no wall under the guide"
        if hit.backface and wall.oriented:
            return None, "this is the wall's far side"
        if float((centre - hit.point) @ hit.normal) <= 0.0:
            return None, "the surface under the guide faces away from the climber"
        away = hit.point - centre
        if float(away @ away) <= reach * reach * (1.0 + 1e-9):
            if not hit.climbable:
                return None, "the surface under the guide is not climbable"
            return Hold(hit.point, hit.normal), ""
        depth = -float(away @ normal)
        room = reach * reach - depth * depth
        if room <= 0.0:
            return None, f"the wall is {math.sqrt(float(away @ away)) - reach:.3f} m out of reach"
        along = clip_length(away + normal * depth, math.sqrt(room) * (1.0 - INSIDE))
        above = centre - normal * depth + along
    return None, "no wall within reach under the guide"
