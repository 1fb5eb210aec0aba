"""The point of the blended surface nearest to a given one. Coordinates relative to the tree's offset."""

from __future__ import annotations

import numpy as np
from numba import njit

from climbing_rig.wall.crossing import RIM
from climbing_rig.wall.search import blend, nearest_surfel
from climbing_rig.wall.tree import REACH_PER_SPACING

FOOT_PER_REACH = 1.2 / REACH_PER_SPACING
"""How far from the nearest point its foot may be, as a share of the reach."""

_TOLERANCE = 1e-9  # metres: a slide that moves less has come to rest
_STEPS = 20


@njit(cache=True)
def _slide_to_foot(tree, x, y, z, surfel, radius):  # type: ignore[no-untyped-def]
    """Slide from a surfel over the blended surface to the foot of the perpendicular from (x, y, z).

    Args:
        tree: The wall.
        x: The point's.
        y: The point's.
        z: The point's.
        surfel: Where to start.
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
    for step_number in range(_STEPS):
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
        if abs(fx - lx) + abs(fy - ly) + abs(fz - lz) < _TOLERANCE:
            return beside < RIM, fx, fy, fz, nx, ny, nz, climbable
    return False, fx, fy, fz, nx, ny, nz, climbable


@njit(cache=True)
def find_foot(tree, x, y, z, limit):  # type: ignore[no-untyped-def]
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


@njit(cache=True)
def _length(x: float, y: float, z: float) -> float:
    return np.sqrt(x * x + y * y + z * z)


@njit(cache=True)
def _within(px, py, pz, x, y, z, radius):  # type: ignore[no-untyped-def]
    """(x, y, z) drawn towards (px, py, pz) until it is no farther than ``radius``."""
    dx, dy, dz = x - px, y - py, z - pz
    d2 = dx * dx + dy * dy + dz * dz
    if d2 <= radius * radius:
        return x, y, z
    s = radius / np.sqrt(d2)
    return px + s * dx, py + s * dy, pz + s * dz
