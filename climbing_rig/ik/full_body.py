"""The full-body proposal: the natural pose for the holds and goals of this moment.

From the last accepted pose (warm start) Gauss-Newton passes, one call each, minimise how far the joints are from the
posture and the root from the orientation that faces the wall, subject to the contacts (hard), the goals of moving
limbs (as strongly as their ``body_alpha`` says) and the body's probe spheres staying off the wall (one-sided rows).
The root's position has no wish of its own: it goes where the joints are most at ease, which is what lets the body
follow. A pass with everything but the limbs frozen then brings the moving limbs to their goals.

It only proposes: rates, and the last word on contacts and limits, are the gate's.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from climbing_rig.ik.least_squares import Rows, make_rows, solve_in_box
from climbing_rig.ik.tips import (
    IDLE,
    LOCKED,
    MOVING,
    Tips,
    add_clearance_row,
    add_point_rows,
    add_rotation_rows,
    locate_tips,
)
from climbing_rig.maths import distance, matrix_from_quaternion, rotate, rotation_vector_between
from climbing_rig.model.kinematics import forward, integrate
from climbing_rig.model.tree import KinematicTree

Array = NDArray[np.float64]
Flags = NDArray[np.int64]

CONTACT_DAMPING = 1e-9
GOAL_DAMPING = 1e-4
#: Added to a goal's damping as its body_alpha goes from 1 to 0: at 0 the body hardly feels it.
UNFELT_DAMPING = 2.0
CLEARANCE_DAMPING = 1e-5
CAUTION = 1.0
"""Weight of staying put in one pass, times that of the posture (Levenberg): orientations that a robot cannot meet leave
large residuals, on which plain Gauss-Newton goes back and forth for ever."""
TRUST_ANGLE = 0.35
"""Radians a joint (and the root) may turn in one pass: beyond that the linear model is no guide."""
TRUST_DISTANCE = 0.20


class Probes(NamedTuple):
    """P spheres on the body and the wall plane nearest to each."""

    body: Flags
    """(P,)"""
    offset: Array
    """(P, 3) centre in the body."""
    radius: Array
    """(P,)"""
    near: Flags
    """(P,) 1 where the wall is close enough to matter."""
    point: Array
    """(P, 3) nearest wall point, in map."""
    normal: Array
    """(P, 3) its normal, out of the wall."""


def make_probes(body: Flags, offset: Array, radius: Array) -> Probes:
    """Probes with no wall near any of them."""
    n = len(body)
    return Probes(
        body=np.ascontiguousarray(body, np.int64),
        offset=np.ascontiguousarray(offset, np.float64).reshape(n, 3),
        radius=np.ascontiguousarray(radius, np.float64),
        near=np.zeros(n, np.int64),
        point=np.zeros((n, 3)),
        normal=np.zeros((n, 3)),
    )


class Posture(NamedTuple):
    """What the pose is drawn to; N = 6 + n."""

    q: Array
    """(n,) the joints' natural values."""
    rotation: Array
    """(3, 3) the root's wished axes in map."""
    mobility: Array
    """(N,) how readily each variable leaves the wish."""
    orientation_damping: Array
    """(L,) damping of each limb's orientation rows; the larger, the weaker the wish."""
    in_limb: Flags
    """(N,) 1 for the joints of the limbs themselves, which the last pass may still move."""


def one_posture() -> Posture:
    """Of a robot with one joint: enough to compile a kernel with."""
    one = np.ones(1)
    return Posture(np.zeros(1), np.eye(3), np.ones(7), one, np.ones(7, np.int64))


class ProposalWork(NamedTuple):
    """Preallocated scratch; B bodies, N variables."""

    rows: Rows
    rotations: Array
    translations: Array
    scratch: Array
    root: Array
    prior: Array
    lower: Array
    upper: Array
    mobility: Array
    step: Array
    fixed: Flags
    error: Array
    centre: Array


def make_proposal_work(bodies: int, joints: int, limbs: int, probes: int) -> ProposalWork:
    """Scratch for a robot of the given sizes."""
    n = 6 + joints
    return ProposalWork(
        rows=make_rows(6 * limbs + probes, n),
        rotations=np.zeros((bodies, 3, 3)),
        translations=np.zeros((bodies, 3)),
        scratch=np.zeros((3, n)),
        root=np.zeros((3, 3)),
        prior=np.zeros(n),
        lower=np.zeros(n),
        upper=np.zeros(n),
        mobility=np.zeros(n),
        step=np.zeros(n),
        fixed=np.zeros(n, np.int64),
        error=np.zeros(3),
        centre=np.zeros(3),
    )


