"""The state of one limb and what moves it from phase to phase."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from climbing_rig.limbs.command import LimbCommand
from climbing_rig.limbs.guide import clamp_to_ball, clip_length, wall_right, wall_up
from climbing_rig.limbs.phases import TRANSITIONS, Phase, Request, refusal
from climbing_rig.limbs.search import find_hold
from climbing_rig.maths import Vector, length, turn_towards, unit

if TYPE_CHECKING:
    from climbing_rig.model.description import LimbDescription
    from climbing_rig.wall import Wall

ARRIVED = 5e-4
"""Metres from its hold at which a gripping tip locks."""
HOVERING = 1e-3
"""Metres from its hover at which a released tip counts as a candidate again."""
PATIENCE = 2.0
"""Seconds a grip or a release may take before it is given up."""
NORMAL_RATE = 6.0
"""rad/s a limb's surface normal turns at most."""
LEASH = 0.4
"""Share of the limb's reach the guide may be ahead of the tip: without it a guide winds up and lags on the way back."""
REATTACH_RATE = 4.0
"""1/s at which a steered guide comes back to the height of the hover over the surface."""


@dataclass(frozen=True)
class Surroundings:
    """What a limb sees of the body and the world in one tick; directions in map.

    Attributes:
        wall: The surface, or None.
        body_normal: Unit mean normal of the holds, or the reverse of the heading before any.
        heading: Unit direction the climber faces.
    """

    wall: Wall | None
    body_normal: Vector
    heading: Vector


