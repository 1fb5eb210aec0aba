"""A tick of a machine, looked at node by node: what each was given, what it made of it, and what it changed."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from climbing_rig.errors import RigError
from climbing_rig.rig.inspect.listing import CONDITION, END, FLOW, MAIN, SET, START, Instruction, instructions
from climbing_rig.rig.inspect.watch import VARIABLE, Change, Moment, Watch
from climbing_rig.rig.machine import Machine


@dataclass(frozen=True)
class Step:
    """One execution of a node.

    Attributes:
        pc: The instruction that executed its unit; where it did not come to that, the one it stopped at.
        pcs: All instructions of this execution, in order.
        node: Its name.
        unit: Its unit.
        depth: How many loops and branches it is in.
        execution: 1 for its first execution in the tick.
        inputs: Input pin -> value, as its unit was given it.
        outputs: Output pin -> value; empty where it did not come to that.
        microseconds: How long it took, the overhead of recording included (see ``rig.profile``).
        changed: What it changed in variables and contexts.
        failed: Whether the tick ended here.
    """

    pc: int
    pcs: tuple[int, ...]
    node: str
    unit: str
    depth: int
    execution: int
    inputs: Mapping[str, Any]
    outputs: Mapping[str, Any]
    microseconds: float
    changed: tuple[Change, ...]
    failed: bool = False

    def as_json(self) -> dict[str, Any]:
        """For ``json.dumps``."""
        return {
            "pc": self.pc,
            "node": self.node,
            "unit": self.unit,
            "depth": self.depth,
            "execution": self.execution,
            "inputs": {pin: plain(value) for pin, value in self.inputs.items()},
            "outputs": {pin: plain(value) for pin, value in self.outputs.items()},
            "microseconds": round(self.microseconds, 3),
            "changed": [change.as_json() for change in self.changed],
            "failed": self.failed,
        }


@dataclass(frozen=True)
class Recording:
    """One tick.

    Attributes:
        graph: Name of the graph.
        steps: Executions in their order, up to and including the one that failed.
        error: Why the tick ended early, or None.
        unwatched: Arrays of contexts too large to see changes in.
    """

    graph: str
    steps: tuple[Step, ...]
    error: RigError | None = None
    unwatched: tuple[str, ...] = ()

    def of(self, node: str) -> tuple[Step, ...]:
        """The executions of one node."""
        return tuple(step for step in self.steps if step.node == node)

    def as_json(self) -> dict[str, Any]:
        """For ``json.dumps``."""
        return {
            "graph": self.graph,
            "steps": [step.as_json() for step in self.steps],
            "error": None if self.error is None else str(self.error),
            "unwatched": list(self.unwatched),
        }


def plain(value: Any) -> Any:
    """A value as JSON can say it: what is not finite as a word."""
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def record_tick(machine: Machine, tick: Callable[[], object] | None = None) -> Recording:
    """Records one tick.

    Args:
        machine: Of which; its own recorder is put aside meanwhile.
        tick: What runs the machine once; its ``run`` when None.

    Returns:
        The recording; of a tick that failed, with the error, which is not raised.

    Raises:
        RigError: The tick failed for a reason outside the machine, or did not run it.
    """
    return record_moment(machine, tick)[0]


def record_moment(machine: Machine, tick: Callable[[], object] | None = None) -> tuple[Recording, Moment]:
    """As ``record_tick``; also gives the moment before the first instruction, to run the tick again from."""
    machine.step(len(machine.program.code) - 1)  # exit: loads the native loop, which is no node's time
    recorder, kept = TickRecorder(), machine.recorder
    machine.recorder = recorder
    error: RigError | None = None
    try:
        (tick or machine.run)()
    except RigError as caught:
        if not recorder.begun:
            raise
        error = caught
    finally:
        machine.recorder = kept
    if error is None:
        error = recorder.broken_off()
    if recorder.moment is None:
        raise RigError(f"rig '{machine.program.graph.name}' was not executed in this tick", name="tick")
    return recorder.recording(error), recorder.moment


@dataclass
class _Open:
    """An execution that is under way."""

    node: str
    execution: int
    pc: int
    inputs: Mapping[str, Any] = field(default_factory=dict)
    outputs: Mapping[str, Any] = field(default_factory=dict)
    pcs: list[int] = field(default_factory=list)
    nanoseconds: int = 0
    changed: list[Change] = field(default_factory=list)


class TickRecorder:
    """Records a tick for ``Machine.recorder``; asked for the ``recording`` when the tick is over.

    Attributes:
        begun: Whether a tick has begun.
        moment: What machine and contexts held before its first instruction.
    """

    begun = False
    moment: Moment | None = None

    def begin(self, machine: Machine) -> None:
        """See ``Recorder``."""
        self.begun = True
        self.moment = Moment(machine)
        self._machine = machine
        self._listing = instructions(machine.program)
        self._nodes = {node.name: node for node in machine.program.nodes}
        self._watch = Watch(machine)
        self._executions: dict[str, int] = {}
        self._open: list[_Open] = []
        self._current: _Open | None = None
        self._ended = False
        self._given = self._inputs_at(0)

    def record(self, pc: int, nanoseconds: int) -> None:
        """See ``Recorder``."""
        line = self._listing[pc]
        if line.role == END:
            self._ended = True
            return
        if line.role == FLOW:  # the way back of a loop, or past an else: time of the node, not another execution
            self._last(line.node).nanoseconds += nanoseconds
            self._current = None
            self._given = self._inputs_at(self._following(line))
            return
        current = self._current
        if current is None or current.node != line.node or pc <= current.pcs[-1]:
            count = self._executions[line.node] = self._executions.get(line.node, 0) + 1
            self._current = current = _Open(line.node, count, pc)
            self._open.append(current)
        current.pcs.append(pc)
        current.nanoseconds += nanoseconds
        if line.role == MAIN:
            current.pc, current.inputs = pc, self._given
            outputs = self._nodes[line.node].outputs
            current.outputs = {pin: self._machine.get(slot.name) for pin, slot in outputs.items()}
        if line.role in (MAIN, SET, START):
            current.changed += self._watch.changes()
        self._given = self._inputs_at(self._following(line))

    def _last(self, node: str) -> _Open:
        return next(step for step in reversed(self._open) if step.node == node)

    def _following(self, line: Instruction) -> int:
        """The instruction that comes after one that has been executed."""
        skip = line.role == FLOW
        if line.role == CONDITION:
            outputs = self._nodes[line.node].outputs
            slot = outputs.get("going", outputs.get("taken"))
            skip = slot is not None and not self._machine.get(slot.name)
        return line.target if skip and line.target is not None else line.pc + 1

    def _inputs_at(self, pc: int) -> Mapping[str, Any]:
        """What the unit of an instruction will be given: looked at before, as some units work in place."""
        line = self._listing[pc] if pc < len(self._listing) else None
        if line is None or line.role != MAIN:
            return {}
        return {pin: self._machine.get(slot.name) for pin, slot in self._nodes[line.node].inputs.items()}

    def broken_off(self) -> RigError | None:
        """An error where a tick did not come to its end, though whoever ran it let nothing be known of that."""
        if not self.begun or self._ended:
            return None
        name = self._open[-1].node if self._open else None
        return RigError(f"the tick ended at node '{name}'; whoever ran it has taken the error", name=name)

    def recording(self, error: RigError | None = None) -> Recording:
        """What has been recorded.

        Args:
            error: What ended the tick, or None.
        """
        steps = [self._step(step) for step in self._open]
        if error is not None and steps and error.name == steps[-1].node:
            steps[-1] = self._failed(self._open[-1])
        return Recording(self._machine.program.graph.name, tuple(steps), error, self._watch.unwatched)

    def _step(self, step: _Open) -> Step:
        node = self._nodes[step.node]
        return Step(
            step.pc, tuple(step.pcs), step.node, node.unit.name, node.depth, step.execution, step.inputs, step.outputs,
            step.nanoseconds / 1000.0, _merged(step.changed),
        )  # fmt: skip

    def _failed(self, step: _Open) -> Step:
        # The variables have gone back to what they were before the tick by now: that is no change of this node's.
        step.changed = [change for change in step.changed if change.kind != VARIABLE]
        return replace(self._step(step), failed=True)


def _merged(changes: list[Change]) -> tuple[Change, ...]:
    """One change a place."""
    words: dict[tuple[str, str], set[int]] = {}
    for change in changes:
        words.setdefault((change.kind, change.place), set()).update(change.words)
    return tuple(Change(kind, place, tuple(sorted(found))) for (kind, place), found in words.items())
