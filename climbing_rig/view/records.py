"""What the page has heard, as plain records."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from climbing_rig.ros.limb_client import ClimberReport

Vector = NDArray[np.float64]

NO_REPORT = ClimberReport({}, "", {})


@dataclass(frozen=True)
class Pose:
    """A frame's position (3,) in metres and orientation (4,) as (x, y, z, w)."""

    position: Vector
    orientation: Vector

    @classmethod
    def from_values(cls, values: Vector) -> Pose:
        """From (7,): position, then orientation."""
        return cls(values[:3], values[3:])


@dataclass(frozen=True)
class Joints:
    """Joint names and (M,) positions, rad or m."""

    names: tuple[str, ...]
    positions: Vector


@dataclass(frozen=True)
class Tick:
    """One complete tick: its stamp in nanoseconds, the joints, and the root link in odom."""

    stamp: int
    joints: Joints
    base: Pose


@dataclass(frozen=True)
class Answer:
    """What came of a service call: what was asked, whether it was done, and the words of the answer."""

    asked: str
    done: bool
    words: str


def is_on(report: ClimberReport, key: str) -> bool:
    """Whether one of the node's values is true."""
    return report.values.get(key) == "true"


def phase_of(report: ClimberReport, limb: str | None) -> str:
    """A limb's phase, "" when nothing is known of it."""
    known = report.limbs.get(limb or "")
    return known.phase if known is not None else ""


def spoken(name: str) -> str:
    """A name as one says it: left_hand is "left hand"."""
    return name.replace("_", " ")
