"""The rig graph: typed units, compiled into a short program over memory slots that can be looked into.

A graph (YAML, or built in Python) becomes a ``Program`` for one robot, which a ``Machine`` runs each tick.
"""

from climbing_rig.errors import RigError
from climbing_rig.rig.compiler import compile_graph
from climbing_rig.rig.graph import Graph, Node
from climbing_rig.rig.machine import Machine
from climbing_rig.rig.program import Program
from climbing_rig.rig.reader import load_graph, read_graph
from climbing_rig.rig.types import Names
from climbing_rig.rig.unit import REQUIRED, Unit, input_pin, output_pin, pin, unit

__all__ = [
    "REQUIRED",
    "Graph",
    "Machine",
    "Names",
    "Node",
    "Program",
    "RigError",
    "Unit",
    "compile_graph",
    "input_pin",
    "load_graph",
    "output_pin",
    "pin",
    "read_graph",
    "unit",
]
