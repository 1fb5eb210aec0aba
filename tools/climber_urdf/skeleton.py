"""The climber's links and joints: where they are, what they weigh and how far they turn.

Ranges are those of the American Academy of Orthopaedic Surgeons ("Joint Motion: Method of Measuring and Recording",
1965) and, where climbers need the healthy maximum rather than the mean (hips, clavicles, wrists), of I. A. Kapandji
("The Physiology of the Joints", vols. 1-3). Speeds and efforts are rounded from strong adults' maxima (D. A. Winter,
2009, for the legs). Signs: flexion, abduction, external rotation of the hip, internal rotation of the shoulder,
pronation, dorsiflexion, inversion, extension of the toes, bending and turning to the left are positive.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import anthropometry as body
from anthropometry import Segment
from parts import ZERO, Joint, Link, Motion, Vector

#: Axes of the left side's motions, standing.
FLEX: Vector = (0.0, -1.0, 0.0)  # forward and up
BEND_BACK: Vector = (0.0, 1.0, 0.0)
ABDUCT: Vector = (1.0, 0.0, 0.0)
TURN_OUT: Vector = (0.0, 0.0, 1.0)
TURN_IN: Vector = (0.0, 0.0, -1.0)
ADDUCT: Vector = (-1.0, 0.0, 0.0)

#: Heights and places, standing, in metres: (x, y, z), the sole on z = 0.
PELVIS_Z = body.HIP_HEIGHT + 0.055
PLACES: dict[str, Vector] = {
    "pelvis": (0.0, 0.0, PELVIS_Z),
    "spine_01": (-0.020, 0.0, PELVIS_Z + 0.055),
    "spine_02": (-0.012, 0.0, PELVIS_Z + 0.185),
    "spine_03": (-0.025, 0.0, PELVIS_Z + 0.310),
    "neck": (-0.025, 0.0, 1.475),
    "head": (-0.005, 0.0, 1.590),
    "clavicle_l": (0.010, 0.030, 1.405),
    "upperarm_l": (-0.010, 0.196, body.SHOULDER_HEIGHT),
    "thigh_l": (0.0, 0.084, body.HIP_HEIGHT),
}
ELBOW_DROP, FOREARM_THIRD = body.UPPER_ARM.length, body.FOREARM.length / 3.0
BALL: Vector = (0.125, 0.0, 0.022 - body.ANKLE_HEIGHT)
"""Joint of the toes, from the ankle."""
SOLE: Vector = (BALL[0], 0.0, -body.ANKLE_HEIGHT)
PALM: Vector = (0.0, -0.015, -0.062)
"""Palm centre, on the skin, from the wrist."""
#: x out of the left palm (towards the thigh), z along the fingers (down).
PALM_RPY: Vector = (math.pi, 0.0, -math.pi / 2.0)

AXIS_MASS, AXIS_INERTIA = 0.05, 5e-5
"""Of the small link between two axes of one joint, taken off the bone behind it: simulators refuse massless links."""


class Skeleton:
    """Collects links and joints, parents first."""

    def __init__(self) -> None:
        self.links: dict[str, Link] = {"base_link": Link("base_link")}
        self.joints: list[Joint] = []

    def fix(self, parent: str, link: Link, xyz: Vector, rpy: Vector = ZERO) -> None:
        """Adds a link that is fixed to its parent; a massless one is a frame."""
        self.links[link.name] = link
        self.joints.append(Joint(f"{link.name}_fixed", parent, link.name, xyz, rpy))

    def hang(self, parent: str, link: Link, xyz: Vector, motions: Sequence[Motion]) -> None:
        """Adds a link behind one hinge for each motion, all at one point, with a small link after each but the last."""
        for i, motion in enumerate(motions):
            last = i == len(motions) - 1
            child = link if last else _axis_link(link.name, i)
            self.links[child.name] = child
            self.joints.append(Joint(motion.name, parent, child.name, ZERO if i else xyz, ZERO, motion))
            parent = child.name
        link.mass -= (len(motions) - 1) * AXIS_MASS

    def add_right_side(self) -> None:
        """Mirrors every link and joint of the left."""
        left = [link for link in self.links.values() if link.name.endswith("_l") or link.name.startswith("l_")]
        names = {link.name for link in left}
        for link in left:
            mirror = link.mirrored()
            self.links[mirror.name] = mirror
        self.joints += [joint.mirrored() for joint in self.joints if joint.child in names]


def _axis_link(bone: str, index: int) -> Link:
    stem, side = (bone[:-2], bone[-2:]) if bone.endswith("_l") else (bone, "")
    inertia = (AXIS_INERTIA, AXIS_INERTIA, AXIS_INERTIA)
    return Link(f"{stem}_axis_{index + 1}{side}", AXIS_MASS, ZERO, inertia)


def _bone(name: str, segment: Segment, down: float = 1.0) -> Link:
    """A link whose segment lies along its z axis; down = -1 for one that points up."""
    return Link(name, segment.mass, (0.0, 0.0, -down * segment.com), segment.inertia)


def _slice(name: str, segment: Segment, share: float, length: float, com: Vector) -> Link:
    """A part of a segment: its share of mass, and the inertia of a cylinder of that part's length."""
    mass = share * segment.mass
    across = share * segment.inertia[2] / 2.0 + mass * length * length / 12.0
    return Link(name, mass, com, (across, across, share * segment.inertia[2]))


