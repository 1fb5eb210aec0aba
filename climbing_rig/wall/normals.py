"""Local point spacing and normals of a raw cloud: plane fits to neighbourhoods, oriented to the sensor or outside.

The kernels release the GIL: a wall is built in a thread beside the control loop.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import breadth_first_order, connected_components, minimum_spanning_tree
from scipy.spatial import cKDTree

NEIGHBOURS = 12
"""Neighbours in a plane fit, the point itself not counted."""
SPACING_NEIGHBOUR = 6
"""The neighbour whose distance measures the spacing: on a square grid it is a diagonal one, at spacing * sqrt(2)."""
SPACING_RANGE = 4.0
"""Spacings are kept within this factor of the median: an outlier must not become a big disc."""
_SURE = 0.25  # cosine to the line of sight from which the sensor alone decides the side
_EDGES = 8  # neighbours through which orientation spreads


def neighbourhoods(points: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Distances and indices, both (N, K), of each point's K nearest others, nearest first; K = min(12, N - 1)."""
    count = min(NEIGHBOURS + 1, len(points))
    distances, indices = cKDTree(points).query(points, k=count)
    return distances.reshape(len(points), count)[:, 1:], indices.reshape(len(points), count)[:, 1:]


def local_spacing(distances: NDArray[np.float64], indices: NDArray[np.int64]) -> NDArray[np.float64]:
    """(N,) measured point spacing, metres, from (N, K) neighbours; 1 cm for a lone point.

    Each point takes the median of its neighbours' measures: at the rim of a wall half the neighbours are missing and
    a point's own measure is too large.
    """
    if distances.shape[1] == 0:
        return np.full(len(distances), 0.01)
    column = min(SPACING_NEIGHBOUR, distances.shape[1]) - 1
    own = distances[:, column] / np.sqrt(2.0)
    spacing = np.median(own[indices], axis=1)
    middle = float(np.median(spacing))
    return np.clip(spacing, middle / SPACING_RANGE, middle * SPACING_RANGE)


def estimate_normals(
    points: NDArray[np.float64], indices: NDArray[np.int64], viewpoint: NDArray[np.float64] | None
) -> NDArray[np.float64]:
    """(N, 3) unit normals of a cloud without any, all on the same side of each connected surface.

    With a viewpoint, every surface seen clearly from it faces it, and what is seen edge-on follows its neighbours.
    Without one, each connected surface faces outwards; where it has no inside (an open wall) it faces the side to
    which its features stick out, as holds do; where it has none (a plane) it faces -x, or up if it is level.

    Args:
        points: (N, 3) metres.
        indices: (N, K) neighbours.
        viewpoint: (3,) or None.
    """
    normals = np.empty_like(points)
    plane_fits(points, np.ascontiguousarray(indices, dtype=np.int64), normals)
    if indices.shape[1] == 0:
        normals[:] = (-1.0, 0.0, 0.0)
        return normals
    sight = None
    if viewpoint is not None:
        towards = viewpoint - points
        lengths = np.linalg.norm(towards, axis=1)
        sight = np.einsum("ij,ij->i", normals, towards) / np.where(lengths > 0.0, lengths, 1.0)
        normals[sight < 0.0] *= -1.0
    _make_consistent(points, normals, indices, None if sight is None else np.abs(sight))
    return normals


