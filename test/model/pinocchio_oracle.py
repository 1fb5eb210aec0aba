"""The same robot in pinocchio, another library's kinematics: what our kernels are compared with."""

from __future__ import annotations

import numpy as np
import pinocchio as pin

from climbing_rig.model import RobotModel


class Oracle:
    """A RobotModel's URDF in pinocchio with a free root.

    pinocchio leaves mimic joints, and joints whose limits are equal, free: they are fed the values of our model.
    """

    def __init__(self, model: RobotModel) -> None:
        self.model = model
        self._pin = pin.buildModelFromXML(model.urdf_xml, pin.JointModelFreeFlyer())
        self._data = self._pin.createData()
        # (nv, 6 + n): speeds of pinocchio's joints for speeds of ours; its root's speeds are along the root's own axes.
        self._joint_speeds = np.zeros((self._pin.nv, 6 + len(model.joint_names)))
        for row, name in enumerate(model.movable_joint_names):
            self._joint_speeds[self._joint(name).idx_v, 6:] = model.joint_matrix[row]

    def _joint(self, name: str):
        return self._pin.joints[self._pin.getJointId(name)]

    def move(self, position, orientation, q) -> None:
        """Goes to a configuration of our model."""
        configuration = pin.neutral(self._pin)
        configuration[:3], configuration[3:7] = position, orientation
        for name, value in zip(self.model.movable_joint_names, self.model.joint_values(q), strict=True):
            joint = self._joint(name)
            # A continuous joint is a point on the unit circle there.
            values = [value] if joint.nq == 1 else [np.cos(value), np.sin(value)]
            configuration[joint.idx_q : joint.idx_q + joint.nq] = values
        pin.forwardKinematics(self._pin, self._data, configuration)
        pin.updateFramePlacements(self._pin, self._data)
        pin.computeJointJacobians(self._pin, self._data, configuration)

    def _frame(self, link: str) -> int:
        # By type: a joint may have the link's name.
        return self._pin.getFrameId(link, pin.FrameType.BODY)

    def pose(self, link: str):
        """(rotation (3, 3), translation (3,)) of a link in the world."""
        placement = self._data.oMf[self._frame(link)]
        return placement.rotation, placement.translation

    def jacobian(self, link: str):
        """(6, 6 + n) of a link's origin and rotation, along the world's axes, for our variations."""
        theirs = pin.getFrameJacobian(self._pin, self._data, self._frame(link), pin.LOCAL_WORLD_ALIGNED)
        ours = theirs @ self._joint_speeds
        root = self._data.oMi[1].rotation
        ours[:, :3], ours[:, 3:6] = theirs[:, :3] @ root.T, theirs[:, 3:6] @ root.T
        return ours

    def centre_of_mass(self):
        """(3,) in the world, at the configuration last moved to."""
        return pin.centerOfMass(self._pin, self._data)
