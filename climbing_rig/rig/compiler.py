"""The compiler: a graph and a robot's names become a program, or an error that says what is wrong where."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from climbing_rig.errors import RigError
from climbing_rig.rig.contexts import CONTEXTS
from climbing_rig.rig.graph import Graph, Link, Node, is_link, parse_link
from climbing_rig.rig.layout import Layout
from climbing_rig.rig.native import COLUMNS, COPY, EXECUTE, EXIT, JUMP, JUMP_IF_NOT
from climbing_rig.rig.order import ordered
from climbing_rig.rig.program import HIDDEN, INPUT, LINK, LITERAL, OUTPUT, VARIABLE, CompiledNode, Program, Slot
from climbing_rig.rig.registry import REGISTRY
from climbing_rig.rig.types import KINDS, Names, PinType, encode
from climbing_rig.rig.unit_definition import Pin, Unit

GET, PUT = "array.{}.get", "array.{}.put"
"""Units behind ``$array[index]`` as an input and in ``set``."""


def compile_graph(graph: Graph, names: Names | None = None) -> Program:
    """Compiles a graph for a robot.

    Args:
        graph: What to compile.
        names: The robot's bones and limbs; None for a graph that names none.

    Raises:
        RigError: The graph cannot be compiled; names node, pin, both types and the line of the file.
    """
    try:
        return _Compiler(graph, names or Names()).program()
    except RecursionError:
        raise RigError(f"{graph.source or graph.name}: nested too deeply", name=graph.name) from None


class _Compiler:
    def __init__(self, graph: Graph, names: Names) -> None:
        self._graph = graph
        self._names = names
        REGISTRY.load()
        self._started = time.perf_counter()
        self._layout = Layout(graph, names)
        self._code: list[tuple[int, int, int, int, int]] = []
        self._operands: list[int] = []
        self._units: dict[Unit, int] = {}
        self._contexts: dict[str, int] = {}
        self._context_size = 0
        self._compiled: list[CompiledNode] = []

    # -- nodes ---------------------------------------------------------------------------------------------------

    def _input(self, node: Node, pin: Pin) -> Slot:
        name = f"{node.name}.{pin.name}"
        if pin.name in node.inputs:
            value = node.inputs[pin.name]
            if is_link(value):
                return self._linked(node, pin, name, value)
        elif pin.required:
            valid = self._names.of(pin.type.kind) if pin.type.kind in ("bone", "limb") else ()
            raise self._layout.error(node, f"it needs a value: {KINDS[pin.type.kind].doc}", pin.name, choices=valid)
        else:
            value = pin.default
        try:
            return self._layout.allocate(name, pin.type, LITERAL, encode(pin.type, value, self._names))
        except ValueError as error:
            raise self._layout.error(node, f"it is {pin.type}: {error}", pin.name, given=value) from None

    def _linked(self, node: Node, pin: Pin, name: str, text: str) -> Slot:
        source = self._source(node, pin.name, text, emit=True)
        if not pin.type.accepts(source.type):
            raise self._layout.error(
                node, f"it is {pin.type}, {text} is {source.type}", pin.name, given=str(source.type),
                choices=(str(pin.type),),
            )  # fmt: skip
        slot = Slot(name, source.type, source.offset, LINK, text)
        self._layout.slots[name] = slot
        return slot

    def _source(self, node: Node, pin: str, text: str, *, emit: bool) -> Slot:
        """The slot a link leads to; an item of an array is fetched into a slot of its own first."""
        try:
            link = parse_link(text)
        except ValueError as error:
            raise self._layout.error(node, str(error), pin, given=text) from None
        slot, path = self._named(node, pin, link)
        for part in path:
            parts = KINDS[slot.type.kind].parts if slot.type.capacity is None else {}
            if part not in parts:
                what = f"{text}: '{part}' is no part of {slot.type}"
                raise self._layout.error(node, what, pin, given=part, choices=parts)
            first, kind = parts[part]
            slot = Slot(f"{slot.name}.{part}", PinType(kind), slot.offset + first, slot.role)
        return slot if link.index is None or not emit else self._item(node, pin, text, slot, link.index)

    def _named(self, node: Node, pin: str, link: Link) -> tuple[Slot, tuple[str, ...]]:
        if link.name in self._layout.nodes:
            other = self._layout.nodes[link.name]
            outputs = [output.name for output in self._layout.unit_of(other).outputs]
            if not link.path or link.path[0] not in outputs:
                what = f"{link.text}: '{other.name}' ({other.unit}) has no output '{'.'.join(link.path[:1])}'"
                raise self._layout.error(node, what, pin, given=link.text, choices=outputs)
            self._check_scope(node, pin, link, other)
            return self._layout.slots[f"{link.name}.{link.path[0]}"], link.path[1:]
        slot = self._layout.slots.get(link.name)
        if slot is None or slot.role not in (VARIABLE, INPUT):
            choices = [*self._graph.inputs, *self._graph.variables, *self._layout.nodes]
            what = f"{link.text}: there is no node, variable or input '{link.name}'"
            raise self._layout.error(node, what, pin, given=link.text, choices=choices)
        return slot, link.path

    def _check_scope(self, node: Node, pin: str, link: Link, other: Node) -> None:
        inside = self._layout.home[other.name]
        if self._layout.home[node.name][: len(inside)] != inside:
            owner = inside[-1].split(".")[0]
            raise self._layout.error(
                node, f"{link.text} is only known inside '{owner}'; carry it out in a variable", pin, given=link.text
            )

    def _item(self, node: Node, pin: str, text: str, array: Slot, index: Link | int) -> Slot:
        unit, index_slot = self._item_access(node, pin, text, array, index, GET)
        name = f"{node.name}.{pin}[]"
        value = self._layout.allocate(name, PinType(array.type.kind), HIDDEN, np.zeros(array.type.item_words))
        self._emit_unit(node, unit, [array, index_slot], [value])
        return value

    def _item_access(
        self, node: Node, pin: str, text: str, array: Slot, index: Link | int, template: str
    ) -> tuple[Unit, Slot]:
        if array.type.capacity is None:
            raise self._layout.error(node, f"{text}: {array.type} is no array and has no items", pin, given=text)
        if isinstance(index, int):
            try:
                words = encode(PinType("int"), index, self._names)
            except ValueError as error:
                raise self._layout.error(node, f"{text}: {error}", pin, given=text) from None
            index_slot = self._layout.allocate(f"{node.name}.{pin}[index]", PinType("int"), HIDDEN, words)
        else:
            index_slot = self._source(node, pin, index.text, emit=True)
        if index_slot.type.capacity is not None or index_slot.type.kind not in ("int", "limb"):
            raise self._layout.error(
                node, f"{text}: an index is int or limb, this is {index_slot.type}", pin, given=text
            )
        return REGISTRY[template.format(array.type.kind)], index_slot

    # -- instructions --------------------------------------------------------------------------------------------

    def _emit(self, node: Node, opcode: int, a: int = 0, b: int = 0, c: int = 0) -> int:
        self._code.append((opcode, a, b, c, self._number(node)))
        return len(self._code) - 1

    def _number(self, node: Node) -> int:
        return self._numbers[node.name]

    def _emit_unit(self, node: Node, unit: Unit, inputs: list[Slot], outputs: list[Slot]) -> None:
        floats = [slot for slot in outputs if not slot.type.integer]
        start = len(self._operands)
        self._operands += [min(slot.offset for slot in floats), max(slot.end for slot in floats)] if floats else [0, 0]
        for context in unit.contexts:
            if context not in self._contexts:
                self._contexts[context] = self._context_size
                self._context_size += CONTEXTS[context].entries
            self._operands.append(self._contexts[context])
        self._operands += [slot.offset for slot in inputs + outputs]
        number = self._units.setdefault(unit, len(self._units))
        self._emit(node, EXECUTE, number, start, int(unit.name == node.unit))

    def _block(self, nodes: list[Node], owner: str, depth: int, enabled: bool) -> None:
        try:
            order = ordered(nodes, self._layout.unit_of, self._graph.variables)
        except RigError as error:
            raise self._layout.error(self._layout.nodes[str(error.name)], str(error), error.pin) from None
        for node in order:
            self._node(node, owner, depth, enabled and node.enabled)

    def _node(self, node: Node, owner: str, depth: int, enabled: bool) -> None:
        unit = self._layout.unit_of(node)
        known = [pin.name for pin in unit.inputs]
        for given in node.inputs:
            if given not in known:
                raise self._layout.error(node, "it has no such input", given, given=given, choices=known)
        place = len(self._compiled)
        before = len(self._code), len(self._operands)
        asked_for = None if enabled else (dict(self._units), dict(self._contexts), self._context_size)
        outputs = {pin.name: self._layout.slots[f"{node.name}.{pin.name}"] for pin in unit.outputs}
        if unit.blocks == ("body",):
            index = outputs["index"]
            minus_one = self._layout.allocate(f"{node.name}.[start]", index.type, HIDDEN,
                                       encode(index.type, -1, self._names))  # fmt: skip
            self._emit(node, COPY, index.offset, minus_one.offset, 1)
        again = len(self._code)
        inputs = {pin.name: self._input(node, pin) for pin in unit.inputs}
        self._emit_unit(node, unit, list(inputs.values()), list(outputs.values()))
        for variable, output in node.sets.items():
            self._set(node, variable, output)
        if asked_for is not None:  # checked like any other, then taken out again, with what it alone works on
            del self._code[before[0] :], self._operands[before[1] :]
            self._units, self._contexts, self._context_size = asked_for
        span = (before[0], len(self._code)) if enabled else (-1, -1)
        self._compiled.append(CompiledNode(node, unit, inputs, outputs, *span, enabled, owner, depth))
        if unit.blocks:
            self._flow(node, unit, outputs, again, depth, enabled)
            if enabled:
                self._compiled[place] = CompiledNode(
                    node, unit, inputs, outputs, span[0], span[1] + 1, enabled, owner, depth
                )

    def _flow(self, node: Node, unit: Unit, outputs: Mapping[str, Slot], again: int, depth: int, enabled: bool) -> None:
        condition = outputs["going" if unit.blocks == ("body",) else "taken"]
        skip = self._emit(node, JUMP_IF_NOT, 0, condition.offset) if enabled else -1
        first, *rest = unit.blocks
        self._block(node.blocks.get(first, []), node.name, depth + 1, enabled)
        if not enabled:
            for block in rest:
                self._block(node.blocks.get(block, []), node.name, depth + 1, False)
            return
        if not rest:
            self._emit(node, JUMP, again)
        elif node.blocks.get(rest[0]):
            end = self._emit(node, JUMP)
            self._land(skip)
            self._block(node.blocks[rest[0]], node.name, depth + 1, True)
            self._land(end)
            return
        self._land(skip)

    def _land(self, jump: int) -> None:
        """Lets an earlier jump lead to the next instruction."""
        opcode, _, b, c, node = self._code[jump]
        self._code[jump] = (opcode, len(self._code), b, c, node)

    def _set(self, node: Node, target: str, output: str) -> None:
        unit = self._layout.unit_of(node)
        try:
            link = parse_link(f"${target}")
        except ValueError:
            raise self._layout.error(node, f"set: {target!r} is no variable", target, given=target) from None
        variable = self._layout.slots.get(link.name)
        if link.path or variable is None or variable.role != VARIABLE:
            raise self._layout.error(
                node, f"set: there is no variable '{target}'", target, given=target, choices=self._graph.variables
            )
        value = self._layout.slots.get(f"{node.name}.{output}")
        if value is None or value.role != OUTPUT:
            raise self._layout.error(
                node, f"set: it has no output '{output}'", target, given=output, choices=[p.name for p in unit.outputs]
            )
        if link.index is None:
            if variable.type != value.type:
                what = f"set: variable '{target}' is {variable.type}, output '{output}' is {value.type}"
                raise self._layout.error(node, what, target, given=str(value.type), choices=(str(variable.type),))
            self._emit(node, COPY, variable.offset, value.offset, variable.type.words)
            return
        put, index_slot = self._item_access(node, target, f"${target}", variable, link.index, PUT)
        if value.type != PinType(variable.type.kind):
            raise self._layout.error(
                node, f"set: an item of '{link.name}' is {variable.type.kind}, output '{output}' is {value.type}",
                target, given=str(value.type), choices=(variable.type.kind,),
            )  # fmt: skip
        self._emit_unit(node, put, [variable, index_slot, value], [])

    # -- the whole -----------------------------------------------------------------------------------------------

    def program(self) -> Program:
        self._numbers = {node.name: i for i, node in enumerate(self._graph.walk())}
        self._block(self._graph.nodes, "", 0, True)
        self._code.append((EXIT, 0, 0, 0, -1))
        image = self._layout.image()
        seconds = time.perf_counter() - self._started
        return Program(
            graph=self._graph,
            names=self._names,
            code=_frozen(np.array(self._code, np.int64).reshape(-1, COLUMNS)),
            operands=_frozen(np.array(self._operands, np.int64)),
            units=tuple(self._units),
            functions=_frozen(np.array([unit.addresses for unit in self._units], np.int64).reshape(-1, 2)),
            image=_frozen(image),
            slots=MappingProxyType(self._layout.slots),
            variables=MappingProxyType(dict(self._of_role(VARIABLE))),
            inputs=MappingProxyType(dict(self._of_role(INPUT))),
            nodes=tuple(self._compiled),
            contexts=MappingProxyType(self._contexts),
            seconds=seconds,
        )

    def _of_role(self, role: str) -> Iterator[tuple[str, Slot]]:
        return ((name, slot) for name, slot in self._layout.slots.items() if slot.role == role)


def _frozen(array: Any) -> Any:
    array.setflags(write=False)
    return array
