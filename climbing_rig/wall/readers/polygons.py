"""Polygons to triangles; concave ones by cutting ears."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from climbing_rig.errors import CloudError


def triangulated(vertices: NDArray[np.float64], polygons: Sequence[NDArray[np.int64]], name: str) -> NDArray[np.int64]:
    """(T, 3) vertex indices of triangles that cover the polygons, turning the same way.

    Raises:
        CloudError: A polygon names a vertex that does not exist, or there is no polygon of three corners.
    """
    triangles = []
    for number, polygon in enumerate(polygons):
        if len(polygon) and (polygon.min() < 0 or polygon.max() >= len(vertices)):
            raise CloudError(f"{name}: face {number} names a vertex that does not exist", name=name, given=number)
        if len(polygon) == 3:
            triangles.append(polygon)
        elif len(polygon) > 3:
            triangles.extend(_ears(vertices, polygon))
    if not triangles:
        raise CloudError(f"{name}: the mesh has no face", name=name, given="0 faces")
    return np.asarray(triangles, dtype=np.int64)


def _ears(vertices: NDArray[np.float64], polygon: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    corners = vertices[polygon] - vertices[polygon[0]]
    normal = np.cross(corners, np.roll(corners, -1, axis=0)).sum(axis=0)
    drop = int(np.argmax(np.abs(normal)))
    flat = np.delete(corners, drop, axis=1) * (
        (-1.0 if normal[drop] < 0.0 else 1.0) * (-1.0 if drop == 1 else 1.0),
        1.0,
    )
    left = list(range(len(polygon)))
    ears = []
    while len(left) > 3:
        cut = next((i for i in range(len(left)) if _is_ear(flat, left, i)), 0)  # 0: a polygon that crosses itself
        ears.append(polygon[[left[cut - 1], left[cut], left[(cut + 1) % len(left)]]])
        del left[cut]
    ears.append(polygon[left])
    return ears


def _is_ear(flat: NDArray[np.float64], left: list[int], i: int) -> bool:
    """Whether the corner ``left[i]`` can be cut off: it turns the polygon's way and nothing lies in its triangle."""
    a, b, c = flat[left[i - 1]], flat[left[i]], flat[left[(i + 1) % len(left)]]
    if _area(a, b, c) <= 0.0:
        return _area(a, b, c) == 0.0  # cutting a corner that is none takes nothing away
    # A ring is a polygon that visits the corners of its bridge twice: their twins do not lie in the way.
    others = [flat[j] for j in left if not any(np.array_equal(flat[j], corner) for corner in (a, b, c))]
    return not any(_area(a, b, p) >= 0.0 and _area(b, c, p) >= 0.0 and _area(c, a, p) >= 0.0 for p in others)


def _area(a: NDArray[np.float64], b: NDArray[np.float64], c: NDArray[np.float64]) -> float:
    return float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))
