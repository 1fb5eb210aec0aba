"""The stages of the climbing solve."""

from __future__ import annotations

import numpy as np
from numba import njit

from climbing_rig.ik.full_body import improve
from climbing_rig.ik.tips import IDLE, LOCKED, MOVING
from climbing_rig.limbs.orientation import foot_frame, hand_frame, turn_axes
from climbing_rig.limbs.weights import body_alpha, limb_alpha
from climbing_rig.maths import (
    compose,
    distance,
    dot,
    frame_from_axes,
    length,
    matrix_from_quaternion,
    matrix_from_rotation_vector,
    quaternion_from_matrix,
    rotate,
    rotation_vector_between,
)
from climbing_rig.maths import (
    unit as unit_vector,
)
from climbing_rig.rig.climb import FREE, SEARCHING
from climbing_rig.rig.climb import LOCKED as HOLDING
from climbing_rig.rig.skeleton import changed, locate
from climbing_rig.rig.unit_definition import pin, unit
from climbing_rig.wall.kernels import HIT, nearest

LIMB = pin("limb", "limb", doc="which limb")
NORMAL = pin("normal", "vec3", (-1.0, 0.0, 0.0), doc="unit, out of the wall")
UP = pin("up", "vec3", (0.0, 0.0, 1.0), doc="unit, up the wall")
DT = pin("dt", "float", 0.005, "s", "length of the tick")


@unit(
    "climb.face_wall",
    inputs=(NORMAL, UP),
    outputs=(pin("rotation", "quat", doc="of the root link, in map"),),
    contexts=("solver",),
    keywords=("trunk", "body", "lean"),
)
def face_wall(solver, normal, up, rotation):  # type: ignore[no-untyped-def]
    """Orientation of a body that faces a wall: its trunk leans with it as far as the robot's ``lean`` says."""
    lean = solver.lean[0]
    trunk = np.empty(3)
    for k in range(3):
        trunk[k] = lean * up[k] + (1.0 - lean) * (k == 2)
    trunk = unit_vector(trunk)
    if length(trunk) < 0.5:
        trunk = unit_vector(up)
    ahead, axes = np.empty(3), np.empty((3, 3))
    along = dot(normal, trunk)
    for k in range(3):
        ahead[k] = trunk[k] * along - normal[k]
    facing = frame_from_axes(ahead if length(ahead) > 1e-6 else unit_vector(up), trunk)
    for i in range(3):
        for j in range(3):
            axes[i, j] = 0.0
            for k in range(3):
                axes[i, j] += facing[i, k] * solver.facing_axes[j, k]
    quaternion_from_matrix(axes, rotation)


@unit(
    "climb.posture",
    inputs=(
        pin("rotation", "quat", doc="orientation the root link is drawn to"),
        pin("climbing", "bool", True, doc="the posture on the wall, or the neutral one"),
    ),
    contexts=("solver",),
    keywords=("pose", "natural", "rest"),
)
def posture(solver, rotation, climbing):  # type: ignore[no-untyped-def]
    """Says what the whole body is drawn to: joints by the robot's description, the root by its orientation."""
    matrix_from_quaternion(rotation, solver.posture.rotation)
    for j in range(solver.posture.q.shape[0]):
        solver.posture.q[j] = solver.climbing_q[j] if climbing else solver.neutral_q[j]


