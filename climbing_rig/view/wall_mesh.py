"""A mesh of a wall, made only to be looked at: lit surfaces show holds far better than points do.

Naive surface nets: one vertex in every grid cell that the surface crosses, drawn onto the surface, and one quad around
every grid edge that it crosses. Works for overhangs, roofs and corners alike; holes in the cloud stay holes. The
distance to the surface is blended from the nearest points' tangent planes, which is coarser than ``Wall.nearest`` and
twenty times faster; nothing but the picture depends on it.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from climbing_rig.wall import Wall

MOST_VERTICES = 50_000
"""About how many vertices a wall gets: what a browser without a graphics card still turns."""
_VERTICES_PER_CELL = 1.45  # crossed cells for each cell's area of a wall that is not flat
_NEIGHBOURS = 5
"""Points whose tangent planes are blended."""
_CORNERS = np.array(list(itertools.product((0, 1), repeat=3)))
_BITS = 20  # of each coordinate in a packed cell index
_RELIEF_RANGE = 0.45  # m, the size of what counts as the wall behind a hold
_RELIEF_NEIGHBOURS = 6

Points = NDArray[np.float64]


@dataclass(frozen=True)
class WallMesh:
    """Triangles with a normal and a relief at each vertex.

    Attributes:
        vertices: (V, 3) metres, in map.
        normals: (V, 3) unit, out of the wall.
        faces: (F, 3) indices, counter-clockwise seen from outside.
        relief: (V,) in [-1, 1]: how far the vertex stands out of (1) or back from (-1) the wall around it.
    """

    vertices: Points
    normals: Points
    faces: NDArray[np.int64]
    relief: Points


def mesh_wall(wall: Wall, most_vertices: int = MOST_VERTICES) -> WallMesh:
    """Triangulates a wall.

    Args:
        wall: Any wall.
        most_vertices: The grid is made so coarse that the mesh has about this many.
    """
    area = len(wall) * wall.spacing**2
    cell = max(wall.spacing, float(np.sqrt(_VERTICES_PER_CELL * area / most_vertices)))
    origin = wall.bounds[0] - 2.0 * cell
    surface = _Planes(wall)
    cells = _cells_near(np.floor((wall.points - origin) / cell).astype(np.int64))
    corners, corner_of = _corners(cells)
    distance, _ = surface.at(origin + corners * cell)
    crossed, vertices = _vertices(cells, distance[corner_of], origin, cell)
    faces = _faces(cells[crossed], distance, corners)
    height, normals = surface.at(vertices)
    vertices = vertices - height[:, None] * normals
    return WallMesh(vertices, normals, _outwards(faces, vertices, normals), _relief(vertices, normals))


class _Planes:
    """The tangent planes of a wall's points, blended."""

    def __init__(self, wall: Wall) -> None:
        self._wall = wall
        self._tree = cKDTree(wall.points)
        self._softness = 0.25 * wall.spacing**2

    def at(self, points: Points) -> tuple[Points, Points]:
        """((K,) metres to the surface, negative behind it; (K, 3) unit normals)."""
        count = min(_NEIGHBOURS, len(self._wall))
        distance, index = self._tree.query(points, k=count)
        distance, index = distance.reshape(-1, count), index.reshape(-1, count)
        weight = 1.0 / (distance**2 + self._softness)
        weight /= weight.sum(axis=1, keepdims=True)
        normals = self._wall.normals[index]
        height = np.einsum("kni,kni->kn", points[:, None, :] - self._wall.points[index], normals)
        blended = np.einsum("kn,kni->ki", weight, normals)
        length = np.linalg.norm(blended, axis=1, keepdims=True)
        return (weight * height).sum(axis=1), blended / np.maximum(length, 1e-9)


def _pack(cells: NDArray[np.int64]) -> NDArray[np.int64]:
    """One sortable number for each (..., 3) cell index, all >= 0."""
    packed: NDArray[np.int64] = (cells[..., 0] << (2 * _BITS)) | (cells[..., 1] << _BITS) | cells[..., 2]
    return packed


def _unpack(packed: NDArray[np.int64]) -> NDArray[np.int64]:
    mask = (1 << _BITS) - 1
    return np.stack([packed >> (2 * _BITS), (packed >> _BITS) & mask, packed & mask], axis=-1)


def _cells_near(occupied: NDArray[np.int64]) -> NDArray[np.int64]:
    """(C, 3) cells that hold a point or touch one that does, in the order of their packed index."""
    steps = np.array(list(itertools.product((-1, 0, 1), repeat=3)))
    distinct = _unpack(np.unique(_pack(occupied)))
    return _unpack(np.unique(_pack(distinct[:, None, :] + steps)))


