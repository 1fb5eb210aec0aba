"""All links of the robot on /tf, for installations without robot_state_publisher."""

from __future__ import annotations

import numpy as np
from builtin_interfaces.msg import Time
from geometry_msgs.msg import TransformStamped

from climbing_rig.maths import quaternion_from_matrix
from climbing_rig.model import RobotModel
from climbing_rig.model.kinematics import forward
from climbing_rig.ros.conversions import set_transform, transform_message
from climbing_rig.state import ClimberState


class LinkFrames:
    """Transforms of every link but the root, each in the root link: a star, which is a valid tree and needs no joints.

    Args:
        model: The robot.
        stamp: The tick's stamp object, shared.

    Attributes:
        transforms: The message parts, filled again by ``fill``.
    """

    def __init__(self, model: RobotModel, stamp: Time) -> None:
        self._model = model
        links = [name for name in model.link_names if name != model.root_link]
        self.transforms: list[TransformStamped] = transform_message(model.root_link, links, stamp).transforms
        self._frames = [model.frame(name) for name in links]
        self._q_columns = [model.movable_joint_names.index(name) for name in model.joint_names]
        bodies = len(model.tree.parent)
        self._rotations, self._translations = np.empty((bodies, 3, 3)), np.empty((bodies, 3))
        self._origin, self._level = np.zeros(3), np.array([0.0, 0.0, 0.0, 1.0])

    def fill(self, state: ClimberState) -> None:
        """Writes where the links are at the state's joints."""
        values = np.fromiter(state.joints.values(), dtype=np.float64, count=len(state.joints))
        forward(
            self._model.tree, self._origin, self._level, values[self._q_columns], self._rotations, self._translations
        )
        quaternion = np.empty(4)
        for message, (body, rotation, translation) in zip(self.transforms, self._frames, strict=True):
            turned = self._rotations[body]
            quaternion_from_matrix(turned @ rotation, quaternion)
            set_transform(message.transform, self._translations[body] + turned @ translation, quaternion)
