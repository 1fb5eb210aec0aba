"""A context as a unit's function sees it: a reference that gives a field when it is asked for.

Passing tuples of a hundred arrays by value is nothing when the code runs, but compiling it takes numba minutes. A
reference is one pointer to the table of addresses and sizes; ``skeleton.q`` reads the three numbers that make this one
array, ``skeleton.tree`` is a reference again. Functions written for the tuples take references as they are.
"""

from __future__ import annotations

from typing import Any

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

from climbing_rig.rig.views import FIELD, array_view, load


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
    """What Python code gives to a unit's function in place of a context, as in ``unit(handle, 1.0, out)``.

    Args:
        made: The context's type.
        table: (entries,) addresses and sizes of its arrays.
        value: The context; kept alive.
    """

    def __init__(self, made: Reference, table: Any, value: Any) -> None:
        self.type, self._table, self._value = made, table, value
        self.address = int(table.ctypes.data)


@typeof_impl.register(Handle)
def _type_of_handle(handle: Handle, _context: Any) -> Reference:
    return handle.type


@unbox(Reference)
def _unbox_handle(reference: Any, handle: Any, c: Any) -> Any:
    number = c.pyapi.object_getattr_string(handle, "address")
    address = c.pyapi.long_as_longlong(number)
    c.pyapi.decref(number)
    return NativeValue(c.builder.inttoptr(address, ir.IntType(64).as_pointer()))
