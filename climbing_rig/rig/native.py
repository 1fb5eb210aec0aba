"""The machine's instruction loop in native code, and the pointer arithmetic it needs."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic
from numpy.typing import NDArray

Array = NDArray[np.float64]
Integers = NDArray[np.int64]

EXECUTE, COPY, JUMP, JUMP_IF_NOT, EXIT = range(5)
OPCODES = ("execute", "copy", "jump", "jump-if-not", "exit")
"""The five instructions; their arguments are columns 1 to 3 of the code, column 4 is the node:

execute: unit, first operand, 1 for a node's own unit and 0 for the items of arrays it reads or sets;
copy: to, from, words; jump: to instruction; jump-if-not: to instruction, condition.
"""
COLUMNS = 5
FINISHED, PAUSED, NOT_FINITE, FAILED = range(4)
HEADER = 2
"""Operands before a unit's own: the range of words it writes as floats, checked after each execution."""


@intrinsic
def call(typing_context: Any, adapter: Any, function: Any, memory: Any, operands: Any, contexts: Any) -> Any:
    """Calls an adapter by its address; all arguments are addresses."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        word = ir.IntType(64)
        code = builder.inttoptr(arguments[0], ir.FunctionType(word, [word] * 4).as_pointer())
        return builder.call(code, arguments[1:])

    return types.int64(*[types.int64] * 5), generate


_call: Any = call  # of five arguments: the first is numba's


@njit(cache=True, nogil=True)
def execute(
    code: Integers,
    functions: Integers,
    operands: Integers,
    contexts: Integers,
    memory: Array,
    words: Integers,
    counts: Integers,
    addresses: Integers,
    first: int,
    steps: int,
) -> tuple[int, int, int]:
    """Carries out instructions until the program ends, a unit fails, or ``steps`` have been taken.

    Args:
        code: (I, 5) opcode, three arguments, node.
        functions: (U, 2) addresses of the units' adapters and functions.
        operands: (O,) all units' operands.
        contexts: (C,) addresses and sizes of the arrays of all contexts.
        memory: (W,) the machine's memory.
        words: (W,) the same memory as integers.
        counts: (N,) how often each node was executed; counted on.
        addresses: (3,) of memory, operands and contexts.
        first: Instruction to start at.
        steps: Most instructions to carry out.

    Returns:
        FINISHED, PAUSED, NOT_FINITE or FAILED; the instruction to go on at, or the one that failed; and the word that
        is not finite or the unit's result.
    """
    pc = first
    for _ in range(steps):
        opcode = code[pc, 0]
        if opcode == EXECUTE:
            start = code[pc, 2]
            counts[code[pc, 4]] += code[pc, 3]
            unit = code[pc, 1]
            result: int = _call(
                functions[unit, 0], functions[unit, 1], addresses[0], addresses[1] + 8 * (start + HEADER), addresses[2]
            )
            if result != 0:
                return FAILED, pc, result
            for word in range(operands[start], operands[start + 1]):
                if not math.isfinite(memory[word]):
                    return NOT_FINITE, pc, word
        elif opcode == COPY:
            for k in range(code[pc, 3]):
                words[code[pc, 1] + k] = words[code[pc, 2] + k]
        elif opcode == JUMP:
            pc = code[pc, 1] - 1
        elif opcode == JUMP_IF_NOT:
            if words[code[pc, 2]] == 0:
                pc = code[pc, 1] - 1
        else:
            return FINISHED, pc, 0
        pc += 1
    return PAUSED, pc, 0


def warm_up() -> None:
    """Compiles the loop, or loads it from the cache."""
    code = np.array([[EXIT, 0, 0, 0, 0]], np.int64)
    integers, memory = np.zeros(3, np.int64), np.zeros(1)
    functions = np.zeros((1, 2), np.int64)
    execute(code, functions, integers, integers, memory, memory.view(np.int64), integers, integers, 0, 1)
