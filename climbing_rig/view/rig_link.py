"""What the page hears of the climber's rig: the graph, and its values while somebody looks."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from rclpy.clock import Clock, ClockType
from rclpy.node import Node
from rclpy.subscription import Subscription
from std_msgs.msg import String

from climbing_rig.ros import qos

_HEED = 0.2  # s between two looks at what is wanted
_STALE_AFTER = 1.0  # s without a trace


@dataclass(frozen=True)
class NodeValues:
    """What ~/rig_trace told of one node: its values as text, and whether the tick ended at it."""

    values: Mapping[str, str]
    failed: bool


class RigLink:
    """Hears ~/rig always, and ~/rig_trace while it is wanted: the climber does nothing for it otherwise.

    Args:
        node: The page's own node.
        climber: Name of the climber's node.

    Attributes:
        graph: The graph that runs, as ``climbing_rig rig show --json`` tells it, or None.
        wanted: Whether anybody looks; may be set from any thread.
    """

    def __init__(self, node: Node, climber: str) -> None:
        self._node = node
        self._topic = f"{climber}/rig_trace"
        self.graph: Mapping[str, Any] | None = None
        self.wanted = False
        self._trace: Mapping[str, NodeValues] = {}
        self._heard = -_STALE_AFTER
        self._subscription: Subscription[DiagnosticArray] | None = None
        node.create_subscription(String, f"{climber}/rig", self._on_graph, qos.LATCHED)
        # In the executor's own thread, so that no subscription vanishes while it waits for it.
        node.create_timer(_HEED, self._heed, clock=Clock(clock_type=ClockType.STEADY_TIME))

    @property
    def trace(self) -> Mapping[str, NodeValues]:
        """Node -> values of the newest traced tick; empty when there is none of late."""
        return self._trace if time.monotonic() - self._heard < _STALE_AFTER else {}

    def _heed(self) -> None:
        if self.wanted and self._subscription is None:
            self._subscription = self._node.create_subscription(DiagnosticArray, self._topic, self._on_trace, qos.STATE)
        elif not self.wanted and self._subscription is not None:
            self._node.destroy_subscription(self._subscription)
            self._subscription = None

    def _on_graph(self, message: String) -> None:
        try:
            graph = json.loads(message.data)
        except ValueError:
            return
        if isinstance(graph, dict):
            self.graph = graph
            self._trace = {}

    def _on_trace(self, message: DiagnosticArray) -> None:
        self._trace = {
            status.name: NodeValues(
                {pair.key: pair.value for pair in status.values}, status.level == DiagnosticStatus.ERROR
            )
            for status in message.status
        }
        self._heard = time.monotonic()
