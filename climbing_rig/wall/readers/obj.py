"""Wavefront OBJ meshes: vertices and faces; concave faces stay concave."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from climbing_rig.errors import CloudError
from climbing_rig.wall.cloud import Cloud
from climbing_rig.wall.readers.polygons import triangulated
from climbing_rig.wall.readers.sampling import sample_mesh


def read_obj(path: Path) -> Cloud:
    """Read and sample a .obj file.

    Raises:
        CloudError: A line is wrong, or there is no face with an area.
    """
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
    return sample_mesh(points, triangulated(points, polygons, path.name), path.name)


def _corners(words: list[str], so_far: int) -> NDArray[np.int64]:
    """Vertex indices of a face; OBJ counts from 1, or backwards from the latest with negative numbers."""
    numbers = np.array([int(word.split("/")[0]) for word in words], dtype=np.int64)
    if (numbers == 0).any():
        raise ValueError
    return np.where(numbers > 0, numbers - 1, so_far + numbers)
