"""A robot with its limbs, ready to be solved: the rig that proposes its next pose, and the gate that accepts it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from climbing_rig.errors import RigError
from climbing_rig.ik.gate import STALLED, Gate, Limits, make_gate_work, pass_gate
from climbing_rig.ik.tips import locate_tips
from climbing_rig.maths import (
    distance,
    frame_from_axes,
    length,
    rotation_vector_between,
    smoothing,
    unit,
)
from climbing_rig.model import RobotDescription, RobotModel
from climbing_rig.model.kinematics import forward
from climbing_rig.pose import Pose, root_axes
from climbing_rig.proposal import Proposal, Situation, limb_tips
from climbing_rig.reference import handle

if TYPE_CHECKING:
    from climbing_rig.rig import Graph
    from climbing_rig.wall import Wall

Array = NDArray[np.float64]

POSTURE_RATE = 5.0
"""1/s at which the body follows its natural pose."""
SETTLED = 1e-7
"""Metres and radians under which a placement's step counts as none."""
SETTLE_PASSES = 80
PLACING_TICK = 0.1
"""Seconds the rig is told of in a placement."""
FINISHING_TIME = 0.05
"""Seconds the gate is given to bring the contacts of a settled placement to its own tolerance."""
#: In the gate, contacts and tips are to be served by the limbs first, then the trunk, then the root.
GATE_LIMB, GATE_TRUNK, GATE_ROOT = 1.0, 0.1, 0.03


@dataclass(frozen=True)
class GateResult:
    """What the gate said: its status code and what held each variable back (see ``gate``)."""

    status: int
    bound: NDArray[np.int64]
    words: str = ""
    """Why the rig stopped; "" while it runs."""


