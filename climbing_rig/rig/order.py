"""The order of execution: as written, with pure nodes executed before the first node that reads them."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator

from climbing_rig.errors import RigError
from climbing_rig.rig.graph import Link, Node, is_link, parse_link
from climbing_rig.rig.unit_definition import Unit


def ordered(nodes: list[Node], unit_of: Callable[[Node], Unit], variables: Container[str]) -> list[Node]:
    """The nodes of one block in the order they are executed.

    Args:
        nodes: As written.
        unit_of: The unit of a node.
        variables: Names of the graph's variables.

    Raises:
        RigError: Nodes feed each other in a circle, or one reads another that is executed later and cannot be moved;
            ``name`` is the node and ``pin`` the input.
    """
    return _Order(nodes, unit_of, variables).result()


class _Order:
    def __init__(self, nodes: list[Node], unit_of: Callable[[Node], Unit], variables: Container[str]) -> None:
        self._nodes = nodes
        self._unit_of = unit_of
        self._variables = variables
        # Everything in a block of a node belongs to the node, seen from here.
        self._owner = {inner.name: node for node in nodes for inner in node.walk()}
        self._reads = {node.name: list(self._dependencies(node)) for node in nodes}

    def result(self) -> list[Node]:
        self._find_circles()
        done: list[Node] = []
        placed: set[str] = set()
        for node in self._nodes:
            self._place(node, done, placed)
        return done

    def _dependencies(self, node: Node) -> Iterator[tuple[Node, str, str, Node]]:
        """(node that reads, its pin, link, node of this block that is read) for all reads across the block."""
        for reader in node.walk():
            for pin, name, text in reads(reader):
                owner = self._owner.get(name)
                if owner is not None and (owner is not node or reader is node):
                    yield reader, pin, text, owner

    def _find_circles(self) -> None:
        """Depth first, without recursion: a graph may be a thousand nodes deep."""
        state: dict[str, int] = {}
        for root in self._nodes:
            if root.name in state:
                continue
            path = [(root, iter(self._reads[root.name]))]
            state[root.name] = 1
            while path:
                node, left = path[-1]
                step = next(left, None)
                if step is None:
                    state[node.name] = 2
                    path.pop()
                    continue
                reader, pin, _, other = step
                if state.get(other.name) == 1:
                    names = [entry.name for entry, _ in path]
                    circle = [*names[names.index(other.name) :], other.name]
                    raise RigError(
                        f"nodes feed each other in a circle: {' reads '.join(circle)}; break it with a variable",
                        name=reader.name, pin=pin, given=circle,
                    )  # fmt: skip
                if other.name not in state:
                    state[other.name] = 1
                    path.append((other, iter(self._reads[other.name])))

    def _place(self, node: Node, done: list[Node], placed: set[str]) -> None:
        stack = [node]
        while stack:
            top = stack[-1]
            if top.name in placed:
                stack.pop()
                continue
            waiting = [step for step in self._reads[top.name] if step[3].name not in placed]
            if not waiting:
                done.append(top)
                placed.add(top.name)
                stack.pop()
                continue
            for reader, pin, text, other in waiting:
                if not self._movable(other):
                    raise RigError(
                        f"{text} is executed later, and what it gives depends on when; write '{other.name}' before it",
                        name=reader.name, pin=pin, given=text,
                    )  # fmt: skip
                stack.append(other)

    def _movable(self, node: Node) -> bool:
        """Whether it makes no difference when a node is executed."""
        unit = self._unit_of(node)
        if not unit.pure or unit.blocks or node.sets:
            return False
        # Of what comes from outside the block only a variable can change meanwhile.
        return not any(name in self._variables for _, name, _ in reads(node))


def reads(node: Node) -> Iterator[tuple[str, str, str]]:
    """(pin, name of what is read, link) for every link of a node, indices too; text that is no link is left out."""
    for pin, value in node.inputs.items():
        if is_link(value):
            yield from _names(pin, value)
    for target in node.sets:
        # The variable itself is written, not read; its index is read.
        for pin, name, text in _names(target, f"${target}"):
            if text != f"${target}":
                yield pin, name, text


def _names(pin: str, text: str) -> Iterator[tuple[str, str, str]]:
    try:
        link: Link | int | None = parse_link(text)
    except ValueError:
        return
    while isinstance(link, Link):
        yield pin, link.name, link.text
        link = link.index
