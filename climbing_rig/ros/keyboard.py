"""What the keys of teleop_keyboard do."""

from __future__ import annotations

import sys
import time

from climbing_rig.ros.key_map import DIRECTIONS, LIMBS, KeyMap, help_text
from climbing_rig.ros.lifetime import Lifetime
from climbing_rig.ros.limb_client import LimbClient
from climbing_rig.ros.parameters import Parameters
from climbing_rig.ros.terminal import read_keys


class KeyboardTeleop:
    """Turns keys into commands.

    Args:
        client: The climber.
        keys: Which key does what.
        parameters: The node's.
    """

    def __init__(self, client: LimbClient, keys: KeyMap, parameters: Parameters) -> None:
        self._client = client
        self._keys = keys
        self._parameters = parameters
        self._limb = ""
        self._pushed: dict[str, float] = {}
        self._moving = False
        self._quit = False
        self._line = ""

    def run(self, lifetime: Lifetime) -> None:
        """Reads keys and sends commands until quit or the end."""
        period = 1.0 / self._parameters.number("rate")
        while not (lifetime.ended or self._quit):
            started = time.monotonic()
            pressed = read_keys(sys.stdin.fileno(), period)
            if pressed is None:
                return
            for key in pressed:
                self._press(self._keys.actions.get(key), started)
            self._send_move(time.monotonic())
            self._show()
            time.sleep(max(0.0, started + period - time.monotonic()))

    def _press(self, action: str | None, now: float) -> None:
        if action is None:
            return
        report = self._client.report
        limbs = list(report.limbs) if report else []
        if action in DIRECTIONS:
            self._pushed[action] = now + self._parameters.number("hold_time")
        elif action in LIMBS:
            place = LIMBS.index(action)
            if place < len(limbs):
                self._choose(limbs[place])
        elif action == "automatic":
            self._choose("")
        elif action == "grip":
            self._toggle_grip()
        elif action == "pause":
            paused = report is not None and report.values.get("paused") == "true"
            self._client.pause(not paused, self._say)
        elif action == "help":
            self._print(help_text(self._keys, limbs))
        elif action == "quit":
            self._quit = True
        else:
            self._pushed.clear()
            self._client.trigger(action, self._say)

    def _choose(self, limb: str) -> None:
        self._limb = limb
        self._pushed.clear()
        self._client.move(limb, 0.0, 0.0)

    def _toggle_grip(self) -> None:
        report = self._client.report
        limb = self._limb or (report.selected if report else None)
        if report is None or limb is None:
            self._print("no limb is selected yet: move one, or choose one by its number")
            return
        holds = report.limbs[limb].phase in ("locked", "gripping")
        self._client.grip(limb, not holds, lambda done, words: self._say(done, f"{limb}: {words}"))

    def _send_move(self, now: float) -> None:
        self._pushed = {action: until for action, until in self._pushed.items() if until > now}
        speed = self._parameters.number("speed")
        right = speed * sum(DIRECTIONS[action][0] for action in self._pushed)
        up = speed * sum(DIRECTIONS[action][1] for action in self._pushed)
        if self._pushed or self._moving:  # one zero at the end stops the limb at once
            self._client.move(self._limb, right, up)
        self._moving = bool(self._pushed)

    def _say(self, done: bool, words: str) -> None:
        self._print(words if done else f"refused: {words}")

    def _print(self, words: str) -> None:
        print(f"\r\x1b[K{words}")
        self._line = ""

    def _show(self) -> None:
        """Keeps one line with every limb's phase; the selected one in brackets."""
        report = self._client.report
        if report is None:
            line = "waiting for the climber node …"
        else:
            parts = [
                f"[{name} {limb.phase}]" if limb.selected else f"{name} {limb.phase}"
                for name, limb in report.limbs.items()
            ]
            line = f"{'automatic' if not self._limb else self._limb} | {'  '.join(parts)} | {report.words}"
            selected = report.selected
            if selected and report.limbs[selected].reason:
                line += f" | {report.limbs[selected].reason}"
        if line != self._line:
            self._line = line
            print(f"\r\x1b[K{line}", end="", flush=True)
