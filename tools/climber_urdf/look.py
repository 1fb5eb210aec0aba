"""What the climber looks like and what of it can touch things: primitives for every link of the trunk and left side."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Mapping

import anthropometry as body
from parts import ZERO, Link, Shape, Vector, band, capsule, chain, slab, taper
from skeleton import BALL, ELBOW_DROP, FOREARM_THIRD, PALM, PLACES

SKIN, SHIRT, SHORTS, SHOE, RUBBER = "skin", "shirt", "shorts", "shoe", "rubber"
HAIR, WHITE, DARK, LIPS, HARNESS, BAG = "hair", "white", "dark", "lips", "harness", "bag"

COLOURS: dict[str, tuple[float, float, float, float]] = {
    SKIN: (0.86, 0.66, 0.53, 1.0),
    SHIRT: (0.13, 0.47, 0.58, 1.0),
    SHORTS: (0.20, 0.22, 0.27, 1.0),
    SHOE: (0.85, 0.33, 0.14, 1.0),
    RUBBER: (0.10, 0.10, 0.11, 1.0),
    HAIR: (0.23, 0.14, 0.09, 1.0),
    WHITE: (0.95, 0.95, 0.93, 1.0),
    DARK: (0.07, 0.06, 0.06, 1.0),
    LIPS: (0.70, 0.40, 0.36, 1.0),
    HARNESS: (0.92, 0.62, 0.12, 1.0),
    BAG: (0.45, 0.17, 0.33, 1.0),
}

#: The trunk's outline: height over the ground -> half width, half depth, middle (x). Metres.
TRUNK = (
    (body.HIP_HEIGHT - 0.035, 0.146, 0.092, -0.008),
    (body.HIP_HEIGHT + 0.015, 0.160, 0.104, -0.014),
    (body.HIP_HEIGHT + 0.075, 0.153, 0.099, -0.012),
    (body.HIP_HEIGHT + 0.150, 0.139, 0.088, -0.004),
    (body.HIP_HEIGHT + 0.240, 0.146, 0.092, 0.000),
    (body.HIP_HEIGHT + 0.340, 0.166, 0.105, -0.002),
    (body.HIP_HEIGHT + 0.430, 0.172, 0.107, -0.008),
    (body.HIP_HEIGHT + 0.490, 0.158, 0.088, -0.014),
    (body.HIP_HEIGHT + 0.525, 0.110, 0.066, -0.018),
)
SLICE = 0.020
"""Distance of the trunk's slices."""


def dress(links: Mapping[str, Link]) -> None:
    """Gives every link of the trunk and the left side its shapes."""
    _dress_trunk(links)
    _dress_head(links["neck"], links["head"])
    _dress_arm(links)
    _dress_hand(links["hand_l"])
    _dress_leg(links)
    _dress_foot(links["foot_l"], links["ball_l"])


def _limb(link: Link, profile: list[tuple[float, float, float]], colour: str) -> None:
    """Adds a limb down a link's z axis; ``profile`` is (distance down, forward, radius)."""
    link.visuals += taper([((x, 0.0, -down), radius) for down, x, radius in profile], colour)


def _trunk_at(height: float) -> tuple[float, float, float]:
    heights = [row[0] for row in TRUNK]
    i = min(max(bisect_right(heights, height), 1), len(TRUNK) - 1)
    (z0, *low), (z1, *high) = TRUNK[i - 1], TRUNK[i]
    t = (height - z0) / (z1 - z0)
    width, depth, x = (a + t * (b - a) for a, b in zip(low, high, strict=True))
    return width, depth, x


