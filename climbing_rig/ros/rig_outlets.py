"""The rig as it runs, for whoever wants to look at it: the graph on ~/rig, values and times on ~/rig_trace.

~/rig_trace has one DiagnosticStatus a node: name = the node, message = its unit, level ERROR where the tick ended at
it, values = the pins that ``trace_pins`` chooses, then ``microseconds`` and ``executed``. The graph's own values come
before the nodes, as ``$inputs`` and ``$variables``.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable

from builtin_interfaces.msg import Time
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from rclpy.node import Node
from std_msgs.msg import String

from climbing_rig.climber import Climber
from climbing_rig.rig.inspect.live_trace import LiveTrace, NodeTrace
from climbing_rig.rig.printing import Prints
from climbing_rig.ros import qos
from climbing_rig.ros.conversions import set_stamp
from climbing_rig.ros.parameters import Parameters
from climbing_rig.state import ClimberState

Tick = Callable[[], ClimberState]
Text = Callable[[], tuple[NodeTrace, ...]]


class RigOutlets:
    """Publishes the rig, and now and then what a tick of it did.

    Args:
        node: The node.
        climber: Whose rig.
        parameters: The node's, of which ``trace_pins`` and ``trace_rate`` are looked at again and again.
    """

    def __init__(self, node: Node, climber: Climber, parameters: Parameters) -> None:
        self._climber = climber
        self._parameters = parameters
        self._robot = climber.model.name
        self._graph_out = node.create_publisher(String, "~/rig", qos.LATCHED)
        self._trace_out = node.create_publisher(DiagnosticArray, "~/rig_trace", qos.STATE)
        self._log = node.get_logger()
        self._prints = Prints(climber.rig)
        self._trace: LiveTrace | None = None
        self._next = 0.0
        self._copies: queue.SimpleQueue[tuple[int, Text] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="trace", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Ends the thread that makes messages of what was traced."""
        self._copies.put(None)
        self._thread.join(1.0)

    def publish_graph(self, text: str) -> None:
        """The graph that runs from now on, as JSON."""
        self._graph_out.publish(String(data=text))

    def tell_prints(self) -> None:
        """Logs what the rig's print nodes have noted since the last time."""
        if self._prints.machine is not self._climber.rig:
            self._prints = Prints(self._climber.rig)
        for line in self._prints.news():
            self._log.info(line)

    def trace(self, tick: Tick, stamp: int, steady: float) -> ClimberState:
        """Carries out a tick; it is traced if one is due and somebody listens, and at full speed otherwise.

        Args:
            tick: What steps the climber.
            stamp: Of the tick, nanoseconds.
            steady: Seconds of a clock that never jumps.
        """
        rate = self._parameters.number("trace_rate")
        if rate <= 0.0 or steady < self._next or not self._trace_out.get_subscription_count():
            return tick()
        self._next = max(self._next + 1.0 / rate, steady)
        trace = self._tracer()
        state: ClimberState = trace.watch(tick)
        text = trace.copy()
        if text is not None:  # a climber that is paused, or on its way to its wall, does not run its rig
            self._copies.put((stamp, text))
        return state

    def _tracer(self) -> LiveTrace:
        machine, patterns = self._climber.rig, self._parameters.texts("trace_pins")
        if self._trace is None or self._trace.machine is not machine or self._trace.patterns != patterns:
            self._trace = LiveTrace(machine, patterns)
        return self._trace

    def _work(self) -> None:
        """In a thread of its own: text takes longer than a tick may."""
        while (copied := self._copies.get()) is not None:
            stamp, text = copied
            message = DiagnosticArray(status=[self._status(node) for node in text()])
            message.header.stamp = Time()
            set_stamp(message.header.stamp, stamp)
            self._trace_out.publish(message)

    def _status(self, node: NodeTrace) -> DiagnosticStatus:
        return DiagnosticStatus(
            level=DiagnosticStatus.ERROR if node.failed else DiagnosticStatus.OK,
            name=node.name,
            message=node.unit,
            hardware_id=self._robot,
            values=[KeyValue(key=key, value=value) for key, value in node.values],
        )
