"""A stand-in for the climber node: real topics and services, a robot of three boxes, and a record of what is asked.

It lets a test say what the page hears (phases, refusals) and see what the page sends.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np
from diagnostic_msgs.msg import DiagnosticArray
from geometry_msgs.msg import PoseStamped, Transform, TransformStamped, TwistStamped
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from sensor_msgs.msg import JointState, MultiDOFJointState, PointCloud2, PointField
from std_msgs.msg import String
from std_srvs.srv import SetBool, Trigger

from climbing_rig.ros import qos
from climbing_rig.ros.interfaces import TFMessage
from climbing_rig.ros.status import Situation, status_message

URDF = """<robot name="doll">
  <material name="red"><color rgba="0.9 0.1 0.1 1"/></material>
  <link name="base_link"/>
  <link name="trunk"><visual><geometry><box size="0.3 0.4 0.7"/></geometry><material name="red"/></visual></link>
  <joint name="pelvis" type="fixed"><parent link="base_link"/><child link="trunk"/></joint>
  <link name="arm"><visual><origin xyz="0.25 0 0"/><geometry><box size="0.5 0.08 0.08"/></geometry>
    <material name="red"/></visual></link>
  <joint name="shoulder" type="revolute"><parent link="trunk"/><child link="arm"/><origin xyz="0.1 0.2 0.3"/>
    <axis xyz="0 1 0"/><limit lower="-2" upper="2" velocity="3" effort="10"/></joint>
</robot>"""
BASE = (0.0, 0.0, 1.2)
WALL_X = 0.7
LIMBS = ("left_hand", "right_foot")
PLACES = {"left_hand": (WALL_X - 0.04, 0.3, 1.6), "right_foot": (WALL_X, -0.3, 0.7)}
RATE = 50.0


class StandIn(Node):
    """The node ``climber``.

    Attributes:
        phases: Limb -> phase that it reports; a LOCKED limb is in ~/contacts, another in ~/tips.
        reasons: Limb -> reason that it reports.
        selected: The limb it calls selected.
        angle: Of the shoulder; while it stays the same the page has nothing to draw anew, which is slow here.
        refusal: What services answer; "" for success.
        calls: (service, data) of every call so far.
        goals: (limb, position (3,)) of every goal so far.
        moves: (limb, right, up, age of the stamp in seconds) of every limb command so far.
    """

    def __init__(self) -> None:
        super().__init__("climber")
        self.phases = {"left_hand": "searching", "right_foot": "locked"}
        self.reasons = dict.fromkeys(LIMBS, "")
        self.selected = "left_hand"
        self.angle = 0.3
        self.refusal = ""
        self.calls: list[tuple[str, bool | None]] = []
        self.goals: list[tuple[str, np.ndarray]] = []
        self.moves: list[tuple[str, float, float, float]] = []
        self.declare_parameter("robot", "no/such/file.yaml")
        self._joints = self.create_publisher(JointState, "joint_states", qos.TICK)
        self._tf = self.create_publisher(TFMessage, "/tf", qos.TICK)
        self._contacts = self.create_publisher(MultiDOFJointState, "~/contacts", qos.TICK)
        self._tips = self.create_publisher(MultiDOFJointState, "~/tips", qos.TICK)
        self._status = self.create_publisher(DiagnosticArray, "~/status", qos.STATE)
        self._description = self.create_publisher(String, "robot_description", qos.LATCHED)
        self._description.publish(String(data=URDF))
        self._wall = self.create_publisher(PointCloud2, "wall/map", qos.LATCHED)
        self._wall.publish(_wall())
        for name in ("attach", "release_all", "reset", "stop"):
            self.create_service(Trigger, name, self._service(name))
        for name in ("pause", *(f"{limb}/grip" for limb in LIMBS)):
            self.create_service(SetBool, name, self._service(name))
        for limb in LIMBS:
            self.create_subscription(PoseStamped, f"{limb}/goal", self._goal(limb), qos.COMMAND)
        self.create_subscription(TwistStamped, "limb_cmds", self._on_move, qos.COMMAND)
        self.create_timer(1.0 / RATE, self._tick)
        self.create_timer(0.1, self._report)

    def _service(self, name: str) -> Callable:
        def serve(request: object, response: object) -> object:
            self.calls.append((name, getattr(request, "data", None)))
            response.success, response.message = not self.refusal, self.refusal or f"{name} done"
            return response

        return serve

    def _goal(self, limb: str) -> Callable[[PoseStamped], None]:
        def take(message: PoseStamped) -> None:
            at = message.pose.position
            self.goals.append((limb, np.array([at.x, at.y, at.z])))

        return take

    def _on_move(self, message: TwistStamped) -> None:
        stamp = message.header.stamp
        age = self.get_clock().now().nanoseconds * 1e-9 - (stamp.sec + stamp.nanosec * 1e-9)
        self.moves.append((message.header.frame_id, message.twist.linear.x, message.twist.linear.y, age))

    def _tick(self) -> None:
        stamp = self.get_clock().now().to_msg()
        joints = JointState(name=["shoulder"], position=[self.angle])
        joints.header.stamp = stamp
        base = TransformStamped(child_frame_id="base_link", transform=_transform(BASE))
        base.header.frame_id, base.header.stamp = "odom", stamp
        self._joints.publish(joints)
        self._tf.publish(TFMessage(transforms=[base]))
        for publisher, locked in ((self._contacts, True), (self._tips, False)):
            names = [limb for limb in LIMBS if (self.phases[limb] == "locked") == locked]
            message = MultiDOFJointState(joint_names=names, transforms=[_transform(PLACES[limb]) for limb in names])
            message.header.stamp, message.header.frame_id = stamp, "map"
            publisher.publish(message)

    def _report(self) -> None:
        limbs = tuple((limb, self.phases[limb], self.reasons[limb], limb == self.selected) for limb in LIMBS)
        situation = Situation("1 of 2 limbs hold", False, limbs, (("bounds", "velocity of shoulder"),))
        self._status.publish(status_message("climber", "doll", situation, self.get_clock().now().to_msg()))


def _transform(at: tuple[float, float, float]) -> Transform:
    transform = Transform()
    transform.translation.x, transform.translation.y, transform.translation.z = at
    transform.rotation.w = 1.0
    return transform


def _wall() -> PointCloud2:
    """A flat wall of 3 m x 3 m at x = WALL_X, a point every 5 cm."""
    y, z = (grid.ravel() for grid in np.meshgrid(np.arange(-1.5, 1.5, 0.05), np.arange(0.0, 3.0, 0.05)))
    points = np.stack([np.full_like(y, WALL_X), y, z], axis=1).astype(np.float32)
    fields = [PointField(name=name, offset=4 * i, datatype=PointField.FLOAT32, count=1) for i, name in enumerate("xyz")]
    message = PointCloud2(height=1, width=len(points), point_step=12, row_step=12 * len(points), fields=fields)
    message.header.frame_id = "map"
    message.data = points.tobytes()
    return message


@contextmanager
def stand_in() -> Iterator[StandIn]:
    """A stand-in that is spun by a thread of its own; rclpy is running."""
    node = StandIn()
    executor = SingleThreadedExecutor()
    executor.add_node(node)
    ended = threading.Event()

    def spin() -> None:
        while not ended.is_set():
            executor.spin_once(timeout_sec=0.1)

    thread = threading.Thread(target=spin)
    thread.start()
    try:
        yield node
    finally:
        ended.set()
        thread.join()
        executor.shutdown()
        node.destroy_node()
