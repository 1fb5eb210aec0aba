"""The stamps of ticks: they advance by exactly the dt that is simulated, and end up at the clock's time."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from climbing_rig.climber import LONGEST_TICK

SECOND = 1_000_000_000
JUMP = SECOND
"""Nanoseconds between stamp and clock from which on the clock is said to have jumped, not the loop to be late."""


class Kind(Enum):
    """What one look at the clock leads to."""

    TICK = "tick"
    """Simulate ``dt`` and stamp with ``stamp``."""
    WAIT = "wait"
    """The clock has not moved (simulated time stands still, or a small step back): nothing to do."""
    JUMP = "jump"
    """The clock jumped by ``jump``: hold still, go on from there. ``stamp`` is the new time."""
    NO_TIME = "no time"
    """Simulated time, and no clock message yet."""


@dataclass(frozen=True)
class Look:
    """One look at the clock; all in nanoseconds.

    Attributes:
        kind: What to do.
        stamp: The stamp of this tick.
        dt: Time to simulate; 0 unless TICK.
        jump: How far the clock jumped; 0 unless JUMP.
    """

    kind: Kind
    stamp: int
    dt: int = 0
    jump: int = 0


class Stamps:
    """Turns clock readings into ticks.

    A late loop catches up by ticks of at most two periods; a clock that leaps is followed at once, without motion.

    Args:
        period: Nanoseconds between two ticks.
    """

    def __init__(self, period: int) -> None:
        self._longest = min(2 * period, int(LONGEST_TICK * SECOND))
        self._stamp = 0

    def look(self, now: int) -> Look:
        """What to do at clock time ``now`` (nanoseconds; 0: no time yet)."""
        if now <= 0:
            return Look(Kind.NO_TIME, self._stamp)
        if self._stamp == 0:
            self._stamp = now
            return Look(Kind.WAIT, now)
        lag = now - self._stamp
        if abs(lag) > JUMP:
            self._stamp = now
            return Look(Kind.JUMP, now, jump=lag)
        if lag <= 0:
            return Look(Kind.WAIT, self._stamp)
        dt = min(lag, self._longest)
        self._stamp += dt
        return Look(Kind.TICK, self._stamp, dt)
