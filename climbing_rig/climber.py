"""The facade: a climber on a wall, moved limb by limb."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from climbing_rig.bearings import Bearings
from climbing_rig.ik import gate
from climbing_rig.ik.tips import IDLE, LOCKED, MOVING
from climbing_rig.limbs.command import LimbCommand, checked_commands, checked_dt
from climbing_rig.limbs.limb import Limb, Surroundings
from climbing_rig.limbs.phases import Phase
from climbing_rig.model import RobotDescription, RobotModel, load_description, load_urdf
from climbing_rig.placement import Placement, plan_placement
from climbing_rig.pose import Pose
from climbing_rig.rig import Graph, Machine, Program, load_graph
from climbing_rig.share import resolve
from climbing_rig.snapshot import GATE_STATUS, snapshot
from climbing_rig.state import ClimberState, GateStatus
from climbing_rig.wall import Wall
from climbing_rig.whole_body import WholeBody

REACH_MARGIN = 0.012
"""Share of a limb's length it never straightens through; a fixed length would mean other bends on other robots."""


class Climber:
    """A robot with limbs on a wall; ``step`` alone moves time.

    Every LOCKED limb's tip stays on its contact, and no joint limit, joint velocity, base speed or tip speed is
    exceeded, whatever is asked: see ``ik.gate``.

    Args:
        model: The robot.
        description: Its limbs, body and posture.
        wall: The surface, or None.
        min_contacts: LOCKED limbs that must remain; a release that would leave fewer is refused.
        rig: The graph that proposes its poses; None for the one its description names.
    """

    def __init__(
        self,
        model: RobotModel,
        description: RobotDescription,
        wall: Wall | None = None,
        *,
        min_contacts: int = 1,
        rig: Graph | None = None,
    ) -> None:
        description.check_against(model)
        self._body = WholeBody(model, description, load_graph(description.rig) if rig is None else rig)
        self._wall = wall
        self._min_contacts = min_contacts
        self._bearings = Bearings(description.body)
        self._limbs: dict[str, Limb] = {}
        self._placement: Placement | None = None
        self._time = 0.0
        self._start = self._standing_pose()
        self.reset()

    @classmethod
    def from_files(
        cls,
        urdf: str | Path | None = None,
        config: str | Path = "config/climber.yaml",
        wall: Wall | None = None,
        *,
        min_contacts: int = 1,
        rig: str | Path | Graph | None = None,
    ) -> Climber:
        """A climber from a robot description.

        Args:
            urdf: The robot; None for the one the config names.
            config: Its limbs, body and posture (YAML).
            wall: The surface, or None.
            min_contacts: See the class.
            rig: A graph or its file; None for the one the config names.

        Raises:
            ModelError: The URDF cannot be used; the error names the joint or link.
            ConfigError: The config cannot be used or a file is missing; the error names the key.
            RigError: The rig cannot be compiled for this robot; the error names node, pin and line.
        """
        description = load_description(resolve(config))
        model = load_urdf(resolve(urdf if urdf is not None else description.urdf), description.joints)
        graph = rig if rig is None or isinstance(rig, Graph) else load_graph(rig)
        return cls(model, description, wall, min_contacts=min_contacts, rig=graph)

    # -- what it is ----------------------------------------------------------------------------------------------

    @property
    def model(self) -> RobotModel:
        """The robot."""
        return self._body.model

    @property
    def description(self) -> RobotDescription:
        """Its limbs, body and posture."""
        return self._body.description

    @property
    def limb_names(self) -> tuple[str, ...]:
        """The limbs, in the order of the config."""
        return self._body.limb_names

    @property
    def joint_names(self) -> tuple[str, ...]:
        """Every movable joint, mimic joints too, in the order of ``state.joints``."""
        return self.model.movable_joint_names

    @property
    def wall(self) -> Wall | None:
        """The surface, or None."""
        return self._wall

    @property
    def attaching(self) -> bool:
        """Whether the climber is on its way to a placement (see ``begin_attach``)."""
        return self._placement is not None

    @property
    def state(self) -> ClimberState:
        """The present state, without moving time."""
        return self._state

    @property
    def rig(self) -> Machine:
        """The machine that runs its rig: every value can be looked at, literals and inputs of its own be set."""
        return self._body.proposal.machine

    def compile_rig(self, rig: str | Path | Graph) -> Program:
        """Compiles a graph, or a file with one, for this robot; changes nothing, callable from any thread.

        Raises:
            RigError: It cannot be compiled.
        """
        return self._body.proposal.compile(rig)

    def load_rig(self, program: Program) -> None:
        """Exchanges the rig between two ticks; the pose does not jump, and variables of the same name go on.

        Raises:
            RigError: It was compiled for another robot.
        """
        self._body.proposal.load(program)

    def set_wall(self, wall: Wall | None) -> None:
        """Replaces the wall; contacts stay where they are."""
        self._wall = wall

    # -- placements ----------------------------------------------------------------------------------------------

    def _standing_pose(self) -> Pose:
        """Neutral, upright at the configured start, its lowest tip on the ground."""
        x, y, yaw = self.description.body.start
        pose = Pose(
            np.array([x, y, 0.0]),
            np.array([0.0, 0.0, math.sin(0.5 * yaw), math.cos(0.5 * yaw)]),
            self.model.neutral.copy(),
        )
        self._body.pose = pose
        self._body.locate()
        if self.limb_names:
            pose.position[2] = -float(self._body.tips.position[:, 2].min())
        return pose

    def reset(self) -> ClimberState:
        """The neutral pose at the start, all limbs FREE: a placement, not a motion."""
        self._body.pose = self._start.copy()
        self._limbs = {name: self._new_limb(name) for name in self.limb_names}
        self._placement = None
        self._bearings.reset()
        self._body.proposal.reset()
        self._refresh()
        return self._publish(GateStatus.STILL)

    def _new_limb(self, name: str) -> Limb:
        description = self.description.limbs[name]
        model = self.model
        points = [
            self._body.translations[body] + self._body.rotations[body] @ offset
            for body, _, offset in map(model.frame, (description.root, description.mid, description.end))
        ]
        stretched = sum(float(np.linalg.norm(b - a)) for a, b in itertools.pairwise(points))
        reach = min(stretched * (1.0 - REACH_MARGIN), description.max_reach)
        i = self.limb_names.index(name)
        wrist_offset = self._body.tips.rotation[i].T @ (self._body.tips.position[i] - points[2])
        return Limb(name, description, reach, wrist_offset)

    def attach(self) -> ClimberState:
        """Puts every limb on the nearest climbable wall, in a natural pose clear of it: a placement, not a motion.

        Raises:
            AttachError: No wall within 5 m, or limbs that find no hold; nothing has changed.
        """
        placement = plan_placement(
            self._body, tuple(self._limbs.values()), self._wall, self._bearings.heading(self._body.pose)
        )
        self._arrive_at(placement)
        return self._publish(GateStatus.STILL)

    def _plan(self) -> Placement:
        heading = self._bearings.heading(self._body.pose)
        return plan_placement(self._body, tuple(self._limbs.values()), self._wall, heading)

    def begin_attach(self) -> None:
        """Plans the placement of ``attach``; the coming steps carry it out within every rate.

        All limbs let go and are FREE until the pose is reached; then all are LOCKED and ``attaching`` turns false.

        Raises:
            AttachError: As for ``attach``; nothing has changed.
        """
        placement = plan_placement(
            self._body, tuple(self._limbs.values()), self._wall, self._bearings.heading(self._body.pose)
        )
        self._limbs = {name: self._new_limb(name) for name in self.limb_names}
        self._placement = placement
        self._refresh()
        self._publish(GateStatus.SOLVED)

    def cancel_attach(self) -> None:
        """Gives up a placement under way: the limbs stay FREE and the body stays where it is."""
        self._placement = None

    def _arrive_at(self, placement: Placement) -> None:
        self._placement = None
        self._body.pose = placement.pose.copy()
        self._limbs = {name: self._new_limb(name) for name in self.limb_names}
        self._bearings.place([hold.normal for hold in placement.holds])
        self._refresh()
        self._body.proposal.reset()
        here = self._surroundings()
        for limb, hold in zip(self._limbs.values(), placement.holds, strict=True):
            limb.lock(hold.point, hold.normal, here)

    # -- one tick ------------------------------------------------------------------------------------------------

    def step(self, dt: float, commands: Mapping[str, LimbCommand | Mapping[str, Any]] | None = None) -> ClimberState:
        """Moves time on by ``dt`` and returns the state reached.

        Args:
            dt: Seconds, 0 < dt <= 0.1.
            commands: Limb name -> command; a limb that is missing has no input.

        Raises:
            CommandError: A wrong call (dt, limb name, shape, not finite): nothing has changed. A wish that cannot be
                met is no error: it sets the limb's ``reason``.
        """
        dt = checked_dt(dt)
        checked = checked_commands(commands or {}, self.limb_names)
        if self._placement is not None:
            return self._step_to_placement(self._placement, dt, checked)

        here = self._surroundings()
        leaving = [n for n, c in checked.items() if c.grip is False and self._limbs[n].phase is Phase.LOCKED]
        holding = sum(limb.phase is Phase.LOCKED for limb in self._limbs.values())
        may_release = holding - len(leaving) >= self._min_contacts
        for name, command in checked.items():
            self._limbs[name].take(command, dt, here, may_release)
        for limb in self._limbs.values():
            limb.seek(dt, here)
        held = [limb.normal for limb in self._limbs.values() if limb.phase is Phase.LOCKED]
        self._bearings.turn(held, self._body.pose, dt)
        self._set_goals(dt)
        proposal = self._body.proposal
        proposal.see(self._wall)
        proposal.ask(tuple(self._limbs.values()))
        # With no contact the base of a climber stands still; a robot that has no limbs goes where its rig says.
        base_moves = not self._limbs or bool(held)
        here = self._surroundings()
        up = self._bearings.up(here.body_normal, here.heading)
        result = self._body.follow(dt, base_moves, here.body_normal, up, here.heading)
        self._refresh()
        for i, limb in enumerate(self._limbs.values()):
            if limb.phase is not Phase.LOCKED:
                limb.wished_rotation = proposal.limbs.tips.goal_rotation[i].copy()
            limb.arrive(dt, here)
        self._time += dt
        return self._publish(GATE_STATUS[result.status], result.bound, result.words)

    def _step_to_placement(self, placement: Placement, dt: float, commands: Mapping[str, LimbCommand]) -> ClimberState:
        for name, command in commands.items():
            if command != LimbCommand():
                self._limbs[name].reason = "attaching: wait until all limbs hold"
        self._set_goals(dt)
        result = self._body.step(dt, True, self._body.step_to(placement.pose))
        self._refresh()
        if result.status == gate.STILL:
            self._arrive_at(placement)
        self._time += dt
        return self._publish(GATE_STATUS[result.status], result.bound)

    def _surroundings(self) -> Surroundings:
        heading = self._bearings.heading(self._body.pose)
        return Surroundings(self._wall, self._bearings.normal(heading), heading)

    def _set_goals(self, dt: float) -> None:
        tips = self._body.tips
        for i, limb in enumerate(self._limbs.values()):
            tips.step[i] = limb.description.follow_speed * dt
            tips.goal_rotation[i] = limb.wished_rotation
            if limb.phase is Phase.FREE:
                tips.mode[i] = IDLE
                continue
            tips.mode[i] = LOCKED if limb.phase is Phase.LOCKED else MOVING
            tips.goal[i] = limb.target

    def _refresh(self) -> None:
        """Brings the limbs' tips and reach centres up to the present pose."""
        body = self._body
        body.locate()
        for i, limb in enumerate(self._limbs.values()):
            limb.tip = body.tips.position[i].copy()
            limb.rotation = body.tips.rotation[i].copy()
            limb.centre = body.reach_centre(i)

    def _publish(self, status: GateStatus, bound: NDArray[np.int64] | None = None, rig_words: str = "") -> ClimberState:
        self._state = snapshot(
            self._body, self._limbs, self._surroundings().body_normal, self._time, status, bound, rig_words
        )
        return self._state
