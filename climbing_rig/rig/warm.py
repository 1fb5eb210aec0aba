"""The units of the climbing solve, compiled ahead."""

from __future__ import annotations

from climbing_rig.model.description import RIG
from climbing_rig.rig.compiler import compile_graph
from climbing_rig.rig.reader import load_graph
from climbing_rig.rig.types import Names


def warm_up() -> None:
    """Compiles what the climber's own rig is made of, or loads it from the cache; other rigs are when they are read."""
    compile_graph(load_graph(RIG), Names(limbs=("limb",)))
