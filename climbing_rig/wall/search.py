"""Compiled walks through a wall's surfel tree: first disc on a ray, nearest surfel, blended surface at a point.

All coordinates here are relative to the tree's offset; the public queries in ``kernels`` convert.
A walk keeps its whole state in two integers: the node, and one bit per level that says "the far child is still to do".
"""

from __future__ import annotations

import numpy as np
from numba import njit

from climbing_rig.wall.tree import DISC_PER_REACH, SurfelTree, leaf_range


@njit(cache=True)
def _next_node(node: int, pending: int) -> tuple[int, int]:
    """The node to visit after ``node`` and everything below it: the closest far child left to do; 0 when none is."""
    while node > 1:
        if pending & 1:
            return node ^ 1, pending & ~1
        node >>= 1
        pending >>= 1
    return 0, 0


@njit(cache=True)
def _box_distance2(boxes, node, x, y, z):  # type: ignore[no-untyped-def]
    """Squared distance from a point to a node's box."""
    dx = max(boxes[node, 0] - x, 0.0, x - boxes[node, 3])
    dy = max(boxes[node, 1] - y, 0.0, y - boxes[node, 4])
    dz = max(boxes[node, 2] - z, 0.0, z - boxes[node, 5])
    return dx * dx + dy * dy + dz * dz


@njit(cache=True)
def nearest_surfel(tree: SurfelTree, x: float, y: float, z: float, limit2: float) -> int:
    """Index of the surfel whose point is nearest to (x, y, z) and closer than sqrt(limit2), or -1."""
    boxes, surfels = tree.boxes, tree.surfels
    first_leaf = boxes.shape[0] // 2
    best, best2 = -1, limit2
    node, pending = 1, 0
    while node > 0:
        if _box_distance2(boxes, node, x, y, z) >= best2:
            node, pending = _next_node(node, pending)
        elif node >= first_leaf:
            for i in range(*leaf_range(node - first_leaf, first_leaf, surfels.shape[0])):
                dx, dy, dz = surfels[i, 0] - x, surfels[i, 1] - y, surfels[i, 2] - z
                d2 = dx * dx + dy * dy + dz * dz
                if d2 < best2:
                    best, best2 = i, d2
            node, pending = _next_node(node, pending)
        else:
            left = 2 * node
            swap = _box_distance2(boxes, left + 1, x, y, z) < _box_distance2(boxes, left, x, y, z)
            node, pending = left + (1 if swap else 0), (pending << 1) | 1
    return best


@njit(cache=True)
def _box_entry(boxes, node, ox, oy, oz, ix, iy, iz, t_low, t_high):  # type: ignore[no-untyped-def]
    """Ray parameter at which a ray enters a node's box widened by its reach; infinite when it misses."""
    reach = boxes[node, 6]
    a = (boxes[node, 0] - reach - ox) * ix
    b = (boxes[node, 3] + reach - ox) * ix
    enter, leave = max(t_low, min(a, b)), min(t_high, max(a, b))
    a = (boxes[node, 1] - reach - oy) * iy
    b = (boxes[node, 4] + reach - oy) * iy
    enter, leave = max(enter, min(a, b)), min(leave, max(a, b))
    a = (boxes[node, 2] - reach - oz) * iz
    b = (boxes[node, 5] + reach - oz) * iz
    enter, leave = max(enter, min(a, b)), min(leave, max(a, b))
    if enter <= leave:
        return enter
    return np.inf


@njit(cache=True)
def _inverse(value: float) -> float:
    """1/value with zero turned into a huge finite number, so that no 0 * inf makes a NaN."""
    if abs(value) < 1e-18:
        return 1e18
    return 1.0 / value


