"""A climb by itself: limb after limb lets go, is moved along the wall, and grips again.

It knows the climber only through a ``Port``, and so climbs over ROS topics as well as on a ``Climber`` in the same
process. It is written as a generator: every ``yield`` waits until the next look at the climber.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from climbing_rig.maths import Vector, unit

LOOK = 0.05
"""Seconds between two looks."""
ARRIVED = 0.06
"""Share of a step within which a limb counts as there."""
GAIN = 10.0
"""1/s from the remaining way to the speed asked for."""
STUCK = 0.5
"""Seconds without progress after which a limb goes no farther."""
PATIENCE = 4.0
"""Seconds for a release or a grip to come about."""
SENDING = 0.5
"""Seconds a limb has to get to a place it is sent to."""
SHARES = (1.0, 0.7, 1.3, 0.4)
"""Of a step: where else a hold is looked for when there is none at its end."""
NUDGES = (0.0, 0.4, -0.4)
"""Of a step, sideways, tried at each share."""


class Port(Protocol):
    """What the script sees of a climber and asks of it."""

    def phase(self, limb: str) -> str:
        """The limb's phase, in lower case."""

    def tip(self, limb: str) -> Vector:
        """(3,) where its tip is, or is going when it does not hold; map, metres."""

    def base(self) -> Vector:
        """(3,) the root link in map, metres."""

    def move(self, limb: str, right: float, up: float) -> None:
        """Push it along the wall until the next look, m/s."""

    def send(self, limb: str, position: Vector) -> None:
        """Send it to a position in map (3,), metres."""

    def grip(self, limb: str, on: bool) -> None:
        """Ask it to grip or let go."""

    def refused(self, limb: str) -> bool:
        """Whether its last grip request was refused."""

    def taken_over(self) -> bool:
        """Whether somebody else is moving the climber just now."""


@dataclass(frozen=True)
class WallPlane:
    """Directions along the wall under the limbs: what right and up are, without asking for the wall."""

    right: Vector
    up: Vector

    @classmethod
    def through(cls, tips: Sequence[Vector], base: Vector) -> WallPlane:
        """The plane through the holds, seen from the side where the base is."""
        points = np.asarray(tips)
        middle = points.mean(axis=0)
        normal = np.linalg.svd(points - middle)[2][-1]
        if float(normal @ (base - middle)) < 0.0:
            normal = -normal
        up = unit(np.array([0.0, 0.0, 1.0]) - normal * normal[2])
        return cls(np.cross(up, normal), up)

    def flat(self, point: Vector) -> Vector:
        """(2,) right and up of a point in map."""
        return np.array([point @ self.right, point @ self.up])


