"""The rig of a climber: the graph that turns what the limbs ask for into the pose proposed to the gate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from climbing_rig.errors import RigError
from climbing_rig.ik.full_body import Posture, make_probes, make_proposal_work
from climbing_rig.ik.tips import Tips, make_tips
from climbing_rig.maths import frame_from_axes
from climbing_rig.model import RobotDescription, RobotModel
from climbing_rig.pose import Pose
from climbing_rig.rig import Graph, Machine, Names, Program, compile_graph, load_graph
from climbing_rig.rig.climb import PHASES, Limbs, Solver, Surface, make_limbs, no_surface
from climbing_rig.rig.skeleton import begin, make_skeleton

if TYPE_CHECKING:
    from climbing_rig.limbs.limb import Limb
    from climbing_rig.wall import Wall

Array = NDArray[np.float64]

ROOT_MOBILITY = 50.0
"""Of the root's position in the proposal: large, since it has no place of its own to be."""
ROOT_TURN_MOBILITY = 0.4
ORIENTATION_DAMPING = {"hand": 0.02, "foot": 0.05}
INPUTS = {
    "dt": "float", "share": "float", "placing": "bool", "climbing": "bool", "normal": "vec3", "up": "vec3",
    "heading": "vec3",
}  # fmt: skip
"""What a climber provides before each tick, to graphs that declare it."""


@dataclass(frozen=True)
class Situation:
    """What a rig is told of a tick, beside what each limb asks for; directions unit, in map.

    Attributes:
        dt: Seconds.
        share: Of the way to the natural pose that is taken in this tick, 0 to 1.
        climbing: Whether the base may move.
        normal: (3,) of the wall as the whole body sees it.
        up: (3,) up the wall as the whole body sees it.
        heading: (3,) where the climber faces.
        placing: Whether a placement is planned, to which nothing needs time.
    """

    dt: float
    share: float
    climbing: bool
    normal: Array
    up: Array
    heading: Array
    placing: bool = False


class Proposal:
    """One climber's rig with all it works on.

    Args:
        model: The robot.
        description: Its limbs, body and posture.
        graph: The rig.
        in_limb: (6 + n,) 1 for the variables that move a limb.

    Raises:
        RigError: The graph cannot be compiled for this robot.

    Attributes:
        skeleton: Bones and the pose proposed last.
        limbs: What the limbs ask for, and the solver's goals.
        solver: Posture and probes.
        machine: Runs the rig.
    """

    def __init__(
        self, model: RobotModel, description: RobotDescription, graph: Graph, in_limb: NDArray[np.int64]
    ) -> None:
        self._names = Names(bones=model.link_names, limbs=tuple(description.limbs))
        self._wall: Wall | None = None
        self.skeleton = make_skeleton(model)
        self.limbs = _limbs(model, description)
        self.solver = _solver(model, description, in_limb)
        self._contexts: dict[str, Any] = {
            "skeleton": self.skeleton, "limbs": self.limbs, "solver": self.solver, "wall": no_surface(),
        }  # fmt: skip
        self.machine, self._planner = self._machines(self.compile(graph))

    # -- the graph -----------------------------------------------------------------------------------------------

    def compile(self, graph: Graph | str | Path) -> Program:
        """A graph, or a file with one, compiled for this robot; changes nothing.

        Raises:
            RigError: It cannot be compiled, or declares one of the climber's inputs as something else.
        """
        if not isinstance(graph, Graph):
            graph = load_graph(graph)
        program = compile_graph(graph, self._names)
        for name, kind in INPUTS.items():
            slot = program.inputs.get(name)
            if slot is not None and str(slot.type) != kind:
                raise RigError(
                    f"rig '{graph.name}': input '{name}' is {slot.type}, the climber gives {kind}",
                    name=name, given=str(slot.type), choices=(kind,),
                )  # fmt: skip
        missing = [name for name in program.contexts if name not in self._contexts]
        if missing:
            raise RigError(f"rig '{graph.name}' works on {missing[0]}, which a climber has not", name=missing[0])
        return program

    def load(self, program: Program) -> None:
        """Exchanges the rig between two ticks; variables and inputs of the same name and type keep their values.

        Raises:
            RigError: The program is for another robot.
        """
        machine, planner = self._machines(program)
        machine.adopt(self.machine)
        machine.recorder = self.machine.recorder
        self.machine, self._planner = machine, planner

    def _machines(self, program: Program) -> tuple[Machine, Machine]:
        """For the climb, and for placements, which must not disturb what the climb remembers."""
        if program.names != self._names:
            raise RigError("the rig was compiled for another robot", name=program.graph.name)
        return Machine(program, self._contexts), Machine(program, self._contexts)

    def reset(self) -> None:
        """Forgets what the rig remembers."""
        self.machine.reset()

    # -- one tick ------------------------------------------------------------------------------------------------

    def see(self, wall: Wall | None) -> None:
        """The wall of the coming ticks."""
        if wall is self._wall:
            return
        self._wall = wall
        surface = no_surface()
        if wall is not None:
            surface = Surface(wall.tree, np.array([1, wall.oriented], np.int64))
        self._contexts["wall"] = surface
        self.machine.bind("wall", surface)
        self._planner.bind("wall", surface)

    def ask(self, limbs: Sequence[Limb]) -> None:
        """Notes what the limbs ask for in this tick."""
        rows = self.limbs
        for i, limb in enumerate(limbs):
            rows.phase[i] = PHASES[limb.phase]
            rows.entered[i] = limb.entered
            rows.target[i], rows.normal[i], rows.up[i] = limb.target, limb.normal, limb.up
            rows.reach[i], rows.wrist_offset[i] = limb.reach, limb.wrist_offset

    def run(self, pose: Pose, situation: Situation) -> None:
        """Proposes the pose that follows ``pose``; it is in ``skeleton`` then.

        Raises:
            RigError: The rig stopped; the message names the node.
        """
        self._start(self.machine, pose, situation)
        self.machine.run()

    def plan(self, pose: Pose, situation: Situation) -> None:
        """As ``run``, without touching what the rig remembers.

        Raises:
            RigError: The rig stopped.
        """
        self._planner.reset()
        self._start(self._planner, pose, situation)
        self._planner.run()

    def _start(self, machine: Machine, pose: Pose, situation: Situation) -> None:
        skeleton = self.skeleton
        skeleton.start_position[:] = pose.position
        skeleton.start_orientation[:] = pose.orientation
        skeleton.start_q[:] = pose.q
        begin(skeleton)
        for name in INPUTS:
            if name in machine.program.inputs:
                machine.view(name)[:] = getattr(situation, name)

    @property
    def pose(self) -> Pose:
        """The pose proposed last; shares its arrays with the rig."""
        return Pose(self.skeleton.position, self.skeleton.orientation, self.skeleton.q)


