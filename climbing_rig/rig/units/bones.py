"""Bones: where they are, and turning them by their joints. Everything in map unless a pin says otherwise."""

from __future__ import annotations

from climbing_rig.maths import compose, distance, matrix_from_quaternion, rotate
from climbing_rig.rig.skeleton import bone_axes, bone_position, bone_transform, changed
from climbing_rig.rig.turning import blend_axes, set_bone_axes
from climbing_rig.rig.unit_definition import pin, unit

BONE = pin("bone", "bone", doc="the link")
PROPAGATE = pin("propagate", "bool", True, doc="whether what hangs from it turns along, or keeps its own orientation")
WEIGHT = pin("weight", "float", 1.0, doc="0 leaves the bone as it is, 1 goes all the way")
OFF = pin("off", "float", measure="rad", doc="what its joints cannot do of the wish")
CHAIN = 256
"""Most bones of a chain."""


@unit(
    "transform.get",
    inputs=(BONE,),
    outputs=(pin("transform", "transform", measure="m", doc="its position and orientation"),),
    contexts=("skeleton",),
    keywords=("bone", "pose", "where"),
)
def get(skeleton, bone, transform):  # type: ignore[no-untyped-def]
    """Where a bone is in the pose proposed so far."""
    bone_transform(skeleton, bone, transform)


@unit(
    "transform.set",
    inputs=(BONE, pin("transform", "transform", measure="m", doc="where it is wished"), PROPAGATE, WEIGHT),
    outputs=(OFF, pin("far", "float", measure="m", doc="between its position and the wished one afterwards")),
    contexts=("skeleton",),
    keywords=("bone", "pose", "write"),
)
def set_transform(skeleton, bone, transform, propagate, weight, off, far):  # type: ignore[no-untyped-def]
    """Turns a bone by its joints; the root also goes to the wished position, with its floating base."""
    axes, wished = skeleton.work[14], skeleton.work[13]
    if weight > 0.0:
        matrix_from_quaternion(transform[3:], wished)
        bone_axes(skeleton, bone, axes)
        blend_axes(axes, wished, weight, skeleton.work)
        off[0] = set_bone_axes(skeleton, bone, wished, propagate)
        if skeleton.bone_body[bone] == 0:
            place = skeleton.work[14, 0]
            bone_position(skeleton, bone, place)
            for k in range(3):
                skeleton.position[k] += weight * (transform[k] - place[k])
            changed(skeleton, 0)
    else:
        off[0] = 0.0
    place = skeleton.work[14, 0]
    bone_position(skeleton, bone, place)
    far[0] = ((place[0] - transform[0]) ** 2 + (place[1] - transform[1]) ** 2 + (place[2] - transform[2]) ** 2) ** 0.5


@unit(
    "transform.set_rotation",
    inputs=(BONE, pin("rotation", "quat", doc="its wished orientation"), PROPAGATE, WEIGHT),
    outputs=(OFF,),
    contexts=("skeleton",),
    keywords=("bone", "orientation", "write"),
)
def set_rotation(skeleton, bone, rotation, propagate, weight, off):  # type: ignore[no-untyped-def]
    """Turns a bone by its joints: exact for a three-axis group within its limits, the nearest for fewer."""
    off[0] = 0.0
    if weight > 0.0:
        axes, wished = skeleton.work[14], skeleton.work[13]
        matrix_from_quaternion(rotation, wished)
        bone_axes(skeleton, bone, axes)
        blend_axes(axes, wished, weight, skeleton.work)
        off[0] = set_bone_axes(skeleton, bone, wished, propagate)


@unit(
    "transform.turn",
    inputs=(
        BONE,
        pin("rotation", "quat", doc="by how much, about the axes of map or the bone's own"),
        pin("local", "bool", False, doc="whether the turn is about the bone's own axes"),
        PROPAGATE,
        WEIGHT,
    ),
    outputs=(OFF,),
    contexts=("skeleton",),
    keywords=("bone", "rotate", "modify", "offset"),
)
def turn(skeleton, bone, rotation, local, propagate, weight, off):  # type: ignore[no-untyped-def]
    """Turns a bone from where it is."""
    off[0] = 0.0
    if weight > 0.0:
        axes, wished, by = skeleton.work[14], skeleton.work[13], skeleton.work[15]
        matrix_from_quaternion(rotation, by)
        bone_axes(skeleton, bone, axes)
        if local:
            compose(axes, by, wished)
        else:
            compose(by, axes, wished)
        blend_axes(axes, wished, weight, skeleton.work)
        off[0] = set_bone_axes(skeleton, bone, wished, propagate)


@unit(
    "transform.distribute_rotation",
    inputs=(
        pin("bones", f"bone[{CHAIN}]", doc="of a chain, the one nearest to the root first"),
        pin("rotation", "quat", doc="the whole turn, in map"),
        WEIGHT,
    ),
    outputs=(pin("off", "float", measure="rad", doc="the largest part of a turn that a bone's joints could not do"),),
    contexts=("skeleton",),
    keywords=("bone", "share", "spine", "chain", "twist"),
)
def distribute_rotation(skeleton, bones, rotation, weight, off):  # type: ignore[no-untyped-def]
    """Shares a turn among the bones of a chain, each taking an equal part on top of the one before it."""
    off[0] = 0.0
    count = bones.shape[0]
    if weight <= 0.0 or count == 0:
        return
    axes, wished, by = skeleton.work[14], skeleton.work[13], skeleton.work[15]
    for i in range(count):
        matrix_from_quaternion(rotation, by)
        bone_axes(skeleton, bones[i], axes)
        compose(by, axes, wished)
        blend_axes(axes, wished, weight / count, skeleton.work)
        off[0] = max(off[0], set_bone_axes(skeleton, bones[i], wished, True))