def _dress_trunk(links: Mapping[str, Link]) -> None:
    names = ("pelvis", "spine_01", "spine_02", "spine_03")
    starts = [TRUNK[0][0], *(PLACES[name][2] - 0.01 for name in names[1:]), TRUNK[-1][0]]
    for name, start, end in zip(names, starts, starts[1:], strict=False):
        link, place = links[name], PLACES[name]
        count = max(2, round((end - start) / SLICE))
        for i in range(count + 1):
            height = start + (end - start) * i / count
            width, depth, x = _trunk_at(height)
            colour, over = (SHORTS, 0.0) if name == "pelvis" else (SHIRT, 0.003)  # the shirt hangs over the shorts
            link.visuals += slab((x - place[0], 0.0, height - place[2]), width + over, depth + over, colour)
        width, depth, x = _trunk_at((start + end) / 2.0)
        # What can touch is the body within the clothes: the arms hang clear of it.
        link.collisions += slab((x - place[0], 0.0, (start + end) / 2.0 - place[2]), width - 0.014, depth - 0.006)
    _dress_harness(links["pelvis"])
    _dress_chest(links["spine_03"], links["clavicle_l"])


def _dress_harness(pelvis: Link) -> None:
    height = body.HIP_HEIGHT + 0.085
    width, depth, x = _trunk_at(height)
    level = height - PLACES["pelvis"][2]
    pelvis.visuals += band((x, 0.0, level), width + 0.008, depth + 0.008, 0.040, HARNESS)
    pelvis.visuals += capsule((x + depth + 0.004, 0.0, level), (x + depth + 0.010, 0.0, level - 0.085), 0.010, HARNESS)
    back = x - depth - 0.045
    pelvis.visuals += [
        Shape("cylinder", (0.050, 0.130), (back, 0.0, level - 0.085), (0.0, -0.12, 0.0), BAG),
        Shape("cylinder", (0.054, 0.022), (back - 0.007, 0.0, level - 0.025), (0.0, -0.12, 0.0), HARNESS),
        Shape("sphere", (0.043,), (back - 0.007, 0.0, level - 0.034), ZERO, WHITE),
    ]


def _dress_chest(spine: Link, clavicle: Link) -> None:
    place = PLACES["spine_03"]
    for side in (-1.0, 1.0):
        spine.visuals += taper(
            [((0.050, side * 0.055, 0.045), 0.062), ((0.058, side * 0.085, 0.060), 0.058)], SHIRT
        )  # the chest muscles
    neck_base = (PLACES["neck"][0] - place[0], 0.0, PLACES["neck"][2] - 0.045 - place[2])
    spine.visuals += taper([(neck_base, 0.060), ((neck_base[0], 0.0, neck_base[2] + 0.030), 0.054)], SHIRT)
    joint, shoulder = PLACES["clavicle_l"], PLACES["upperarm_l"]
    outer = tuple(b - a for a, b in zip(joint, shoulder, strict=True))
    inner: Vector = (outer[0] - 0.006, 0.005, outer[2] + 0.050)
    clavicle.visuals += taper([(inner, 0.050), ((outer[0], 0.085, outer[2] + 0.020), 0.050), (outer, 0.055)], SHIRT)
    clavicle.collisions += capsule(inner, outer, 0.050)