@dataclass
class Limb:
    """One hand or foot.

    Positions in map. ``tip``, ``rotation`` and ``centre`` are refreshed by the climber after every accepted pose.
    """

    name: str
    description: LimbDescription
    reach: float
    """Longest distance from reach centre to the wrist or ankle, with its margin, metres."""
    wrist_offset: Vector
    """(3,) from the wrist or ankle to the tip, in the contact frame."""
    phase: Phase = Phase.FREE
    reason: str = ""
    note: str = ""
    """What the search says; shown where there is no refusal to show."""
    tip: Vector = field(default_factory=lambda: np.zeros(3))
    rotation: Vector = field(default_factory=lambda: np.eye(3))
    centre: Vector = field(default_factory=lambda: np.zeros(3))
    normal: Vector = field(default_factory=lambda: np.zeros(3))
    """Unit surface normal under the limb; zeros while FREE, as are ``guide`` and ``target``."""
    up: Vector = field(default_factory=lambda: np.zeros(3))
    guide: Vector = field(default_factory=lambda: np.zeros(3))
    goal: Vector | None = None
    """The position the user asked for, pursued until the next move or grip."""
    surface_point: Vector | None = None
    target: Vector = field(default_factory=lambda: np.zeros(3))
    contact: Vector | None = None
    wished_rotation: Vector = field(default_factory=lambda: np.eye(3))
    """Of the contact frame, as the rig wished it in the last tick; of a LOCKED limb, as it was when it locked."""
    entered: bool = True
    """Whether this is the first tick of the phase."""
    waited: float = 0.0

    @property
    def side(self) -> float:
        """-1 for a limb of the left side, +1 for one of the right, 0 for one in the middle."""
        return float(np.sign(self.description.stance[0]))

    # -- requests ------------------------------------------------------------------------------------------------

    def take(self, command: LimbCommand, dt: float, here: Surroundings, may_release: bool) -> None:
        """Carries out one tick's command (already checked): grip first, then goal or move."""
        if command.grip is not None:
            self._ask(Request.GRIP if command.grip else Request.RELEASE, here, may_release)
        if command.goal is not None:
            if self._ask(Request.MOVE, here, may_release):
                self.goal = np.array(command.goal)
        elif command.move is not None and command.move != (0.0, 0.0) and self._ask(Request.MOVE, here, may_release):
            self.goal = None
            self._steer(command.move, dt)

    def _ask(self, request: Request, here: Surroundings, may_release: bool) -> bool:
        words = refusal(self.phase, request)
        if words is None and request is Request.RELEASE and self.phase is Phase.LOCKED and not may_release:
            words = "cannot release: too few other limbs hold the climber"
        if words is not None:
            self.reason = words
            return False
        self.reason = ""
        following = TRANSITIONS.get((self.phase, request), self.phase)
        if following is not self.phase:
            self._enter(following, here)
        return True

    def _enter(self, phase: Phase, here: Surroundings) -> None:
        previous, self.phase = self.phase, phase
        self.entered = True
        self.waited = 0.0
        self.note = ""
        self.contact = None
        if previous is Phase.FREE:
            self.normal = here.body_normal.copy()
            self.guide = self.tip.copy()
            self.target = self.tip.copy()
            self.wished_rotation = self.rotation.copy()
        if phase is Phase.GRIPPING:
            self.goal = None
            self.target = self._hold + self.normal * self.description.locked_offset
        elif phase is Phase.RELEASING:
            self.target = self._hold + self.normal * self.description.search_offset
        elif phase is Phase.LOCKED:
            self.contact = self.tip.copy()
            self.target = self.contact
            self.wished_rotation = self.rotation.copy()

    @property
    def _hold(self) -> Vector:
        """The surface point held or to be held; the tip's own place before any was found."""
        return self.surface_point if self.surface_point is not None else self.tip

    def lock(self, surface_point: Vector, normal: Vector, here: Surroundings) -> None:
        """Puts the limb on a hold at once, where its tip is: a placement, not a motion."""
        self.normal = normal.copy()
        self.surface_point = surface_point.copy()
        self.guide = self.tip.copy()
        self.goal = None
        self.reason = ""
        self._enter(Phase.LOCKED, here)

    # -- one tick ------------------------------------------------------------------------------------------------

    def _steer(self, move: tuple[float, float], dt: float) -> None:
        up = self.up if self.up.any() else np.array([0.0, 0.0, 1.0])
        velocity = clip_length(wall_right(self.normal, up) * move[0] + up * move[1], self.description.move_speed)
        self.guide = self.guide + velocity * dt
        if self.phase is Phase.CANDIDATE:
            height = float((self.guide - self._hold) @ self.normal) - self.description.search_offset
            self.guide = self.guide - self.normal * (height * min(REATTACH_RATE * dt, 1.0))
        self.guide = clamp_to_ball(self.guide, self.tip, LEASH * self.reach)

    @property
    def tip_centre(self) -> Vector:
        """Centre of the ball the *tip* can reach: the reach centre, shifted by what lies between wrist and tip."""
        return self.centre + self.wished_rotation @ self.wrist_offset

    def seek(self, dt: float, here: Surroundings) -> None:
        """Guide, trace and hover of a limb that looks for a hold."""
        if self.phase is Phase.FREE:
            return
        self.up = wall_up(self.normal, self.up, here.heading, dt)
        if self.phase in (Phase.SEARCHING, Phase.CANDIDATE):
            wish = self.goal if self.goal is not None else self.guide
            self.guide = clamp_to_ball(wish, self.tip_centre, self.reach)
            ways = (self.normal, here.body_normal)
            hold, self.note = find_hold(here.wall, self.guide, ways, self.tip_centre, self.reach)
            if hold is None:
                self.phase = Phase.SEARCHING
                # A miss leaves the hover where it was; only with no wall to hover over does the tip go after the guide.
                if here.wall is None:
                    self.surface_point = None
                if self.surface_point is None:
                    self.target = self.guide
            else:
                turned = np.empty(3)
                turn_towards(self.normal, hold.normal, NORMAL_RATE * dt, turned)
                self.normal = turned
                self.surface_point = hold.point
                self.target = hold.point + self.normal * self.description.search_offset
                self.phase = Phase.CANDIDATE
            if self.goal is not None and not self.note:
                short = length(self.goal - self.guide)
                if short > 1e-3:
                    self.note = f"the goal is {short:.3f} m beyond the limb's reach: going as far as it gets"

    def arrive(self, dt: float, here: Surroundings) -> None:
        """After the pose was accepted: GRIPPING and RELEASING end when the tip is there, never by the clock alone."""
        self.entered = False
        if self.phase not in (Phase.GRIPPING, Phase.RELEASING):
            return
        self.waited += dt
        short = length(self.target - self.tip)
        if self.phase is Phase.GRIPPING:
            if short <= ARRIVED:
                self._enter(Phase.LOCKED, here)
            elif self.waited > PATIENCE:
                self.guide = self.tip.copy()
                self._enter(Phase.CANDIDATE, here)
                self.reason = f"the grip was given up: the tip stayed {short * 1e3:.1f} mm short for {PATIENCE:g} s"
        elif short <= HOVERING or self.waited > PATIENCE:
            self.guide = self.tip.copy()
            self._enter(Phase.CANDIDATE, here)

    @property
    def words(self) -> str:
        """The reason to show: a refusal first, else what the search says."""
        return self.reason or self.note


def facing(normals: list[Vector], heading: Vector) -> Vector:
    """Unit mean of the holds' normals; the reverse of the heading when there is none or they cancel."""
    mean = unit(np.sum(normals, axis=0)) if normals else np.zeros(3)
    return mean if mean.any() else -heading
