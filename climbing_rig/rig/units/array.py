"""Items of arrays: what ``$array[index]`` and ``set`` with an index compile to."""

from __future__ import annotations

from climbing_rig.rig.types import KINDS
from climbing_rig.rig.unit_definition import pin, unit

CAPACITY = 4096
"""Most items of an array whose items are read or written one by one."""
OUTSIDE = ("the index is outside the array",)


def _get_number(array, index, item):  # type: ignore[no-untyped-def]
    """One item of an array."""
    if not 0 <= index < array.shape[0]:
        return 1
    item[0] = array[index]
    return 0


def _get_row(array, index, item):  # type: ignore[no-untyped-def]
    """One item of an array."""
    if not 0 <= index < array.shape[0]:
        return 1
    for k in range(array.shape[1]):
        item[k] = array[index, k]
    return 0


def _put_number(array, index, item):  # type: ignore[no-untyped-def]
    """Writes one item of a variable that is an array, in place."""
    if not 0 <= index < array.shape[0]:
        return 1
    array[index] = item
    return 0


def _put_row(array, index, item):  # type: ignore[no-untyped-def]
    """Writes one item of a variable that is an array, in place."""
    if not 0 <= index < array.shape[0]:
        return 1
    for k in range(array.shape[1]):
        array[index, k] = item[k]
    return 0


def _count(array, count):  # type: ignore[no-untyped-def]
    """How many items an array has."""
    count[0] = array.shape[0]


for _kind, _about in KINDS.items():
    _array = pin("array", f"{_kind}[{CAPACITY}]", doc="where to look")
    _index = pin("index", "int", doc="0 for the first item")
    _item = pin("item", _kind, doc="the item")
    _single = _about.words == 1
    unit(f"array.{_kind}.get", inputs=(_array, _index), outputs=(_item,), failures=OUTSIDE,
         keywords=("item", "element"))(_get_number if _single else _get_row)  # fmt: skip
    unit(f"array.{_kind}.put", inputs=(_array, _index, _item), failures=OUTSIDE,
         keywords=("item", "element", "set"))(_put_number if _single else _put_row)  # fmt: skip
    unit(f"array.{_kind}.count", inputs=(_array,), outputs=(pin("count", "int", doc="items"),),
         keywords=("length", "size"))(_count)  # fmt: skip
