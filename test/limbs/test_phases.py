"""The phase table: complete, and saying what the specification of the climb says."""

import itertools

import numpy as np
import pytest

from climbing_rig import CommandError, LimbCommand, Phase
from climbing_rig.limbs.phases import IDLE, REFUSALS, TRANSITIONS, Request


@pytest.mark.parametrize(("phase", "request_"), itertools.product(Phase, Request))
def test_every_request_in_every_phase_is_accepted_idle_or_refused_and_only_one_of_them(phase, request_):
    key = (phase, request_)
    assert sum(key in table for table in (TRANSITIONS, IDLE, REFUSALS)) == 1


@pytest.mark.parametrize(
    ("phase", "request_", "following"),
    [
        (Phase.FREE, Request.MOVE, Phase.SEARCHING),
        (Phase.CANDIDATE, Request.GRIP, Phase.GRIPPING),
        (Phase.GRIPPING, Request.RELEASE, Phase.RELEASING),
        (Phase.LOCKED, Request.RELEASE, Phase.RELEASING),
    ],
)
def test_accepted_requests_lead_where_they_should(phase, request_, following):
    assert TRANSITIONS[phase, request_] is following


@pytest.mark.parametrize("phase", [Phase.FREE, Phase.SEARCHING, Phase.RELEASING])
def test_a_grip_needs_a_candidate(phase):
    assert "grip" in REFUSALS[phase, Request.GRIP]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("move", (np.nan, 0.0)),
        ("move", (0.0, np.inf)),
        ("move", (1.0,)),
        ("move", "up"),
        ("goal", (0.0, 0.0)),
        ("goal", (0.0, np.nan, 0.0)),
        ("goal", [[0.0, 0.0, 0.0]]),
        ("grip", 1),
        ("grip", "yes"),
    ],
)
def test_a_malformed_command_is_refused_with_its_limb_and_field(field, value):
    with pytest.raises(CommandError) as error:
        LimbCommand(**{field: value}).checked("left_hand")
    assert error.value.name == f"left_hand.{field}"
    assert "left_hand" in str(error.value)


def test_a_command_takes_arrays_lists_and_numpy_booleans():
    command = LimbCommand(move=np.array([1, 2]), grip=np.True_, goal=[1, 2, 3]).checked("left_hand")
    assert command == LimbCommand(move=(1.0, 2.0), grip=True, goal=(1.0, 2.0, 3.0))
