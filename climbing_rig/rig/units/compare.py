"""Comparisons: what conditions are made of."""

from __future__ import annotations

from climbing_rig.rig.unit_definition import pin, unit

A, B = pin("a", "float", doc="first number"), pin("b", "float", doc="second number")


@unit("compare.float.less", inputs=(A, B), outputs=(pin("result", "bool", doc="a < b"),), keywords=("below", "smaller"))
def _less(a, b, result):  # type: ignore[no-untyped-def]
    """Whether the first number is smaller; equal ones are not."""
    result[0] = a < b


@unit(
    "compare.float.greater", inputs=(A, B), outputs=(pin("result", "bool", doc="a > b"),), keywords=("above", "larger")
)
def _greater(a, b, result):  # type: ignore[no-untyped-def]
    """Whether the first number is larger; equal ones are not."""
    result[0] = a > b


@unit(
    "compare.float.near",
    inputs=(A, B, pin("tolerance", "float", 1e-6, doc="most difference, itself included; in the numbers' own unit")),
    outputs=(pin("result", "bool", doc="|a - b| <= tolerance"),),
    keywords=("equal", "close", "same", "about"),
)
def _near(a, b, tolerance, result):  # type: ignore[no-untyped-def]
    """Whether two numbers differ by no more than a tolerance."""
    result[0] = abs(a - b) <= tolerance


@unit(
    "compare.int.equal",
    inputs=(pin("a", "int", doc="first number"), pin("b", "int", doc="second number")),
    outputs=(pin("result", "bool", doc="a = b"),),
    keywords=("same",),
)
def _equal(a, b, result):  # type: ignore[no-untyped-def]
    """Whether two whole numbers are the same."""
    result[0] = a == b
