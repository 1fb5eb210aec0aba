"""Numbers: arithmetic, ways between two of them, and ways through time that do not depend on the tick rate."""

from __future__ import annotations

import math

from climbing_rig.rig.unit_definition import Pin, pin, unit

A, B = pin("a", "float", doc="first number"), pin("b", "float", doc="second number")
VALUE = pin("value", "float", doc="the number")
SHARE = pin("share", "float", doc="0 for a, 1 for b; beyond them the way goes on")
NEGATIVE = ("rate or dt is negative",)


def result(doc: str, measure: str = "") -> tuple[Pin, ...]:
    """The one output of most units here."""
    return (pin("result", "float", measure=measure, doc=doc),)


@unit("math.float.value", inputs=(VALUE,), outputs=result("the same number"), keywords=("constant", "number", "make"))
def _value(value, result):  # type: ignore[no-untyped-def]
    """A number to link to from several places."""
    result[0] = value


@unit("math.float.add", inputs=(A, B), outputs=result("a + b"), keywords=("plus", "sum"))
def _add(a, b, result):  # type: ignore[no-untyped-def]
    """Adds two numbers."""
    result[0] = a + b


@unit("math.float.subtract", inputs=(A, B), outputs=result("a - b"), keywords=("minus", "difference"))
def _subtract(a, b, result):  # type: ignore[no-untyped-def]
    """Takes the second number from the first."""
    result[0] = a - b


@unit("math.float.multiply", inputs=(A, B), outputs=result("a times b"), keywords=("times", "product", "scale"))
def _multiply(a, b, result):  # type: ignore[no-untyped-def]
    """Multiplies two numbers."""
    result[0] = a * b


@unit(
    "math.float.divide",
    inputs=(A, pin("b", "float", 1.0, doc="divisor, not 0")),
    outputs=result("a / b"),
    failures=("the divisor is zero",),
    keywords=("over", "quotient", "ratio"),
)
def _divide(a, b, result):  # type: ignore[no-untyped-def]
    """Divides; a divisor of zero is a failure."""
    if b == 0.0:
        return 1
    result[0] = a / b
    return 0


@unit("math.float.negate", inputs=(VALUE,), outputs=result("-value"), keywords=("minus", "sign", "opposite"))
def _negate(value, result):  # type: ignore[no-untyped-def]
    """The number with the other sign."""
    result[0] = -value


@unit("math.float.absolute", inputs=(VALUE,), outputs=result("|value|"), keywords=("abs", "magnitude"))
def _absolute(value, result):  # type: ignore[no-untyped-def]
    """The number without its sign."""
    result[0] = abs(value)


@unit("math.float.minimum", inputs=(A, B), outputs=result("a or b"), keywords=("min", "least", "smaller"))
def _minimum(a, b, result):  # type: ignore[no-untyped-def]
    """The smaller of two numbers."""
    result[0] = b if b < a else a


@unit("math.float.maximum", inputs=(A, B), outputs=result("a or b"), keywords=("max", "most", "larger"))
def _maximum(a, b, result):  # type: ignore[no-untyped-def]
    """The larger of two numbers."""
    result[0] = b if b > a else a


@unit(
    "math.float.clamp",
    inputs=(VALUE, pin("low", "float", doc="least result"), pin("high", "float", 1.0, doc="most, not below low")),
    outputs=(*result("value within low and high"), pin("clamped", "bool", doc="whether value was outside")),
    failures=("low is above high",),
    keywords=("limit", "saturate", "bound"),
)
def _clamp(value, low, high, result, clamped):  # type: ignore[no-untyped-def]
    """Keeps a number within two bounds."""
    if low > high:
        return 1
    result[0] = min(max(value, low), high)
    clamped[0] = value < low or value > high
    return 0


@unit(
    "math.float.lerp", inputs=(A, B, SHARE), outputs=result("between a and b"), keywords=("mix", "blend", "interpolate")
)
def _lerp(a, b, share, result):  # type: ignore[no-untyped-def]
    """A number on the way from one to another; exactly these at shares 0 and 1."""
    result[0] = a + (b - a) * share if share < 0.5 else b - (b - a) * (1.0 - share)