@unit(
    "climb.limb",
    inputs=(LIMB,),
    outputs=(
        pin("free", "bool", doc="hangs, no target"),
        pin("searching", "bool", doc="looks for a hold, has none yet"),
        pin("locked", "bool", doc="holds"),
        pin("moving", "bool", doc="neither free nor locked"),
        pin("entered", "bool", doc="in the first tick of its phase"),
        pin("foot", "bool", doc="a foot, not a hand"),
        pin("side", "float", doc="-1 left, 1 right, 0 in the middle"),
        pin("target", "vec3", measure="m", doc="where its tip is to be"),
        pin("normal", "vec3", (-1.0, 0.0, 0.0), doc="of the wall there"),
        pin("up", "vec3", (0.0, 0.0, 1.0), doc="the wall there"),
        pin("centre", "vec3", measure="m", doc="its shoulder or hip in the pose proposed so far"),
        pin("tip", "vec3", measure="m", doc="its tip in the pose proposed so far"),
        pin("rotation", "quat", doc="of its contact frame in the pose proposed so far"),
        pin("reach", "float", measure="m", doc="longest distance from shoulder or hip to wrist or ankle"),
    ),
    contexts=("skeleton", "limbs"),
    keywords=("phase", "hand", "foot", "target"),
)
def read_limb(  # type: ignore[no-untyped-def]
    skeleton, limbs, limb, free, searching, locked, moving, entered, foot, side, target, normal, up, centre, tip,
    rotation, reach,
):  # fmt: skip
    """What one limb is doing and where it is to go, as its phase left it in this tick."""
    phase = limbs.phase[limb]
    free[0], searching[0], locked[0] = phase == FREE, phase == SEARCHING, phase == HOLDING
    moving[0] = phase != FREE and phase != HOLDING
    entered[0], foot[0], side[0], reach[0] = limbs.entered[limb], limbs.foot[limb], limbs.side[limb], limbs.reach[limb]
    for k in range(3):
        target[k], normal[k], up[k] = limbs.target[limb, k], limbs.normal[limb, k], limbs.up[limb, k]
    _reach_centre(skeleton, limbs, limb, centre)
    body, axes = limbs.tips.body[limb], np.empty((3, 3))
    locate(skeleton, body)
    rotate(skeleton.rotations[body], limbs.tips.offset[limb], tip)
    for k in range(3):
        tip[k] += skeleton.translations[body, k]
    compose(skeleton.rotations[body], limbs.tips.offset_rotation[limb], axes)
    quaternion_from_matrix(axes, rotation)


@njit(cache=True)
def _reach_centre(skeleton, limbs, limb, out):  # type: ignore[no-untyped-def]
    body = limbs.root_body[limb]
    locate(skeleton, body)
    rotate(skeleton.rotations[body], limbs.root_offset[limb], out)
    for k in range(3):
        out[k] += skeleton.translations[body, k]


@unit(
    "climb.hand_orientation",
    inputs=(
        NORMAL,
        UP,
        pin("centre", "vec3", measure="m", doc="the shoulder"),
        pin("target", "vec3", measure="m", doc="the hold"),
    ),
    outputs=(pin("rotation", "quat", doc="of the contact frame: x into the wall, z along the fingers"),),
    keywords=("palm", "fingers", "gripper"),
)
def hand_orientation(normal, up, centre, target, rotation):  # type: ignore[no-untyped-def]
    """How a hand lies on a wall: palm to it, fingers away from the shoulder."""
    quaternion_from_matrix(hand_frame(normal, up, target - centre), rotation)


@unit(
    "climb.foot_orientation",
    inputs=(
        NORMAL,
        UP,
        pin("heading", "vec3", (1.0, 0.0, 0.0), doc="unit, where the climber faces"),
        pin("side", "float", doc="-1 left, 1 right"),
    ),
    outputs=(pin("rotation", "quat", doc="of the contact frame: x the toes, z the sole's normal"),),
    keywords=("toes", "sole"),
)
def foot_orientation(normal, up, heading, side, rotation):  # type: ignore[no-untyped-def]
    """How a foot stands on a wall: toes into it, up and outwards; flat on a slab."""
    quaternion_from_matrix(foot_frame(normal, up, heading, side), rotation)


