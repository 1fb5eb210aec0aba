"""What the climber lends its rig beside its bones: limbs, the solver's arrays and the wall, as contexts of the units.

All of it is the rig's own copy: what a graph writes here changes its proposal, never what the gate holds.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from climbing_rig.ik.full_body import (
    Posture,
    Probes,
    ProposalWork,
    make_probes,
    make_proposal_work,
    one_posture,
)
from climbing_rig.ik.tips import Tips, one_tip
from climbing_rig.limbs.phases import Phase
from climbing_rig.rig.contexts import declare
from climbing_rig.wall.tree import SurfelTree

Array = NDArray[np.float64]
Flags = NDArray[np.int64]

FREE, SEARCHING, CANDIDATE, GRIPPING, LOCKED, RELEASING = range(len(Phase))
PHASES = {phase: number for number, phase in enumerate(Phase)}
"""A limb's phase -> its number in ``Limbs.phase``."""


class Limbs(NamedTuple):
    """L limbs as the phases left them in this tick; points and directions in map."""

    tips: Tips
    """The solver's goals, written by the rig."""
    phase: Flags
    """(L,) FREE … RELEASING."""
    entered: Flags
    """(L,) 1 in the first tick of a phase."""
    target: Array
    """(L, 3) where the tip is to be: hover, hold or contact."""
    normal: Array
    """(L, 3) unit surface normal under the limb."""
    up: Array
    """(L, 3) unit wall-up direction there."""
    root_body: Flags
    """(L,) with ``root_offset`` the reach centre: shoulder or hip."""
    root_offset: Array
    """(L, 3)."""
    wrist_offset: Array
    """(L, 3) from wrist or ankle to the tip, in the contact frame."""
    reach: Array
    """(L,) longest distance from reach centre to wrist or ankle."""
    foot: Flags
    """(L,) 1 for a foot."""
    side: Array
    """(L,) -1 left, 1 right, 0 in the middle."""


class Solver(NamedTuple):
    """What the full-body solve is drawn to, and its scratch."""

    posture: Posture
    probes: Probes
    work: ProposalWork
    climbing_q: Array
    """(n,) joints the body is drawn to on the wall."""
    neutral_q: Array
    """(n,) and off it."""
    facing_axes: Array
    """(3, 3) forward, left and up of the body in the root link."""
    lean: Array
    """(1,) how far the trunk leans with the wall."""


class Surface(NamedTuple):
    """The wall."""

    tree: SurfelTree
    known: Flags
    """(2,) whether there is a wall, and whether it knows its sides."""


def make_limbs(tips: Tips, root_body: Flags, root_offset: Array, foot: Flags, side: Array) -> Limbs:
    """Limbs that are all FREE, their reach still to be measured."""
    n = len(root_body)
    return Limbs(
        tips=tips,
        phase=np.zeros(n, np.int64),
        entered=np.zeros(n, np.int64),
        target=np.zeros((n, 3)),
        normal=np.tile([-1.0, 0.0, 0.0], (n, 1)),
        up=np.tile([0.0, 0.0, 1.0], (n, 1)),
        root_body=np.ascontiguousarray(root_body, np.int64),
        root_offset=np.ascontiguousarray(root_offset, np.float64).reshape(n, 3),
        wrist_offset=np.zeros((n, 3)),
        reach=np.ones(n),
        foot=np.ascontiguousarray(foot, np.int64),
        side=np.ascontiguousarray(side, np.float64),
    )


def no_surface() -> Surface:
    """The wall of a climber that has none."""
    return Surface(SurfelTree(np.zeros((0, 8)), np.zeros((2, 7)), np.zeros(3)), np.zeros(2, np.int64))


_one = np.ones(1)
LIMBS = declare("limbs", make_limbs(one_tip(), _one.astype(np.int64), np.zeros((1, 3)), np.zeros(1, np.int64), _one),
                "the climber's limbs and their goals")  # fmt: skip
SOLVER = declare(
    "solver",
    Solver(
        one_posture(), make_probes(np.ones(1, np.int64), np.zeros((1, 3)), _one), make_proposal_work(2, 1, 1, 1),
        np.zeros(1), np.zeros(1), np.eye(3), np.zeros(1),
    ),
    "the full-body solver's posture, probes and scratch",
)  # fmt: skip
SURFACE = declare("wall", no_surface(), "the wall's surface")
