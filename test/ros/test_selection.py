"""Automatic choice: the limb nearest in the direction pushed, and no other until the push ends."""

from __future__ import annotations

import numpy as np
import pytest

from climbing_rig.limbs.phases import Phase
from climbing_rig.ros.selection import Selection, nearest_limb, wall_axes
from climbing_rig.state import BaseState, ClimberState, GateStatus, LimbState

NORMAL = np.array([-1.0, 0.0, 0.0])
TIPS = {
    "left_hand": (0.4, 0.3, 1.7), "right_hand": (0.4, -0.3, 1.6), "left_foot": (0.4, 0.2, 0.4),
    "right_foot": (0.4, -0.2, 0.3),
}  # fmt: skip


def state(phases: dict[str, Phase] | None = None, normal: np.ndarray = NORMAL) -> ClimberState:
    """A climber who looks along +x, hands up and feet down, holding with all limbs but those in ``phases``."""
    limbs = {}
    for name, tip in TIPS.items():
        at = np.array(tip)
        phase = (phases or {}).get(name, Phase.LOCKED)
        limbs[name] = LimbState(phase, at, at, normal, at, at, at, "", np.array([0.0, 0.0, 0.0, 1.0]))
    base = BaseState(np.array([0.0, 0.0, 1.0]), np.array([0.0, 0.0, 0.0, 1.0]))
    return ClimberState(0.0, {}, base, limbs, GateStatus.STILL)


def test_right_is_the_climbers_right_and_up_is_up_on_any_wall() -> None:
    right, up = wall_axes(state())
    np.testing.assert_allclose(right, [0.0, -1.0, 0.0], atol=1e-12)
    np.testing.assert_allclose(up, [0.0, 0.0, 1.0], atol=1e-12)
    for normal in ([0.0, 0.0, -1.0], [0.0, 0.0, 1.0], [-0.6, 0.0, -0.8]):
        right, up = wall_axes(state(normal=np.array(normal)))
        assert abs(right @ up) < 1e-12 and abs(up @ normal) < 1e-12


@pytest.mark.parametrize(
    ("right", "up", "limb"),
    [(-1, 1, "left_hand"), (1, 1, "right_hand"), (-1, -1, "left_foot"), (1, -1, "right_foot"), (0, 1, "right_hand")],
)
def test_the_limb_in_the_direction_is_chosen_and_of_two_the_one_behind(right: float, up: float, limb: str) -> None:
    assert nearest_limb(right, up, state()) == limb


def test_limbs_that_can_move_go_before_those_that_hold() -> None:
    one_loose = state({"left_foot": Phase.CANDIDATE})
    assert nearest_limb(1.0, 1.0, one_loose) == "left_foot"
    two_loose = state({"left_foot": Phase.CANDIDATE, "right_hand": Phase.FREE})
    assert nearest_limb(1.0, 1.0, two_loose) == "right_hand"


def test_a_push_stays_with_its_limb_and_the_next_push_chooses_anew() -> None:
    selection, limbs = Selection(), state()
    assert selection.push(-1.0, 1.0, limbs, 10.0, 0.1) == "left_hand"
    assert selection.push(1.0, -1.0, limbs, 10.05, 0.1) == "left_hand"
    assert selection.automatic
    assert selection.push(1.0, -1.0, limbs, 10.5, 0.1) == "right_foot"


def test_a_limb_named_by_the_user_ends_automatic_choice() -> None:
    selection, limbs = Selection(), state()
    selection.push(-1.0, 1.0, limbs, 10.0, 0.1)
    selection.choose("right_foot")
    assert (selection.limb, selection.automatic) == ("right_foot", False)
    assert selection.push(-1.0, 1.0, limbs, 10.01, 0.1) == "left_hand"
