"""Turning bones by their joints, and how near that comes to what was wished."""

from __future__ import annotations

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray

from climbing_rig.maths import (
    compose,
    matrix_from_rotation_vector,
    quaternion_from_matrix,
    rotate,
    rotation_vector_between,
)
from climbing_rig.rig.skeleton import GROUP, Skeleton, changed, locate

Array = NDArray[np.float64]

#: Matrices of ``Skeleton.work``; the first belongs to ``bone_transform``.
KEPT, BODY_AXES, WANTED, CARRIED, OTHER, AXES, MIDDLE, TURN, SPARE, LEFT, ANGLES, VECTORS = range(1, 13)
SWEEPS = 60
"""Most rounds over the joints of a group; two or three are the rule."""


@njit(cache=True)
def product_with_transposed(a: Array, b: Array, out: Array) -> None:
    """Matrix product a bᵀ of two (3, 3) matrices; ``out`` must be neither."""
    for i in range(3):
        for j in range(3):
            out[i, j] = a[i, 0] * b[j, 0] + a[i, 1] * b[j, 1] + a[i, 2] * b[j, 2]


@njit(cache=True)
def transposed_product(a: Array, b: Array, out: Array) -> None:
    """Matrix product aᵀ b of two (3, 3) matrices; ``out`` must be neither."""
    for i in range(3):
        for j in range(3):
            out[i, j] = a[0, i] * b[0, j] + a[1, i] * b[1, j] + a[2, i] * b[2, j]


@njit(cache=True)
def set_body_axes(skeleton: Skeleton, body: int, axes: Array, propagate: bool) -> float:
    """Turns a body, by the joints of its group, as near to ``axes`` (3, 3) in map as these and their limits allow.

    Args:
        skeleton: The robot; its proposal is changed.
        body: Index of the body; the root turns exactly.
        axes: (3, 3) the wished axes.
        propagate: True: what hangs from it turns along. False: it keeps its own axes in map, as far as its joints let.

    Returns:
        Radians between the wish and what was reached.
    """
    last = skeleton.rotations.shape[0] - 1
    locate(skeleton, body if propagate else last)
    if body == 0:
        quaternion_from_matrix(axes, skeleton.orientation)
        off = 0.0
    else:
        off = turn_group(skeleton, body, axes)
    first = 0 if body == 0 else max(skeleton.group[body, 0], 0)
    changed(skeleton, first)
    if not propagate:
        # Bodies behind this one are not located anew before their turn: their old axes are still there.
        locate(skeleton, body)
        kept = skeleton.work[KEPT]
        for f in range(skeleton.follower_start[body], skeleton.follower_start[body + 1]):
            end = skeleton.follower[f]
            for i in range(3):
                for j in range(3):
                    kept[i, j] = skeleton.rotations[end, i, j]
            turn_group(skeleton, end, kept)
        changed(skeleton, body + 1)
    return off


@njit(cache=True)
def set_bone_axes(skeleton: Skeleton, bone: int, axes: Array, propagate: bool) -> float:
    """As ``set_body_axes``, for the axes of a bone."""
    body_axes = skeleton.work[BODY_AXES]
    product_with_transposed(axes, skeleton.bone_rotation[bone], body_axes)
    return set_body_axes(skeleton, skeleton.bone_body[bone], body_axes, propagate)


@njit(cache=True)
def blend_axes(start: Array, end: Array, weight: float, work: Array) -> None:
    """Replaces ``end`` (3, 3) by the axes that lie ``weight`` of the short way from ``start`` to it; 1 leaves it."""
    if weight >= 1.0:
        return
    vector, turn = work[VECTORS, 0], work[TURN]
    rotation_vector_between(start, end, vector)
    for k in range(3):
        vector[k] *= weight
    matrix_from_rotation_vector(vector, turn)
    compose(turn, start, end)


@njit(cache=True)
def turn_group(skeleton: Skeleton, body: int, axes: Array) -> float:
    """Sets the joints of a body's group so that the body has ``axes`` (3, 3) in map, or comes nearest.

    The body the group hangs from must be located. Three joints: the closed form of two of them turning the third's
    axis to its place (Paden and Kahan's second subproblem) and the third doing the rest; of its two solutions the one
    that limits allow, then the one nearer to the present joints. Whatever that leaves over is brought down joint by
    joint.

    Returns:
        Radians left over.
    """
    count = 0
    while count < GROUP and skeleton.group[body, count] >= 0:
        count += 1
    wanted, axis, angle = skeleton.work[WANTED], skeleton.work[AXES], skeleton.work[ANGLES, 0]
    if count == 0:
        product_with_transposed(axes, skeleton.rotations[body], wanted)
        return angle_of(wanted)
    _unfold(skeleton, body, count, axes, axis, wanted, angle)
    if count == GROUP:
        _solve_three(skeleton, body, axis, wanted, angle)
    off = _descend(skeleton, body, count, axis, wanted, angle)
    for i in range(count):
        b = skeleton.group[body, i]
        skeleton.q[skeleton.tree.dof[b]] = (angle[i] - skeleton.tree.offset[b]) / skeleton.tree.multiplier[b]
    return off


