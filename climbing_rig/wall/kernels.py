"""The wall's compiled queries: ray, nearest point, sphere sweep. Coordinates are the caller's; nothing is allocated.

Each finds a surfel by a walk of the box tree and then solves for the blended surface around it, so that answers move
smoothly with the question instead of jumping from disc to disc. Status codes: MISS, HIT, BAD_INPUT.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from climbing_rig.wall.crossing import solve_on_ray
from climbing_rig.wall.foot import find_foot
from climbing_rig.wall.search import first_disc
from climbing_rig.wall.tree import SurfelTree, fill_boxes

MISS, HIT, BAD_INPUT = 0, 1, 2
TRACE_OUT = 8
"""Length of a trace's answer: point, normal, distance, climbable (signed: negative for a backface)."""
NEAREST_OUT = 8
"""Length of a nearest answer: point, normal, signed distance, share of climbable surfels."""
SWEEP_OUT = 10
"""Length of a sweep's answer: centre, point, normal, distance."""

_SWEEP_STEPS = 1000
_TOUCH = 1e-7  # metres: a sphere closer than its radius plus this touches


@njit(cache=True)
def trace(tree: SurfelTree, start: np.ndarray, end: np.ndarray, out: np.ndarray) -> int:
    """First crossing of the segment start-end with the wall.

    Args:
        tree: The wall.
        start: (3,).
        end: (3,).
        out: (8,): hit point, normal facing the start, distance from the start, and 1 + climbable share, negative
            when the covered side was hit.

    Returns:
        HIT, MISS, or BAD_INPUT when a coordinate is not finite or the segment has no length.
    """
    ox, oy, oz = start[0] - tree.offset[0], start[1] - tree.offset[1], start[2] - tree.offset[2]
    dx, dy, dz = end[0] - start[0], end[1] - start[1], end[2] - start[2]
    length = np.sqrt(dx * dx + dy * dy + dz * dz)
    if not (np.isfinite(length) and np.isfinite(ox + oy + oz) and length > 0.0):
        return BAD_INPUT
    dx, dy, dz = dx / length, dy / length, dz / length
    margin = tree.boxes[1, 6]
    t_low = -margin
    while True:
        # The surface may lie a little before or behind the disc, so discs just outside the segment are tried too.
        surfel, t0 = first_disc(tree, ox, oy, oz, dx, dy, dz, t_low, length + margin)
        if surfel < 0:
            return MISS
        found, t, nx, ny, nz, climbable = solve_on_ray(tree, ox, oy, oz, dx, dy, dz, t0, surfel)
        if found and 0.0 <= t <= length:
            break
        # The rim of a disc stuck out of a rounded surface, or the crossing is not on the segment: look further on.
        t_low = max(t_low, t0) + 0.1 * tree.surfels[surfel, 6]
    back = nx * dx + ny * dy + nz * dz > 0.0
    flip = -1.0 if back else 1.0
    out[0], out[1], out[2] = ox + t * dx + tree.offset[0], oy + t * dy + tree.offset[1], oz + t * dz + tree.offset[2]
    out[3], out[4], out[5] = flip * nx, flip * ny, flip * nz
    out[6] = t
    out[7] = flip * (1.0 + climbable)
    return HIT


@njit(cache=True)
def nearest(tree: SurfelTree, point: np.ndarray, limit: float, out: np.ndarray) -> int:
    """Nearest surface point within ``limit`` metres.

    Args:
        tree: The wall.
        point: (3,).
        limit: Metres; may be infinite.
        out: (8,): surface point, oriented normal, distance (negative behind the surface), climbable share.

    Returns:
        HIT, MISS, or BAD_INPUT when a coordinate is not finite or the limit is negative or NaN.
    """
    x, y, z = point[0] - tree.offset[0], point[1] - tree.offset[1], point[2] - tree.offset[2]
    if not (np.isfinite(x + y + z) and limit >= 0.0):
        return BAD_INPUT
    found, fx, fy, fz, nx, ny, nz, distance, climbable = find_foot(tree, x, y, z, limit)
    if not found:
        return MISS
    out[0], out[1], out[2] = fx + tree.offset[0], fy + tree.offset[1], fz + tree.offset[2]
    out[3], out[4], out[5] = nx, ny, nz
    out[6], out[7] = distance, climbable
    return HIT


@njit(cache=True)
def _clearance(tree, ox, oy, oz, dx, dy, dz, t, limit):  # type: ignore[no-untyped-def]
    """The wall seen from the centre o + t·d.

    Returns:
        Whether anything is within ``limit``, the foot x, y, z, the unit direction x, y, z from it to the centre, the
        unsigned distance, whether the centre is behind the surface.
    """
    cx, cy, cz = ox + t * dx, oy + t * dy, oz + t * dz
    found, fx, fy, fz, nx, ny, nz, signed, _ = find_foot(tree, cx, cy, cz, limit)
    distance = abs(signed)
    if distance > 1e-9:
        nx, ny, nz = (cx - fx) / distance, (cy - fy) / distance, (cz - fz) / distance
    return found, fx, fy, fz, nx, ny, nz, distance, signed < 0.0


