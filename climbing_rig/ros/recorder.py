"""What a receiver makes of the climber's topics: messages paired by equal stamps, and what they prove.

The recorder keeps what arrives; ``evaluate`` computes everything from that alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from sensor_msgs.msg import JointState, MultiDOFJointState

from climbing_rig.maths import Vector
from climbing_rig.ros.conversions import nanoseconds
from climbing_rig.ros.interfaces import TFMessage

TOPICS = ("joint_states", "tf", "contacts", "tips")


@dataclass
class Tick:
    """One tick, as far as it has arrived; poses in the frames of the messages.

    Attributes:
        joints: (M,) in the order of ``Recording.joint_names``.
        base: (7,) root link in odom: position, quaternion (x, y, z, w).
        contacts: Limb -> (7,) in map.
        tips: Limb -> (7,) in map.
    """

    joints: Vector | None = None
    base: Vector | None = None
    contacts: Mapping[str, Vector] | None = None
    tips: Mapping[str, Vector] | None = None

    @property
    def whole(self) -> bool:
        """Whether all four messages have arrived."""
        return None not in (self.contacts, self.tips) and self.joints is not None and self.base is not None


@dataclass
class Recording:
    """All that has arrived.

    Attributes:
        ticks: Stamp (nanoseconds) -> tick.
        joint_names: Of the first JointState.
        messages: How many messages of the four topics.
    """

    ticks: dict[int, Tick] = field(default_factory=dict)
    joint_names: tuple[str, ...] = ()
    messages: int = 0


class Recorder:
    """Callbacks that fill a recording.

    Args:
        base_frame: The root link, as it is called on /tf.
    """

    def __init__(self, base_frame: str) -> None:
        self.recording = Recording()
        self._base_frame = base_frame

    def _tick(self, stamp: object) -> Tick:
        self.recording.messages += 1
        return self.recording.ticks.setdefault(nanoseconds(stamp), Tick())

    def on_joint_state(self, message: JointState) -> None:
        """joint_states."""
        if not self.recording.joint_names:
            self.recording.joint_names = tuple(message.name)
        self._tick(message.header.stamp).joints = np.array(message.position)

    def on_tf(self, message: TFMessage) -> None:
        """/tf; other frames than the base are passed over."""
        for transform in message.transforms:
            if transform.child_frame_id == self._base_frame:
                self._tick(transform.header.stamp).base = pose_values(transform.transform)

    def on_contacts(self, message: MultiDOFJointState) -> None:
        """~/contacts."""
        self._tick(message.header.stamp).contacts = limb_poses(message)

    def on_tips(self, message: MultiDOFJointState) -> None:
        """~/tips."""
        self._tick(message.header.stamp).tips = limb_poses(message)


def pose_values(transform: object) -> Vector:
    """(7,) position and quaternion of a Transform message."""
    to, turn = transform.translation, transform.rotation  # type: ignore[attr-defined]
    return np.array([to.x, to.y, to.z, turn.x, turn.y, turn.z, turn.w])


def limb_poses(message: MultiDOFJointState) -> dict[str, Vector]:
    """Limb -> (7,) of a ~/contacts or ~/tips message."""
    return dict(zip(message.joint_names, map(pose_values, message.transforms), strict=True))