@njit(cache=True, nogil=True)
def plane_fits(points: NDArray[np.float64], indices: NDArray[np.int64], normals: NDArray[np.float64]) -> None:
    """Write the unit normal of the plane through each point's neighbourhood, either side."""
    covariance = np.empty((3, 3))
    for i in range(points.shape[0]):
        mean_x, mean_y, mean_z = points[i, 0], points[i, 1], points[i, 2]
        count = indices.shape[1] + 1.0
        for k in range(indices.shape[1]):
            j = indices[i, k]
            mean_x += points[j, 0]
            mean_y += points[j, 1]
            mean_z += points[j, 2]
        mean_x, mean_y, mean_z = mean_x / count, mean_y / count, mean_z / count
        covariance[:] = 0.0
        for k in range(-1, indices.shape[1]):
            j = i if k < 0 else indices[i, k]
            d0, d1, d2 = points[j, 0] - mean_x, points[j, 1] - mean_y, points[j, 2] - mean_z
            covariance[0, 0] += d0 * d0
            covariance[0, 1] += d0 * d1
            covariance[0, 2] += d0 * d2
            covariance[1, 1] += d1 * d1
            covariance[1, 2] += d1 * d2
            covariance[2, 2] += d2 * d2
        normals[i, 0], normals[i, 1], normals[i, 2] = least_axis(covariance)


@njit(cache=True)
def least_axis(c):  # type: ignore[no-untyped-def]
    """Unit eigenvector of the least eigenvalue of a symmetric 3x3 (upper triangle given), in closed form."""
    scale = max(c[0, 0], c[1, 1], c[2, 2])
    if scale <= 0.0:
        return -1.0, 0.0, 0.0
    a00, a01, a02 = c[0, 0] / scale, c[0, 1] / scale, c[0, 2] / scale
    a11, a12, a22 = c[1, 1] / scale, c[1, 2] / scale, c[2, 2] / scale
    mean = (a00 + a11 + a22) / 3.0
    b00, b11, b22 = a00 - mean, a11 - mean, a22 - mean
    spread = np.sqrt((b00 * b00 + b11 * b11 + b22 * b22 + 2.0 * (a01 * a01 + a02 * a02 + a12 * a12)) / 6.0)
    least = mean
    if spread > 1e-14:
        half_det = (b00 * (b11 * b22 - a12 * a12) - a01 * (a01 * b22 - a12 * a02) + a02 * (a01 * a12 - b11 * a02)) / (
            2.0 * spread**3
        )
        least = mean + 2.0 * spread * np.cos(np.arccos(min(max(half_det, -1.0), 1.0)) / 3.0 + 2.0 * np.pi / 3.0)
    r0, r1, r2 = a00 - least, a11 - least, a22 - least
    # The null vector of A - least·I is the longest cross product of two of its rows.
    x0, y0, z0 = a01 * a12 - a02 * r1, a02 * a01 - r0 * a12, r0 * r1 - a01 * a01
    x1, y1, z1 = a01 * r2 - a02 * a12, a02 * a02 - r0 * r2, r0 * a12 - a01 * a02
    x2, y2, z2 = r1 * r2 - a12 * a12, a12 * a02 - a01 * r2, a01 * a12 - r1 * a02
    n0, n1, n2 = x0 * x0 + y0 * y0 + z0 * z0, x1 * x1 + y1 * y1 + z1 * z1, x2 * x2 + y2 * y2 + z2 * z2
    if n1 > n0:
        x0, y0, z0, n0 = x1, y1, z1, n1
    if n2 > n0:
        x0, y0, z0, n0 = x2, y2, z2, n2
    if n0 < 1e-24:  # a line or a ball of points: any axis across the longest diagonal term will do
        if a00 >= a11 and a00 >= a22:
            return _across(a00, a01, a02)
        if a11 >= a22:
            return _across(a01, a11, a12)
        return _across(a02, a12, a22)
    length = np.sqrt(n0)
    return x0 / length, y0 / length, z0 / length


@njit(cache=True)
def _across(x: float, y: float, z: float) -> tuple[float, float, float]:
    """A unit vector perpendicular to (x, y, z), as near to -x as it can be."""
    along = x / (x * x + y * y + z * z)
    ax, ay, az = -1.0 + along * x, along * y, along * z
    length = np.sqrt(ax * ax + ay * ay + az * az)
    if length < 1e-6:
        return 0.0, 0.0, 1.0
    return ax / length, ay / length, az / length


