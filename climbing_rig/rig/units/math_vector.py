"""Vectors: three numbers each, points or directions."""

from __future__ import annotations

import math
from typing import Any

from climbing_rig.maths import TINY, cross, distance, dot, length, turn_towards
from climbing_rig.rig.unit_definition import pin, unit

A, B = pin("a", "vec3", doc="first vector"), pin("b", "vec3", doc="second vector")
VECTOR = pin("vector", "vec3", doc="the vector")
VALID = pin("valid", "bool", doc="false where a length of zero leaves no direction")


@unit("math.vector.add", inputs=(A, B), outputs=(pin("result", "vec3", doc="a + b"),), keywords=("plus", "sum"))
def add(a, b, result):  # type: ignore[no-untyped-def]
    """Adds two vectors."""
    for k in range(3):
        result[k] = a[k] + b[k]


@unit("math.vector.subtract", inputs=(A, B), outputs=(pin("result", "vec3", doc="a - b: the way from b to a"),),
      keywords=("minus", "difference"))  # fmt: skip
def _subtract(a, b, result):  # type: ignore[no-untyped-def]
    """Takes the second vector from the first."""
    for k in range(3):
        result[k] = a[k] - b[k]


@unit(
    "math.vector.scale",
    inputs=(VECTOR, pin("factor", "float", 1.0, doc="what each component is multiplied by")),
    outputs=(pin("result", "vec3", doc="vector times factor"),),
    keywords=("multiply", "times"),
)
def _scale(vector, factor, result):  # type: ignore[no-untyped-def]
    """Multiplies a vector by a number."""
    for k in range(3):
        result[k] = vector[k] * factor


@unit("math.vector.dot", inputs=(A, B), outputs=(pin("result", "float", doc="a . b"),),
      keywords=("inner product", "scalar product", "along"))  # fmt: skip
def _dot(a, b, result):  # type: ignore[no-untyped-def]
    """Inner product: both lengths times the cosine of the angle between."""
    result[0] = dot(a, b)


@unit("math.vector.cross", inputs=(A, B), outputs=(pin("result", "vec3", doc="a x b"),),
      keywords=("outer product", "normal", "square"))  # fmt: skip
def _cross(a, b, result):  # type: ignore[no-untyped-def]
    """Right-handed cross product: square to both vectors."""
    cross(a, b, result)


@unit("math.vector.length", inputs=(VECTOR,), outputs=(pin("result", "float", doc="in the vector's own unit"),),
      keywords=("norm", "magnitude"))  # fmt: skip
def _length(vector, result):  # type: ignore[no-untyped-def]
    """Euclidean length of a vector."""
    result[0] = length(vector)


@unit("math.vector.unit", inputs=(VECTOR,), outputs=(pin("result", "vec3", doc="length one, or zeros"), VALID),
      keywords=("normalise", "normalize", "direction"))  # fmt: skip
def _unit(vector, result, valid):  # type: ignore[no-untyped-def]
    """The vector's direction at length one; a vector of no length has none."""
    size = length(vector)
    valid[0] = size > TINY
    for k in range(3):
        result[k] = vector[k] / size if valid[0] else 0.0


@unit(
    "math.vector.lerp",
    inputs=(A, B, pin("share", "float", doc="0 for a, 1 for b; beyond them the line goes on")),
    outputs=(pin("result", "vec3", doc="between a and b"),),
    keywords=("mix", "blend", "interpolate"),
)
def _lerp(a, b, share, result):  # type: ignore[no-untyped-def]
    """A point on the straight line from one to another; exactly these at shares 0 and 1."""
    for k in range(3):
        way = b[k] - a[k]
        result[k] = a[k] + way * share if share < 0.5 else b[k] - way * (1.0 - share)


@unit(
    "math.vector.make",
    inputs=(pin("x", "float", doc="first"), pin("y", "float", doc="second"), pin("z", "float", doc="third")),
    outputs=(pin("result", "vec3", doc="x, y, z"),),
    keywords=("compose", "components", "value"),
)
def _make(x, y, z, result):  # type: ignore[no-untyped-def]
    """A vector of three numbers; its parts are read by ``$node.result.x``."""
    result[0], result[1], result[2] = x, y, z


@unit("math.vector.distance", inputs=(A, B), outputs=(pin("result", "float", doc="in the points' own unit"),),
      keywords=("length", "between", "apart"))  # fmt: skip
def _distance(a, b, result):  # type: ignore[no-untyped-def]
    """How far two points are from each other."""
    result[0] = distance(a, b)


@unit(
    "math.vector.project_on_plane",
    inputs=(VECTOR, pin("normal", "vec3", (0.0, 0.0, 1.0), doc="square to the plane, of any length")),
    outputs=(pin("result", "vec3", doc="within the plane; the vector itself where there is no normal"), VALID),
    keywords=("tangent", "flatten", "slide", "reject"),
)
def _project_on_plane(vector, normal, result, valid):  # type: ignore[no-untyped-def]
    """The part of a vector that lies in a plane through the origin."""
    size = length(normal)
    valid[0] = size > TINY
    # The normal at length one first: the square of a short one has few digits left.
    along = 0.0
    if valid[0]:
        for k in range(3):
            along += vector[k] * (normal[k] / size)
    for k in range(3):
        result[k] = vector[k] - along * (normal[k] / size) if valid[0] else vector[k]


@unit(
    "math.vector.clamp_length",
    inputs=(VECTOR, pin("longest", "float", 1.0, doc="most length, not negative")),
    outputs=(pin("result", "vec3", doc="no longer than that"), pin("clamped", "bool", doc="whether it was longer")),
    failures=("the longest length is negative",),
    keywords=("limit", "saturate", "shorten"),
)
def _clamp_length(vector, longest, result, clamped):  # type: ignore[no-untyped-def]
    """Shortens a vector that is too long, in its own direction."""
    if longest < 0.0:
        return 1
    size = length(vector)
    clamped[0] = size > longest
    for k in range(3):
        result[k] = vector[k] / size * longest if clamped[0] else vector[k]
    return 0


@unit(
    "math.vector.turn_towards",
    inputs=(
        pin("current", "vec3", doc="direction to turn, of any length"),
        pin("target", "vec3", doc="direction to turn to, of any length"),
        pin("angle", "float", measure="rad", doc="most turn, not negative"),
    ),
    outputs=(pin("result", "vec3", doc="direction of length one; current as it is where one has no length"), VALID),
    failures=("the angle is negative",),
    keywords=("rotate", "steer", "rate limit", "direction"),
)
def _turn_towards(current, target, angle, result, valid):  # type: ignore[no-untyped-def]
    """Turns a direction towards another by at most an angle, the short way, never beyond it.

    Opposite directions have no short way: the turn then goes about an axis square to ``current``, always the same one.
    """
    if angle < 0.0:
        return 1
    a, b = length(current), length(target)
    valid[0] = a > TINY and b > TINY
    if valid[0]:
        # Tuples, which allocate nothing.
        start: Any = (current[0] / a, current[1] / a, current[2] / a)
        end: Any = (target[0] / b, target[1] / b, target[2] / b)
        turn_towards(start, end, min(angle, math.pi), result)
    else:
        for k in range(3):
            result[k] = current[k]
    return 0
