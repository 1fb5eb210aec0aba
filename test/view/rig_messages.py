"""What a climber tells of a small rig: its graph on ~/rig, and ticks of it on ~/rig_trace."""

from __future__ import annotations

import json
from collections.abc import Mapping

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from std_msgs.msg import String

from climbing_rig.rig import Machine, RigError, compile_graph, read_graph
from climbing_rig.rig.inspect.live_trace import LiveTrace
from climbing_rig.ros.rig_intake import graph_text

TEXT = """
inputs:
  dt: {type: float, default: 0.005}
variables:
  angle: {type: float, initial: 0.25}
nodes:
  - name: turn
    unit: math.float.add
    inputs: {a: $angle, b: $dt}
    set: {angle: result}
  - name: rounds
    unit: flow.for_loop
    inputs: {count: 3}
    body:
      - name: <IN>
        unit: math.float.multiply
        inputs: {a: $turn.result, b: <B>}
  - name: last
    unit: math.vector.make
    inputs: {x: $angle}
  - name: unused
    unit: math.float.value
    inputs: {value: 7}
    enabled: false
"""


class SmallRig:
    """A rig of five nodes on a machine of its own.

    Args:
        inner: Name of the node in the loop.
        factor: What that node multiplies by; 1e308 times 10 stops it.
    """

    def __init__(self, inner: str = "grow", factor: str = "2") -> None:
        self.program = compile_graph(read_graph(TEXT.replace("<IN>", inner).replace("<B>", factor), "small"))
        self.machine = Machine(self.program)
        self._trace = LiveTrace(self.machine, ("*",))
        self.stopped = ""

    @property
    def graph(self) -> Mapping[str, object]:
        """As ~/rig tells it."""
        return json.loads(graph_text(self.program))

    @property
    def graph_message(self) -> String:
        """For ~/rig."""
        return String(data=graph_text(self.program))

    def tick(self) -> DiagnosticArray:
        """One tick, for ~/rig_trace."""
        try:
            self._trace.watch(self.machine.run)
        except RigError as error:
            self.stopped = str(error)
        return DiagnosticArray(
            status=[
                DiagnosticStatus(
                    name=node.name,
                    message=node.unit,
                    level=DiagnosticStatus.ERROR if node.failed else DiagnosticStatus.OK,
                    values=[KeyValue(key=key, value=value) for key, value in node.values],
                )
                for node in self._trace.copy()()
            ]
        )
