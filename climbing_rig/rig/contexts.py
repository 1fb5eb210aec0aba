"""What units work on beside their pins: the robot's pose, its limbs, the wall, the solver's arrays.

A context is a named tuple of arrays, and of such tuples. A machine keeps the addresses and sizes of all its arrays in a
table, from which a unit's native code makes the tuple anew: nothing is copied or counted, and a context can be
exchanged (a new wall) by writing other addresses.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from climbing_rig.errors import RigError

FIELD = 4
"""Table entries of one array: its address and up to three dimensions."""


@dataclass(frozen=True)
class Context:
    """A kind of context, known by an example.

    Attributes:
        name: What units call it.
        example: A value: tells the classes, and of each array its type and number of dimensions.
        doc: One line.
    """

    name: str
    example: Any
    doc: str

    @property
    def entries(self) -> int:
        """Entries of the table it takes."""
        return FIELD * sum(1 for _ in arrays(self.example))

    def fill(self, value: Any, table: NDArray[np.int64]) -> None:
        """Writes addresses and sizes of a value's arrays into its part of the table.

        Raises:
            RigError: The value has another structure than the example.
        """
        given, expected = list(arrays(value)), list(arrays(self.example))
        if type(value) is not type(self.example) or len(given) != len(expected):
            raise RigError(f"context '{self.name}' is not a {type(self.example).__name__}", name=self.name, given=value)
        for i, (array, like) in enumerate(zip(given, expected, strict=True)):
            if array.dtype != like.dtype or array.ndim != like.ndim or not array.flags.c_contiguous:
                raise RigError(
                    f"context '{self.name}': array {i} is {array.dtype}, {array.ndim}-d, not contiguous {like.dtype}, "
                    f"{like.ndim}-d",
                    name=self.name,
                )
            row = table[FIELD * i : FIELD * (i + 1)]
            row[0] = array.ctypes.data
            row[1 : 1 + array.ndim] = array.shape

    def unpacking(self, start: str, names: dict[str, Any]) -> str:
        """Python source of an expression that makes the tuple from the table ``contexts``, from entry ``start`` on.

        Classes it needs are put into ``names``.
        """
        return _unpack(self.example, start, [0], names)


CONTEXTS: dict[str, Context] = {}
"""All kinds of context by name."""


def declare(name: str, example: Any, doc: str) -> Context:
    """Makes a kind of context known; units declared afterwards may ask for it."""
    CONTEXTS[name] = context = Context(name, example, doc)
    return context


def arrays(value: Any) -> Iterator[Any]:
    """All arrays of a context, in order."""
    for item in value:
        if isinstance(item, tuple):
            yield from arrays(item)
        else:
            yield item


def _unpack(example: Any, start: str, next_array: list[int], names: dict[str, Any]) -> str:
    parts = []
    for item in example:
        if isinstance(item, tuple):
            parts.append(_unpack(item, start, next_array, names))
            continue
        place = f"{start} + {FIELD * next_array[0]}"
        next_array[0] += 1
        pointer = "floats_at" if item.dtype == np.float64 else "integers_at"
        shape = "".join(f"contexts[{place} + {1 + axis}], " for axis in range(item.ndim))
        parts.append(f"carray({pointer}(contexts[{place}]), ({shape}))")
    name = type(example).__name__
    names[name] = type(example)
    return f"{name}({', '.join(parts)})"
