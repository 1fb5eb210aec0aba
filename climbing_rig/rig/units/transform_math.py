"""Transforms: position and rotation, from a child's coordinates to its parent's; nothing here knows bones."""

from __future__ import annotations

import math

from climbing_rig import rotations
from climbing_rig.maths import TINY, length
from climbing_rig.rig.unit_definition import Pin, pin, unit

TRANSFORM = pin("transform", "transform", measure="m", doc="position and rotation in the parent")
A, B = pin("a", "transform", measure="m", doc="first"), pin("b", "transform", measure="m", doc="second")

NO_SIDE = 1e-9
"""Sine of the angle below which up counts as along the way to the target."""


def result(doc: str) -> tuple[Pin]:
    """The one output of most units here."""
    return (pin("result", "transform", measure="m", doc=doc),)


@unit("transform.compose", inputs=(A, B), outputs=result("a b: b, given in a, as seen from where a is given"),
      keywords=("multiply", "combine", "chain", "make absolute"))  # fmt: skip
def _compose(a, b, result):  # type: ignore[no-untyped-def]
    """A transform within another: parent times child."""
    rotations.turn(a[3:7], b[0:3], result[0:3])
    for k in range(3):
        result[k] += a[k]
    rotations.product(a[3:7], b[3:7], result[3:7])


@unit("transform.inverse", inputs=(TRANSFORM,), outputs=result("the parent as seen from the child"),
      keywords=("back", "invert"))  # fmt: skip
def _inverse(transform, result):  # type: ignore[no-untyped-def]
    """The transform that undoes another."""
    rotations.inverse(transform[3:7], result[3:7])
    rotations.turn(result[3:7], transform[0:3], result[0:3])
    for k in range(3):
        result[k] = -result[k]


@unit(
    "transform.make_relative",
    inputs=(
        TRANSFORM,
        pin("parent", "transform", measure="m", doc="what to see it from; given where the transform is given"),
    ),
    outputs=result("the transform as seen from parent"),
    keywords=("local", "relative", "in parent", "difference"),
)
def _make_relative(transform, parent, result):  # type: ignore[no-untyped-def]
    """A transform as seen from another one: parent composed with the result is the transform."""
    rotations.inverse(parent[3:7], result[3:7])
    for k in range(3):
        result[k] = transform[k] - parent[k]
    rotations.turn(result[3:7], result[0:3], result[0:3])
    rotations.product(result[3:7], transform[3:7], result[3:7])


@unit(
    "transform.make",
    inputs=(pin("position", "vec3", measure="m", doc="in the parent"), pin("rotation", "quat", doc="in the parent")),
    outputs=result("both together"),
    keywords=("compose", "value", "pose"),
)
def _make(position, rotation, result):  # type: ignore[no-untyped-def]
    """A transform of a position and a rotation; its parts are read by ``$node.result.position`` and ``.rotation``."""
    for k in range(3):
        result[k] = position[k]
    rotations.write(rotation[0], rotation[1], rotation[2], rotation[3], result[3:7])


@unit("transform.lerp", inputs=(A, B, pin("share", "float", doc="0 for a, 1 for b; beyond them the way goes on")),
      outputs=result("between a and b"), keywords=("mix", "blend", "interpolate"))  # fmt: skip
def _lerp(a, b, share, result):  # type: ignore[no-untyped-def]
    """A transform on the way from one to another: the position in a straight line, the rotation the short way."""
    for k in range(3):
        way = b[k] - a[k]
        result[k] = a[k] + way * share if share < 0.5 else b[k] - way * (1.0 - share)
    rotations.slerp(a[3:7], b[3:7], share, result[3:7])


@unit(
    "transform.modify",
    inputs=(
        TRANSFORM,
        pin("translation", "vec3", measure="m", doc="how far to move"),
        pin("rotation", "quat", doc="how to turn about the transform's own origin"),
        pin("local", "bool", True, doc="along and about the transform's own axes; false: the parent's"),
    ),
    outputs=result("the moved and turned transform"),
    keywords=("move", "translate", "rotate", "offset"),
)
def _modify(transform, translation, rotation, local, result):  # type: ignore[no-untyped-def]
    """Moves and turns a transform, in its own axes as they are before the turn, or in its parent's."""
    if local:
        rotations.turn(transform[3:7], translation, result[0:3])
        rotations.product(transform[3:7], rotation, result[3:7])
    else:
        for k in range(3):
            result[k] = translation[k]
        rotations.product(rotation, transform[3:7], result[3:7])
    for k in range(3):
        result[k] += transform[k]


