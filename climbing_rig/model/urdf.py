"""A URDF as a RobotModel: the tree of moving bodies, with everything that is fixed folded into them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from climbing_rig.errors import ModelError
from climbing_rig.maths import matrix_from_rotation_vector
from climbing_rig.model.joints import JointResolver, JointSettings, Motion
from climbing_rig.model.robot import MimicJoint, RobotModel
from climbing_rig.model.tree import ROOT, SLIDING, TURNING, KinematicTree
from climbing_rig.model.urdf_reader import read_urdf

if TYPE_CHECKING:
    from yourdfpy import Joint, Link, Robot

Array = NDArray[np.float64]

SHORTEST_AXIS = 1e-6
"""Length under which an axis has no direction."""


def load_urdf(source: str | Path, settings: JointSettings | None = None) -> RobotModel:
    """Reads a robot; meshes are not looked for.

    Args:
        source: A URDF file, or its XML (a string that starts with ``<``).
        settings: What the user says about its joints; None for the defaults.

    Raises:
        ModelError: The file cannot be used; ``name`` is the joint, link or file.
        ConfigError: ``settings`` name a joint that does not exist or move.
    """
    robot, text, label = read_urdf(source)
    order = _tree_order(robot, label)
    joints = {joint.name: joint for joint in order.joints}
    for joint in joints.values():
        if joint.type != "fixed" and np.linalg.norm(joint.axis) < SHORTEST_AXIS:
            raise ModelError(f"joint '{joint.name}' turns about a zero axis", name=joint.name, given=joint.axis)
    settings = settings or JointSettings()
    return _assemble(robot, order, JointResolver(joints, settings), settings, text)


@dataclass(frozen=True)
class _Order:
    root: str
    joints: tuple[Joint, ...]
    """Parents before children, depth first: a limb's joints are neighbours."""


def _tree_order(robot: Robot, label: str) -> _Order:
    links = {link.name for link in robot.links}
    if not links:
        raise ModelError(f"{label} has no links", name=label)
    parents: dict[str, str] = {}
    children: dict[str, list[Joint]] = {name: [] for name in links}
    for joint in robot.joints:
        for end, name in (("parent", joint.parent), ("child", joint.child)):
            if name not in links:
                raise ModelError(
                    f"joint '{joint.name}' has the {end} link '{name}', which does not exist",
                    name=joint.name,
                    given=name,
                    choices=sorted(links),
                )
        if joint.child in parents:
            raise ModelError(
                f"link '{joint.child}' hangs from two joints, '{parents[joint.child]}' and '{joint.name}'",
                name=joint.child,
            )
        parents[joint.child] = joint.name
        children[joint.parent].append(joint)
    roots = [link.name for link in robot.links if link.name not in parents]
    if len(roots) > 1:
        raise ModelError(f"{label} has several root links: {', '.join(roots)}", name=roots[1], given=roots)
    ordered: list[Joint] = []
    waiting = list(reversed(children[roots[0]])) if roots else []
    while waiting:
        ordered.append(waiting.pop())
        waiting.extend(reversed(children[ordered[-1].child]))
    if len(ordered) < len(robot.joints):
        reached = {joint.name for joint in ordered}
        loop = [joint.name for joint in robot.joints if joint.name not in reached]
        raise ModelError(f"joints of {label} form a loop: {', '.join(loop)}", name=loop[0], given=loop)
    return _Order(roots[0], tuple(ordered))


@dataclass
class _Builder:
    """Collects bodies and link frames while walking down the tree."""

    parent: list[int] = field(default_factory=lambda: [-1])
    kind: list[int] = field(default_factory=lambda: [ROOT])
    axis: list[Array] = field(default_factory=lambda: [np.array([1.0, 0.0, 0.0])])
    origin: list[Array] = field(default_factory=lambda: [np.eye(4)])
    joint: list[str] = field(default_factory=list)
    """Name of the joint of body 1, 2, …"""
    frames: dict[str, tuple[int, Array]] = field(default_factory=dict)
    """Link -> (body, (4, 4) pose in it), in tree order."""

    def add(self, joint: Joint, motion: Motion) -> None:
        """Adds a joint's child link: as a body of its own, or at its fixed place in its parent's body."""
        body, frame = self.frames[joint.parent]
        placed = frame if joint.origin is None else frame @ joint.origin
        if joint.type == "fixed":
            self.frames[joint.child] = (body, placed)
            return
        axis = joint.axis / np.linalg.norm(joint.axis)
        if motion.master is None:
            self.frames[joint.child] = (body, placed @ _moved(joint.type, axis, motion.offset))
            return
        self.frames[joint.child] = (len(self.parent), np.eye(4))
        self.parent.append(body)
        self.kind.append(SLIDING if joint.type == "prismatic" else TURNING)
        self.axis.append(axis)
        self.origin.append(placed)
        self.joint.append(joint.name)


