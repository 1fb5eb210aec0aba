"""A chain of bones and the joints that move it: what the solvers of chains share.

A chain is an array (or a tuple) of bones, the one nearest to the root first; each hangs from the one before it, perhaps
with other bones between, which then keep still. Its joints are those of its bones' groups, and a prismatic joint right
above a bone. The tip is the last bone's origin.
"""

from __future__ import annotations

import math
from typing import Any

from numba import njit
from numpy.typing import NDArray

from climbing_rig.ik.triples import Numbers, Triple, crossed, inner, minus, plus, size, square_to, turned
from climbing_rig.model.tree import SLIDING
from climbing_rig.rig.skeleton import GROUP, Skeleton, changed, locate

Array = NDArray[Any]
Bones = Any
"""An array of bones by index, or a tuple of them."""

STILL = 1e-9
"""Radians or metres: joints that would all move by less stay where they are."""


@njit(cache=True)
def joint_of(skeleton: Skeleton, bone: int, k: int) -> int:
    """Body whose joint is the k-th of a bone, outermost first; -1 where there is none."""
    body = skeleton.bone_body[bone]
    found = skeleton.group[body, k]
    if found < 0 and k == 0 and body > 0 and skeleton.tree.kind[body] == SLIDING:
        found = body if skeleton.tree.multiplier[body] != 0.0 else -1
    return int(found)


@njit(cache=True)
def is_chain(skeleton: Skeleton, bones: Bones) -> bool:
    """Whether there are two bones or more, each hanging from the one before it."""
    body = skeleton.bone_body[bones[len(bones) - 1]] if len(bones) > 1 else -1
    for i in range(len(bones) - 2, -1, -1):
        before = skeleton.bone_body[bones[i]]
        while body > before:
            body = skeleton.tree.parent[body]
        if body != before:
            return False
    return len(bones) > 1


@njit(cache=True)
def origin(skeleton: Skeleton, bone: int) -> Triple:
    """Where a bone is, in map."""
    body = skeleton.bone_body[bone]
    locate(skeleton, body)
    r, t, p = skeleton.rotations[body], skeleton.translations[body], skeleton.bone_translation[bone]
    return t[0] + inner(r[0], p), t[1] + inner(r[1], p), t[2] + inner(r[2], p)


@njit(cache=True)
def extent(skeleton: Skeleton, bones: Bones) -> float:
    """Sum of the distances from bone to bone, metres."""
    total, here = 0.0, origin(skeleton, bones[0])
    for i in range(1, bones.shape[0]):
        following = origin(skeleton, bones[i])
        total += size(minus(following, here))
        here = following
    return total


@njit(cache=True)
def joint_axis(skeleton: Skeleton, body: int) -> Triple:
    """Axis of the joint that moves a body, in map; the body is located but for what joints behind it do."""
    r, a = skeleton.rotations[body], skeleton.tree.axis[body]
    return inner(r[0], a), inner(r[1], a), inner(r[2], a)


@njit(cache=True)
def add_to_joint(skeleton: Skeleton, body: int, amount: float) -> float:
    """Moves a joint by an amount (rad or m) as far as its limits let; returns how far it went.

    It never goes round the other way to a limit's far side: a joint at its limit stays there.
    """
    j, factor = skeleton.tree.dof[body], skeleton.tree.multiplier[body]
    before = skeleton.q[j]
    skeleton.q[j] = min(max(before + amount / factor, skeleton.lower[j]), skeleton.upper[j])
    return float((skeleton.q[j] - before) * factor)


@njit(cache=True)
def bring_near(skeleton: Skeleton, body: int, tip: Numbers, target: Numbers, share: float) -> tuple[float, Triple]:
    """Moves one joint so that a point it carries comes nearest to a target: exact for a hinge and for a slide.

    Args:
        skeleton: The robot; the body's axis and origin are up to date, what hangs from it need not be.
        body: Body of the joint.
        tip: (3,) the point, in map.
        target: (3,) in map.
        share: Of the best move, how much is made.

    Returns:
        The best move (rad or m), whatever limits and ``share`` leave of it, and the point afterwards.
    """
    axis = joint_axis(skeleton, body)
    if skeleton.tree.kind[body] == SLIDING:
        best = inner(axis, minus(target, tip))
        return best, plus(tip, axis, add_to_joint(skeleton, body, share * best))
    place = skeleton.translations[body]
    lever, wish = minus(tip, place), square_to(minus(target, place), axis)
    arm = square_to(lever, axis)
    if size(arm) * size(wish) < 1e-18:
        return 0.0, (tip[0], tip[1], tip[2])
    best = math.atan2(inner(axis, crossed(arm, wish)), inner(arm, wish))
    made = add_to_joint(skeleton, body, share * best)
    moved = turned(lever, axis, math.sin(made), math.cos(made))
    return best, plus(moved, place, 1.0)


# -- going back --------------------------------------------------------------------------------------------------------


@njit(cache=True)
def remember(skeleton: Skeleton, bones: Bones, before: Array) -> None:
    """Notes the joints of N bones in ``before`` (N, 3)."""
    for i in range(len(bones)):
        for k in range(GROUP):
            body = joint_of(skeleton, bones[i], k)
            before[i, k] = skeleton.q[skeleton.tree.dof[body]] if body > 0 else 0.0


@njit(cache=True)
def blend_back(skeleton: Skeleton, bones: Bones, before: Array, weight: float) -> None:
    """Leaves ``weight`` of the way that the joints have gone since they were noted; 0 puts them back, bit by bit."""
    for i in range(len(bones)):
        for k in range(GROUP):
            body = joint_of(skeleton, bones[i], k)
            if body > 0:
                j = skeleton.tree.dof[body]
                skeleton.q[j] = before[i, k] + max(weight, 0.0) * (skeleton.q[j] - before[i, k])
                changed(skeleton, body)


@njit(cache=True)
def settle(skeleton: Skeleton, bones: Bones, before: Array, weight: float) -> None:
    """Blends back where the weight is below 1, and altogether where no joint has gone further than ``STILL``."""
    most = 0.0
    for i in range(len(bones)):
        for k in range(GROUP):
            body = joint_of(skeleton, bones[i], k)
            if body > 0:
                most = max(most, abs(skeleton.q[skeleton.tree.dof[body]] - before[i, k]))
    if most < STILL:
        blend_back(skeleton, bones, before, 0.0)
    elif weight < 1.0:
        blend_back(skeleton, bones, before, weight)
