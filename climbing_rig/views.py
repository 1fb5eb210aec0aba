"""Arrays over memory that is already there, in LLVM's terms: what numba has no word for.

Nothing is allocated or counted; whoever gave the memory keeps it alive.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.np.arrayobj import make_array, populate_array

FIELD = 4
"""Table entries of one array of a context: its address and up to three dimensions."""


def load(builder: Any, base: Any, index: int) -> Any:
    """The word at ``index`` of an array of words."""
    return builder.load(builder.gep(base, [ir.Constant(ir.IntType(64), index)]))


def place(builder: Any, base: Any, offset: Any) -> Any:
    """Address of a word of an array of words, as a number."""
    return builder.ptrtoint(builder.gep(base, [offset]), ir.IntType(64))


def array_view(target: Any, builder: Any, made: Any, address: Any, shape: list[Any]) -> Any:
    """An array of numba type ``made`` whose elements are at ``address``, in C order."""
    element = target.get_data_type(made.dtype)
    size = target.get_constant(types.intp, target.get_abi_sizeof(element))
    strides = [size]
    for length in reversed(shape[1:]):
        strides.insert(0, builder.mul(strides[0], length))
    array = make_array(made)(target, builder)
    populate_array(
        array,
        data=builder.inttoptr(address, element.as_pointer()),
        shape=cgutils.pack_array(builder, shape),
        strides=cgutils.pack_array(builder, strides),
        itemsize=size,
        meminfo=None,
    )
    return array._getvalue()