def _corners(cells: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """((K, 3) grid points, (C, 8) the eight of each cell)."""
    packed, inverse = np.unique(_pack(cells[:, None, :] + _CORNERS), return_inverse=True)
    return _unpack(packed), inverse.reshape(len(cells), 8)


def _vertices(
    cells: NDArray[np.int64], corner_distance: Points, origin: Points, cell: float
) -> tuple[NDArray[np.bool_], Points]:
    """Which cells the surface crosses, and a point near it in each of those."""
    inside = corner_distance < 0.0
    crossed: NDArray[np.bool_] = np.logical_and(inside.any(axis=1), ~inside.all(axis=1))
    distance, signs = corner_distance[crossed], inside[crossed]
    total, count = np.zeros((len(distance), 3)), np.zeros(len(distance))
    for a, b in itertools.combinations(range(8), 2):
        if np.abs(_CORNERS[a] - _CORNERS[b]).sum() != 1:
            continue
        cut = signs[:, a] != signs[:, b]
        share = np.where(cut, distance[:, a] / np.where(cut, distance[:, a] - distance[:, b], 1.0), 0.0)
        total += cut[:, None] * (_CORNERS[a] + share[:, None] * (_CORNERS[b] - _CORNERS[a]))
        count += cut
    return crossed, origin + (cells[crossed] + total / np.maximum(count, 1.0)[:, None]) * cell


def _faces(cells: NDArray[np.int64], distance: Points, corners: NDArray[np.int64]) -> NDArray[np.int64]:
    """(F, 3) triangles around the grid edges that the surface crosses; ``cells`` are the crossed ones, in order."""
    packed_cells, packed_corners = _pack(cells), _pack(corners)
    quads = []
    for axis in range(3):
        step = np.eye(3, dtype=np.int64)[axis]
        end, found = _find(packed_corners, _pack(corners + step))
        edge = np.flatnonzero(found & ((distance < 0.0) != (distance[end] < 0.0)))
        around = corners[edge][:, None, :] - _around(axis)
        quad, complete = _find(packed_cells, _pack(around))
        quads.append(quad[complete.all(axis=1)])
    quad = np.concatenate(quads)
    return np.concatenate([quad[:, [0, 1, 2]], quad[:, [0, 2, 3]]])


def _around(axis: int) -> NDArray[np.int64]:
    """(4, 3) steps back from an edge's first corner to the four cells around the edge, in circular order."""
    others = [other for other in range(3) if other != axis]
    steps = np.zeros((4, 3), np.int64)
    steps[:, others] = [[0, 0], [1, 0], [1, 1], [0, 1]]
    return steps


def _find(ordered: NDArray[np.int64], wanted: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """(where each wanted number is, whether it is there at all)."""
    place = np.minimum(np.searchsorted(ordered, wanted), len(ordered) - 1)
    return place, ordered[place] == wanted


def _outwards(faces: NDArray[np.int64], vertices: Points, normals: Points) -> NDArray[np.int64]:
    """The faces, turned so that their corners run counter-clockwise seen from the side the normals point to."""
    a, b, c = (vertices[faces[:, i]] for i in range(3))
    wrong = np.einsum("ij,ij->i", np.cross(b - a, c - a), normals[faces].sum(axis=1)) < 0.0
    return np.where(wrong[:, None], faces[:, ::-1], faces)


def _relief(vertices: Points, normals: Points) -> Points:
    """(V,) height over the wall around each vertex, scaled so that all but the most extreme fit in [-1, 1]."""
    if len(vertices) == 0:
        return np.empty(0)
    patch = np.unique(np.floor(vertices / _RELIEF_RANGE).astype(np.int64), axis=0, return_inverse=True)[1].ravel()
    count = np.bincount(patch)
    centre = np.stack([np.bincount(patch, vertices[:, i]) / count for i in range(3)], axis=1)
    facing = np.stack([np.bincount(patch, normals[:, i]) / count for i in range(3)], axis=1)
    distance, nearest = cKDTree(centre).query(vertices, k=min(_RELIEF_NEIGHBOURS, len(centre)))
    distance, nearest = distance.reshape(len(vertices), -1), nearest.reshape(len(vertices), -1)
    weight = 1.0 / (distance + 0.2 * _RELIEF_RANGE)
    weight /= weight.sum(axis=1, keepdims=True)
    base = np.einsum("vk,vki->vi", weight, centre[nearest])
    out = np.einsum("vk,vki->vi", weight, facing[nearest])
    height = np.einsum("vi,vi->v", vertices - base, out)
    return np.clip(height / max(float(np.quantile(np.abs(height), 0.97)), 1e-3), -1.0, 1.0)
