"""The stage a rig is looked at on: a machine alone, a robot without a wall, or a climber in a scripted climb."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from climbing_rig.errors import ConfigError, RigError
from climbing_rig.model import load_description, load_urdf
from climbing_rig.rig.compiler import compile_graph
from climbing_rig.rig.graph import Graph
from climbing_rig.rig.machine import Machine
from climbing_rig.rig.program import Program
from climbing_rig.rig.reader import load_graph
from climbing_rig.rig.registry import REGISTRY
from climbing_rig.rig.types import LIMBS, Names
from climbing_rig.rig.unit_definition import Unit
from climbing_rig.share import resolve

GRAPH = "config/rigs/climber.yaml"
"""The graph that is meant when none is named."""
ROBOT = "config/climber.yaml"
"""The robot of a graph that names none."""
WALL = "generated:flat"
DT = 0.005
"""s of a scripted tick."""
LEAD = 100
"""Ticks of the script before the first one that is looked at: by then the limb has let go and is on its way."""
SPEED = 0.1
"""m/s at which the script moves the limb up."""


class Stage:
    """A machine and what runs it, tick after tick.

    Args:
        machine: The machine.
        words: What a tick is, for people.
        tick: What runs one; the machine's own ``run`` when None.

    Attributes:
        machine: The machine.
        words: What a tick is.
    """

    def __init__(self, machine: Machine, words: str, tick: Callable[[], object] | None = None) -> None:
        self.machine = machine
        self.words = words
        self._tick = tick or machine.run

    def tick(self) -> None:
        """Runs one tick.

        Raises:
            RigError: It failed.
        """
        self._tick()


def open_graph(given: str | Path | None = None) -> Graph:
    """Reads a graph; the default climber's when none is given.

    Raises:
        RigError: There is none, or it is no graph.
    """
    path = GRAPH if given is None else given
    try:
        return load_graph(path)
    except ConfigError as error:
        raise RigError(f"there is no graph '{path}': {error}", name=str(path), given=str(path)) from None


def compiled(graph: Graph) -> Program:
    """A graph compiled for its robot, without a stage to run it on.

    Raises:
        RigError: It cannot be compiled.
        ConfigError, ModelError: Its robot cannot be read.
    """
    return compile_graph(graph, _names(graph))


def build_stage(graph: Graph) -> Stage:
    """The stage a graph can be run on: no more of a world than its units ask for.

    Raises:
        RigError: It cannot be compiled.
        ConfigError, ModelError: Its robot cannot be read.
    """
    contexts = _contexts(graph)
    if not contexts:
        return Stage(Machine(compiled(graph)), "the machine alone: inputs at their defaults")
    return _climber_stage(graph, climbs=contexts != {"skeleton"})


def _climber_stage(graph: Graph, climbs: bool) -> Stage:
    from climbing_rig.climber import Climber
    from climbing_rig.limbs import LimbCommand
    from climbing_rig.wall import Wall

    climber = Climber.from_files(config=graph.robot or ROBOT, rig=graph)
    machine = climber.rig
    if not climbs or not climber.limb_names:
        return Stage(machine, f"{climber.model.name} without a wall, dt {DT} s", lambda: climber.step(DT))
    limb = climber.limb_names[0]
    climber.set_wall(Wall.from_spec(WALL))
    climber.attach()
    climber.step(DT, {limb: LimbCommand(grip=False)})

    def tick() -> None:
        climber.step(DT, {limb: LimbCommand(move=(0.0, SPEED))})

    for _ in range(LEAD):
        tick()
    return Stage(
        machine, f"{climber.model.name} on wall {WALL}, {limb} released and moved up at {SPEED} m/s, dt {DT} s", tick
    )


# -- the robot's names -------------------------------------------------------------------------------------------------


def _units(graph: Graph) -> Iterator[Unit]:
    """The units of a graph's nodes; of one that does not exist, the compiler speaks with the line."""
    known = {unit.name: unit for unit in REGISTRY}
    return (known[node.unit] for node in graph.walk() if node.unit in known)


def _contexts(graph: Graph) -> set[str]:
    return {context for unit in _units(graph) for context in unit.contexts}


def _names(graph: Graph) -> Names:
    """Bones and limbs of a graph's robot; none, and no robot read, for a graph that has nothing to do with one."""
    if not (graph.robot or _contexts(graph) or any(map(_of_a_robot, _types(graph)))):
        return Names()
    description = load_description(resolve(graph.robot or ROBOT))
    model = load_urdf(resolve(description.urdf), description.joints)
    return Names(tuple(model.link_names), tuple(description.limbs))


def _types(graph: Graph) -> Iterator[str]:
    for declaration in [*graph.inputs.values(), *graph.variables.values()]:
        yield str(declaration.type)
    for unit in _units(graph):
        yield from (str(pin.type) for pin in unit.inputs)


def _of_a_robot(pin_type: str) -> bool:
    return pin_type.startswith(("bone", "limb")) or f"[{LIMBS}]" in pin_type
