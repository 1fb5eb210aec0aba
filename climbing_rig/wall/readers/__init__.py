"""Files to clouds: one format a module, found by the file's suffix."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from climbing_rig.errors import CloudError
from climbing_rig.wall.cloud import Cloud
from climbing_rig.wall.readers.las import read_las
from climbing_rig.wall.readers.mat import read_mat
from climbing_rig.wall.readers.npy import read_npy
from climbing_rig.wall.readers.obj import read_obj
from climbing_rig.wall.readers.pcd import read_pcd
from climbing_rig.wall.readers.ply import read_ply
from climbing_rig.wall.readers.stl import read_stl

READERS: dict[str, Callable[[Path], Cloud]] = {
    ".las": read_las,
    ".laz": read_las,
    ".mat": read_mat,
    ".npy": read_npy,
    ".obj": read_obj,
    ".pcd": read_pcd,
    ".ply": read_ply,
    ".stl": read_stl,
}
"""Suffix -> reader. A reader returns at least one finite point or raises CloudError naming the file and the place."""


def read_cloud(path: Path) -> Cloud:
    """Read a cloud or sample a mesh, in the file's own units and axes.

    Raises:
        CloudError: The suffix is not known, the file cannot be read, or it holds no usable point.
    """
    reader = READERS.get(path.suffix.lower())
    if reader is None:
        raise CloudError(
            f"{path.name}: files of this kind are not read", name=path.name, given=path.suffix, choices=READERS
        )
    try:
        if path.stat().st_size == 0:
            raise CloudError(f"{path.name}: the file is empty (0 bytes)", name=path.name, given="0 bytes")
        return reader(path)
    except OSError as error:
        raise CloudError(f"{path.name}: {error.strerror or error}", name=path.name, given=str(path)) from None
    except MemoryError:
        raise CloudError(f"{path.name}: too big for this machine's memory", name=path.name, given=str(path)) from None