@unit(
    "transform.to_local",
    inputs=(BONE, pin("point", "vec3", measure="m", doc="in map")),
    outputs=(pin("local", "vec3", measure="m", doc="in the bone's frame"),),
    contexts=("skeleton",),
    keywords=("bone", "point", "relative"),
)
def to_local(skeleton, bone, point, local):  # type: ignore[no-untyped-def]
    """A point of map as the bone sees it."""
    axes, place = skeleton.work[14], skeleton.work[13, 0]
    bone_axes(skeleton, bone, axes)
    bone_position(skeleton, bone, place)
    for i in range(3):
        local[i] = 0.0
        for k in range(3):
            local[i] += axes[k, i] * (point[k] - place[k])


@unit(
    "transform.to_map",
    inputs=(BONE, pin("point", "vec3", measure="m", doc="in the bone's frame")),
    outputs=(pin("map", "vec3", measure="m", doc="in map"),),
    contexts=("skeleton",),
    keywords=("bone", "point", "world"),
)
def to_map(skeleton, bone, point, map):  # type: ignore[no-untyped-def]
    """A point carried by a bone, in map."""
    axes, place = skeleton.work[14], skeleton.work[13, 0]
    bone_axes(skeleton, bone, axes)
    bone_position(skeleton, bone, place)
    rotate(axes, point, map)
    for k in range(3):
        map[k] += place[k]


@unit(
    "joint.get",
    inputs=(BONE,),
    outputs=(pin("value", "float", measure="rad or m", doc="of the joint that moves the bone"),),
    contexts=("skeleton",),
    keywords=("angle", "position"),
)
def get_joint(skeleton, bone, value):  # type: ignore[no-untyped-def]
    """Value of the joint above a bone; 0 for the root."""
    body = skeleton.bone_body[bone]
    value[0] = 0.0
    if body > 0:
        tree = skeleton.tree
        value[0] = tree.multiplier[body] * skeleton.q[tree.dof[body]] + tree.offset[body]


@unit(
    "joint.set",
    inputs=(BONE, pin("value", "float", measure="rad or m", doc="kept within the joint's limits"), WEIGHT),
    outputs=(pin("off", "float", measure="rad or m", doc="what its limits cut off"),),
    contexts=("skeleton",),
    keywords=("angle", "position"),
)
def set_joint(skeleton, bone, value, weight, off):  # type: ignore[no-untyped-def]
    """Sets the joint above a bone; the root has none."""
    body = skeleton.bone_body[bone]
    off[0] = 0.0
    tree = skeleton.tree
    if body == 0 or weight <= 0.0 or tree.multiplier[body] == 0.0:
        return
    j = tree.dof[body]
    wished = skeleton.q[j] + min(weight, 1.0) * ((value - tree.offset[body]) / tree.multiplier[body] - skeleton.q[j])
    skeleton.q[j] = min(max(wished, skeleton.lower[j]), skeleton.upper[j])
    off[0] = abs(wished - skeleton.q[j]) * abs(tree.multiplier[body])
    changed(skeleton, body)


@unit(
    "transform.rest",
    contexts=("skeleton",),
    keywords=("bone", "neutral", "reset", "start"),
)
def rest(skeleton):  # type: ignore[no-untyped-def]
    """Puts the proposal back to the last accepted pose."""
    for k in range(3):
        skeleton.position[k] = skeleton.start_position[k]
    for k in range(4):
        skeleton.orientation[k] = skeleton.start_orientation[k]
    for j in range(skeleton.q.shape[0]):
        skeleton.q[j] = skeleton.start_q[j]
    changed(skeleton, 0)


@unit(
    "debug.bone_length",
    inputs=(
        pin("parent", "bone", doc="where the length begins"),
        pin("child", "bone", doc="where it ends"),
        pin("min", "float", 0.0, "m", "shortest valid length, itself valid"),
        pin("max", "float", 10.0, "m", "longest valid length, itself valid"),
    ),
    outputs=(
        pin("valid", "bool", doc="whether the length is from min to max, both included"),
        pin("length", "float", measure="m", doc="between the origins of the two bones"),
    ),
    contexts=("skeleton",),
    keywords=("check", "distance", "retarget"),
)
def bone_length(skeleton, parent, child, min, max, valid, length):  # type: ignore[no-untyped-def]
    """Checks how far apart two bones are; one that the robot does not have is an error when the graph is compiled."""
    begin, end = skeleton.work[14, 0], skeleton.work[14, 1]
    bone_position(skeleton, parent, begin)
    bone_position(skeleton, child, end)
    length[0] = distance(begin, end)
    valid[0] = min <= length[0] <= max
