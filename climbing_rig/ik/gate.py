"""The gate: the only place where a proposal becomes the robot's pose.

Around the last accepted pose, one bounded least-squares problem: every LOCKED tip on its contact (hard), every moving
tip at its next speed-limited point (high), the proposal's posture (low), inside the box of joint limits, joint
velocities and base speed. The step is then corrected by Newton on the contacts, inside what is left of the box, until
they hold to ``CONTACT_TOLERANCE``; a step on which they cannot be held, or on which a tip would be too fast, is
shortened. The empty step always passes, so every accepted pose is feasible whatever was proposed.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from climbing_rig.ik.least_squares import Rows, make_rows, solve_in_box
from climbing_rig.ik.tips import (
    LOCKED,
    MOVING,
    Tips,
    add_point_rows,
    add_rotation_rows,
    locate_tips,
    one_tip,
)
from climbing_rig.maths import distance, rotation_vector_between
from climbing_rig.model.kinematics import forward, integrate
from climbing_rig.model.tree import KinematicTree, one_joint_tree
from climbing_rig.reference import handle

Array = NDArray[np.float64]
Flags = NDArray[np.int64]

SOLVED, CLAMPED, STALLED, RECOVERY, STILL = 0, 1, 2, 3, 4
FREE, AT_SPEED, AT_LIMIT = 0, 1, 2

CONTACT_TOLERANCE = 1e-5
"""Metres (and radians, where a contact holds its rotation) a contact may be off after a step."""
STILL_STEP = 1e-9
"""A step smaller than this in every variable is no step: a still target gives the same bits."""
RATE_MARGIN = 0.999
"""Share of a speed limit that is used, so that no receiver's arithmetic sees more than the limit."""
HARD = 1e-9
MOVING_DAMPING = 1e-3
MAX_NEWTON = 8
MAX_SHORTENINGS = 14


class Limits(NamedTuple):
    """What one tick may do; joint arrays are (n,)."""

    lower: Array
    upper: Array
    velocity: Array
    base: Array
    """(2,) m/s of the root link's origin, rad/s of the root link."""


class GateWork(NamedTuple):
    """Preallocated scratch of one gate; N = 6 + n variables, B bodies."""

    rows: Rows
    rotations: Array
    translations: Array
    scratch: Array
    lower: Array
    upper: Array
    step: Array
    trial: Array
    correction: Array
    zero: Array
    room_below: Array
    room_above: Array
    fixed: Flags
    fixed_by_correction: Flags
    start: Array
    error: Array


def make_gate_work(bodies: int, joints: int, limbs: int) -> GateWork:
    """Scratch for a robot of ``bodies`` bodies, ``joints`` joints and ``limbs`` limbs."""
    n = 6 + joints
    return GateWork(
        rows=make_rows(6 * limbs, n),
        rotations=np.zeros((bodies, 3, 3)),
        translations=np.zeros((bodies, 3)),
        scratch=np.zeros((3, n)),
        lower=np.zeros(n),
        upper=np.zeros(n),
        step=np.zeros(n),
        trial=np.zeros(n),
        correction=np.zeros(n),
        zero=np.zeros(n),
        room_below=np.zeros(n),
        room_above=np.zeros(n),
        fixed=np.zeros(n, np.int64),
        fixed_by_correction=np.zeros(n, np.int64),
        start=np.zeros((limbs, 3)),
        error=np.zeros(3),
    )


class Gate(NamedTuple):
    """One robot's gate; N = 6 + n variables."""

    tree: KinematicTree
    limits: Limits
    tips: Tips
    """The limbs' tips, goals and modes; ``position`` and ``rotation`` come out as at the new pose."""
    mobility: Array
    """(N,) how readily each variable serves contacts and tips."""
    bound: Flags
    """(N,) out: FREE, AT_SPEED or AT_LIMIT."""
    work: GateWork


