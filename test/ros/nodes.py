"""Nodes as processes, started once per module, and a listener that waits for events instead of sleeping."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence

import numpy as np
from builtin_interfaces.msg import Time
from diagnostic_msgs.msg import DiagnosticArray
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from sensor_msgs.msg import JointState, MultiDOFJointState, PointCloud2

from climbing_rig.ros import qos
from climbing_rig.ros.cloud_messages import message_from_cloud
from climbing_rig.ros.interfaces import TFMessage
from climbing_rig.ros.limb_client import ClimberReport, report_from_status
from climbing_rig.ros.recorder import Recorder, limb_poses
from climbing_rig.wall.cloud import Cloud
from climbing_rig.wall.generate.panels import flat

START_UP = 240.0
"""Seconds a node may take to go live: the kernels may have to be compiled."""


class NodeProcess:
    """A node's process and what it has printed."""

    def __init__(self, module: str, arguments: Sequence[str] = (), **options: object) -> None:
        command = [sys.executable, "-m", f"climbing_rig.ros.{module}", *arguments]
        options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, **options}
        self.process = subprocess.Popen(command, text=True, bufsize=1, **options)
        self._lines: list[str] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        with self.process.stdout as lines:
            for line in lines:
                self._lines.append(line)

    @property
    def output(self) -> str:
        """All it has printed."""
        return "".join(self._lines)

    def wait_for(self, words: str, timeout: float = START_UP) -> None:
        """Until it has printed ``words``."""
        deadline = time.monotonic() + timeout
        while words not in self.output:
            assert self.process.poll() is None, f"ended with {self.process.poll()}:\n{self.output}"
            assert time.monotonic() < deadline, f"no {words!r} after {timeout} s in:\n{self.output}"
            time.sleep(0.02)

    def end(self, number: int = signal.SIGINT, timeout: float = 15.0) -> int:
        """Signals it and returns its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        code = self.process.wait(timeout)
        self._reader.join(2.0)
        return code


class Listener:
    """A node that keeps what the climber publishes, spun by a thread of its own."""

    def __init__(self, name: str = "listener") -> None:
        self.node = Node(name)
        self.recorder = Recorder("base_link")
        self.report: ClimberReport | None = None
        self.statuses: list[DiagnosticArray] = []
        self.contacts: dict[str, np.ndarray] = {}
        self.tips: dict[str, np.ndarray] = {}
        self.latest = 0
        self.listen(JointState, "joint_states", self._on_joints, qos.RECORD)
        self.listen(TFMessage, "/tf", self.recorder.on_tf, qos.RECORD)
        self.listen(MultiDOFJointState, "climber/contacts", self._on_contacts, qos.RECORD)
        self.listen(MultiDOFJointState, "climber/tips", self._on_tips, qos.RECORD)
        self.listen(DiagnosticArray, "climber/status", self._on_status, qos.STATE)
        self._executor = SingleThreadedExecutor()
        self._executor.add_node(self.node)
        self._thread = threading.Thread(target=self._executor.spin, daemon=True)
        self._thread.start()

    def listen(self, kind: type, topic: str, callback: Callable, profile: object) -> None:
        """Subscribes to one more topic."""
        self.node.create_subscription(kind, topic, callback, profile)

    def _on_joints(self, message: JointState) -> None:
        self.recorder.on_joint_state(message)
        self.latest = message.header.stamp.sec * 10**9 + message.header.stamp.nanosec

    def _on_contacts(self, message: MultiDOFJointState) -> None:
        self.recorder.on_contacts(message)
        self.contacts = {limb: pose[:3] for limb, pose in limb_poses(message).items()}

    def _on_tips(self, message: MultiDOFJointState) -> None:
        self.recorder.on_tips(message)
        self.tips = {limb: pose[:3] for limb, pose in limb_poses(message).items()}

    def _on_status(self, message: DiagnosticArray) -> None:
        self.statuses.append(message)
        self.report = report_from_status(message)

    def wait(self, condition: Callable[[], object], timeout: float = 20.0, words: str = "") -> None:
        """Until the condition holds; fails with the climber's own words."""
        deadline = time.monotonic() + timeout
        while not condition():
            assert time.monotonic() < deadline, f"waited {timeout} s for {words or condition}; status: {self.report}"
            time.sleep(0.005)

    def wait_for_words(self, words: str, timeout: float = 20.0) -> None:
        """Until the node or a limb says ``words``."""
        self.wait(lambda: words in self.said, timeout, words)

    @property
    def said(self) -> str:
        """What the node and the limbs say just now."""
        report = self.report
        if report is None:
            return ""
        return " | ".join([report.words, *(limb.reason for limb in report.limbs.values())])

    def phase(self, limb: str) -> str:
        """A limb's phase by the last status."""
        return self.report.limbs[limb].phase if self.report else ""

    def ticks(self, count: int, timeout: float = 20.0) -> None:
        """Until ``count`` more messages of joint_states have come."""
        ticks = self.recorder.recording.ticks
        goal = len(ticks) + count
        self.wait(lambda: len(ticks) >= goal, timeout, f"{count} ticks")

    def call(self, kind: type, name: str, request: object, timeout: float = 60.0) -> object:
        """Calls a service and returns its answer."""
        client = self.node.create_client(kind, name)
        assert client.wait_for_service(timeout), f"no service {name}"
        future = client.call_async(request)
        self.wait(future.done, timeout, f"an answer of {name}")
        self.node.destroy_client(client)
        return future.result()

    def stamp(self, seconds: float = 0.0) -> Time:
        """Now, or so many seconds from now."""
        now = self.node.get_clock().now().nanoseconds + round(seconds * 1e9)
        return Time(sec=now // 10**9, nanosec=now % 10**9)

    def close(self) -> None:
        """Ends the thread and the node."""
        self._executor.shutdown(1.0)
        self._thread.join(2.0)
        self.node.destroy_node()


def flat_wall(x: float = 0.4, spacing: float = 0.03, **fields: float) -> PointCloud2:
    """A vertical wall at ``x`` as a message in map."""
    sample = flat(spacing=spacing)
    points = sample.points + np.array([x - sample.points[:, 0].mean(), 0.0, 0.0])
    return message_from_cloud(Cloud(points, sample.normals), "map", Time())
