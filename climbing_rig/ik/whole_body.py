"""A robot with its limbs, ready to be solved: the arrays the kernels work on, and the calls that run them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from climbing_rig.ik.full_body import Posture, make_probes, make_proposal_work, propose
from climbing_rig.ik.gate import Limits, make_gate_work, pass_gate
from climbing_rig.ik.tips import IDLE, LOCKED, MOVING, locate_tips, make_tips
from climbing_rig.maths import (
    distance,
    frame_from_axes,
    length,
    matrix_from_quaternion,
    quaternion_from_matrix,
    rotation_vector_between,
    smoothing,
    unit,
)
from climbing_rig.model import RobotDescription, RobotModel
from climbing_rig.model.kinematics import forward, integrate

if TYPE_CHECKING:
    from climbing_rig.wall import Wall

Array = NDArray[np.float64]

PASSES = 2
"""Gauss-Newton passes of a tick's proposal; the next tick goes on from where this one came."""
POSTURE_RATE = 5.0
"""1/s at which the body follows its natural pose."""
SETTLED = 1e-7
"""Metres and radians under which a placement's step counts as none."""
SETTLE_PASSES = 80
FINISHING_TIME = 0.05
"""Seconds the gate is given to bring the contacts of a settled placement to its own tolerance."""
ROOT_MOBILITY = 50.0
"""Of the root's position in the proposal: large, since it has no place of its own to be."""
ROOT_TURN_MOBILITY = 0.4
#: In the gate, contacts and tips are to be served by the limbs first, then the trunk, then the root.
GATE_LIMB, GATE_TRUNK, GATE_ROOT = 1.0, 0.1, 0.03
NEAR = 0.10
"""Metres outside its sphere at which a probe starts to watch the wall."""
ORIENTATION_DAMPING = {"hand": 0.02, "foot": 0.05}


@dataclass
class Pose:
    """A configuration of the robot: root in map and joints.

    Attributes:
        position: (3,) of the root link, metres.
        orientation: (4,) quaternion (x, y, z, w).
        q: (n,) independent joints, rad or m.
    """

    position: Array
    orientation: Array
    q: Array

    def copy(self) -> Pose:
        """A pose that shares nothing with this one."""
        return Pose(self.position.copy(), self.orientation.copy(), self.q.copy())


@dataclass(frozen=True)
class GateResult:
    """What the gate said: its status code and what held each variable back (see ``gate``)."""

    status: int
    bound: NDArray[np.int64]