@njit(cache=True)
def first_disc(
    tree: SurfelTree, ox: float, oy: float, oz: float, dx: float, dy: float, dz: float, t_low: float, t_high: float
) -> tuple[int, float]:
    """The first disc that the ray o + t·d crosses with t_low < t <= t_high: its index and t, or (-1, inf)."""
    boxes, surfels = tree.boxes, tree.surfels
    first_leaf = boxes.shape[0] // 2
    ix, iy, iz = _inverse(dx), _inverse(dy), _inverse(dz)
    best, best_t = -1, np.inf
    node, pending = 1, 0
    while node > 0:
        limit = min(best_t, t_high)
        if _box_entry(boxes, node, ox, oy, oz, ix, iy, iz, t_low, limit) > limit:
            node, pending = _next_node(node, pending)
        elif node >= first_leaf:
            for i in range(*leaf_range(node - first_leaf, first_leaf, surfels.shape[0])):
                nx, ny, nz = surfels[i, 3], surfels[i, 4], surfels[i, 5]
                slope = nx * dx + ny * dy + nz * dz
                if abs(slope) < 1e-9:
                    continue
                px, py, pz = surfels[i, 0] - ox, surfels[i, 1] - oy, surfels[i, 2] - oz
                t = (nx * px + ny * py + nz * pz) / slope
                if t_low < t <= t_high and t < best_t:
                    ex, ey, ez = t * dx - px, t * dy - py, t * dz - pz
                    radius = DISC_PER_REACH * surfels[i, 6]
                    if ex * ex + ey * ey + ez * ez <= radius * radius:
                        best, best_t = i, t
            node, pending = _next_node(node, pending)
        else:
            left = 2 * node
            swap = _box_entry(boxes, left + 1, ox, oy, oz, ix, iy, iz, t_low, limit) < _box_entry(
                boxes, left, ox, oy, oz, ix, iy, iz, t_low, limit
            )
            node, pending = left + (1 if swap else 0), (pending << 1) | 1
    return best, best_t


@njit(cache=True)
def blend(
    tree: SurfelTree, x: float, y: float, z: float, rx: float, ry: float, rz: float
) -> tuple[float, float, float, float, float, float, float, float]:
    """The blended surface around a point: a moving average of the surfels whose reach holds the point.

    Each surfel counts by a bump that fades to zero at its reach, times the cosine between its normal and the
    reference, so that the far side of a thin wall does not mix in. The height is the mean of two estimates whose
    errors on a curved surface cancel: distance to the plane through the mean point (too low on a bump) and mean
    distance to the surfels' own planes (too high).

    (x, y, z) is the point and (rx, ry, rz) the reference, unit.

    Returns:
        Total weight (0 when nothing reaches the point; the rest is then meaningless), signed height of the point over
        the surface, unit normal x, y, z, share of climbable surfels; how far off the middle of its surfels the point
        is, in reaches: about 0 inside a wall, 0.3 at the outermost points, more beside them; and how far it stands out
        over a face that begins behind it, round an outer edge, in reaches (negative: it does not).
    """
    boxes, surfels = tree.boxes, tree.surfels
    first_leaf = boxes.shape[0] // 2
    weight = mx = my = mz = sx = sy = sz = ex = ey = ez = planes = climbable = 0.0
    round_edge = overshoot = 0.0
    node, pending = 1, 0
    while node > 0:
        reach = boxes[node, 6]
        if _box_distance2(boxes, node, x, y, z) >= reach * reach:
            node, pending = _next_node(node, pending)
        elif node >= first_leaf:
            for i in range(*leaf_range(node - first_leaf, first_leaf, surfels.shape[0])):
                dx, dy, dz = x - surfels[i, 0], y - surfels[i, 1], z - surfels[i, 2]
                per_reach = 1.0 / surfels[i, 6]
                fade = 1.0 - (dx * dx + dy * dy + dz * dz) * per_reach * per_reach
                if fade <= 0.0:
                    continue
                nx, ny, nz = surfels[i, 3], surfels[i, 4], surfels[i, 5]
                facing = nx * rx + ny * ry + nz * rz
                if abs(facing) < 0.5 and dx * rx + dy * ry + dz * rz > 0.0:
                    round_edge += fade * fade
                    overshoot += fade * fade * (nx * dx + ny * dy + nz * dz) * per_reach
                if facing <= 0.0:
                    continue
                w = fade * fade * facing
                weight += w
                mx += w * dx
                my += w * dy
                mz += w * dz
                ex += w * dx * per_reach
                ey += w * dy * per_reach
                ez += w * dz * per_reach
                sx += w * nx
                sy += w * ny
                sz += w * nz
                planes += w * (nx * dx + ny * dy + nz * dz)
                climbable += w * surfels[i, 7]
            node, pending = _next_node(node, pending)
        else:
            node, pending = 2 * node, (pending << 1) | 1
    if weight <= 1e-12:
        return 0.0, 0.0, rx, ry, rz, 0.0, 1.0, -1.0
    # Every term has a positive cosine with the reference, so the sum cannot vanish.
    length = np.sqrt(sx * sx + sy * sy + sz * sz)
    sx, sy, sz = sx / length, sy / length, sz / length
    height = 0.5 * (sx * mx + sy * my + sz * mz + planes) / weight
    out = sx * ex + sy * ey + sz * ez
    beside = np.sqrt(max(ex * ex + ey * ey + ez * ez - out * out, 0.0)) / weight
    overshoot = overshoot / round_edge if round_edge > 0.0 else -1.0
    return weight, height, sx, sy, sz, climbable / weight, beside, overshoot