class WholeBody:
    """One robot, its pose, and the solve from goals to the next pose.

    ``tips`` holds the limbs' modes and goals as the gate keeps them, in the order of ``limb_names``; no rig can write
    there. Set them, then call ``follow`` (one tick) or ``settle`` (a placement, without rates).
    """

    def __init__(self, model: RobotModel, description: RobotDescription, graph: Graph) -> None:
        self.model = model
        self.description = description
        self.limb_names = tuple(description.limbs)
        limbs = list(description.limbs.values())
        self.tips = limb_tips(model, description)
        self._centres = [(frame[0], frame[2]) for frame in (model.frame(limb.root) for limb in limbs)]
        n = len(model.joint_names)
        bodies = len(model.tree.parent)
        self.rotations = np.zeros((bodies, 3, 3))
        self.translations = np.zeros((bodies, 3))
        self.pose = Pose(np.zeros(3), np.array([0.0, 0.0, 0.0, 1.0]), model.neutral.copy())
        self.locate()
        in_limb = self._limb_variables(n)
        self.proposal = Proposal(model, description, graph, in_limb)
        mobility = np.where(in_limb == 1, GATE_LIMB, GATE_TRUNK)
        mobility[:6] = GATE_ROOT
        self.bound = np.zeros(6 + n, np.int64)
        base = np.array([description.body.speed, description.body.turn_rate])
        limits = Limits(model.lower, model.upper, model.velocity, base)
        work = make_gate_work(bodies, n, len(limbs))
        self._gate = handle(Gate(model.tree, limits, self.tips, mobility, self.bound, work))
        self._axes = frame_from_axes(np.array(description.body.forward), np.array(description.body.up))

    def _limb_variables(self, joints: int) -> NDArray[np.int64]:
        """(6 + n,) 1 for each variable that moves a limb about its reach centre: its chain and the root joint group."""
        tree = self.model.tree
        flags = np.zeros(6 + joints, np.int64)
        for i, limb in enumerate(self.description.limbs.values()):
            first, centre = self._centres[i][0], self.reach_centre(i)
            body, beyond = self.model.frame(limb.tip)[0], True
            # A shoulder's three axes are bodies at one point; only the last of them is the link the limb starts with.
            while body > 0 and (beyond or distance(self.translations[body], centre) < 1e-6):
                flags[6 + tree.dof[body]] = 1
                beyond = beyond and body != first
                body = tree.parent[body]
        return flags

    # -- where things are ----------------------------------------------------------------------------------------

    def locate(self) -> None:
        """Forward kinematics of ``pose`` into ``rotations``, ``translations`` and the tips."""
        forward(
            self.model.tree, self.pose.position, self.pose.orientation, self.pose.q, self.rotations, self.translations
        )
        locate_tips(self.tips, self.rotations, self.translations)

    def reach_centre(self, limb: int) -> Array:
        """(3,) shoulder or hip of a limb in map, at the pose last located."""
        body, offset = self._centres[limb]
        centre: Array = self.translations[body] + self.rotations[body] @ offset
        return centre

    @property
    def climbing_posture(self) -> Array:
        """(n,) joints the body is drawn to on the wall; a copy."""
        return self.proposal.solver.climbing_q.copy()

    def facing(self, normal: Array, up: Array) -> Array:
        """(3, 3) axes of the root link for a body that faces a wall of the given normal.

        The trunk leans with the wall by the description's ``lean``: 0 stays upright, 1 lies parallel to the wall.

        Args:
            normal: Unit normal out of the wall.
            up: Unit wall-up direction.
        """
        lean = self.description.body.lean
        trunk = unit(lean * up + (1.0 - lean) * np.array([0.0, 0.0, 1.0]))
        trunk = trunk if trunk.any() else up
        ahead = -normal - trunk * float(-normal @ trunk)
        return frame_from_axes(ahead if length(ahead) > 1e-6 else up, trunk) @ self._axes.T

    # -- solving -------------------------------------------------------------------------------------------------

    def step(self, dt: float, base_moves: bool, prior: Array) -> GateResult:
        """Moves ``pose`` on by one tick through the gate, as near to the step ``prior`` as the bounds allow."""
        new = self.pose.copy()
        status = pass_gate(
            self._gate, prior, dt, base_moves, self.pose.position, self.pose.orientation, self.pose.q,
            new.position, new.orientation, new.q,
        )  # fmt: skip
        self.pose = new
        self.locate()
        return GateResult(int(status), self.bound)

    def step_to(self, pose: Pose) -> Array:
        """(6 + n,) step from the present pose to another: translation, world rotation vector, joints."""
        turn = np.empty(3)
        rotation_vector_between(root_axes(self.pose), root_axes(pose), turn)
        return np.concatenate((pose.position - self.pose.position, turn, pose.q - self.pose.q))

    def follow(self, dt: float, base_moves: bool, normal: Array, up: Array, heading: Array) -> GateResult:
        """One tick of the climb: the pose the rig proposes, through the gate.

        A rig that stops (a value that is not finite, a unit that failed) proposes nothing: everything stands still,
        and the result says why.

        Args:
            dt: Seconds.
            base_moves: Whether the root may move; one that may not is not on the wall yet.
            normal: (3,) unit, of the wall as the whole body sees it.
            up: (3,) unit, up the wall.
            heading: (3,) unit, where the climber faces.
        """
        try:
            self.proposal.run(self.pose, Situation(dt, smoothing(POSTURE_RATE, dt), base_moves, normal, up, heading))
        except RigError as error:
            self.bound[:] = 0
            return GateResult(STALLED, self.bound, str(error))
        return self.step(dt, base_moves, self.step_to(self.proposal.pose))

    def settle(self, normal: Array, up: Array, heading: Array) -> None:
        """Brings ``pose`` to rest at its natural pose without regard to rates: a placement.

        Limits hold throughout. Whether contacts and clearance do at the end is for the caller to check.

        Raises:
            RigError: The rig stopped.
        """
        situation = Situation(PLACING_TICK, 1.0, True, normal, up, heading, placing=True)
        for _ in range(SETTLE_PASSES):
            self.proposal.plan(self.pose, situation)
            step = self.step_to(self.proposal.pose)
            self.pose = self.proposal.pose.copy()
            if np.abs(step).max() < SETTLED:
                break
        np.clip(self.pose.q, self.model.lower, self.model.upper, out=self.pose.q)
        # What is left of the contacts' error is second order: the gate's own Newton takes it, with time to spare.
        self.step(FINISHING_TIME, True, np.zeros(6 + len(self.pose.q)))

    def depth_in_wall(self, wall: Wall, outside: Array) -> float:
        """Metres the deepest probe is inside a wall, at the present pose; 0 when all are clear.

        Args:
            wall: The surface.
            outside: (3,) out of it where the climber is; decides the side of a surface that does not know its own.
        """
        probes = self.proposal.solver.probes
        if not len(probes.body):
            return 0.0
        centres = self.translations[probes.body] + np.einsum("pij,pj->pi", self.rotations[probes.body], probes.offset)
        near = wall.nearest_many(centres, max_distance=float(probes.radius.max()))
        normals = near.normals.copy()
        if not wall.oriented:
            normals[normals @ outside < 0.0] *= -1.0
        gap = np.einsum("pk,pk->p", centres - near.points, normals) - probes.radius
        return float(max(0.0, *np.where(near.found, -gap, 0.0)))
