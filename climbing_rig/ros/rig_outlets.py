"""The rig as it runs, for whoever wants to look at it: ~/rig."""

from __future__ import annotations

from rclpy.node import Node
from std_msgs.msg import String

from climbing_rig.ros import qos


class RigOutlets:
    """Publishes the rig.

    Args:
        node: The node.
    """

    def __init__(self, node: Node) -> None:
        self._graph_out = node.create_publisher(String, "~/rig", qos.LATCHED)

    def publish_graph(self, text: str) -> None:
        """The graph that runs from now on, as JSON."""
        self._graph_out.publish(String(data=text))