@unit(
    "climb.turn",
    inputs=(
        pin("previous", "quat", (0.0, 0.0, 0.0, 0.0), doc="last tick's result; all zeros for none"),
        pin("present", "quat", doc="of the contact frame as it is"),
        pin("wished", "quat", doc="where it is to turn"),
        pin("free", "bool", False, doc="a free limb wishes what it has"),
        pin("locked", "bool", False, doc="a locked one keeps what it had when it locked"),
        pin("entered", "bool", False, doc="whether it locked just now"),
        pin("at_once", "bool", False, doc="without regard to rate: a placement"),
        pin("rate", "float", 4.0, "rad/s", "how fast it turns"),
        DT,
    ),
    outputs=(pin("rotation", "quat", doc="wished in this tick"),),
    keywords=("orientation", "rate", "cache"),
)
def turn(previous, present, wished, free, locked, entered, at_once, rate, dt, rotation):  # type: ignore[no-untyped-def]
    """The orientation a limb wishes in this tick: turned at a constant rate, kept while it holds."""
    size = previous[0] ** 2 + previous[1] ** 2 + previous[2] ** 2 + previous[3] ** 2
    source = previous
    if at_once:
        source = wished
    elif free or size < 0.5 or (locked and entered):
        source = present
    for k in range(4):
        rotation[k] = source[k]
    if at_once or free or locked:
        return
    current, goal, turned = np.empty((3, 3)), np.empty((3, 3)), np.empty((3, 3))
    matrix_from_quaternion(rotation, current)
    matrix_from_quaternion(wished, goal)
    turn_axes(current, goal, rate * dt, turned)
    quaternion_from_matrix(turned, rotation)


@unit(
    "climb.weigh",
    inputs=(
        LIMB,
        pin("rotation", "quat", doc="wished orientation of the contact frame"),
        pin("previous_limb", "float", -1.0, doc="last tick's limb_weight; negative for none"),
        pin("previous_body", "float", -1.0, doc="last tick's body_weight; negative for none"),
        DT,
    ),
    outputs=(
        pin("limb_weight", "float", doc="how far the limb's own solve follows its target"),
        pin("body_weight", "float", doc="how far the target pulls the whole body"),
        pin("extension", "float", doc="distance of the target from shoulder or hip, over the limb's reach"),
    ),
    contexts=("skeleton", "limbs"),
    keywords=("alpha", "pull"),
)
def weigh(skeleton, limbs, limb, rotation, previous_limb, previous_body, dt, limb_weight, body_weight, extension):  # type: ignore[no-untyped-def]
    """The two weights of a limb, ramped and smoothed."""
    axes, centre, shift = np.empty((3, 3)), np.empty(3), np.empty(3)
    matrix_from_quaternion(rotation, axes)
    _reach_centre(skeleton, limbs, limb, centre)
    rotate(axes, limbs.wrist_offset[limb], shift)
    for k in range(3):
        centre[k] += shift[k]
    phase = limbs.phase[limb]
    free, locked = phase == FREE, phase == HOLDING
    extension[0] = 0.0 if free else distance(limbs.target[limb], centre) / limbs.reach[limb]
    limb_weight[0] = limb_alpha(free, phase == SEARCHING, previous_limb, dt)
    body_weight[0] = body_alpha(free, locked, extension[0], previous_body, dt)


@unit(
    "climb.goal",
    inputs=(
        LIMB,
        pin("target", "vec3", measure="m", doc="where its tip is to be"),
        pin("rotation", "quat", doc="wished orientation of its contact frame"),
        pin("limb_weight", "float", 1.0, doc="how far the limb's own solve follows"),
        pin("body_weight", "float", 1.0, doc="how far the whole body follows"),
    ),
    contexts=("limbs",),
    keywords=("effector", "target"),
)
def goal(limbs, limb, target, rotation, limb_weight, body_weight):  # type: ignore[no-untyped-def]
    """Tells the solver where a limb is to be: a contact to keep, a goal to reach, or nothing for a free one."""
    tips, phase = limbs.tips, limbs.phase[limb]
    tips.mode[limb] = IDLE if phase == FREE else (LOCKED if phase == HOLDING else MOVING)
    for k in range(3):
        tips.goal[limb, k] = target[k]
    matrix_from_quaternion(rotation, tips.goal_rotation[limb])
    tips.limb_alpha[limb], tips.body_alpha[limb] = limb_weight, body_weight


