"""Programs, recordings, profiles and explanations as text for a terminal of 120 columns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from climbing_rig.rig.inspect.case import shown
from climbing_rig.rig.inspect.explain import Explanation
from climbing_rig.rig.inspect.listing import Instruction, show_json
from climbing_rig.rig.inspect.profile import Profile
from climbing_rig.rig.inspect.recording import Recording, Step
from climbing_rig.rig.inspect.watch import VARIABLE
from climbing_rig.rig.program import Program
from climbing_rig.rig.unit_definition import IN, Pin, Unit

WIDTH = 120
FEW = 4
"""Digits of a number in a table."""


def cut(text: str, width: int) -> str:
    """At most ``width`` characters, with … for what is missing."""
    return text if len(text) <= width else text[: max(width - 1, 0)] + "…"


def short(value: Any) -> str:
    """A value in as few characters as make sense."""
    if isinstance(value, float):
        return f"{value:.{FEW}g}"
    if isinstance(value, tuple | list):
        return f"({' '.join(short(item) for item in value)})"
    return shown(value)


# -- show --------------------------------------------------------------------------------------------------------------


def show(program: Program) -> Iterator[str]:
    """Inputs, variables and nodes in the order of execution, a line for each pin."""
    facts = show_json(program)
    yield f"{facts['graph']}{': ' + ' '.join(facts['doc'].split()) if facts['doc'] else ''}"
    where = [facts["source"] or "built in Python"]
    where += [f"robot {facts['robot']}"] if facts["robot"] else []
    where += [f"contexts {', '.join(facts['contexts'])}"] if facts["contexts"] else []
    yield "; ".join(where)
    yield f"nodes: {len(facts['nodes'])}; instructions: {facts['instructions']}; words of memory: {facts['words']}"
    for title in ("inputs", "variables"):
        if facts[title]:
            yield ""
            yield f"{title}{' ' * (28 - len(title))}type           slot  value"
            yield from map(_declared, facts[title])
    yield ""
    yield f"nodes{' ' * 23}type           slot  value or link"
    for node in facts["nodes"]:
        yield from _node(node)


def _declared(one: dict[str, Any]) -> str:
    about = " ".join(filter(None, (f"[{one['measure']}]" if one["measure"] else "", one["doc"])))
    line = f"  {one['name']:<26}{one['type']:<14}{one['slot']:>5}  {short(one['value'])}"
    return cut(f"{line}  {about}".rstrip(), WIDTH)


def _node(node: dict[str, Any]) -> Iterator[str]:
    indent = "  " * node["depth"]
    notes = [] if node["enabled"] else ["disabled"]
    notes += [f"in {node['block']} of {node['owner']}"] if node["owner"] else []
    notes += [f"contexts {', '.join(node['contexts'])}"] if node["contexts"] else []
    yield f"{indent}{node['node']}  {node['unit']}  {node['place']}{'  ' if notes else ''}{'; '.join(notes)}"
    for pin in node["inputs"]:
        said = pin["link"] if "link" in pin else short(pin["value"]) + ("" if pin["given"] else "  (default)")
        yield _pin(indent, "<", pin, said)
    for pin in node["outputs"]:
        yield _pin(indent, ">", pin, "".join(f"kept in ${target} " for target in pin["kept"]).strip())


def _pin(indent: str, arrow: str, pin: dict[str, Any], said: str) -> str:
    name = f"{indent}  {arrow} {pin['pin']}"
    measure = f"  [{pin['measure']}]" if pin["measure"] else ""
    return cut(f"{name:<28}{pin['type']:<14}{pin['slot']:>5}  {said}{measure}".rstrip(), WIDTH)


# -- disassemble -------------------------------------------------------------------------------------------------------


def disassembly(program: Program, listing: Iterable[Instruction]) -> Iterator[str]:
    """A line for each instruction; operands are ``pin=what lies there@word``."""
    depths = {node.name: node.depth for node in program.nodes}
    for line in listing:
        node = "  " * depths.get(line.node, 0) + line.node
        head = f"{line.pc:>4}  {line.opcode:<12}{cut(node, 25):<26}"
        operands = " ".join(operand.text for operand in line.operands)
        target = f"-> {line.target}" if line.target is not None else ""
        if line.unit:
            yield f"{head}{line.unit}  {line.place}"
            yield from (f"{'':>20}{part}" for part in wrapped([operand.text for operand in line.operands], WIDTH - 20))
        else:
            yield f"{head}{' '.join(filter(None, (operands, target)))}".rstrip()


def wrapped(words: Iterable[str], width: int) -> Iterator[str]:
    """Words in lines of at most ``width`` characters; a longer word has a line of its own."""
    line = ""
    for word in words:
        if line and len(line) + 1 + len(word) > width:
            yield line
            line = ""
        line = f"{line} {word}" if line else word
    if line:
        yield line


# -- trace -------------------------------------------------------------------------------------------------------------

_NODE, _TIME, _VALUES = 28, 8, 40


def trace(recording: Recording, wanted: Callable[[str], bool]) -> Iterator[str]:
    """A line for each execution, and one below it for what it changed; every line fits 120 columns."""
    yield f"{'pc':>4} {'node':<{_NODE}} {'µs':>{_TIME}}  {'inputs':<{_VALUES}} outputs"
    for step in recording.steps:
        if wanted(step.node):
            yield from _step(step)
    if recording.unwatched:
        yield cut(f"not watched, as too large: {', '.join(recording.unwatched)}", WIDTH)


def _step(step: Step) -> Iterator[str]:
    again = f" #{step.execution}" if step.execution > 1 else ""
    node = cut("  " * step.depth + step.node, _NODE - len(again)) + again
    head = f"{step.pc:>4} {node:<{_NODE}} {step.microseconds:>{_TIME}.1f}  "
    outputs = f"{'FAILED ' if step.failed else ''}{_values(step.outputs)}"
    # Inputs may go on where there is little to say of the outputs.
    inputs = cut(_values(step.inputs), max(_VALUES, WIDTH - len(head) - len(outputs) - 1))
    yield cut(f"{head}{inputs:<{_VALUES}} {outputs}".rstrip(), WIDTH)
    if step.changed:
        texts = [f"${change.text}" if change.kind == VARIABLE else change.text for change in step.changed]
        yield cut(f"{'':>{len(head)}}changes {', '.join(texts)}", WIDTH)


def _values(values: Any) -> str:
    return " ".join(f"{pin}={short(value)}" for pin, value in values.items())


# -- profile -----------------------------------------------------------------------------------------------------------


def profile_table(result: Profile) -> Iterator[str]:
    """Shares by node, and what they were measured with."""
    yield f"{'share':>7} {'µs a tick':>10} {'times':>7}  {'node':<34} unit"
    for node in result.nodes:
        name = cut("  " * node.depth + node.node, 34)
        row = f"{node.share:>7.1%} {node.microseconds:>10.2f} {node.executions:>7.4g}  {name:<34} {node.unit}"
        yield cut(row, WIDTH)
    yield ""
    yield (
        f"{result.ticks} ticks of {result.instructions:.4g} instructions: {result.native:.1f} µs at full speed "
        f"(median; 99 % within {result.native_slow:.1f})"
    )
    yield (
        f"recorded one by one: {result.recorded:.1f} µs, so recording adds {result.overhead:.2f} µs an instruction, "
        "taken off above;"
    )
    yield f"it varies by {result.spread:.2f} µs an instruction: nodes of less cannot be told apart"


# -- explain -----------------------------------------------------------------------------------------------------------


def explanation(told: Explanation) -> Iterator[str]:
    """The five layers and the conclusion."""
    yield f"{told.node}  {told.unit}  {told.place}"
    for number, layer in enumerate(told.layers, 1):
        head = f"  {number} {layer.name:<12} {layer.verdict.value:<9} "
        for i, part in enumerate(wrapped(layer.words.split(), WIDTH - len(head))):
            yield (head if i == 0 else " " * len(head)) + part
    yield from wrapped(f"{told.node}: {told.conclusion}".split(), WIDTH)


# -- units -------------------------------------------------------------------------------------------------------------


def unit_json(unit: Unit) -> dict[str, Any]:
    """A unit for ``json.dumps``."""
    return {
        "unit": unit.name, "category": unit.category, "doc": unit.doc, "place": unit.place,
        "keywords": list(unit.keywords), "contexts": list(unit.contexts), "blocks": list(unit.blocks),
        "failures": list(unit.failures), "inputs": [_pin_json(pin) for pin in unit.inputs],
        "outputs": [_pin_json(pin) for pin in unit.outputs],
    }  # fmt: skip


def _pin_json(pin: Pin) -> dict[str, Any]:
    default = {"default": None if pin.required else pin.default} if pin.direction == IN else {}
    return {"pin": pin.name, "type": str(pin.type), **default, "measure": pin.measure, "doc": pin.doc}


def unit_list(units: Iterable[Unit]) -> Iterator[str]:
    """Units by category, a line each."""
    category = None
    for unit in units:
        if unit.category != category:
            category = unit.category
            yield category
        doc = unit.doc.splitlines()[0] if unit.doc else ""
        pins = f"({', '.join(pin.name for pin in unit.inputs)}) -> {', '.join(pin.name for pin in unit.outputs) or '-'}"
        yield cut(f"  {unit.name:<32} {doc}  {pins}", WIDTH)


def unit_details(unit: Unit) -> Iterator[str]:
    """All about a unit."""
    yield f"{unit.name}  {unit.category}  {unit.place}"
    yield from (f"  {line}".rstrip() for line in unit.doc.splitlines())
    for pin in unit.inputs:
        default = "required" if pin.required else f"default {short(pin.default)}"
        yield f"  < {pin.name:<16} {pin.type!s:<14} {default}{_about(pin)}"
    for pin in unit.outputs:
        yield f"  > {pin.name:<16} {pin.type!s:<14}{_about(pin)}"
    for title, words in (("keywords", unit.keywords), ("contexts", unit.contexts), ("blocks", unit.blocks)):
        if words:
            yield f"  {title}: {', '.join(words)}"
    yield from (f"  fails with {number}: {failure}" for number, failure in enumerate(unit.failures, 1))


def _about(pin: Pin) -> str:
    return (f"  [{pin.measure}]" if pin.measure else "") + (f"  {pin.doc}" if pin.doc else "")
