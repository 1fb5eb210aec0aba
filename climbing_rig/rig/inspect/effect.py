"""What a node does to a tick, by trial: the same tick once as it is and once with the node disabled."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from climbing_rig.errors import RigError
from climbing_rig.rig.compiler import compile_graph
from climbing_rig.rig.graph import Graph, Node
from climbing_rig.rig.inspect.watch import CONTEXT, VARIABLE, Change, Moment, Watch
from climbing_rig.rig.machine import Machine
from climbing_rig.rig.program import OUTPUT


@dataclass(frozen=True)
class Effect:
    """How a tick ends otherwise without a node.

    Attributes:
        kept: Variables and contexts whose words differ at the end.
        outputs: Other nodes' outputs that differ.
        failure: Where only one of the two ticks fails, which and why; else "".
    """

    kept: tuple[Change, ...]
    outputs: tuple[Change, ...]
    failure: str = ""

    def __bool__(self) -> bool:
        return bool(self.kept or self.outputs or self.failure)


def effect_of(machine: Machine, node: str, before: Moment) -> Effect:
    """Runs a tick twice from a moment, with a node and without; machine and contexts are afterwards as they were.

    Args:
        machine: Which has the node.
        node: Its name.
        before: The moment before the tick (see ``recording.record_moment``).

    Raises:
        RigError: The graph does not compile without the node.
    """
    program = machine.program
    left_out = {inner.name for one in program.graph.walk() if one.name == node for inner in one.walk()}
    without = Machine(compile_graph(_without(program.graph, node), program.names), machine.bound)
    now, kept = Moment(machine), machine.recorder
    machine.recorder = None
    try:
        before.restore(machine)
        failed = _failure(machine)
        ends = _end(machine, machine, left_out)
        before.restore(machine)  # the contexts, which both work on
        before.restore(without)
        for slot in without.program.slots.values():
            if slot.name.split(".")[0] in left_out and slot.role == OUTPUT:
                first = without.program.image[slot.offset : slot.end]
                without.view(slot.name).view(np.int64)[:] = first.view(np.int64)
        failed_without = _failure(without)
        ends_without = _end(without, machine, left_out)
    finally:
        machine.recorder = kept
        now.restore(machine)
    if failed != failed_without:
        side = "without it" if failed_without else "with it"
        return Effect((), (), f"{side} the tick fails: {failed_without or failed}")
    differing = tuple(_differing(ends, ends_without))
    return Effect(
        tuple(change for change in differing if change.kind != OUTPUT),
        tuple(change for change in differing if change.kind == OUTPUT),
    )


def _without(graph: Graph, name: str) -> Graph:
    return replace(graph, nodes=[_disabled(node, name) for node in graph.nodes])


def _disabled(node: Node, name: str) -> Node:
    blocks = {block: [_disabled(inner, name) for inner in nodes] for block, nodes in node.blocks.items()}
    return replace(node, blocks=blocks, enabled=node.enabled and node.name != name)


def _failure(machine: Machine) -> str:
    try:
        machine.run()
    except RigError as error:
        return str(error)
    return ""


def _end(machine: Machine, owner: Machine, left_out: set[str]) -> Mapping[tuple[str, str], NDArray[np.int64]]:
    """Copies of all words that can tell a difference, by kind and place.

    Contexts are those of ``owner``: without the node, the program may have no use for one and not be bound to it.
    """
    words = {(VARIABLE, name): machine.view(name).view(np.int64).copy() for name in machine.program.variables}
    words |= {(kind, place): array.copy() for kind, place, array in Watch(owner).watched() if kind == CONTEXT}
    for name, slot in machine.program.slots.items():
        if slot.role == OUTPUT and name.split(".")[0] not in left_out:
            words[OUTPUT, name] = machine.view(name).view(np.int64).copy()
    return words


def _differing(
    with_it: Mapping[tuple[str, str], NDArray[np.int64]], without: Mapping[tuple[str, str], NDArray[np.int64]]
) -> Iterator[Change]:
    for (kind, place), words in with_it.items():
        other = without.get((kind, place))
        if other is not None and other.shape == words.shape:
            differ = np.flatnonzero(words != other)
            if differ.size:
                yield Change(kind, place, tuple(differ.tolist()))