@unit(
    "transform.point",
    inputs=(TRANSFORM, pin("point", "vec3", measure="m", doc="in the child")),
    outputs=(pin("result", "vec3", measure="m", doc="in the parent: turned and moved"),),
    keywords=("apply", "position", "to parent"),
)
def _point(transform, point, result):  # type: ignore[no-untyped-def]
    """A point given in the child, in the parent's coordinates."""
    rotations.turn(transform[3:7], point, result)
    for k in range(3):
        result[k] += transform[k]


@unit(
    "transform.direction",
    inputs=(TRANSFORM, pin("direction", "vec3", doc="in the child")),
    outputs=(pin("result", "vec3", doc="in the parent: turned and not moved"),),
    keywords=("apply", "vector", "axis", "to parent"),
)
def _direction(transform, direction, result):  # type: ignore[no-untyped-def]
    """A direction given in the child, in the parent's coordinates; the position does not matter to it."""
    rotations.turn(transform[3:7], direction, result)


@unit(
    "transform.aim",
    inputs=(
        TRANSFORM,
        pin("target", "vec3", measure="m", doc="point in the parent to aim at"),
        pin("axis", "vec3", (1.0, 0.0, 0.0), doc="the transform's own axis that is to point there"),
        pin("up_axis", "vec3", (0.0, 0.0, 1.0), doc="its own axis that is to point up as far as it can"),
        pin("up", "vec3", (0.0, 0.0, 1.0), doc="up in the parent; zeros leave the turn about the axis as it comes"),
    ),
    outputs=(
        *result("turned; where nothing says how, as it was"),
        pin("valid", "bool", doc="false where target is at the position or axis has no length"),
    ),
    keywords=("look at", "point at", "orient", "face"),
)
def _aim(transform, target, axis, up_axis, up, result, valid):  # type: ignore[no-untyped-def]
    """Turns a transform so that one of its axes points at a target, by the shortest turn, then another one up.

    Up along the way to the target, or an up axis along the aimed one, says nothing: then the shortest turn is all.
    """
    wx, wy, wz = target[0] - transform[0], target[1] - transform[1], target[2] - transform[2]
    away = rotations.size(wx, wy, wz)
    valid[0] = away > TINY and length(axis) > TINY
    if valid[0]:
        x, y, z = wx / away, wy / away, wz / away
        # The result's first three words serve for directions until the position is written.
        rotations.turn(transform[3:7], axis, result[0:3])
        rotations.between(result[0:3], (x, y, z), result[3:7])
        rotations.product(result[3:7], transform[3:7], result[3:7])
        # Then about the aimed direction, from the up axis to up, both seen square to it.
        rotations.turn(result[3:7], up_axis, result[0:3])
        along = x * result[0] + y * result[1] + z * result[2]
        wanted = x * up[0] + y * up[1] + z * up[2]
        ax, ay, az = result[0] - along * x, result[1] - along * y, result[2] - along * z
        bx, by, bz = up[0] - wanted * x, up[1] - wanted * y, up[2] - wanted * z
        sideways, upwards = rotations.size(ax, ay, az), rotations.size(bx, by, bz)
        if sideways > NO_SIDE * length(up_axis) and upwards > NO_SIDE * length(up):
            sine = x * (ay * bz - az * by) + y * (az * bx - ax * bz) + z * (ax * by - ay * bx)
            half = 0.5 * math.atan2(sine, ax * bx + ay * by + az * bz)
            s = math.sin(half)
            rotations.product((x * s, y * s, z * s, math.cos(half)), result[3:7], result[3:7])
    else:
        rotations.write(transform[3], transform[4], transform[5], transform[6], result[3:7])
    for k in range(3):
        result[k] = transform[k]
