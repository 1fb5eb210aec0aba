"""The other end of the climber node: what a teleop, the page or a script needs to move limbs and to see them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from diagnostic_msgs.msg import DiagnosticArray
from geometry_msgs.msg import PoseStamped, TwistStamped
from rclpy.node import Node
from rclpy.task import Future
from std_srvs.srv import SetBool, Trigger

from climbing_rig.ros import qos

Answered = Callable[[bool, str], None]
"""Takes whether it was done, and words."""


@dataclass(frozen=True)
class LimbReport:
    """One limb as ~/status tells it."""

    phase: str
    reason: str
    selected: bool


@dataclass(frozen=True)
class ClimberReport:
    """What ~/status tells.

    Attributes:
        limbs: Limb -> report, in the robot's order.
        words: The climber's situation in one line.
        values: The node's key -> text.
    """

    limbs: dict[str, LimbReport]
    words: str
    values: dict[str, str]

    @property
    def selected(self) -> str | None:
        """The selected limb, or None."""
        return next((name for name, limb in self.limbs.items() if limb.selected), None)

    @property
    def attached(self) -> bool:
        """Whether every limb holds."""
        return bool(self.limbs) and all(limb.phase == "locked" for limb in self.limbs.values())


def report_from_status(message: DiagnosticArray) -> ClimberReport:
    """Reads a ~/status message: an entry with a phase is a limb, the other one is the node."""
    limbs, words, node_values = {}, "", {}
    for status in message.status:
        values = {pair.key: pair.value for pair in status.values}
        if "phase" in values:
            limbs[status.name] = LimbReport(values["phase"], values.get("reason", ""), values.get("selected") == "true")
        else:
            words, node_values = status.message, values
    return ClimberReport(limbs, words, node_values)


class LimbClient:
    """Publishes limb commands, calls the climber's services, and keeps its last report.

    Args:
        node: Whose topics and services; the climber must share its namespace.
        climber: The climber node's name.
        on_report: Called with every new report.
    """

    def __init__(
        self, node: Node, climber: str = "climber", on_report: Callable[[ClimberReport], None] | None = None
    ) -> None:
        self._node = node
        self._on_report = on_report
        self.report: ClimberReport | None = None
        self._moves = node.create_publisher(TwistStamped, "limb_cmds", qos.COMMAND)
        self._triggers = {
            name: node.create_client(Trigger, name) for name in ("attach", "release_all", "reset", "stop")
        }
        self._pause = node.create_client(SetBool, "pause")
        self._grips: dict[str, Any] = {}
        self._goals: dict[str, Any] = {}
        node.create_subscription(DiagnosticArray, f"{climber}/status", self._on_status, qos.STATE)

    def _on_status(self, message: DiagnosticArray) -> None:
        report = report_from_status(message)
        for limb in report.limbs:
            if limb not in self._grips:
                self._grips[limb] = self._node.create_client(SetBool, f"{limb}/grip")
                self._goals[limb] = self._node.create_publisher(PoseStamped, f"{limb}/goal", qos.COMMAND)
        self.report = report
        if self._on_report is not None:
            self._on_report(report)

    def move(self, limb: str, right: float, up: float) -> None:
        """Pushes a limb ("": automatic choice); m/s along the wall. Must be repeated within 0.1 s to go on."""
        message = TwistStamped()
        message.header.stamp = self._node.get_clock().now().to_msg()
        message.header.frame_id = limb
        message.twist.linear.x, message.twist.linear.y = float(right), float(up)
        self._moves.publish(message)

    def goal(self, limb: str, position: Sequence[float], frame: str = "map") -> None:
        """Sends a limb to a position (3,) in ``frame``, metres; a limb nobody has heard of is passed over."""
        publisher = self._goals.get(limb)
        if publisher is None:
            return
        message = PoseStamped()
        message.header.stamp = self._node.get_clock().now().to_msg()
        message.header.frame_id = frame
        at = message.pose.position
        at.x, at.y, at.z = (float(value) for value in position)
        message.pose.orientation.w = 1.0
        publisher.publish(message)

    def grip(self, limb: str, on: bool, answered: Answered) -> None:
        """Asks a limb to grip (True) or let go (False)."""
        self._call(self._grips.get(limb), SetBool.Request(data=on), f"{limb}/grip", answered)

    def trigger(self, name: str, answered: Answered) -> None:
        """Calls ``attach``, ``release_all``, ``reset`` or ``stop``."""
        self._call(self._triggers[name], Trigger.Request(), name, answered)

    def pause(self, on: bool, answered: Answered) -> None:
        """Freezes the climber, or lets it go on."""
        self._call(self._pause, SetBool.Request(data=on), "pause", answered)

    def _call(self, client: Any, request: object, name: str, answered: Answered) -> None:
        if client is None or not client.service_is_ready():
            answered(False, f"{name}: no climber answers; is the climber node running?")
            return
        future: Future[Any] = client.call_async(request)

        def done(future: Future[Any]) -> None:
            result = future.result()
            if result is not None:
                answered(result.success, result.message)

        future.add_done_callback(done)
