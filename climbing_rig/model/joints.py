"""Which joints of a URDF move freely, which follow another and which do not move at all; and within what limits."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

from climbing_rig.errors import ConfigError, ModelError

if TYPE_CHECKING:
    from yourdfpy import Joint

SAME = 1e-9
"""Radians or metres within which two limits count as equal."""


@dataclass(frozen=True)
class JointSettings:
    """What a user may say about a robot's joints beyond its URDF.

    Attributes:
        default_velocity: For turning joints whose URDF velocity is missing or 0 ("unset"), rad/s.
        default_slide_velocity: The same for prismatic joints, m/s.
        velocity: Joint -> greatest speed, instead of the URDF's, rad/s or m/s.
        limits: Joint -> (lower, upper) instead of the URDF's, rad or m.
        passive: Joints without a motor.
        swap_reversed_limits: Exchange limits whose lower is above the upper instead of refusing them.
    """

    default_velocity: float = 4.0
    default_slide_velocity: float = 0.5
    velocity: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    limits: Mapping[str, tuple[float, float]] = field(default_factory=lambda: MappingProxyType({}))
    passive: tuple[str, ...] = ()
    swap_reversed_limits: bool = False


@dataclass(frozen=True)
class Motion:
    """How a joint moves: with an independent joint, as multiplier * value + offset; or not at all.

    Attributes:
        master: Name of the independent joint (the joint's own when it is one), or None when the joint is fixed.
        multiplier: Of the master's value; 1 for an independent joint, 0 for a fixed one.
        offset: Added to it; the value itself of a fixed joint. rad or m.
    """

    master: str | None
    multiplier: float
    offset: float


@dataclass(frozen=True)
class Range:
    """What an independent joint may do: rad or m, per second, N m or N; infinite where nothing limits it."""

    lower: float
    upper: float
    velocity: float
    effort: float


class JointResolver:
    """Resolves limits, mimic chains and fixed joints of all joints at once.

    Args:
        joints: Joints of supported types, by name.
        settings: What the user says about them.

    Attributes:
        motions: Joint -> how it moves, for every joint.
        ranges: Independent joint -> what it may do.
        notes: What had to be assumed, in words.

    Raises:
        ModelError: Limits that cannot be met, a mimic of no joint or in a circle; ``name`` is the joint.
        ConfigError: A setting names no movable joint.
    """

    def __init__(self, joints: Mapping[str, Joint], settings: JointSettings) -> None:
        self._joints = joints
        self._settings = settings
        self._said: dict[str, list[str]] = {}
        self._bounds = {name: self._limits(joint) for name, joint in joints.items() if joint.type != "fixed"}
        self.motions = {name: self._follow(name, ()) for name in joints}
        self.ranges = {name: self._range(name) for name, motion in self.motions.items() if motion.master == name}
        self._fix_narrowed()
        self._check_settings()
        self.notes = tuple(f"{what}: {', '.join(names)}" for what, names in self._said.items())

    def _note(self, what: str, joint: str) -> None:
        self._said.setdefault(what, []).append(joint)

    def _limits(self, joint: Joint) -> tuple[float, float]:
        """(lower, upper) as the URDF and the settings have them."""
        if joint.name in self._settings.limits:
            return self._settings.limits[joint.name]
        if joint.type == "continuous":
            return -math.inf, math.inf
        if joint.limit is None:
            raise ModelError(f"{joint.type} joint '{joint.name}' has no <limit>", name=joint.name)
        # The URDF standard: a bound that is not given is 0.
        lower, upper = joint.limit.lower or 0.0, joint.limit.upper or 0.0
        if lower > upper:
            if not self._settings.swap_reversed_limits:
                raise ModelError(
                    f"joint '{joint.name}' has its lower limit {lower:g} above its upper limit {upper:g} "
                    "(set joints.swap_reversed_limits to exchange them)",
                    name=joint.name,
                    given=(lower, upper),
                )
            self._note("limits exchanged, lower was above upper", joint.name)
            lower, upper = upper, lower
        if lower == math.inf or upper == -math.inf:
            raise ModelError(
                f"joint '{joint.name}': its limits [{lower:g}, {upper:g}] leave no value",
                name=joint.name,
                given=(lower, upper),
            )
        return lower, upper

    def _follow(self, name: str, followers: tuple[str, ...]) -> Motion:
        """How a joint moves, through its chain of masters; ``followers`` are the joints that led here."""
        joint = self._joints[name]
        if joint.type == "fixed":
            return Motion(None, 0.0, 0.0)
        lower, upper = self._bounds[name]
        if upper - lower <= SAME:
            if not followers:
                self._note("fixed, its limits are equal (or both missing, which means 0)", name)
            return Motion(None, 0.0, lower)
        if joint.mimic is None:
            return Motion(name, 1.0, 0.0)
        master = joint.mimic.joint
        if master in (name, *followers):
            circle = " -> ".join((*followers, name, master))
            raise ModelError(f"joint '{name}' mimics itself in a circle: {circle}", name=name, given=master)
        if master not in self._joints:
            raise ModelError(
                f"joint '{name}' mimics '{master}', which does not exist",
                name=name,
                given=master,
                choices=tuple(self._joints),
            )
        motion = self._follow(master, (*followers, name))
        if motion.master is None and not followers:
            self._note("fixed, it mimics a joint that does not move", name)
        multiplier = joint.mimic.multiplier
        return Motion(motion.master, multiplier * motion.multiplier, multiplier * motion.offset + joint.mimic.offset)

    def _range(self, master: str) -> Range:
        """An independent joint's range: its own, narrowed so that its followers stay within theirs."""
        lower, upper = self._bounds[master]
        velocity = self._velocity(master)
        for name, motion in self.motions.items():
            if motion.master != master or name == master:
                continue
            m, o = motion.multiplier, motion.offset
            own_lower, own_upper = self._bounds[name]
            if m == 0.0:
                met = own_lower - SAME <= o <= own_upper + SAME
            else:
                ends = sorted(((own_lower - o) / m, (own_upper - o) / m))
                lower, upper = max(lower, ends[0]), min(upper, ends[1])
                met = lower <= upper + SAME
                if self._urdf_velocity(name) > 0.0 or name in self._settings.velocity:
                    velocity = min(velocity, self._velocity(name) / abs(m))
            if not met:
                raise ModelError(
                    f"joint '{name}' mimics '{master}', but no value of it keeps '{name}' within its limits "
                    f"[{own_lower:g}, {own_upper:g}]",
                    name=name,
                    given=(own_lower, own_upper),
                )
        limit = self._joints[master].limit
        effort = math.inf if limit is None or limit.effort is None else float(limit.effort)
        if effort < 0.0:
            raise ModelError(f"joint '{master}' has a negative effort: {effort:g}", name=master, given=effort)
        if effort == 0.0 and master not in self._settings.passive:
            self._note("effort 0, but not configured as passive", master)
        return Range(lower, max(lower, upper), velocity, effort)

    def _urdf_velocity(self, name: str) -> float:
        """The URDF's velocity; 0 means unset."""
        limit = self._joints[name].limit
        velocity = 0.0 if limit is None or limit.velocity is None else float(limit.velocity)
        if velocity < 0.0:
            raise ModelError(f"joint '{name}' has a negative velocity: {velocity:g}", name=name, given=velocity)
        return velocity if math.isfinite(velocity) else 0.0

    def _velocity(self, name: str) -> float:
        if name in self._settings.velocity:
            return self._settings.velocity[name]
        velocity = self._urdf_velocity(name)
        if velocity > 0.0:
            return velocity
        if self._joints[name].type == "prismatic":
            default, unit = self._settings.default_slide_velocity, "m/s"
        else:
            default, unit = self._settings.default_velocity, "rad/s"
        self._note(f"velocity unset, {default:g} {unit} assumed", name)
        return default

    def _fix_narrowed(self) -> None:
        """Fixes the independent joints whose followers leave them one value, and these followers with them."""
        for master in [name for name, allowed in self.ranges.items() if allowed.upper - allowed.lower <= SAME]:
            value = self.ranges.pop(master).lower
            for name, motion in self.motions.items():
                if motion.master == master:
                    self.motions[name] = Motion(None, 0.0, motion.multiplier * value + motion.offset)
                    self._note("fixed, the limits of joints that mimic leave one value", name)

    def _check_settings(self) -> None:
        movable = tuple(self._bounds)  # also those that a setting has just fixed
        settings = self._settings
        named = {"velocity": settings.velocity, "limits": settings.limits, "passive": settings.passive}
        for key, names in ((f"joints.{key}", names) for key, names in named.items()):
            for name in names:
                if name not in movable:
                    raise ConfigError(
                        f"{key} names '{name}', which is not a movable joint", name=key, given=name, choices=movable
                    )
