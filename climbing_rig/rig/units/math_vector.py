"""Vectors: three numbers each."""

from __future__ import annotations

from climbing_rig.rig.unit import pin, unit


@unit(
    "math.vector.add",
    inputs=(pin("a", "vec3", doc="first"), pin("b", "vec3", doc="second")),
    outputs=(pin("result", "vec3", doc="a + b"),),
    keywords=("plus", "sum"),
)
def add(a, b, result):  # type: ignore[no-untyped-def]
    """Adds two vectors."""
    for k in range(3):
        result[k] = a[k] + b[k]
