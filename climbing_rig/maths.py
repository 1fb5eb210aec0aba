"""Vectors, rotations and smoothing shared by every stage: small compiled kernels.

Quaternions are (x, y, z, w), as in ROS; rotation matrices take child coordinates to parent coordinates; a rotation
vector is axis times angle in radians. Kernels with an ``out`` write into it and allocate nothing; the others return a
small new array.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray

Vector = NDArray[np.float64]

#: Below this a length counts as no direction at all.
TINY = 1e-12


@njit(cache=True)
def dot(a: Vector, b: Vector) -> float:
    """Inner product of two (3,) vectors."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@njit(cache=True)
def distance(a: Vector, b: Vector) -> float:
    """Euclidean distance of two (3,) points."""
    x, y, z = a[0] - b[0], a[1] - b[1], a[2] - b[2]
    return math.sqrt(x * x + y * y + z * z)


@njit(cache=True)
def cross(a: Vector, b: Vector, out: Vector) -> None:
    """Right-handed cross product; ``out`` must be neither ``a`` nor ``b``."""
    out[0] = a[1] * b[2] - a[2] * b[1]
    out[1] = a[2] * b[0] - a[0] * b[2]
    out[2] = a[0] * b[1] - a[1] * b[0]


@njit(cache=True)
def normalise(v: Vector) -> float:
    """Makes ``v`` a unit vector in place and returns the length it had; a vector of no length is left as it is."""
    length = math.sqrt(dot(v, v))
    if length > TINY:
        for i in range(3):
            v[i] /= length
    return length


@njit(cache=True)
def rotate(rotation: Vector, v: Vector, out: Vector) -> None:
    """``rotation`` (3, 3) times ``v`` (3,)."""
    for i in range(3):
        out[i] = rotation[i, 0] * v[0] + rotation[i, 1] * v[1] + rotation[i, 2] * v[2]


@njit(cache=True)
def compose(a: Vector, b: Vector, out: Vector) -> None:
    """Matrix product of two (3, 3) rotations; ``out`` must be neither."""
    for i in range(3):
        for j in range(3):
            out[i, j] = a[i, 0] * b[0, j] + a[i, 1] * b[1, j] + a[i, 2] * b[2, j]


@njit(cache=True)
def matrix_from_quaternion(q: Vector, out: Vector) -> None:
    """Rotation matrix (3, 3) of a unit quaternion (x, y, z, w)."""
    x, y, z, w = q[0], q[1], q[2], q[3]
    out[0, 0] = 1.0 - 2.0 * (y * y + z * z)
    out[0, 1] = 2.0 * (x * y - z * w)
    out[0, 2] = 2.0 * (x * z + y * w)
    out[1, 0] = 2.0 * (x * y + z * w)
    out[1, 1] = 1.0 - 2.0 * (x * x + z * z)
    out[1, 2] = 2.0 * (y * z - x * w)
    out[2, 0] = 2.0 * (x * z - y * w)
    out[2, 1] = 2.0 * (y * z + x * w)
    out[2, 2] = 1.0 - 2.0 * (x * x + y * y)


@njit(cache=True)
def quaternion_from_matrix(m: Vector, out: Vector) -> None:
    """Unit quaternion (x, y, z, w), w >= 0, of a rotation matrix.

    Divides by the largest of the four components, so that no angle loses digits (Shepperd 1978).
    """
    trace = m[0, 0] + m[1, 1] + m[2, 2]
    if trace > 0.0:
        s = 2.0 * math.sqrt(trace + 1.0)
        out[3] = 0.25 * s
        out[0] = (m[2, 1] - m[1, 2]) / s
        out[1] = (m[0, 2] - m[2, 0]) / s
        out[2] = (m[1, 0] - m[0, 1]) / s
    else:
        i = 0
        if m[1, 1] > m[0, 0]:
            i = 1
        if m[2, 2] > m[i, i]:
            i = 2
        j, k = (i + 1) % 3, (i + 2) % 3
        s = 2.0 * math.sqrt(max(1.0 + m[i, i] - m[j, j] - m[k, k], TINY))
        out[i] = 0.25 * s
        out[3] = (m[k, j] - m[j, k]) / s
        out[j] = (m[j, i] + m[i, j]) / s
        out[k] = (m[k, i] + m[i, k]) / s
    sign = -1.0 if out[3] < 0.0 else 1.0
    length = sign * math.sqrt(out[0] ** 2 + out[1] ** 2 + out[2] ** 2 + out[3] ** 2)
    for i in range(4):
        out[i] /= length


