"""What a URDF does not say about a climber: its limbs, its body and how it likes to hang; read from a config file."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType

from climbing_rig.errors import ConfigError
from climbing_rig.model.joints import JointSettings
from climbing_rig.model.robot import RobotModel
from climbing_rig.model.section import Section, load_section

KINDS = ("hand", "foot")

#: Metres in front of the wall at which a limb looks for a hold, by kind.
SEARCH_OFFSET = MappingProxyType({"hand": 0.04, "foot": 0.03})

RIG = "config/rigs/climber.yaml"
"""The climbing solve, for robots that name no rig of their own."""
SQUARE = 0.1
"""Largest cosine of the angle between a body's ``forward`` and ``up``."""


@dataclass(frozen=True)
class LimbDescription:
    """One limb; links are names of the URDF, lengths in metres.

    Attributes:
        kind: "hand" (x of the contact frame to the hold, z along the fingers) or "foot" (z the sole's normal, x the
            toes).
        root: Link whose origin is the reach centre: shoulder or hip.
        mid: Link whose origin is the elbow or knee.
        end: Link whose origin is the wrist or ankle.
        tip: The contact frame.
        stance: (right, up) from the pelvis to the hold wished for by ``attach``, on the wall.
        max_reach: Longest distance from reach centre to wrist or ankle, if shorter than the limb.
        move_speed: Greatest speed of the guide, m/s.
        follow_speed: Speed of the tip, m/s.
        search_offset: Distance from the wall at which the tip looks for a hold.
        locked_offset: Distance of a locked tip from the wall.
        lock_rotation: Whether a contact holds the tip's orientation too.
    """

    kind: str
    root: str
    mid: str
    end: str
    tip: str
    stance: tuple[float, float]
    max_reach: float = math.inf
    move_speed: float = 0.5
    follow_speed: float = 0.8
    search_offset: float = SEARCH_OFFSET["hand"]
    locked_offset: float = 0.0
    lock_rotation: bool = False


@dataclass(frozen=True)
class BodyDescription:
    """The trunk; directions in the root link's frame, lengths in metres.

    Attributes:
        pelvis: Link whose origin is the middle of the body, from which stances are measured.
        chest: Link whose origin is its upper end.
        forward: Unit direction that faces the wall.
        up: Unit direction of the head, square to ``forward``.
        lean: How far the trunk leans with the wall: 0 stays upright, 1 lies parallel to it.
        speed: Greatest speed of the root link, m/s.
        turn_rate: Greatest turn rate of the root link, rad/s.
        start: (x, y, yaw) of the root link on the ground before it climbs; m, m, rad.
        probes: Link -> radius of the sphere around its origin that stays out of the wall.
    """

    pelvis: str
    chest: str
    forward: tuple[float, float, float] = (1.0, 0.0, 0.0)
    up: tuple[float, float, float] = (0.0, 0.0, 1.0)
    lean: float = 0.5
    speed: float = 1.5
    turn_rate: float = 3.0
    start: tuple[float, float, float] = (0.0, 0.0, 0.0)
    probes: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True)
class RobotDescription:
    """A robot that climbs.

    Attributes:
        urdf: Path of its URDF, as given.
        joints: What is said about its joints beyond the URDF.
        body: Its trunk.
        posture: Joint -> rad or m it is drawn to; joints that are not named are drawn to neutral.
        stiffness: Joint name or pattern (``spine_*``) -> how strongly it is drawn there, 1 for joints not named; the
            last pattern that fits counts.
        limbs: Limb name -> limb, in the order of the file.
        rig: Path of the graph that proposes its poses.
    """

    urdf: str
    joints: JointSettings
    body: BodyDescription
    posture: Mapping[str, float]
    stiffness: Mapping[str, float]
    limbs: Mapping[str, LimbDescription]
    rig: str = RIG

    def stiffness_of(self, joint: str) -> float:
        """How strongly a joint is drawn to its posture, > 0."""
        found = 1.0
        for pattern, value in self.stiffness.items():
            if fnmatchcase(joint, pattern):
                found = value
        return found

    def check_against(self, model: RobotModel) -> None:
        """Checks every link and joint named here against the robot.

        Raises:
            ConfigError: A name the robot does not have, a posture outside its limits, or a limb whose links do not hang
                from each other; ``name`` is the key, ``choices`` the names that exist.
        """
        links = model.link_names
        for key in ("pelvis", "chest"):
            _expect(f"body.{key}", "link", getattr(self.body, key), links)
        for link in self.body.probes:
            _expect("body.probes", "link", link, links)
        for joint, value in self.posture.items():
            _expect("posture", "independent joint", joint, model.joint_names)
            i = model.joint_index(joint)
            if not model.lower[i] <= value <= model.upper[i]:
                raise ConfigError(
                    f"posture.{joint} is {value:g}, outside its limits [{model.lower[i]:g}, {model.upper[i]:g}]",
                    name=f"posture.{joint}",
                    given=value,
                )
        for pattern in self.stiffness:
            if not any(fnmatchcase(joint, pattern) for joint in model.joint_names):
                _expect("stiffness", "independent joint", pattern, model.joint_names)
        for name, limb in self.limbs.items():
            chain = {key: getattr(limb, key) for key in ("root", "mid", "end", "tip")}
            for key, link in chain.items():
                _expect(f"limbs.{name}.{key}", "link", link, links)
            _check_chain(f"limbs.{name}", tuple(chain.values()), model)


