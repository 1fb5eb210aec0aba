"""Where a tick's time goes: the share of each node, and how far that can be believed.

A machine at full speed cannot be looked into. So each tick is taken instruction by instruction, where an instruction is
timed together with the way from Python into native code and back, and then once more at full speed from the same
moment. What the one takes longer than the other is the recording's, the same for every instruction, and taken off.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from climbing_rig.errors import RigError
from climbing_rig.rig.inspect.listing import MAIN
from climbing_rig.rig.inspect.listing import instructions as listed
from climbing_rig.rig.inspect.watch import Moment
from climbing_rig.rig.machine import Machine
from climbing_rig.rig.program import Program

MOST_TICKS = 100_000
PATIENCE = 2.0
"""Seconds after which progress is told."""


@dataclass(frozen=True)
class NodeTime:
    """A node's part of a tick.

    Attributes:
        node: Its name.
        unit: Its unit.
        depth: How many loops and branches it is in.
        executions: In a tick, on average.
        microseconds: In a tick, on average, without the overhead of recording.
        share: Of the time of all nodes, 0 to 1.
    """

    node: str
    unit: str
    depth: int
    executions: float
    microseconds: float
    share: float


@dataclass(frozen=True)
class Profile:
    """Times of some ticks.

    Attributes:
        graph: Name of the graph.
        ticks: How many were recorded.
        native: Microseconds of a tick of the machine at full speed: median.
        native_slow: 99th percentile of the same.
        recorded: Microseconds of a recorded tick, overhead included: sum of its instructions' medians.
        overhead: Microseconds that recording adds to each instruction, taken off the nodes' times.
        spread: Between the quartiles of an instruction's recorded time, microseconds: median of the instructions.
        instructions: Of a tick, mean.
        nodes: In the order of execution.
    """

    graph: str
    ticks: int
    native: float
    native_slow: float
    recorded: float
    overhead: float
    spread: float
    instructions: float
    nodes: tuple[NodeTime, ...]

    def as_json(self) -> dict[str, Any]:
        """For ``json.dumps``; times in microseconds."""
        nodes = [
            {"node": n.node, "unit": n.unit, "depth": n.depth, "executions": round(n.executions, 3),
             "microseconds": round(n.microseconds, 4), "share": round(n.share, 5)}
            for n in self.nodes
        ]  # fmt: skip
        return {
            "graph": self.graph,
            "ticks": self.ticks,
            "native": round(self.native, 3),
            "native_slow": round(self.native_slow, 3),
            "recorded": round(self.recorded, 3),
            "overhead": round(self.overhead, 4),
            "spread": round(self.spread, 4),
            "instructions": round(self.instructions, 3),
            "nodes": nodes,
        }


class _Stopwatch:
    """A recorder that only notes times, of every instruction in every tick."""

    def __init__(self, machine: Machine, ticks: int) -> None:
        self.times = np.zeros((ticks, len(machine.program.code)), np.float32)
        """(T, I) microseconds, of all executions of an instruction in a tick."""
        self.counts = np.zeros_like(self.times)
        self.tick = -1
        self.moment: Moment | None = None

    def begin(self, machine: Machine) -> None:
        self.tick += 1
        self.moment = Moment(machine)
        _awaken(machine)

    def record(self, pc: int, nanoseconds: int) -> None:
        self.times[self.tick, pc] += nanoseconds / 1000.0
        self.counts[self.tick, pc] += 1


def profile(
    machine: Machine,
    tick: Callable[[], object],
    ticks: int = 1000,
    progress: Callable[[str], object] | None = None,
) -> Profile:
    """Times ticks, each recorded first and then once more at full speed from the same moment.

    Args:
        machine: Of which.
        tick: What runs it once.
        ticks: How many, 1 to ``MOST_TICKS``.
        progress: Told how far it is, from two seconds on.

    Raises:
        RigError: ``ticks`` is out of range, or a tick failed.
    """
    if not 1 <= ticks <= MOST_TICKS:
        raise RigError(f"ticks is {ticks}, must be 1 to {MOST_TICKS}", name="ticks", given=ticks)
    _awaken(machine)
    watch, native = _Stopwatch(machine, ticks), []
    kept = machine.recorder
    told = time.monotonic() + PATIENCE
    try:
        for done in range(ticks):
            machine.recorder = watch
            tick()
            machine.recorder = None
            if watch.tick != done or watch.moment is None:
                raise RigError(f"rig '{machine.program.graph.name}' is not executed once a tick", name="tick")
            native.append(_native(machine, watch.moment))
            if progress is not None and time.monotonic() > told:
                told = time.monotonic() + PATIENCE
                progress(f"{done + 1} of {ticks} ticks")
    finally:
        machine.recorder = kept
    return _result(machine, watch, native)


def _awaken(machine: Machine) -> None:
    """Carries out the last instruction, exit, so that what comes next finds the native loop loaded and at hand."""
    machine.step(len(machine.program.code) - 1)


def _native(machine: Machine, before: Moment) -> float:
    """Microseconds of the tick just recorded, at full speed; leaves everything as the recorded one did."""
    after = Moment(machine)
    before.restore(machine)
    _awaken(machine)
    started = time.perf_counter_ns()
    machine.run()
    spent = time.perf_counter_ns() - started
    after.restore(machine)
    return spent / 1000.0


def _result(machine: Machine, watch: _Stopwatch, native: list[float]) -> Profile:
    program = machine.program
    # Medians: what else the computer did meanwhile is no node's time.
    times, counts = np.median(watch.times, axis=0), watch.counts.mean(axis=0)
    each = watch.times / np.maximum(watch.counts, 1.0)
    quartiles = np.percentile(each, (25, 75), axis=0)
    instructions, recorded, full = float(counts.sum()), float(times.sum()), statistics.median(native)
    overhead = max(recorded - full, 0.0) / instructions
    nodes = _nodes(program, np.maximum(times - overhead * counts, 0.0), counts)
    return Profile(
        program.graph.name, len(native), full, float(np.percentile(native, 99)), recorded, overhead,
        float(np.median((quartiles[1] - quartiles[0])[counts > 0.0])), instructions, nodes,
    )  # fmt: skip


def _nodes(program: Program, times: NDArray[Any], counts: NDArray[Any]) -> tuple[NodeTime, ...]:
    """Node by node, from (I) microseconds and numbers of executions in a tick."""
    names = [node.name for node in program.graph.walk()]
    spent, rounds = dict.fromkeys(names, 0.0), dict.fromkeys(names, 0.0)
    for line in listed(program):
        if line.node:
            spent[line.node] += float(times[line.pc])
        if line.role == MAIN:
            rounds[line.node] = float(counts[line.pc])
    total = sum(spent.values()) or 1.0
    return tuple(
        NodeTime(node.name, node.unit.name, node.depth, rounds[node.name], spent[node.name], spent[node.name] / total)
        for node in program.nodes
    )
