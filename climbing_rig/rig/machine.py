"""The machine: one memory in which a program runs, tick after tick, without allocating."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from climbing_rig.errors import RigError
from climbing_rig.rig.adapter import RAISED
from climbing_rig.rig.contexts import CONTEXTS
from climbing_rig.rig.native import EXECUTE, FINISHED, NOT_FINITE, PAUSED, execute
from climbing_rig.rig.program import HIDDEN, LINK, OUTPUT, CompiledNode, Program, Slot
from climbing_rig.rig.types import decode, encode

MOST_STEPS = 10_000_000
"""Instructions of one tick (some tenths of a second) after which a loop counts as endless."""
MOST_WATCHED = 200_000
"""Instructions of a watched tick: each is some microseconds, and is kept by whoever watches."""


class Recorder(Protocol):
    """Watches a machine, instruction by instruction."""

    def begin(self, machine: Machine) -> None:
        """A tick begins: nothing has been executed yet."""

    def record(self, pc: int, nanoseconds: int) -> None:
        """An instruction has been executed, or has failed."""


class Machine:
    """Runs a program; any number of machines may run one program, each in its own thread.

    Args:
        program: What to run.
        contexts: What its units work on: name -> named tuple of arrays; those that nothing asks for are left aside.

    Raises:
        RigError: A context is missing or of another structure.

    Attributes:
        program: What it runs.
        counts: (N,) how often each node was executed in the last tick, by its number in the code.
        recorder: Watches every instruction of the coming ticks; None for full speed.
    """

    recorder: Recorder | None = None

    def __init__(self, program: Program, contexts: Mapping[str, Any] | None = None) -> None:
        self.program = program
        self._memory = program.image.copy()
        self._words = self._memory.view(np.int64)
        count = sum(1 for _ in program.graph.walk())
        self.counts = np.zeros(max(count, 1), np.int64)
        entries = sum(CONTEXTS[name].entries for name in program.contexts)
        self._table = np.zeros(max(entries, 1), np.int64)
        self._bound: dict[str, Any] = {}
        slots = program.variables.values()
        self._kept = slice(
            min((slot.offset for slot in slots), default=0), max((slot.end for slot in slots), default=0)
        )
        self._before = np.zeros(self._kept.stop - self._kept.start)
        addresses = np.array(
            [self._memory.ctypes.data, program.operands.ctypes.data, self._table.ctypes.data], np.int64
        )
        self._arguments = (
            program.code, program.functions, program.operands, self._table, self._memory, self._words, self.counts,
            addresses,
        )  # fmt: skip
        given = contexts or {}
        for name in program.contexts:
            if name not in given:
                raise RigError(
                    f"rig '{program.graph.name}' works on {name} ({CONTEXTS[name].doc}), which is not here",
                    name=name, choices=given,
                )  # fmt: skip
            self.bind(name, given[name])

    def bind(self, name: str, value: Any) -> None:
        """Gives a context, or another one in its place; it is kept alive and worked on where it lies.

        A context the program does not ask for is left aside.

        Raises:
            RigError: It is of another structure than the units expect.
        """
        start = self.program.contexts.get(name)
        if start is not None:
            CONTEXTS[name].fill(value, self._table[start : start + CONTEXTS[name].entries])
            self._bound[name] = value

    @property
    def bound(self) -> Mapping[str, Any]:
        """The contexts it works on, by name."""
        return MappingProxyType(self._bound)

    # -- values --------------------------------------------------------------------------------------------------

    def _slot(self, name: str) -> Slot:
        slot = self.program.slots.get(name)
        if slot is None:
            raise RigError(
                f"rig '{self.program.graph.name}' has no value '{name}'", name=name, given=name,
                choices=self.program.slots,
            )  # fmt: skip
        return slot

    def get(self, name: str) -> Any:
        """The present value of ``node.pin``, a variable or a graph input."""
        slot = self._slot(name)
        return decode(slot.type, self._memory[slot.offset : slot.end], self.program.names)

    def set(self, name: str, value: object) -> None:
        """Changes a graph input, a variable, or the literal of an input pin, for this machine alone.

        Raises:
            RigError: There is no such value, it is computed by a node, or the given one is of another type.
        """
        slot = self._slot(name)
        if slot.role == LINK:
            raise RigError(f"'{name}' is linked to {slot.link}: set that instead", name=name, given=value)
        if slot.role in (OUTPUT, HIDDEN):
            raise RigError(f"'{name}' is computed by a node", name=name, given=value)
        try:
            self._memory[slot.offset : slot.end] = encode(slot.type, value, self.program.names)
        except ValueError as error:
            raise RigError(f"'{name}' is {slot.type}: {error}", name=name, given=value) from None

    def view(self, name: str) -> NDArray[Any]:
        """The words of a value, to be read or written in place: (words,), float64, or int64 where they are integers."""
        slot = self._slot(name)
        return (self._words if slot.type.integer else self._memory)[slot.offset : slot.end]

    def reset(self) -> None:
        """All variables at their initial values; literals that were set stay."""
        self._memory[self._kept] = self.program.image[self._kept]

    def adopt(self, other: Machine) -> None:
        """Takes over the variables and inputs of another machine that have the same name and type here.

        A bone or limb is taken over by its name; one that this machine's robot does not have is left aside.
        """
        for name, slot in [*self.program.variables.items(), *self.program.inputs.items()]:
            there = other.program.slots.get(name)
            if there is None or there.type != slot.type or there.role != slot.role:
                continue
            if slot.type.kind in ("bone", "limb"):  # numbers that mean other names on another robot
                with suppress(ValueError):
                    self._memory[slot.offset : slot.end] = encode(slot.type, other.get(name), self.program.names)
                continue
            self._memory[slot.offset : slot.end] = other._memory[there.offset : there.end]

    # -- running -------------------------------------------------------------------------------------------------

    def run(self) -> None:
        """One tick.

        Raises:
            RigError: A node's output is not finite, its function failed, or a loop does not end. The variables are
                then as before the tick; contexts are as the last node left them.
        """
        self.start()
        if self.recorder is not None:
            self._run_recorded(self.recorder)
            return
        status, pc, detail = execute(*self._arguments, 0, MOST_STEPS)
        if status != FINISHED:
            self._stop(status, pc, MOST_STEPS if status == PAUSED else detail)

    def _run_recorded(self, recorder: Recorder) -> None:
        recorder.begin(self)
        pc = 0
        for _ in range(MOST_WATCHED):
            started = time.perf_counter_ns()
            try:
                following = self.step(pc)
            finally:
                recorder.record(pc, time.perf_counter_ns() - started)
            if following is None:
                return
            pc = following
        self._stop(PAUSED, pc, MOST_WATCHED)

    def start(self) -> None:
        """Begins a tick that is carried out by ``step``."""
        self.counts[:] = 0
        self._before[:] = self._memory[self._kept]

    def step(self, pc: int) -> int | None:
        """One instruction of a tick; returns the next one, or None after the last.

        Raises:
            RigError: As for ``run``.
        """
        status, following, detail = execute(*self._arguments, pc, 1)
        if status == FINISHED:
            return None
        if status != PAUSED:
            self._stop(status, following, detail)
        return int(following)

    def _stop(self, status: int, pc: int, detail: int) -> None:
        self._memory[self._kept] = self._before
        node = self._node_at(pc)
        where = f"node '{node.name}' ({node.unit.name}, {node.unit.place})" if node else "the program"
        name = node.name if node else None
        if status == NOT_FINITE and node is not None:
            pin, value = self._pin_at(node, detail)
            raise RigError(f"{where}: output '{pin}' is not finite: {value}", name=name, pin=pin, given=value)
        if status == PAUSED:
            raise RigError(f"{where}: the tick was ended after {detail} instructions", name=name)
        unit = self.program.units[self.program.code[pc, 1]] if self.program.code[pc, 0] == EXECUTE else None
        if detail == RAISED or unit is None or not 0 < detail <= len(unit.failures):
            raise RigError(f"{where}: its function raised an exception", name=name)
        raise RigError(f"{where}: {unit.failures[detail - 1]}", name=name)

    def _node_at(self, pc: int) -> CompiledNode | None:
        number = int(self.program.code[pc, 4])
        names = [node.name for node in self.program.graph.walk()]
        found = [node for node in self.program.nodes if number >= 0 and node.name == names[number]]
        return found[0] if found else None

    def _pin_at(self, node: CompiledNode, word: int) -> tuple[str, Any]:
        for pin, slot in node.outputs.items():
            if slot.offset <= word < slot.end:
                return pin, self.get(slot.name)
        return "", float(self._memory[word])