@njit(cache=True)
def matrix_from_rotation_vector(v: Vector, out: Vector) -> None:
    """Rotation matrix exp(v), exact also for tiny angles (Rodrigues)."""
    angle2 = dot(v, v)
    if angle2 < 1e-8:
        a = 1.0 - angle2 / 6.0
        b = 0.5 - angle2 / 24.0
    else:
        angle = math.sqrt(angle2)
        a = math.sin(angle) / angle
        b = (1.0 - math.cos(angle)) / angle2
    x, y, z = v[0], v[1], v[2]
    out[0, 0] = 1.0 - b * (y * y + z * z)
    out[0, 1] = b * x * y - a * z
    out[0, 2] = b * x * z + a * y
    out[1, 0] = b * x * y + a * z
    out[1, 1] = 1.0 - b * (x * x + z * z)
    out[1, 2] = b * y * z - a * x
    out[2, 0] = b * x * z - a * y
    out[2, 1] = b * y * z + a * x
    out[2, 2] = 1.0 - b * (x * x + y * y)


@njit(cache=True)
def rotation_vector_between(start: Vector, end: Vector, out: Vector) -> None:
    """World rotation vector v with ``end = exp(v) start``; both (3, 3), angle in [0, pi].

    Near pi the axis is read from the symmetric part, where the skew part has lost it.
    """
    # r = end * start^T, entry by entry, so that nothing is allocated.
    r00 = end[0, 0] * start[0, 0] + end[0, 1] * start[0, 1] + end[0, 2] * start[0, 2]
    r11 = end[1, 0] * start[1, 0] + end[1, 1] * start[1, 1] + end[1, 2] * start[1, 2]
    r22 = end[2, 0] * start[2, 0] + end[2, 1] * start[2, 1] + end[2, 2] * start[2, 2]
    r21 = end[2, 0] * start[1, 0] + end[2, 1] * start[1, 1] + end[2, 2] * start[1, 2]
    r12 = end[1, 0] * start[2, 0] + end[1, 1] * start[2, 1] + end[1, 2] * start[2, 2]
    r02 = end[0, 0] * start[2, 0] + end[0, 1] * start[2, 1] + end[0, 2] * start[2, 2]
    r20 = end[2, 0] * start[0, 0] + end[2, 1] * start[0, 1] + end[2, 2] * start[0, 2]
    r10 = end[1, 0] * start[0, 0] + end[1, 1] * start[0, 1] + end[1, 2] * start[0, 2]
    r01 = end[0, 0] * start[1, 0] + end[0, 1] * start[1, 1] + end[0, 2] * start[1, 2]
    out[0], out[1], out[2] = 0.5 * (r21 - r12), 0.5 * (r02 - r20), 0.5 * (r10 - r01)
    sine = math.sqrt(dot(out, out))
    cosine = 0.5 * (r00 + r11 + r22 - 1.0)
    angle = math.atan2(sine, cosine)
    if cosine > -0.999:
        scale = angle / sine if sine > 1e-9 else 1.0
        for i in range(3):
            out[i] *= scale
        return
    versine = 1.0 - cosine
    x = math.sqrt(max(0.0, (r00 - cosine) / versine))
    y = math.sqrt(max(0.0, (r11 - cosine) / versine))
    z = math.sqrt(max(0.0, (r22 - cosine) / versine))
    # The largest component fixes the signs of the others; the skew part, where it survives, the sign of the whole.
    if x >= y and x >= z:
        y, z = math.copysign(y, r01 + r10), math.copysign(z, r02 + r20)
        flip = out[0] < 0.0
    elif y >= z:
        x, z = math.copysign(x, r01 + r10), math.copysign(z, r12 + r21)
        flip = out[1] < 0.0
    else:
        x, y = math.copysign(x, r02 + r20), math.copysign(y, r12 + r21)
        flip = out[2] < 0.0
    length = math.sqrt(x * x + y * y + z * z)
    scale = (-angle if flip else angle) / length
    out[0], out[1], out[2] = x * scale, y * scale, z * scale


