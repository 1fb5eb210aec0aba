"""What the compiler makes of a graph for one robot: instructions, operands and the first picture of the memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from climbing_rig.rig.graph import Graph, Node
from climbing_rig.rig.types import Names, PinType
from climbing_rig.rig.unit_definition import Unit

Integers = NDArray[np.int64]

LITERAL, LINK, OUTPUT, VARIABLE, INPUT, HIDDEN = "literal", "link", "output", "variable", "input", "hidden"


@dataclass(frozen=True)
class Slot:
    """Where a value lies in the memory.

    Attributes:
        name: ``node.pin``, a variable or a graph input.
        type: What lies there.
        offset: First word.
        role: Literal, link, output, variable, input, or hidden (an item on its way out of an array).
        link: The link as written, where the role is link.
    """

    name: str
    type: PinType
    offset: int
    role: str
    link: str = ""

    @property
    def end(self) -> int:
        """One beyond its last word."""
        return self.offset + self.type.words


@dataclass(frozen=True)
class CompiledNode:
    """A node of the program.

    Attributes:
        node: As written.
        unit: Its unit.
        inputs: Input pin -> slot, in the unit's order.
        outputs: Output pin -> slot.
        first: Its first instruction; -1 for a disabled node, which has none.
        last: One beyond the last of its own instructions (not those of its blocks).
        enabled: Whether it is in the program.
        owner: Name of the loop or branch it is in, or "".
        depth: How many loops and branches it is in.
    """

    node: Node
    unit: Unit
    inputs: Mapping[str, Slot]
    outputs: Mapping[str, Slot]
    first: int
    last: int
    enabled: bool
    owner: str
    depth: int

    @property
    def name(self) -> str:
        """The node's."""
        return self.node.name


@dataclass(frozen=True, eq=False)
class Program:
    """A compiled graph; read-only, shared by any number of machines.

    Attributes:
        graph: What it was compiled from.
        names: The bones and limbs of its robot.
        code: (I, 5) instructions, see ``native``.
        operands: (O,) words and contexts the units work on.
        units: The units of its execute instructions.
        functions: (U, 2) addresses of their adapters and functions.
        image: (W,) the memory at the start.
        slots: Every value by name, in the order of the memory.
        variables: The variables among them.
        inputs: The graph's inputs among them.
        nodes: In the order of execution; disabled ones where they would be.
        contexts: Context -> its first entry in a machine's table.
        seconds: How long compilation took, without the units' native code.
    """

    graph: Graph
    names: Names
    code: Integers
    operands: Integers
    units: tuple[Unit, ...]
    functions: Integers
    image: NDArray[np.float64]
    slots: Mapping[str, Slot]
    variables: Mapping[str, Slot]
    inputs: Mapping[str, Slot]
    nodes: tuple[CompiledNode, ...]
    contexts: Mapping[str, int]
    seconds: float
