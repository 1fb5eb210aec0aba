"""PCD files of every version and all three encodings, fields of any type, names in any case."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from climbing_rig.errors import CloudError
from climbing_rig.wall.cloud import Cloud
from climbing_rig.wall.readers.lzf import decompress
from climbing_rig.wall.records import cloud_from_columns

_MOST_EXPANSION = 300  # LZF turns three bytes into at most 264
_LONGEST_HEADER = 64 * 1024


@dataclass(frozen=True)
class _Header:
    names: tuple[str, ...]
    types: tuple[np.dtype[Any], ...]
    counts: tuple[int, ...]
    points: int
    viewpoint: tuple[float, float, float] | None
    encoding: str
    end: int  # byte at which the data starts
    lines: int  # of the header

    @property
    def record(self) -> np.dtype[Any]:
        """One point as it lies in the file; fields get numbered names, since PCD allows several called "_"."""
        return np.dtype(
            [
                (str(i), t, (c,)) if c > 1 else (str(i), t)
                for i, (t, c) in enumerate(zip(self.types, self.counts, strict=True))
            ]
        )


def read_pcd(path: Path) -> Cloud:
    """Read a .pcd file. The translation of its VIEWPOINT, where there is one, tells where the sensor stood.

    Raises:
        CloudError: A header line or a data line is wrong, or the data does not have the size the header tells.
    """
    content = path.read_bytes()
    header = _header(content, path.name)
    if header.points == 0:
        raise CloudError(f"{path.name}: the cloud is empty (POINTS 0)", name=path.name, given="0 points")
    data = memoryview(content)[header.end :]
    if header.encoding == "ascii":
        columns = _ascii(bytes(data), header, path.name)
    elif header.encoding == "binary":
        columns = _binary(data, header, path.name)
    else:
        columns = _compressed(data, header, path.name)
    return cloud_from_columns(columns, path.name, header.viewpoint)


def _header(content: bytes, name: str) -> _Header:
    entries: dict[str, list[str]] = {}
    position = lines = 0
    while "DATA" not in entries:
        end = content.find(b"\n", position, _LONGEST_HEADER)
        if end < 0:
            raise CloudError(f"{name}: no DATA line in the PCD header", name=name)
        words = content[position:end].decode("ascii", errors="replace").split()
        position, lines = end + 1, lines + 1
        if words and not words[0].startswith("#"):
            key = words[0].upper()
            if key not in _KEYS:
                raise CloudError(
                    f"{name}, line {lines}: {words[0][:40]!r} is no PCD header entry", name=name, choices=_KEYS
                )
            entries["FIELDS" if key == "COLUMNS" else key] = words[1:]
    try:
        return _checked(entries, position, lines)
    except (KeyError, ValueError, IndexError) as error:
        raise CloudError(f"{name}: wrong or missing PCD header entry: {error}", name=name) from None


_KEYS = ("VERSION", "FIELDS", "COLUMNS", "SIZE", "TYPE", "COUNT", "WIDTH", "HEIGHT", "VIEWPOINT", "POINTS", "DATA")


def _checked(entries: dict[str, list[str]], end: int, lines: int) -> _Header:
    """The header from its entries; raises KeyError, ValueError or IndexError with words."""
    names = tuple(entries["FIELDS"])
    sizes, kinds = [int(word) for word in entries["SIZE"]], entries["TYPE"]
    counts = tuple(int(word) for word in entries.get("COUNT", ["1"] * len(names)))
    if not len(names) == len(sizes) == len(kinds) == len(counts) or not names:
        raise ValueError(f"FIELDS {len(names)}, SIZE {len(sizes)}, TYPE {len(kinds)}, COUNT {len(counts)}")
    types = []
    for kind, size in zip(kinds, sizes, strict=True):
        if (kind.upper(), size) not in _TYPES:
            raise ValueError(f"TYPE {kind} of SIZE {size}")
        types.append(np.dtype(f"<{kind.lower()}{size}"))
    if min(counts) < 1 or max(counts) > 65536:
        raise ValueError(f"COUNT {counts}")
    width, height = int(entries["WIDTH"][0]), int(entries.get("HEIGHT", ["1"])[0])
    points = int(entries["POINTS"][0]) if "POINTS" in entries else width * height
    if width < 0 or height < 0 or points != width * height:
        raise ValueError(f"POINTS {points}, WIDTH {width}, HEIGHT {height}")
    viewpoint = None
    if "VIEWPOINT" in entries:
        x, y, z = (float(word) for word in entries["VIEWPOINT"][:3])
        viewpoint = (x, y, z)
    encoding = entries["DATA"][0].lower()
    if encoding not in ("ascii", "binary", "binary_compressed"):
        raise ValueError(f"DATA {encoding}")
    return _Header(names, tuple(types), counts, points, viewpoint, encoding, end, lines)


_TYPES = {(kind, size) for kind in "IU" for size in (1, 2, 4, 8)} | {("F", 4), ("F", 8)}


def _ascii(data: bytes, header: _Header, name: str) -> dict[str, NDArray[np.generic]]:
    width = sum(header.counts)
    rows = [line.split() for line in data.decode("ascii", errors="replace").splitlines()]
    numbered = [(header.lines + 1 + i, row) for i, row in enumerate(rows) if row]
    for line, row in numbered:
        if len(row) != width:
            raise CloudError(f"{name}, line {line}: {len(row)} values, {width} expected", name=name, given=line)
    if len(numbered) != header.points:
        raise CloudError(
            f"{name}: {len(numbered)} points where POINTS says {header.points}", name=name, given=len(numbered)
        )
    columns: dict[str, NDArray[np.generic]] = {}
    start = 0
    for field, count in zip(header.names, header.counts, strict=True):
        if count == 1:
            columns[field] = np.array([_number(row[start], line, name) for line, row in numbered])
        start += count
    return columns


def _number(word: str, line: int, name: str) -> float:
    try:
        return float(word)
    except ValueError:
        raise CloudError(f"{name}, line {line}: {word[:40]!r} is not a number", name=name, given=word[:40]) from None


def _binary(data: memoryview, header: _Header, name: str) -> dict[str, NDArray[np.generic]]:
    _refuse_short(len(data), header.points * header.record.itemsize, name)
    records = np.frombuffer(data, header.record, header.points)
    return {field: records[str(i)] for i, field in enumerate(header.names) if header.counts[i] == 1}


def _compressed(data: memoryview, header: _Header, name: str) -> dict[str, NDArray[np.generic]]:
    _refuse_short(len(data), 8, name)
    packed_size, size = struct.unpack_from("<II", data)
    expected = header.points * header.record.itemsize
    if size != expected:
        raise CloudError(f"{name}: {size} bytes unpacked, the header asks for {expected}", name=name, given=size)
    _refuse_short(len(data) - 8, packed_size, name)
    if size > packed_size * _MOST_EXPANSION:
        raise CloudError(f"{name}: {packed_size} bytes cannot unpack to {size}", name=name, given=size)
    unpacked = np.empty(size, dtype=np.uint8)
    if not decompress(np.frombuffer(data, np.uint8, packed_size, 8), unpacked):
        raise CloudError(f"{name}: the compressed data at byte {header.end + 8} is damaged", name=name)
    # Compressed files keep field after field instead of point after point.
    columns: dict[str, NDArray[np.generic]] = {}
    start = 0
    for field, dtype, count in zip(header.names, header.types, header.counts, strict=True):
        if count == 1:
            columns[field] = np.frombuffer(unpacked, dtype, header.points, start)
        start += dtype.itemsize * count * header.points
    return columns


def _refuse_short(given: int, needed: int, name: str) -> None:
    if given < needed:
        raise CloudError(f"{name}: truncated: {given} bytes of data, {needed} expected", name=name, given=given)
