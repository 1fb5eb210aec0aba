"""Everything the climber node publishes."""

from __future__ import annotations

import numpy as np
from builtin_interfaces.msg import Time
from diagnostic_msgs.msg import DiagnosticArray
from geometry_msgs.msg import TransformStamped
from rclpy.node import Node
from sensor_msgs.msg import JointState, MultiDOFJointState
from std_msgs.msg import String
from visualization_msgs.msg import MarkerArray

from climbing_rig.climber import Climber
from climbing_rig.ros import qos
from climbing_rig.ros.conversions import (
    BaseInOdom,
    LimbPoses,
    RigidTransform,
    fill_joint_state,
    joint_state_message,
    set_stamp,
    set_transform,
    transform_message,
)
from climbing_rig.ros.interfaces import TFMessage
from climbing_rig.ros.link_frames import LinkFrames
from climbing_rig.ros.markers import LimbMarkers
from climbing_rig.ros.parameters import Parameters
from climbing_rig.ros.status import Situation, node_status, status_message
from climbing_rig.state import ClimberState


class Outlets:
    """Publishers and the messages they fill.

    Args:
        node: The node.
        climber: Whose model and limbs to publish.
        parameters: The node's.
    """

    def __init__(self, node: Node, climber: Climber, parameters: Parameters) -> None:
        model = climber.model
        map_frame, odom_frame = parameters.text("map_frame"), parameters.text("odom_frame")
        map_to_odom = RigidTransform.from_xyz_rpy(parameters.numbers("map_to_odom"))
        self._name, self._robot = node.get_name(), model.name
        self._stamp = Time()

        self._joints = joint_state_message(climber.joint_names, self._stamp)
        self._joints_out = node.create_publisher(JointState, "joint_states", qos.TICK)
        self._tf = transform_message(odom_frame, [model.root_link], self._stamp)
        self._base = BaseInOdom(map_to_odom)
        self._links = LinkFrames(model, self._stamp) if parameters["publish_link_frames"] else None
        if self._links is not None:
            self._tf.transforms = [*self._tf.transforms, *self._links.transforms]
        self._tf_out = node.create_publisher(TFMessage, "/tf", qos.TICK)
        self._contacts = LimbPoses(climber.limb_names, map_frame, self._stamp, locked=True)
        self._contacts_out = node.create_publisher(MultiDOFJointState, "~/contacts", qos.TICK)
        self._tips = LimbPoses(climber.limb_names, map_frame, self._stamp, locked=False)
        self._tips_out = node.create_publisher(MultiDOFJointState, "~/tips", qos.TICK)
        self._status_out = node.create_publisher(DiagnosticArray, "~/status", qos.STATE)
        self._diagnostics_out = node.create_publisher(DiagnosticArray, "/diagnostics", qos.STATE)
        self._markers = LimbMarkers(climber.limb_names, map_frame, self._stamp)
        self._markers_out = node.create_publisher(MarkerArray, "~/markers", qos.STATE)

        self._static_out = node.create_publisher(TFMessage, "/tf_static", qos.LATCHED)
        if parameters["publish_map_to_odom"]:
            self._static_out.publish(_static(map_frame, odom_frame, map_to_odom, node))
        self._description_out = node.create_publisher(String, "robot_description", qos.LATCHED)
        self._description_out.publish(String(data=model.urdf_xml))

    def publish_tick(self, state: ClimberState, stamp: int) -> None:
        """Pose, contacts and tips of one tick, all with the same stamp (nanoseconds)."""
        set_stamp(self._stamp, stamp)
        fill_joint_state(self._joints, state)
        self._joints_out.publish(self._joints)
        self._base.fill(self._tf.transforms[0].transform, state)
        if self._links is not None:
            self._links.fill(state)
        self._tf_out.publish(self._tf)
        self._contacts_out.publish(self._contacts.fill(state.limbs))
        self._tips_out.publish(self._tips.fill(state.limbs))

    def publish_status(self, situation: Situation, now: int) -> None:
        """The situation in words; ``now`` in nanoseconds."""
        self._status_out.publish(status_message(self._name, self._robot, situation, _time(now)))

    def publish_diagnostics(self, situation: Situation, now: int) -> None:
        """The summary for /diagnostics."""
        message = DiagnosticArray(status=[node_status(self._name, self._robot, situation)])
        message.header.stamp = _time(now)
        self._diagnostics_out.publish(message)

    def publish_markers(self, state: ClimberState, situation: Situation) -> None:
        """The picture, with the last tick's stamp."""
        self._markers_out.publish(self._markers.fill(state, situation))


def _static(parent: str, child: str, pose: RigidTransform, node: Node) -> TFMessage:
    transform = TransformStamped(child_frame_id=child)
    transform.header.frame_id = parent
    transform.header.stamp = node.get_clock().now().to_msg()
    set_transform(transform.transform, np.asarray(pose.translation), pose.quaternion)
    return TFMessage(transforms=[transform])


def _time(nanoseconds: int) -> Time:
    stamp = Time()
    set_stamp(stamp, nanoseconds)
    return stamp