def _dress_head(neck: Link, head: Link) -> None:
    rise = PLACES["head"][2] - PLACES["neck"][2]
    lean = PLACES["head"][0] - PLACES["neck"][0]
    neck.visuals += taper([((0.0, 0.0, -0.010), 0.057), ((lean + 0.004, 0.0, rise), 0.053)], SKIN)
    neck.collisions += capsule((0.0, 0.0, 0.020), (lean, 0.0, rise - 0.02), 0.052)
    crown = body.HEIGHT - PLACES["head"][2]
    ball = lambda x, y, z, radius, colour: Shape("sphere", (radius,), (x, y, z), ZERO, colour)  # noqa: E731
    head.visuals += taper(
        [
            ((0.022, 0.0, crown - 0.100), 0.082),
            ((0.034, 0.0, crown - 0.132), 0.068),
            ((0.040, 0.0, crown - 0.172), 0.056),
            ((0.056, 0.0, crown - 0.200), 0.030),
        ],
        SKIN,
        spacing=0.3,
    )
    # The cap of hair: its top is the climber's height.
    head.visuals += taper([((0.005, 0.0, crown - 0.0915), 0.0915), ((-0.020, 0.0, crown - 0.115), 0.084)], HAIR, 0.3)
    head.visuals += taper([((-0.022, 0.0, crown - 0.115), 0.083), ((-0.022, 0.0, crown - 0.150), 0.066)], HAIR, 0.3)
    head.visuals += capsule((0.099, 0.0, crown - 0.108), (0.110, 0.0, crown - 0.134), 0.010, SKIN)  # nose
    head.visuals += capsule((0.0925, -0.012, crown - 0.166), (0.0925, 0.012, crown - 0.166), 0.0068, LIPS)
    for side in (-1.0, 1.0):
        head.visuals += [
            ball(0.0885, side * 0.031, crown - 0.108, 0.0125, WHITE),
            ball(0.0968, side * 0.031, crown - 0.108, 0.0058, DARK),
            ball(0.010, side * 0.084, crown - 0.122, 0.017, SKIN),
            ball(0.006, side * 0.084, crown - 0.136, 0.013, SKIN),
        ]
        brow = (0.1005, side * 0.018, crown - 0.090), (0.0915, side * 0.044, crown - 0.090)
        head.visuals += capsule(*brow, 0.0045, HAIR)
    head.collisions += capsule((0.012, 0.0, crown - 0.092), (0.035, 0.0, crown - 0.165), 0.085)


def _dress_arm(links: Mapping[str, Link]) -> None:
    upper, length = links["upperarm_l"], ELBOW_DROP
    _limb(upper, [(0.0, 0.0, 0.054), (0.25 * length, 0.0, 0.053), (0.46 * length, 0.003, 0.051)], SHIRT)
    _limb(upper, [(0.40 * length, 0.004, 0.046), (0.60 * length, 0.006, 0.044), (length, 0.0, 0.037)], SKIN)
    upper.collisions += capsule(ZERO, (0.0, 0.0, -length), 0.046)
    pieces = {
        "lowerarm_l": (0.038, 0.042, 0.041),
        "lowerarm_twist_02_l": (0.041, 0.037, 0.033),
        "lowerarm_twist_01_l": (0.033, 0.029, 0.026),
    }
    for name, radii in pieces.items():
        link = links[name]
        _limb(link, [(i * FOREARM_THIRD / 2.0, 0.0, radius) for i, radius in enumerate(radii)], SKIN)
        link.collisions += capsule(ZERO, (0.0, 0.0, -FOREARM_THIRD), radii[1])


def _dress_hand(hand: Link) -> None:
    """The left hand hangs with its palm to the thigh (-y) and its thumb forward (x)."""
    hand.visuals += taper([(ZERO, 0.026), ((0.0, 0.0, -0.030), 0.025)], SKIN)
    hand.visuals += [
        Shape("box", (0.064, 0.025, 0.066), (0.0, 0.001, -0.060), ZERO, SKIN),
        *(Shape("cylinder", (0.0125, 0.060), (x, 0.001, -0.060), ZERO, SKIN) for x in (-0.032, 0.032)),
    ]
    #: Place across the palm, knuckle's distance from the wrist, length of the finger.
    longest = body.HAND.length - 0.097
    for x, knuckle, length in (
        (0.031, 0.092, 0.074),
        (0.010, 0.097, longest),
        (-0.011, 0.094, 0.082),
        (-0.031, 0.086, 0.062),
    ):
        points: list[Vector] = [(x, 0.001, -knuckle)]
        for share, curl in ((0.52, 8.0), (0.48, 26.0)):
            bend, step, (px, py, pz) = math.radians(curl), share * (length - 0.009), points[-1]
            points.append((px * 1.03, py - step * math.sin(bend), pz - step * math.cos(bend)))
        hand.visuals += chain(points, 0.0095, SKIN)
    hand.visuals += chain([(0.020, -0.003, -0.028), (0.046, -0.009, -0.064), (0.056, -0.013, -0.096)], 0.0115, SKIN)
    hand.visuals.append(Shape("sphere", (0.019,), (0.026, -0.002, -0.040), ZERO, SKIN))  # the thumb's ball
    hand.collisions.append(Shape("box", (0.085, 0.026, 0.100), (0.0, PALM[1] + 0.013, -0.055)))
    hand.collisions.append(Shape("box", (0.080, 0.022, 0.080), (0.0, -0.008, -0.140)))


