"""Aiming a bone by its joints: the point it carries is brought towards a goal, the twist left as it comes."""

from __future__ import annotations

import math

from numba import njit

from climbing_rig.ik.chain import STILL, bring_near, joint_of, origin
from climbing_rig.ik.triples import Numbers, Triple, any_square, crossed, direction, gap, inner, minus, size
from climbing_rig.maths import compose
from climbing_rig.rig.skeleton import GROUP, Skeleton, bone_axes, changed
from climbing_rig.rig.turning import axis_angle, set_bone_axes

ROUNDS = 30
"""Most rounds over the joints of a bone whose group has no closed form; a few are the rule."""


@njit(cache=True)
def turn_bone(skeleton: Skeleton, bone: int, start: Numbers, end: Numbers) -> float:
    """Turns a bone by its joints the short way that takes one direction of map to another, both of length one.

    Returns:
        Radians that the joints cannot do of it.
    """
    axis = crossed(start, end)
    sine = size(axis)
    about, axes, wished, turn = skeleton.work[13, 0], skeleton.work[14], skeleton.work[15], skeleton.work[0]
    about[0], about[1], about[2] = direction(axis) if sine > 1e-12 else any_square(start)
    axis_angle(about, math.atan2(sine, inner(start, end)), turn)
    bone_axes(skeleton, bone, axes)
    compose(turn, axes, wished)
    return set_bone_axes(skeleton, bone, wished, True)


@njit(cache=True)
def aim(skeleton: Skeleton, bone: int, carried: int, goal: Numbers) -> None:
    """Turns a bone so that the bone ``carried``, which hangs from it, comes nearest to a goal (3,) in map.

    Three joints get there in closed form where their limits let them; fewer, and limits, joint by joint.
    """
    here, tip = origin(skeleton, bone), origin(skeleton, carried)
    start, end = direction(minus(tip, here)), direction(minus(goal, here))
    if size(minus(start, end)) < STILL or size(start) * size(end) == 0.0:
        return
    if joint_of(skeleton, bone, GROUP - 1) > 0 and turn_bone(skeleton, bone, start, end) < STILL:
        return
    refine(skeleton, bone, carried, goal)


@njit(cache=True)
def refine(skeleton: Skeleton, bone: int, carried: int, goal: Numbers) -> None:
    """Turns the joints of a bone, one by one, until the bone ``carried`` comes no nearer to a goal (3,) in map."""
    tip: Triple = origin(skeleton, carried)
    error = gap(tip, goal)
    for _ in range(ROUNDS):
        for k in range(GROUP - 1, -1, -1):
            body = joint_of(skeleton, bone, k)
            if body > 0:
                _, tip = bring_near(skeleton, body, tip, goal, 1.0)
                changed(skeleton, body)
        tip = origin(skeleton, carried)
        left = gap(tip, goal)
        if error - left < 1e-9:
            break
        error = left
