"""What reaches the control loop from topics and services, as plain records that cross the threads in one queue."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from climbing_rig.rig.program import Program
from climbing_rig.wall import Wall

Answer = Callable[[bool, str], None]
"""Called once with whether it was done, and words."""

AUTOMATIC = ""
"""The limb of a move that names none."""


@dataclass(frozen=True)
class Move:
    """Push a limb along the wall.

    Attributes:
        limb: Its name, or AUTOMATIC.
        right: m/s along the wall as the climber sees it.
        up: m/s along the wall.
        stamp: When it was said, nanoseconds of the node's clock.
    """

    limb: str
    right: float
    up: float
    stamp: int


@dataclass(frozen=True)
class Goal:
    """Send a limb to a position in map (metres)."""

    limb: str
    position: tuple[float, float, float]


@dataclass(frozen=True)
class Refusal:
    """A message that was refused before it reached the climber.

    Attributes:
        limb: Whom it was for; "" when that is not known.
        words: What was wrong, given, and accepted.
    """

    limb: str
    words: str


@dataclass(frozen=True)
class NewWall:
    """A wall, built and ready."""

    wall: Wall
    words: str


@dataclass(frozen=True)
class WallRefused:
    """A wall message that could not be used; the wall before it stays."""

    words: str


@dataclass(frozen=True)
class NewRig:
    """A rig, compiled and ready.

    Attributes:
        program: It.
        file: Where it was read from, as named by whoever chose it.
        graph: The graph as JSON, for ~/rig.
        answers: Whom to tell when it runs.
    """

    program: Program
    file: str
    graph: str
    answers: tuple[Answer, ...] = ()


@dataclass(frozen=True)
class RigRefused:
    """A rig that cannot be used; the one before it goes on.

    Attributes:
        file: Its file.
        words: What is wrong: node, pin and line.
        answers: Whom to tell.
    """

    file: str
    words: str
    answers: tuple[Answer, ...] = ()


class Verb(Enum):
    """What a service asks for."""

    GRIP = "grip"
    RELEASE = "release"
    RELEASE_ALL = "release all"
    ATTACH = "attach"
    RESET = "reset"
    STOP = "stop"
    PAUSE = "pause"
    RESUME = "resume"


@dataclass(frozen=True)
class Call:
    """A service call.

    Attributes:
        verb: What to do.
        answer: Whom to tell the result, once.
        limb: Whose grip; "" for the verbs that concern all.
    """

    verb: Verb
    answer: Answer
    limb: str = ""


Event = Move | Goal | Refusal | NewWall | WallRefused | NewRig | RigRefused | Call
