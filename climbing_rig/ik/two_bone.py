"""Two bones and a pole in closed form.

The middle is bent until the end is as far from the root as the target is; then the root is turned.
"""

from __future__ import annotations

import math
from typing import Any

from numba import njit
from numpy.typing import NDArray

from climbing_rig.ik.aiming import turn_bone
from climbing_rig.ik.chain import (
    STILL,
    add_to_joint,
    blend_back,
    bring_near,
    joint_axis,
    joint_of,
    origin,
    remember,
    settle,
)
from climbing_rig.ik.triples import (
    Triple,
    any_square,
    carried,
    crossed,
    direction,
    gap,
    inner,
    minus,
    size,
    square_to,
    towards,
    turned,
)  # fmt: skip
from climbing_rig.maths import TINY, compose
from climbing_rig.model.tree import TURNING
from climbing_rig.rig.skeleton import GROUP, Skeleton, bone_axes, changed
from climbing_rig.rig.turning import product_with_transposed, set_bone_axes

Array = NDArray[Any]
Bones = tuple[int, int, int]

LINED_UP = 1e-3
"""Sine of the angle between target and pole, seen from the root, under which the pole tells no plane."""
GAIN = 1e-6
"""Metres that a limb against its limits must gain, or it keeps still."""
ROUNDS = 100
"""Most rounds over the joints, where limits or missing axes keep the closed form from being reached."""


@njit(cache=True)
def solve_two_bone(
    skeleton: Skeleton, bones: Bones, target: Array, pole: Array, plane: Array, weight: float, before: Array, out: Array
) -> tuple[float, float]:
    """Brings the end of a limb of two bones to a target, its middle towards a pole.

    A knee that is a hinge bends about its axis, on the side its limits allow; the plane it bends in is then turned to
    the pole by the root's joints, as far as they can. Out of reach, the limb is straight towards the target.

    Args:
        skeleton: The robot; its proposal is changed.
        bones: Root, middle and end; lengths are measured on the robot.
        target: (3,) in map.
        pole: (3,) in map: the point the knee or elbow looks at.
        plane: (3,) direction of the middle in the last tick, ``out`` of then: it turns towards the pole by no more than
            the sine of the angle between pole and target in a tick, so that it stays where these line up. Zeros: none.
        weight: How much of the way the joints go.
        before: (3, 3) scratch.
        out: (3,) written: direction from the line root-target to the middle, square to that line.

    Returns:
        How far the target is, as a share of the limb's length; metres left over.
    """
    root, middle, end = bones[0], bones[1], bones[2]
    hip, knee, tip = origin(skeleton, root), origin(skeleton, middle), origin(skeleton, end)
    length = gap(hip, knee) + gap(knee, tip)
    way = minus(target, hip)
    out[0], out[1], out[2] = plane[0], plane[1], plane[2]
    if size(way) < TINY or gap(hip, knee) < TINY or gap(knee, tip) < TINY:
        return size(way) / max(length, TINY), gap(tip, target)
    remember(skeleton, bones, before)
    hinge, side = _bend(skeleton, middle, hip, tip, pole, size(way))
    start, along = direction(minus(origin(skeleton, end), hip)), direction(way)
    normal = crossed(start, hinge)
    elbow = direction((side * normal[0], side * normal[1], side * normal[2]))
    if size(elbow) == 0.0 or size(start) == 0.0:
        start = along if size(start) == 0.0 else start
        elbow = any_square(start)
    wish = _plane(plane, carried(elbow, start, along), minus(pole, hip), along)
    out[0], out[1], out[2] = wish
    off = _turn_root(skeleton, root, start, elbow, along, wish)
    _refine(skeleton, bones, target)
    # Against limits there may be several poses nearly as good as each other: none of them is left for another.
    if off > STILL and gap(tip, target) - gap(origin(skeleton, end), target) < GAIN:
        blend_back(skeleton, bones, before, 0.0)
    settle(skeleton, bones, before, weight)
    return size(way) / length, gap(origin(skeleton, end), target)


@njit(cache=True)
def _bend(
    skeleton: Skeleton, middle: int, hip: Triple, tip: Triple, pole: Array, distance: float
) -> tuple[Triple, float]:
    """Bends the middle so that the end comes to a distance from the hip.

    Returns:
        The axis it bends about, in map, and the side (1 or -1) it is bent to: the middle is on the side of
        side * (hip to end) x axis.
    """
    body = joint_of(skeleton, middle, 0)
    if body > 0 and skeleton.tree.kind[body] == TURNING and joint_of(skeleton, middle, 1) < 0:
        p = skeleton.translations[body]
        place = (p[0], p[1], p[2])
        hinge = joint_axis(skeleton, body)
        turn, side = _hinge_turn(skeleton, body, hinge, minus(place, hip), minus(tip, place), distance)
        if turn != 0.0:
            add_to_joint(skeleton, body, turn)
            changed(skeleton, body)
        return hinge, side
    # A ball has no axis of its own: it bends in the plane it is bent in, or in the pole's.
    place = origin(skeleton, middle)
    upper, lower, line = minus(place, hip), minus(tip, place), direction(minus(tip, hip))
    aside = square_to(upper, line)
    if size(aside) < 1e-6 * size(upper):
        aside = square_to(minus(pole, hip), line)
    if size(aside) < 1e-9:
        aside = any_square(line if size(line) > 0.0 else direction(upper))
    hinge = direction(crossed(aside, line if size(line) > 0.0 else direction(upper)))
    angle = math.atan2(inner(hinge, crossed(upper, lower)), inner(upper, lower))
    cosine = (distance**2 - size(upper) ** 2 - size(lower) ** 2) / (2.0 * size(upper) * size(lower))
    turn = math.acos(min(max(cosine, -1.0), 1.0)) - angle
    if body > 0 and abs(turn) > STILL:
        first = direction(lower)
        turn_bone(skeleton, middle, first, turned(first, hinge, math.sin(turn), math.cos(turn)))
    return hinge, 1.0


