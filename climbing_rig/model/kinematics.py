"""Forward kinematics and Jacobians of a kinematic tree: compiled kernels that write into their outputs.

A configuration is the root link's position (3,) and orientation (4,) (x, y, z, w) in the world and the independent
joints q (n,). Its variations are (6 + n,): the root's translation along the world's axes, a world rotation vector w
about the root's origin (R_new = exp(w) R), and the joints.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray

from climbing_rig.maths import matrix_from_quaternion
from climbing_rig.model.tree import SLIDING, TURNING, KinematicTree, one_joint_tree

Array = NDArray[np.float64]


@njit(cache=True)
def forward(
    tree: KinematicTree, position: Array, orientation: Array, q: Array, rotations: Array, translations: Array
) -> None:
    """World poses of all bodies.

    Args:
        tree: The robot, B bodies and n joints.
        position: (3,) of the root link.
        orientation: (4,) unit quaternion (x, y, z, w) of the root link.
        q: (n,) independent joints.
        rotations: (B, 3, 3) written: body axes in the world.
        translations: (B, 3) written: body origins in the world.
    """
    forward_range(tree, position, orientation, q, rotations, translations, 0, tree.parent.shape[0])


@njit(cache=True)
def forward_range(
    tree: KinematicTree,
    position: Array,
    orientation: Array,
    q: Array,
    rotations: Array,
    translations: Array,
    first: int,
    end: int,
) -> None:
    """World poses of the bodies ``first`` to ``end - 1``, those before them being up to date; see ``forward``."""
    if first == 0 and end > 0:
        matrix_from_quaternion(orientation, rotations[0])
        for i in range(3):
            translations[0, i] = position[i]
    for b in range(max(first, 1), end):
        p = tree.parent[b]
        value = tree.multiplier[b] * q[tree.dof[b]] + tree.offset[b]
        x, y, z = tree.axis[b, 0], tree.axis[b, 1], tree.axis[b, 2]
        slide = 0.0
        sine, cosine = 0.0, 1.0
        if tree.kind[b] == TURNING:
            sine, cosine = math.sin(value), math.cos(value)
        else:
            slide = value
        # Rodrigues' formula, entry by entry: nothing is allocated.
        versine = 1.0 - cosine
        j00, j01, j02 = cosine + versine * x * x, versine * x * y - sine * z, versine * x * z + sine * y
        j10, j11, j12 = versine * x * y + sine * z, cosine + versine * y * y, versine * y * z - sine * x
        j20, j21, j22 = versine * x * z - sine * y, versine * y * z + sine * x, cosine + versine * z * z
        origin, o = tree.origin_rotation, tree.origin_translation
        for i in range(3):
            r0, r1, r2 = rotations[p, i, 0], rotations[p, i, 1], rotations[p, i, 2]
            f0 = r0 * origin[b, 0, 0] + r1 * origin[b, 1, 0] + r2 * origin[b, 2, 0]
            f1 = r0 * origin[b, 0, 1] + r1 * origin[b, 1, 1] + r2 * origin[b, 2, 1]
            f2 = r0 * origin[b, 0, 2] + r1 * origin[b, 1, 2] + r2 * origin[b, 2, 2]
            rotations[b, i, 0] = f0 * j00 + f1 * j10 + f2 * j20
            rotations[b, i, 1] = f0 * j01 + f1 * j11 + f2 * j21
            rotations[b, i, 2] = f0 * j02 + f1 * j12 + f2 * j22
            place = translations[p, i] + r0 * o[b, 0] + r1 * o[b, 1] + r2 * o[b, 2]
            translations[b, i] = place + slide * (f0 * x + f1 * y + f2 * z)


@njit(cache=True)
def point_jacobian(
    tree: KinematicTree, rotations: Array, translations: Array, body: int, point: Array, out: Array
) -> None:
    """How a point carried by a body moves with the configuration.

    Args:
        tree: The robot.
        rotations: (B, 3, 3) from ``forward``.
        translations: (B, 3) from ``forward``.
        body: Index of the body that carries the point.
        point: (3,) in the world.
        out: (3, 6 + n) written: metres per unit of each variation.
    """
    out[:] = 0.0
    x, y, z = point[0] - translations[0, 0], point[1] - translations[0, 1], point[2] - translations[0, 2]
    for i in range(3):
        out[i, i] = 1.0
    out[0, 4], out[0, 5] = z, -y
    out[1, 3], out[1, 5] = -z, x
    out[2, 3], out[2, 4] = y, -x
    b = body
    while b > 0:
        column = 6 + tree.dof[b]
        m = tree.multiplier[b]
        ax, ay, az = _world_axis(tree, rotations, b)
        if tree.kind[b] == SLIDING:
            out[0, column] += m * ax
            out[1, column] += m * ay
            out[2, column] += m * az
        else:
            x, y, z = point[0] - translations[b, 0], point[1] - translations[b, 1], point[2] - translations[b, 2]
            out[0, column] += m * (ay * z - az * y)
            out[1, column] += m * (az * x - ax * z)
            out[2, column] += m * (ax * y - ay * x)
        b = tree.parent[b]


@njit(cache=True)
def rotation_jacobian(tree: KinematicTree, rotations: Array, body: int, out: Array) -> None:
    """How a body turns with the configuration, as a world rotation vector.

    Args:
        tree: The robot.
        rotations: (B, 3, 3) from ``forward``.
        body: Index of the body.
        out: (3, 6 + n) written: radians per unit of each variation.
    """
    out[:] = 0.0
    for i in range(3):
        out[i, 3 + i] = 1.0
    b = body
    while b > 0:
        if tree.kind[b] == TURNING:
            column = 6 + tree.dof[b]
            m = tree.multiplier[b]
            ax, ay, az = _world_axis(tree, rotations, b)
            out[0, column] += m * ax
            out[1, column] += m * ay
            out[2, column] += m * az
        b = tree.parent[b]


@njit(cache=True)
def _world_axis(tree: KinematicTree, rotations: Array, b: int) -> tuple[float, float, float]:
    # A joint does not turn its own axis, so the body's axes serve as well as the joint frame's.
    x, y, z = tree.axis[b, 0], tree.axis[b, 1], tree.axis[b, 2]
    return (
        rotations[b, 0, 0] * x + rotations[b, 0, 1] * y + rotations[b, 0, 2] * z,
        rotations[b, 1, 0] * x + rotations[b, 1, 1] * y + rotations[b, 1, 2] * z,
        rotations[b, 2, 0] * x + rotations[b, 2, 1] * y + rotations[b, 2, 2] * z,
    )


@njit(cache=True)
def integrate(
    position: Array,
    orientation: Array,
    q: Array,
    delta: Array,
    position_out: Array,
    orientation_out: Array,
    q_out: Array,
) -> None:
    """The configuration that a variation leads to; outputs may be the inputs.

    Args:
        position: (3,) of the root link.
        orientation: (4,) unit quaternion (x, y, z, w).
        q: (n,) independent joints.
        delta: (6 + n,) the variation.
        position_out: (3,) written.
        orientation_out: (4,) written, unit length.
        q_out: (n,) written.
    """
    for i in range(3):
        position_out[i] = position[i] + delta[i]
    for j in range(q.shape[0]):
        q_out[j] = q[j] + delta[6 + j]
    angle2 = delta[3] * delta[3] + delta[4] * delta[4] + delta[5] * delta[5]
    if angle2 < 1e-8:
        half_sinc, w = 0.5 - angle2 / 48.0, 1.0 - angle2 / 8.0
    else:
        angle = math.sqrt(angle2)
        half_sinc, w = math.sin(0.5 * angle) / angle, math.cos(0.5 * angle)
    x, y, z = half_sinc * delta[3], half_sinc * delta[4], half_sinc * delta[5]
    ox, oy, oz, ow = orientation[0], orientation[1], orientation[2], orientation[3]
    nx = w * ox + x * ow + y * oz - z * oy
    ny = w * oy + y * ow + z * ox - x * oz
    nz = w * oz + z * ow + x * oy - y * ox
    nw = w * ow - x * ox - y * oy - z * oz
    # Also a unit quaternion drifts over thousands of products.
    length = math.sqrt(nx * nx + ny * ny + nz * nz + nw * nw)
    orientation_out[0], orientation_out[1] = nx / length, ny / length
    orientation_out[2], orientation_out[3] = nz / length, nw / length


def warm_up() -> None:
    """Compiles every kernel of this module, or loads it from the cache."""
    tree = one_joint_tree()
    position, orientation, q, delta = np.zeros(3), np.array([0.0, 0.0, 0.0, 1.0]), np.zeros(1), np.zeros(7)
    rotations, translations, out = np.empty((2, 3, 3)), np.empty((2, 3)), np.empty((3, 7))
    forward(tree, position, orientation, q, rotations, translations)
    point_jacobian(tree, rotations, translations, 1, position, out)
    rotation_jacobian(tree, rotations, 1, out)
    integrate(position, orientation, q, delta, position, orientation, q)