class WholeBody:
    """One robot, its pose, and the solve from goals to the next pose.

    ``tips`` holds the limbs' modes and goals in the order of ``limb_names``; set them, then call ``step`` (one tick,
    through the gate) or ``settle`` (a placement, without rates).
    """

    def __init__(self, model: RobotModel, description: RobotDescription) -> None:
        self.model = model
        self.description = description
        self.limb_names = tuple(description.limbs)
        limbs = list(description.limbs.values())
        body, rotation, offset = zip(*(model.frame(limb.tip) for limb in limbs), strict=True)
        self.tips = make_tips(np.array(body), np.array(offset), np.array(rotation))
        self.tips.lock_rotation[:] = [limb.lock_rotation for limb in limbs]
        probes = [(model.frame(link), radius) for link, radius in description.body.probes.items()]
        self.probes = make_probes(
            np.array([frame[0] for frame, _ in probes], np.int64),
            np.array([frame[2] for frame, _ in probes]),
            np.array([radius for _, radius in probes]),
        )
        self._centres = [(frame[0], frame[2]) for frame in (model.frame(limb.root) for limb in limbs)]
        n = len(model.joint_names)
        bodies = len(model.tree.parent)
        self.rotations = np.zeros((bodies, 3, 3))
        self.translations = np.zeros((bodies, 3))
        self.pose = Pose(np.zeros(3), np.array([0.0, 0.0, 0.0, 1.0]), model.neutral.copy())
        self.locate()
        in_limb = self._limb_variables(n)
        stiffness = np.array([description.stiffness_of(name) for name in model.joint_names])
        self.posture = Posture(
            q=np.array([description.posture.get(name, model.neutral[j]) for j, name in enumerate(model.joint_names)]),
            rotation=np.eye(3),
            mobility=np.concatenate(([ROOT_MOBILITY] * 3, [ROOT_TURN_MOBILITY] * 3, 1.0 / stiffness)),
            orientation_damping=np.array([ORIENTATION_DAMPING[limb.kind] for limb in limbs]),
            in_limb=in_limb,
        )
        self._climbing_posture = self.posture.q.copy()
        self.gate_mobility = np.where(in_limb == 1, GATE_LIMB, GATE_TRUNK)
        self.gate_mobility[:6] = GATE_ROOT
        self.limits = Limits(
            model.lower, model.upper, model.velocity, description.body.speed, description.body.turn_rate
        )
        self.proposed = np.zeros(6 + n)
        self.bound = np.zeros(6 + n, np.int64)
        self._proposal_work = make_proposal_work(bodies, n, len(limbs), len(probes))
        self._gate_work = make_gate_work(bodies, n, len(limbs))
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

    def probe_centres(self) -> Array:
        """(P, 3) centres of the body's probe spheres in map, at the pose last located."""
        bodies = self.probes.body
        return self.translations[bodies] + np.einsum("pij,pj->pi", self.rotations[bodies], self.probes.offset)

    @property
    def climbing_posture(self) -> Array:
        """(n,) joints the body is drawn to on the wall; a copy."""
        return self._climbing_posture.copy()

    def watch_wall(self, wall: Wall | None, outside: Array) -> None:
        """Looks up the wall plane nearest to each probe.

        Args:
            wall: The surface, or None.
            outside: (3,) direction out of the wall where the climber is; decides the side of a surface that does not
                know its own.
        """
        self.probes.near[:] = 0
        if wall is None or not len(self.probes.body):
            return
        near = wall.nearest_many(self.probe_centres(), max_distance=float(self.probes.radius.max()) + NEAR)
        self.probes.near[:] = near.found
        self.probes.point[:] = near.points
        self.probes.normal[:] = near.normals
        if not wall.oriented:
            self.probes.normal[near.normals @ outside < 0.0] *= -1.0

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

    def propose(self, base_moves: bool) -> Array:
        """(6 + n,) step from the present pose to its natural pose; see ``full_body``."""
        propose(
            self.model.tree, self.model.lower, self.model.upper, self.tips, self.probes, self.posture, PASSES,
            base_moves, self.pose.position, self.pose.orientation, self.pose.q, self.proposed, self._proposal_work,
        )  # fmt: skip
        return self.proposed

    def step(self, dt: float, base_moves: bool, prior: Array) -> GateResult:
        """Moves ``pose`` on by one tick through the gate, as near to the step ``prior`` as the bounds allow."""
        new = self.pose.copy()
        status = pass_gate(
            self.model.tree, self.limits, self.tips, self.gate_mobility, prior, dt, base_moves,
            self.pose.position, self.pose.orientation, self.pose.q, new.position, new.orientation, new.q,
            self.bound, self._gate_work,
        )  # fmt: skip
        self.pose = new
        self.locate()
        return GateResult(int(status), self.bound)

    def step_to(self, pose: Pose) -> Array:
        """(6 + n,) step from the present pose to another: translation, world rotation vector, joints."""
        turn = np.empty(3)
        rotation_vector_between(root_axes(self.pose), root_axes(pose), turn)
        return np.concatenate((pose.position - self.pose.position, turn, pose.q - self.pose.q))

    def follow(self, dt: float, base_moves: bool) -> GateResult:
        """One tick of the climb: the natural pose, followed smoothly, through the gate.

        A body whose root may not move is not on the wall yet: it is drawn to neutral, not to the climbing posture.
        """
        self.posture.q[:] = self._climbing_posture if base_moves else self.model.neutral
        return self.step(dt, base_moves, self.propose(base_moves) * smoothing(POSTURE_RATE, dt))

    def settle(self, wall: Wall | None, outside: Array) -> None:
        """Brings ``pose`` to rest at its natural pose without regard to rates: a placement.

        Limits hold throughout. Whether contacts and clearance do at the end is for the caller to check.
        """
        self.posture.q[:] = self._climbing_posture
        for _ in range(SETTLE_PASSES):
            self.locate()
            self.watch_wall(wall, outside)
            step = self.propose(True)
            integrate(
                self.pose.position, self.pose.orientation, self.pose.q, step,
                self.pose.position, self.pose.orientation, self.pose.q,
            )  # fmt: skip
            if np.abs(step).max() < SETTLED:
                break
        np.clip(self.pose.q, self.model.lower, self.model.upper, out=self.pose.q)
        # What is left of the contacts' error is second order: the gate's own Newton takes it, with time to spare.
        self.step(FINISHING_TIME, True, np.zeros_like(self.proposed))

    def depth_in_wall(self) -> float:
        """Metres the deepest probe is inside the wall last watched, at the present pose; 0 when all are clear."""
        gap = np.einsum("pk,pk->p", self.probe_centres() - self.probes.point, self.probes.normal) - self.probes.radius
        return float(max(0.0, *np.where(self.probes.near == 1, -gap, 0.0))) if len(gap) else 0.0


def set_orientation(pose: Pose, rotation: Array) -> None:
    """Writes a rotation matrix (3, 3) as the pose's root orientation."""
    quaternion_from_matrix(rotation, pose.orientation)


def root_axes(pose: Pose) -> Array:
    """(3, 3) axes of the root link in map."""
    out = np.empty((3, 3))
    matrix_from_quaternion(pose.orientation, out)
    return out


__all__ = ["IDLE", "LOCKED", "MOVING", "GateResult", "Pose", "WholeBody", "root_axes", "set_orientation"]