@njit(cache=True)
def _box(limits: Limits, q: Array, dt: float, base_moves: bool, lower: Array, upper: Array) -> bool:
    """The box of one tick around ``q``; True when a joint is outside its limits and may only come back."""
    # A box of half-width speed/sqrt(3) lies inside the ball of that speed.
    move = RATE_MARGIN * limits.base[0] * dt / math.sqrt(3.0) if base_moves else 0.0
    turn = RATE_MARGIN * limits.base[1] * dt / math.sqrt(3.0) if base_moves else 0.0
    for k in range(3):
        lower[k], upper[k] = -move, move
        lower[3 + k], upper[3 + k] = -turn, turn
    recovery = False
    for j in range(q.shape[0]):
        reach = RATE_MARGIN * limits.velocity[j] * dt
        below, above = limits.lower[j] - q[j], limits.upper[j] - q[j]
        if below > 0.0:
            recovery = True
            lower[6 + j], upper[6 + j] = 0.0, min(reach, max(above, 0.0))
        elif above < 0.0:
            recovery = True
            lower[6 + j], upper[6 + j] = max(-reach, min(below, 0.0)), 0.0
        else:
            lower[6 + j], upper[6 + j] = max(-reach, below), min(reach, above)
    return recovery


@njit(cache=True)
def _contact_rows(tree: KinematicTree, tips: Tips, work: GateWork) -> tuple[int, float]:
    """Hard rows for every LOCKED tip at the pose in ``work``; returns (rows, worst error)."""
    count, worst = 0, 0.0
    for i in range(tips.body.shape[0]):
        if tips.mode[i] != LOCKED:
            continue
        for k in range(3):
            work.error[k] = tips.goal[i, k] - tips.position[i, k]
        worst = max(worst, distance(tips.goal[i], tips.position[i]))
        count = add_point_rows(
            work.rows, count, tree, work.rotations, work.translations, tips.body[i], tips.position[i],
            work.error, HARD, work.scratch,
        )  # fmt: skip
        if tips.lock_rotation[i] != 0:
            rotation_vector_between(tips.rotation[i], tips.goal_rotation[i], work.error)
            for k in range(3):
                worst = max(worst, abs(work.error[k]))
            count = add_rotation_rows(
                work.rows, count, tree, work.rotations, tips.body[i], work.error, HARD, work.scratch
            )
    return count, worst


@njit(cache=True)
def _hold_contacts(
    tree: KinematicTree, tips: Tips, work: GateWork, mobility: Array, position: Array, orientation: Array,
    q: Array, position_out: Array, orientation_out: Array, q_out: Array,
) -> bool:  # fmt: skip
    """Newton on the contacts, starting from ``work.trial`` and changing it; False when they cannot be held.

    The pose of the trial step is left in the outputs, its bodies and tips in ``work`` and ``tips``.
    """
    for iteration in range(MAX_NEWTON):
        integrate(position, orientation, q, work.trial, position_out, orientation_out, q_out)
        forward(tree, position_out, orientation_out, q_out, work.rotations, work.translations)
        locate_tips(tips, work.rotations, work.translations)
        count, worst = _contact_rows(tree, tips, work)
        if worst <= CONTACT_TOLERANCE:
            return True
        if not worst < 1.0 or iteration == MAX_NEWTON - 1:
            return False
        for j in range(work.trial.shape[0]):
            work.room_below[j] = min(work.lower[j] - work.trial[j], 0.0)
            work.room_above[j] = max(work.upper[j] - work.trial[j], 0.0)
        solve_in_box(
            work.rows, count, mobility, work.zero, work.room_below, work.room_above,
            work.fixed_by_correction, work.correction,
        )  # fmt: skip
        for j in range(work.trial.shape[0]):
            work.trial[j] += work.correction[j]
    return False