def _dress_leg(links: Mapping[str, Link]) -> None:
    thigh, length = links["thigh_l"], body.THIGH.length
    _limb(thigh, [(-0.010, -0.006, 0.088), (0.20 * length, 0.0, 0.086), (0.52 * length, 0.006, 0.079)], SHORTS)
    _limb(thigh, [(0.46 * length, 0.006, 0.068), (0.75 * length, 0.004, 0.060), (length, 0.002, 0.052)], SKIN)
    thigh.visuals += [Shape("cylinder", (0.093, 0.032), (0.0, 0.0, -0.105), (0.0, 0.15, 0.0), HARNESS)]
    thigh.collisions += capsule((0.0, 0.0, -0.02), (0.0, 0.0, -length), 0.062)
    calf, length = links["calf_l"], body.SHANK.length
    _limb(
        calf,
        [
            (0.0, 0.002, 0.051),
            (0.12 * length, -0.004, 0.049),
            (0.30 * length, -0.012, 0.054),
            (0.60 * length, -0.006, 0.043),
            (length - 0.02, 0.0, 0.034),
        ],
        SKIN,
    )
    calf.visuals += taper([((0.022, 0.0, 0.010), 0.034), ((0.022, 0.0, -0.040), 0.031)], SKIN)  # kneecap
    calf.collisions += capsule((-0.005, 0.0, -0.05), (0.0, 0.0, -length), 0.045)


def _dress_foot(foot: Link, ball: Link) -> None:
    ground = -body.ANKLE_HEIGHT
    foot.visuals += taper([(ZERO, 0.036), ((-0.004, 0.0, -0.012), 0.037)], SHOE)
    for y in (-0.014, 0.014):
        foot.visuals += taper(
            [
                ((-0.030, 0.6 * y, ground + 0.036), 0.031),
                ((0.020, 0.9 * y, ground + 0.040), 0.032),
                ((0.075, 1.3 * y, ground + 0.034), 0.027),
                ((BALL[0], 1.7 * y, ground + 0.025), 0.022),
            ],
            SHOE,
            0.35,
        )
    foot.visuals += taper([((0.010, 0.0, -0.018), 0.036), ((0.070, 0.0, ground + 0.042), 0.027)], SHOE)
    # The sole: heel to ball, then the rand around the heel.
    foot.visuals += [
        Shape("box", (0.150, 0.062, 0.010), (0.050, 0.0, ground + 0.005), ZERO, RUBBER),
        Shape("cylinder", (0.031, 0.010), (-0.027, 0.0, ground + 0.005), ZERO, RUBBER),
        Shape("cylinder", (0.032, 0.020), (-0.030, 0.0, ground + 0.020), ZERO, RUBBER),
    ]
    foot.collisions.append(Shape("box", (0.185, 0.072, 0.060), (BALL[0] - 0.0925, 0.0, ground + 0.030)))
    toe = body.FOOT.length * 0.76 - BALL[0]
    for y, reach in ((0.023, 0.84), (0.0, 1.0), (-0.023, 0.95)):
        tip = (toe * reach - 0.014, 0.5 * y - 0.004, -0.008)
        ball.visuals += taper([((0.0, 0.95 * y, 0.001), 0.0205), (tip, 0.0140)], SHOE, 0.45)
    ball.visuals += [
        Shape("box", (0.030, 0.074, 0.010), (0.012, 0.0, -0.017), ZERO, RUBBER),
        Shape("cylinder", (0.030, 0.010), (toe - 0.036, -0.003, -0.017), ZERO, RUBBER),
    ]
    ball.collisions.append(Shape("box", (toe, 0.070, 0.034), (toe / 2.0, 0.0, -0.005)))
