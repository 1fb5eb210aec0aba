"""Where a ray crosses the blended surface near a disc it crosses. Coordinates relative to the tree's offset."""

from __future__ import annotations

from numba import njit

from climbing_rig.wall.search import blend
from climbing_rig.wall.tree import REACH_PER_SPACING

RIM = 0.58
"""How far beside its surfels (see ``blend``) a crossing still counts: one point spacing beyond the outermost points."""
OUTERMOST = 0.3
"""How far beside its surfels a face's outermost points are: only from there on can an edge be."""
EDGE = 0.25 / REACH_PER_SPACING
"""How far past an outer edge a crossing of the face still counts, in reaches: a quarter of the spacing."""

_TOLERANCE = 1e-10  # metres along the ray at which a solve counts as done
_STEPS = 16


@njit(cache=True)
def _is_on_wall(beside: float, over: float) -> bool:
    """Whether a crossing is not past the rim of the wall nor, being near one, past an outer edge."""
    return beside < RIM and (over < EDGE or beside < OUTERMOST)


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
def solve_on_ray(tree, ox, oy, oz, dx, dy, dz, t0, surfel):  # type: ignore[no-untyped-def]
    """Where the ray crosses the blended surface near a disc it crosses at t0.

    Returns:
        Whether it does, t, normal x, y, z (oriented as the surface is), share of climbable surfels.
    """
    reach = tree.surfels[surfel, 6]
    nx, ny, nz = tree.surfels[surfel, 3], tree.surfels[surfel, 4], tree.surfels[surfel, 5]
    t, last_t, last_height, climbable = t0, t0, 0.0, 0.0
    for step_number in range(_STEPS):
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
            return _is_on_wall(beside, over), t + step, nx, ny, nz, climbable
        last_t, last_height = t, height
        t += step
    nx, ny, nz = tree.surfels[surfel, 3], tree.surfels[surfel, 4], tree.surfels[surfel, 5]
    found, t = _bisect_on_ray(tree, ox, oy, oz, dx, dy, dz, t0, reach, nx, ny, nz)
    if found:
        _, _, nx, ny, nz, climbable, beside, over = _height_on_ray(tree, ox, oy, oz, dx, dy, dz, t, nx, ny, nz)
        found = _is_on_wall(beside, over)
    return found, t, nx, ny, nz, climbable