def _make_consistent(
    points: NDArray[np.float64],
    normals: NDArray[np.float64],
    indices: NDArray[np.int64],
    certainty: NDArray[np.float64] | None,
) -> None:
    """Flip normals in place so that neighbours agree; see ``estimate_normals`` for who decides the side."""
    count, width = len(points), min(_EDGES, indices.shape[1])
    rows = np.repeat(np.arange(count), width)
    columns = indices[:, :width].ravel()
    # Spreading along the edges on which the normals differ least crosses creases last.
    bend = 1.0 - np.abs(np.einsum("ij,ij->i", normals[rows], normals[columns])) + 1e-6
    if certainty is not None:
        sure = certainty >= _SURE
        # Clearly seen points keep the sensor's side: they hang together through an extra node, free of charge.
        hub = np.flatnonzero(sure)
        rows, columns = np.append(rows, np.full(len(hub), count)), np.append(columns, hub)
        bend = np.append(bend, np.full(len(hub), 1e-12))
    size = count + (certainty is not None)
    graph = coo_matrix((bend, (rows, columns)), shape=(size, size)).tocsr()
    forest = minimum_spanning_tree(graph)
    pieces, labels = connected_components(forest, directed=False)
    roots = np.full(pieces, -1)
    roots[labels[::-1]] = np.arange(size)[::-1]
    if certainty is not None:
        roots[labels[count]] = count
    for piece in range(pieces):
        order, parents = breadth_first_order(forest, roots[piece], directed=False)
        spread_sides(normals, order[order < count].astype(np.int64), parents.astype(np.int64))
    if certainty is None:
        _face_outwards(points, normals, labels[:count], pieces)


@njit(cache=True, nogil=True)
def spread_sides(normals: NDArray[np.float64], order: NDArray[np.int64], parents: NDArray[np.int64]) -> None:
    """Flip each normal that disagrees with its parent's, parents first; a parent that is no point decides nothing."""
    for i in order:
        parent = parents[i]
        if 0 <= parent < normals.shape[0]:
            agreement = 0.0
            for axis in range(3):
                agreement += normals[i, axis] * normals[parent, axis]
            if agreement < 0.0:
                for axis in range(3):
                    normals[i, axis] = -normals[i, axis]


def _face_outwards(
    points: NDArray[np.float64], normals: NDArray[np.float64], labels: NDArray[np.int32], pieces: int
) -> None:
    """Turn each connected piece, in place, to its outside."""
    order = np.argsort(labels, kind="stable")
    bounds = np.searchsorted(labels[order], np.arange(pieces + 1))
    for piece in range(pieces):
        members = order[bounds[piece] : bounds[piece + 1]]
        if _outward_sign(points[members], normals[members]) < 0.0:
            normals[members] *= -1.0


def _outward_sign(points: NDArray[np.float64], normals: NDArray[np.float64]) -> float:
    """Positive when the normals already face outwards, negative when they must be turned."""
    arms = points - points.mean(axis=0)
    size = float(np.sqrt(np.einsum("ij,ij->", arms, arms) / len(arms)))
    bulge = float(np.einsum("ij,ij->i", arms, normals).mean())
    if abs(bulge) > 0.1 * size:
        return bulge
    mean_normal = normals.mean(axis=0)
    heights = arms @ mean_normal
    spread = float(heights.std())
    if spread > 1e-3 * size:
        skew = float((heights**3).mean()) / spread**3
        if abs(skew) > 0.3:
            return skew
    level = abs(mean_normal[2]) > 0.8 * float(np.linalg.norm(mean_normal))
    return float(mean_normal[2]) if level else -float(mean_normal[0])


def warm_up() -> None:
    """Compile (or load from the cache) the kernels of this module."""
    points = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    normals = np.empty_like(points)
    plane_fits(points, np.array([[1, 2], [0, 2], [0, 1]]), normals)
    spread_sides(normals, np.array([0, 1, 2]), np.array([-1, 0, 0]))
