"""The phases of one limb and the requests each of them accepts: the single source of that table."""

from __future__ import annotations

from enum import Enum
from types import MappingProxyType


class Phase(Enum):
    """What one limb is doing."""

    FREE = "free"
    SEARCHING = "searching"
    CANDIDATE = "candidate"
    GRIPPING = "gripping"
    LOCKED = "locked"
    RELEASING = "releasing"


class Request(Enum):
    """What a user can ask of a limb; a goal counts as a move."""

    MOVE = "move"
    GRIP = "grip"
    RELEASE = "release"


#: (phase, request) -> next phase. A pair that is not here leaves the limb as it is: silently when it is in IDLE, else
#: with the words of REFUSALS.
TRANSITIONS = MappingProxyType(
    {
        (Phase.FREE, Request.MOVE): Phase.SEARCHING,
        (Phase.SEARCHING, Request.MOVE): Phase.SEARCHING,
        (Phase.CANDIDATE, Request.MOVE): Phase.CANDIDATE,
        (Phase.CANDIDATE, Request.GRIP): Phase.GRIPPING,
        (Phase.GRIPPING, Request.RELEASE): Phase.RELEASING,
        (Phase.LOCKED, Request.RELEASE): Phase.RELEASING,
    }
)

#: Requests that ask for what is already so: accepted, and nothing happens.
IDLE = frozenset(
    {
        (Phase.GRIPPING, Request.GRIP),
        (Phase.LOCKED, Request.GRIP),
        (Phase.FREE, Request.RELEASE),
        (Phase.SEARCHING, Request.RELEASE),
        (Phase.CANDIDATE, Request.RELEASE),
        (Phase.RELEASING, Request.RELEASE),
    }
)

REFUSALS = MappingProxyType(
    {
        (Phase.FREE, Request.GRIP): "cannot grip: the limb is free; move it to the wall first",
        (Phase.SEARCHING, Request.GRIP): "cannot grip: no hold under the limb yet",
        (Phase.RELEASING, Request.GRIP): "cannot grip while releasing; wait until the limb hovers",
        (Phase.GRIPPING, Request.MOVE): "cannot move while gripping; release first",
        (Phase.LOCKED, Request.MOVE): "cannot move a locked limb; release it first",
        (Phase.RELEASING, Request.MOVE): "cannot move while releasing; wait until the limb hovers",
    }
)


def refusal(phase: Phase, request: Request) -> str | None:
    """Why ``phase`` refuses ``request``, or None when it accepts it (perhaps by doing nothing)."""
    return REFUSALS.get((phase, request))