@njit(cache=True)
def _limb_rows(tree: KinematicTree, tips: Tips, posture: Posture, body_pass: bool, work: ProposalWork) -> int:
    """Position and orientation rows of every limb that is not IDLE, at the pose last located."""
    count = 0
    for i in range(tips.body.shape[0]):
        if tips.mode[i] == IDLE:
            continue
        for k in range(3):
            work.error[k] = tips.goal[i, k] - tips.position[i, k]
        damping = CONTACT_DAMPING
        if tips.mode[i] == MOVING:
            away = distance(tips.goal[i], tips.position[i])
            if away > TRUST_DISTANCE:
                for k in range(3):
                    work.error[k] *= TRUST_DISTANCE / away
            alpha = tips.body_alpha[i] if body_pass else tips.limb_alpha[i]
            damping = GOAL_DAMPING + UNFELT_DAMPING * (1.0 - alpha) ** 2
        count = add_point_rows(
            work.rows, count, tree, work.rotations, work.translations, tips.body[i], tips.position[i],
            work.error, damping, work.scratch,
        )  # fmt: skip
        wish = posture.orientation_damping[i]
        if tips.lock_rotation[i] != 0 and tips.mode[i] == LOCKED:
            wish = CONTACT_DAMPING
        elif tips.limb_alpha[i] <= 0.0 or (tips.mode[i] == LOCKED and not body_pass):
            continue
        else:
            wish /= tips.limb_alpha[i]
        rotation_vector_between(tips.rotation[i], tips.goal_rotation[i], work.error)
        count = add_rotation_rows(work.rows, count, tree, work.rotations, tips.body[i], work.error, wish, work.scratch)
    return count


@njit(cache=True)
def _clearance_rows(tree: KinematicTree, probes: Probes, count: int, work: ProposalWork) -> int:
    for i in range(probes.body.shape[0]):
        if probes.near[i] == 0:
            continue
        b = probes.body[i]
        rotate(work.rotations[b], probes.offset[i], work.centre)
        gap = -probes.radius[i]
        for k in range(3):
            work.centre[k] += work.translations[b, k]
            gap += (work.centre[k] - probes.point[i, k]) * probes.normal[i, k]
        count = add_clearance_row(
            work.rows, count, tree, work.rotations, work.translations, b, work.centre, probes.normal[i],
            max(gap, -TRUST_DISTANCE), CLEARANCE_DAMPING, work.scratch,
        )  # fmt: skip
    return count


@njit(cache=True)
def improve(
    tree: KinematicTree,
    lower: Array,
    upper: Array,
    tips: Tips,
    probes: Probes,
    posture: Posture,
    body_pass: bool,
    base_moves: bool,
    position: Array,
    orientation: Array,
    q: Array,
    work: ProposalWork,
) -> float:
    """One Gauss-Newton pass: moves a pose towards the natural one, in place.

    Args:
        tree: The robot.
        lower: (n,) joint limits.
        upper: (n,) joint limits.
        tips: Limb goals, modes and weights; ``position`` and ``rotation`` are overwritten.
        probes: Body spheres and the wall near them.
        posture: What to be drawn to.
        body_pass: Whether the whole body moves; False moves the limbs alone, to their goals.
        base_moves: Whether the root may move.
        position: (3,) root link, changed.
        orientation: (4,) its quaternion (x, y, z, w), changed.
        q: (n,) its joints, changed.
        work: Scratch.

    Returns:
        The largest change of any variable, metres or radians.
    """
    n = q.shape[0]
    forward(tree, position, orientation, q, work.rotations, work.translations)
    locate_tips(tips, work.rotations, work.translations)
    count = _limb_rows(tree, tips, posture, body_pass, work)
    count = _clearance_rows(tree, probes, count, work)
    matrix_from_quaternion(orientation, work.root)
    rotation_vector_between(work.root, posture.rotation, work.error)
    root_moves = body_pass and base_moves
    for k in range(3):
        work.prior[k] = 0.0
        work.prior[3 + k] = work.error[k] / (1.0 + CAUTION) if root_moves else 0.0
        work.lower[k], work.upper[k] = -TRUST_DISTANCE, TRUST_DISTANCE
        work.lower[3 + k], work.upper[3 + k] = -TRUST_ANGLE, TRUST_ANGLE
    for j in range(n):
        value = min(max(q[j], lower[j]), upper[j])
        work.prior[6 + j] = (posture.q[j] - q[j]) / (1.0 + CAUTION) if body_pass else value - q[j]
        work.lower[6 + j] = max(-TRUST_ANGLE, lower[j] - value) + (value - q[j])
        work.upper[6 + j] = min(TRUST_ANGLE, upper[j] - value) + (value - q[j])
    for j in range(6 + n):
        work.mobility[j] = posture.mobility[j] / (1.0 + CAUTION)
        if (j < 6 and not root_moves) or (not body_pass and posture.in_limb[j] == 0):
            work.prior[j] = 0.0 if j < 6 else min(max(q[j - 6], lower[j - 6]), upper[j - 6]) - q[j - 6]
            work.lower[j] = work.upper[j] = work.prior[j]
    solve_in_box(work.rows, count, work.mobility, work.prior, work.lower, work.upper, work.fixed, work.step)
    integrate(position, orientation, q, work.step, position, orientation, q)
    largest = 0.0
    for j in range(6 + n):
        largest = max(largest, abs(work.step[j]))
    return largest
