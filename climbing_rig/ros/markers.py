"""A picture of the limbs for RViz: guides, contacts, normals, and what the selected limb is doing.

Every message holds the same markers under the same ids, so nothing has to be deleted; what is not there has alpha 0.
"""

from __future__ import annotations

from collections.abc import Sequence

from builtin_interfaces.msg import Time
from geometry_msgs.msg import Point
from std_msgs.msg import ColorRGBA
from visualization_msgs.msg import Marker, MarkerArray

from climbing_rig.limbs.phases import Phase
from climbing_rig.maths import Vector
from climbing_rig.ros.status import Situation
from climbing_rig.state import ClimberState, LimbState

COLOURS = {
    Phase.FREE: (0.6, 0.6, 0.6),
    Phase.SEARCHING: (1.0, 0.55, 0.1),
    Phase.CANDIDATE: (0.2, 0.7, 1.0),
    Phase.GRIPPING: (0.95, 0.9, 0.2),
    Phase.LOCKED: (0.2, 0.8, 0.3),
    Phase.RELEASING: (0.8, 0.4, 0.9),
}
SIZE, SELECTED_SIZE, HALO_SIZE = 0.05, 0.07, 0.14
NORMAL_LENGTH = 0.15
LABEL_HEIGHT, LABEL_ABOVE = 0.07, 0.12


class LimbMarkers:
    """The marker message, made once and filled again.

    Args:
        limbs: All limbs.
        frame: Frame of the climber's positions.
        stamp: The tick's stamp object, shared.
    """

    def __init__(self, limbs: Sequence[str], frame: str, stamp: Time) -> None:
        self._markers = {
            (kind, limb): _marker(kind, shape, number, frame, stamp)
            for kind, shape in (
                ("tip", Marker.SPHERE),
                ("guide", Marker.SPHERE),
                ("normal", Marker.ARROW),
                ("label", Marker.TEXT_VIEW_FACING),
                ("selected", Marker.SPHERE),
            )
            for number, limb in enumerate(limbs)
        }
        for (kind, _limb), marker in self._markers.items():
            if kind == "normal":
                marker.points = [Point(), Point()]
                marker.scale.x, marker.scale.y, marker.scale.z = 0.01, 0.025, 0.03
            elif kind == "label":
                marker.scale.z = LABEL_HEIGHT
        self._message = MarkerArray(markers=list(self._markers.values()))

    def fill(self, state: ClimberState, situation: Situation) -> MarkerArray:
        """Writes where everything is and what the limbs say."""
        for name, _phase, _reason, selected in situation.limbs:
            self._fill_limb(name, state.limbs[name], selected)
        for name, phase, reason, selected in situation.limbs:
            label = self._markers["label", name]
            label.text = f"{name}: {phase}\n{reason}" if reason else f"{name}: {phase}"
            label.color.a = 1.0 if selected or reason else 0.0
        return self._message

    def _fill_limb(self, name: str, limb: LimbState, selected: bool) -> None:
        colour = COLOURS[limb.phase]
        tip, guide, normal = (self._markers[kind, name] for kind in ("tip", "guide", "normal"))
        size = SELECTED_SIZE if selected else SIZE
        _place(tip, limb.tip, size)
        _paint(tip.color, colour, 0.9)
        _place(guide, limb.tip if limb.guide is None else limb.guide, 0.6 * size)
        searching = limb.phase in (Phase.SEARCHING, Phase.CANDIDATE)
        _paint(guide.color, colour, 0.6 if limb.guide is not None and searching else 0.0)
        if limb.surface_point is not None:
            _set_point(normal.points[0], limb.surface_point)
            _set_point(normal.points[1], limb.surface_point + limb.normal * NORMAL_LENGTH)
        _paint(normal.color, colour, 0.0 if limb.surface_point is None else 0.8)
        halo = self._markers["selected", name]
        _place(halo, limb.tip, HALO_SIZE)
        _paint(halo.color, (1.0, 1.0, 1.0), 0.3 if selected else 0.0)
        label = self._markers["label", name]
        _set_point(label.pose.position, limb.tip)
        label.pose.position.z += LABEL_ABOVE
        _paint(label.color, (1.0, 1.0, 1.0), label.color.a)


def _marker(namespace: str, shape: int, number: int, frame: str, stamp: Time) -> Marker:
    marker = Marker(ns=namespace, id=number, type=shape, action=Marker.ADD)
    marker.header.frame_id = frame
    marker.header.stamp = stamp
    marker.pose.orientation.w = 1.0
    return marker


def _place(marker: Marker, at: Vector, size: float) -> None:
    _set_point(marker.pose.position, at)
    marker.scale.x = marker.scale.y = marker.scale.z = size


def _set_point(point: Point, at: Vector) -> None:
    point.x, point.y, point.z = at.tolist()


def _paint(colour: ColorRGBA, rgb: tuple[float, float, float], alpha: float) -> None:
    colour.r, colour.g, colour.b = rgb
    colour.a = alpha
