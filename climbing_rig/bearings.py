"""Where a climber faces, and the wall as its whole body sees it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from climbing_rig.limbs.guide import wall_up
from climbing_rig.limbs.limb import facing
from climbing_rig.maths import Vector, length, smoothing, unit
from climbing_rig.model.description import BodyDescription
from climbing_rig.pose import Pose, root_axes

NORMAL_RATE = 4.0
"""1/s at which the body normal follows the mean of the holds' normals."""
HEADLONG = 0.3
"""Horizontal part of the facing direction under which the head's direction starts to count as the heading."""


class Bearings:
    """Heading, body normal and wall-up of one climber; all unit, in map.

    Args:
        body: Which directions of the root link face the wall and go to the head.
    """

    def __init__(self, body: BodyDescription) -> None:
        self._forward, self._up = np.array(body.forward), np.array(body.up)
        self.reset()

    def reset(self) -> None:
        """As before any hold."""
        self._normal: Vector | None = None
        self._wall_up = np.zeros(3)

    def place(self, normals: Sequence[Vector]) -> None:
        """Takes the mean of the holds' normals at once: a placement, not a motion."""
        self._normal = unit(np.sum(normals, axis=0))

    def turn(self, normals: Sequence[Vector], pose: Pose, dt: float) -> None:
        """Turns the body normal towards the mean of the holds' normals; without holds it stays."""
        if not normals:
            return
        heading = self.heading(pose)
        wished = facing(list(normals), heading)
        present = -heading if self._normal is None else self._normal
        turned = unit(present + (wished - present) * smoothing(NORMAL_RATE, dt))
        if not turned.any() or float(np.abs(turned - wished).max()) < 1e-6:
            turned = wished
        self._normal = turned
        self._wall_up = wall_up(turned, self._wall_up, heading, dt)

    def heading(self, pose: Pose) -> Vector:
        """Horizontal direction the body faces; where it faces up or down, that of its head."""
        axes = root_axes(pose)
        facing_wall, head = axes @ self._forward, axes @ self._up
        level = np.array([facing_wall[0], facing_wall[1], 0.0])
        share = min(max((HEADLONG - length(level)) / HEADLONG, 0.0), 1.0)
        heading = unit(level + share * np.array([head[0], head[1], 0.0]))
        return heading if heading.any() else np.array([1.0, 0.0, 0.0])

    def normal(self, heading: Vector) -> Vector:
        """Smoothed mean of the holds' normals; the reverse of the heading before any."""
        return self._normal if self._normal is not None else -heading

    def up(self, normal: Vector, heading: Vector) -> Vector:
        """Up the wall; the vertical made square to ``normal`` before any hold."""
        return self._wall_up if self._wall_up.any() else wall_up(normal, self._wall_up, heading, 0.0)
