"""How strongly a limb is solved and how strongly it pulls the body: two weights that mean different things."""

from __future__ import annotations

from climbing_rig.limbs.phases import Phase
from climbing_rig.maths import smoothing

LIMB_RAMP = 0.15
"""Seconds ``limb_alpha`` takes from 0 to 1."""
BODY_RATE = 8.0
"""1/s at which ``body_alpha`` follows what it should be."""
PULL_STARTS, PULL_ENDS = 0.6, 0.95
LEAST_PULL = 0.2
SNAP = 1e-6


def limb_alpha(phase: Phase, current: float, dt: float) -> float:
    """Next share of the limb's own solve: ramps up from FREE, exactly 1 from CANDIDATE on, also while LOCKED."""
    if phase is Phase.FREE:
        return max(current - dt / LIMB_RAMP, 0.0)
    if phase is Phase.SEARCHING:
        return min(current + dt / LIMB_RAMP, 1.0)
    return 1.0


def body_alpha(phase: Phase, extension: float, current: float, dt: float) -> float:
    """Next share of the limb's pull on the whole body.

    Args:
        phase: The limb's phase; LOCKED pulls fully, FREE not at all.
        extension: Distance from shoulder or hip to the target over the limb's reach.
        current: Last tick's value.
        dt: Seconds.
    """
    if phase is Phase.FREE:
        wished = 0.0
    elif phase is Phase.LOCKED:
        wished = 1.0
    else:
        share = min(max((extension - PULL_STARTS) / (PULL_ENDS - PULL_STARTS), 0.0), 1.0)
        wished = LEAST_PULL + (1.0 - LEAST_PULL) * share
    following = current + (wished - current) * smoothing(BODY_RATE, dt)
    return wished if abs(following - wished) < SNAP else following
