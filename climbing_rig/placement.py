"""Where a climber goes on the wall when it is asked to attach: holds for all limbs and a pose that fits them."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import numpy as np

from climbing_rig.errors import AttachError
from climbing_rig.ik.gate import CONTACT_TOLERANCE
from climbing_rig.ik.tips import LOCKED
from climbing_rig.limbs.guide import UP, wall_right, wall_up
from climbing_rig.limbs.limb import Limb
from climbing_rig.limbs.phases import Phase
from climbing_rig.limbs.search import Hold
from climbing_rig.maths import Vector, unit
from climbing_rig.pose import Pose, set_orientation
from climbing_rig.rig.climb import PHASES
from climbing_rig.wall import Wall
from climbing_rig.whole_body import WholeBody

FARTHEST = 5.0
"""Metres within which a wall is looked for."""
BEHIND = 1.0
"""Metres behind the climber the look along its heading starts, so that one who stands in the wall still sees it."""
LOOK_HEIGHTS = (0.0, 0.4, -0.4, 0.8, -0.8)
"""Of the looks along the heading, times the climber's stance height."""
SHIFTS = tuple(
    sorted(
        itertools.product((0.0, -0.15, 0.15, -0.4, 0.4, -0.8, 0.8), (0.0, 0.15, -0.15, 0.4, -0.4, 0.8, 1.2, 1.6)),
        key=lambda shift: math.hypot(*shift),
    )
)
"""Places tried on the wall, (right, up) times the stance height, nearest first."""
RINGS = (0.0, 0.12, 0.24, 0.36)
"""Radii searched around a wished hold, times the stance height."""
TOLERATED_DEPTH = 0.01
"""Metres a probe may be inside the wall and the placement still counts as clear of it."""
BETTER_TRIES = 6
"""Places tried, once one fits, for one that is clear of the wall."""
PATCH = (-1.0, -0.5, 0.0, 0.5, 1.0)
"""Where the wall is felt for its slope, across and up, times the stance height."""


@dataclass(frozen=True)
class Placement:
    """A pose on the wall with a hold for every limb (in the order of the limbs)."""

    pose: Pose
    holds: tuple[Hold, ...]


def plan_placement(body: WholeBody, limbs: tuple[Limb, ...], wall: Wall | None, heading: Vector) -> Placement:
    """A natural, feasible pose with every limb on the nearest climbable wall.

    The wall is looked for along ``heading`` up to 5 m, then in any direction. ``body`` is used for the solve and left
    as it was.

    Raises:
        AttachError: No wall in reach, or some limbs find no hold there; ``choices`` names them.
    """
    names = tuple(limb.name for limb in limbs)
    if not limbs:
        raise AttachError("cannot attach: the robot has no limbs", name="limbs")
    if wall is None:
        raise AttachError("cannot attach: there is no wall", name="wall", choices=names)
    before = body.pose
    height = max(abs(limb.description.stance[1]) for limb in limbs)
    try:
        anchor = _nearest_wall(wall, body.pose.position, heading, height)
        if anchor is None:
            raise AttachError(
                f"cannot attach: no climbable wall within {FARTHEST:g} m of {np.round(before.position, 2).tolist()}",
                name="wall", given=before.position.tolist(), choices=names,
            )  # fmt: skip
        best: tuple[float, Placement] | None = None
        missing: set[str] = set(names)
        tries_left = len(SHIFTS)
        for right, up in SHIFTS:
            placement, depth, failed = _try(body, limbs, wall, anchor, heading, (right * height, up * height))
            missing = failed if len(failed) < len(missing) else missing
            if placement is not None:
                tries_left = min(tries_left, BETTER_TRIES)
                if best is None or depth < best[0]:
                    best = (depth, placement)
            tries_left -= 1
            if tries_left <= 0 or (best is not None and best[0] <= TOLERATED_DEPTH):
                break
        if best is None:
            unheld = tuple(name for name in names if name in missing) or names
            raise AttachError("cannot attach: no hold within reach for some limbs", name="wall", choices=unheld)
        return best[1]
    finally:
        body.pose = before
        body.locate()


def _nearest_wall(wall: Wall, position: Vector, heading: Vector, height: float) -> Hold | None:
    start = position - heading * BEHIND
    hits = [
        wall.trace(start + UP * (share * height), position + UP * (share * height) + heading * FARTHEST)
        for share in LOOK_HEIGHTS
    ]
    seen = [hit for hit in hits if hit is not None and hit.climbable]
    if seen:
        hit = min(seen, key=lambda hit: hit.distance)
        return _felt(wall, hit.point, -heading, heading, height)
    near = wall.nearest(position)
    if near is None or near.distance > FARTHEST or not near.climbable:
        return None
    # The side the climber is on is the side it climbs.
    outwards = near.normal if float((position - near.point) @ near.normal) >= 0.0 else -near.normal
    return _felt(wall, near.point, outwards, heading, height)