class ClimbScript:
    """Moves a climber that holds with all limbs, a step of one limb at a time.

    Args:
        port: The climber.
        limbs: Its limbs, in the order of its file.
        step: Length of a step, metres.
        speed: Greatest speed asked of a limb, m/s.
        say: Takes a line about what it is doing.

    Attributes:
        releases: Limb -> how many times it has let go.
    """

    def __init__(
        self, port: Port, limbs: Sequence[str], *, step: float, speed: float, say: Callable[[str], None]
    ) -> None:
        self._port = port
        self._limbs = gait_order(limbs)
        self._step = step
        self._speed = speed
        self._say = say
        self._plane = WallPlane.through([port.tip(limb) for limb in limbs], port.base())
        self._anchors = {limb: self._flat(limb) for limb in limbs}
        self._last = ""
        self.releases = dict.fromkeys(limbs, 0)

    @property
    def plane(self) -> WallPlane:
        """Right and up along the wall."""
        return self._plane

    def _flat(self, limb: str) -> Vector:
        return self._plane.flat(self._port.tip(limb))

    def go(self, right: float, up: float, finished: Callable[[], bool]) -> Iterator[None]:
        """Climbs in a direction until ``finished``, asked between two steps.

        Args:
            right: Of the direction along the wall.
            up: Of the direction along the wall.
            finished: Whether to end.
        """
        direction = np.array([right, up]) / float(np.hypot(right, up))
        self._anchors = {limb: self._flat(limb) for limb in self._limbs}
        while not finished():
            while self._port.taken_over():
                yield
            progress = {limb: float((self._flat(limb) - self._anchors[limb]) @ direction) for limb in self._limbs}
            limb = self._next(progress)
            self._last = limb
            front = max(progress.values())
            ahead = front if front - progress[limb] > 0.5 * self._step else front + self._step
            ahead = min(ahead, progress[limb] + 1.5 * self._step)
            yield from self._take_step(limb, self._anchors[limb], direction, progress[limb], ahead)

    def hold_still(self, seconds: float = 0.5) -> Iterator[None]:
        """Waits, so that what it did is seen to last."""
        yield from self._until(lambda: False, seconds)

    def _next(self, progress: Mapping[str, float]) -> str:
        """A limb that does not hold, else the one that is farthest behind; not the same one twice."""
        loose = [limb for limb in self._limbs if self._port.phase(limb) != "locked"]
        candidates = [limb for limb in loose or self._limbs if limb != self._last]
        return min(candidates or loose, key=progress.__getitem__)

    def _take_step(self, limb: str, anchor: Vector, direction: Vector, start: float, end: float) -> Iterator[None]:
        """Moves one limb's hold from ``start`` to ``end`` along the direction from its anchor, or as far as it goes."""
        hold = self._port.tip(limb)
        if self._port.phase(limb) == "locked":
            self._port.grip(limb, False)
            yield from self._until(lambda: self._port.phase(limb) == "candidate" or self._port.refused(limb), PATIENCE)
            if self._port.phase(limb) == "locked":
                self._say(f"{limb} cannot let go yet")
                return
            self.releases[limb] += 1
        yield from self._push(limb, anchor + direction * end)
        yield from self._grip(limb)
        if self._port.phase(limb) != "locked":
            yield from self._look_around(limb, hold, direction, end - start)
        if self._port.phase(limb) == "locked":
            gained = float((self._flat(limb) - anchor) @ direction) - start
            self._say(f"{limb} holds again, {gained:+.2f} m")
        else:
            self._say(f"{limb} finds no hold")

    def _look_around(self, limb: str, hold: Vector, direction: Vector, length: float) -> Iterator[None]:
        """Sends the limb to places around the one it did not hold at, and in the end back to where it came from."""
        ahead = self._plane.right * direction[0] + self._plane.up * direction[1]
        beside = self._plane.right * direction[1] - self._plane.up * direction[0]
        for share, nudge in (*((share, nudge) for share in SHARES for nudge in NUDGES), (0.0, 0.0)):
            if self._port.taken_over():
                return
            place = hold + ahead * (share * length) + beside * (nudge * self._step)
            self._port.send(limb, place)
            wish = self._plane.flat(place)
            yield from self._until(lambda wish=wish: self._hovers_at(limb, wish), SENDING)  # type: ignore[misc]
            yield from self._grip(limb)
            if self._port.phase(limb) == "locked":
                return

    def _hovers_at(self, limb: str, wish: Vector) -> bool:
        off = self._flat(limb) - wish
        return self._port.phase(limb) == "candidate" and float(np.hypot(*off)) < 2.0 * ARRIVED * self._step

    def _push(self, limb: str, wish: Vector) -> Iterator[None]:
        """Pushes a limb to a place on the wall (right, up) until it is there or gets no nearer."""
        nearest, since = np.inf, 0.0
        while since < STUCK and not self._port.taken_over():
            way = wish - self._flat(limb)
            left = float(np.hypot(*way))
            if left < ARRIVED * self._step:
                return
            if left < nearest - 0.003:
                nearest, since = left, 0.0
            speed = min(self._speed, GAIN * left) / left
            self._port.move(limb, *(way * speed).tolist())
            since += LOOK
            yield

    def _grip(self, limb: str) -> Iterator[None]:
        yield from self._until(lambda: self._port.phase(limb) == "candidate", 0.2)
        if self._port.phase(limb) != "candidate":
            return
        self._port.grip(limb, True)
        yield
        yield from self._until(lambda: self._port.phase(limb) == "locked" or self._port.refused(limb), PATIENCE)

    def _until(self, condition: Callable[[], bool], patience: float) -> Iterator[None]:
        waited = 0.0
        while not condition() and waited < patience:
            waited += LOOK
            yield


def gait_order(limbs: Sequence[str]) -> tuple[str, ...]:
    """The limbs so that neighbours in time are far apart on the body: first, last, second, last but one and so on."""
    half = (len(limbs) + 1) // 2
    first, second = list(limbs[:half]), list(limbs[half:])[::-1]
    order = []
    for place in range(half):
        order.append(first[place])
        if place < len(second):
            order.append(second[place])
    return tuple(order)
