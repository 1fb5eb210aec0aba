"""A configuration of the robot."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from climbing_rig.maths import matrix_from_quaternion, quaternion_from_matrix

Array = NDArray[np.float64]


@dataclass
class Pose:
    """Root in map and joints.

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


def set_orientation(pose: Pose, rotation: Array) -> None:
    """Writes a rotation matrix (3, 3) as the pose's root orientation."""
    quaternion_from_matrix(rotation, pose.orientation)


def root_axes(pose: Pose) -> Array:
    """(3, 3) axes of the root link in map."""
    out = np.empty((3, 3))
    matrix_from_quaternion(pose.orientation, out)
    return out
