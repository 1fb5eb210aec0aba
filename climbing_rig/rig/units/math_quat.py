"""Rotations as unit quaternions (x, y, z, w), as in ROS; the formulas are those of ``climbing_rig.rotations``."""

from __future__ import annotations

import math

from climbing_rig import rotations
from climbing_rig.maths import TINY, length
from climbing_rig.rig.unit_definition import Pin, pin, unit

A, B = pin("a", "quat", doc="first rotation"), pin("b", "quat", doc="second rotation")
ROTATION = pin("rotation", "quat", doc="the rotation")
X_AXIS = (1.0, 0.0, 0.0)
AXIS = pin("axis", "vec3", X_AXIS, doc="the axis, of any length")
VALID = pin("valid", "bool", doc="false where a length of zero leaves no direction")


def result(doc: str) -> Pin:
    """The output of most units here."""
    return pin("result", "quat", doc=doc)


@unit("math.quat.multiply", inputs=(A, B), outputs=(result("a b: first b is done, then a"),),
      keywords=("compose", "product", "combine"))  # fmt: skip
def _multiply(a, b, result):  # type: ignore[no-untyped-def]
    """One rotation after another (Hamilton's product), at length one: products of products do not drift."""
    rotations.product(a, b, result)


@unit("math.quat.inverse", inputs=(ROTATION,), outputs=(result("the turn back"),), keywords=("conjugate", "back"))
def _inverse(rotation, result):  # type: ignore[no-untyped-def]
    """The rotation that undoes another."""
    rotations.inverse(rotation, result)


@unit(
    "math.quat.slerp",
    inputs=(A, B, pin("share", "float", doc="0 for a, 1 for b; beyond them the turn goes on")),
    outputs=(result("between a and b"),),
    keywords=("mix", "blend", "interpolate", "lerp"),
)
def _slerp(a, b, share, result):  # type: ignore[no-untyped-def]
    """A rotation on the short way from one to another at constant speed (Shoemake 1985); b and -b give the same."""
    rotations.slerp(a, b, share, result)


@unit(
    "math.quat.from_axis_angle",
    inputs=(AXIS, pin("angle", "float", measure="rad", doc="right-handed about the axis; 2 pi is 0")),
    outputs=(result("no rotation where the axis has no length"), VALID),
    keywords=("make", "angle", "turn"),
)
def _from_axis_angle(axis, angle, result, valid):  # type: ignore[no-untyped-def]
    """A turn about an axis."""
    valid[0] = rotations.from_axis_angle(axis, angle, result)


@unit(
    "math.quat.from_euler",
    inputs=(pin("rpy", "vec3", measure="rad", doc="about fixed x, then y, then z; wraps openly: 2 pi is 0"),),
    outputs=(result("the rotation of a URDF's rpy"),),
    keywords=("roll", "pitch", "yaw", "make"),
)
def _from_euler(rpy, result):  # type: ignore[no-untyped-def]
    """The rotation of roll, pitch and yaw; angles a whole turn apart give the same one."""
    rotations.from_euler(rpy[0], rpy[1], rpy[2], result)


@unit(
    "math.quat.to_euler",
    inputs=(ROTATION,),
    outputs=(pin("rpy", "vec3", measure="rad", doc="pitch in [-pi/2, pi/2], roll and yaw in [-pi, pi]; 2 pi is 0"),),
    keywords=("roll", "pitch", "yaw", "angles"),
)
def _to_euler(rotation, rpy):  # type: ignore[no-untyped-def]
    """Roll, pitch and yaw of a rotation (Bernardes and Viollet 2022); roll is 0 where pitch is 90 degrees.

    For looking at: a rotation that moves a little there moves them a lot. Limits are set by ``math.quat.limit``.
    """
    rotations.to_euler(rotation, rpy)


@unit("math.quat.rotate_vector", inputs=(ROTATION, pin("vector", "vec3", doc="what is turned")),
      outputs=(pin("result", "vec3", doc="the turned vector"),), keywords=("turn", "apply", "direction"))  # fmt: skip
def _rotate_vector(rotation, vector, result):  # type: ignore[no-untyped-def]
    """Turns a vector by a rotation."""
    rotations.turn(rotation, vector, result)


@unit(
    "math.quat.between",
    inputs=(
        pin("a", "vec3", X_AXIS, doc="direction before, of any length"),
        pin("b", "vec3", X_AXIS, doc="direction after, of any length"),
    ),
    outputs=(result("turns a onto b; no rotation where one has no length"), VALID),
    keywords=("shortest arc", "from to", "align", "look at"),
)
def _between(a, b, result, valid):  # type: ignore[no-untyped-def]
    """The shortest turn of one direction onto another; of opposite ones, always the same half turn."""
    valid[0] = rotations.between(a, b, result)


@unit("math.quat.angle_between", inputs=(A, B), outputs=(pin("angle", "float", measure="rad", doc="0 to pi"),),
      keywords=("difference", "distance", "apart"))  # fmt: skip
def _angle_between(a, b, angle):  # type: ignore[no-untyped-def]
    """The angle of the turn from one rotation to another, the short way."""
    angle[0] = rotations.angle_between(a, b)


@unit(
    "math.quat.swing_twist",
    inputs=(ROTATION, AXIS),
    outputs=(
        pin("swing", "quat", doc="about an axis square to it, done second"),
        pin("twist", "quat", doc="about the axis, done first"),
        pin("angle", "float", measure="rad", doc="of the twist, in [-pi, pi]; 0 at a swing of exactly pi"),
    ),
    failures=("the axis has no length",),
    keywords=("decompose", "twist", "roll", "split"),
)
def _swing_twist(rotation, axis, swing, twist, angle):  # type: ignore[no-untyped-def]
    """Takes a rotation apart into a twist about an axis and a swing of that axis; swing times twist is the rotation."""
    if length(axis) <= TINY:
        return 1
    angle[0] = rotations.swing_twist(rotation, axis, swing, twist)
    return 0


@unit(
    "math.quat.limit",
    inputs=(
        ROTATION,
        pin("rest", "quat", doc="rotation that neither swings nor twists"),
        pin("axis", "vec3", X_AXIS, doc="what is twisted about, as seen from the rotated thing; of any length"),
        pin("cone", "float", math.pi, "rad", "most swing of the axis away from rest; pi and more limit nothing"),
        pin("twist_low", "float", -math.pi, "rad", "least twist"),
        pin("twist_high", "float", math.pi, "rad", "most twist; 2 pi above twist_low and more limit nothing"),
    ),
    outputs=(result("the rotation within the limits"), pin("limited", "bool", doc="whether it had to be changed")),
    failures=("the axis has no length", "the cone is negative", "twist_low is above twist_high"),
    keywords=("rotation limit", "clamp", "cone", "joint", "range"),
)
def _limit(rotation, rest, axis, cone, twist_low, twist_high, result, limited):  # type: ignore[no-untyped-def]
    """Keeps a rotation within a cone and a range of twist about an axis, by swing and twist instead of three angles.

    Nothing flips at a pitch of 90 degrees, and a range across half a turn (say 170 to 190 degrees) has no jump from 179
    to -179 degrees. Beyond its range the twist takes the nearest limit. The limits do not remember the last tick, so
    two places have a choice: exactly opposite to the middle of the range it is the upper limit, and at a swing of
    exactly half a turn the twist counts as 0.
    """
    if length(axis) <= TINY:
        return 1
    if cone < 0.0:
        return 2
    if twist_low > twist_high:
        return 3
    limited[0] = rotations.limit(rotation, rest, axis, cone, twist_low, twist_high, result)
    return 0
