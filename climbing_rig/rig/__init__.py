"""The rig graph: typed units, compiled into a short program over memory slots that can be looked into.

A graph (YAML, or built in Python) becomes a ``Program`` for one robot, which a ``Machine`` runs each tick. The names
are imported when they are first used: most of them bring the compiler of kernels along, which takes half a second.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from climbing_rig.errors import RigError
    from climbing_rig.rig.compiler import compile_graph
    from climbing_rig.rig.graph import Graph, Node
    from climbing_rig.rig.machine import Machine
    from climbing_rig.rig.program import Program
    from climbing_rig.rig.reader import load_graph, read_graph
    from climbing_rig.rig.types import Names
    from climbing_rig.rig.unit_definition import REQUIRED, Unit, input_pin, output_pin, pin, unit

_HOMES = {
    "RigError": "climbing_rig.errors",
    "compile_graph": "climbing_rig.rig.compiler",
    "Graph": "climbing_rig.rig.graph",
    "Node": "climbing_rig.rig.graph",
    "Machine": "climbing_rig.rig.machine",
    "Program": "climbing_rig.rig.program",
    "load_graph": "climbing_rig.rig.reader",
    "read_graph": "climbing_rig.rig.reader",
    "Names": "climbing_rig.rig.types",
    "REQUIRED": "climbing_rig.rig.unit_definition",
    "Unit": "climbing_rig.rig.unit_definition",
    "input_pin": "climbing_rig.rig.unit_definition",
    "output_pin": "climbing_rig.rig.unit_definition",
    "pin": "climbing_rig.rig.unit_definition",
    "unit": "climbing_rig.rig.unit_definition",
}

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


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'climbing_rig.rig' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value
