"""PLY files, ascii and binary of both byte orders: point clouds, or meshes when there are faces."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from climbing_rig.errors import CloudError
from climbing_rig.wall.cloud import Cloud
from climbing_rig.wall.readers.polygons import triangulated
from climbing_rig.wall.readers.sampling import sample_mesh
from climbing_rig.wall.records import cloud_from_columns

_TYPES = {
    "char": "i1", "int8": "i1", "uchar": "u1", "uint8": "u1", "short": "i2", "int16": "i2", "ushort": "u2",
    "uint16": "u2", "int": "i4", "int32": "i4", "uint": "u4", "uint32": "u4", "float": "f4", "float32": "f4",
    "double": "f8", "float64": "f8",
}  # fmt: skip
_ORDERS = {"ascii": "", "binary_little_endian": "<", "binary_big_endian": ">"}
_FACES = ("vertex_indices", "vertex_index")
_LONGEST_HEADER = 64 * 1024


@dataclass
class _Property:
    name: str
    dtype: str
    length_dtype: str | None = None  # of a list


@dataclass
class _Element:
    name: str
    count: int
    properties: list[_Property] = field(default_factory=list)

    @property
    def has_lists(self) -> bool:
        return any(p.length_dtype for p in self.properties)


def read_ply(path: Path) -> Cloud:
    """Read a .ply file; one with faces is sampled as a mesh.

    Raises:
        CloudError: The header is wrong, a coordinate is missing, or the data ends early.
    """
    content = path.read_bytes()
    encoding, elements, start = _header(content, path.name)
    names = [element.name for element in elements]
    if "vertex" not in names:
        raise CloudError(f"{path.name}: no element vertex", name=path.name, given=", ".join(names), choices=("vertex",))
    if len(set(names)) != len(names):
        raise CloudError(f"{path.name}: an element is declared twice", name=path.name, given=", ".join(names))
    body: _Body = (
        _AsciiBody(content, start, path.name)
        if encoding == "ascii"
        else _BinaryBody(content, start, path.name, _ORDERS[encoding])
    )
    columns: dict[str, NDArray[np.generic]] = {}
    polygons: list[NDArray[np.int64]] = []
    for element in elements:
        if element.name == "vertex" and not element.has_lists:
            columns = body.columns(element)
        elif element.name == "face":
            polygons = body.lists(element, _FACES)
        else:
            body.lists(element, ())
    if not polygons:
        return cloud_from_columns(columns, path.name)
    cloud = cloud_from_columns(columns, path.name)
    if cloud.dropped:
        raise CloudError(f"{path.name}: {cloud.dropped} mesh vertices are not finite", name=path.name)
    return sample_mesh(cloud.points, triangulated(cloud.points, polygons, path.name), path.name)


def _header(content: bytes, name: str) -> tuple[str, list[_Element], int]:
    if not content.startswith(b"ply"):
        raise CloudError(f"{name}: no PLY header at byte 0", name=name)
    marker = content.find(b"end_header", 0, _LONGEST_HEADER)
    end = content.find(b"\n", marker) + 1
    if marker < 0 or end == 0:
        raise CloudError(f"{name}: no end_header line", name=name)
    encoding = ""
    elements: list[_Element] = []
    for number, line in enumerate(content[:marker].decode("ascii", errors="replace").splitlines(), start=1):
        words = line.split()
        try:
            if not words or words[0] in ("ply", "comment", "obj_info"):
                continue
            if words[0] == "format" and words[1] in _ORDERS:
                encoding = words[1]
            elif words[0] == "element" and int(words[2]) >= 0:
                elements.append(_Element(words[1], int(words[2])))
            elif words[0] == "property" and words[1] == "list":
                elements[-1].properties.append(_Property(words[4], _TYPES[words[3]], _TYPES[words[2]]))
            elif words[0] == "property":
                elements[-1].properties.append(_Property(words[2], _TYPES[words[1]]))
            else:
                raise ValueError
        except (ValueError, IndexError, KeyError):
            raise CloudError(f"{name}, line {number}: not a PLY header line: {line[:60]!r}", name=name) from None
    if not encoding:
        raise CloudError(f"{name}: no format line", name=name, choices=_ORDERS)
    return encoding, elements, end


class _Body:
    """The data after the header, read element by element in the file's order."""

    def columns(self, element: _Element) -> dict[str, NDArray[np.generic]]:
        """The columns of an element without lists."""
        raise NotImplementedError

    def lists(self, element: _Element, wanted: tuple[str, ...]) -> list[NDArray[np.int64]]:
        """One list for each row of an element, of the property whose name is wanted; the rest is skipped."""
        raise NotImplementedError