@njit(cache=True)
def _unfold(skeleton: Skeleton, body: int, count: int, axes: Array, axis: Array, wanted: Array, angle: Array) -> None:
    """Writes a group as a product of turns about fixed axes: R(a1, t1) R(a2, t2) R(a3, t3) = wanted.

    The origins' own rotations are carried over to the axes and to ``wanted``.
    """
    tree = skeleton.tree
    carried, other = skeleton.work[CARRIED], skeleton.work[OTHER]
    for i in range(3):
        for j in range(3):
            carried[i, j] = 1.0 if i == j else 0.0
    for i in range(count):
        b = skeleton.group[body, i]
        compose(carried, tree.origin_rotation[b], other)
        carried[:] = other
        rotate(carried, tree.axis[b], axis[i])
        angle[i] = tree.multiplier[b] * skeleton.q[tree.dof[b]] + tree.offset[b]
    base = tree.parent[skeleton.group[body, 0]]
    transposed_product(skeleton.rotations[base], axes, other)
    product_with_transposed(other, carried, wanted)


@njit(cache=True)
def _solve_three(skeleton: Skeleton, body: int, axis: Array, wanted: Array, angle: Array) -> None:
    """Angles of three turns with the given product; those of the better branch are written, limits kept."""
    first, second, third = axis[0], axis[1], axis[2]
    goal, normal, between = skeleton.work[VECTORS, 0], skeleton.work[VECTORS, 1], skeleton.work[VECTORS, 2]
    trial, best = skeleton.work[ANGLES, 1], skeleton.work[ANGLES, 2]
    rotate(wanted, third, goal)
    cosine = first[0] * second[0] + first[1] * second[1] + first[2] * second[2]
    along_first = first[0] * goal[0] + first[1] * goal[1] + first[2] * goal[2]
    along_second = second[0] * third[0] + second[1] * third[1] + second[2] * third[2]
    for k in range(3):
        normal[k] = first[(k + 1) % 3] * second[(k + 2) % 3] - first[(k + 2) % 3] * second[(k + 1) % 3]
    sine2 = 1.0 - cosine * cosine
    if sine2 < 1e-12:
        return  # two axes in line are one joint twice
    alpha = (along_first - cosine * along_second) / sine2
    beta = (along_second - cosine * along_first) / sine2
    gamma2 = (1.0 - alpha * alpha - beta * beta - 2.0 * alpha * beta * cosine) / sine2
    gamma = math.sqrt(max(gamma2, 0.0))
    smallest = math.inf
    for branch in range(2):
        sign = 1.0 - 2.0 * branch
        for k in range(3):
            between[k] = alpha * first[k] + beta * second[k] + sign * gamma * normal[k]
        trial[0] = _angle_about(first, between, goal, angle[0])
        trial[1] = _angle_about(second, third, between, angle[1])
        trial[2] = angle[2]
        _turn_best(skeleton.work, axis, GROUP, 2, wanted, trial)
        away = 0.0
        for i in range(GROUP):
            trial[i] = _within_limits(skeleton, skeleton.group[body, i], trial[i], angle[i])
            away += abs(trial[i] - angle[i])
        # The nearer branch only decides between two that fit equally well.
        cost = _left_over(skeleton.work, axis, GROUP, wanted, trial) + 1e-6 * away
        if cost < smallest:
            smallest = cost
            best[:] = trial
    angle[:] = best


@njit(cache=True)
def _angle_about(axis: Array, start: Array, end: Array, present: float) -> float:
    """Angle about ``axis`` that takes ``start`` to ``end``; ``present`` where one of them lies on the axis."""
    s, e = 0.0, 0.0
    for k in range(3):
        s += axis[k] * start[k]
        e += axis[k] * end[k]
    cosine, sine, start2, end2 = 0.0, 0.0, 0.0, 0.0
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        u, v = start[k] - s * axis[k], end[k] - e * axis[k]
        cosine += u * v
        start2 += u * u
        end2 += v * v
        sine += axis[k] * (start[i] * end[j] - start[j] * end[i])
    return present if min(start2, end2) < 1e-14 else math.atan2(sine, cosine)


