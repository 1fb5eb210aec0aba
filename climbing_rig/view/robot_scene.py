"""The robot on the page: one frame for each body, moved by our own forward kinematics."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import viser
from numpy.typing import NDArray

from climbing_rig.maths import matrix_from_quaternion, quaternion_from_matrix
from climbing_rig.model import RobotModel
from climbing_rig.model.description import RobotDescription
from climbing_rig.model.kinematics import forward
from climbing_rig.view.palette import Colour, mixed
from climbing_rig.view.records import Joints, Pose
from climbing_rig.view.robot_shapes import Part, robot_parts

GLOVE, GLOW = 0.85, 0.45
"""How much of a limb's colour its hand or foot has, and the whole limb while it is selected."""

Vector = NDArray[np.float64]


class RobotScene:
    """Draws a robot in the poses it is given.

    Args:
        server: The page.
        model: The robot.
    """

    def __init__(self, server: viser.ViserServer, model: RobotModel) -> None:
        self.model = model
        self._server = server
        count = len(model.tree.parent)
        self._rotations, self._translations = np.zeros((count, 3, 3)), np.zeros((count, 3))
        self._q = model.neutral.copy()
        self._columns: dict[tuple[str, ...], tuple[list[int], list[int]]] = {}
        parts = robot_parts(model)
        self._root = server.scene.add_frame("/robot", show_axes=False, visible=False)
        self._frames = {
            body: server.scene.add_frame(f"/robot/{body}", show_axes=False) for body in sorted({p.body for p in parts})
        }
        self._meshes: list[tuple[Part, viser.MeshHandle]] = [
            (
                part,
                server.scene.add_mesh_simple(
                    f"/robot/{part.body}/{number}", part.mesh.vertices, part.mesh.faces, color=part.colour
                ),
            )
            for number, part in enumerate(parts)
        ]
        self._limb_bodies: dict[str, tuple[set[int], set[int]]] = {}
        self._colours: Mapping[str, Colour] = {}
        self._lit: str | None = None

    def remove(self) -> None:
        """Takes the robot off the page."""
        self._root.remove()

    # -- limbs ---------------------------------------------------------------------------------------------------

    def colour_limbs(self, description: RobotDescription, colours: Mapping[str, Colour]) -> None:
        """Paints every hand and foot in its limb's colour."""
        self._colours = colours
        self._limb_bodies = {}
        for limb, parts in description.limbs.items():
            if limb in colours and {parts.root, parts.end} <= set(self.model.link_names):
                whole, end = self._below(parts.root), self._below(parts.end)
                self._limb_bodies[limb] = (whole, end)
        self._paint()

    def light(self, limb: str | None) -> None:
        """Lets one limb stand out."""
        if limb != self._lit:
            self._lit = limb
            self._paint()

    def _below(self, link: str) -> set[int]:
        """The bodies from a link's on outwards."""
        bodies = {self.model.frame(link)[0]}
        for body, parent in enumerate(self.model.tree.parent):  # parents come before their children
            if int(parent) in bodies:
                bodies.add(body)
        return bodies

    def _paint(self) -> None:
        for part, mesh in self._meshes:
            colour = part.colour
            for limb, (whole, end) in self._limb_bodies.items():
                if part.body in end:
                    colour = mixed(part.colour, self._colours[limb], GLOVE)
                elif part.body in whole and limb == self._lit:
                    colour = mixed(part.colour, self._colours[limb], GLOW)
            if tuple(mesh.color) != colour:
                mesh.color = colour

    # -- poses ---------------------------------------------------------------------------------------------------

    def show(self, joints: Joints, base: Pose, odom: Pose) -> None:
        """Moves the robot.

        Args:
            joints: Joint positions; joints that are not named stay where they were.
            base: The root link in odom.
            odom: Odom in map.
        """
        to, index = self._taken(joints.names)
        self._q[to] = joints.positions[index]
        turn = np.empty((3, 3))
        matrix_from_quaternion(odom.orientation, turn)
        forward(self.model.tree, base.position, base.orientation, self._q, self._rotations, self._translations)
        rotations = turn @ self._rotations
        translations = self._translations @ turn.T + odom.position
        self._rotations, self._translations = np.ascontiguousarray(rotations), translations
        if not np.isfinite(translations).all():
            return
        quaternion = np.empty(4)
        with self._server.atomic():
            for body, frame in self._frames.items():
                quaternion_from_matrix(self._rotations[body], quaternion)
                frame.position = translations[body]
                frame.wxyz = quaternion[[3, 0, 1, 2]]
            self._root.visible = True

    @property
    def centre(self) -> Vector:
        """(3,) middle of all bodies, in map."""
        middle: Vector = self._translations.mean(axis=0)
        return middle

    def place(self, link: str) -> Vector:
        """A link's origin (3,) in map, in the pose shown last.

        Raises:
            ModelError: The robot has no such link.
        """
        body, _, translation = self.model.frame(link)
        return self._rotations[body] @ translation + self._translations[body]

    def _taken(self, names: tuple[str, ...]) -> tuple[list[int], list[int]]:
        """(which of q, which of a message's positions) belong together; kept, since names hardly ever change."""
        if names not in self._columns:
            known = {name: i for i, name in enumerate(self.model.joint_names)}
            pairs = [(known[name], i) for i, name in enumerate(names) if name in known]
            self._columns = {names: ([to for to, _ in pairs], [i for _, i in pairs])}
        return self._columns[names]
