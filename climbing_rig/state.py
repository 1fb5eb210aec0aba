"""What one tick of the climber returns: small frozen records, arrays read-only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from climbing_rig.limbs.phases import Phase

Vector = NDArray[np.float64]


class GateStatus(Enum):
    """How far the gate let the proposal through."""

    SOLVED = "solved"
    """The proposal was reached within the bounds of one tick."""
    CLAMPED = "clamped"
    """A limit, a velocity, a contact or a tip speed held it back; ``bounds`` names them."""
    STALLED = "stalled"
    """No part of the step kept every contact: the last accepted pose stays."""
    RECOVERY = "recovery"
    """The pose started outside a limit and is moving back inside."""
    STILL = "still"
    """Nothing to do: the last accepted pose, bit for bit."""


@dataclass(frozen=True)
class BaseState:
    """The URDF's root link in ``map``.

    Attributes:
        position: (3,), metres.
        orientation: Quaternion (x, y, z, w).
    """

    position: Vector
    orientation: Vector


@dataclass(frozen=True)
class LimbState:
    """One limb after a tick; points in ``map``, metres.

    Attributes:
        phase: What the limb is doing.
        tip: Origin of the contact frame by forward kinematics.
        contact: Where the tip was when it locked; None unless LOCKED.
        normal: Unit surface normal under the limb, from the wall to the climber.
        surface_point: The wall point under the guide (the candidate or the hold), or None.
        guide: The point the user steers, or None while FREE.
        target: Where the tip is going (hover or hold), or None while FREE.
        reason: Why the last request was refused or cannot be met; "" when there is nothing to say.
        orientation: Contact frame's orientation, quaternion (x, y, z, w).
    """

    phase: Phase
    tip: Vector
    contact: Vector | None
    normal: Vector
    surface_point: Vector | None
    guide: Vector | None
    target: Vector | None
    reason: str
    orientation: Vector


@dataclass(frozen=True)
class ClimberState:
    """The whole climber after a tick.

    Attributes:
        time: Sum of the dt given to ``step`` since the climber was made, seconds.
        joints: Every movable joint (mimic joints too) -> rad or m.
        base: The root link.
        limbs: Limb name -> state.
        gate: How far the proposal came through.
        bounds: Names of the bounds that held it back, e.g. ``"velocity of knee_l"``.
        rig: Why the rig stopped in this tick, naming the node; "" while it runs.
    """

    time: float
    joints: Mapping[str, float]
    base: BaseState
    limbs: Mapping[str, LimbState]
    gate: GateStatus
    bounds: tuple[str, ...] = field(default=())
    rig: str = ""
