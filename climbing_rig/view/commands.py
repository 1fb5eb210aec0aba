"""What the page's buttons, keys, clicks and drags ask of the climber."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from climbing_rig.view.ros_link import RosLink

PUSH_SPEED = 0.25
"""m/s of a limb that is pushed by a button or key."""
PUSH_TIME = 0.3
"""Seconds one press pushes; a key that is held down repeats sooner."""

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class _Push:
    """A limb that is being pushed: m/s, and until when (monotonic seconds)."""

    right: float
    up: float
    until: float


class Commands:
    """Turns wishes into messages and calls; usable from any thread.

    Args:
        link: Where they go.

    Attributes:
        chosen: The limb chosen on this page last, for climbers that do not say which one is selected.
    """

    def __init__(self, link: RosLink) -> None:
        self._link = link
        self._pushes: dict[str, _Push] = {}
        self._lock = threading.Lock()
        self.chosen: str | None = None

    @property
    def selected(self) -> str | None:
        """The limb the climber calls selected, else the one chosen here, else its first."""
        report = self._link.report
        chosen = self.chosen if self.chosen in report.limbs else None
        return report.selected or chosen or next(iter(report.limbs), None)

    def select(self, limb: str) -> None:
        """Selects a limb: a push of no length."""
        self.chosen = limb
        self._link.move(limb, 0.0, 0.0)

    def select_number(self, number: int) -> None:
        """Selects a limb by its place in the climber's order, from 0."""
        limbs = tuple(self._link.report.limbs)
        if number < len(limbs):
            self.select(limbs[number])

    def push(self, limb: str | None, right: float, up: float) -> None:
        """Pushes a limb (None: the selected one) for a moment; right and up are -1, 0 or 1."""
        limb = limb or self.selected
        if limb is None:
            return
        push = _Push(right * PUSH_SPEED, up * PUSH_SPEED, time.monotonic() + PUSH_TIME)
        with self._lock:
            self._pushes[limb] = push
        self._link.move(limb, push.right, push.up)

    def keep_pushing(self) -> None:
        """Repeats the pushes that are still going on, whose messages are stale after a tenth of a second."""
        now = time.monotonic()
        with self._lock:
            over = [limb for limb, push in self._pushes.items() if push.until <= now]
            going = dict(self._pushes)
            for limb in over:
                del self._pushes[limb]
        for limb, push in going.items():
            self._link.move(limb, *((0.0, 0.0) if limb in over else (push.right, push.up)))

    def send(self, limb: str | None, point: Vector) -> None:
        """Sends a limb (None: the selected one) to a point (3,) in map."""
        limb = limb or self.selected
        if limb is not None:
            self._link.send(limb, point)

    def grip(self, limb: str | None, hold: bool) -> None:
        """Grips with, or lets go of, a limb (None: the selected one)."""
        limb = limb or self.selected
        if limb is not None:
            self._link.grip(limb, hold)

    def trigger(self, name: str) -> None:
        """Attach, release all, reset or stop."""
        if name == "stop":
            with self._lock:
                self._pushes.clear()
        self._link.trigger(name)

    def toggle_pause(self) -> None:
        """Pauses, or goes on."""
        self._link.toggle_pause()
