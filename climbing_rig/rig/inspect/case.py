"""All that is known of a node and a tick, for the questions of ``rig.layers``."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from climbing_rig.rig.inspect.effect import Effect
from climbing_rig.rig.inspect.listing import Instruction, instructions
from climbing_rig.rig.inspect.recording import Recording, Step
from climbing_rig.rig.inspect.watch import VARIABLE
from climbing_rig.rig.order import reads
from climbing_rig.rig.program import LINK, CompiledNode, Program

Key = tuple[str, str, int]
"""A word: kind, place and number, see ``watch.Change``."""


class Verdict(str, enum.Enum):
    """What a layer says of itself."""

    FINE = "fine"
    PERHAPS = "perhaps"
    """It can be why the node has no effect; whether it is depends on the unit."""
    EXPLAINS = "explains"
    UNKNOWN = "unknown"
    """Nothing can be said, as an earlier layer failed."""


@dataclass(frozen=True)
class Layer:
    """One of the five answers.

    Attributes:
        name: linked, executed, weight, input or overwritten.
        verdict: What it says.
        words: Why, for people.
    """

    name: str
    verdict: Verdict
    words: str


@dataclass(frozen=True)
class Case:
    """All that is known of a node and a tick.

    Attributes:
        program: The program.
        node: The node.
        recording: A tick.
        effect: What that tick is without the node; None where that was not tried.
    """

    program: Program
    node: CompiledNode
    recording: Recording
    effect: Effect | None

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """The node's executions."""
        return tuple(step for step in self.recording.of(self.node.name) if step.inputs or not self.node.inputs)

    @cached_property
    def listing(self) -> tuple[Instruction, ...]:
        """The program's instructions."""
        return instructions(self.program)

    def compiled(self, name: str) -> CompiledNode:
        """Another node of the program."""
        return next(node for node in self.program.nodes if node.name == name)

    def said(self, node: CompiledNode, pin: str, value: Any) -> str:
        """A pin's value and where it comes from."""
        slot = node.inputs[pin]
        if slot.role == LINK:
            return f"{pin} is {shown(value)}, from {slot.link}"
        return f"{pin} is {shown(value)}{'' if pin in node.node.inputs else ', its default'}"


def readers(program: Program, name: str) -> Iterator[tuple[str, str]]:
    """(what reads, link) for every enabled node that reads an output of a node."""
    enabled = {node.name for node in program.nodes if node.enabled}
    for node in program.graph.walk():
        for _, read, text in reads(node):
            if read == name and node.name in enabled:
                yield node.name, text


# -- words ------------------------------------------------------------------------------------------------------------


def places(keys: Iterable[Key]) -> str:
    """``$a, skeleton.q``: the places of some words."""
    return ", ".join(dict.fromkeys(f"${place}" if kind == VARIABLE else place for kind, place, _ in keys))


def shown(value: Any) -> str:
    """A value in few words."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, tuple | list):
        return f"({', '.join(map(shown, value))})"
    return str(value)


def numbers(value: Any) -> list[float]:
    """All numbers in a value; none in a name."""
    if isinstance(value, tuple | list):
        return [number for item in value for number in numbers(item)]
    return [] if isinstance(value, str) else [float(value)]


def listed(words: Iterable[str]) -> str:
    """Several things in a row."""
    return "; ".join(words)
