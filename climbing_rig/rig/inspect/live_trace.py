"""Now and then a tick of a running machine, looked at in passing: times node by node, and the values of chosen pins.

Cheaper than ``recording``: values are those at the end of the tick, and only the machine's words are copied. What is
copied becomes text elsewhere, in a thread that nobody waits for.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

import numpy as np
from numpy.typing import NDArray

from climbing_rig.rig.machine import Machine
from climbing_rig.rig.native import EXIT
from climbing_rig.rig.program import Slot
from climbing_rig.rig.types import KINDS, Names

MICROSECONDS, EXECUTED = "microseconds", "executed"
"""Said of every node beside its pins; patterns choose them like pins."""
VARIABLES, INPUTS = "$variables", "$inputs"
"""Names under which the graph's own values are told; no node is called so."""
MOST_ITEMS = 64
"""Items of an array that are told."""
_TRIES = 20

Values = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class NodeTrace:
    """One node in one tick.

    Attributes:
        name: The node; ``VARIABLES`` or ``INPUTS`` for the graph's own values.
        unit: Its unit; "" for the graph's own values.
        failed: Whether the tick ended here.
        values: Key -> text: chosen pins, then ``microseconds`` and ``executed``. Truth is 1 or 0, a bone or limb its
            name; what has parts is told part by part: ``target.x``, ``weights[2]``.
    """

    name: str
    unit: str
    failed: bool
    values: Values


@dataclass(frozen=True)
class _Chosen:
    """A value that is told: its key, its slot, and where it lies in the machine."""

    key: str
    slot: Slot
    view: NDArray[Any]


class LiveTrace:
    """Traces ticks of one machine.

    Args:
        machine: Between two ticks.
        patterns: ``node.pin``, variables and inputs that fit one of these are told; ``*`` stands for anything.
    """

    def __init__(self, machine: Machine, patterns: Sequence[str]) -> None:
        self.machine = machine
        self.patterns = tuple(patterns)
        self._program = machine.program
        self._code = [int(number) for number in self._program.code[:, 4]]
        self._exit = len(self._code) - 1
        self._nanoseconds = [0] * (len(machine.counts) + 1)  # the last for what belongs to no node
        self._instructions = [0] * len(self._nanoseconds)
        self._last, self._last_time = -1, 0
        self._begun = False
        self._rows = list(self._choose())
        self._overhead = self._time_of_nothing()

    def _choose(self) -> Iterator[tuple[str, str, int, tuple[_Chosen, ...]]]:
        """(name, unit, number in the code, values) of everything that is told."""
        program = self._program
        for name, slots in ((INPUTS, program.inputs), (VARIABLES, program.variables)):
            values = tuple(self._chosen(key, slot) for key, slot in slots.items() if self._fits(key))
            if values:
                yield name, "", -1, values
        numbers = {node.name: i for i, node in enumerate(program.graph.walk())}
        for node in program.nodes:
            pins = {**node.inputs, **node.outputs}
            values = tuple(self._chosen(pin, slot) for pin, slot in pins.items() if self._fits(f"{node.name}.{pin}"))
            if values or any(self._fits(f"{node.name}.{word}") for word in (MICROSECONDS, EXECUTED)):
                yield node.name, node.unit.name, numbers[node.name], values

    def _fits(self, name: str) -> bool:
        return any(fnmatchcase(name, pattern) for pattern in self.patterns)

    def _chosen(self, key: str, slot: Slot) -> _Chosen:
        return _Chosen(key, slot, self.machine.view(slot.name))

    def _time_of_nothing(self) -> int:
        """Nanoseconds of the way into native code and back."""
        best = 1_000_000
        for _ in range(_TRIES):
            started = time.perf_counter_ns()
            self.machine.step(self._exit)
            best = min(best, time.perf_counter_ns() - started)
        return best

    # -- a tick --------------------------------------------------------------------------------------------------

    def watch(self, tick: Callable[[], Any]) -> Any:
        """Carries out ``tick`` and returns its result; the machine is watched if it is run by it once."""
        kept, self.machine.recorder = self.machine.recorder, self
        self._begun = False
        try:
            return tick()
        finally:
            self.machine.recorder = kept

    def begin(self, machine: Machine) -> None:
        """See ``Recorder``."""
        self._begun = True
        self._nanoseconds = [0] * len(self._nanoseconds)
        self._instructions = [0] * len(self._instructions)

    def record(self, pc: int, nanoseconds: int) -> None:
        """See ``Recorder``."""
        number = self._code[pc]
        self._nanoseconds[number] += nanoseconds
        self._instructions[number] += 1
        self._last, self._last_time = pc, nanoseconds

    def copy(self) -> Callable[[], tuple[NodeTrace, ...]] | None:
        """What makes text of the tick just watched, whenever and in whatever thread; None if the machine was not run.

        Values are copied now.
        """
        if not self._begun:
            return None
        failed = self._code[self._last] if self._program.code[self._last, 0] != EXIT else -1
        counts = self.machine.counts.tolist()
        self._nanoseconds[failed] -= self._last_time if failed >= 0 else 0  # putting the failure into words takes long
        rows = []
        for name, unit, number, chosen in self._rows:
            copies = [(one.key, one.slot, _words(one.slot, one.view)) for one in chosen]
            spent = max(self._nanoseconds[number] - self._overhead * self._instructions[number], 0) if unit else 0
            rows.append((name, unit, unit != "" and number == failed, copies, spent, counts[number] if unit else 0))
        names = self._program.names

        def text() -> tuple[NodeTrace, ...]:
            return tuple(
                NodeTrace(name, unit, stopped, _texts(copies, names) + (_facts(spent, executed) if unit else ()))
                for name, unit, stopped, copies, spent, executed in rows
            )

        return text


def _facts(nanoseconds: int, executed: int) -> Values:
    return (MICROSECONDS, f"{nanoseconds / 1000.0:.2f}"), (EXECUTED, str(executed))


def _words(slot: Slot, view: NDArray[Any]) -> list[Any]:
    """The words of a value; of an array, its number of items and those that are told."""
    if slot.type.capacity is None:
        words: list[Any] = view.tolist()
        return words
    count = min(max(int(view[:1].view(np.int64)[0]), 0), int(slot.type.capacity), MOST_ITEMS)
    return [count, *view[1 : 1 + count * slot.type.item_words].tolist()]


def _texts(copies: list[tuple[str, Slot, list[Any]]], names: Names) -> Values:
    return tuple(pair for key, slot, words in copies for pair in _text(key, slot, words, names))


def _text(key: str, slot: Slot, words: list[Any], names: Names) -> Iterator[tuple[str, str]]:
    kind, size = slot.type.kind, slot.type.item_words
    if slot.type.capacity is None:
        yield from _item(key, kind, words, names)
        return
    for i in range(words[0]):
        yield from _item(f"{key}[{i}]", kind, words[1 + i * size : 1 + (i + 1) * size], names)


def _item(key: str, kind: str, words: list[Any], names: Names) -> Iterator[tuple[str, str]]:
    parts = KINDS[kind].parts
    if parts:
        for part, (first, inner) in parts.items():
            yield from _item(f"{key}.{part}", inner, words[first : first + KINDS[inner].words], names)
    elif kind in ("bone", "limb"):
        valid = names.of(kind)
        yield key, valid[words[0]] if 0 <= words[0] < len(valid) else str(words[0])
    elif KINDS[kind].integer:
        yield key, str(words[0])
    else:
        yield key, f"{words[0]:.9g}" if math.isfinite(words[0]) else str(words[0])
