"""Links, joints and primitive shapes, and their mirror images.

All frames are parallel to the root's when the climber stands: x forward, y left, z up. What is on the left is written
down; the right is its mirror image in the plane y = 0, with the mirror image of every motion: the same joint values
on both sides are a symmetric pose.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

Vector = tuple[float, float, float]
ZERO: Vector = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Shape:
    """A primitive in a link's frame: a box (x, y, z), a sphere (radius) or a cylinder along its z (radius, length)."""

    kind: str
    size: tuple[float, ...]
    xyz: Vector
    rpy: Vector = ZERO
    colour: str = ""

    def mirrored(self) -> Shape:
        """The same on the other side of the plane y = 0."""
        return replace(self, xyz=mirror_point(self.xyz), rpy=mirror_rpy(self.rpy))


@dataclass
class Link:
    """A link with its inertia about its centre of mass, axes parallel to the link's."""

    name: str
    mass: float = 0.0
    com: Vector = ZERO
    inertia: Vector = ZERO
    visuals: list[Shape] = field(default_factory=list)
    collisions: list[Shape] = field(default_factory=list)

    def mirrored(self) -> Link:
        """The link of the other side; principal inertias do not change."""
        return Link(
            other_side(self.name),
            self.mass,
            mirror_point(self.com),
            self.inertia,
            [shape.mirrored() for shape in self.visuals],
            [shape.mirrored() for shape in self.collisions],
        )


@dataclass(frozen=True)
class Motion:
    """One axis of a joint: name, direction, range in degrees, speed in rad/s and effort in N m."""

    name: str
    axis: Vector
    lower: float
    upper: float
    velocity: float
    effort: float


@dataclass(frozen=True)
class Joint:
    """A joint between two links; ``motion`` is None for a fixed one."""

    name: str
    parent: str
    child: str
    xyz: Vector
    rpy: Vector = ZERO
    motion: Motion | None = None

    def mirrored(self) -> Joint:
        """The joint of the other side: a rotation axis is mirrored and reversed, so that the motion is mirrored."""
        motion = self.motion
        if motion is not None:
            x, y, z = motion.axis
            motion = replace(motion, name=other_side(motion.name), axis=(-x, y, -z))
        return Joint(
            other_side(self.name),
            other_side(self.parent),
            other_side(self.child),
            mirror_point(self.xyz),
            mirror_rpy(self.rpy),
            motion,
        )


def other_side(name: str) -> str:
    """The right side's name for a name of the left side; names without a side stay."""
    if name.endswith("_l"):
        return name[:-2] + "_r"
    return "r_" + name[2:] if name.startswith("l_") else name


def mirror_point(v: Vector) -> Vector:
    """A point on the other side of the plane y = 0."""
    return (v[0], -v[1], v[2])


def mirror_rpy(rpy: Vector) -> Vector:
    """The rotation M R M, with M the reflection in the plane y = 0."""
    return (-rpy[0], rpy[1], -rpy[2])


def capsule(start: Vector, end: Vector, radius: float, colour: str = "") -> list[Shape]:
    """A cylinder with round ends from one point to another."""
    dx, dy, dz = (b - a for a, b in zip(start, end, strict=True))
    length = math.sqrt(dx * dx + dy * dy + dz * dz)
    middle = tuple((a + b) / 2.0 for a, b in zip(start, end, strict=True))
    # A cylinder may spin about itself: roll, then pitch (URDF's order) turn z onto the direction, and yaw is free.
    roll = math.asin(max(-1.0, min(1.0, -dy / length)))
    pitch = math.atan2(dx, dz)
    rod = Shape("cylinder", (radius, length), middle, (roll, pitch, 0.0), colour)
    return [rod, *(Shape("sphere", (radius,), point, ZERO, colour) for point in (start, end))]


def taper(profile: Sequence[tuple[Vector, float]], colour: str, spacing: float = 0.3) -> list[Shape]:
    """A smooth limb through points with radii: overlapping spheres, ``spacing`` radii apart."""
    shapes = [Shape("sphere", (profile[0][1],), profile[0][0], ZERO, colour)]
    for (start, r0), (end, r1) in pairwise(profile):
        length = math.dist(start, end)
        count = max(1, math.ceil(length / (spacing * min(r0, r1))))
        for i in range(1, count + 1):
            t = i / count
            point = tuple(a + t * (b - a) for a, b in zip(start, end, strict=True))
            shapes.append(Shape("sphere", (r0 + t * (r1 - r0),), point, ZERO, colour))
    return shapes


def chain(points: Sequence[Vector], radius: float, colour: str) -> list[Shape]:
    """Capsules end to end: a finger."""
    shapes = capsule(points[0], points[1], radius, colour)
    for start, end in pairwise(points[1:]):
        rod, _, tip = capsule(start, end, radius, colour)
        shapes += [rod, tip]
    return shapes


def slab(centre: Vector, half_width: float, radius: float, colour: str = "") -> list[Shape]:
    """A lying capsule across the body: one slice of a trunk, ``half_width`` from its middle to its outside."""
    x, y, z = centre
    inner = half_width - radius
    return capsule((x, y - inner, z), (x, y + inner, z), radius, colour)


def band(centre: Vector, half_width: float, radius: float, height: float, colour: str) -> list[Shape]:
    """A standing ribbon around a slab: a belt."""
    x, y, z = centre
    inner = half_width - radius
    ends = [Shape("cylinder", (radius, height), (x, y + side * inner, z), ZERO, colour) for side in (-1.0, 1.0)]
    return [Shape("box", (2.0 * radius, 2.0 * inner, height), centre, ZERO, colour), *ends]
