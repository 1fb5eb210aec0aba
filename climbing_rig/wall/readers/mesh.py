"""Meshes: STL through trimesh, OBJ by ourselves (concave faces stay concave); sampled evenly, with their normals."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import trimesh
from numpy.typing import NDArray

from climbing_rig.errors import CloudError
from climbing_rig.wall.cloud import Cloud, checked_cloud
from climbing_rig.wall.readers.polygons import triangulated

SAMPLES = 200_000
"""About how many points a mesh becomes; more when it has more triangles."""
_MOST_SPLITS = 500


def read_mesh(path: Path) -> Cloud:
    """Read and sample a .stl or .obj file.

    Raises:
        CloudError: It cannot be parsed, or holds no triangle with an area.
    """
    if path.suffix.lower() == ".obj":
        vertices, triangles = _obj(path)
    else:
        vertices, triangles = _stl(path)
    return sample_mesh(vertices, triangles, path.name)


def sample_mesh(vertices: NDArray[np.float64], triangles: NDArray[np.int64], name: str) -> Cloud:
    """Points evenly over a mesh, one in the middle of each of many equal parts of a triangle.

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
    spacing = np.sqrt(0.5 * doubled[real].sum() / SAMPLES)
    longest = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2).max(axis=1)
    # A part's middle stands for half a square of the spacing: n splits make n * n parts.
    splits = np.clip(np.ceil(longest / (np.sqrt(2.0) * spacing)), 1, _MOST_SPLITS).astype(np.int64)
    points, directions = [], []
    for count in np.unique(splits):
        chosen = splits == count
        weights = _part_middles(int(count))
        points.append(np.einsum("pk,tkj->tpj", weights, corners[chosen]).reshape(-1, 3))
        directions.append(np.repeat(normals[chosen], len(weights), axis=0))
    return checked_cloud(np.concatenate(points), np.concatenate(directions), name=name)


def _part_middles(splits: int) -> NDArray[np.float64]:
    """(n², 3) barycentric coordinates of the middles of the n² equal parts of a triangle."""
    i, j = np.meshgrid(np.arange(splits), np.arange(splits), indexing="ij")
    upright = i + j < splits
    turned = i + j < splits - 1
    u = np.concatenate([i[upright] + 1.0 / 3.0, i[turned] + 2.0 / 3.0]) / splits
    v = np.concatenate([j[upright] + 1.0 / 3.0, j[turned] + 2.0 / 3.0]) / splits
    return np.column_stack([1.0 - u - v, u, v])


def _stl(path: Path) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    try:
        mesh = trimesh.load_mesh(path, file_type="stl", process=False)
        return np.asarray(mesh.vertices, dtype=np.float64), np.asarray(mesh.faces, dtype=np.int64).reshape(-1, 3)
    # trimesh raises whatever its parser stumbles over
    except Exception as error:
        raise CloudError(f"{path.name}: not readable as STL: {error}", name=path.name) from error


def _obj(path: Path) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    vertices: list[list[float]] = []
    polygons: list[NDArray[np.int64]] = []
    with path.open(encoding="utf-8", errors="replace") as lines:
        for number, line in enumerate(lines, start=1):
            words = line.split()
            try:
                if words and words[0] == "v":
                    x, y, z = words[1:4]
                    vertices.append([float(x), float(y), float(z)])
                elif words and words[0] == "f":
                    polygons.append(_corners(words[1:], len(vertices)))
            except ValueError:
                raise CloudError(
                    f"{path.name}, line {number}: not an OBJ line: {line[:60]!r}", name=path.name
                ) from None
    if not vertices:
        raise CloudError(f"{path.name}: no vertex", name=path.name, given="0 vertices")
    points = np.asarray(vertices)
    return points, triangulated(points, polygons, path.name)


def _corners(words: list[str], so_far: int) -> NDArray[np.int64]:
    """Vertex indices of a face; OBJ counts from 1, or backwards from the latest with negative numbers."""
    numbers = np.array([int(word.split("/")[0]) for word in words], dtype=np.int64)
    if (numbers == 0).any():
        raise ValueError
    return np.where(numbers > 0, numbers - 1, so_far + numbers)
