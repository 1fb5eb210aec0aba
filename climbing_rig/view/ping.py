"""A ring that widens and fades where the wall was clicked."""

from __future__ import annotations

import time

import numpy as np
import viser
from numpy.typing import NDArray

from climbing_rig.maths import frame_from_axes, quaternion_from_matrix, unit
from climbing_rig.view.palette import Colour
from climbing_rig.view.primitives import ring

LASTS = 0.9  # s
_SMALL, _WIDE = 0.4, 1.6

Vector = NDArray[np.float64]


class Ping:
    """The ring; a new click takes it away from the last one."""

    def __init__(self, server: viser.ViserServer) -> None:
        self._ring = server.scene.add_mesh_simple(
            "/ping", *ring(0.07, 0.006), opacity=0.9, cast_shadow=False, receive_shadow=False, visible=False
        )
        self._since = -LASTS

    def show(self, point: Vector, eye: Vector, colour: Colour) -> None:
        """Starts at ``point`` (3,), turned to the ``eye`` (3,)."""
        towards = unit(eye - point)
        quaternion = np.empty(4)
        quaternion_from_matrix(frame_from_axes(np.cross([0.0, 0.0, 1.0], towards), towards), quaternion)
        self._ring.color = colour
        self._ring.position = point + 0.04 * towards
        self._ring.wxyz = quaternion[[3, 0, 1, 2]]
        self._ring.scale = _SMALL
        self._ring.visible = True
        self._since = time.monotonic()

    def fade(self) -> None:
        """One frame."""
        if not self._ring.visible:
            return
        share = (time.monotonic() - self._since) / LASTS
        if share >= 1.0:
            self._ring.visible = False
            return
        self._ring.scale = _SMALL + (_WIDE - _SMALL) * share
        self._ring.opacity = 0.9 * (1.0 - share)
