"""Robots: a URDF read into flat arrays, its kinematics as compiled kernels, and the description of its limbs."""

from climbing_rig.model.joints import JointSettings
from climbing_rig.model.robot import MimicJoint, RobotModel
from climbing_rig.model.tree import KinematicTree
from climbing_rig.model.urdf import load_urdf

__all__ = ["JointSettings", "KinematicTree", "MimicJoint", "RobotModel", "load_urdf"]
