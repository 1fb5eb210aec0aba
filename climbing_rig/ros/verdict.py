"""What a recording proves of a climb: drift, limits, velocities, jumps, gaps, and how far it went."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from itertools import pairwise

import numpy as np

from climbing_rig.maths import Vector
from climbing_rig.model import RobotDescription, RobotModel
from climbing_rig.model.kinematics import forward
from climbing_rig.ros.recorder import Recording, Tick
from climbing_rig.ros.stamps import SECOND

RELEASES, RELEASES_PER_LIMB = 12, 3
DRIFT = 0.1
"""Millimetres a held tip may be off its contact."""
ROUNDING = 1e-6
"""What the difference of two nearly equal numbers, divided by 5 ms, is allowed beyond an exact bound."""


@dataclass(frozen=True)
class Verdict:
    """Measured from received messages only.

    Attributes:
        climbed_m: Rise of the root link along the wall since all limbs held for the first time.
        locked_drift_mm_max: Forward kinematics of joints and base against the contact as first received.
        joint_limit_excess_max: rad or m beyond a limit.
        joint_velocity_ratio_max: Of a joint's velocity limit, over the difference of stamps.
        tip_jump_ratio_max: Of a tip's ``follow_speed``, over the difference of stamps.
        releases: How many times a limb let go.
        releases_per_limb: The same for each limb.
        messages: Received on joint_states, /tf, ~/contacts and ~/tips.
        missing: Messages of a tick that did not come while others of its stamp did, and ticks skipped altogether.
        rate_hz: Ticks received, over their stamps.
        finite: Whether every number received was.
    """

    climbed_m: float
    locked_drift_mm_max: float
    joint_limit_excess_max: float
    joint_velocity_ratio_max: float
    tip_jump_ratio_max: float
    releases: int
    releases_per_limb: Mapping[str, int]
    messages: int
    missing: int
    rate_hz: float
    finite: bool

    def holds(self, climb: float) -> bool:
        """Whether the climb went at least ``climb`` metres and kept every promise."""
        return (
            self.climbed_m >= climb
            and self.locked_drift_mm_max <= DRIFT
            and self.joint_limit_excess_max <= 0.0
            and self.joint_velocity_ratio_max <= 1.0
            and self.tip_jump_ratio_max <= 1.0
            and self.releases >= RELEASES
            and min(self.releases_per_limb.values()) >= RELEASES_PER_LIMB
            and self.missing == 0
            and self.finite
        )

    def as_json(self) -> dict[str, object]:
        """Plain values; numbers that are not finite become None."""
        return {
            key: (value if not isinstance(value, float) or math.isfinite(value) else None)
            for key, value in asdict(self).items()
        }


class Judge:
    """Computes a verdict.

    Args:
        model: The robot, from the ``robot_description`` received.
        description: Its limbs.
        up: (3,) unit direction up the wall in map.
        period: Seconds between two ticks as configured.
    """

    def __init__(self, model: RobotModel, description: RobotDescription, up: Vector, period: float) -> None:
        self._model = model
        self._description = description
        self._up = up
        self._longest = 2.0 * period
        bodies = len(model.tree.parent)
        self._rotations, self._translations = np.empty((bodies, 3, 3)), np.empty((bodies, 3))
        self._tips = {name: model.frame(limb.tip) for name, limb in description.limbs.items()}

    def judge(self, recording: Recording) -> Verdict:
        """What the recording proves so far; map and odom are taken to coincide."""
        recording = replace(recording, ticks=dict(recording.ticks))  # more may arrive meanwhile
        stamps, ticks, missing = _whole_ticks(recording, self._longest)
        columns = [recording.joint_names.index(name) for name in self._model.joint_names] if ticks else []
        q = np.array([tick.joints for tick in ticks])[:, columns] if ticks else np.empty((0, 0))
        seconds = np.diff(np.array(stamps, dtype=np.float64)) / SECOND
        tips = [self._tips_of(values, tick) for values, tick in zip(q, ticks, strict=True)]
        releases = self._releases(ticks)
        return Verdict(
            climbed_m=self._climbed(ticks),
            locked_drift_mm_max=1000.0 * self._drift(ticks, tips),
            joint_limit_excess_max=_largest(np.maximum(self._model.lower - q, q - self._model.upper)),
            joint_velocity_ratio_max=_ratio(np.abs(np.diff(q, axis=0)), self._model.velocity, seconds),
            tip_jump_ratio_max=self._jump(tips, seconds),
            releases=sum(releases.values()),
            releases_per_limb=releases,
            messages=recording.messages,
            missing=missing,
            rate_hz=len(seconds) / float(seconds.sum()) if len(seconds) else 0.0,
            finite=_finite(recording),
        )

    def _tips_of(self, q: Vector, tick: Tick) -> dict[str, Vector]:
        base = tick.base
        forward(self._model.tree, base[:3], base[3:], np.ascontiguousarray(q), self._rotations, self._translations)  # type: ignore[index]
        return {
            name: self._translations[body] + self._rotations[body] @ offset
            for name, (body, _, offset) in self._tips.items()
        }

    def _drift(self, ticks: list[Tick], tips: list[dict[str, Vector]]) -> float:
        """Largest distance of a held tip from its contact as first received after it locked, metres."""
        worst = 0.0
        held: dict[str, Vector] = {}
        for tick, tip in zip(ticks, tips, strict=True):
            contacts = tick.contacts or {}
            held = {limb: held.get(limb, pose[:3]) for limb, pose in contacts.items()}
            for limb, contact in held.items():
                worst = max(worst, float(np.linalg.norm(tip[limb] - contact)))
        return worst

    def _jump(self, tips: list[dict[str, Vector]], seconds: Vector) -> float:
        worst = 0.0
        for name, limb in self._description.limbs.items():
            path = np.array([tip[name] for tip in tips])
            steps = np.linalg.norm(np.diff(path, axis=0), axis=1) if len(path) > 1 else np.zeros(0)
            worst = max(worst, _ratio(steps[:, None], np.array([limb.follow_speed]), seconds))
        return worst

    def _releases(self, ticks: list[Tick]) -> dict[str, int]:
        counts = dict.fromkeys(self._description.limbs, 0)
        for before, after in pairwise(ticks):
            for limb in (before.contacts or {}).keys() - (after.contacts or {}).keys():
                counts[limb] += 1
        return counts

    def _climbed(self, ticks: list[Tick]) -> float:
        start = next((t for t in ticks if len(t.contacts or {}) == len(self._description.limbs)), None)
        if start is None:
            return 0.0
        return float((ticks[-1].base[:3] - start.base[:3]) @ self._up)  # type: ignore[index]


def _whole_ticks(recording: Recording, longest: float) -> tuple[list[int], list[Tick], int]:
    """The complete ticks in the order of their stamps, and how many messages are missing among them.

    The ends of the recording, where some topics were heard before or after the others, do not count.
    """
    stamps = sorted(recording.ticks)
    whole = [stamp for stamp in stamps if recording.ticks[stamp].whole]
    if not whole:
        return [], [], len(stamps)
    inside = [stamp for stamp in stamps if whole[0] <= stamp <= whole[-1]]
    missing = sum(not recording.ticks[stamp].whole for stamp in inside)
    gaps = np.diff(np.array(inside)) / SECOND
    missing += int(np.sum(np.ceil(gaps[gaps > longest * (1.0 + ROUNDING)] / longest) - 1.0))
    return whole, [recording.ticks[stamp] for stamp in whole], missing


def _ratio(steps: Vector, limits: Vector, seconds: Vector) -> float:
    """Largest of steps (N, K) over limits (K,) times seconds (N,), to ROUNDING."""
    largest = _largest(steps / (limits * seconds[:, None])) if len(steps) else 0.0
    return round(largest / ROUNDING) * ROUNDING


def _largest(values: Vector) -> float:
    return max(float(values.max()), 0.0) if values.size else 0.0


def _finite(recording: Recording) -> bool:
    def numbers() -> Iterator[Vector]:
        for tick in recording.ticks.values():
            yield from (part for part in (tick.joints, tick.base) if part is not None)
            yield from (pose for poses in (tick.contacts, tick.tips) if poses for pose in poses.values())

    return all(bool(np.isfinite(values).all()) for values in numbers())
