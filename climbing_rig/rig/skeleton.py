"""The robot as units see it: bones by index, the pose they propose, and how a bone is turned by its joints.

A bone is a link of the URDF. Bones of a robot turn only by joints: those between a bone and its parent bone are its
*group*, the joints whose axes meet in the bone's origin (a shoulder or hip has three of them).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from climbing_rig.maths import compose, quaternion_from_matrix, rotate
from climbing_rig.model.kinematics import forward_range
from climbing_rig.model.robot import RobotModel
from climbing_rig.model.tree import TURNING, KinematicTree, one_joint_tree
from climbing_rig.rig.contexts import declare

Array = NDArray[np.float64]
Integers = NDArray[np.int64]

MEETING = 1e-6
"""Metres within which the origins of successive joints count as one point."""
GROUP = 3
"""Most joints of a group."""
WORK = 16
"""Matrices of scratch."""


class Skeleton(NamedTuple):
    """A robot of B bodies, n joints and L bones, with the pose a rig proposes.

    Units read and change ``position``, ``orientation`` and ``q``, and call ``changed`` when they have; ``locate`` then
    brings ``rotations`` and ``translations`` up to date as far as they are asked for.
    """

    tree: KinematicTree
    lower: Array
    """(n,) joint limits."""
    upper: Array
    """(n,)."""
    bone_body: Integers
    """(L,) body of each bone."""
    bone_rotation: Array
    """(L, 3, 3) the bone's axes in its body."""
    bone_translation: Array
    """(L, 3) the bone's origin in its body."""
    group: Integers
    """(B, 3) bodies whose joints turn this one against its parent bone, outermost first; -1 where there are fewer."""
    follower: Integers
    """(F,) bodies that end a group, those that hang from body b at ``follower_start[b]`` to ``[b + 1]``."""
    follower_start: Integers
    """(B + 1,)."""
    position: Array
    """(3,) root link in map, proposed."""
    orientation: Array
    """(4,) its quaternion x, y, z, w."""
    q: Array
    """(n,) joints."""
    start_position: Array
    """(3,) the last accepted pose, which every tick starts from."""
    start_orientation: Array
    """(4,)."""
    start_q: Array
    """(n,)."""
    rotations: Array
    """(B, 3, 3) body axes in map."""
    translations: Array
    """(B, 3) body origins in map."""
    fresh: Integers
    """(1,) bodies before this one are up to date."""
    work: Array
    """(W, 3, 3) scratch of the kernels that turn bones; see ``rig.turning``."""


def make_skeleton(model: RobotModel) -> Skeleton:
    """The skeleton of a robot, at its neutral pose."""
    group = _groups(model.tree)
    follower, start = _followers(model.tree, group)
    return Skeleton(
        tree=model.tree,
        lower=np.ascontiguousarray(model.lower),
        upper=np.ascontiguousarray(model.upper),
        bone_body=np.ascontiguousarray(model.link_body, np.int64),
        bone_rotation=np.ascontiguousarray(model.link_rotation),
        bone_translation=np.ascontiguousarray(model.link_translation),
        group=group,
        follower=follower,
        follower_start=start,
        position=np.zeros(3),
        orientation=np.array([0.0, 0.0, 0.0, 1.0]),
        q=model.neutral.copy(),
        start_position=np.zeros(3),
        start_orientation=np.array([0.0, 0.0, 0.0, 1.0]),
        start_q=model.neutral.copy(),
        rotations=np.zeros((len(model.tree.parent), 3, 3)),
        translations=np.zeros((len(model.tree.parent), 3)),
        fresh=np.zeros(1, np.int64),
        work=np.zeros((WORK, 3, 3)),
    )


def _groups(tree: KinematicTree) -> Integers:
    groups = np.full((len(tree.parent), GROUP), -1, np.int64)
    for body in range(1, len(tree.parent)):
        chain: list[int] = []
        b = body
        while b > 0 and tree.kind[b] == TURNING and len(chain) < GROUP and tree.multiplier[b] != 0.0:
            chain.insert(0, b)
            if np.linalg.norm(tree.origin_translation[b]) > MEETING:
                break
            b = int(tree.parent[b])
        groups[body, : len(chain)] = chain
    return groups