@unit(
    "math.float.remap",
    inputs=(
        VALUE,
        pin("in_low", "float", 0.0, doc="becomes out_low"),
        pin("in_high", "float", 1.0, doc="becomes out_high; not in_low"),
        pin("out_low", "float", 0.0, doc="result for in_low"),
        pin("out_high", "float", 1.0, doc="result for in_high"),
        pin("clamp", "bool", False, doc="whether the result stays between out_low and out_high"),
    ),
    outputs=result("value, carried from one range to the other"),
    failures=("in_low and in_high are the same number",),
    keywords=("range", "map", "rescale", "fit"),
)
def _remap(value, in_low, in_high, out_low, out_high, clamp, result):  # type: ignore[no-untyped-def]
    """Carries a number from one range to another, in a straight line; either range may run downwards."""
    if in_low == in_high:
        return 1
    share = (value - in_low) / (in_high - in_low)
    if clamp:
        share = min(max(share, 0.0), 1.0)
    result[0] = (
        out_low + (out_high - out_low) * share if share < 0.5 else out_high - (out_high - out_low) * (1.0 - share)
    )
    return 0


@unit(
    "math.float.smoothstep",
    inputs=(
        VALUE,
        pin("low", "float", 0.0, doc="here and below the result is 0"),
        pin("high", "float", 1.0, doc="here and above the result is 1; above low"),
    ),
    outputs=result("0 to 1, level at both ends"),
    failures=("low is not below high",),
    keywords=("ease", "hermite", "ramp"),
)
def _smoothstep(value, low, high, result):  # type: ignore[no-untyped-def]
    """Rises from 0 to 1 between two bounds: s s (3 - 2 s), Hermite's cubic with no slope at its ends."""
    if low >= high:
        return 1
    s = min(max((value - low) / (high - low), 0.0), 1.0)
    result[0] = s * s * (3.0 - 2.0 * s)
    return 0


ANGLE = pin("angle", "float", measure="rad", doc="an angle, of any size")


@unit("math.float.sin", inputs=(ANGLE,), outputs=result("-1 to 1"), keywords=("sine", "angle", "wave"))
def _sin(angle, result):  # type: ignore[no-untyped-def]
    """Sine of an angle."""
    result[0] = math.sin(angle)


@unit("math.float.cos", inputs=(ANGLE,), outputs=result("-1 to 1"), keywords=("cosine", "angle", "wave"))
def _cos(angle, result):  # type: ignore[no-untyped-def]
    """Cosine of an angle."""
    result[0] = math.cos(angle)


@unit(
    "math.float.atan2",
    inputs=(pin("y", "float", doc="across"), pin("x", "float", doc="along")),
    outputs=result("-pi to pi; 0 where x and y are 0", "rad"),
    keywords=("angle", "arctangent", "heading", "direction"),
)
def _atan2(y, x, result):  # type: ignore[no-untyped-def]
    """The angle of a direction in a plane, from the x axis towards the y axis."""
    result[0] = math.atan2(y, x)


@unit(
    "math.float.sqrt",
    inputs=(pin("value", "float", doc="not negative"),),
    outputs=result("its square root"),
    failures=("the number is negative",),
    keywords=("root",),
)
def _sqrt(value, result):  # type: ignore[no-untyped-def]
    """Square root; a negative number is a failure."""
    if value < 0.0:
        return 1
    result[0] = math.sqrt(value)
    return 0


CURRENT = pin("current", "float", doc="where it is: usually the variable that the result is set to")
TARGET = pin("target", "float", doc="where it is to come to")
DT = pin("dt", "float", measure="s", doc="time since the last tick")


@unit(
    "math.float.approach",
    inputs=(CURRENT, TARGET, pin("rate", "float", measure="1/s", doc="most change of the number in a second"), DT),
    outputs=(*result("current, moved towards target"), pin("arrived", "bool", doc="whether it is at the target")),
    failures=NEGATIVE,
    keywords=("move towards", "rate limit", "slew"),
)
def _approach(current, target, rate, dt, result, arrived):  # type: ignore[no-untyped-def]
    """Moves a number towards another by at most rate times dt, never beyond it."""
    if rate < 0.0 or dt < 0.0:
        return 1
    step = rate * dt
    arrived[0] = abs(target - current) <= step
    result[0] = target if arrived[0] else (current + step if target > current else current - step)
    return 0


@unit(
    "math.float.smooth",
    inputs=(CURRENT, TARGET, pin("rate", "float", 10.0, "1/s", "how fast the difference dies away"), DT),
    outputs=result("current, drawn towards target"),
    failures=NEGATIVE,
    keywords=("exponential", "low-pass", "filter", "damp", "follow"),
)
def _smooth(current, target, rate, dt, result):  # type: ignore[no-untyped-def]
    """Draws a number towards another: the difference decays as exp(-rate t), in one long tick as in many short ones."""
    if rate < 0.0 or dt < 0.0:
        return 1
    result[0] = current - (target - current) * math.expm1(-rate * dt)
    return 0
