"""The units that come with the package; importing this registers them all."""

from climbing_rig.rig.units import (
    array,
    bones,
    climb,
    compare,
    debug,
    flow,
    ik,
    math_float,
    math_int,
    math_quat,
    math_vector,
    transform_math,
)

__all__ = [
    "array",
    "bones",
    "climb",
    "compare",
    "debug",
    "flow",
    "ik",
    "math_float",
    "math_int",
    "math_quat",
    "math_vector",
    "transform_math",
]
