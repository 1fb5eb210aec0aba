"""Between the machine and a unit's function: pins and contexts unpacked, the function called by its address.

The machine calls all units alike; their functions take numbers, arrays and tuples of arrays. Units with the same kinds
of pins share one adapter, a C function (function, memory, operands, contexts) -> result, whose instructions are put
together here and kept in numba's cache.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from llvmlite import ir
from numba import cfunc, types
from numba.extending import intrinsic

from climbing_rig.rig.contexts import CONTEXTS
from climbing_rig.views import array_view, load, place

if TYPE_CHECKING:
    from climbing_rig.rig.unit_definition import Pin, Unit

RAISED = -1
"""Result of a unit whose function raised an exception."""

_WORD = ir.IntType(64)
_FLOATS = types.Array(types.float64, 1, "C")
_INTEGERS = types.Array(types.int64, 1, "C")
_SCALARS = {"float": types.float64, "bool": types.boolean}
_ADAPTERS: dict[str, Any] = {}


def native_addresses(unit: Unit) -> tuple[int, int]:
    """Addresses of a unit's adapter and of its function; compiles what is not in numba's cache."""
    arguments = _argument_types(unit)
    unit.function.compile(arguments)
    compiled = unit.function.overloads[arguments]
    result = compiled.signature.return_type
    key = "; ".join([*map(str, arguments), *(_layout(pin) for pin in unit.inputs + unit.outputs), str(result)])
    if key not in _ADAPTERS:
        _ADAPTERS[key] = _make_adapter(key, unit, arguments, result)
    return _ADAPTERS[key].address, compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name)


def _layout(pin: Pin) -> str:
    """All that the adapter knows of a pin."""
    return f"{pin.direction} {pin.type}"


def _argument_types(unit: Unit) -> tuple[Any, ...]:
    found: list[Any] = [CONTEXTS[context].type for context in unit.contexts]
    for pin in unit.inputs:
        if pin.type.capacity is None and pin.type.item_words == 1:
            found.append(_SCALARS.get(pin.type.kind, types.int64))
        else:
            found.append(_view_type(pin))
    for pin in unit.outputs:
        found.append(_view_type(pin))
        if pin.type.capacity is not None:
            found.append(_INTEGERS)
    return tuple(found)


def _view_type(pin: Pin) -> Any:
    if pin.type.capacity is None or pin.type.item_words == 1:
        return _INTEGERS if pin.type.integer else _FLOATS
    return types.Array(types.int64 if pin.type.integer else types.float64, 2, "C")


def _make_adapter(key: str, unit: Unit, arguments: tuple[Any, ...], result: Any) -> Any:
    @intrinsic
    def adapt(typing_context: Any, function: Any, memory: Any, operands: Any, contexts: Any) -> Any:
        def generate(target: Any, builder: Any, signature: Any, given: Any) -> Any:
            function, *places = given
            memory, operands, contexts = (builder.inttoptr(address, _WORD.as_pointer()) for address in places)
            values = _unpack(unit, target, builder, memory, operands, contexts)
            native = target.call_conv.get_function_type(result, arguments)
            callee = builder.inttoptr(function, native.as_pointer())
            status, returned = target.call_conv.call_function(builder, callee, result, arguments, values)
            code = ir.Constant(_WORD, 0)
            if unit.failures and result != types.none:
                code = target.cast(builder, returned, result, types.int64)
            return builder.select(status.is_error, ir.Constant(_WORD, RAISED), code)

        return types.int64(*[types.int64] * 4), generate

    # Numba's cache goes by the function's name and file. The name says all that the instructions depend on; the file is
    # this one, since it is what writes them.
    name = f"adapter_{hashlib.sha256(key.encode()).hexdigest()[:16]}"
    source = (
        f"def {name}(function, memory, operands, contexts):\n    return adapt(function, memory, operands, contexts)"
    )
    names = {"__name__": __name__, "adapt": adapt}
    exec(compile(source, __file__, "exec"), names)
    return cfunc(types.int64(*[types.int64] * 4), cache=True)(names[name])


def _unpack(unit: Unit, target: Any, builder: Any, memory: Any, operands: Any, contexts: Any) -> list[Any]:
    """The arguments of the unit's function."""
    operand = iter(range(len(unit.contexts) + len(unit.inputs) + len(unit.outputs)))
    values = [builder.gep(contexts, [load(builder, operands, next(operand))]) for _ in unit.contexts]
    for pin in unit.inputs:
        start = load(builder, operands, next(operand))
        if pin.type.capacity is not None:
            rows = builder.load(builder.gep(memory, [start]))
            values.append(_array(target, builder, pin, memory, start, rows))
        elif pin.type.item_words > 1:
            values.append(_single(target, builder, pin, memory, start))
        else:
            values.append(_scalar(builder, pin, builder.load(builder.gep(memory, [start]))))
    for pin in unit.outputs:
        start = load(builder, operands, next(operand))
        if pin.type.capacity is None:
            values.append(_single(target, builder, pin, memory, start))
        else:
            values.append(_array(target, builder, pin, memory, start, ir.Constant(_WORD, int(pin.type.capacity))))
            one = [ir.Constant(_WORD, 1)]
            values.append(array_view(target, builder, _INTEGERS, place(builder, memory, start), one))
    return values


def _scalar(builder: Any, pin: Pin, raw: Any) -> Any:
    if pin.type.kind == "bool":
        return builder.icmp_signed("!=", raw, ir.Constant(_WORD, 0))
    return builder.bitcast(raw, ir.DoubleType()) if pin.type.kind == "float" else raw


def _single(target: Any, builder: Any, pin: Pin, memory: Any, start: Any) -> Any:
    """View of the words of a single value."""
    shape = [ir.Constant(_WORD, pin.type.item_words)]
    return array_view(target, builder, _view_type(pin), place(builder, memory, start), shape)


def _array(target: Any, builder: Any, pin: Pin, memory: Any, start: Any, rows: Any) -> Any:
    """View of the items of an array, which follow the word with their number."""
    made = _view_type(pin)
    shape = [rows] if made.ndim == 1 else [rows, ir.Constant(_WORD, pin.type.item_words)]
    items = builder.add(start, ir.Constant(_WORD, 1))
    return array_view(target, builder, made, place(builder, memory, items), shape)
