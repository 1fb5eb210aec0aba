"""The stamps of ticks: they advance by exactly the dt that is simulated, and end up at the clock's time."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from climbing_rig.limbs.command import LONGEST_TICK

SECOND = 1_000_000_000
JUMP = SECOND // 2
"""Nanoseconds by which the clock must run ahead of the steady clock in one look to be said to have jumped."""
STEP_BACK = SECOND // 50
"""Nanoseconds the clock may go back and it only counts as standing still."""
LATEST = 5 * SECOND
"""Nanoseconds a loop that cannot keep up may be behind the clock before it gives up what it has missed."""


class Kind(Enum):
    """What one look at the clock leads to."""

    TICK = "tick"
    """Simulate ``dt`` and stamp with ``stamp``."""
    WAIT = "wait"
    """The clock has not moved (simulated time stands still, or a small step back): nothing to do."""
    JUMP = "jump"
    """The clock jumped by ``jump``: hold still, go on from there. ``stamp`` is the new time."""
    LATE = "late"
    """This loop could not keep up and is ``jump`` behind: the same."""
    NO_TIME = "no time"
    """Simulated time, and no clock message yet."""


@dataclass(frozen=True)
class Look:
    """One look at the clock; all in nanoseconds.

    Attributes:
        kind: What to do.
        stamp: The stamp of this tick.
        dt: Time to simulate; 0 unless TICK.
        jump: How far stamps jump; 0 unless JUMP or LATE.
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
        self._now = 0
        self._steady = 0

    def look(self, now: int, steady: int) -> Look:
        """What to do now.

        Args:
            now: The node's clock, nanoseconds; 0: no time yet.
            steady: A clock that never jumps, nanoseconds.
        """
        passed, truly_passed = now - self._now, steady - self._steady
        self._now, self._steady = now, steady
        if now <= 0:
            return Look(Kind.NO_TIME, self._stamp)
        if self._stamp == 0:
            self._stamp = now
            return Look(Kind.WAIT, now)
        if passed < -STEP_BACK or passed - truly_passed > JUMP:
            self._stamp = now
            return Look(Kind.JUMP, now, jump=passed)
        lag = now - self._stamp
        if lag > LATEST:
            self._stamp = now
            return Look(Kind.LATE, now, jump=lag)
        if lag <= 0:
            return Look(Kind.WAIT, self._stamp)
        dt = min(lag, self._longest)
        self._stamp += dt
        return Look(Kind.TICK, self._stamp, dt)

    @property
    def behind(self) -> bool:
        """Whether the last tick did not reach the clock."""
        return self._now - self._stamp > 0