@njit(cache=True)
def sweep_sphere(tree: SurfelTree, start: np.ndarray, end: np.ndarray, radius: float, out: np.ndarray) -> int:
    """First touch of a sphere moved along start-end.

    The centre is advanced by the free distance around it. Near the surface it may go up to a quarter of its radius
    along the tangent plane's prediction, which skips nothing that would dent the sphere by more than 1 % of its radius.

    Args:
        tree: The wall.
        start: (3,), the first centre.
        end: (3,), the last.
        radius: Metres, > 0.
        out: (10,): centre at the touch, surface point, unit normal from the surface to the centre, distance travelled.
            A start that already overlaps the wall answers distance 0 and the centre moved, in front of the surface,
            to where it just touches.

    Returns:
        HIT, MISS, or BAD_INPUT when a value is not finite, the radius not positive or the segment has no length.
    """
    ox, oy, oz = start[0] - tree.offset[0], start[1] - tree.offset[1], start[2] - tree.offset[2]
    dx, dy, dz = end[0] - start[0], end[1] - start[1], end[2] - start[2]
    length = np.sqrt(dx * dx + dy * dy + dz * dz)
    if not (np.isfinite(length) and np.isfinite(ox + oy + oz) and length > 0.0 and 0.0 < radius < np.inf):
        return BAD_INPUT
    dx, dy, dz = dx / length, dy / length, dz / length
    limit = length + radius + _TOUCH
    found, fx, fy, fz, nx, ny, nz, distance, behind = _clearance(tree, ox, oy, oz, dx, dy, dz, 0.0, limit)
    if not found:
        return MISS
    if distance < radius - _TOUCH:
        flip = -1.0 if behind else 1.0
        nx, ny, nz = flip * nx, flip * ny, flip * nz
        cx, cy, cz = fx + radius * nx, fy + radius * ny, fz + radius * nz
        _write_sweep(out, tree.offset, cx, cy, cz, fx, fy, fz, nx, ny, nz, 0.0)
        return HIT
    free, gap, stride = 0.0, distance - radius, 0.0
    for _ in range(_SWEEP_STEPS):
        if stride == 0.0:  # the centre at ``free`` is new: is it a touch, and how far may it go?
            approach = -(dx * nx + dy * ny + dz * nz)
            if gap <= _TOUCH and approach > 1e-9:
                break
            if free >= length:
                return MISS
            predicted = gap / approach if approach > 1e-9 else np.inf
            stride = max(gap, min(predicted, 0.25 * radius))
        t = min(free + stride, length)
        found, gx, gy, gz, mx, my, mz, distance, _ = _clearance(tree, ox, oy, oz, dx, dy, dz, t, limit - free)
        if not found:
            return MISS
        if distance >= radius - _TOUCH:
            fx, fy, fz, nx, ny, nz = gx, gy, gz, mx, my, mz
            free, gap, stride = t, distance - radius, 0.0
        elif t - free < _TOUCH:
            fx, fy, fz, nx, ny, nz = gx, gy, gz, mx, my, mz
            break
        else:  # the prediction went too far: interpolate between the free and the overlapping centre
            stride = (t - free) * min(max(gap / (gap + radius - distance), 0.05), 0.95)
    cx, cy, cz = ox + free * dx, oy + free * dy, oz + free * dz
    _write_sweep(out, tree.offset, cx, cy, cz, fx, fy, fz, nx, ny, nz, free)
    return HIT


@njit(cache=True)
def _write_sweep(out, offset, cx, cy, cz, fx, fy, fz, nx, ny, nz, distance):  # type: ignore[no-untyped-def]
    out[0], out[1], out[2] = cx + offset[0], cy + offset[1], cz + offset[2]
    out[3], out[4], out[5] = fx + offset[0], fy + offset[1], fz + offset[2]
    out[6], out[7], out[8] = nx, ny, nz
    out[9] = distance


@njit(cache=True)
def trace_many(tree: SurfelTree, starts: np.ndarray, ends: np.ndarray, out: np.ndarray, status: np.ndarray) -> None:
    """``trace`` for each row of starts and ends (M, 3); out is (M, 8), status (M,)."""
    for k in range(starts.shape[0]):
        status[k] = trace(tree, starts[k], ends[k], out[k])


@njit(cache=True)
def nearest_many(tree: SurfelTree, points: np.ndarray, limit: float, out: np.ndarray, status: np.ndarray) -> None:
    """``nearest`` for each row of points (M, 3); out is (M, 8), status (M,)."""
    for k in range(points.shape[0]):
        status[k] = nearest(tree, points[k], limit, out[k])


def warm_up() -> None:
    """Compile (or load from the cache) every query, on a wall of one surfel."""
    surfels = np.array([[0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0]])
    boxes = np.empty((2, 7))
    fill_boxes(surfels, boxes)
    tree = SurfelTree(surfels, boxes, np.zeros(3))
    above, below = np.array([[0.0, 0.0, 1.0]]), np.array([[0.0, 0.0, -1.0]])
    out, status = np.zeros((1, SWEEP_OUT)), np.zeros(1, dtype=np.int64)
    trace(tree, above[0], below[0], out[0])
    nearest(tree, above[0], 2.0, out[0])
    sweep_sphere(tree, above[0], below[0], 0.5, out[0])
    trace_many(tree, above, below, out, status)
    nearest_many(tree, above, 2.0, out, status)
