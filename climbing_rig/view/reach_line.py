"""The line on the wall that the selected limb's tip can reach."""

from __future__ import annotations

import math

import numpy as np
import viser
from numpy.typing import NDArray

from climbing_rig.errors import ModelError
from climbing_rig.maths import unit
from climbing_rig.model.description import LimbDescription
from climbing_rig.view.palette import Colour, mixed
from climbing_rig.view.robot_scene import RobotScene
from climbing_rig.wall import Wall

_POINTS = 72
_DEPTH = 0.6  # m, how far from the plane through the tip the wall is looked for
_LIFT = 0.01  # m
_THICKNESS = 0.008  # m
_MOVED = 0.005  # m that make it worth drawing again

Vector = NDArray[np.float64]


class ReachLine:
    """Draws where the ball around a shoulder or hip meets the wall."""

    def __init__(self, server: viser.ViserServer) -> None:
        nothing = np.zeros((_POINTS, 2, 3))
        self._line = server.scene.add_line_segments(
            "/reach", nothing, (255, 255, 255), thickness=_THICKNESS, visible=False
        )
        self._drawn: tuple[Wall, Vector, float, Colour] | None = None

    def hide(self) -> None:
        """Shows nothing until the next ``show``."""
        if self._line.visible:
            self._line.visible = False

    def show(self, robot: RobotScene, limb: LimbDescription, wall: Wall, colour: Colour) -> None:
        """Draws it for a limb in the pose the robot has on the page."""
        try:
            root, mid, end, tip = (robot.place(link) for link in (limb.root, limb.mid, limb.end, limb.tip))
        except ModelError:  # the description is not this robot's
            self.hide()
            return
        bones = float(np.linalg.norm(mid - root) + np.linalg.norm(end - mid))
        radius = min(bones, limb.max_reach) + float(np.linalg.norm(tip - end))
        if self._is_drawn(wall, root, radius, colour):
            return
        near = wall.nearest(root)
        points = None if near is None else _meeting(wall, root, radius, near.normal)
        if points is None:
            self.hide()
            return
        self._drawn = (wall, root, radius, colour)
        self._line.points = np.stack([points, np.roll(points, -1, axis=0)], axis=1).astype(np.float32)
        self._line.colors = np.array(mixed(colour, (255, 255, 255), 0.35), dtype=np.uint8)
        self._line.visible = True

    def _is_drawn(self, wall: Wall, root: Vector, radius: float, colour: Colour) -> bool:
        if self._drawn is None or not self._line.visible:
            return False
        drawn_wall, drawn_root, drawn_radius, drawn_colour = self._drawn
        still = float(np.linalg.norm(root - drawn_root)) + abs(radius - drawn_radius) < _MOVED
        return still and drawn_wall is wall and drawn_colour == colour


def _meeting(wall: Wall, centre: Vector, radius: float, normal: Vector) -> Vector | None:
    """(K, 3) points on the wall about ``radius`` from ``centre``, all around; None when the wall is out of reach."""
    near = wall.nearest(centre)
    distance = abs(near.distance) if near is not None else math.inf
    if distance >= radius:
        return None
    along = unit(np.cross(normal, [0.0, 0.0, 1.0] if abs(normal[2]) < 0.9 else [1.0, 0.0, 0.0]))
    across = np.cross(normal, along)
    angle = np.linspace(0.0, 2.0 * math.pi, _POINTS, endpoint=False)[:, None]
    circle = np.cos(angle) * along + np.sin(angle) * across
    flat = centre - distance * normal + math.sqrt(radius**2 - distance**2) * circle
    hits = wall.trace_many(flat + _DEPTH * normal, flat - _DEPTH * normal)
    return np.where(hits.found[:, None], hits.points + _LIFT * hits.normals, flat)
