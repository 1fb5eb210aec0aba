"""The contact frames of all limbs as flat arrays, and their rows in a least-squares problem."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from climbing_rig.ik.least_squares import Rows
from climbing_rig.maths import compose, rotate
from climbing_rig.model.kinematics import point_jacobian, rotation_jacobian
from climbing_rig.model.tree import KinematicTree

Array = NDArray[np.float64]
Flags = NDArray[np.int64]

#: What the solvers see of a limb's phase.
IDLE, LOCKED, MOVING = 0, 1, 2


class Tips(NamedTuple):
    """L contact frames: where they sit on the robot, where they are, and what is asked of them."""

    body: Flags
    """(L,) body that carries the frame."""
    offset: Array
    """(L, 3) frame origin in the body."""
    offset_rotation: Array
    """(L, 3, 3) frame axes in the body."""
    mode: Flags
    """(L,) IDLE, LOCKED or MOVING."""
    goal: Array
    """(L, 3) in map: the contact of a LOCKED limb, where a MOVING one is to go."""
    goal_rotation: Array
    """(L, 3, 3) in map: the wished axes of the frame."""
    step: Array
    """(L,) metres a tip may move in this tick unless LOCKED."""
    lock_rotation: Flags
    """(L,) 1 where a contact holds the frame's axes too."""
    body_alpha: Array
    """(L,) 0..1, how far the goal pulls the whole body."""
    limb_alpha: Array
    """(L,) 0..1, how far the limb follows the goal."""
    position: Array
    """(L, 3) out: frame origins in map."""
    rotation: Array
    """(L, 3, 3) out: frame axes in map."""


def make_tips(body: Flags, offset: Array, offset_rotation: Array) -> Tips:
    """Arrays for the given frames, all IDLE."""
    n = len(body)
    return Tips(
        body=np.ascontiguousarray(body, np.int64),
        offset=np.ascontiguousarray(offset, np.float64),
        offset_rotation=np.ascontiguousarray(offset_rotation, np.float64),
        mode=np.zeros(n, np.int64),
        goal=np.zeros((n, 3)),
        goal_rotation=np.tile(np.eye(3), (n, 1, 1)),
        step=np.zeros(n),
        lock_rotation=np.zeros(n, np.int64),
        body_alpha=np.zeros(n),
        limb_alpha=np.zeros(n),
        position=np.zeros((n, 3)),
        rotation=np.tile(np.eye(3), (n, 1, 1)),
    )


@njit(cache=True)
def locate_tips(tips: Tips, rotations: Array, translations: Array) -> None:
    """Writes ``position`` and ``rotation`` of every tip from the bodies' world poses."""
    for i in range(tips.body.shape[0]):
        b = tips.body[i]
        rotate(rotations[b], tips.offset[i], tips.position[i])
        for k in range(3):
            tips.position[i, k] += translations[b, k]
        compose(rotations[b], tips.offset_rotation[i], tips.rotation[i])


@njit(cache=True)
def add_point_rows(
    rows: Rows,
    count: int,
    tree: KinematicTree,
    rotations: Array,
    translations: Array,
    body: int,
    point: Array,
    error: Array,
    damping: float,
    scratch: Array,
) -> int:
    """Three rows that ask ``point`` (3,), carried by ``body``, to move by ``error`` (3,); returns the new row count.

    ``scratch`` is (3, N).
    """
    point_jacobian(tree, rotations, translations, body, point, scratch)
    return _copy_rows(rows, count, scratch, error, damping)


@njit(cache=True)
def add_rotation_rows(
    rows: Rows,
    count: int,
    tree: KinematicTree,
    rotations: Array,
    body: int,
    error: Array,
    damping: float,
    scratch: Array,
) -> int:
    """Three rows that ask ``body`` to turn by the world rotation vector ``error`` (3,); returns the new row count."""
    rotation_jacobian(tree, rotations, body, scratch)
    return _copy_rows(rows, count, scratch, error, damping)


@njit(cache=True)
def _copy_rows(rows: Rows, count: int, scratch: Array, error: Array, damping: float) -> int:
    n = scratch.shape[1]
    for k in range(3):
        rows.error[count + k] = error[k]
        rows.damping[count + k] = damping
        rows.one_sided[count + k] = 0
        for j in range(n):
            rows.jt[j, count + k] = scratch[k, j]
    return count + 3


@njit(cache=True)
def add_clearance_row(
    rows: Rows,
    count: int,
    tree: KinematicTree,
    rotations: Array,
    translations: Array,
    body: int,
    point: Array,
    normal: Array,
    gap: float,
    damping: float,
    scratch: Array,
) -> int:
    """One one-sided row that keeps ``point`` from going more than ``gap`` metres against ``normal``.

    A negative gap is a depth to come out of.
    """
    point_jacobian(tree, rotations, translations, body, point, scratch)
    rows.error[count] = -gap
    rows.damping[count] = damping
    rows.one_sided[count] = 1
    for j in range(scratch.shape[1]):
        rows.jt[j, count] = normal[0] * scratch[0, j] + normal[1] * scratch[1, j] + normal[2] * scratch[2, j]
    return count + 1


def one_tip() -> Tips:
    """One tip on the first body: enough of a limb to compile a kernel with."""
    return make_tips(np.ones(1, np.int64), np.zeros((1, 3)), np.eye(3)[None])


def warm_up() -> None:
    """Compiles what is called from Python, or loads it from the cache."""
    locate_tips(one_tip(), np.tile(np.eye(3), (2, 1, 1)), np.zeros((2, 3)))
