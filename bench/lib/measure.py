"""Fair timing: candidates take turns in one run, so that whatever else the machine does hits all of them alike."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Timing:
    """Seconds of one call.

    Attributes:
        median: Of all rounds.
        best: Of all rounds.
        p99: 99th percentile.
    """

    median: float
    best: float
    p99: float


def interleaved(
    candidates: Mapping[str, Callable[[], object]], *, rounds: int = 200, repeat: int = 1
) -> dict[str, Timing]:
    """Times each candidate in every round, one after the other.

    Args:
        candidates: Name -> what to time; called once before, to warm it.
        rounds: How often each gets its turn.
        repeat: Calls in one turn, for what is too short for the clock.
    """
    for call in candidates.values():
        call()
    taken: dict[str, list[float]] = {name: [] for name in candidates}
    for _ in range(rounds):
        for name, call in candidates.items():
            started = time.perf_counter()
            for _ in range(repeat):
                call()
            taken[name].append((time.perf_counter() - started) / repeat)
    return {name: _timing(times) for name, times in taken.items()}


def _timing(times: list[float]) -> Timing:
    ordered = sorted(times)
    return Timing(statistics.median(ordered), ordered[0], ordered[min(int(0.99 * len(ordered)), len(ordered) - 1)])


@dataclass(frozen=True)
class Asked:
    """One number against what is asked of it.

    Attributes:
        what: In words.
        value: The number.
        most: What it may be at most.
        unit: Of both.
    """

    what: str
    value: float
    most: float
    unit: str = ""

    @property
    def met(self) -> bool:
        """Whether it is."""
        return self.value <= self.most

    def line(self) -> str:
        """For the table."""
        mark = "ok  " if self.met else "MISS"
        return f"{mark} {self.what:<62} {self.value:9.4g} {self.unit:<4} (asked: {self.most:g})"


def report(title: str, rows: list[Asked]) -> int:
    """Prints the table.

    Returns:
        The exit code: 1 when something asked for is missed.
    """
    print(f"\n{title}")
    for row in rows:
        print("  " + row.line())
    return int(not all(row.met for row in rows))
