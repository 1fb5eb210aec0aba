"""Everything a graph names, and where it lies in the memory: inputs, variables, nodes and their outputs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from climbing_rig.errors import RigError
from climbing_rig.rig.graph import NAME, Declaration, Graph, Node
from climbing_rig.rig.program import INPUT, OUTPUT, VARIABLE, Slot
from climbing_rig.rig.registry import REGISTRY
from climbing_rig.rig.types import LIMBS, Names, PinType, Words, encode, parse_type
from climbing_rig.rig.unit_definition import Pin, Unit


class Layout:
    """The memory of a program while it is compiled.

    Inputs, variables and the outputs of all nodes have their slots when it is made; the compiler adds those of
    literals. No two values share a slot, whatever they are called.

    Args:
        graph: What is compiled.
        names: The robot's bones and limbs.

    Raises:
        RigError: A name is taken or none, a unit or block does not exist, or a first value is of another type.

    Attributes:
        slots: Every value by name.
        nodes: Every node by name.
        home: Node -> the blocks it is in, outermost first: ``loop.body``.
    """

    def __init__(self, graph: Graph, names: Names) -> None:
        self._graph = graph
        self._names = names
        self.slots: dict[str, Slot] = {}
        self.nodes: dict[str, Node] = {}
        self.home: dict[str, tuple[str, ...]] = {}
        self._image: list[Words] = []
        self._size = 0
        self._declare(graph.inputs, INPUT)
        self._declare(graph.variables, VARIABLE)
        self._collect(graph.nodes, ())
        for node in graph.walk():
            self._outputs(node)

    def image(self) -> Words:
        """The memory at the start."""
        return np.concatenate(self._image) if self._image else np.zeros(0)

    def error(self, node: Node | None, words: str, pin: str | None = None, **about: Any) -> RigError:
        """What is wrong, with file, line, node and pin."""
        line = about.pop("line", None)
        name = about.pop("name", None)
        if node is not None:
            line = line or node.lines.get(pin or "", node.line)
            name = node.name
            words = f"node '{node.name}' ({node.unit}){f', pin {pin!r}' if pin else ''}: {words}"
        place = f"{self._graph.source or self._graph.name}{f':{line}' if line else ''}: "
        return RigError(place + words, name=name, pin=pin, line=line, **about)

    def allocate(self, name: str, pin_type: PinType, role: str, words: Words) -> Slot:
        """A new slot that starts with the given words."""
        slot = Slot(name, pin_type, self._size, role)
        self.slots[name] = slot
        self._image.append(words)
        self._size += pin_type.words
        return slot

    def _type(self, declaration: Declaration) -> PinType:
        try:
            return parse_type(declaration.type).on(self._names)
        except ValueError as error:
            raise self.error(None, f"'{declaration.name}': {error}", name=declaration.name,
                              line=declaration.line) from None  # fmt: skip

    def _declare(self, declarations: Mapping[str, Declaration], role: str) -> None:
        for name, declaration in declarations.items():
            if not NAME.fullmatch(name):
                raise self.error(None, f"{name!r} is no name: letters, digits and _ make one", name=name,
                                  line=declaration.line)  # fmt: skip
            if name in self.slots:
                raise self.error(None, f"'{name}' is declared twice", name=name, line=declaration.line)
            pin_type = self._type(declaration)
            value = declaration.initial
            if value is None:
                value = pin_type.default
                if value is None:
                    raise self.error(
                        None, f"'{name}' is a {pin_type} and needs a name to start with", name=name,
                        line=declaration.line, choices=self._names.of(pin_type.kind),
                    )  # fmt: skip
            try:
                self.allocate(name, pin_type, role, self._first(declaration, pin_type, value))
            except ValueError as error:
                raise self.error(None, f"'{name}' ({pin_type}): {error}", name=name, line=declaration.line,
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

    def _collect(self, nodes: list[Node], home: tuple[str, ...]) -> None:
        for node in nodes:
            if not NAME.fullmatch(node.name):
                raise self.error(node, "that is no name: letters, digits and _ make one", given=node.name)
            if node.name in self.nodes or node.name in self.slots:
                there = self.nodes.get(node.name)
                where = f" (the other is in line {there.line})" if there is not None and there.line else ""
                raise self.error(node, f"the name is taken{where}")
            self.nodes[node.name] = node
            self.home[node.name] = home
            unit = self.unit_of(node)
            for block, inner in node.blocks.items():
                if block not in unit.blocks:
                    raise self.error(
                        node, f"it has no block '{block}'" + ("" if unit.blocks else " nor any other"),
                        given=block, choices=unit.blocks,
                    )  # fmt: skip
                self._collect(inner, (*home, f"{node.name}.{block}"))

    def unit_of(self, node: Node) -> Unit:
        """The unit of a node.

        Raises:
            RigError: There is no such unit.
        """
        try:
            return REGISTRY[node.unit]
        except RigError as error:
            raise self.error(node, str(error), given=node.unit) from None

    def _outputs(self, node: Node) -> None:
        """Slots of a node's outputs: those with floats first, so that one range of words is checked after it."""
        pins = sorted(self.unit_of(node).outputs, key=lambda pin: pin.type.integer)
        for pin in pins:
            self.allocate(f"{node.name}.{pin.name}", pin.type, OUTPUT, self._default(node, pin))

    def _default(self, node: Node, pin: Pin) -> Words:
        if pin.required:
            return np.zeros(pin.type.words)
        try:
            return encode(pin.type, pin.default, self._names)
        except ValueError as error:
            raise self.error(node, f"default: {error}", pin.name) from None
