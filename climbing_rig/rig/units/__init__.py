"""The units that come with the package; importing this registers them all."""

from climbing_rig.rig.units import array, bones, climb, flow, math_float, math_quat, math_vector

__all__ = ["array", "bones", "climb", "flow", "math_float", "math_quat", "math_vector"]
