"""What a joystick does."""

from __future__ import annotations

import time

from rclpy.node import Node
from sensor_msgs.msg import Joy

from climbing_rig.ros import qos
from climbing_rig.ros.limb_client import LimbClient
from climbing_rig.ros.pad import Pad, PadReader, Reading
from climbing_rig.ros.parameters import Parameters


class JoystickTeleop:
    """Turns Joy messages into commands, all in the node's callbacks.

    Args:
        node: The node.
        pad: The joystick's layout.
        parameters: The node's.
    """

    def __init__(self, node: Node, pad: Pad, parameters: Parameters) -> None:
        self._log = node.get_logger()
        self._parameters = parameters
        self._reader = PadReader(pad)
        self._client = LimbClient(node)
        self._limb = ""
        self._reading: Reading | None = None
        self._heard = float("-inf")
        self._down: frozenset[str] = frozenset()
        self._moving = False
        node.create_subscription(Joy, "joy", self._on_joy, qos.COMMAND)
        node.create_timer(1.0 / parameters.number("rate"), self._send_move)

    def _on_joy(self, message: Joy) -> None:
        self._reading = self._reader.read(message.axes, message.buttons)
        self._heard = time.monotonic()
        down = self._reading.down if self._reading is not None else frozenset()
        for action in sorted(down - self._down):
            self._press(action)
        self._down = down

    def _send_move(self) -> None:
        """Repeats the push while the stick is held; a stick that is let go, or falls silent, ends it with one zero."""
        silent = time.monotonic() - self._heard > self._parameters.number("joy_timeout")
        reading = None if silent else self._reading
        speed = self._parameters.number("speed")
        right, up = (speed * reading.right, speed * reading.up) if reading is not None else (0.0, 0.0)
        pushing = right != 0.0 or up != 0.0
        if pushing or self._moving:
            self._client.move(self._limb, right, up)
        self._moving = pushing

    def _press(self, action: str) -> None:
        report = self._client.report
        if action in ("grip", "release"):
            limb = self._limb or (report.selected if report else None)
            if limb is None:
                self._log.warning("no limb is selected yet: move one, or choose one")
            else:
                self._client.grip(limb, action == "grip", lambda done, words: self._say(f"{limb}: {words}", done))
        elif action == "pause":
            paused = report is not None and report.values.get("paused") == "true"
            self._client.pause(not paused, lambda done, words: self._say(words, done))
        elif action == "automatic":
            self._limb = ""
            self._say("automatic: the direction pushed chooses the limb", True)
        elif action.startswith("limb_"):
            self._choose(int(action.removeprefix("limb_")) - 1, list(report.limbs) if report else [])
        else:
            self._client.trigger(action, lambda done, words: self._say(f"{action}: {words}", done))

    def _choose(self, place: int, limbs: list[str]) -> None:
        if place >= len(limbs):
            self._log.warning(f"there is no limb {place + 1}; the robot has {len(limbs)}")
            return
        self._limb = limbs[place]
        self._client.move(self._limb, 0.0, 0.0)
        self._say(f"{self._limb} selected", True)

    def _say(self, words: str, done: bool) -> None:
        if done:
            self._log.info(words)
        else:
            self._log.warning(f"refused: {words}")
