"""A robot as the rest of the package sees it: names, limits and masses around a kinematic tree."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from climbing_rig.errors import ModelError
from climbing_rig.model.tree import KinematicTree

Array = NDArray[np.float64]


@dataclass(frozen=True)
class MimicJoint:
    """A joint that follows another: value = multiplier * value of ``master`` + offset.

    ``master`` is an independent joint; chains of followers are resolved when the URDF is read.
    """

    name: str
    master: str
    multiplier: float
    offset: float


@dataclass(frozen=True, eq=False)
class RobotModel:
    """A robot read from a URDF; n independent joints, M movable ones (mimic joints too), L links.

    Joint quantities are in rad or m, per second where they are speeds, N m or N where they are efforts.

    Attributes:
        name: The robot's name in the URDF.
        tree: Its bodies and joints as arrays.
        root_link: The link that floats.
        joint_names: (n) independent joints, in the order of q.
        movable_joint_names: (M) all joints that the URDF does not call fixed, parents before children: what a
            JointState needs to hold for robot_state_publisher, mimic joints and those held at one value too.
        joint_matrix: (M, n) with ``joint_offset`` (M,): values of these = joint_matrix @ q + joint_offset.
        joint_offset: See ``joint_matrix``.
        mimic: The joints that follow another.
        lower: (n,) limits, narrowed by those of the joints that follow; -inf for a continuous joint.
        upper: (n,).
        velocity: (n,) greatest speeds, always finite.
        effort: (n,) greatest efforts; inf where the URDF sets none.
        passive: (n,) True for a joint without a motor, as configured.
        neutral: (n,) zero, clamped into the limits.
        link_names: (L) all links, those fixed to another too.
        link_body: (L,) index of the body each link belongs to.
        link_rotation: (L, 3, 3) the link's axes in its body's frame.
        link_translation: (L, 3) the link's origin in its body's frame.
        link_mass: (L,) kg.
        link_com: (L, 3) centre of mass in the link's own frame.
        urdf_xml: The text of the URDF.
        notes: What had to be assumed or defaulted, in words.
    """

    name: str
    tree: KinematicTree
    root_link: str
    joint_names: tuple[str, ...]
    movable_joint_names: tuple[str, ...]
    joint_matrix: Array
    joint_offset: Array
    mimic: tuple[MimicJoint, ...]
    lower: Array
    upper: Array
    velocity: Array
    effort: Array
    passive: NDArray[np.bool_]
    neutral: Array
    link_names: tuple[str, ...]
    link_body: NDArray[np.int64]
    link_rotation: Array
    link_translation: Array
    link_mass: Array
    link_com: Array
    urdf_xml: str
    notes: tuple[str, ...]

    def frame(self, link: str) -> tuple[int, Array, Array]:
        """Where a link is fixed.

        Args:
            link: Name of a link (not of a joint, which may have the same name).

        Returns:
            (body, rotation (3, 3), translation (3,)): the link's frame in its body's frame.

        Raises:
            ModelError: No such link; ``choices`` are the links.
        """
        i = self._link_index.get(link)
        if i is None:
            raise ModelError(
                f"robot '{self.name}' has no link '{link}'", name=link, given=link, choices=self.link_names
            )
        return int(self.link_body[i]), self.link_rotation[i], self.link_translation[i]

    def joint_index(self, joint: str) -> int:
        """Index in q of an independent joint.

        Raises:
            ModelError: No such joint, or one that follows another; ``choices`` are the independent joints.
        """
        i = self._joint_index.get(joint)
        if i is None:
            why = "does not move on its own" if joint in self.movable_joint_names else "is not a movable joint"
            raise ModelError(
                f"'{joint}' {why} of robot '{self.name}'", name=joint, given=joint, choices=self.joint_names
            )
        return i

    def joint_values(self, q: Array) -> Array:
        """(M,) values of all movable joints, in the order of ``movable_joint_names``, for independent joints q (n,)."""
        return self.joint_matrix @ q + self.joint_offset

    @cached_property
    def total_mass(self) -> float:
        """Sum of the links' masses, kg."""
        return float(self.link_mass.sum())

    @cached_property
    def _link_index(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.link_names)}

    @cached_property
    def _joint_index(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.joint_names)}