def limb_tips(model: RobotModel, description: RobotDescription) -> Tips:
    """The contact frames of all limbs, all IDLE."""
    limbs = list(description.limbs.values())
    frames = [model.frame(limb.tip) for limb in limbs]
    tips = make_tips(
        np.array([frame[0] for frame in frames], np.int64),
        np.array([frame[2] for frame in frames]).reshape(-1, 3),
        np.array([frame[1] for frame in frames]).reshape(-1, 3, 3),
    )
    tips.lock_rotation[:] = [limb.lock_rotation for limb in limbs]
    return tips


def _limbs(model: RobotModel, description: RobotDescription) -> Limbs:
    limbs = list(description.limbs.values())
    roots = [model.frame(limb.root) for limb in limbs]
    return make_limbs(
        limb_tips(model, description),
        np.array([root[0] for root in roots], np.int64),
        np.array([root[2] for root in roots]),
        np.array([limb.kind == "foot" for limb in limbs], np.int64),
        np.array([np.sign(limb.stance[0]) for limb in limbs], np.float64),
    )


def _solver(model: RobotModel, description: RobotDescription, in_limb: NDArray[np.int64]) -> Solver:
    probes = [(model.frame(link), radius) for link, radius in description.body.probes.items()]
    n, bodies, limbs = len(model.joint_names), len(model.tree.parent), list(description.limbs.values())
    stiffness = np.array([description.stiffness_of(name) for name in model.joint_names])
    climbing = np.array([description.posture.get(name, model.neutral[j]) for j, name in enumerate(model.joint_names)])
    posture = Posture(
        q=climbing.copy(),
        rotation=np.eye(3),
        mobility=np.concatenate(([ROOT_MOBILITY] * 3, [ROOT_TURN_MOBILITY] * 3, 1.0 / stiffness)),
        orientation_damping=np.array([ORIENTATION_DAMPING[limb.kind] for limb in limbs]),
        in_limb=in_limb.copy(),
    )
    return Solver(
        posture=posture,
        probes=make_probes(
            np.array([frame[0] for frame, _ in probes], np.int64),
            np.array([frame[2] for frame, _ in probes]),
            np.array([radius for _, radius in probes]),
        ),
        work=make_proposal_work(bodies, n, len(limbs), len(probes)),
        climbing_q=climbing,
        neutral_q=model.neutral.copy(),
        facing_axes=frame_from_axes(np.array(description.body.forward), np.array(description.body.up)),
        lean=np.array([description.body.lean]),
    )
