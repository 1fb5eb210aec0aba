"""Robots: a URDF read into flat arrays, its kinematics as compiled kernels, and the description of its limbs."""

from climbing_rig.model.description import BodyDescription, LimbDescription, RobotDescription, load_description
from climbing_rig.model.joints import JointSettings
from climbing_rig.model.robot import MimicJoint, RobotModel
from climbing_rig.model.tree import KinematicTree
from climbing_rig.model.urdf import load_urdf

__all__ = [
    "BodyDescription",
    "JointSettings",
    "KinematicTree",
    "LimbDescription",
    "MimicJoint",
    "RobotDescription",
    "RobotModel",
    "load_description",
    "load_urdf",
]
