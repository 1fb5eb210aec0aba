"""What units work on beside their pins: the robot's pose, its limbs, the wall, the solver's arrays.

A context is a named tuple of arrays, and of such tuples. A machine keeps the addresses and sizes of all its arrays in a
table, to which units get a reference: nothing is copied or counted, and a context can be exchanged (a new wall) by
writing other addresses.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from climbing_rig.errors import RigError
from climbing_rig.reference import Reference, arrays, fill_table
from climbing_rig.views import FIELD


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
        fill_table(value, table)

    @cached_property
    def type(self) -> Any:
        """Numba's type of it, as units see it."""
        return Reference(self.example)


CONTEXTS: dict[str, Context] = {}
"""All kinds of context by name."""


def declare(name: str, example: Any, doc: str) -> Context:
    """Makes a kind of context known; units declared afterwards may ask for it."""
    CONTEXTS[name] = context = Context(name, example, doc)
    return context
