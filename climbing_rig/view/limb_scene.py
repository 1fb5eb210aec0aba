"""The limbs on the page: where each one holds or is going, and handles to drag it along the wall.

A ring lies on the wall under every limb in its colour: filled while it is LOCKED, empty on its way, pulsing when a
hold is under it. The ball in its middle can be clicked (select) and dragged along the wall; the selected limb has
arrows too.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping

import numpy as np
import viser
from numpy.typing import NDArray

from climbing_rig.maths import frame_from_axes, quaternion_from_matrix, unit
from climbing_rig.ros.limb_client import ClimberReport
from climbing_rig.view.palette import Colour
from climbing_rig.view.primitives import cylinder, ring
from climbing_rig.view.records import Pose, phase_of
from climbing_rig.view.wall_scene import WallScene

HELD = ("locked", "gripping", "releasing")
"""Phases in which a limb cannot be sent anywhere."""
_BALL, _RING, _TUBE, _DISC = 0.028, 0.085, 0.008, 0.006  # m: radii, and the disc's thickness
_LIFT = 0.012  # m that rings float over the wall, so that it does not cut them
_ON_WALL = 0.4  # m within which a limb counts as being at the wall
_PULSE, _PULSES = 0.16, 1.3  # share of the size, per second
_GIZMO = 0.16
_CLICK_ECHO = 0.3  # s in which the scene repeats a click that a ball has taken
_DRAG_PAUSE = 3.0  # s without news after which a drag is over: its browser may be gone

Vector = NDArray[np.float64]


class LimbScene:
    """Marks and handles of all limbs.

    Args:
        server: The page.
        wall: The wall limbs are dragged along.
        select: Called with a limb that was clicked.
        send: Called with a limb and the point (3,) it was sent to.
    """

    def __init__(
        self,
        server: viser.ViserServer,
        wall: WallScene,
        select: Callable[[str], None],
        send: Callable[[str, Vector], None],
    ) -> None:
        self._server = server
        self._wall = wall
        self._select = select
        self._send = send
        self._marks: dict[str, _Mark] = {}
        self._selected: str | None = None
        self._taken_click = -math.inf
        self._dragged_at = -math.inf
        self._gizmo = server.scene.add_transform_controls(
            "/arrows", scale=_GIZMO, disable_rotations=True, depth_test=False, opacity=0.85, visible=False
        )
        self._gizmo.on_update(self._on_gizmo)
        server.on_client_disconnect(lambda _client: self._end_drag())

    # -- what is shown -------------------------------------------------------------------------------------------

    def set_limbs(self, colours: Mapping[str, Colour]) -> None:
        """Makes the marks of these limbs, in place of those of others."""
        for mark in self._marks.values():
            mark.remove()
        self._marks = {limb: _Mark(self._server, limb, colour) for limb, colour in colours.items()}
        for limb, mark in self._marks.items():
            self._listen(limb, mark)

    def update(
        self, contacts: Mapping[str, Pose], tips: Mapping[str, Pose], report: ClimberReport, selected: str | None
    ) -> None:
        """Puts every mark where its limb holds or is going.

        Args:
            contacts: LOCKED limbs.
            tips: The others.
            report: Their phases.
            selected: The limb that has the arrows.
        """
        self._selected = selected
        swell = 1.0 + _PULSE * math.sin(2.0 * math.pi * _PULSES * time.monotonic())
        for limb, mark in self._marks.items():
            pose = contacts.get(limb) or tips.get(limb)
            phase = phase_of(report, limb)
            mark.show(
                None if pose is None else pose.position,
                self._wall,
                filled=limb in contacts,
                size=swell if phase == "candidate" else 1.0,
                selected=limb == selected,
            )
        self._place_gizmo(None if selected in contacts else tips.get(selected or ""), phase_of(report, selected))

    def _place_gizmo(self, pose: Pose | None, phase: str) -> None:
        shown = pose is not None and phase not in HELD
        if self._gizmo.visible != shown:
            self._gizmo.visible = shown
        if pose is not None and time.monotonic() - self._dragged_at > _DRAG_PAUSE:
            self._gizmo.position = pose.position

    # -- what is done --------------------------------------------------------------------------------------------

    def took_click(self) -> bool:
        """Whether the click that the scene reports now was meant for a ball."""
        return time.monotonic() - self._taken_click < _CLICK_ECHO

    def _listen(self, limb: str, mark: _Mark) -> None:
        @mark.ball.on_click
        async def _(_event: viser.SceneNodePointerEvent[viser.IcosphereHandle]) -> None:
            self._taken_click = time.monotonic()
            self._select(limb)

        @mark.ball.on_drag
        async def _(event: viser.SceneNodeDragEvent[viser.IcosphereHandle]) -> None:
            if event.phase == "start":
                self._select(limb)
            eye = np.asarray(event.client.camera.position, dtype=np.float64)
            pointer = np.asarray(event.end_position, dtype=np.float64)
            point = self._wall.pick(eye, unit(pointer - eye))
            self._send(limb, pointer if point is None else point)

    async def _on_gizmo(self, event: viser.TransformControlsEvent) -> None:
        if self._selected is None:
            return
        self._dragged_at = time.monotonic()
        self._send(self._selected, np.asarray(event.target.position, dtype=np.float64))
        if event.phase == "end":
            self._end_drag()

    def _end_drag(self) -> None:
        self._dragged_at = -math.inf


class _Mark:
    """One limb's ball, ring and disc."""

    def __init__(self, server: viser.ViserServer, limb: str, colour: Colour) -> None:
        name, scene = f"/limbs/{limb}", server.scene
        self._frame = scene.add_frame(name, show_axes=False, visible=False)
        hoop, plate, halo = ring(_RING, _TUBE), cylinder(_RING, _DISC), ring(1.45 * _RING, 0.5 * _TUBE)
        self.ball = scene.add_icosphere(f"{name}/ball", _BALL, color=colour, cast_shadow=False)
        self._ring = scene.add_mesh_simple(f"{name}/ring", *hoop, color=colour, cast_shadow=False)
        self._disc = scene.add_mesh_simple(f"{name}/disc", *plate, color=colour, opacity=0.55, cast_shadow=False)
        self._halo = scene.add_mesh_simple(f"{name}/halo", *halo, color=(255, 255, 255), cast_shadow=False)
        self._at: Vector | None = None

    def remove(self) -> None:
        """Takes it off the page."""
        self._frame.remove()

    def show(self, at: Vector | None, wall: WallScene, *, filled: bool, size: float, selected: bool) -> None:
        """Puts the mark on the wall under ``at`` (3,), or hides it when nothing is known."""
        _set_visible(self._frame, at is not None)
        _set_visible(self._disc, filled)
        _set_visible(self._halo, selected)
        if self._ring.scale != size:
            self._ring.scale = size
        if at is None or (self._at is not None and np.array_equal(at, self._at)):
            return
        self._at = at
        near = None if wall.wall is None else wall.wall.nearest(at, _ON_WALL)
        self._frame.position = at
        if near is not None:
            up = np.array([0.0, 0.0, 1.0]) if abs(near.normal[2]) < 0.9 else np.array([1.0, 0.0, 0.0])
            # A frame whose x lies along the wall and whose z is the normal: rings are made around z.
            axes = frame_from_axes(np.cross(up, near.normal), near.normal)
            quaternion = np.empty(4)
            quaternion_from_matrix(axes, quaternion)
            self._frame.wxyz = quaternion[[3, 0, 1, 2]]
            depth = float((near.point - at) @ near.normal) + _LIFT
            for part in (self._ring, self._disc, self._halo):
                part.position = (0.0, 0.0, depth)


def _set_visible(node: viser.SceneNodeHandle, visible: bool) -> None:
    if node.visible != visible:
        node.visible = visible
