"""A unit of your own: is a bone as long as it should be?

Install this folder (`pip install .`), then run the graph beside it:
climbing_rig rig trace bone_check.yaml
"""

import math

from climbing_rig.rig import input_pin, output_pin, unit
from climbing_rig.rig.skeleton import bone_position


@unit("bone_check.length", contexts=("skeleton",), keywords=("distance", "debug", "retarget"))
class BoneLength:
    """Measures from the origin of one bone to that of another, and says whether that is within bounds.

    A bone that the robot does not have is an error when the graph is compiled.
    """

    parent = input_pin("bone", doc="where the bone begins")
    child = input_pin("bone", doc="where it ends")
    min = input_pin("float", 0.0, "m", "shortest valid length, itself valid")
    max = input_pin("float", 10.0, "m", "longest valid length, itself valid")
    valid = output_pin("bool", doc="whether the length is from min to max, both included")
    length = output_pin("float", "m", "between the two origins")

    @staticmethod
    def execute(skeleton, parent, child, min, max, valid, length):
        """Compiled by numba and called each tick: allocates nothing, so it borrows rows of the skeleton's scratch."""
        begin, end = skeleton.work[14, 0], skeleton.work[14, 1]
        bone_position(skeleton, parent, begin)
        bone_position(skeleton, child, end)
        length[0] = math.sqrt((end[0] - begin[0]) ** 2 + (end[1] - begin[1]) ** 2 + (end[2] - begin[2]) ** 2)
        valid[0] = min <= length[0] <= max
