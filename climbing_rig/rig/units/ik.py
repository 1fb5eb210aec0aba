"""Inverse kinematics of bones: limbs of two bones, chains, looking at a point. All in map unless a pin says so."""

from __future__ import annotations

import math

from climbing_rig.ik.ccd import solve_ccd
from climbing_rig.ik.chain import STILL, blend_back, is_chain, origin
from climbing_rig.ik.fabrik import solve_fabrik
from climbing_rig.ik.look_at import solve_look_at
from climbing_rig.ik.rotation_limit import limit_rotation
from climbing_rig.ik.triples import gap, size
from climbing_rig.ik.two_bone import solve_two_bone
from climbing_rig.rig.unit_definition import pin, unit
from climbing_rig.rig.units.bones import BONE, CHAIN, PROPAGATE

BONES = pin("bones", f"bone[{CHAIN}]", doc="a chain: the bone nearest to the root first, the tip last")
TARGET = pin("target", "vec3", measure="m", doc="where the tip, the last bone's origin, is wished")
WEIGHT = pin("weight", "float", 1.0, doc="0 moves nothing, 1 goes all the way from the pose so far")
TOLERANCE = pin("tolerance", "float", 0.01, "m", "within it the tip counts as there, and nothing moves")
ERROR = pin("error", "float", measure="m", doc="from the tip to the target afterwards")
USED = pin("iterations_used", "int", doc="rounds that were made")
BEFORE = pin("before", f"vec3[{CHAIN}]", measure="rad or m", doc="of each bone the joints as they were, outer first")
NO_CHAIN = "bones are no chain: two or more, the nearest to the root first, each hanging from the one before it"
WEIGHTS = "weights are neither none nor one for each bone"
NO_AXIS = "the axis has no length"
WORDS = ("inverse kinematics", "reach", "solver")


@unit(
    "ik.two_bone",
    inputs=(
        pin("root", "bone", doc="upper arm or thigh: the bone whose origin is the shoulder or hip"),
        pin("mid", "bone", doc="forearm or shank: the bone whose origin is the elbow or knee"),
        pin("end", "bone", doc="hand or foot: the bone whose origin is to reach the target"),
        pin("target", "vec3", measure="m", doc="where the end is wished"),
        pin("pole", "vec3", measure="m", doc="the point that elbow or knee look at"),
        WEIGHT,
        pin("last_plane", "vec3", doc="output plane of the last tick, from a variable it is set to; zeros for none"),
    ),
    outputs=(
        pin("stretch", "float", doc="distance of the target as a share of the limb's length; above 1 is out of reach"),
        ERROR,
        pin("plane", "vec3", doc="direction from the line between root and target to elbow or knee"),
        pin("before", "vec3[3]", measure="rad", doc="of each bone the joints as they were, outermost first"),
    ),
    contexts=("skeleton",),
    failures=("mid must hang from root, and end from mid",),
    keywords=(*WORDS, "arm", "leg", "elbow", "knee", "pole", "limb"),
)
def two_bone(  # type: ignore[no-untyped-def]
    skeleton, root, mid, end, target, pole, weight, last_plane, stretch, error, plane, before, before_count
):
    """Brings the end of an arm or leg to a target in closed form, elbow or knee towards a pole.

    A hinge bends about its own axis. Out of reach the limb is straight towards the target. Linked to its last plane,
    elbow or knee stay where they are while root, target and pole line up, instead of flipping to the other side.
    """
    bones = (root, mid, end)
    if not is_chain(skeleton, bones):
        return 1
    before_count[0] = 3
    share = min(max(weight, 0.0), 1.0)
    stretch[0], error[0] = solve_two_bone(skeleton, bones, target, pole, last_plane, share, before, plane)
    return 0


@unit(
    "ik.ccd",
    inputs=(
        BONES,
        TARGET,
        pin("weights", f"float[{CHAIN}]", (), doc="of each bone, 0 to 1: share of each turn; none: rising to the tip"),
        pin("iterations", "int", 5, doc="most rounds next to the target"),
        pin("most_iterations", "int", 20, doc="most rounds from the chain's length away and further"),
        TOLERANCE,
        pin("damping", "float", 0.0, doc="0 makes each turn whole, 0.9 a tenth of it: calmer, and slower"),
    ),
    outputs=(ERROR, USED, BEFORE),
    contexts=("skeleton",),
    failures=(NO_CHAIN, WEIGHTS),
    keywords=(*WORDS, "chain", "tail", "spine", "cyclic coordinate descent"),
)
def ccd(  # type: ignore[no-untyped-def]
    skeleton, bones, target, weights, iterations, most_iterations, tolerance, damping, error, iterations_used, before,
    before_count,
):  # fmt: skip
    """Brings the tip of a chain to a target, joint by joint from the tip to the root; exact for hinges and limits."""
    if not is_chain(skeleton, bones):
        return 1
    if 0 < weights.shape[0] != bones.shape[0]:
        return 2
    before_count[0] = bones.shape[0]
    error[0], iterations_used[0] = solve_ccd(
        skeleton, bones, target, weights, iterations, most_iterations, tolerance, min(max(damping, 0.0), 1.0), before
    )
    return 0


