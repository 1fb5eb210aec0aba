"""The state in words: ~/status, and the summary of it on /diagnostics.

One DiagnosticStatus a limb: name = the limb, message = its phase and what there is to say, values ``phase``, ``reason``
and ``selected`` ("true" or "false"). One for the node: name = the node, message = the situation, values ``selected`` (a
limb or ""), ``automatic``, ``attaching``, ``paused``, ``stopped``, ``wall``, ``clock``, ``refused``, ``gate``,
``bounds``, ``rig`` (its file, and whether it runs, has stopped, or a newer one was refused; why, in
``rig_stopped`` and ``rig_refused``).
"""

from __future__ import annotations

from dataclasses import dataclass

from builtin_interfaces.msg import Time
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue

from climbing_rig.state import ClimberState


@dataclass(frozen=True)
class Situation:
    """What ~/status says; two that are equal need no second message.

    Attributes:
        node: The node's own (words, level is raised when it is a warning).
        warning: Whether the node's words are one.
        limbs: (name, phase, reason, selected), in the robot's order.
        values: Key -> text of the node's status.
    """

    node: str
    warning: bool
    limbs: tuple[tuple[str, str, str, bool], ...]
    values: tuple[tuple[str, str], ...]


def status_message(name: str, hardware: str, situation: Situation, stamp: Time) -> DiagnosticArray:
    """The ~/status message.

    Args:
        name: The node's name.
        hardware: The robot's name.
        situation: What to say.
        stamp: Its stamp.
    """
    message = DiagnosticArray()
    message.header.stamp = stamp
    message.status = [_limb_status(hardware, *limb) for limb in situation.limbs]
    message.status.append(node_status(name, hardware, situation))
    return message


def node_status(name: str, hardware: str, situation: Situation) -> DiagnosticStatus:
    """The node's own part of it."""
    return DiagnosticStatus(
        level=DiagnosticStatus.WARN if situation.warning else DiagnosticStatus.OK,
        name=name,
        message=situation.node,
        hardware_id=hardware,
        values=[KeyValue(key=key, value=value) for key, value in situation.values],
    )


def _limb_status(hardware: str, limb: str, phase: str, reason: str, selected: bool) -> DiagnosticStatus:
    return DiagnosticStatus(
        level=DiagnosticStatus.WARN if reason else DiagnosticStatus.OK,
        name=limb,
        message=f"{phase}: {reason}" if reason else phase,
        hardware_id=hardware,
        values=[
            KeyValue(key="phase", value=phase),
            KeyValue(key="reason", value=reason),
            KeyValue(key="selected", value="true" if selected else "false"),
        ],
    )


def bounds_text(state: ClimberState, most: int = 4) -> str:
    """The bounds that hold the motion back, the first few of them."""
    shown = ", ".join(state.bounds[:most])
    more = len(state.bounds) - most
    return f"{shown} and {more} more" if more > 0 else shown
