"""Steering along a wall: which way is up on it, and how far a guide may go."""

from __future__ import annotations

import numpy as np

from climbing_rig.maths import TINY, Vector, cross_product, length, turn_towards, unit

UP = np.array([0.0, 0.0, 1.0])

#: Sine of the angle between the normal and the vertical under which "up the wall" starts to fade and is gone.
STEEP, FLAT = 0.15, 0.05
TANGENT_RATE = 2.0
"""rad/s the wall-up direction turns at most, so that nothing jumps when a floor or roof is entered or left."""


def wall_up(normal: Vector, previous: Vector, heading: Vector, dt: float) -> Vector:
    """Unit direction that is "up" on a wall, also where the wall is a floor or a roof.

    On a wall it is the vertical made square to the normal. As the normal nears the vertical that direction loses its
    meaning, and the last one, made square to the new normal, takes over; without one, the climber's heading.

    Args:
        normal: (3,) unit normal out of the wall.
        previous: (3,) last tick's result; zeros when there is none.
        heading: (3,) unit direction the climber faces, in map.
        dt: Seconds since the last tick.
    """
    projected = UP - normal * normal[2]
    steepness = length(projected)
    kept = unit(previous - normal * float(normal @ previous))
    if steepness >= STEEP:
        wished = projected / steepness
    else:
        flat = kept if kept.any() else unit(heading - normal * float(normal @ heading))
        share = min(max((steepness - FLAT) / (STEEP - FLAT), 0.0), 1.0)
        steep = projected / steepness if steepness > TINY else flat
        wished = unit(share * steep + (1.0 - share) * flat)
        if not wished.any():
            wished = flat if flat.any() else unit(np.array([normal[2], 0.0, -normal[0]]))
    if not kept.any():
        return wished
    turned = np.empty(3)
    turn_towards(kept, wished, TANGENT_RATE * dt, turned)
    return unit(turned - normal * float(normal @ turned))


def wall_right(normal: Vector, up: Vector) -> Vector:
    """Right along the wall as the climber facing it sees it: up x normal, in ROS's right-handed axes."""
    return cross_product(up, normal)


def clip_length(v: Vector, longest: float) -> Vector:
    """``v``, shortened to ``longest`` if it is longer."""
    size = length(v)
    return v if size <= longest else v * (longest / size)


def clamp_to_ball(point: Vector, centre: Vector, radius: float) -> Vector:
    """``point``, drawn straight back towards ``centre`` to ``radius`` if it is farther: it slides along the ball."""
    return centre + clip_length(point - centre, radius)
