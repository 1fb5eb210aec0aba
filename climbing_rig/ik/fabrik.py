"""FABRIK: the chain's points are moved forward and backward along its lengths, then bones are aimed at them.

The points know nothing of joints; what these cannot do is measured, and the points start again from there.
"""

from __future__ import annotations

import math
from typing import Any

from numba import njit
from numpy.typing import NDArray

from climbing_rig.ik.aiming import aim
from climbing_rig.ik.ccd import GAIN
from climbing_rig.ik.chain import blend_back, extent, origin, remember
from climbing_rig.ik.triples import Triple, any_square, crossed, direction, gap, minus, plus, size
from climbing_rig.rig.skeleton import Skeleton

Array = NDArray[Any]

BULGE = 0.3
"""How far the points of a chain in line with its target are moved aside, as a share of its length."""


@njit(cache=True)
def solve_fabrik(
    skeleton: Skeleton,
    bones: Array,
    target: Array,
    passes: int,
    rounds: int,
    tolerance: float,
    before: Array,
    points: Array,
) -> tuple[float, int]:
    """Brings the tip of a chain to a target; a pass and a round are linear in the number of bones.

    Args:
        skeleton: The robot; its proposal is changed.
        bones: (N,) the chain, see ``ik.chain``.
        target: (3,) in map.
        passes: Most passes, forward and backward, of each round.
        rounds: How often bones are aimed at the points and the points taken from the bones again, at most.
        tolerance: Metres that count as there: nothing moves then.
        before: (N, 3) scratch; written: the joints as they were.
        points: (N, 3) written: where the bones were meant to be.

    Returns:
        Metres left over after the bones are turned, and passes made.
    """
    count, used = bones.shape[0], 0
    start = gap(origin(skeleton, bones[count - 1]), target)
    _take(skeleton, bones, points)
    if start <= tolerance:
        return start, 0
    remember(skeleton, bones, before)
    length, error, best = extent(skeleton, bones), start, start
    for _ in range(rounds):
        used += _solve(skeleton, bones, target, length, passes, tolerance, points)
        for i in range(count - 1):
            aim(skeleton, bones[i], bones[i + 1], (points[i + 1, 0], points[i + 1, 1], points[i + 1, 2]))
        error = gap(origin(skeleton, bones[count - 1]), target)
        if error <= tolerance or error > best - GAIN * tolerance:
            break
        best = error
        _take(skeleton, bones, points)
    if start - error < GAIN * tolerance:
        blend_back(skeleton, bones, before, 0.0)
        error = start
    return error, used


@njit(cache=True)
def _take(skeleton: Skeleton, bones: Array, points: Array) -> None:
    for i in range(bones.shape[0]):
        points[i, 0], points[i, 1], points[i, 2] = origin(skeleton, bones[i])


@njit(cache=True)
def _solve(
    skeleton: Skeleton, bones: Array, target: Array, length: float, passes: int, tolerance: float, points: Array
) -> int:
    """Moves the points to a chain that ends at the target, or is straight towards it; returns the passes made."""
    count = bones.shape[0]
    root = (points[0, 0], points[0, 1], points[0, 2])
    way = minus(target, root)
    if size(way) >= length:
        along = direction(way)
        for i in range(1, count):
            step = _length(skeleton, bones, i)
            points[i, 0], points[i, 1], points[i, 2] = plus(points[i - 1], along, step)
        return 1
    _leave_the_line(points, way, length)
    for used in range(passes):
        points[count - 1, 0], points[count - 1, 1], points[count - 1, 2] = target[0], target[1], target[2]
        for i in range(count - 2, -1, -1):
            _pull(points, i, i + 1, _length(skeleton, bones, i + 1))
        points[0, 0], points[0, 1], points[0, 2] = root
        for i in range(1, count):
            _pull(points, i, i - 1, _length(skeleton, bones, i))
        # A tenth, so that what joints add still is within the tolerance.
        if gap(points[count - 1], target) <= 0.1 * tolerance:
            return used + 1
    return passes


@njit(cache=True)
def _length(skeleton: Skeleton, bones: Array, i: int) -> float:
    """Metres from a bone to the one before it, which no solution changes."""
    return gap(origin(skeleton, bones[i]), origin(skeleton, bones[i - 1]))


@njit(cache=True)
def _pull(points: Array, moved: int, fixed: int, length: float) -> None:
    """Moves a point to its length from the next one."""
    way = minus(points[moved], points[fixed])
    along: Triple = direction(way) if size(way) > 1e-12 else (1.0, 0.0, 0.0)
    points[moved, 0], points[moved, 1], points[moved, 2] = plus(points[fixed], along, length)


@njit(cache=True)
def _leave_the_line(points: Array, way: Triple, length: float) -> None:
    """Bends points that all lie in line with the target, from which no pass would get them away."""
    count, along = points.shape[0], direction(way)
    if size(way) < 1e-9:
        along = direction(minus(points[count - 1], points[0]))
    for i in range(1, count):
        if size(crossed(minus(points[i], points[0]), along)) > 1e-9 * length:
            return
    side = any_square(along)
    for i in range(1, count - 1):
        aside = BULGE * length * math.sin(math.pi * i / (count - 1))
        points[i, 0], points[i, 1], points[i, 2] = plus(points[i], side, aside)
