"""Light, ground and sky around the climber, and the camera that looks at it."""

from __future__ import annotations

import math

import numpy as np
import viser
from numpy.typing import NDArray

from climbing_rig.maths import unit
from climbing_rig.view.palette import DARK, LIGHT, Setting

FIELD_OF_VIEW = math.radians(40.0)
BACK, ASIDE, ABOVE = 3.0, 2.0, 0.55
"""Where the camera starts, metres from the climber: away from the wall, to its left, up."""
ROOM = 0.35
"""Metres the climber may move before a following camera goes along."""
_SKY_ROWS = 128
_WARM, _COOL = (255, 243, 226), (196, 212, 255)

Vector = NDArray[np.float64]


class Stage:
    """Everything around climber and wall."""

    def __init__(self, server: viser.ViserServer) -> None:
        self._server = server
        self._framed: Vector | None = None
        self._dark: bool | None = None
        scene = server.scene
        scene.configure_default_lights(False)
        scene.configure_environment_map("studio", environment_intensity=0.38)
        self._sun = scene.add_light_directional(
            "/sun", color=_WARM, intensity=2.1, cast_shadow=True, position=(-3.0, 2.6, 5.0)
        )
        scene.add_light_directional("/fill", color=_COOL, intensity=0.5, position=(-3.0, -4.0, 1.0))
        server.initial_camera.fov = FIELD_OF_VIEW
        self._aim(np.array([0.0, 0.0, 1.1]), np.array([-1.0, 0.0, 0.0]))
        self.set_dark(False)

    def set_dark(self, dark: bool) -> None:
        """A light or a dark page."""
        if dark == self._dark:
            return
        self._dark = dark
        setting = DARK if dark else LIGHT
        self._server.gui.configure_theme(
            dark_mode=dark, show_logo=False, show_share_button=False, control_width="medium", brand_color=(55, 96, 160)
        )
        self._server.scene.set_background_image(_sky(setting), format="png")
        self._server.scene.add_grid(
            "/ground",
            infinite_grid=True,
            cell_size=0.5,
            section_size=1.0,
            cell_color=setting.grid,
            section_color=setting.section,
            fade_distance=18.0,
            fade_strength=1.5,
            shadow_opacity=0.25,
            plane_color=setting.ground,
            plane_opacity=0.0,
        )

    def set_shadows(self, shadows: bool) -> None:
        """With or without shadows, which a machine without a graphics card draws slowly."""
        if self._sun.cast_shadow != shadows:
            self._sun.cast_shadow = shadows

    # -- camera --------------------------------------------------------------------------------------------------

    def frame(self, centre: Vector, normal: Vector) -> None:
        """Shows the climber and its wall three-quarter from behind, in every open browser and for later ones.

        Args:
            centre: (3,) of the climber.
            normal: (3,) unit, out of the wall.
        """
        position, look_at = self._aim(centre, normal)
        self._framed = centre
        for client in self._server.get_clients().values():
            with client.atomic():
                client.camera.position = position
                client.camera.look_at = look_at

    def follow(self, centre: Vector) -> None:
        """Moves every camera along with the climber once it has left the middle of the picture."""
        if self._framed is None:
            self._framed = centre
        away = centre - self._framed
        distance = float(np.linalg.norm(away))
        if distance <= ROOM:
            return
        shift = away * (1.0 - ROOM / distance)
        self._framed = self._framed + shift
        self._server.initial_camera.position = self._server.initial_camera.position + shift
        self._server.initial_camera.look_at = self._server.initial_camera.look_at + shift
        for client in self._server.get_clients().values():
            client.camera.position = client.camera.position + shift

    def rest(self, centre: Vector) -> None:
        """Notes where the climber is while cameras stay where they are."""
        self._framed = centre

    def _aim(self, centre: Vector, normal: Vector) -> tuple[Vector, Vector]:
        up = np.array([0.0, 0.0, 1.0])
        level = normal - up * normal[2]
        out = unit(level) if float(level @ level) > 0.01 else np.array([-1.0, 0.0, 0.0])
        left = np.cross(out, up)  # of a climber who faces the wall
        position = centre + BACK * out + ASIDE * left + ABOVE * up
        # Looked at a little to the side, so that the panel does not cover the climber.
        look_at = centre - 0.25 * left
        camera = self._server.initial_camera
        camera.position, camera.look_at = position, look_at
        return position, look_at


def _sky(setting: Setting) -> NDArray[np.uint8]:
    """(H, 4, 3) background, from the upper colour to the lower one."""
    share = np.linspace(0.0, 1.0, _SKY_ROWS)[:, None]
    top, bottom = (np.array(colour, dtype=np.float64) for colour in setting.sky)
    column = top * (1.0 - share) + bottom * share
    return np.repeat(column[:, None, :], 4, axis=1).astype(np.uint8)
