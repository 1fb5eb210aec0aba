"""The climb script's view of a climber on the other side of ROS topics and services."""

from __future__ import annotations

import time

import numpy as np
from rclpy.node import Node
from sensor_msgs.msg import MultiDOFJointState

from climbing_rig.maths import Vector
from climbing_rig.ros import qos
from climbing_rig.ros.interfaces import TFMessage
from climbing_rig.ros.limb_client import ClimberReport, LimbClient
from climbing_rig.ros.recorder import limb_poses, pose_values

STAND_BACK = 8.0
"""Seconds the script leaves the climber to somebody else after that person's last selection or stop."""


class RosPort:
    """A ``climb_script.Port`` over ROS; its callbacks run in the node's thread, the script in another.

    Args:
        node: The demo's node.
        climber: The climber node's name.
        base_frame: The root link.
    """

    def __init__(self, node: Node, base_frame: str, climber: str = "climber") -> None:
        self.client = LimbClient(node, climber, self._on_report)
        self._base_frame = base_frame
        self._base: Vector | None = None
        self._tips: dict[str, Vector] = {}
        self._held: dict[str, Vector] = {}
        self._moving = ""
        self._others_until = -np.inf
        self._refused: dict[str, bool] = {}
        node.create_subscription(TFMessage, "/tf", self._on_tf, qos.TICK)
        node.create_subscription(MultiDOFJointState, f"{climber}/contacts", self._on_contacts, qos.TICK)
        node.create_subscription(MultiDOFJointState, f"{climber}/tips", self._on_tips, qos.TICK)

    def _on_tf(self, message: TFMessage) -> None:
        for transform in message.transforms:
            if transform.child_frame_id == self._base_frame:
                self._base = pose_values(transform.transform)[:3]

    def _on_contacts(self, message: MultiDOFJointState) -> None:
        self._tips |= {limb: pose[:3] for limb, pose in limb_poses(message).items()}

    def _on_tips(self, message: MultiDOFJointState) -> None:
        self._tips |= {limb: pose[:3] for limb, pose in limb_poses(message).items()}

    def _on_report(self, report: ClimberReport) -> None:
        idle = report.values.get("stopped") == "true" or report.values.get("paused") == "true"
        if idle or (self._moving and report.selected not in (None, self._moving)):
            self._others_until = time.monotonic() + STAND_BACK

    @property
    def ready(self) -> bool:
        """Whether every limb and the base have been heard of."""
        report = self.client.report
        return report is not None and self._base is not None and set(report.limbs) <= set(self._tips)

    @property
    def limbs(self) -> list[str]:
        """The limbs, in the robot's order."""
        return list(self.client.report.limbs) if self.client.report is not None else []

    def phase(self, limb: str) -> str:
        """See ``Port``."""
        report = self.client.report
        return report.limbs[limb].phase if report is not None else "free"

    def tip(self, limb: str) -> Vector:
        """See ``Port``."""
        return self._tips[limb]

    def base(self) -> Vector:
        """See ``Port``."""
        return np.zeros(3) if self._base is None else self._base

    def move(self, limb: str, right: float, up: float) -> None:
        """See ``Port``."""
        self._moving = limb
        self.client.move(limb, right, up)

    def send(self, limb: str, position: Vector) -> None:
        """See ``Port``."""
        self._moving = limb
        self.client.goal(limb, position.tolist())

    def grip(self, limb: str, on: bool) -> None:
        """See ``Port``."""
        self._moving = limb
        self._refused[limb] = False
        self.client.grip(limb, on, lambda done, _words: self._refused.__setitem__(limb, not done))

    def refused(self, limb: str) -> bool:
        """See ``Port``."""
        return self._refused.get(limb, False)

    def taken_over(self) -> bool:
        """See ``Port``."""
        taken = time.monotonic() < self._others_until
        if taken:
            self._moving = ""
        return taken