def _moved(kind: str, axis: Array, value: float) -> Array:
    """(4, 4) displacement of a joint at ``value``."""
    pose = np.eye(4)
    if kind == "prismatic":
        pose[:3, 3] = axis * value
    else:
        rotation = np.empty((3, 3))  # not a view of pose, for which the kernel would be compiled again
        matrix_from_rotation_vector(axis * value, rotation)
        pose[:3, :3] = rotation
    return pose


def _assemble(robot: Robot, order: _Order, resolver: JointResolver, settings: JointSettings, text: str) -> RobotModel:
    builder = _Builder()
    builder.frames[order.root] = (0, np.eye(4))
    for joint in order.joints:
        builder.add(joint, resolver.motions[joint.name])
    independent = tuple(name for name in builder.joint if name in resolver.ranges)
    ranges = [resolver.ranges[name] for name in independent]
    lower = np.array([allowed.lower for allowed in ranges])
    upper = np.array([allowed.upper for allowed in ranges])
    by_name = {link.name: link for link in robot.links}
    masses = [_mass(by_name[name]) for name in builder.frames]
    poses = np.array([frame for _, frame in builder.frames.values()])
    motions = {name: resolver.motions[name] for name in builder.joint}
    movable = tuple(joint.name for joint in order.joints if joint.type != "fixed")
    joint_matrix = np.zeros((len(movable), len(independent)))
    for row, name in enumerate(movable):
        motion = resolver.motions[name]
        if motion.master is not None:
            joint_matrix[row, independent.index(motion.master)] = motion.multiplier
    return RobotModel(
        name=robot.name,
        tree=_tree(builder, motions, independent),
        root_link=order.root,
        joint_names=independent,
        movable_joint_names=movable,
        joint_matrix=joint_matrix,
        joint_offset=np.array([resolver.motions[name].offset for name in movable]),
        mimic=tuple(
            MimicJoint(name, str(motion.master), motion.multiplier, motion.offset)
            for name, motion in motions.items()
            if motion.master != name
        ),
        lower=lower,
        upper=upper,
        velocity=np.array([allowed.velocity for allowed in ranges]),
        effort=np.array([allowed.effort for allowed in ranges]),
        passive=np.array([name in settings.passive for name in independent], dtype=bool),
        neutral=np.clip(np.zeros(len(independent)), lower, upper),
        link_names=tuple(builder.frames),
        link_body=np.array([body for body, _ in builder.frames.values()], np.int64),
        link_rotation=np.ascontiguousarray(poses[:, :3, :3]),
        link_translation=np.ascontiguousarray(poses[:, :3, 3]),
        link_mass=np.array([mass for mass, _ in masses]),
        link_com=np.array([com for _, com in masses]),
        urdf_xml=text,
        notes=resolver.notes,
    )


def _tree(builder: _Builder, motions: Mapping[str, Motion], independent: tuple[str, ...]) -> KinematicTree:
    dof = {name: i for i, name in enumerate(independent)}
    moving = [motions[name] for name in builder.joint]
    origins = np.array(builder.origin)
    return KinematicTree(
        parent=np.array(builder.parent, np.int64),
        kind=np.array(builder.kind, np.int64),
        dof=np.array([-1, *(dof[str(motion.master)] for motion in moving)], np.int64),
        multiplier=np.array([1.0, *(motion.multiplier for motion in moving)]),
        offset=np.array([0.0, *(motion.offset for motion in moving)]),
        axis=np.array(builder.axis),
        origin_rotation=np.ascontiguousarray(origins[:, :3, :3]),
        origin_translation=np.ascontiguousarray(origins[:, :3, 3]),
    )


def _mass(link: Link) -> tuple[float, Array]:
    """(kg, (3,) centre of mass in the link's frame)."""
    inertial = link.inertial
    if inertial is None or inertial.mass is None:
        return 0.0, np.zeros(3)
    if inertial.mass < 0.0:
        raise ModelError(f"link '{link.name}' has a negative mass: {inertial.mass:g}", name=link.name)
    return float(inertial.mass), np.zeros(3) if inertial.origin is None else inertial.origin[:3, 3]
