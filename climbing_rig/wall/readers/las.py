"""LAS and LAZ through laspy, after the header has been checked against the file's size."""

from __future__ import annotations

import struct
from pathlib import Path

import laspy
import numpy as np

from climbing_rig.errors import CloudError
from climbing_rig.wall.cloud import Cloud, checked_cloud

MOST_POINTS = 200_000_000
"""A header that claims more is refused."""
_CHUNK = 500_000
_HEADER = 227  # bytes of the shortest public header
_VLR = 54  # bytes of a variable length record's own header
_EVLR = 60


def read_las(path: Path) -> Cloud:
    """Read a .las or .laz file; coordinates are scaled and offset as the header says.

    Raises:
        CloudError: The header does not fit the file, the file is truncated, or it holds no points.
    """
    expected = _check_header(path)
    pieces = []
    try:
        with laspy.open(path) as reader:
            pieces = [
                np.column_stack([chunk.x, chunk.y, chunk.z]).astype(np.float64)
                for chunk in reader.chunk_iterator(_CHUNK)
            ]
    # laspy and its LAZ backend document no common error
    except Exception as error:
        raise CloudError(
            f"{path.name}: not readable as LAS after {sum(map(len, pieces))} points: {error}", name=path.name
        ) from error
    count = sum(map(len, pieces))
    if count != expected:
        raise CloudError(f"{path.name}: {count} points where the header promises {expected}", name=path.name)
    return checked_cloud(np.concatenate(pieces), name=path.name)


def _check_header(path: Path) -> int:
    """Refuse a header whose counts cannot be true: a parser that trusts them may fill the memory.

    Returns:
        The number of points it promises.
    """
    size = path.stat().st_size
    with path.open("rb") as file:
        header = file.read(375)
    if len(header) < _HEADER or header[:4] != b"LASF":
        raise CloudError(f"{path.name}: no LAS header at byte 0", name=path.name)
    header_size, point_offset, vlr_count = struct.unpack_from("<HII", header, 94)
    point_format, record_length, count = struct.unpack_from("<BHI", header, 104)
    problem = None
    if not _HEADER <= header_size <= point_offset <= size:
        problem = f"header size {header_size} and point offset {point_offset} in a file of {size} bytes"
    elif vlr_count * _VLR > point_offset - header_size:
        problem = f"{vlr_count} variable length records in {point_offset - header_size} bytes"
    if header[25] >= 4 and len(header) >= 255:
        evlr_start, evlr_count, count = struct.unpack_from("<QIQ", header, 235)
        if evlr_count and evlr_start + evlr_count * _EVLR > size:
            problem = f"{evlr_count} extended records from byte {evlr_start} in a file of {size} bytes"
    # The two high bits of the format say that the points are compressed.
    if point_format & 0xC0:
        if count > MOST_POINTS:
            problem = f"{count} points (at most {MOST_POINTS})"
    elif count * record_length > size - point_offset:
        problem = f"{count} points of {record_length} bytes in {size - point_offset} bytes"
    if problem:
        raise CloudError(f"{path.name}: the LAS header claims {problem}", name=path.name, given=problem)
    if count == 0:
        raise CloudError(f"{path.name}: the cloud is empty (0 points)", name=path.name, given="0 points")
    return int(count)
