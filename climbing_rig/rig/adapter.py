"""A unit's native code behind the one signature the machine calls: pins and contexts unpacked, the function called.

The few lines that do the unpacking are written for each unit from its pins. They are compiled under the name of the
unit's own source file, so that numba keeps them in its cache as long as that file stays the same.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numba

from climbing_rig.rig.contexts import CONTEXTS
from climbing_rig.rig.native import SIGNATURE, at, floats_at, integers_at

if TYPE_CHECKING:
    from climbing_rig.rig.unit import Pin, Unit

RAISED = -1
"""Result of a unit whose function raised an exception."""


def adapt(unit: Unit) -> Any:
    """The unit as a C function of ``native.SIGNATURE``."""
    name = "native_" + re.sub(r"\W", "_", unit.name)
    names: dict[str, Any] = {
        "__name__": unit.function.py_func.__module__,
        "carray": numba.carray,  # type: ignore[attr-defined]
        "at": at, "floats_at": floats_at, "integers_at": integers_at, "kernel": unit.function,
    }  # fmt: skip
    source = _source(unit, name, names)
    exec(compile("\n" * max(unit.line - 1, 0) + source, unit.file, "exec"), names)
    function = names[name]
    function.__module__ = unit.function.py_func.__module__
    return numba.cfunc(SIGNATURE, cache=True)(function)


def _source(unit: Unit, name: str, names: dict[str, Any]) -> str:
    arguments = []
    operand = 0
    for context in unit.contexts:
        arguments.append(CONTEXTS[context].unpacking(f"operands[{operand}]", names))
        operand += 1
    for pin in unit.inputs:
        arguments.append(_read(pin, operand))
        operand += 1
    for pin in unit.outputs:
        arguments += _write(pin, operand)
        operand += 1
    listed = ",\n            ".join(arguments)
    call = f"kernel(\n            {listed})"
    done = f"return {call}" if unit.failures else f"{call}\n        return 0"
    return (
        f"def {name}(memory, words, operands, contexts):\n"
        f"    try:\n        {done}\n    except Exception:\n        return {RAISED}\n"
    )


def _read(pin: Pin, operand: int) -> str:
    place, memory = f"operands[{operand}]", "words" if pin.type.integer else "memory"
    size = pin.type.item_words
    if pin.type.capacity is not None:
        shape = f"(words[{place}], {size})" if size > 1 else f"(words[{place}],)"
        return f"carray(at({memory}, {place} + 1), {shape})"
    if pin.type.kind == "bool":
        return f"words[{place}] != 0"
    return f"{memory}[{place}]" if size == 1 else f"carray(at({memory}, {place}), ({size},))"


def _write(pin: Pin, operand: int) -> list[str]:
    place, memory = f"operands[{operand}]", "words" if pin.type.integer else "memory"
    size = pin.type.item_words
    if pin.type.capacity is None:
        return [f"carray(at({memory}, {place}), ({size},))"]
    rows = f"({pin.type.capacity}, {size})" if size > 1 else f"({pin.type.capacity},)"
    return [f"carray(at({memory}, {place} + 1), {rows})", f"carray(at(words, {place}), (1,))"]