def _felt(wall: Wall, point: Vector, outwards: Vector, heading: Vector, height: float) -> Hold:
    """The wall at the climber's own scale: the plane through a patch of it as large as the stance.

    One point's normal is that of a bump; a body that faced it would turn away from the wall.
    """
    up = wall_up(outwards, np.zeros(3), heading, 0.0)
    right = wall_right(outwards, up)
    places = np.array([point + (right * x + up * y) * height for x in PATCH for y in PATCH])
    hits = wall.trace_many(places + outwards * height, places - outwards * height)
    points = hits.points[hits.found]
    if len(points) < 4:
        return Hold(point, outwards)
    middle = points.mean(axis=0)
    _, spread, axes = np.linalg.svd(points - middle)
    if spread[1] < 0.1 * height:
        return Hold(point, outwards)
    fitted = axes[2] if float(axes[2] @ outwards) >= 0.0 else -axes[2]
    return Hold(point - fitted * float((point - middle) @ fitted), fitted)


def _try(
    body: WholeBody, limbs: tuple[Limb, ...], wall: Wall, anchor: Hold, heading: Vector, shift: tuple[float, float]
) -> tuple[Placement | None, float, set[str]]:
    """One place on the wall: the placement or None, the deepest probe, and the limbs that found no hold."""
    normal = anchor.normal
    up = wall_up(normal, np.zeros(3), heading, 0.0)
    right = wall_right(normal, up)
    height = max(abs(limb.description.stance[1]) for limb in limbs)
    centre = anchor.point + right * shift[0] + up * shift[1]
    holds: dict[str, Hold] = {}
    for limb in limbs:
        x, y = limb.description.stance
        hold = _hold_near(wall, centre + right * x + up * y, normal, right, up, height)
        if hold is not None:
            holds[limb.name] = hold
    failed = {limb.name for limb in limbs if limb.name not in holds}
    if failed:
        return None, np.inf, failed
    chosen = tuple(holds[limb.name] for limb in limbs)
    body.pose = _start_pose(body, limbs, chosen, normal, up)
    forward = unit(-normal - UP * float(-normal @ UP))
    rows = body.proposal.limbs
    body.proposal.see(wall)
    body.proposal.ask(limbs)
    for i, (limb, hold) in enumerate(zip(limbs, chosen, strict=True)):
        body.tips.mode[i] = LOCKED
        body.tips.goal[i] = hold.point + hold.normal * limb.description.locked_offset
        rows.phase[i] = PHASES[Phase.LOCKED]
        rows.target[i], rows.normal[i] = body.tips.goal[i], hold.normal
        rows.up[i] = wall_up(hold.normal, up, heading, 0.0)
    body.settle(normal, up, forward if forward.any() else heading)
    off = np.linalg.norm(body.tips.position - body.tips.goal, axis=1)
    failed = {limb.name for limb, far in zip(limbs, off, strict=True) if far > CONTACT_TOLERANCE}
    if failed:
        return None, np.inf, failed
    return Placement(body.pose.copy(), chosen), body.depth_in_wall(wall, normal), set()


def _start_pose(body: WholeBody, limbs: tuple[Limb, ...], holds: tuple[Hold, ...], normal: Vector, up: Vector) -> Pose:
    """The natural posture facing the wall, its tips on average where the holds are."""
    pose = Pose(np.zeros(3), np.array([0.0, 0.0, 0.0, 1.0]), body.climbing_posture)
    set_orientation(pose, body.facing(normal, up))
    body.pose = pose
    body.locate()
    pose.position[:] = np.mean([hold.point for hold in holds], axis=0) - body.tips.position.mean(axis=0)
    return pose


def _hold_near(wall: Wall, wish: Vector, normal: Vector, right: Vector, up: Vector, height: float) -> Hold | None:
    """The climbable surface nearest to a wished place, searched in widening rings."""
    depth = max(height, 0.3)
    for ring in RINGS:
        for angle in np.linspace(0.0, 2.0 * np.pi, 8, endpoint=False) if ring else (0.0,):
            place = wish + (right * np.cos(angle) + up * np.sin(angle)) * (ring * height)
            hit = wall.trace(place + normal * depth, place - normal * depth)
            if hit is not None and hit.climbable and not (hit.backface and wall.oriented):
                return Hold(hit.point, hit.normal)
    return None
