"""How strongly a limb is solved and how strongly it pulls the body: two weights that mean different things."""

from __future__ import annotations

import math

from numba import njit

LIMB_RAMP = 0.15
"""Seconds ``limb_alpha`` takes from 0 to 1."""
BODY_RATE = 8.0
"""1/s at which ``body_alpha`` follows what it should be."""
PULL_STARTS, PULL_ENDS = 0.6, 0.95
LEAST_PULL = 0.2
SNAP = 1e-6


@njit(cache=True)
def limb_alpha(free: bool, searching: bool, current: float, dt: float) -> float:
    """Next share of the limb's own solve: ramps up from FREE, exactly 1 from CANDIDATE on, also while LOCKED."""
    if free:
        return max(current - dt / LIMB_RAMP, 0.0)
    if searching:
        return min(max(current, 0.0) + dt / LIMB_RAMP, 1.0)
    return 1.0


@njit(cache=True)
def body_alpha(free: bool, locked: bool, extension: float, current: float, dt: float) -> float:
    """Next share of the limb's pull on the whole body.

    Args:
        free: Whether the limb is FREE: it does not pull at all.
        locked: Whether it is LOCKED: it pulls fully.
        extension: Distance from shoulder or hip to the target over the limb's reach.
        current: Last tick's value; negative for none, which takes the wished one at once.
        dt: Seconds.
    """
    if free:
        wished = 0.0
    elif locked:
        wished = 1.0
    else:
        share = min(max((extension - PULL_STARTS) / (PULL_ENDS - PULL_STARTS), 0.0), 1.0)
        wished = LEAST_PULL + (1.0 - LEAST_PULL) * share
    if current < 0.0:
        return wished
    following = current - (wished - current) * math.expm1(-BODY_RATE * dt)
    return wished if abs(following - wished) < SNAP else following
