"""The kinematic tree as flat arrays: what the compiled kernels know of a robot."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

ROOT, TURNING, SLIDING = 0, 1, 2
"""Values of ``KinematicTree.kind``: the floating root, a revolute or continuous joint, a prismatic joint."""


class KinematicTree(NamedTuple):
    """B bodies (links that move on their own; whatever is fixed to one is folded into it) and n independent joints.

    Body 0 is the root link, free in space; every other body hangs by one joint from a body before it. Lengths in
    metres, angles in radians.
    """

    parent: Indices
    """(B,) index of the body a body hangs from; -1 for the root."""
    kind: Indices
    """(B,) ROOT, TURNING or SLIDING."""
    dof: Indices
    """(B,) index in q of the joint that moves the body, a mimic joint's master; -1 for the root."""
    multiplier: Array
    """(B,) with ``offset``: joint value = multiplier * q[dof] + offset."""
    offset: Array
    """(B,)."""
    axis: Array
    """(B, 3) unit axis in the body's own frame."""
    origin_rotation: Array
    """(B, 3, 3) joint frame in the parent body's frame."""
    origin_translation: Array
    """(B, 3)."""


def one_joint_tree() -> KinematicTree:
    """A root with one turning joint: enough of a robot to compile a kernel with."""
    return KinematicTree(
        parent=np.array([-1, 0], np.int64),
        kind=np.array([ROOT, TURNING], np.int64),
        dof=np.array([-1, 0], np.int64),
        multiplier=np.ones(2),
        offset=np.zeros(2),
        axis=np.array([[1.0, 0.0, 0.0]] * 2),
        origin_rotation=np.tile(np.eye(3), (2, 1, 1)),
        origin_translation=np.zeros((2, 3)),
    )
