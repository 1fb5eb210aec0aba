"""Meshes become clouds: points evenly over the triangles, with the triangles' normals."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from climbing_rig.errors import CloudError
from climbing_rig.wall.cloud import Cloud, checked_cloud

SAMPLES = 200_000
"""About how many points a mesh becomes; more when it has more triangles."""


def sample_mesh(vertices: NDArray[np.float64], triangles: NDArray[np.int64], name: str) -> Cloud:
    """Points evenly over a mesh, in rows across each triangle.

    Args:
        vertices: (V, 3).
        triangles: (T, 3) indices; counter-clockwise seen from outside.
        name: Of the file, for errors.

    Raises:
        CloudError: No triangle has an area, or a vertex is not finite.
    """
    corners = vertices[triangles]
    if not np.isfinite(corners).all():
        raise CloudError(f"{name}: a mesh vertex is not finite", name=name)
    crosses = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    doubled = np.linalg.norm(crosses, axis=1)
    real = doubled > 1e-12 * max(float(doubled.max(initial=0.0)), 1e-12)
    if not real.any():
        raise CloudError(f"{name}: no triangle has an area", name=name, given=f"{len(triangles)} triangles")
    corners, normals = corners[real], crosses[real] / doubled[real, None]
    # The corner across from the shortest side first: rows then run along the length of a sliver.
    sides = np.linalg.norm(np.roll(corners, 1, axis=1) - np.roll(corners, -1, axis=1), axis=2)
    first = sides.argmin(axis=1)
    turned = np.take_along_axis(corners, ((first[:, None] + np.arange(3)) % 3)[:, :, None], axis=1)
    spacing = float(np.sqrt(0.5 * doubled[real].sum() / SAMPLES))
    rows = np.maximum(np.ceil(doubled[real] / np.maximum(sides.min(axis=1), 1e-300) / spacing), 1.0)
    points = np.empty((sample_rows(turned, rows, spacing, np.empty((0, 3)), np.empty(0, np.int64)), 3))
    owners = np.empty(len(points), dtype=np.int64)
    sample_rows(turned, rows, spacing, points, owners)
    return checked_cloud(points, normals[owners], name=name)


@njit(cache=True, nogil=True)
def sample_rows(
    corners: NDArray[np.float64],
    rows: NDArray[np.float64],
    spacing: float,
    points: NDArray[np.float64],
    owners: NDArray[np.int64],
) -> int:
    """Points in rows across each triangle, parallel to the side opposite its first corner.

    Args:
        corners: (T, 3, 3).
        rows: (T,) how many rows.
        spacing: Between points of a row, metres.
        points: (N, 3), written, or (0, 3) to only count.
        owners: (N,), written: the triangle of each point.

    Returns:
        N.
    """
    total = 0
    for t in range(corners.shape[0]):
        side = np.sqrt(((corners[t, 2] - corners[t, 1]) ** 2).sum())
        for r in range(int(rows[t])):
            # Half way through the row's area, so that the tip's row is not drawn to the tip.
            down = np.sqrt((r * r + (r + 1.0) * (r + 1.0)) / 2.0) / rows[t]
            count = max(int(np.ceil(down * side / spacing)), 1)
            if points.shape[0]:
                for k in range(count):
                    over = down * (k + 0.5) / count
                    for axis in range(3):
                        tip, b, c = corners[t, 0, axis], corners[t, 1, axis], corners[t, 2, axis]
                        points[total + k, axis] = tip + (down - over) * (b - tip) + over * (c - tip)
                    owners[total + k] = t
            total += count
    return total


def warm_up() -> None:
    """Compile (or load from the cache) the sampling."""
    sample_rows(np.zeros((1, 3, 3)), np.ones(1), 1.0, np.empty((1, 3)), np.empty(1, dtype=np.int64))