class _AsciiBody(_Body):
    def __init__(self, content: bytes, start: int, name: str) -> None:
        self._line = content.count(b"\n", 0, start) + 1
        self._rows = content[start:].decode("ascii", errors="replace").splitlines()
        self._next = 0
        self._name = name

    def columns(self, element: _Element) -> dict[str, NDArray[np.generic]]:
        width = len(element.properties)
        values = np.empty((min(element.count, len(self._rows)), width))
        for i in range(element.count):
            row = self._numbers(element)
            if len(row) != width:
                raise self._error(f"{len(row)} values, {width} expected")
            values[i] = row
        return {p.name: values[:, i] for i, p in enumerate(element.properties)}

    def lists(self, element: _Element, wanted: tuple[str, ...]) -> list[NDArray[np.int64]]:
        found = []
        for _ in range(element.count):
            row = self._numbers(element)
            at = 0
            for p in element.properties:
                size = 1
                if p.length_dtype:
                    size = int(row[at]) if at < len(row) else -1
                    at += 1
                if size < 0 or at + size > len(row):
                    raise self._error(f"{p.name} ends early")
                if p.name in wanted:
                    found.append(np.array(row[at : at + size], dtype=np.int64))
                at += size
        return found

    def _numbers(self, element: _Element) -> list[float]:
        if self._next >= len(self._rows):
            raise self._error(f"the file ends inside element {element.name} of {element.count}")
        self._next += 1
        try:
            return [float(word) for word in self._rows[self._next - 1].split()]
        except ValueError:
            raise self._error("not numbers") from None

    def _error(self, words: str) -> CloudError:
        return CloudError(f"{self._name}, line {self._line + self._next - 1}: {words}", name=self._name)


class _BinaryBody(_Body):
    def __init__(self, content: bytes, start: int, name: str, order: str) -> None:
        self._content = content
        self._at = start
        self._name = name
        self._order = order

    def columns(self, element: _Element) -> dict[str, NDArray[np.generic]]:
        record = np.dtype([(str(i), self._order + p.dtype) for i, p in enumerate(element.properties)])
        records = np.frombuffer(self._content, record, element.count, self._take(element.count * record.itemsize))
        return {p.name: records[str(i)] for i, p in enumerate(element.properties)}

    def lists(self, element: _Element, wanted: tuple[str, ...]) -> list[NDArray[np.int64]]:
        found = []
        for _ in range(element.count):
            for p in element.properties:
                size = int(self._values(p.length_dtype, 1)[0]) if p.length_dtype else 1
                values = self._values(p.dtype, size)
                if p.name in wanted:
                    found.append(values.astype(np.int64))
        return found

    def _values(self, dtype: str, count: int) -> NDArray[np.generic]:
        kind = np.dtype(self._order + dtype)
        return np.frombuffer(self._content, kind, count, self._take(max(count, 0) * kind.itemsize))

    def _take(self, size: int) -> int:
        start = self._at
        if start + size > len(self._content):
            raise CloudError(
                f"{self._name}, byte {start}: truncated: {len(self._content) - start} bytes left, {size} expected",
                name=self._name,
                given=len(self._content) - start,
            )
        self._at += size
        return start
