"""Cyclic coordinate descent: joint by joint from the tip to the root, each put where it brings the tip nearest."""

from __future__ import annotations

import math
from typing import Any

from numba import njit
from numpy.typing import NDArray

from climbing_rig.ik.chain import add_to_joint, blend_back, bring_near, extent, joint_of, origin, remember
from climbing_rig.ik.triples import Numbers, gap
from climbing_rig.rig.skeleton import GROUP, Skeleton, changed

Array = NDArray[Any]

GAIN = 1e-2
"""Share of the tolerance that a call must gain, or it moves nothing: what cannot get nearer is still, bit by bit."""
LINED_UP = 1e-7
"""Radians: a chain whose joints all see tip and target in one line has no joint that knows which way to go."""
NUDGE = 0.5
"""Radians that such a chain is bent by, shared among its joints."""
AT_ROOT = 0.5
"""Default weight of the first bone; the last one's is 1."""


@njit(cache=True)
def solve_ccd(
    skeleton: Skeleton,
    bones: Array,
    target: Array,
    weights: Array,
    fewest: int,
    most: int,
    tolerance: float,
    damping: float,
    before: Array,
) -> tuple[float, int]:
    """Brings the tip of a chain to a target; the cost of a round is linear in the number of bones.

    The number of rounds rises with the distance left over, as a share of the chain's length, so that it does not depend
    on the unit of length: ``fewest`` next to the target, ``most`` from a length away.

    Args:
        skeleton: The robot; its proposal is changed.
        bones: (N,) the chain, see ``ik.chain``.
        target: (3,) in map.
        weights: (N,) share of each best turn that is made, 0 to 1; none for weights that rise towards the tip.
        fewest: Rounds for a small distance.
        most: Rounds for a large one.
        tolerance: Metres that count as there: nothing moves then.
        damping: 0 makes each turn as the weights say, nearly 1 hardly any of it.
        before: (N, 3) scratch; written: the joints as they were.

    Returns:
        Metres left over, and rounds.
    """
    start = gap(origin(skeleton, bones[-1]), target)
    if start <= tolerance:
        return start, 0
    remember(skeleton, bones, before)
    length = extent(skeleton, bones)
    near = min(start / max(length, 1e-9), 1.0)
    rounds = fewest + math.ceil(near * max(most - fewest, 0))
    error, used = start, 0
    while used < rounds and error > tolerance:
        error, wish = _round(skeleton, bones, target, weights, tolerance, 1.0 - damping)
        used += 1
        if used == 1 and wish < LINED_UP and gap(origin(skeleton, bones[0]), target) < length:
            _nudge(skeleton, bones)
    if start - error < GAIN * tolerance:
        blend_back(skeleton, bones, before, 0.0)
        error = start
    return error, used


@njit(cache=True)
def weight_of(weights: Array, i: int, count: int) -> float:
    """Weight of the i-th of ``count`` bones."""
    if weights.shape[0] > 0:
        return min(max(float(weights[i]), 0.0), 1.0)
    return AT_ROOT + (1.0 - AT_ROOT) * (i + 1) / count


@njit(cache=True)
def _round(
    skeleton: Skeleton, bones: Array, target: Numbers, weights: Array, tolerance: float, share: float
) -> tuple[float, float]:
    """One round; returns the metres left over and the largest turn that a joint wished for.

    A joint moves what hangs from it, and of that only the tip is looked at before the round is over: the tip is carried
    along, and the bones are located once.
    """
    tip = origin(skeleton, bones[-1])
    wish = 0.0
    for i in range(bones.shape[0] - 1, -1, -1):
        factor = share * weight_of(weights, i, bones.shape[0])
        for k in range(GROUP - 1, -1, -1):
            body = joint_of(skeleton, bones[i], k)
            if body > 0 and gap(tip, target) > tolerance:
                best, tip = bring_near(skeleton, body, tip, target, factor)
                wish = max(wish, abs(best))
                changed(skeleton, body)
    return gap(origin(skeleton, bones[-1]), target), wish


@njit(cache=True)
def _nudge(skeleton: Skeleton, bones: Array) -> None:
    """Bends a chain a little, so that it is no longer in line."""
    for i in range(bones.shape[0]):
        for k in range(GROUP):
            body = joint_of(skeleton, bones[i], k)
            if body > 0:
                add_to_joint(skeleton, body, NUDGE / bones.shape[0])
                changed(skeleton, body)
