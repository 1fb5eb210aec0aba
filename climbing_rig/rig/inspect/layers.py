"""The five questions about a node that seems to do nothing, each answered from the program and a recorded tick."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Iterable
from typing import Any

from climbing_rig.rig.inspect.case import Case, Layer, Verdict, listed, numbers, readers
from climbing_rig.rig.inspect.listing import block_of
from climbing_rig.rig.inspect.overwriting import overwritten
from climbing_rig.rig.inspect.recording import Step
from climbing_rig.rig.program import LINK, CompiledNode, Program

WEIGHTS = re.compile(
    r"(.*_)?(weight|alpha|share|amount|strength|influence|blend|condition|enabled|active)s?(_.*)?", re.IGNORECASE
)
"""Names of input pins that say how much a node does, or whether."""

FEW = 5
"""Nodes of a block that are named."""


def layers(case: Case) -> tuple[Layer, ...]:
    """The five layers, in their order."""
    asked: tuple[tuple[str, Callable[[Case], tuple[Verdict, str]]], ...] = (
        ("linked", _linked), ("executed", _executed), ("weight", _weight), ("input", _input),
        ("overwritten", overwritten),
    )  # fmt: skip
    answers = []
    for name, ask in asked:
        if name not in ("linked", "executed") and not case.steps:
            answers.append(Layer(name, Verdict.UNKNOWN, "it was not executed"))
        else:
            answers.append(Layer(name, *ask(case)))
    return tuple(answers)


# -- 1: is it linked ---------------------------------------------------------------------------------------------------


def sinks(node: CompiledNode) -> list[str]:
    """What a node reaches beside the inputs of other nodes."""
    reached = [f"variable {target} keeps its {pin}" for target, pin in node.node.sets.items()]
    reached += [f"it works on the context {context}" for context in node.unit.contexts]
    for block, inner in node.node.blocks.items():
        reached.append(f"it decides about its {block}: {', '.join(one.name for one in inner[:FEW])}")
        reached[-1] += f" and {len(inner) - FEW} more" if len(inner) > FEW else ""
    if node.unit.failures and not node.unit.outputs:
        reached.append("it can end the tick")
    if node.unit.name.startswith("debug."):
        reached.append("it shows something to whoever runs the rig")
    return reached


def ends_nowhere(program: Program, name: str) -> bool:
    """Whether what a node makes reaches no variable, no context and no decision, over any number of nodes."""
    nodes = {node.name: node for node in program.nodes}
    seen, ahead = {name}, [name]
    while ahead:
        here = ahead.pop()
        if sinks(nodes[here]):
            return False
        for reader, _ in readers(program, here):
            if reader not in seen:
                seen.add(reader)
                ahead.append(reader)
    return True


def _linked(case: Case) -> tuple[Verdict, str]:
    node = case.node
    if not node.enabled:
        off = [one for one in _owners(case) if not one.node.enabled]
        whose = f"'{off[0].name}', whose {block_of(case.program, node)} it is in, is" if off else "it is"
        return Verdict.EXPLAINS, f"{whose} disabled (enabled: false)"
    by = list(dict.fromkeys(readers(case.program, node.name)))
    reached = sinks(node)
    if not by and not reached:
        return Verdict.EXPLAINS, "nothing reads what it writes: no node, no variable, no context"
    words = [f"{reader} reads {text}" for reader, text in by] + reached
    if not reached and ends_nowhere(case.program, node.name):
        return Verdict.PERHAPS, f"{listed(words)}, but from there it reaches no variable and no context"
    given = [pin for pin, slot in node.inputs.items() if slot.role == LINK]
    words.append(f"its inputs {', '.join(given)} are linked" if given else "none of its inputs is linked")
    return Verdict.FINE, listed(words)


def _owners(case: Case) -> list[CompiledNode]:
    """The loops and branches a node is in, outermost first."""
    found: list[CompiledNode] = []
    name = case.node.owner
    while name:
        found.insert(0, case.compiled(name))
        name = found[0].owner
    return found


# -- 2: was it executed ------------------------------------------------------------------------------------------------


def _executed(case: Case) -> tuple[Verdict, str]:
    count = len(case.steps)
    if count:
        return Verdict.FINE, f"{count} time{'s' if count > 1 else ''} in this tick"
    if not case.node.enabled:
        return Verdict.EXPLAINS, "a disabled node is not in the program"
    chain = [*_owners(case), case.node]
    for owner, inner in itertools.pairwise(chain):
        steps = case.recording.of(owner.name)
        if not steps or case.recording.of(inner.name):
            continue
        block = block_of(case.program, inner)
        why = listed(case.said(owner, pin, value) for pin, value in steps[0].inputs.items())
        if block == "body":
            return Verdict.EXPLAINS, f"the loop '{owner.name}' it is in made no round: {why}"
        if not _entered(owner, block, steps):
            return (
                Verdict.EXPLAINS,
                f"it is under '{block}' of the branch '{owner.name}', which went the other way: {why}",
            )
    if case.recording.error is not None:
        return Verdict.EXPLAINS, f"the tick ended before it: {case.recording.error}"
    return Verdict.EXPLAINS, "the program did not come to it"


def _entered(owner: CompiledNode, block: str, steps: Iterable[Step]) -> bool:
    """Whether a branch entered one of its blocks."""
    return any(bool(step.outputs.get("taken")) == (block == owner.unit.blocks[0]) for step in steps)


# -- 3: its weight or condition ----------------------------------------------------------------------------------------


def _weight(case: Case) -> tuple[Verdict, str]:
    node = case.node
    if node.unit.blocks == ("body",) and not any(step.outputs.get("going") for step in case.steps):
        why = listed(case.said(node, pin, value) for pin, value in case.steps[0].inputs.items())
        return Verdict.EXPLAINS, f"it makes no round: {why}"
    pins = [pin.name for pin in node.unit.inputs if pin.type.kind in ("float", "bool") and WEIGHTS.fullmatch(pin.name)]
    if not pins:
        return Verdict.FINE, "it has no weight and no condition"
    otherwise = len(node.unit.blocks) == 2 and bool(node.node.blocks.get(node.unit.blocks[1]))
    words, worst = [], Verdict.FINE
    for pin in pins:
        values = [step.inputs[pin] for step in case.steps]
        nought = [not any(numbers(value)) for value in values]
        if all(nought) and not otherwise:
            worst = Verdict.EXPLAINS
        some = f" in {sum(nought)} of {len(nought)} executions" if any(nought) and not all(nought) else ""
        shown_value = next((value for value, zero in zip(values, nought, strict=True) if zero), values[-1])
        words.append(case.said(node, pin, shown_value) + some)
    return worst, listed(words)


# -- 4: its inputs -----------------------------------------------------------------------------------------------------


def _input(case: Case) -> tuple[Verdict, str]:
    bad, empty = [], []
    for pin in case.node.unit.inputs:
        values = [step.inputs[pin.name] for step in case.steps]
        for value in values:
            if not all(map(math.isfinite, numbers(value))):
                bad.append(f"{case.said(case.node, pin.name, value)}, which is not finite")
                break
        what = [_no_length(pin.type.kind, pin.type.capacity is not None, value) for value in values]
        if all(what):
            empty.append(f"{case.said(case.node, pin.name, values[-1])}: {what[-1]}")
    if bad:
        return Verdict.EXPLAINS, listed(bad)
    if empty:
        return Verdict.PERHAPS, listed(empty)
    return Verdict.FINE, "all finite, and none without length" if case.node.unit.inputs else "it has none"


def _no_length(kind: str, array: bool, value: Any) -> str:
    if array:
        return "an array without items" if len(value) == 0 else ""
    if kind == "vec3" and not any(value):
        return "a vector of no length"
    if kind == "quat" and not any(value):
        return "no rotation at all"
    return "no rotation at all" if kind == "transform" and not any(value[3:]) else ""