def _between(child: str, parent: str) -> Vector:
    """Place of a child in its parent's frame."""
    return tuple(a - b for a, b in zip(PLACES[child], PLACES[parent], strict=True))


def build() -> Skeleton:
    """The trunk and the left side, without shapes."""
    skeleton = Skeleton()
    _add_trunk(skeleton)
    _add_arm(skeleton)
    _add_leg(skeleton)
    return skeleton


def _add_trunk(skeleton: Skeleton) -> None:
    above_hip = body.LOWER_TRUNK.length - body.LOWER_TRUNK.com
    com = (-0.01, 0.0, body.HIP_HEIGHT + above_hip - PELVIS_Z)
    skeleton.fix("base_link", Link("pelvis", body.LOWER_TRUNK.mass, com, body.LOWER_TRUNK.inertia), ZERO)
    half = body.MIDDLE_TRUNK.length / 2.0
    previous = "pelvis"
    for name, segment, share, length, com_z in (
        ("spine_01", body.MIDDLE_TRUNK, 0.5, half, 0.065),
        ("spine_02", body.MIDDLE_TRUNK, 0.5, half, 0.065),
        ("spine_03", body.UPPER_TRUNK, 0.8, body.UPPER_TRUNK.length, 0.065),
    ):
        link = _slice(name, segment, share, length, (0.015, 0.0, com_z))
        skeleton.hang(
            previous,
            link,
            _between(name, previous),
            (
                Motion(f"{name}_flexion", BEND_BACK, -10.0, 25.0, 2.0, 250.0),
                Motion(f"{name}_bend", ADDUCT, -11.0, 11.0, 2.0, 200.0),
                Motion(f"{name}_turn", TURN_OUT, -14.0, 14.0, 2.0, 120.0),
            ),
        )
        previous = name
    neck_length = PLACES["head"][2] - PLACES["neck"][2]
    skeleton.hang(
        "spine_03",
        _slice("neck", body.HEAD, 0.2, neck_length, (0.01, 0.0, neck_length / 2.0)),
        _between("neck", "spine_03"),
        (
            Motion("neck_flexion", BEND_BACK, -35.0, 30.0, 4.0, 40.0),
            Motion("neck_bend", ADDUCT, -35.0, 35.0, 4.0, 40.0),
            Motion("neck_turn", TURN_OUT, -40.0, 40.0, 4.0, 30.0),
        ),
    )
    skull = [0.8 * moment for moment in body.HEAD.inertia]
    com_up = body.HEIGHT - body.HEAD.com - PLACES["head"][2]
    skeleton.hang(
        "neck",
        Link("head", 0.8 * body.HEAD.mass, (0.015, 0.0, com_up), (skull[0], skull[1], skull[2])),
        _between("head", "neck"),
        (
            Motion("head_nod", BEND_BACK, -25.0, 20.0, 5.0, 20.0),
            Motion("head_turn", TURN_OUT, -35.0, 35.0, 5.0, 15.0),
        ),
    )


