"""The page's ends of the ROS interface: it subscribes like any other viewer and commands like any other teleop."""

from __future__ import annotations

import queue
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from diagnostic_msgs.msg import DiagnosticArray
from geometry_msgs.msg import PoseStamped, TwistStamped
from rcl_interfaces.srv import GetParameters
from rclpy.client import Client
from rclpy.node import Node
from rclpy.publisher import Publisher
from rclpy.task import Future
from sensor_msgs.msg import JointState, MultiDOFJointState, PointCloud2
from std_msgs.msg import String
from std_srvs.srv import SetBool, Trigger

from climbing_rig.ros import qos
from climbing_rig.ros.conversions import nanoseconds
from climbing_rig.ros.interfaces import TFMessage
from climbing_rig.ros.requests import NewWall, WallRefused
from climbing_rig.ros.wall_intake import WallIntake
from climbing_rig.view.reports import (
    Joints,
    Pose,
    Report,
    Vector,
    pose_from_transform,
    poses_from_message,
    report_from_status,
)

TRIGGERS = ("attach", "release_all", "reset", "stop")
_UNPAIRED = 64  # ticks of which only one half has come
_RATE_OVER = 1.0  # s
_SILENT_AFTER = 2.0  # s without a status


@dataclass(frozen=True)
class Answer:
    """What came of a service call: what was asked, whether it was done, and the words of the answer."""

    asked: str
    done: bool
    words: str


