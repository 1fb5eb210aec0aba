"""Whole numbers of 64 bits (sums beyond them wrap around) and truth values."""

from __future__ import annotations

from climbing_rig.rig.unit_definition import pin, unit

A, B = pin("a", "int", doc="first number"), pin("b", "int", doc="second number")
P, Q = pin("a", "bool", doc="first"), pin("b", "bool", doc="second")


@unit("math.int.add", inputs=(A, B), outputs=(pin("result", "int", doc="a + b"),), keywords=("plus", "sum", "count"))
def _add(a, b, result):  # type: ignore[no-untyped-def]
    """Adds two whole numbers."""
    result[0] = a + b


@unit(
    "math.int.subtract", inputs=(A, B), outputs=(pin("result", "int", doc="a - b"),), keywords=("minus", "difference")
)
def _subtract(a, b, result):  # type: ignore[no-untyped-def]
    """Takes the second whole number from the first."""
    result[0] = a - b


@unit(
    "math.int.multiply", inputs=(A, B), outputs=(pin("result", "int", doc="a times b"),), keywords=("times", "product")
)
def _multiply(a, b, result):  # type: ignore[no-untyped-def]
    """Multiplies two whole numbers."""
    result[0] = a * b


@unit(
    "math.int.modulo",
    inputs=(A, pin("b", "int", 1, doc="divisor, not 0")),
    outputs=(pin("result", "int", doc="from 0 up to b, without b; has b's sign"),),
    failures=("the divisor is zero",),
    keywords=("remainder", "rest", "cycle", "wrap"),
)
def _modulo(a, b, result):  # type: ignore[no-untyped-def]
    """What is left of a after taking out b as often as it goes, rounded down; so -1 modulo 4 is 3."""
    if b == 0:
        return 1
    # The processor's division traps on the least number by -1.
    result[0] = 0 if b == -1 else a % b
    return 0


@unit(
    "math.int.to_float",
    inputs=(pin("value", "int", doc="a whole number"),),
    outputs=(pin("result", "float", doc="the same number; beyond 2^53 the nearest there is"),),
    keywords=("convert", "cast"),
)
def _to_float(value, result):  # type: ignore[no-untyped-def]
    """A whole number as a number that may have a fraction."""
    result[0] = float(value)


@unit(
    "math.bool.and", inputs=(P, Q), outputs=(pin("result", "bool", doc="a and b"),), keywords=("both", "all", "logic")
)
def _and(a, b, result):  # type: ignore[no-untyped-def]
    """Whether both are true."""
    result[0] = a and b


@unit(
    "math.bool.or", inputs=(P, Q), outputs=(pin("result", "bool", doc="a or b"),), keywords=("either", "any", "logic")
)
def _or(a, b, result):  # type: ignore[no-untyped-def]
    """Whether at least one is true."""
    result[0] = a or b


@unit(
    "math.bool.not",
    inputs=(pin("value", "bool", doc="what to turn round"),),
    outputs=(pin("result", "bool", doc="not value"),),
    keywords=("invert", "negate", "logic"),
)
def _not(value, result):  # type: ignore[no-untyped-def]
    """True for false, false for true."""
    result[0] = not value
