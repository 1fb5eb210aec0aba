"""Writes down what a climber is doing after a tick, as records that share nothing with it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from climbing_rig.ik import gate
from climbing_rig.limbs.limb import Limb
from climbing_rig.limbs.phases import Phase
from climbing_rig.maths import Vector, quaternion_from_matrix
from climbing_rig.state import BaseState, ClimberState, GateStatus, LimbState
from climbing_rig.whole_body import WholeBody

GATE_STATUS = MappingProxyType(
    {
        gate.SOLVED: GateStatus.SOLVED,
        gate.CLAMPED: GateStatus.CLAMPED,
        gate.STALLED: GateStatus.STALLED,
        gate.RECOVERY: GateStatus.RECOVERY,
        gate.STILL: GateStatus.STILL,
    }
)
"""The gate's code -> what it is called outside."""
_HELD_BY = MappingProxyType({gate.AT_SPEED: "velocity", gate.AT_LIMIT: "limit"})
_ROOT_VARIABLES = ("base x", "base y", "base z", "base turn x", "base turn y", "base turn z")


def snapshot(
    body: WholeBody,
    limbs: Mapping[str, Limb],
    body_normal: Vector,
    time: float,
    status: GateStatus,
    bound: NDArray[np.int64] | None,
    rig_words: str = "",
) -> ClimberState:
    """The state of a climber.

    Args:
        body: Its robot, at the present pose.
        limbs: Its limbs.
        body_normal: (3,) the normal of limbs that have none of their own.
        time: Seconds it has lived.
        status: What the gate said.
        bound: (6 + n,) what held each variable back; None when the gate was not asked.
        rig_words: Why the rig stopped; "" while it runs.
    """
    values = body.model.joint_values(body.pose.q)
    return ClimberState(
        time=time,
        joints=MappingProxyType(dict(zip(body.model.movable_joint_names, values.tolist(), strict=True))),
        base=BaseState(_frozen(body.pose.position), _frozen(body.pose.orientation)),
        limbs=MappingProxyType({name: _limb_state(limb, body_normal) for name, limb in limbs.items()}),
        gate=status,
        bounds=() if bound is None else _bound_names(bound, body.model.joint_names),
        rig=rig_words,
    )


def _limb_state(limb: Limb, body_normal: Vector) -> LimbState:
    orientation = np.empty(4)
    quaternion_from_matrix(limb.rotation, orientation)
    free = limb.phase is Phase.FREE
    return LimbState(
        phase=limb.phase,
        tip=_frozen(limb.tip),
        contact=None if limb.contact is None else _frozen(limb.contact),
        normal=_frozen(body_normal if free else limb.normal),
        surface_point=None if limb.surface_point is None else _frozen(limb.surface_point),
        guide=None if free else _frozen(limb.guide),
        target=None if free else _frozen(limb.target),
        reason=limb.words,
        orientation=_frozen(orientation),
    )


def _bound_names(bound: NDArray[np.int64], joints: tuple[str, ...]) -> tuple[str, ...]:
    names = _ROOT_VARIABLES + joints
    return tuple(f"{_HELD_BY[int(bound[j])]} of {names[j]}" for j in np.flatnonzero(bound))


def _frozen(array: Vector) -> Vector:
    copy = np.array(array, dtype=np.float64)
    copy.setflags(write=False)
    return copy