def _add_arm(skeleton: Skeleton) -> None:
    span = _between("upperarm_l", "clavicle_l")
    skeleton.hang(
        "spine_03",
        _slice("clavicle_l", body.UPPER_TRUNK, 0.1, 0.16, (span[0] / 2.0, span[1] / 2.0, span[2] / 2.0)),
        _between("clavicle_l", "spine_03"),
        (
            Motion("clavicle_elevation_l", ABDUCT, -10.0, 40.0, 3.0, 120.0),
            Motion("clavicle_protraction_l", TURN_IN, -25.0, 30.0, 3.0, 120.0),
        ),
    )
    # Abduction before flexion: the pair is singular only where the upper arm points straight at the wall.
    skeleton.hang(
        "clavicle_l",
        _bone("upperarm_l", body.UPPER_ARM),
        span,
        (
            Motion("shoulder_abduction_l", ABDUCT, -45.0, 180.0, 8.0, 90.0),
            Motion("shoulder_flexion_l", FLEX, -60.0, 110.0, 8.0, 90.0),
            Motion("shoulder_rotation_l", TURN_IN, -90.0, 80.0, 9.0, 60.0),
        ),
    )
    # Shares of the forearm's three pieces that put its centre of mass where the table has it.
    tilt = 0.75 * (1.0 - 2.0 * body.FOREARM.com / body.FOREARM.length)
    piece_com = (0.0, 0.0, -FOREARM_THIRD / 2.0)
    pieces = [
        _slice(name, body.FOREARM, (1.0 + step * tilt) / 3.0, FOREARM_THIRD, piece_com)
        for name, step in (("lowerarm_l", 1.0), ("lowerarm_twist_02_l", 0.0), ("lowerarm_twist_01_l", -1.0))
    ]
    down = (0.0, 0.0, -FOREARM_THIRD)
    skeleton.hang(
        "upperarm_l",
        pieces[0],
        (0.0, 0.0, -ELBOW_DROP),
        (Motion("elbow_flexion_l", FLEX, 0.0, 150.0, 10.0, 75.0),),
    )
    skeleton.hang("lowerarm_l", pieces[1], down, (Motion("forearm_pronation_02_l", TURN_IN, -42.0, 42.0, 12.0, 15.0),))
    skeleton.hang(
        "lowerarm_twist_02_l", pieces[2], down, (Motion("forearm_pronation_01_l", TURN_IN, -42.0, 42.0, 12.0, 15.0),)
    )
    skeleton.hang(
        "lowerarm_twist_01_l",
        _bone("hand_l", body.HAND),
        down,
        (
            Motion("wrist_deviation_l", FLEX, -40.0, 20.0, 12.0, 20.0),
            Motion("wrist_flexion_l", ADDUCT, -75.0, 80.0, 12.0, 25.0),
        ),
    )
    skeleton.fix("hand_l", Link("l_gripper"), PALM, PALM_RPY)


def _add_leg(skeleton: Skeleton) -> None:
    # Flexion before abduction: singular only where the thigh points straight to the side, beyond its range.
    skeleton.hang(
        "pelvis",
        _bone("thigh_l", body.THIGH),
        _between("thigh_l", "pelvis"),
        (
            Motion("hip_flexion_l", FLEX, -20.0, 125.0, 7.0, 220.0),
            Motion("hip_abduction_l", ABDUCT, -30.0, 65.0, 7.0, 160.0),
            Motion("hip_rotation_l", TURN_OUT, -45.0, 60.0, 7.0, 80.0),
        ),
    )
    skeleton.hang(
        "thigh_l",
        _bone("calf_l", body.SHANK),
        (0.0, 0.0, -body.THIGH.length),
        (Motion("knee_flexion_l", BEND_BACK, 0.0, 145.0, 10.0, 230.0),),
    )
    foot = body.FOOT
    com = (foot.com - 0.24 * foot.length, 0.0, -0.6 * body.ANKLE_HEIGHT)
    along, across = foot.inertia[2], (foot.inertia[0] + foot.inertia[1]) / 2.0
    skeleton.hang(
        "calf_l",
        Link("foot_l", 0.85 * foot.mass, com, (0.85 * along, 0.85 * across, 0.85 * across)),
        (0.0, 0.0, -body.SHANK.length),
        (
            Motion("ankle_dorsiflexion_l", FLEX, -50.0, 30.0, 8.0, 150.0),
            Motion("ankle_inversion_l", ADDUCT, -20.0, 35.0, 8.0, 50.0),
        ),
    )
    toes = (2e-5, 4e-5, 4e-5)
    skeleton.hang(
        "foot_l",
        Link("ball_l", 0.15 * foot.mass, (0.03, 0.0, -0.008), toes),
        BALL,
        (Motion("toe_extension_l", FLEX, -30.0, 80.0, 10.0, 30.0),),
    )
    skeleton.fix("foot_l", Link("l_sole"), SOLE)