@njit(cache=True)
def pass_gate(
    gate: Gate,
    prior: Array,
    dt: float,
    base_moves: bool,
    position: Array,
    orientation: Array,
    q: Array,
    position_out: Array,
    orientation_out: Array,
    q_out: Array,
) -> int:
    """The next accepted pose.

    Args:
        gate: The robot's (from Python: a ``reference.handle`` of it).
        prior: (6 + n,) the step the proposal asks for.
        dt: Seconds of this tick.
        base_moves: Whether the root link may move at all.
        position: (3,) root link of the last accepted pose.
        orientation: (4,) its quaternion (x, y, z, w).
        q: (n,) its joints.
        position_out: (3,) written: the new pose.
        orientation_out: (4,) written.
        q_out: (n,) written.

    Returns:
        SOLVED, CLAMPED, STALLED, RECOVERY or STILL.
    """
    tree, limits, tips, mobility, bound, work = gate.tree, gate.limits, gate.tips, gate.mobility, gate.bound, gate.work
    n = prior.shape[0]
    forward(tree, position, orientation, q, work.rotations, work.translations)
    locate_tips(tips, work.rotations, work.translations)
    for i in range(tips.body.shape[0]):
        for k in range(3):
            work.start[i, k] = tips.position[i, k]
    recovery = _box(limits, q, dt, base_moves, work.lower, work.upper)

    count, _ = _contact_rows(tree, tips, work)
    for i in range(tips.body.shape[0]):
        if tips.mode[i] != MOVING:
            continue
        away = distance(tips.goal[i], tips.position[i])
        share = 1.0 if away <= tips.step[i] * RATE_MARGIN else tips.step[i] * RATE_MARGIN / away
        for k in range(3):
            work.error[k] = share * (tips.goal[i, k] - tips.position[i, k])
        count = add_point_rows(
            work.rows, count, tree, work.rotations, work.translations, tips.body[i], tips.position[i],
            work.error, MOVING_DAMPING, work.scratch,
        )  # fmt: skip
    solve_in_box(work.rows, count, mobility, prior, work.lower, work.upper, work.fixed, work.step)

    largest = 0.0
    for j in range(n):
        bound[j] = FREE
        largest = max(largest, abs(work.step[j]))
    scale = 1.0 if largest >= STILL_STEP else 0.0
    accepted = False
    for _ in range(MAX_SHORTENINGS):
        if scale == 0.0:
            break
        for j in range(n):
            work.trial[j] = scale * work.step[j]
        if not _hold_contacts(
            tree, tips, work, mobility, position, orientation, q, position_out, orientation_out, q_out
        ):
            scale *= 0.5
            continue
        excess = 1.0
        for i in range(tips.body.shape[0]):
            if tips.mode[i] != LOCKED:
                excess = max(excess, distance(tips.position[i], work.start[i]) / (RATE_MARGIN * tips.step[i]))
        if excess > 1.0 + 1e-9:
            scale *= 0.98 / excess
            continue
        accepted = True
        break

    if not accepted or not _finite(position_out, orientation_out, q_out):
        for k in range(3):
            position_out[k] = position[k]
        for k in range(4):
            orientation_out[k] = orientation[k]
        for j in range(q.shape[0]):
            q_out[j] = q[j]
        forward(tree, position_out, orientation_out, q_out, work.rotations, work.translations)
        locate_tips(tips, work.rotations, work.translations)
        return STILL if largest < STILL_STEP else STALLED

    clamped = scale < 1.0
    for j in range(n):
        if work.fixed[j] != 0 and work.lower[j] < work.upper[j]:
            clamped = True
            bound[j] = AT_SPEED
            if j >= 6:
                edge = limits.lower[j - 6] if work.fixed[j] < 0 else limits.upper[j - 6]
                if abs(q_out[j - 6] - edge) < 1e-9:
                    bound[j] = AT_LIMIT
    for j in range(q.shape[0]):
        # Rounding of q + step must not leave the limits by its last bit.
        if limits.lower[j] <= q[j] <= limits.upper[j]:
            q_out[j] = min(max(q_out[j], limits.lower[j]), limits.upper[j])
    if recovery:
        return RECOVERY
    return CLAMPED if clamped else SOLVED


@njit(cache=True)
def _finite(position: Array, orientation: Array, q: Array) -> bool:
    total = 0.0
    for k in range(3):
        total += position[k]
    for k in range(4):
        total += orientation[k]
    for j in range(q.shape[0]):
        total += q[j]
    return math.isfinite(total)


def warm_up() -> None:
    """Compiles the gate, or loads it from the cache."""
    one = np.ones(1)
    gate = Gate(
        one_joint_tree(), Limits(-one, one, one, np.ones(2)), one_tip(), np.ones(7), np.zeros(7, np.int64),
        make_gate_work(2, 1, 1),
    )  # fmt: skip
    upright = np.array([0.0, 0.0, 0.0, 1.0])
    pass_gate(
        handle(gate), np.zeros(7), 0.01, True, np.zeros(3), upright, np.zeros(1), np.zeros(3), np.zeros(4), np.zeros(1)
    )
