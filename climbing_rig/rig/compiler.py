"""The compiler: a graph and a robot's names become a program, or an error that says what is wrong where."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from climbing_rig.errors import RigError
from climbing_rig.rig.contexts import CONTEXTS
from climbing_rig.rig.graph import NAME, Declaration, Graph, Link, Node, is_link, parse_link
from climbing_rig.rig.native import COLUMNS, COPY, EXECUTE, EXIT, JUMP, JUMP_IF_NOT
from climbing_rig.rig.order import ordered
from climbing_rig.rig.program import HIDDEN, INPUT, LINK, LITERAL, OUTPUT, VARIABLE, CompiledNode, Program, Slot
from climbing_rig.rig.registry import REGISTRY
from climbing_rig.rig.types import KINDS, LIMBS, Names, PinType, Words, encode, parse_type
from climbing_rig.rig.unit import Pin, Unit

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
        self._slots: dict[str, Slot] = {}
        self._image: list[Words] = []
        self._size = 0
        self._code: list[tuple[int, int, int, int, int]] = []
        self._operands: list[int] = []
        self._units: dict[Unit, int] = {}
        self._contexts: dict[str, int] = {}
        self._context_size = 0
        self._compiled: list[CompiledNode] = []
        self._by_name: dict[str, Node] = {}
        self._home: dict[str, tuple[str, ...]] = {}
        """Node -> the nodes whose blocks it is in, outermost first, each with the block: ``loop.body``."""

    # -- errors --------------------------------------------------------------------------------------------------

    def _error(self, node: Node | None, words: str, pin: str | None = None, **about: Any) -> RigError:
        line = about.pop("line", None)
        name = about.pop("name", None)
        if node is not None:
            line = line or node.lines.get(pin or "", node.line)
            name = node.name
            words = f"node '{node.name}' ({node.unit}){f', pin {pin!r}' if pin else ''}: {words}"
        place = f"{self._graph.source or self._graph.name}{f':{line}' if line else ''}: "
        return RigError(place + words, name=name, pin=pin, line=line, **about)

    # -- memory --------------------------------------------------------------------------------------------------

    def _allocate(self, name: str, pin_type: PinType, role: str, words: Words) -> Slot:
        slot = Slot(name, pin_type, self._size, role)
        self._slots[name] = slot
        self._image.append(words)
        self._size += pin_type.words
        return slot

    def _type(self, declaration: Declaration) -> PinType:
        try:
            return parse_type(declaration.type).on(self._names)
        except ValueError as error:
            raise self._error(None, f"'{declaration.name}': {error}", name=declaration.name,
                              line=declaration.line) from None  # fmt: skip

    def _declare(self, declarations: Mapping[str, Declaration], role: str) -> None:
        for name, declaration in declarations.items():
            if not NAME.fullmatch(name):
                raise self._error(None, f"{name!r} is no name: letters, digits and _ make one", name=name,
                                  line=declaration.line)  # fmt: skip
            if name in self._slots:
                raise self._error(None, f"'{name}' is declared twice", name=name, line=declaration.line)
            pin_type = self._type(declaration)
            value = declaration.initial
            if value is None:
                value = pin_type.default
                if value is None:
                    raise self._error(
                        None, f"'{name}' is a {pin_type} and needs a name to start with", name=name,
                        line=declaration.line, choices=self._names.of(pin_type.kind),
                    )  # fmt: skip
            try:
                self._allocate(name, pin_type, role, self._first(declaration, pin_type, value))
            except ValueError as error:
                raise self._error(None, f"'{name}' ({pin_type}): {error}", name=name, line=declaration.line,
                                  given=value) from None  # fmt: skip

    def _first(self, declaration: Declaration, pin_type: PinType, value: Any) -> Words:
        if not declaration.type.endswith(f"[{LIMBS}]"):
            return encode(pin_type, value, self._names)
        single = PinType(pin_type.kind)
        item = single.default if declaration.initial is None else value
        try:
            encode(single, item, self._names)
        except ValueError:
            return encode(pin_type, value, self._names)
        return encode(pin_type, [item] * int(pin_type.capacity or 0), self._names)

    # -- the graph's names ---------------------------------------------------------------------------------------

    def _collect(self, nodes: list[Node], home: tuple[str, ...]) -> None:
        for node in nodes:
            if not NAME.fullmatch(node.name):
                raise self._error(node, "that is no name: letters, digits and _ make one", given=node.name)
            if node.name in self._by_name or node.name in self._slots:
                there = self._by_name.get(node.name)
                where = f" (the other is in line {there.line})" if there is not None and there.line else ""
                raise self._error(node, f"the name is taken{where}")
            self._by_name[node.name] = node
            self._home[node.name] = home
            unit = self._unit(node)
            for block, inner in node.blocks.items():
                if block not in unit.blocks:
                    raise self._error(
                        node, f"it has no block '{block}'" + ("" if unit.blocks else " nor any other"),
                        given=block, choices=unit.blocks,
                    )  # fmt: skip
                self._collect(inner, (*home, f"{node.name}.{block}"))

    def _unit(self, node: Node) -> Unit:
        try:
            return REGISTRY[node.unit]
        except RigError as error:
            raise self._error(node, str(error), given=node.unit) from None

    # -- nodes ---------------------------------------------------------------------------------------------------

    def _outputs(self, node: Node) -> None:
        """Slots of a node's outputs: those with floats first, so that one range of words is checked after it."""
        pins = sorted(self._unit(node).outputs, key=lambda pin: pin.type.integer)
        for pin in pins:
            self._allocate(f"{node.name}.{pin.name}", pin.type, OUTPUT, self._default(node, pin))

    def _default(self, node: Node, pin: Pin) -> Words:
        if pin.required:
            return np.zeros(pin.type.words)
        try:
            return encode(pin.type, pin.default, self._names)
        except ValueError as error:
            raise self._error(node, f"default: {error}", pin.name) from None

    def _input(self, node: Node, pin: Pin) -> Slot:
        name = f"{node.name}.{pin.name}"
        if pin.name in node.inputs:
            value = node.inputs[pin.name]
            if is_link(value):
                return self._linked(node, pin, name, value)
        elif pin.required:
            valid = self._names.of(pin.type.kind) if pin.type.kind in ("bone", "limb") else ()
            raise self._error(node, f"it needs a value: {KINDS[pin.type.kind].doc}", pin.name, choices=valid)
        else:
            value = pin.default
        try:
            return self._allocate(name, pin.type, LITERAL, encode(pin.type, value, self._names))
        except ValueError as error:
            raise self._error(node, f"it is {pin.type}: {error}", pin.name, given=value) from None

    def _linked(self, node: Node, pin: Pin, name: str, text: str) -> Slot:
        source = self._source(node, pin.name, text, emit=True)
        if not pin.type.accepts(source.type):
            raise self._error(
                node, f"it is {pin.type}, {text} is {source.type}", pin.name, given=str(source.type),
                choices=(str(pin.type),),
            )  # fmt: skip
        slot = Slot(name, source.type, source.offset, LINK, text)
        self._slots[name] = slot
        return slot

    def _source(self, node: Node, pin: str, text: str, *, emit: bool) -> Slot:
        """The slot a link leads to; an item of an array is fetched into a slot of its own first."""
        try:
            link = parse_link(text)
        except ValueError as error:
            raise self._error(node, str(error), pin, given=text) from None
        slot, path = self._named(node, pin, link)
        for part in path:
            parts = KINDS[slot.type.kind].parts if slot.type.capacity is None else {}
            if part not in parts:
                what = f"{text}: '{part}' is no part of {slot.type}"
                raise self._error(node, what, pin, given=part, choices=parts)
            first, kind = parts[part]
            slot = Slot(f"{slot.name}.{part}", PinType(kind), slot.offset + first, slot.role)
        return slot if link.index is None or not emit else self._item(node, pin, text, slot, link.index)

    def _named(self, node: Node, pin: str, link: Link) -> tuple[Slot, tuple[str, ...]]:
        if link.name in self._by_name:
            other = self._by_name[link.name]
            outputs = [output.name for output in self._unit(other).outputs]
            if not link.path or link.path[0] not in outputs:
                what = f"{link.text}: '{other.name}' ({other.unit}) has no output '{'.'.join(link.path[:1])}'"
                raise self._error(node, what, pin, given=link.text, choices=outputs)
            self._check_scope(node, pin, link, other)
            return self._slots[f"{link.name}.{link.path[0]}"], link.path[1:]
        slot = self._slots.get(link.name)
        if slot is None or slot.role not in (VARIABLE, INPUT):
            choices = [*self._graph.inputs, *self._graph.variables, *self._by_name]
            what = f"{link.text}: there is no node, variable or input '{link.name}'"
            raise self._error(node, what, pin, given=link.text, choices=choices)
        return slot, link.path

    def _check_scope(self, node: Node, pin: str, link: Link, other: Node) -> None:
        inside = self._home[other.name]
        if self._home[node.name][: len(inside)] != inside:
            owner = inside[-1].split(".")[0]
            raise self._error(
                node, f"{link.text} is only known inside '{owner}'; carry it out in a variable", pin, given=link.text
            )

    def _item(self, node: Node, pin: str, text: str, array: Slot, index: Link | int) -> Slot:
        unit, index_slot = self._item_access(node, pin, text, array, index, GET)
        name = f"{node.name}.{pin}[]"
        value = self._allocate(name, PinType(array.type.kind), HIDDEN, np.zeros(array.type.item_words))
        self._emit_unit(node, unit, [array, index_slot], [value])
        return value

    def _item_access(
        self, node: Node, pin: str, text: str, array: Slot, index: Link | int, template: str
    ) -> tuple[Unit, Slot]:
        if array.type.capacity is None:
            raise self._error(node, f"{text}: {array.type} is no array and has no items", pin, given=text)
        if isinstance(index, int):
            try:
                words = encode(PinType("int"), index, self._names)
            except ValueError as error:
                raise self._error(node, f"{text}: {error}", pin, given=text) from None
            index_slot = self._allocate(f"{node.name}.{pin}[index]", PinType("int"), HIDDEN, words)
        else:
            index_slot = self._source(node, pin, index.text, emit=True)
        if index_slot.type.capacity is not None or index_slot.type.kind not in ("int", "limb"):
            raise self._error(node, f"{text}: an index is int or limb, this is {index_slot.type}", pin, given=text)
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
        self._emit(node, EXECUTE, number, start)

    def _block(self, nodes: list[Node], owner: str, depth: int, enabled: bool) -> None:
        try:
            order = ordered(nodes, self._unit, self._graph.variables)
        except RigError as error:
            raise self._error(self._by_name[str(error.name)], str(error), error.pin) from None
        for node in order:
            self._node(node, owner, depth, enabled and node.enabled)

    def _node(self, node: Node, owner: str, depth: int, enabled: bool) -> None:
        unit = self._unit(node)
        known = [pin.name for pin in unit.inputs]
        for given in node.inputs:
            if given not in known:
                raise self._error(node, "it has no such input", given, given=given, choices=known)
        place = len(self._compiled)
        before = len(self._code), len(self._operands)
        outputs = {pin.name: self._slots[f"{node.name}.{pin.name}"] for pin in unit.outputs}
        if unit.blocks == ("body",):
            index = outputs["index"]
            minus_one = self._allocate(f"{node.name}.[start]", index.type, HIDDEN,
                                       encode(index.type, -1, self._names))  # fmt: skip
            self._emit(node, COPY, index.offset, minus_one.offset, 1)
        again = len(self._code)
        inputs = {pin.name: self._input(node, pin) for pin in unit.inputs}
        self._emit_unit(node, unit, list(inputs.values()), list(outputs.values()))
        for variable, output in node.sets.items():
            self._set(node, variable, output)
        if not enabled:  # checked like any other, then taken out again
            del self._code[before[0] :], self._operands[before[1] :]
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
        unit = self._unit(node)
        try:
            link = parse_link(f"${target}")
        except ValueError:
            raise self._error(node, f"set: {target!r} is no variable", target, given=target) from None
        variable = self._slots.get(link.name)
        if link.path or variable is None or variable.role != VARIABLE:
            raise self._error(
                node, f"set: there is no variable '{target}'", target, given=target, choices=self._graph.variables
            )
        value = self._slots.get(f"{node.name}.{output}")
        if value is None or value.role != OUTPUT:
            raise self._error(
                node, f"set: it has no output '{output}'", target, given=output, choices=[p.name for p in unit.outputs]
            )
        if link.index is None:
            if variable.type != value.type:
                what = f"set: variable '{target}' is {variable.type}, output '{output}' is {value.type}"
                raise self._error(node, what, target, given=str(value.type), choices=(str(variable.type),))
            self._emit(node, COPY, variable.offset, value.offset, variable.type.words)
            return
        put, index_slot = self._item_access(node, target, f"${target}", variable, link.index, PUT)
        if value.type != PinType(variable.type.kind):
            raise self._error(
                node, f"set: an item of '{link.name}' is {variable.type.kind}, output '{output}' is {value.type}",
                target, given=str(value.type), choices=(variable.type.kind,),
            )  # fmt: skip
        self._emit_unit(node, put, [variable, index_slot, value], [])

    # -- the whole -----------------------------------------------------------------------------------------------

    def program(self) -> Program:
        started = time.perf_counter()
        REGISTRY.load()
        self._declare(self._graph.inputs, INPUT)
        self._declare(self._graph.variables, VARIABLE)
        self._collect(self._graph.nodes, ())
        self._numbers = {node.name: i for i, node in enumerate(self._graph.walk())}
        for node in self._graph.walk():
            self._outputs(node)
        self._block(self._graph.nodes, "", 0, True)
        self._code.append((EXIT, 0, 0, 0, -1))
        image = np.concatenate(self._image) if self._image else np.zeros(0)
        seconds = time.perf_counter() - started
        return Program(
            graph=self._graph,
            names=self._names,
            code=_frozen(np.array(self._code, np.int64).reshape(-1, COLUMNS)),
            operands=_frozen(np.array(self._operands, np.int64)),
            units=tuple(self._units),
            functions=_frozen(np.array([unit.address for unit in self._units], np.int64)),
            image=_frozen(image),
            slots=MappingProxyType(self._slots),
            variables=MappingProxyType(dict(self._of_role(VARIABLE))),
            inputs=MappingProxyType(dict(self._of_role(INPUT))),
            nodes=tuple(self._compiled),
            contexts=MappingProxyType(self._contexts),
            seconds=seconds,
        )

    def _of_role(self, role: str) -> Iterator[tuple[str, Slot]]:
        return ((name, slot) for name, slot in self._slots.items() if slot.role == role)


def _frozen(array: Any) -> Any:
    array.setflags(write=False)
    return array