@njit(cache=True)
def turn_towards(current: Vector, target: Vector, angle: float, out: Vector) -> None:
    """Unit vector ``current`` turned towards unit ``target`` by at most ``angle`` radians, the short way.

    Opposite vectors have no short way: the turn then goes about an axis square to ``current``, always the same one.
    """
    axis_x = current[1] * target[2] - current[2] * target[1]
    axis_y = current[2] * target[0] - current[0] * target[2]
    axis_z = current[0] * target[1] - current[1] * target[0]
    sine = math.sqrt(axis_x * axis_x + axis_y * axis_y + axis_z * axis_z)
    between = math.atan2(sine, dot(current, target))
    if between <= angle:
        for i in range(3):
            out[i] = target[i]
        return
    if sine < 1e-9:
        i = 0 if abs(current[0]) < 0.6 else (1 if abs(current[1]) < 0.6 else 2)
        axis_x = current[1] * (i == 2) - current[2] * (i == 1)
        axis_y = current[2] * (i == 0) - current[0] * (i == 2)
        axis_z = current[0] * (i == 1) - current[1] * (i == 0)
        sine = math.sqrt(axis_x * axis_x + axis_y * axis_y + axis_z * axis_z)
    axis_x, axis_y, axis_z = axis_x / sine, axis_y / sine, axis_z / sine
    s, c = math.sin(angle), math.cos(angle)
    x, y, z = current[0], current[1], current[2]
    out[0] = x * c + (axis_y * z - axis_z * y) * s
    out[1] = y * c + (axis_z * x - axis_x * z) * s
    out[2] = z * c + (axis_x * y - axis_y * x) * s


def smoothing(rate: float, dt: float) -> float:
    """Share of the way a follower of ``rate`` (1/s) covers in ``dt`` seconds, exact for any tick rate."""
    return -math.expm1(-rate * dt)


@njit(cache=True)
def length(v: Vector) -> float:
    """Euclidean length of a (3,) vector."""
    return math.sqrt(dot(v, v))


@njit(cache=True)
def unit(v: Vector) -> Vector:
    """A new vector, ``v`` at length one; of a vector of no length, zeros."""
    out = np.zeros(3)
    size = length(v)
    if size > TINY:
        for i in range(3):
            out[i] = v[i] / size
    return out


@njit(cache=True)
def cross_product(a: Vector, b: Vector) -> Vector:
    """A new vector, the right-handed cross product."""
    out = np.empty(3)
    cross(a, b, out)
    return out


@njit(cache=True)
def frame_from_axes(x: Vector, z: Vector) -> Vector:
    """Rotation matrix (3, 3) whose x axis is along ``x`` and whose z axis is ``z`` made square to it.

    ``z`` along ``x`` leaves the turn about ``x`` open: then z is the world axis least along ``x``.
    """
    x_axis = unit(x)
    square = np.empty(3)
    along = dot(z, x_axis)
    for i in range(3):
        square[i] = z[i] - x_axis[i] * along
    if length(square) <= TINY:
        least = 0
        for i in range(1, 3):
            if abs(x_axis[i]) < abs(x_axis[least]):
                least = i
        for i in range(3):
            square[i] = (1.0 if i == least else 0.0) - x_axis[i] * x_axis[least]
    z_axis = unit(square)
    y_axis = cross_product(z_axis, x_axis)
    out = np.empty((3, 3))
    for i in range(3):
        out[i, 0], out[i, 1], out[i, 2] = x_axis[i], y_axis[i], z_axis[i]
    return out


def warm_up() -> None:
    """Compiles every kernel of this module that is called from Python, or loads it from the cache."""
    a, b, out = np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0]), np.empty(3)
    rotation, quaternion = frame_from_axes(a, b), np.empty(4)
    length(cross_product(a, unit(b)))
    distance(a, b)
    normalise(a)
    turn_towards(a, b, 0.1, out)
    matrix_from_rotation_vector(out, rotation)
    quaternion_from_matrix(rotation, quaternion)
    matrix_from_quaternion(quaternion, rotation)
    rotation_vector_between(rotation, rotation, out)
    rotate(rotation, a, out)
    compose(rotation, rotation, np.empty((3, 3)))