def load_description(path: str | Path) -> RobotDescription:
    """Reads a robot's configuration; its links and joints are checked by ``check_against`` once the URDF is there.

    Args:
        path: A YAML file; config/climber.yaml explains every key.

    Raises:
        ConfigError: The file cannot be used; ``name`` is the key.
    """
    top = load_section(path)
    description = RobotDescription(
        urdf=top.text("urdf"),
        joints=_read_joints(top.section("joints")),
        body=_read_body(top.section("body")),
        posture=top.numbers("posture"),
        stiffness=top.numbers("stiffness", above=0.0),
        limbs=_read_limbs(top),
        rig=top.text("rig", RIG),
    )
    top.finish()
    return description


def _read_joints(section: Section) -> JointSettings:
    limits = section.section("limits")
    default = JointSettings()
    settings = JointSettings(
        default_velocity=section.number("default_velocity", default.default_velocity, above=0.0),
        default_slide_velocity=section.number("default_slide_velocity", default.default_slide_velocity, above=0.0),
        velocity=section.numbers("velocity", above=0.0),
        limits=MappingProxyType({name: _read_limits(limits, name) for name in limits.entries()}),
        passive=section.names("passive"),
        swap_reversed_limits=section.flag("swap_reversed_limits", default.swap_reversed_limits),
    )
    section.finish()
    return settings


def _read_limits(section: Section, joint: str) -> tuple[float, float]:
    lower, upper = section.vector(joint, 2)
    if lower > upper:
        raise section.error(joint, "[lower, upper] with lower <= upper", [lower, upper])
    return lower, upper


def _read_body(section: Section) -> BodyDescription:
    default = BodyDescription("", "")
    x, y, yaw = section.vector("start", 3, default.start)
    body = BodyDescription(
        pelvis=section.text("pelvis"),
        chest=section.text("chest"),
        forward=_read_direction(section, "forward", default.forward),
        up=_read_direction(section, "up", default.up),
        lean=section.number("lean", default.lean, least=0.0),
        speed=section.number("speed", default.speed, above=0.0),
        turn_rate=section.number("turn_rate", default.turn_rate, above=0.0),
        start=(x, y, yaw),
        probes=section.numbers("probes", least=0.0),
    )
    if body.lean > 1.0:
        raise section.error("lean", "a number from 0 to 1", body.lean)
    if abs(sum(a * b for a, b in zip(body.forward, body.up, strict=True))) > SQUARE:
        raise section.error("up", f"square to forward {body.forward}", body.up)
    section.finish()
    return body


def _read_direction(section: Section, key: str, default: tuple[float, float, float]) -> tuple[float, float, float]:
    x, y, z = section.vector(key, 3, default)
    length = math.hypot(x, y, z)
    if length < 1e-9:
        raise section.error(key, "a direction", [x, y, z])
    return x / length, y / length, z / length


def _read_limbs(top: Section) -> Mapping[str, LimbDescription]:
    if not top.has("limbs"):
        raise ConfigError(
            "limbs is missing: what climbs has at least one; a robot that is only moved by its rig says 'limbs: {}'",
            name="limbs", given={},
        )  # fmt: skip
    section = top.section("limbs")
    return MappingProxyType({name: _read_limb(section.section(name)) for name in section.entries()})


def _read_limb(section: Section) -> LimbDescription:
    default = LimbDescription("", "", "", "", "", (0.0, 0.0))
    kind = section.text("kind", choices=KINDS)
    right, up = section.vector("stance", 2)
    limb = LimbDescription(
        kind=kind,
        root=section.text("root"),
        mid=section.text("mid"),
        end=section.text("end"),
        tip=section.text("tip"),
        stance=(right, up),
        max_reach=section.number("max_reach", default.max_reach, above=0.0),
        move_speed=section.number("move_speed", default.move_speed, above=0.0),
        follow_speed=section.number("follow_speed", default.follow_speed, above=0.0),
        search_offset=section.number("search_offset", SEARCH_OFFSET[kind], least=0.0),
        locked_offset=section.number("locked_offset", default.locked_offset, least=0.0),
        lock_rotation=section.flag("lock_rotation", default.lock_rotation),
    )
    section.finish()
    return limb


def _expect(key: str, kind: str, name: str, choices: Iterable[str]) -> None:
    if name not in choices:
        raise ConfigError(
            f"{key} names '{name}', which is no {kind} of the robot", name=key, given=name, choices=choices
        )


def _check_chain(key: str, links: tuple[str, ...], model: RobotModel) -> None:
    """Raises ConfigError unless each link is carried by the one before it."""
    for above, below in pairwise(links):
        wanted, body = model.frame(above)[0], model.frame(below)[0]
        while body > wanted:  # parents come before children
            body = int(model.tree.parent[body])
        if body != wanted:
            raise ConfigError(f"{key}: '{below}' does not hang from '{above}'", name=key, given=links)
