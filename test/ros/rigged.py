"""A climber node on a flat wall whose rig is a file of the test's own, and what a user does with that file."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

from geometry_msgs.msg import TwistStamped
from nodes import Listener, flat_wall
from sensor_msgs.msg import PointCloud2
from std_srvs.srv import SetBool, Trigger

from climbing_rig.ros import qos
from climbing_rig.share import resolve

OWN = resolve("config/rigs/climber.yaml").read_text(encoding="utf-8")
"""The climber's own rig."""
EASE = "  - name: ease\n    unit: climb.follow\n"
assert EASE in OWN
EAGER = OWN.replace(EASE, EASE + "    enabled: false\n")
"""The same without its last node: the body goes straight to where it is drawn."""
MIDDLE = "  - name: clearance\n"
assert MIDDLE in OWN
OVERFLOW = "  - name: overflow\n    unit: math.float.multiply\n    inputs: {a: 1.0e+308, b: $huge}\n"
STOPPING = OWN.replace("variables: ", "variables:\n  huge: {type: float, initial: 10}\n  #", 1).replace(
    MIDDLE, OVERFLOW + MIDDLE
)
"""The same with a node in the middle whose output is infinite."""


class Rigged:
    """The node ``climber``, holding on to its wall.

    Args:
        start_node: See conftest.
        listener: What hears it.
        file: Of its rig; made here.
        parameters: More of the node's, ``name:=value``.
    """

    def __init__(self, start_node: Callable, listener: Listener, file: Path, *parameters: str) -> None:
        self.listener = listener
        self.file = file
        self.write(OWN)
        given = [word for one in (f"rig:={file}", "attach_on_wall:=true", *parameters) for word in ("-p", one)]
        self.node = start_node("climber_node", "--ros-args", *given)
        self.node.wait_for("is live")
        self._commands = listener.node.create_publisher(TwistStamped, "limb_cmds", qos.COMMAND)
        self._walls = listener.node.create_publisher(PointCloud2, "wall/map", qos.LATCHED)
        self._walls.publish(flat_wall())
        listener.wait(lambda: self._commands.get_subscription_count() == 1, words="limb_cmds to be matched")
        listener.wait(lambda: listener.report is not None and listener.report.attached, 60.0, "all limbs to hold")

    # -- the file ------------------------------------------------------------------------------------------------

    def write(self, text: str) -> None:
        """As an editor saves: a new file takes the place of the old one at once."""
        beside = self.file.with_suffix(".new")
        beside.write_text(text, encoding="utf-8")
        os.replace(beside, self.file)

    def save(self, text: str, words: str) -> None:
        """Writes the file and waits until ``words`` stand in what the status says of the rig."""
        self.write(text)
        self.listener.wait(lambda: words in self.rig, 60.0, f"{words!r} of the rig")

    def reload(self) -> Trigger.Response:
        """Calls the service."""
        return self.listener.call(Trigger, "climber/reload_rig", Trigger.Request())

    @property
    def rig(self) -> str:
        """What the status says of the rig."""
        return self.listener.report.values["rig"]

    @property
    def level(self) -> bytes:
        """Of the node's status."""
        return self.listener.statuses[-1].status[-1].level

    # -- the climb -----------------------------------------------------------------------------------------------

    def loosen(self, limb: str) -> None:
        """The limb lets go and hovers."""
        answer = self.listener.call(SetBool, f"{limb}/grip", SetBool.Request(data=False))
        assert answer.success, answer.message
        self.listener.wait(lambda: self.listener.phase(limb) == "candidate", words=f"{limb} hovers")

    def push(self, limb: str, up: float, until: Callable[[], object], timeout: float = 60.0) -> None:
        """Pushes a limb up and down the wall, as a teleop does, until something has happened."""
        began = time.monotonic()
        while not until():
            assert time.monotonic() - began < timeout, f"{self.listener.report}"
            message = TwistStamped()
            message.header.frame_id = limb
            message.header.stamp = self.listener.stamp()
            message.twist.linear.y = up if int(time.monotonic() - began) % 2 == 0 else -up
            self._commands.publish(message)
            time.sleep(0.05)