@unit(
    "climb.watch_wall",
    inputs=(
        pin("outside", "vec3", (-1.0, 0.0, 0.0), doc="out of the wall; decides the side of one that does not know it"),
        pin("margin", "float", 0.10, "m", "outside its sphere at which a probe starts to watch the wall"),
    ),
    outputs=(
        pin("near", "int", doc="probes that see the wall"),
        pin("deepest", "float", measure="m", doc="how far the deepest of them is inside it"),
    ),
    contexts=("skeleton", "solver", "wall"),
    keywords=("clearance", "probes", "collision"),
)
def watch_wall(skeleton, solver, wall, outside, margin, near, deepest):  # type: ignore[no-untyped-def]
    """Finds the wall nearest to each of the body's probe spheres, which the solver keeps out of it."""
    near[0], deepest[0] = 0, 0.0
    probes = solver.probes
    centre, answer = np.empty(3), np.empty(8)
    for i in range(probes.body.shape[0]):
        probes.near[i] = 0
        if wall.known[0] == 0:
            continue
        body = probes.body[i]
        locate(skeleton, body)
        rotate(skeleton.rotations[body], probes.offset[i], centre)
        for k in range(3):
            centre[k] += skeleton.translations[body, k]
        if nearest(wall.tree, centre, probes.radius[i] + margin, answer) != HIT:
            continue
        near[0] += 1
        probes.near[i] = 1
        flip = 1.0
        if wall.known[1] == 0 and answer[3] * outside[0] + answer[4] * outside[1] + answer[5] * outside[2] < 0.0:
            flip = -1.0
        gap = -probes.radius[i]
        for k in range(3):
            probes.point[i, k] = answer[k]
            probes.normal[i, k] = flip * answer[3 + k]
            gap += (centre[k] - answer[k]) * probes.normal[i, k]
        deepest[0] = max(deepest[0], -gap)


@unit(
    "ik.full_body",
    inputs=(
        pin("passes", "int", 2, doc="Gauss-Newton passes; the next tick goes on from where this one came"),
        pin("whole", "bool", True, doc="false holds all but the limbs and brings these to their goals"),
        pin("base_moves", "bool", True, doc="whether the root may move"),
    ),
    outputs=(pin("change", "float", measure="m or rad", doc="of the last pass, in any variable"),),
    contexts=("skeleton", "limbs", "solver"),
    keywords=("whole", "body", "least squares", "natural", "arms", "legs"),
)
def full_body(skeleton, limbs, solver, passes, whole, base_moves, change):  # type: ignore[no-untyped-def]
    """Moves the body towards the natural pose for the contacts and goals of its limbs, clear of the wall."""
    change[0] = 0.0
    for _ in range(passes):
        change[0] = improve(
            skeleton.tree, skeleton.lower, skeleton.upper, limbs.tips, solver.probes, solver.posture, whole, base_moves,
            skeleton.position, skeleton.orientation, skeleton.q, solver.work,
        )  # fmt: skip
    changed(skeleton, 0)


@unit(
    "climb.follow",
    inputs=(pin("share", "float", 1.0, doc="of the way to the proposal, 0 to 1"),),
    outputs=(pin("distance", "float", measure="m", doc="of the root from its place to the proposed one"),),
    contexts=("skeleton",),
    keywords=("smooth", "blend", "ease"),
)
def follow(skeleton, share, distance):  # type: ignore[no-untyped-def]
    """Goes a share of the way from the last accepted pose to the proposed one: the body eases into it."""
    start, end, turned = np.empty((3, 3)), np.empty((3, 3)), np.empty((3, 3))
    vector = np.empty(3)
    matrix_from_quaternion(skeleton.start_orientation, start)
    matrix_from_quaternion(skeleton.orientation, end)
    rotation_vector_between(start, end, vector)
    total = 0.0
    for k in range(3):
        vector[k] *= share
        away = skeleton.position[k] - skeleton.start_position[k]
        total += away * away
        skeleton.position[k] = skeleton.start_position[k] + share * away
    distance[0] = total**0.5
    matrix_from_rotation_vector(vector, end)
    compose(end, start, turned)
    quaternion_from_matrix(turned, skeleton.orientation)
    for j in range(skeleton.q.shape[0]):
        skeleton.q[j] = skeleton.start_q[j] + share * (skeleton.q[j] - skeleton.start_q[j])
    changed(skeleton, 0)