@njit(cache=True)
def _within_limits(skeleton: Skeleton, body: int, angle: float, present: float) -> float:
    """An angle as the joint of a body may have it: of its turns the one in the limits nearest to the present one."""
    tree = skeleton.tree
    dof, multiplier, offset = tree.dof[body], tree.multiplier[body], tree.offset[body]
    a, b = multiplier * skeleton.lower[dof] + offset, multiplier * skeleton.upper[dof] + offset
    low, high = min(a, b), max(a, b)
    turn = 2.0 * math.pi
    angle += turn * math.floor((present - angle) / turn + 0.5)
    if angle < low:
        up = angle + turn * math.ceil((low - angle) / turn)
        return up if up <= high else (low if low - angle <= up - high else high)
    if angle > high:
        down = angle - turn * math.ceil((angle - high) / turn)
        return down if down >= low else (high if angle - high <= low - down else low)
    return angle


@njit(cache=True)
def _descend(skeleton: Skeleton, body: int, count: int, axis: Array, wanted: Array, angle: Array) -> float:
    """Turns joint after joint to its best angle until nothing is gained; returns the radians left over."""
    off = _left_over(skeleton.work, axis, count, wanted, angle)
    for _ in range(SWEEPS):
        if off < 1e-9:
            break
        before = off
        for i in range(count):
            present = angle[i]
            _turn_best(skeleton.work, axis, count, i, wanted, angle)
            angle[i] = _within_limits(skeleton, skeleton.group[body, i], angle[i], present)
        off = _left_over(skeleton.work, axis, count, wanted, angle)
        if before - off < 1e-10:
            break
    return off


@njit(cache=True)
def _turn_best(work: Array, axis: Array, count: int, which: int, wanted: Array, angle: Array) -> None:
    """Sets one angle of a product of turns so that the product comes nearest to ``wanted``."""
    middle, turn, other = work[MIDDLE], work[TURN], work[SPARE]
    middle[:] = wanted
    for i in range(which):
        axis_angle(axis[i], angle[i], turn)
        transposed_product(turn, middle, other)
        middle[:] = other
    for i in range(count - 1, which, -1):
        axis_angle(axis[i], angle[i], turn)
        product_with_transposed(middle, turn, other)
        middle[:] = other
    # The twist of what is left about the axis.
    a = axis[which]
    x, y, z = middle[2, 1] - middle[1, 2], middle[0, 2] - middle[2, 0], middle[1, 0] - middle[0, 1]
    sine = a[0] * x + a[1] * y + a[2] * z
    along = 0.0
    for i in range(3):
        for j in range(3):
            along += a[i] * middle[i, j] * a[j]
    cosine = middle[0, 0] + middle[1, 1] + middle[2, 2] - along
    if sine * sine + cosine * cosine > 1e-20:
        angle[which] = math.atan2(sine, cosine)


@njit(cache=True)
def _left_over(work: Array, axis: Array, count: int, wanted: Array, angle: Array) -> float:
    """Radians between a product of turns and ``wanted``."""
    left, turn, other = work[LEFT], work[TURN], work[SPARE]
    left[:] = wanted
    for i in range(count):
        axis_angle(axis[i], angle[i], turn)
        transposed_product(turn, left, other)
        left[:] = other
    return angle_of(left)


@njit(cache=True)
def axis_angle(axis: Array, angle: float, out: Array) -> None:
    """Rotation matrix (3, 3) of a turn about a unit axis."""
    s, c = math.sin(angle), math.cos(angle)
    v = 1.0 - c
    x, y, z = axis[0], axis[1], axis[2]
    out[0, 0], out[0, 1], out[0, 2] = c + v * x * x, v * x * y - s * z, v * x * z + s * y
    out[1, 0], out[1, 1], out[1, 2] = v * x * y + s * z, c + v * y * y, v * y * z - s * x
    out[2, 0], out[2, 1], out[2, 2] = v * x * z - s * y, v * y * z + s * x, c + v * z * z


@njit(cache=True)
def angle_of(rotation: Array) -> float:
    """Angle of a rotation matrix, 0 to pi, exact near both ends."""
    x, y, z = rotation[2, 1] - rotation[1, 2], rotation[0, 2] - rotation[2, 0], rotation[1, 0] - rotation[0, 1]
    sine = 0.5 * math.sqrt(x * x + y * y + z * z)
    return math.atan2(sine, 0.5 * (rotation[0, 0] + rotation[1, 1] + rotation[2, 2] - 1.0))