@unit(
    "ik.fabrik",
    inputs=(
        BONES,
        TARGET,
        pin("iterations", "int", 10, doc="most passes, forward and backward, before bones are turned"),
        pin("rounds", "int", 4, doc="most times that bones are turned and what their joints cannot do is made good"),
        TOLERANCE,
        WEIGHT,
    ),
    outputs=(
        ERROR,
        pin("iterations_used", "int", doc="passes that were made"),
        BEFORE,
        pin("points", f"vec3[{CHAIN}]", measure="m", doc="where the bones' origins were meant to be"),
    ),
    contexts=("skeleton",),
    failures=(NO_CHAIN,),
    keywords=(*WORDS, "chain", "rope", "tail", "forward and backward reaching"),
)
def fabrik(  # type: ignore[no-untyped-def]
    skeleton, bones, target, iterations, rounds, tolerance, weight, error, iterations_used, before, before_count,
    points, points_count,
):  # fmt: skip
    """Brings the tip of a chain to a target by its bones' origins, then turns the bones; best for long, free chains."""
    if not is_chain(skeleton, bones):
        return 1
    before_count[0] = points_count[0] = bones.shape[0]
    error[0], iterations_used[0] = solve_fabrik(skeleton, bones, target, iterations, rounds, tolerance, before, points)
    if weight < 1.0 and iterations_used[0] > 0:
        blend_back(skeleton, bones, before, weight)
        error[0] = gap(origin(skeleton, bones[bones.shape[0] - 1]), target)
    return 0


@unit(
    "ik.look_at",
    inputs=(
        pin("bones", f"bone[{CHAIN}]", doc="a chain, or a single bone: the one nearest to the root first"),
        pin("target", "vec3", measure="m", doc="the point to look at"),
        pin("axis", "vec3", (1.0, 0.0, 0.0), doc="what looks there, in the last bone's frame, of any length"),
        pin("up_axis", "vec3", (0.0, 0.0, 1.0), doc="what is to point up, in the last bone's frame, of any length"),
        pin("up", "vec3", (0.0, 0.0, 1.0), doc="up, of any length; zeros leave the twist as it comes"),
        pin("shares", f"float[{CHAIN}]", (), doc="of the turn, one for each bone; none: the same for all"),
        pin("limit", "float", math.pi, "rad", "most angle between the axis and where it points with joints at neutral"),
        WEIGHT,
    ),
    outputs=(pin("off", "float", measure="rad", doc="between the axis and the target afterwards"), BEFORE),
    contexts=("skeleton",),
    failures=(NO_CHAIN, "shares are neither none nor one for each bone", NO_AXIS),
    keywords=("aim", "gaze", "head", "eyes", "neck", "watch"),
)
def look_at(  # type: ignore[no-untyped-def]
    skeleton, bones, target, axis, up_axis, up, shares, limit, weight, off, before, before_count
):
    """Points an axis of a chain's last bone at a target, starting from neutral joints: same target, same pose."""
    if bones.shape[0] != 1 and not is_chain(skeleton, bones):
        return 1
    if 0 < shares.shape[0] != bones.shape[0]:
        return 2
    if size(axis) < STILL:
        return 3
    before_count[0] = bones.shape[0]
    share = min(max(weight, 0.0), 1.0)
    off[0] = solve_look_at(skeleton, bones, shares, axis, up_axis, target, up, max(limit, 0.0), share, before)
    return 0


@unit(
    "ik.rotation_limit",
    inputs=(
        BONE,
        pin("axis", "vec3", (1.0, 0.0, 0.0), doc="along the bone, in its own frame, of any length: twist is about it"),
        pin("swing", "float", math.pi, "rad", "most angle of the axis from its initial direction; pi limits nothing"),
        pin("twist_low", "float", -math.pi, "rad", "least twist about the axis, from the initial rotation"),
        pin("twist_high", "float", math.pi, "rad", "most twist about the axis; not below twist_low"),
        PROPAGATE,
    ),
    outputs=(
        pin("limited", "bool", doc="whether the bone was outside"),
        pin("off", "float", measure="rad", doc="what its joints cannot do of the way back"),
    ),
    contexts=("skeleton",),
    failures=(NO_AXIS, "swing is negative, or twist_low is above twist_high"),
    keywords=("constraint", "cone", "swing", "twist", "clamp", "joint limit"),
)
def rotation_limit(  # type: ignore[no-untyped-def]
    skeleton, bone, axis, swing, twist_low, twist_high, propagate, limited, off
):
    """Keeps a bone within a cone and a range of twist, from where its joints' neutral holds it; no angle ever flips."""
    if size(axis) < STILL:
        return 1
    if swing < 0.0 or twist_low > twist_high:
        return 2
    limited[0], off[0] = limit_rotation(skeleton, bone, axis, swing, twist_low, twist_high, propagate)
    return 0
