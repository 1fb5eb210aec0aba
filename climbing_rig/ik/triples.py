"""Vectors as three numbers in a tuple: what a kernel computes with where an array would have to be allocated.

Inputs may be tuples or (3,) arrays.
"""

from __future__ import annotations

import math
from typing import Any

from numba import njit

from climbing_rig.maths import TINY

Numbers = Any
"""A tuple of three numbers, or a (3,) array."""
Triple = tuple[float, float, float]


@njit(cache=True)
def minus(a: Numbers, b: Numbers) -> Triple:
    """A - b."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@njit(cache=True)
def plus(a: Numbers, b: Numbers, factor: float) -> Triple:
    """A + factor b."""
    return a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]


@njit(cache=True)
def inner(a: Numbers, b: Numbers) -> float:
    """Inner product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@njit(cache=True)
def crossed(a: Numbers, b: Numbers) -> Triple:
    """Right-handed cross product."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@njit(cache=True)
def size(a: Numbers) -> float:
    """Length."""
    return math.sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])


@njit(cache=True)
def gap(a: Numbers, b: Numbers) -> float:
    """Distance of two points."""
    return size(minus(a, b))


@njit(cache=True)
def direction(a: Numbers) -> Triple:
    """``a`` at length one; zeros where it has no length."""
    length = size(a)
    return (a[0] / length, a[1] / length, a[2] / length) if length > TINY else (0.0, 0.0, 0.0)


@njit(cache=True)
def square_to(a: Numbers, unit: Numbers) -> Triple:
    """What of ``a`` is square to a unit vector."""
    return plus(a, unit, -inner(a, unit))


@njit(cache=True)
def any_square(unit: Numbers) -> Triple:
    """A unit vector square to a unit vector, always the same one."""
    x, y, z = abs(unit[0]), abs(unit[1]), abs(unit[2])
    least = (1.0, 0.0, 0.0) if x <= y and x <= z else ((0.0, 1.0, 0.0) if y <= z else (0.0, 0.0, 1.0))
    return direction(square_to(least, unit))


@njit(cache=True)
def turned(a: Numbers, axis: Numbers, sine: float, cosine: float) -> Triple:
    """``a`` turned about a unit axis by the angle with this sine and cosine."""
    across, along = crossed(axis, a), (1.0 - cosine) * inner(axis, a)
    return (
        cosine * a[0] + sine * across[0] + along * axis[0],
        cosine * a[1] + sine * across[1] + along * axis[1],
        cosine * a[2] + sine * across[2] + along * axis[2],
    )


@njit(cache=True)
def carried(a: Numbers, start: Numbers, end: Numbers) -> Triple:
    """``a`` turned along with the unit vector ``start`` the short way to the unit vector ``end``."""
    axis = crossed(start, end)
    sine, cosine = size(axis), inner(start, end)
    if sine < TINY:
        return (a[0], a[1], a[2]) if cosine > 0.0 else turned(a, any_square(start), 0.0, -1.0)
    return turned(a, (axis[0] / sine, axis[1] / sine, axis[2] / sine), sine, cosine)


@njit(cache=True)
def towards(a: Numbers, b: Numbers, most: float) -> Triple:
    """The unit vector ``a`` turned towards the unit vector ``b`` by at most ``most`` radians."""
    axis = crossed(a, b)
    sine = size(axis)
    if math.atan2(sine, inner(a, b)) <= most:
        return b[0], b[1], b[2]
    about = direction(axis) if sine > 1e-9 else any_square(a)
    return turned(a, about, math.sin(most), math.cos(most))
