"""STL meshes, binary and ascii."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from climbing_rig.errors import CloudError
from climbing_rig.wall.cloud import Cloud
from climbing_rig.wall.readers.sampling import sample_mesh

_FACET = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
_HEADER = 80 + 4  # bytes: a free text and the number of facets
_VERTEX = re.compile(rb"^\s*vertex\s+(\S+)\s+(\S+)\s+(\S+)\s*$", re.MULTILINE | re.IGNORECASE)


def read_stl(path: Path) -> Cloud:
    """Read and sample a .stl file. The normals come from the order of the corners; those stored are often wrong.

    Raises:
        CloudError: The file is truncated or neither binary nor ascii STL, or no triangle has an area.
    """
    content = path.read_bytes()
    # Binary files may start with "solid" too: the number of facets against the size decides.
    count = int.from_bytes(content[80:_HEADER], "little")
    if len(content) >= _HEADER and len(content) == _HEADER + count * _FACET.itemsize:
        corners = np.frombuffer(content, _FACET, count, _HEADER)["corners"].astype(np.float64)
    elif content[:5].lower() == b"solid":
        corners = _ascii(content, path.name)
    else:
        raise CloudError(
            f"{path.name}: truncated or no STL: {len(content)} bytes, {count} facets need "
            f"{_HEADER + count * _FACET.itemsize}",
            name=path.name,
            given=len(content),
        )
    return sample_mesh(corners.reshape(-1, 3), np.arange(3 * len(corners)).reshape(-1, 3), path.name)


def _ascii(content: bytes, name: str) -> NDArray[np.float64]:
    if b"endsolid" not in content.lower():
        raise CloudError(f"{name}: truncated: no endsolid line", name=name)
    words = [word for match in _VERTEX.findall(content) for word in match]
    try:
        numbers = np.array([float(word) for word in words])
    except ValueError as error:
        raise CloudError(f"{name}: {error}", name=name) from None
    facets = content.lower().count(b"endfacet")
    if len(numbers) != 9 * facets:
        raise CloudError(f"{name}: {len(numbers) // 3} vertices in {facets} facets", name=name, given=facets)
    return numbers.reshape(-1, 3, 3)
