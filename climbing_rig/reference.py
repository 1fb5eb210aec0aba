"""A named tuple of arrays as a kernel sees it: a reference that gives a field when it is asked for.

Passing tuples of a hundred arrays by value is nothing when the code runs, but compiling it takes numba minutes. A
reference is one pointer to the table of addresses and sizes; ``skeleton.q`` reads the three numbers that make this one
array, ``skeleton.tree`` is a reference again. Functions written for the tuples take references as they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar

import numpy as np
from llvmlite import ir
from numba import typeof, types
from numba.core.typing.templates import AttributeTemplate
from numba.extending import (
    NativeValue,
    infer_getattr,
    lower_getattr_generic,
    models,
    register_model,
    typeof_impl,
    unbox,
)
from numpy.typing import NDArray

from climbing_rig.views import FIELD, array_view, load

Tuple = TypeVar("Tuple")


class Reference(types.Type):  # type: ignore[misc]
    """Numba's type of a reference to a named tuple of arrays and such tuples.

    Attributes:
        fields: Name -> (first entry of the table, numba type).
        entries: Of the table that it takes.
    """

    def __init__(self, example: Any) -> None:
        self.fields: dict[str, tuple[int, Any]] = {}
        entry = 0
        for name, value in zip(example._fields, example, strict=True):
            made = Reference(value) if isinstance(value, tuple) else typeof(value)
            self.fields[name] = (entry, made)
            entry += made.entries if isinstance(made, Reference) else FIELD
        self.entries = entry
        inner = ", ".join(f"{name}: {made}" for name, (_, made) in self.fields.items())
        super().__init__(name=f"{type(example).__name__}({inner})")


@register_model(Reference)
class _ReferenceModel(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, reference: Any) -> None:
        super().__init__(manager, reference, ir.IntType(64).as_pointer())


@infer_getattr
class _ReferenceAttributes(AttributeTemplate):  # type: ignore[misc]
    key = Reference

    def generic_resolve(self, reference: Any, name: str) -> Any:
        field = reference.fields.get(name)
        return None if field is None else field[1]


@lower_getattr_generic(Reference)
def _field(context: Any, builder: Any, reference: Any, value: Any, name: str) -> Any:
    entry, made = reference.fields[name]
    row = builder.gep(value, [ir.Constant(ir.IntType(64), entry)])
    if isinstance(made, Reference):
        return row
    shape = [load(builder, row, 1 + axis) for axis in range(made.ndim)]
    return array_view(context, builder, made, load(builder, row, 0), shape)


class Handle:
    """What Python code gives to a kernel that takes a reference; keeps the arrays alive.

    Attributes:
        type: Of the reference.
        address: Of the table.
        value: The named tuple.
    """

    def __init__(self, made: Reference, value: Any) -> None:
        self.type, self.value = made, value
        self._table = np.zeros(made.entries, np.int64)
        fill_table(value, self._table)
        self.address = int(self._table.ctypes.data)


def handle(value: Tuple) -> Tuple:
    """A handle of a named tuple of arrays and such tuples, to be given to kernels in its place.

    The arrays are worked on where they lie. To the type checker it is the tuple that kernels are written for.
    """
    made: Any = Handle(Reference(value), value)
    return made


def arrays(value: Any) -> Iterator[Any]:
    """All arrays of a named tuple, in order."""
    for item in value:
        if isinstance(item, tuple):
            yield from arrays(item)
        else:
            yield item


def fill_table(value: Any, table: NDArray[np.int64]) -> None:
    """Writes addresses and sizes of all arrays of a named tuple, one after the other."""
    for i, array in enumerate(arrays(value)):
        row = table[FIELD * i : FIELD * (i + 1)]
        row[0] = array.ctypes.data
        row[1 : 1 + array.ndim] = array.shape


@typeof_impl.register(Handle)
def _type_of_handle(handle: Handle, _context: Any) -> Reference:
    return handle.type


@unbox(Reference)
def _unbox_handle(reference: Any, handle: Any, c: Any) -> Any:
    number = c.pyapi.object_getattr_string(handle, "address")
    address = c.pyapi.long_as_longlong(number)
    c.pyapi.decref(number)
    return NativeValue(c.builder.inttoptr(address, ir.IntType(64).as_pointer()))
