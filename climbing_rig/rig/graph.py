"""A rig graph as its author wrote it: variables, inputs and nodes with links, in YAML or built in Python."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from climbing_rig.errors import RigError

_LINK = re.compile(r"\$(?P<name>\w+)(?:\.(?P<pin>\w+))?(?:\.(?P<part>\w+(?:\.\w+)*))?(?:\[(?P<index>[^\]]+)\])?")
NAME = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True)
class Link:
    """Where an input takes its value from: ``$node.pin``, ``$variable``, ``$input``, a part or an item of one.

    Attributes:
        text: As written.
        name: Node, variable or graph input.
        path: What follows: a pin, and parts of it (``position``, ``x``).
        index: Item of an array, a number or another link; None for all of it.
    """

    text: str
    name: str
    path: tuple[str, ...] = ()
    index: Link | int | None = None


def parse_link(text: str) -> Link:
    """The link that is written ``text``.

    Raises:
        ValueError: It is no link, in words.
    """
    match = _LINK.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"{text!r} is no link; write $node.pin, $variable, $node.pin.x or $variable[$node.pin]")
    path = [match["pin"]] if match["pin"] else []
    path += match["part"].split(".") if match["part"] else []
    index: Link | int | None = None
    if match["index"]:
        written = match["index"].strip()
        index = int(written) if written.isdecimal() else parse_link(written)
    return Link(text, match["name"], tuple(path), index)


def is_link(value: object) -> bool:
    """Whether an input's value is a link and not a literal."""
    return isinstance(value, str) and value.startswith("$")


@dataclass(frozen=True)
class Declaration:
    """A variable or an input of the graph.

    Attributes:
        name: Its name.
        type: As written: ``vec3``, ``float[limbs]``.
        initial: A variable's first value, an input's default; None for the type's zero. One item may stand for all
            items of a ``[limbs]`` array.
        measure: Unit of measure.
        doc: One line.
        line: Of the file.
    """

    name: str
    type: str
    initial: Any = None
    measure: str = ""
    doc: str = ""
    line: int | None = None


@dataclass
class Node:
    """One node: a unit, where its inputs come from, and the blocks of nodes it controls.

    Attributes:
        name: Unique in the graph.
        unit: Name of its unit.
        inputs: Input pin -> literal or link.
        sets: Variable, or ``variable[link]`` -> the output pin it is set to after each execution.
        enabled: False leaves the node out; its outputs then keep their defaults.
        blocks: ``body``, ``then``, ``else`` -> nodes.
        line: Of the file.
        lines: Input pin -> line.
    """

    name: str
    unit: str
    inputs: dict[str, Any] = field(default_factory=dict)
    sets: dict[str, str] = field(default_factory=dict)
    enabled: bool = True
    blocks: dict[str, list[Node]] = field(default_factory=dict)
    line: int | None = None
    lines: dict[str, int] = field(default_factory=dict)

    def walk(self) -> Iterator[Node]:
        """This node and all within its blocks."""
        yield self
        for nodes in self.blocks.values():
            for node in nodes:
                yield from node.walk()


@dataclass
class Graph:
    """A rig.

    Nodes are executed in their order, except that a pure node is executed before the first node that reads it.

    Attributes:
        name: For messages.
        doc: What it does.
        robot: Configuration of the robot it is made for; "" for the default climber.
        inputs: What its user provides before each tick.
        variables: What it remembers from tick to tick.
        nodes: Top level of the program.
        source: File it was read from, or None.
    """

    name: str
    doc: str = ""
    robot: str = ""
    inputs: dict[str, Declaration] = field(default_factory=dict)
    variables: dict[str, Declaration] = field(default_factory=dict)
    nodes: list[Node] = field(default_factory=list)
    source: str | None = None

    def declare_input(self, name: str, type: str, default: Any = None, measure: str = "", doc: str = "") -> str:
        """Adds an input; returns the link to it."""
        self._declare(self.inputs, Declaration(name, type, default, measure, doc))
        return f"${name}"

    def declare_variable(self, name: str, type: str, initial: Any = None, measure: str = "", doc: str = "") -> str:
        """Adds a variable; returns the link to it."""
        self._declare(self.variables, Declaration(name, type, initial, measure, doc))
        return f"${name}"

    def _declare(self, where: dict[str, Declaration], declaration: Declaration) -> None:
        if declaration.name in self.inputs or declaration.name in self.variables:
            raise RigError(f"'{declaration.name}' is declared twice", name=declaration.name, line=declaration.line)
        where[declaration.name] = declaration

    def add(
        self,
        unit: str,
        name: str,
        inputs: Mapping[str, Any] | None = None,
        *,
        sets: Mapping[str, str] | None = None,
        inside: Node | tuple[Node, str] | None = None,
        enabled: bool = True,
    ) -> Node:
        """Adds a node at the end of the graph, or of a block.

        Args:
            unit: Name of its unit.
            name: Unique in the graph.
            inputs: Input pin -> literal, or a link such as ``"$other.result"``.
            sets: Variable -> output pin.
            inside: The loop or branch it belongs to, with the block (``then``, ``else``) where there are two.
            enabled: False leaves it out of the program.
        """
        node = Node(name, unit, dict(inputs or {}), dict(sets or {}), enabled)
        if inside is None:
            self.nodes.append(node)
        else:
            owner, block = inside if isinstance(inside, tuple) else (inside, "body")
            owner.blocks.setdefault(block, []).append(node)
        return node

    def walk(self) -> Iterator[Node]:
        """All nodes, in the order they are written."""
        for node in self.nodes:
            yield from node.walk()