class RosLink:
    """Subscriptions, publishers and clients of the page; keeps the newest of everything it hears.

    Callbacks run in the executor's thread and only replace whole records, so that the page's thread may read them at
    any time. Commands may be given from any thread.

    Args:
        node: The page's own node, in the climber's namespace.
        climber: Name of the climber's node, whose private topics are heard.
        map_frame: Frame of goals.

    Attributes:
        description: The newest robot_description, or None.
        tick: Stamp (ns), joints and base pose in odom of the newest complete tick, or None.
        odom: Pose of odom in map.
        contacts: LOCKED limbs -> pose in map.
        tips: The other limbs -> pose of their tip target in map.
        report: The newest status.
        answers: Answers of services that nobody has read yet.
        robot_file: The climber's ``robot`` parameter, or None before it is known.
    """

    def __init__(self, node: Node, climber: str, map_frame: str) -> None:
        self._node = node
        self.climber = climber
        self._map_frame = map_frame
        self.description: str | None = None
        self.tick: tuple[int, Joints, Pose] | None = None
        self.odom = Pose(np.zeros(3), np.array([0.0, 0.0, 0.0, 1.0]))
        self.contacts: dict[str, Pose] = {}
        self.tips: dict[str, Pose] = {}
        self.report = Report()
        self.answers: queue.SimpleQueue[Answer] = queue.SimpleQueue()
        self.robot_file: str | None = None
        self._root = ""
        self._joints: dict[int, Joints] = {}
        self._bases: dict[int, Pose] = {}
        self._heard: deque[float] = deque()
        self._last_status = -np.inf
        self._goals: dict[str, Publisher] = {}
        self._clients: dict[str, Client] = {}
        self._moves = node.create_publisher(TwistStamped, "limb_cmds", qos.COMMAND)
        for kind, topic, callback, profile in (
            (String, "robot_description", self._on_description, qos.LATCHED),
            (JointState, "joint_states", self._on_joints, qos.TICK),
            (TFMessage, "/tf", self._on_base, qos.TICK),
            (TFMessage, "/tf_static", self._on_static, qos.LATCHED),
            (MultiDOFJointState, f"{climber}/contacts", self._on_contacts, qos.TICK),
            (MultiDOFJointState, f"{climber}/tips", self._on_tips, qos.TICK),
            (DiagnosticArray, f"{climber}/status", self._on_status, qos.STATE),
        ):
            node.create_subscription(kind, topic, callback, profile)
        self._parameters = node.create_client(GetParameters, f"{climber}/get_parameters")

    def hear_wall(self, take: Callable[[NewWall | WallRefused], None]) -> WallIntake:
        """Subscribes to wall/map; ``take`` is called in the thread that builds walls, which the caller closes."""
        intake = WallIntake(self._node, take, self._map_frame, {})
        self._node.create_subscription(PointCloud2, "wall/map", intake.receive, qos.LATCHED)
        return intake

    # -- what is heard -------------------------------------------------------------------------------------------

    def expect_root(self, link: str) -> None:
        """Says which frame on /tf is the robot's root link."""
        self._root = link

    @property
    def rate(self) -> float:
        """Joint states received in the last second."""
        since = time.monotonic() - _RATE_OVER
        return sum(moment > since for moment in tuple(self._heard)) / _RATE_OVER

    @property
    def silence(self) -> str:
        """What has never or no longer been heard, in words; "" when all is well."""
        if time.monotonic() - self._last_status < _SILENT_AFTER:
            return "" if self.rate > 0.0 else f"no joint states on {self._full('joint_states')}"
        waited = "no climber heard yet" if self._last_status < 0.0 else "the climber has fallen silent"
        return f"{waited} on {self._full(f'{self.climber}/status')}"

    def _full(self, topic: str) -> str:
        return self._node.resolve_topic_name(topic)

    def _on_description(self, message: String) -> None:
        self.description = message.data

    def _on_joints(self, message: JointState) -> None:
        self._heard.append(time.monotonic())
        while self._heard[0] < self._heard[-1] - _RATE_OVER:
            self._heard.popleft()
        stamp = nanoseconds(message.header.stamp)
        self._joints[stamp] = Joints(tuple(message.name), np.asarray(message.position, dtype=np.float64))
        self._pair(stamp)

    def _on_base(self, message: TFMessage) -> None:
        for transform in message.transforms:
            if transform.child_frame_id.lstrip("/") == self._root:
                stamp = nanoseconds(transform.header.stamp)
                self._bases[stamp] = pose_from_transform(transform.transform)
                self._pair(stamp)

    def _pair(self, stamp: int) -> None:
        """Joints and base of one tick belong together; where no stamps agree, the newest of each have to do."""
        joints, bases = self._joints, self._bases
        if stamp in joints and stamp in bases:
            self.tick = (stamp, joints[stamp], bases[stamp])
        elif len(joints) > _UNPAIRED and bases:
            self.tick = (stamp, joints[max(joints)], bases[max(bases)])
        elif max(len(joints), len(bases)) <= 2 * _UNPAIRED:
            return
        joints.clear()
        bases.clear()

    def _on_static(self, message: TFMessage) -> None:
        for transform in message.transforms:
            if transform.header.frame_id.lstrip("/") == self._map_frame:
                self.odom = pose_from_transform(transform.transform)

    def _on_contacts(self, message: MultiDOFJointState) -> None:
        self.contacts = poses_from_message(message)

    def _on_tips(self, message: MultiDOFJointState) -> None:
        self.tips = poses_from_message(message)

    def _on_status(self, message: DiagnosticArray) -> None:
        self._last_status = time.monotonic()
        self.report = report_from_status(message)
        for limb in self.report.limb_names:  # now, so that the first command finds its receiver
            self._goal(limb)
            self._client(SetBool, f"{limb}/grip")
        if self.robot_file is None:
            self._ask_robot_file()

    def _ask_robot_file(self) -> None:
        if not self._parameters.service_is_ready():
            return

        def take(future: Future) -> None:
            values = [] if future.result() is None else future.result().values
            if values and values[0].string_value:
                self.robot_file = values[0].string_value

        self._parameters.call_async(GetParameters.Request(names=["robot"])).add_done_callback(take)

    # -- what is asked -------------------------------------------------------------------------------------------

    def move(self, limb: str, right: float, up: float) -> None:
        """Pushes a limb along the wall (m/s) now; no push at all selects it."""
        message = TwistStamped()
        message.header.stamp = self._node.get_clock().now().to_msg()
        message.header.frame_id = limb
        message.twist.linear.x, message.twist.linear.y = float(right), float(up)
        self._moves.publish(message)

    def send(self, limb: str, point: Vector) -> None:
        """Sends a limb to a point in map."""
        message = PoseStamped()
        message.header.stamp = self._node.get_clock().now().to_msg()
        message.header.frame_id = self._map_frame
        at = message.pose.position
        at.x, at.y, at.z = (float(value) for value in point)
        message.pose.orientation.w = 1.0
        self._goal(limb).publish(message)

    def grip(self, limb: str, hold: bool) -> None:
        """Asks a limb to grip or to let go."""
        words = f"{spoken(limb)}: {'grip' if hold else 'release'}"
        self._call(self._client(SetBool, f"{limb}/grip"), SetBool.Request(data=hold), words)

    def pause(self, paused: bool) -> None:
        """Freezes time, or lets it go on."""
        words = "pause" if paused else "go on"
        self._call(self._client(SetBool, "pause"), SetBool.Request(data=paused), words)

    def trigger(self, name: str) -> None:
        """Calls one of TRIGGERS."""
        self._call(self._client(Trigger, name), Trigger.Request(), spoken(name))

    def _goal(self, limb: str) -> Publisher:
        if limb not in self._goals:
            self._goals[limb] = self._node.create_publisher(PoseStamped, f"{limb}/goal", qos.COMMAND)
        return self._goals[limb]

    def _client(self, kind: type, name: str) -> Client:
        if name not in self._clients:
            self._clients[name] = self._node.create_client(kind, name)
        return self._clients[name]

    def _call(self, client: Client, request: object, asked: str) -> None:
        if not client.service_is_ready():
            self.answers.put(Answer(asked, False, f"nobody offers {client.srv_name} yet"))
            return

        def take(future: Future) -> None:
            error, result = future.exception(), None if future.cancelled() else future.result()
            if error is not None or result is None:
                self.answers.put(Answer(asked, False, f"no answer: {error}"))
            else:
                self.answers.put(Answer(asked, result.success, result.message))

        client.call_async(request).add_done_callback(take)


def spoken(name: str) -> str:
    """A name as one says it: left_hand is "left hand"."""
    return name.replace("_", " ")
