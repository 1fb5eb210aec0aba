"""Quality of service of every topic: declared here once, so that both ends agree."""

from __future__ import annotations

from rclpy.qos import DurabilityPolicy, HistoryPolicy, QoSProfile, ReliabilityPolicy


def _profile(depth: int, *, latched: bool = False) -> QoSProfile:
    return QoSProfile(
        history=HistoryPolicy.KEEP_LAST,
        depth=depth,
        reliability=ReliabilityPolicy.RELIABLE,
        durability=DurabilityPolicy.TRANSIENT_LOCAL if latched else DurabilityPolicy.VOLATILE,
    )


LATCHED = _profile(1, latched=True)
"""wall/map, robot_description, /tf_static: a late subscriber gets the last message. Both ends must ask for it."""

TICK = _profile(100)
"""joint_states, /tf, ~/contacts, ~/tips: half a second of ticks at 200 Hz, so that a slow reader misses none."""

RECORD = _profile(2000)
"""The same topics where every message counts: ten seconds of them may wait."""

STATE = _profile(10)
"""~/status, /diagnostics, ~/markers."""

COMMAND = _profile(10)
"""limb_cmds, <limb>/goal."""
