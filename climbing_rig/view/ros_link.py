"""The page's ends of the ROS interface: it subscribes like any other viewer and commands like any other teleop."""

from __future__ import annotations

import queue
import time
from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np
from geometry_msgs.msg import PoseStamped
from rcl_interfaces.srv import GetParameters
from rclpy.node import Node
from rclpy.publisher import Publisher
from rclpy.task import Future
from sensor_msgs.msg import JointState, MultiDOFJointState, PointCloud2
from std_msgs.msg import String

from climbing_rig.ros import qos
from climbing_rig.ros.conversions import nanoseconds
from climbing_rig.ros.interfaces import TFMessage
from climbing_rig.ros.limb_client import ClimberReport, LimbClient
from climbing_rig.ros.recorder import limb_poses, pose_values
from climbing_rig.ros.requests import NewWall, WallRefused
from climbing_rig.ros.wall_intake import WallIntake
from climbing_rig.view.records import NO_REPORT, Answer, Joints, Pose, Tick, Vector, is_on, spoken
from climbing_rig.view.rig_link import RigLink

TRIGGERS = ("attach", "release_all", "reset", "stop")
_UNPAIRED = 64  # ticks of which only one half has come
_RATE_OVER = 1.0  # s
_SILENT_AFTER = 2.0  # s without a status


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
        tick: The newest complete tick, or None.
        odom: Pose of odom in map.
        contacts: LOCKED limbs -> pose in map.
        tips: The other limbs -> pose of their tip target in map.
        answers: Answers of services that nobody has read yet.
        robot_file: The climber's ``robot`` parameter, or None before it is known.
        rig: What is heard of its rig.
    """

    def __init__(self, node: Node, climber: str, map_frame: str) -> None:
        self._node = node
        self._climber = climber
        self._map_frame = map_frame
        self.description: str | None = None
        self.tick: Tick | None = None
        self.odom = Pose(np.zeros(3), np.array([0.0, 0.0, 0.0, 1.0]))
        self.contacts: dict[str, Pose] = {}
        self.tips: dict[str, Pose] = {}
        self.answers: queue.SimpleQueue[Answer] = queue.SimpleQueue()
        self.robot_file: str | None = None
        self._root = ""
        self._joints: dict[int, Joints] = {}
        self._bases: dict[int, Pose] = {}
        self._heard: deque[float] = deque()
        self._last_status = -np.inf
        self._goals: dict[str, Publisher[PoseStamped]] = {}
        self._client = LimbClient(node, climber, self._on_report)
        self.rig = RigLink(node, climber)
        self._parameters = node.create_client(GetParameters, f"{climber}/get_parameters")
        subscriptions: tuple[tuple[Any, str, Callable[[Any], None], Any], ...] = (
            (String, "robot_description", self._on_description, qos.LATCHED),
            (JointState, "joint_states", self._on_joints, qos.TICK),
            (TFMessage, "/tf", self._on_base, qos.TICK),
            (TFMessage, "/tf_static", self._on_static, qos.LATCHED),
            (MultiDOFJointState, f"{climber}/contacts", self._on_contacts, qos.TICK),
            (MultiDOFJointState, f"{climber}/tips", self._on_tips, qos.TICK),
        )
        for kind, topic, callback, profile in subscriptions:
            node.create_subscription(kind, topic, callback, profile)

    def hear_wall(self, take: Callable[[NewWall | WallRefused], None]) -> WallIntake:
        """Subscribes to wall/map; ``take`` is called in the thread that builds walls, which the caller closes."""
        intake = WallIntake(self._node, take, self._map_frame, {})
        self._node.create_subscription(PointCloud2, "wall/map", intake.receive, qos.LATCHED)
        return intake

    def expect_root(self, link: str) -> None:
        """Says which frame on /tf is the robot's root link."""
        self._root = link

    # -- what is heard -------------------------------------------------------------------------------------------

    @property
    def report(self) -> ClimberReport:
        """The newest status."""
        return self._client.report or NO_REPORT

    @property
    def rate(self) -> float:
        """Joint states received in the last second."""
        since = time.monotonic() - _RATE_OVER
        return sum(moment > since for moment in tuple(self._heard)) / _RATE_OVER

    @property
    def silence(self) -> str:
        """What has never or no longer been heard, in words; "" when all is well."""
        if time.monotonic() - self._last_status < _SILENT_AFTER:
            return "" if self.rate > 0.0 else f"no joint states on {self._node.resolve_topic_name('joint_states')}"
        waited = "no climber heard yet" if self._last_status < 0.0 else "the climber has fallen silent"
        return f"{waited} on {self._node.resolve_topic_name(f'{self._climber}/status')}"

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
                self._bases[stamp] = Pose.from_values(pose_values(transform.transform))
                self._pair(stamp)

    def _pair(self, stamp: int) -> None:
        """Joints and base of one tick belong together; where no stamps agree, the newest of each have to do."""
        joints, bases = self._joints, self._bases
        if stamp in joints and stamp in bases:
            self.tick = Tick(stamp, joints[stamp], bases[stamp])
        elif len(joints) > _UNPAIRED and bases:
            self.tick = Tick(stamp, joints[max(joints)], bases[max(bases)])
        elif max(len(joints), len(bases)) <= 2 * _UNPAIRED:
            return
        joints.clear()
        bases.clear()

    def _on_static(self, message: TFMessage) -> None:
        for transform in message.transforms:
            if transform.header.frame_id.lstrip("/") == self._map_frame:
                self.odom = Pose.from_values(pose_values(transform.transform))

    def _on_contacts(self, message: MultiDOFJointState) -> None:
        self.contacts = _finite_poses(message)

    def _on_tips(self, message: MultiDOFJointState) -> None:
        self.tips = _finite_poses(message)

    def _on_report(self, report: ClimberReport) -> None:
        self._last_status = time.monotonic()
        for limb in report.limbs:  # now, so that the first goal finds its receiver
            self._goal(limb)
        if self.robot_file is None and self._parameters.service_is_ready():
            asked = self._parameters.call_async(GetParameters.Request(names=["robot"]))
            asked.add_done_callback(self._take_robot_file)

    def _take_robot_file(self, future: Future[Any]) -> None:
        answer = future.result()
        if answer is not None and answer.values and answer.values[0].string_value:
            self.robot_file = answer.values[0].string_value

    # -- what is asked -------------------------------------------------------------------------------------------

    def move(self, limb: str, right: float, up: float) -> None:
        """Pushes a limb along the wall (m/s) now; no push at all selects it."""
        self._client.move(limb, right, up)

    def send(self, limb: str, point: Vector) -> None:
        """Sends a limb to a point (3,) in map."""
        message = PoseStamped()
        message.header.stamp = self._node.get_clock().now().to_msg()
        message.header.frame_id = self._map_frame
        at = message.pose.position
        at.x, at.y, at.z = (float(value) for value in point)
        message.pose.orientation.w = 1.0
        self._goal(limb).publish(message)

    def grip(self, limb: str, hold: bool) -> None:
        """Asks a limb to grip or to let go."""
        self._client.grip(limb, hold, self._answer(f"{spoken(limb)}: {'grip' if hold else 'release'}"))

    def toggle_pause(self) -> None:
        """Freezes time, or lets it go on."""
        paused = is_on(self.report, "paused")
        self._client.pause(not paused, self._answer("go on" if paused else "pause"))

    def trigger(self, name: str) -> None:
        """Calls one of TRIGGERS."""
        self._client.trigger(name, self._answer(spoken(name)))

    def _answer(self, asked: str) -> Callable[[bool, str], None]:
        return lambda done, words: self.answers.put(Answer(asked, done, words))

    def _goal(self, limb: str) -> Publisher[PoseStamped]:
        if limb not in self._goals:
            self._goals[limb] = self._node.create_publisher(PoseStamped, f"{limb}/goal", qos.COMMAND)
        return self._goals[limb]


def _finite_poses(message: MultiDOFJointState) -> dict[str, Pose]:
    """Limb -> pose; what is not finite is left out, and a message with too few poses says nothing."""
    if len(message.joint_names) != len(message.transforms):
        return {}
    return {limb: Pose.from_values(values) for limb, values in limb_poses(message).items() if np.isfinite(values).all()}
