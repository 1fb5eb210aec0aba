"""The wall's compiled queries: ray, nearest point, sphere sweep. Coordinates are the caller's; nothing is allocated.

Each finds a surfel by a walk of the box tree and then solves for the blended surface around it, so that answers move
smoothly with the question instead of jumping from disc to disc. Status codes: MISS, HIT, BAD_INPUT.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from climbing_rig.wall.search import blend, first_disc, nearest_surfel
from climbing_rig.wall.tree import REACH_PER_SPACING, SurfelTree, fill_boxes

MISS, HIT, BAD_INPUT = 0, 1, 2
TRACE_OUT = 8
"""Length of a trace's answer: point, normal, distance, climbable (signed: negative for a backface)."""
NEAREST_OUT = 8
"""Length of a nearest answer: point, normal, signed distance, share of climbable surfels."""
SWEEP_OUT = 10
"""Length of a sweep's answer: centre, point, normal, distance."""

RIM = 0.58
"""How far beside its surfels (see ``blend``) a crossing still counts: one point spacing beyond the outermost points."""
EDGE = 0.25 / REACH_PER_SPACING
"""How far past an outer edge a crossing of the face still counts, in reaches: a quarter of the spacing."""
FOOT_PER_REACH = 1.2 / REACH_PER_SPACING
"""How far from the nearest point its foot may be, as a share of the reach."""

_TOLERANCE = 1e-10  # metres along the ray or on the surface at which a solve counts as done
_ROOT_STEPS = 16
_FOOT_STEPS = 20
_SWEEP_STEPS = 1000
_TOUCH = 1e-7  # metres: a sphere closer than its radius plus this touches


@njit(cache=True)
def _height_on_ray(tree, ox, oy, oz, dx, dy, dz, t, rx, ry, rz):  # type: ignore[no-untyped-def]
    return blend(tree, ox + t * dx, oy + t * dy, oz + t * dz, rx, ry, rz)


@njit(cache=True)
def _bisect_on_ray(tree, ox, oy, oz, dx, dy, dz, t0, reach, nx, ny, nz):  # type: ignore[no-untyped-def]
    """The crossing within a reach of t0 by sampling and halving, for rays on which Newton's steps wander off."""
    side = 1.0 if nx * dx + ny * dy + nz * dz < 0.0 else -1.0
    low, low_ok = 0.0, False
    for k in range(17):
        t = t0 + (k / 8.0 - 1.0) * reach
        weight, height, _, _, _, _, _, _ = _height_on_ray(tree, ox, oy, oz, dx, dy, dz, t, nx, ny, nz)
        if weight == 0.0:
            low_ok = False
        elif side * height > 0.0:
            low, low_ok = t, True
        elif low_ok:
            high = t
            while high - low > _TOLERANCE:
                middle = 0.5 * (low + high)
                if middle <= low or middle >= high:
                    break
                weight, height, _, _, _, _, _, _ = _height_on_ray(tree, ox, oy, oz, dx, dy, dz, middle, nx, ny, nz)
                if weight > 0.0 and side * height > 0.0:
                    low = middle
                else:
                    high = middle
            return True, 0.5 * (low + high)
    return False, t0


@njit(cache=True)
def _solve_on_ray(tree, ox, oy, oz, dx, dy, dz, t0, surfel):  # type: ignore[no-untyped-def]
    """Where the ray crosses the blended surface near a disc it crosses at t0.

    Returns:
        Whether it does, t, normal x, y, z (oriented as the surface is), share of climbable surfels.
    """
    reach = tree.surfels[surfel, 6]
    nx, ny, nz = tree.surfels[surfel, 3], tree.surfels[surfel, 4], tree.surfels[surfel, 5]
    t, last_t, last_height, climbable = t0, t0, 0.0, 0.0
    for step_number in range(_ROOT_STEPS):
        weight, height, nx, ny, nz, climbable, beside, over = _height_on_ray(
            tree, ox, oy, oz, dx, dy, dz, t, nx, ny, nz
        )
        if weight == 0.0 or abs(t - t0) > 2.0 * reach:
            break
        slope = nx * dx + ny * dy + nz * dz
        if step_number > 0 and abs(t - last_t) > 1e-12:
            secant = (height - last_height) / (t - last_t)
            if 0.3 < secant / (slope if slope != 0.0 else 1e-18) < 3.0:
                slope = secant
        if abs(slope) < 1e-3:
            slope = 1e-3 if slope >= 0.0 else -1e-3
        step = min(max(-height / slope, -0.5 * reach), 0.5 * reach)
        if abs(step) < _TOLERANCE:
            return beside < RIM and over < EDGE, t + step, nx, ny, nz, climbable
        last_t, last_height = t, height
        t += step
    nx, ny, nz = tree.surfels[surfel, 3], tree.surfels[surfel, 4], tree.surfels[surfel, 5]
    found, t = _bisect_on_ray(tree, ox, oy, oz, dx, dy, dz, t0, reach, nx, ny, nz)
    if found:
        _, _, nx, ny, nz, climbable, beside, over = _height_on_ray(tree, ox, oy, oz, dx, dy, dz, t, nx, ny, nz)
        found = beside < RIM and over < EDGE
    return found, t, nx, ny, nz, climbable


