"""NumPy files: (N, 3) points, (N, 6) points and normals, or a structured array with x, y, z."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from climbing_rig.errors import CloudError
from climbing_rig.wall.cloud import Cloud, checked_cloud
from climbing_rig.wall.records import cloud_from_records


def read_npy(path: Path) -> Cloud:
    """Read a .npy file.

    Raises:
        CloudError: Not such a file, truncated, or an array of another shape.
    """
    try:
        # Mapped first: a header that lies about the size is then refused before any memory is asked for.
        array = np.load(path, mmap_mode="r", allow_pickle=False)
    except (ValueError, EOFError, SyntaxError, OverflowError) as error:
        raise CloudError(f"{path.name}: not a readable .npy array: {error}", name=path.name) from None
    if array.dtype.names:
        return cloud_from_records(np.asarray(array), path.name)
    if array.ndim == 2 and array.shape[1] == 6:
        return checked_cloud(array[:, :3], array[:, 3:], name=path.name)
    return checked_cloud(array, name=path.name)
