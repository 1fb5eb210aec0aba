"""Which way a hand or foot should face on a surface: axes for the limb's contact frame (REP-120). Compiled kernels."""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from climbing_rig.maths import (
    TINY,
    Vector,
    compose,
    cross_product,
    dot,
    frame_from_axes,
    length,
    matrix_from_rotation_vector,
    rotation_vector_between,
    unit,
)

#: How much of "up the wall" the toes take besides pointing into it.
TOES_UP = 0.5
#: How much of "outwards along the wall" they take: it is what opens the knees.
TOES_OUT = 0.7
#: Normal's upward part at which a foot starts to lie flat and at which it does.
SLAB_STARTS, SLAB_ENDS = 0.3, 0.8
#: Of the way to the hold, the part along the wall under which its direction is mostly noise, and over which it counts.
NOISE, CLEAR = 0.15, 0.35


@njit(cache=True)
def hand_frame(normal: Vector, up: Vector, along: Vector) -> Vector:
    """Axes (3, 3) of a gripper: x into the wall, z (the fingers) along ``along`` as far as it lies in the wall.

    Args:
        normal: Unit normal out of the wall.
        up: Unit wall-up direction, used where ``along`` is square to the wall.
        along: Direction from shoulder to hold, any length.
    """
    tangent = along - normal * dot(along, normal)
    # Near square to the wall the projection is mostly noise: let wall-up in before it is.
    share = length(tangent) / max(length(along), TINY)
    reliability = min(max((share - NOISE) / (CLEAR - NOISE), 0.0), 1.0)
    fingers = reliability * unit(tangent) + (1.0 - reliability) * up
    return frame_from_axes(-normal, fingers if length(fingers) > TINY else up)


@njit(cache=True)
def foot_frame(normal: Vector, up: Vector, heading: Vector, side: float) -> Vector:
    """Axes (3, 3) of a sole: x (the toes) into a steep wall, somewhat up and outwards; flat on a slab or floor.

    Args:
        normal: Unit normal out of the wall.
        up: Unit wall-up direction.
        heading: Unit direction the climber faces, in map.
        side: -1 for a foot of the climber's left side, +1 for one of the right, 0 for one in the middle.
    """
    toes = unit(unit(-normal + (TOES_OUT * side) * cross_product(up, normal)) + TOES_UP * up)
    on_wall = frame_from_axes(toes, up)
    share = min(max((normal[2] - SLAB_STARTS) / (SLAB_ENDS - SLAB_STARTS), 0.0), 1.0)
    if share == 0.0:
        return on_wall
    forward = unit(up + heading)
    flat = forward - normal * dot(forward, normal)
    x = (1.0 - share) * on_wall[:, 0] + share * unit(flat if length(flat) > TINY else up)
    z = (1.0 - share) * on_wall[:, 2] + share * normal
    return frame_from_axes(x, z)


@njit(cache=True)
def turn_axes(current: Vector, wished: Vector, angle: float, out: Vector) -> None:
    """Axes (3, 3) ``current`` turned towards ``wished`` by at most ``angle`` radians, the short way."""
    vector = np.empty(3)
    rotation_vector_between(current, wished, vector)
    between = math.sqrt(dot(vector, vector))
    if between <= angle:
        for i in range(3):
            for j in range(3):
                out[i, j] = wished[i, j]
        return
    step = np.empty((3, 3))
    for k in range(3):
        vector[k] *= angle / between
    matrix_from_rotation_vector(vector, step)
    compose(step, current, out)


def warm_up() -> None:
    """Compiles every kernel of this module, or loads it from the cache."""
    x, z = np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.0, 1.0])
    hand = hand_frame(x, z, z)
    foot_frame(x, z, x, 1.0)
    turn_axes(hand, hand, 0.1, np.empty((3, 3)))
