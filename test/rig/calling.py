"""Calls a unit's compiled function from a test, and rotations to try it with."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import strategies as st

from climbing_rig.rig.registry import REGISTRY


class FailureError(Exception):
    """A unit said that it failed."""


def call(name, *inputs):
    """The outputs of a unit for these inputs: a number, an array, or a tuple of them where there are several."""
    unit = REGISTRY[name]
    given = [np.array(value, float) if isinstance(value, tuple | list | np.ndarray) else value for value in inputs]
    outputs = [np.zeros(p.type.words, np.int64 if p.type.integer else np.float64) for p in unit.outputs]
    result = unit(*given, *outputs)
    if result:
        raise FailureError(unit.failures[result - 1])
    values = [
        bool(out[0]) if p.type.kind == "bool" else out[0].item() if len(out) == 1 else out
        for p, out in zip(unit.outputs, outputs, strict=True)
    ]
    return values[0] if len(values) == 1 else tuple(values)


numbers = st.floats(-1e6, 1e6)
vectors = st.tuples(*[st.floats(-10, 10)] * 3).map(np.array)
directions = vectors.filter(lambda v: np.linalg.norm(v) > 1e-3)
unit_vectors = directions.map(lambda v: v / np.linalg.norm(v))
#: Angles anywhere, and crowded around 0, a quarter, half a turn and a whole one, where formulas lose digits.
angles = st.one_of(
    st.floats(-math.pi, math.pi),
    st.builds(
        lambda edge, exponent, sign: edge + sign * 10.0**exponent,
        st.sampled_from([0.0, math.pi / 2, -math.pi / 2, math.pi, -math.pi, 2 * math.pi]),
        st.floats(-14, -1),
        st.sampled_from([-1.0, 0.0, 1.0]),
    ),
)


def about(axis, angle):
    """Quaternion of a turn about an axis."""
    axis = np.asarray(axis, float) / np.linalg.norm(axis)
    return np.array([*(math.sin(angle / 2) * axis), math.cos(angle / 2)])


rotations = st.builds(
    lambda axis, angle, sign: sign * about(axis, angle), unit_vectors, angles, st.sampled_from([-1, 1])
)
transforms = st.builds(lambda position, rotation: np.concatenate([position, rotation]), vectors, rotations)


def apart(a, b):
    """Angle between two rotations, the sign of the quaternions aside; good to 1e-8 and better."""
    a, b = np.asarray(a), np.asarray(b)
    return 4.0 * math.asin(min(1.0, 0.5 * min(np.linalg.norm(a - b), np.linalg.norm(a + b))))
