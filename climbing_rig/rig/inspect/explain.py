"""Why a node has no effect: five layers in their order, a trial without the node, and one sentence."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from climbing_rig.errors import RigError
from climbing_rig.rig.inspect.case import Case, Layer, Verdict, readers
from climbing_rig.rig.inspect.effect import Effect, effect_of
from climbing_rig.rig.inspect.layers import layers
from climbing_rig.rig.inspect.recording import record_moment
from climbing_rig.rig.inspect.watch import VARIABLE, Change
from climbing_rig.rig.machine import Machine
from climbing_rig.rig.program import CompiledNode, Program

MOST_PLACES = 6
"""Places that a sentence names."""


@dataclass(frozen=True)
class Explanation:
    """What a node does, or why it does nothing.

    Attributes:
        graph: Name of the graph.
        node: The node.
        unit: Its unit.
        place: ``file:line`` of the unit's function.
        layers: The five answers.
        effect: Whether the tick would end otherwise without the node.
        conclusion: One sentence.
    """

    graph: str
    node: str
    unit: str
    place: str
    layers: tuple[Layer, ...]
    effect: bool
    conclusion: str

    @property
    def layer(self) -> str:
        """The first layer that explains it; "" where none does."""
        return next((layer.name for layer in self.layers if layer.verdict is Verdict.EXPLAINS), "")

    def as_json(self) -> dict[str, Any]:
        """For ``json.dumps``."""
        return {
            "graph": self.graph, "node": self.node, "unit": self.unit, "place": self.place, "effect": self.effect,
            "layer": self.layer, "conclusion": self.conclusion,
            "layers": [
                {"layer": layer.name, "verdict": layer.verdict.value, "words": layer.words} for layer in self.layers
            ],
        }  # fmt: skip


def find_node(program: Program, name: str) -> CompiledNode:
    """A node by name.

    Raises:
        RigError: There is none; near names are named.
    """
    nodes = {node.name: node for node in program.nodes}
    if name not in nodes:
        near = difflib.get_close_matches(name, nodes, n=5, cutoff=0.5)
        raise RigError(f"rig '{program.graph.name}' has no node '{name}'", name=name, given=name, choices=near or nodes)
    return nodes[name]


def explain(machine: Machine, name: str, tick: Callable[[], object] | None = None) -> Explanation:
    """Records a tick and says what a node does in it, or why it does nothing.

    Args:
        machine: Which has the node.
        name: The node.
        tick: What runs the machine once; its ``run`` when None.

    Raises:
        RigError: There is no such node, or the tick failed outside the machine.
    """
    program = machine.program
    node = find_node(program, name)
    recording, before = record_moment(machine, tick)
    effect = effect_of(machine, name, before) if node.enabled and recording.of(name) else None
    case = Case(program, node, recording, effect)
    answers = layers(case)
    return Explanation(
        program.graph.name, name, node.unit.name, node.unit.place, answers, bool(effect), _conclusion(case, answers)
    )


def _conclusion(case: Case, answers: tuple[Layer, ...]) -> str:
    error = case.recording.error
    if error is not None and error.name == case.node.name:
        return f"it ends the tick: {error}"
    effect = case.effect
    first = next((layer for layer in answers if layer.verdict is Verdict.EXPLAINS), None)
    if first is not None:
        if effect:
            return f"{first.words}; what it hands on matters all the same: {_told(case, effect)}"
        return f"it has no effect: {first.words}"
    if effect:
        return f"it has an effect: {_told(case, effect)}"
    perhaps = next((layer for layer in answers if layer.verdict is Verdict.PERHAPS), None)
    if perhaps is not None:
        return f"it has no effect in this tick, perhaps for this reason: {perhaps.words}"
    by = list(dict.fromkeys(reader for reader, _ in readers(case.program, case.node.name)))
    by += [inner.name for nodes in case.node.node.blocks.values() for inner in nodes if case.recording.of(inner.name)]
    if not any(step.changed for step in case.steps) and not by:
        return "it has no effect in this tick: what it writes was there already"
    ask = f"; ask next about {', '.join(dict.fromkeys(by))}" if by else ""
    return f"it has no effect in this tick: without it, everything ends the same{ask}"


def _told(case: Case, effect: Effect) -> str:
    if effect.failure:
        return effect.failure
    if effect.kept:
        return f"without it the tick would end with other values in {_named(effect.kept)}"
    return f"without it there would be other values in {_named(effect.outputs)}, which no variable or context keeps"


def _named(changes: tuple[Change, ...]) -> str:
    names = [f"${change.text}" if change.kind == VARIABLE else change.text for change in changes]
    more = len(names) - MOST_PLACES
    return ", ".join(names[:MOST_PLACES]) + (f" and {more} more" if more > 0 else "")