@njit(cache=True)
def trace(tree: SurfelTree, start: np.ndarray, end: np.ndarray, out: np.ndarray) -> int:
    """First crossing of the segment start-end with the wall.

    Args:
        tree: The wall.
        start, end: (3,) each.
        out: (8,): hit point, normal facing the start, distance from the start, and +-(1 + climbable share), negative when the covered side was hit.

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
        found, t, nx, ny, nz, climbable = _solve_on_ray(tree, ox, oy, oz, dx, dy, dz, t0, surfel)
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
def _slide_to_foot(tree, x, y, z, surfel, radius):  # type: ignore[no-untyped-def]
    """Slide from a surfel over the blended surface to the foot of the perpendicular from (x, y, z).

    Args:
        tree, surfel: The wall and where to start.
        x, y, z: The point.
        radius: How far from the surfel's point the foot may be.

    Returns:
        Whether the slide came to rest inside the wall's rim, the foot x, y, z, the oriented normal x, y, z there, the
        climbable share.
    """
    px, py, pz = tree.surfels[surfel, 0], tree.surfels[surfel, 1], tree.surfels[surfel, 2]
    nx, ny, nz = tree.surfels[surfel, 3], tree.surfels[surfel, 4], tree.surfels[surfel, 5]
    reach, climbable = tree.surfels[surfel, 6], tree.surfels[surfel, 7]
    above = (x - px) * nx + (y - py) * ny + (z - pz) * nz
    # Far over a bump the tangent plane overshoots by distance / radius of curvature; start careful and let the
    # measured change of the residual (Barzilai-Borwein) set the pace.
    pace = careful = 1.0 / (1.0 + abs(above) / (4.0 * reach))
    fx, fy, fz = x - px - above * nx, y - py - above * ny, z - pz - above * nz
    fx, fy, fz = _within(0.0, 0.0, 0.0, fx, fy, fz, FOOT_PER_REACH * reach)
    fx, fy, fz = px + fx, py + fy, pz + fz
    gx = gy = gz = lx = ly = lz = 0.0
    for step_number in range(_FOOT_STEPS):
        weight, height, mx, my, mz, share, beside, _ = blend(tree, fx, fy, fz, nx, ny, nz)
        if weight == 0.0:
            break
        nx, ny, nz, climbable = mx, my, mz, share
        vx, vy, vz = x - fx + height * nx, y - fy + height * ny, z - fz + height * nz
        along = vx * nx + vy * ny + vz * nz
        tx, ty, tz = vx - along * nx, vy - along * ny, vz - along * nz
        if step_number > 0:
            ax, ay, az = fx - lx, fy - ly, fz - lz
            bend = ax * (gx - tx) + ay * (gy - ty) + az * (gz - tz)
            moved2 = ax * ax + ay * ay + az * az
            pace = min(moved2 / bend, 4.0) if bend > 0.25 * moved2 else careful
        gx, gy, gz, lx, ly, lz = tx, ty, tz, fx, fy, fz
        sx, sy, sz = _within(0.0, 0.0, 0.0, pace * tx, pace * ty, pace * tz, 0.5 * reach)
        fx, fy, fz = fx - height * nx + sx, fy - height * ny + sy, fz - height * nz + sz
        fx, fy, fz = _within(px, py, pz, fx, fy, fz, radius)
        if abs(fx - lx) + abs(fy - ly) + abs(fz - lz) < 10.0 * _TOLERANCE:
            return beside < RIM, fx, fy, fz, nx, ny, nz, climbable
    return False, fx, fy, fz, nx, ny, nz, climbable


@njit(cache=True)
def _foot(tree, x, y, z, limit):  # type: ignore[no-untyped-def]
    """The point of the blended surface nearest to (x, y, z), no farther than ``limit``.

    Returns:
        Whether there is one, the foot x, y, z, the oriented normal x, y, z there, signed distance, climbable share.
    """
    search = limit + FOOT_PER_REACH * tree.boxes[1, 6]
    surfel = nearest_surfel(tree, x, y, z, search * search)
    if surfel < 0:
        return False, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    reach = tree.surfels[surfel, 6]
    centre = _length(x - tree.surfels[surfel, 0], y - tree.surfels[surfel, 1], z - tree.surfels[surfel, 2])
    inside, fx, fy, fz, nx, ny, nz, climbable = _slide_to_foot(tree, x, y, z, surfel, np.inf)
    distance = _length(x - fx, y - fy, z - fz)
    if not inside or distance > centre + reach:
        # Beside a rim, or over a hollow, there is no perpendicular near by: stay in the disc of the nearest point.
        _, fx, fy, fz, nx, ny, nz, climbable = _slide_to_foot(tree, x, y, z, surfel, FOOT_PER_REACH * reach)
        distance = _length(x - fx, y - fy, z - fz)
    if distance > limit:
        return False, fx, fy, fz, nx, ny, nz, distance, climbable
    # Only what lies under the surface is behind it; beside the rim of an open wall there is no inside.
    if (x - fx) * nx + (y - fy) * ny + (z - fz) * nz < -0.5 * distance:
        distance = -distance
    return True, fx, fy, fz, nx, ny, nz, distance, climbable


@njit(cache=True, inline="always")
def _length(x: float, y: float, z: float) -> float:
    return np.sqrt(x * x + y * y + z * z)


@njit(cache=True, inline="always")
def _within(px, py, pz, x, y, z, radius):  # type: ignore[no-untyped-def]
    """(x, y, z) drawn towards (px, py, pz) until it is no farther than ``radius``."""
    dx, dy, dz = x - px, y - py, z - pz
    d2 = dx * dx + dy * dy + dz * dz
    if d2 <= radius * radius:
        return x, y, z
    s = radius / np.sqrt(d2)
    return px + s * dx, py + s * dy, pz + s * dz


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
    found, fx, fy, fz, nx, ny, nz, distance, climbable = _foot(tree, x, y, z, limit)
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
    found, fx, fy, fz, nx, ny, nz, signed, _ = _foot(tree, cx, cy, cz, limit)
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
        start, end: (3,) each, centres.
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
    for step_number in range(_SWEEP_STEPS):
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


@njit(cache=True, inline="always")
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
