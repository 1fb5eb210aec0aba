"""Puts what is heard on the page, thirty times a second, and hands on what is done there."""

from __future__ import annotations

import time

import numpy as np
import viser

from climbing_rig.errors import ClimbingRigError, ModelError
from climbing_rig.maths import unit
from climbing_rig.model import JointSettings, RobotDescription, load_description, load_urdf
from climbing_rig.ros.requests import NewWall, WallRefused
from climbing_rig.share import resolve
from climbing_rig.view.commands import Commands
from climbing_rig.view.keys import bind_keys
from climbing_rig.view.limb_scene import LimbScene
from climbing_rig.view.palette import UNKNOWN, Colour, limb_colours
from climbing_rig.view.panel import Panel
from climbing_rig.view.ping import Ping
from climbing_rig.view.reach_line import ReachLine
from climbing_rig.view.records import Answer, Tick, Vector
from climbing_rig.view.robot_scene import RobotScene
from climbing_rig.view.ros_link import RosLink
from climbing_rig.view.stage import Stage
from climbing_rig.view.wall_scene import WallScene

WORDS_EVERY = 0.2
"""Seconds between two looks at the words and the reach."""
ANSWER_SHOWN = 8.0
"""Seconds the answer of a service stays on the panel."""


class Picture:
    """The whole page.

    Args:
        server: It.
        link: What is heard and where commands go.
    """

    def __init__(self, server: viser.ViserServer, link: RosLink) -> None:
        self._server = server
        self._link = link
        self._commands = Commands(link)
        self._stage = Stage(server)
        self._wall = WallScene(server)
        self._limbs = LimbScene(server, self._wall, self._commands.select, self._commands.send)
        self._reach = ReachLine(server)
        self._ping = Ping(server)
        self._panel = Panel(server, self._commands)
        bind_keys(server, self._commands)
        self._robot: RobotScene | None = None
        self._description: RobotDescription | None = None
        self._drawn_xml: str | None = None
        self._read_file: str | None = None
        self._colours: dict[str, Colour] = {}
        self._drawn_tick: Tick | None = None
        self._framed_for: tuple[bool, bool] = (False, False)
        self._answer: tuple[float, Answer] | None = None
        self._problem = ""
        self._next_words = 0.0
        server.scene.on_click()(self._on_click)
        self._intake = link.hear_wall(self._take_wall)

    def close(self) -> None:
        """Lets the wall's thread end."""
        self._intake.close()

    # -- every frame ---------------------------------------------------------------------------------------------

    def draw(self) -> None:
        """One frame."""
        self._commands.keep_pushing()
        self._take_robot()
        self._take_limbs()
        selected = self._commands.selected
        self._draw_robot(selected)
        self._limbs.update(self._link.contacts, self._link.tips, self._link.report, selected)
        self._ping.fade()
        if time.monotonic() >= self._next_words:
            self._next_words = time.monotonic() + WORDS_EVERY
            self._draw_words()
            self._draw_reach(selected)

    def _take_robot(self) -> None:
        xml = self._link.description
        if xml is None or xml == self._drawn_xml:
            return
        self._drawn_xml = xml
        if self._robot is not None:
            self._robot.remove()
            self._robot = None
        try:
            model = load_urdf(xml, JointSettings(swap_reversed_limits=True))  # it is only looked at
        except ModelError as error:
            self._problem = f"robot_description cannot be drawn: {error}"
            return
        self._problem = ""
        self._robot = RobotScene(self._server, model)
        self._link.expect_root(model.root_link)
        self._paint_limbs()

    def _take_limbs(self) -> None:
        limbs = tuple(self._link.report.limbs)
        if limbs and limbs != tuple(self._colours):
            self._colours = limb_colours(limbs)
            self._limbs.set_limbs(self._colours)
            self._panel.set_limbs(limbs)
            self._paint_limbs()
        if self._link.robot_file != self._read_file:
            self._read_file = self._link.robot_file
            self._description = _description(self._read_file)
            self._paint_limbs()

    def _paint_limbs(self) -> None:
        if self._robot is not None and self._description is not None:
            self._robot.colour_limbs(self._description, self._colours)

    def _draw_robot(self, selected: str | None) -> None:
        tick = self._link.tick
        if self._robot is None or tick is None:
            return
        self._robot.light(selected)
        if tick is not self._drawn_tick:
            self._drawn_tick = tick
            self._robot.show(tick.joints, tick.base, self._link.odom)
        self._aim_camera(self._robot.centre)

    def _aim_camera(self, centre: Vector) -> None:
        """Frames the climber when it is first seen, with its wall, and once more when it first holds."""
        known = (self._wall.wall is not None, bool(self._link.contacts))
        if known != self._framed_for and known >= self._framed_for:
            self._framed_for = known
            facing = self._wall.facing(centre)
            self._stage.frame(centre, np.array([-1.0, 0.0, 0.0]) if facing is None else facing)
        elif self._panel.follow.value:
            self._stage.follow(centre)
        else:
            self._stage.rest(centre)

    # -- words and hints -----------------------------------------------------------------------------------------

    def _draw_words(self) -> None:
        while not self._link.answers.empty():
            self._answer = (time.monotonic(), self._link.answers.get())
        if self._answer is not None and time.monotonic() - self._answer[0] > ANSWER_SHOWN:
            self._answer = None
        self._panel.update(
            self._link.report,
            self._link.silence or self._problem,
            self._link.rate,
            None if self._answer is None else self._answer[1],
            self._colours,
        )
        self._link.rig.wanted = self._panel.rig.shown
        self._panel.rig.update(self._link.rig, self._link.report)
        self._stage.set_dark(self._panel.dark.value)
        self._stage.set_shadows(self._panel.shadows.value)

    def _draw_reach(self, selected: str | None) -> None:
        wall, robot, description = self._wall.wall, self._robot, self._description
        limb = None if description is None else description.limbs.get(selected or "")
        shown = self._panel.reach.value and selected not in self._link.contacts
        if not shown or wall is None or robot is None or limb is None or self._link.tick is None:
            self._reach.hide()
            return
        self._reach.show(robot, limb, wall, self._colours.get(selected or "", UNKNOWN))

    # -- what comes in by itself ---------------------------------------------------------------------------------

    def _take_wall(self, event: NewWall | WallRefused) -> None:
        """Called in the wall's own thread."""
        if isinstance(event, NewWall):
            self._wall.show(event.wall)

    async def _on_click(self, event: viser.SceneClickEvent) -> None:
        if self._limbs.took_click():
            return
        origin, direction = np.asarray(event.ray_origin, np.float64), np.asarray(event.ray_direction, np.float64)
        point = self._wall.pick(origin, unit(direction))
        limb = self._commands.selected
        if point is not None and limb is not None:
            self._ping.show(point, origin, self._colours.get(limb, UNKNOWN))
            self._commands.send(limb, point)


def _description(file: str | None) -> RobotDescription | None:
    """The robot's limbs, or None when its file is not on this machine: then there is no reach to show."""
    if file is None:
        return None
    try:
        return load_description(resolve(file))
    except ClimbingRigError:
        return None
