"""What the page has heard, as plain records: poses of a tick, contacts and tips, and the status in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from diagnostic_msgs.msg import DiagnosticArray
    from geometry_msgs.msg import Transform
    from sensor_msgs.msg import MultiDOFJointState

Vector = NDArray[np.float64]

NOTHING: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True)
class Pose:
    """Position (3,) in metres and orientation (4,) as (x, y, z, w)."""

    position: Vector
    orientation: Vector


@dataclass(frozen=True)
class Joints:
    """One JointState: joint names and (M,) positions in rad or m."""

    names: tuple[str, ...]
    positions: Vector


@dataclass(frozen=True)
class LimbReport:
    """What the status says of one limb.

    Attributes:
        name: The limb.
        phase: In lower case, as in ``Phase``.
        reason: Why a request was refused, or "".
        selected: Whether it is the selected one.
    """

    name: str
    phase: str
    reason: str
    selected: bool


@dataclass(frozen=True)
class Report:
    """One ~/status message.

    Attributes:
        words: The node's situation.
        warning: Whether these words are a warning or an error.
        limbs: In the climber's order.
        values: The node's keys and texts: ``bounds``, ``gate``, ``paused`` and others.
    """

    words: str = ""
    warning: bool = False
    limbs: tuple[LimbReport, ...] = ()
    values: Mapping[str, str] = field(default_factory=lambda: NOTHING)

    @property
    def limb_names(self) -> tuple[str, ...]:
        """The limbs, in the climber's order."""
        return tuple(limb.name for limb in self.limbs)

    @property
    def selected(self) -> str | None:
        """The selected limb, or None."""
        return next((limb.name for limb in self.limbs if limb.selected), None)

    def phase_of(self, limb: str) -> str:
        """A limb's phase, "" when nothing is known of it."""
        return next((report.phase for report in self.limbs if report.name == limb), "")

    def is_on(self, key: str) -> bool:
        """Whether one of the node's values is true."""
        return self.values.get(key) == "true"


def report_from_status(message: DiagnosticArray) -> Report:
    """Reads ~/status: a status with a phase is a limb's, the one without is the node's."""
    limbs, node, node_values = [], None, NOTHING
    for status in message.status:
        values = {pair.key: pair.value for pair in status.values}
        if "phase" in values:
            selected = values.get("selected") == "true"
            limbs.append(LimbReport(status.name, values["phase"].lower(), values.get("reason", ""), selected))
        else:
            node, node_values = status, MappingProxyType(values)
    if node is None:
        return Report(limbs=tuple(limbs))
    return Report(node.message, node.level != type(node).OK, tuple(limbs), node_values)


def poses_from_message(message: MultiDOFJointState) -> dict[str, Pose]:
    """Limb -> pose, from ~/contacts or ~/tips; what is not finite is left out."""
    poses = {
        name: pose_from_transform(transform)
        for name, transform in zip(message.joint_names, message.transforms, strict=False)
    }
    return {name: pose for name, pose in poses.items() if np.isfinite(pose.position).all()}


def pose_from_transform(transform: Transform) -> Pose:
    """A message's transform as arrays."""
    to, turn = transform.translation, transform.rotation
    return Pose(np.array([to.x, to.y, to.z]), np.array([turn.x, turn.y, turn.z, turn.w]))