def _followers(tree: KinematicTree, group: Integers) -> tuple[Integers, Integers]:
    """For each body, the ends of the groups that hang from it."""
    inner = {int(b) for row in group for b in row[: max(int((row >= 0).sum()) - 1, 0)]}
    ends: list[list[int]] = [[] for _ in tree.parent]
    for body in range(1, len(tree.parent)):
        if group[body, 0] >= 0 and body not in inner:
            ends[int(tree.parent[group[body, 0]])].append(body)
    start = np.concatenate(([0], np.cumsum([len(row) for row in ends]))).astype(np.int64)
    return np.array([body for row in ends for body in row], np.int64), start


def begin(skeleton: Skeleton) -> None:
    """Puts the proposal back to the last accepted pose."""
    skeleton.position[:] = skeleton.start_position
    skeleton.orientation[:] = skeleton.start_orientation
    skeleton.q[:] = skeleton.start_q
    skeleton.fresh[0] = 0


# -- where bones are ---------------------------------------------------------------------------------------------------


@njit(cache=True)
def changed(skeleton: Skeleton, body: int) -> None:
    """Notes that a body's joint (or the root, body 0) has moved: it and what follows it are not up to date."""
    skeleton.fresh[0] = min(skeleton.fresh[0], body)


@njit(cache=True)
def locate(skeleton: Skeleton, body: int) -> None:
    """Brings the bodies up to and including ``body`` up to date; each is computed once however often it is asked."""
    if skeleton.fresh[0] <= body:
        forward_range(
            skeleton.tree, skeleton.position, skeleton.orientation, skeleton.q, skeleton.rotations,
            skeleton.translations, skeleton.fresh[0], body + 1,
        )  # fmt: skip
        skeleton.fresh[0] = body + 1


@njit(cache=True)
def bone_position(skeleton: Skeleton, bone: int, out: Array) -> None:
    """Origin (3,) of a bone in map."""
    body = skeleton.bone_body[bone]
    locate(skeleton, body)
    rotate(skeleton.rotations[body], skeleton.bone_translation[bone], out)
    for k in range(3):
        out[k] += skeleton.translations[body, k]


@njit(cache=True)
def bone_axes(skeleton: Skeleton, bone: int, out: Array) -> None:
    """Axes (3, 3) of a bone in map."""
    body = skeleton.bone_body[bone]
    locate(skeleton, body)
    compose(skeleton.rotations[body], skeleton.bone_rotation[bone], out)


@njit(cache=True)
def bone_transform(skeleton: Skeleton, bone: int, out: Array) -> None:
    """Position and quaternion (7,) of a bone in map."""
    axes = skeleton.work[0]
    bone_axes(skeleton, bone, axes)
    bone_position(skeleton, bone, out[:3])
    quaternion_from_matrix(axes, out[3:])


def one_joint_skeleton() -> Skeleton:
    """A root and one turning joint: enough of a robot to compile a kernel with."""
    eye = np.tile(np.eye(3), (2, 1, 1))
    return Skeleton(
        tree=one_joint_tree(), lower=-np.ones(1), upper=np.ones(1), bone_body=np.array([0, 1], np.int64),
        bone_rotation=eye.copy(), bone_translation=np.zeros((2, 3)), group=np.array([[-1] * 3, [1, -1, -1]], np.int64),
        follower=np.array([1], np.int64), follower_start=np.array([0, 1, 1], np.int64), position=np.zeros(3),
        orientation=np.array([0.0, 0.0, 0.0, 1.0]), q=np.zeros(1), start_position=np.zeros(3),
        start_orientation=np.array([0.0, 0.0, 0.0, 1.0]), start_q=np.zeros(1), rotations=eye.copy(),
        translations=np.zeros((2, 3)), fresh=np.zeros(1, np.int64), work=np.zeros((WORK, 3, 3)),
    )  # fmt: skip


SKELETON = declare("skeleton", one_joint_skeleton(), "the robot and the pose that is proposed for it")