@njit(cache=True)
def _hinge_turn(
    skeleton: Skeleton, body: int, hinge: Triple, upper: Triple, lower: Triple, distance: float
) -> tuple[float, float]:
    """Turn (rad) of a hinge after which the end is at a distance from the hip, and the side it is then bent to."""
    tree, j = skeleton.tree, skeleton.tree.dof[body]
    a, b = square_to(upper, hinge), square_to(lower, hinge)
    arms = size(a) * size(b)
    if arms < 1e-18:
        return 0.0, 1.0
    angle = math.atan2(inner(hinge, crossed(a, b)), inner(a, b))
    along = inner(hinge, upper) * inner(hinge, lower)
    cosine = (distance**2 - inner(upper, upper) - inner(lower, lower) - 2.0 * along) / (2.0 * arms)
    bend = math.acos(min(max(cosine, -1.0), 1.0))
    present = tree.multiplier[body] * skeleton.q[j] + tree.offset[body]
    one = tree.multiplier[body] * skeleton.lower[j] + tree.offset[body]
    other = tree.multiplier[body] * skeleton.upper[j] + tree.offset[body]
    low, high = min(one, other), max(one, other)
    best, side, least = 0.0, 1.0, math.inf
    for s in (1.0, -1.0):
        value = present + s * bend - angle
        for wrapped in (value, value - 2.0 * math.pi, value + 2.0 * math.pi):
            kept = min(max(wrapped, low), high)
            # Within limits first, then the near one; straight, the side that limits have more of.
            cost = 100.0 * abs(kept - wrapped) + abs(kept - present)
            if math.isfinite(low + high):
                cost -= 1e-6 * s * min(max(0.5 * (low + high) - present + angle, -1.0), 1.0)
            if cost < least:
                best, side, least = kept - present, s, cost
    return best, side


@njit(cache=True)
def _plane(plane: Array, present: Triple, pole: Triple, along: Triple) -> Triple:
    """Unit vector square to the line from hip to target that the middle is to point to."""
    kept = direction(square_to(plane, along)) if size(square_to(plane, along)) > 1e-6 else direction(present)
    aside = square_to(pole, along)
    sine = size(aside) / max(size(pole), TINY)
    if sine < LINED_UP:
        return kept
    most = math.pi if plane[0] == 0.0 and plane[1] == 0.0 and plane[2] == 0.0 else sine
    return direction(square_to(towards(kept, direction(aside), most), along))


@njit(cache=True)
def _turn_root(skeleton: Skeleton, root: int, start: Triple, elbow: Triple, along: Triple, wish: Triple) -> float:
    """Turns the root so that its direction ``start`` comes to ``along`` and ``elbow``, square to it, to ``wish``.

    Returns:
        Radians that its joints cannot do of it.
    """
    if size(minus(start, along)) < STILL and size(minus(elbow, wish)) < STILL:
        return 0.0
    axes, wished, turn = skeleton.work[14], skeleton.work[15], skeleton.work[0]
    across, aside = crossed(start, elbow), crossed(along, wish)
    for i in range(3):
        wished[i, 0], wished[i, 1], wished[i, 2] = along[i], wish[i], aside[i]
        axes[i, 0], axes[i, 1], axes[i, 2] = start[i], elbow[i], across[i]
    product_with_transposed(wished, axes, turn)
    bone_axes(skeleton, root, axes)
    compose(turn, axes, wished)
    return set_bone_axes(skeleton, root, wished, True)


@njit(cache=True)
def _refine(skeleton: Skeleton, bones: Bones, target: Array) -> None:
    """Brings the end nearer joint by joint, as long as that gains something."""
    tip = origin(skeleton, bones[2])
    error = gap(tip, target)
    for _ in range(ROUNDS):
        if error < STILL:
            return
        for i in range(1, -1, -1):
            for k in range(GROUP - 1, -1, -1):
                body = joint_of(skeleton, bones[i], k)
                if body > 0:
                    _, tip = bring_near(skeleton, body, tip, target, 1.0)
                    changed(skeleton, body)
        tip = origin(skeleton, bones[2])
        left = gap(tip, target)
        if error - left < 1e-5 * error:
            return
        error = left
