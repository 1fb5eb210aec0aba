"""Looking at a point: an axis of a chain's last bone is pointed at it, each bone of the chain turning its share."""

from __future__ import annotations

import math
from typing import Any

from numba import njit
from numpy.typing import NDArray

from climbing_rig.ik.chain import STILL, bring_near, joint_of, origin, remember, settle
from climbing_rig.ik.triples import (
    Numbers,
    Triple,
    any_square,
    carried,
    crossed,
    direction,
    gap,
    inner,
    minus,
    plus,
    size,
    square_to,
    towards,
)  # fmt: skip
from climbing_rig.maths import compose, matrix_from_rotation_vector, rotation_vector_between
from climbing_rig.model.tree import TURNING
from climbing_rig.rig.skeleton import GROUP, Skeleton, bone_axes, changed
from climbing_rig.rig.turning import product_with_transposed, set_bone_axes

Array = NDArray[Any]

ROUNDS = 40
"""Most rounds over the joints, after the shares, until the axis points no better."""


@njit(cache=True)
def solve_look_at(
    skeleton: Skeleton,
    bones: Array,
    shares: Array,
    axis: Array,
    up_axis: Array,
    target: Array,
    up: Array,
    limit: float,
    weight: float,
    before: Array,
) -> float:
    """Points an axis of the last bone at a target.

    The chain starts from its neutral joints, so that the same target always gives the same pose, whatever was before.

    Args:
        skeleton: The robot; its proposal is changed.
        bones: (N,) the chain (one bone, or see ``ik.chain``).
        shares: (N,) of the turn, in any measure; none for equal ones. What a bone cannot do, those after it do.
        axis: (3,) of any length, in the last bone's frame.
        up_axis: (3,) of any length, in the last bone's frame: what is to point up.
        target: (3,) in map.
        up: (3,) in map; zeros leave the twist as it comes.
        limit: Most angle (rad) between the axis and where it points with the chain at neutral.
        weight: How much of the way the joints go.
        before: (N, 3) scratch; written: the joints as they were.

    Returns:
        Radians between the axis and the target.
    """
    last = bones[bones.shape[0] - 1]
    remember(skeleton, bones, before)
    _to_neutral(skeleton, bones)
    ahead = _pointing(skeleton, last, axis)
    _share_out(skeleton, bones, shares, axis, up_axis, target, up, limit, ahead)
    _refine(skeleton, bones, axis, target, limit, ahead)
    settle(skeleton, bones, before, weight)
    there = direction(minus(target, origin(skeleton, last)))
    pointing = _pointing(skeleton, last, axis)
    return math.atan2(size(crossed(pointing, there)), inner(pointing, there))


@njit(cache=True)
def _to_neutral(skeleton: Skeleton, bones: Array) -> None:
    for i in range(bones.shape[0]):
        for k in range(GROUP):
            body = joint_of(skeleton, bones[i], k)
            if body > 0 and skeleton.tree.kind[body] == TURNING:
                j = skeleton.tree.dof[body]
                skeleton.q[j] = min(max(0.0, skeleton.lower[j]), skeleton.upper[j])
                changed(skeleton, body)


@njit(cache=True)
def _pointing(skeleton: Skeleton, bone: int, axis: Numbers) -> Triple:
    """An axis of a bone, in map, at length one."""
    axes = skeleton.work[14]
    bone_axes(skeleton, bone, axes)
    return direction((inner(axes[0], axis), inner(axes[1], axis), inner(axes[2], axis)))


@njit(cache=True)
def _wish(skeleton: Skeleton, last: int, target: Array, limit: float, ahead: Triple) -> Triple:
    """Where the axis is to point: at the target, within the limit; ahead if the target is in the bone itself."""
    there = direction(minus(target, origin(skeleton, last)))
    return towards(ahead, there, limit) if size(there) > 0.0 else ahead


@njit(cache=True)
def _share_out(
    skeleton: Skeleton,
    bones: Array,
    shares: Array,
    axis: Array,
    up_axis: Array,
    target: Array,
    up: Array,
    limit: float,
    ahead: Triple,
) -> None:
    """Each bone turns its share of what is left over, the last one all of it."""
    count = bones.shape[0]
    last = bones[count - 1]
    left = 0.0
    for i in range(count):
        left += max(float(shares[i]), 0.0) if shares.shape[0] > 0 else 1.0
    for i in range(count):
        own = max(float(shares[i]), 0.0) if shares.shape[0] > 0 else 1.0
        if own > 0.0:
            axes, wished, turn, vector = skeleton.work[14], skeleton.work[15], skeleton.work[0], skeleton.work[13, 0]
            wish = _wish(skeleton, last, target, limit, ahead)
            _wished_axes(skeleton, last, axis, up_axis, wish, up)
            bone_axes(skeleton, last, axes)
            rotation_vector_between(axes, wished, vector)
            for k in range(3):
                vector[k] *= own / left
            matrix_from_rotation_vector(vector, turn)
            bone_axes(skeleton, bones[i], axes)
            compose(turn, axes, wished)
            set_bone_axes(skeleton, bones[i], wished, True)
        left -= own


@njit(cache=True)
def _wished_axes(skeleton: Skeleton, last: int, axis: Array, up_axis: Array, wish: Triple, up: Array) -> None:
    """Writes to ``work[15]`` the last bone's axes that point its axis as wished, and its up axis up."""
    wished, own, turn = skeleton.work[15], skeleton.work[13], skeleton.work[0]
    forward = direction(axis)
    rise, upward = direction(square_to(up_axis, forward)), direction(square_to(up, wish))
    if size(rise) == 0.0:
        rise = any_square(forward)
    if size(upward) == 0.0:
        # No up: the twist of the short way from where it is.
        now = _pointing(skeleton, last, rise)
        upward = direction(square_to(carried(now, _pointing(skeleton, last, axis), wish), wish))
    aside, across = crossed(forward, rise), crossed(wish, upward)
    for i in range(3):
        own[i, 0], own[i, 1], own[i, 2] = forward[i], rise[i], aside[i]
        turn[i, 0], turn[i, 1], turn[i, 2] = wish[i], upward[i], across[i]
    product_with_transposed(turn, own, wished)


@njit(cache=True)
def _refine(skeleton: Skeleton, bones: Array, axis: Array, target: Array, limit: float, ahead: Triple) -> None:
    """Turns joint after joint until the axis points no better: what single joints cannot do, others can."""
    count = bones.shape[0]
    last = bones[count - 1]
    error = math.inf
    for _ in range(ROUNDS):
        here, wish = origin(skeleton, last), _wish(skeleton, last, target, limit, ahead)
        pointing = _pointing(skeleton, last, axis)
        left = gap(pointing, wish)
        if left < STILL or error - left < 1e-10:
            return
        error = left
        # The point ahead of the last bone that ought to be at the target.
        far = max(gap(here, target), 1e-3)
        tip, goal = plus(here, pointing, far), plus(here, wish, far)
        for i in range(count - 1, -1, -1):
            for k in range(GROUP - 1, -1, -1):
                body = joint_of(skeleton, bones[i], k)
                if body > 0:
                    _, tip = bring_near(skeleton, body, tip, goal, 1.0)
                    changed(skeleton, body)
