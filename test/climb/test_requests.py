"""What the facade accepts, refuses and says."""

import numpy as np
import pytest

from climbing_rig import AttachError, Climber, CommandError, ConfigError, LimbCommand, Phase, Wall

LIMBS = ("left_hand", "right_hand", "left_foot", "right_foot")
DT = 0.005


def bits(state):
    return (
        tuple(state.joints.values()),
        state.base.position.tobytes(),
        state.base.orientation.tobytes(),
        tuple((limb.phase, limb.tip.tobytes(), limb.reason) for limb in state.limbs.values()),
    )


def test_the_default_climber_has_four_limbs_and_starts_free(rider):
    assert rider.climber.limb_names == LIMBS
    assert tuple(rider.state.limbs) == LIMBS
    assert tuple(rider.state.joints) == rider.climber.joint_names
    for limb in rider.state.limbs.values():
        assert limb.phase is Phase.FREE
        assert limb.contact is limb.guide is limb.surface_point is None
        np.testing.assert_allclose(limb.normal, [-1.0, 0.0, 0.0], atol=1e-12)


def test_it_stands_on_the_ground(rider):
    assert min(rider.state.limbs[foot].tip[2] for foot in LIMBS[2:]) == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("dt", [0.0, -0.01, 0.2, np.nan, np.inf, "soon", None])
def test_a_bad_dt_is_refused_and_nothing_changes(attached, dt):
    before = bits(attached.climber.state)
    with pytest.raises(CommandError) as error:
        attached.climber.step(dt, {"left_hand": LimbCommand(grip=False)})
    assert error.value.name == "dt"
    assert bits(attached.climber.state) == before


@pytest.mark.parametrize(
    "commands",
    [
        {"third_hand": LimbCommand(grip=True)},
        {"left_hand": LimbCommand(grip=False), "right_hand": LimbCommand(move=(np.nan, 0.0))},
        {"left_hand": LimbCommand(grip=False), "right_hand": LimbCommand(goal=(0.0, 0.0))},
        {"left_hand": "up"},
        {"left_hand": {"grasp": True}},
        ["left_hand"],
    ],
)
def test_a_wrong_command_raises_before_any_limb_has_taken_its_own(attached, commands):
    before = bits(attached.climber.state)
    with pytest.raises(CommandError):
        attached.climber.step(DT, commands)
    assert bits(attached.climber.state) == before
    assert all(limb.phase is Phase.LOCKED for limb in attached.tick().limbs.values())


def test_an_unknown_limb_is_answered_with_the_limbs_there_are(rider):
    with pytest.raises(CommandError) as error:
        rider.climber.step(DT, {"tail": LimbCommand()})
    assert error.value.choices == LIMBS
    assert error.value.given == "tail"


def test_moving_a_free_limb_selects_it(rider, walls):
    state = rider.tick({"left_hand": LimbCommand(move=(0.0, 0.1))})
    assert state.limbs["left_hand"].phase is Phase.SEARCHING
    assert state.limbs["right_hand"].phase is Phase.FREE


@pytest.mark.parametrize("command", [None, LimbCommand(), {}, LimbCommand(move=(0.0, 0.0)), LimbCommand(grip=False)])
def test_no_input_leaves_a_free_limb_free(rider, command):
    state = rider.tick({"left_hand": command} if command is not None else {})
    assert state.limbs["left_hand"].phase is Phase.FREE
    assert state.limbs["left_hand"].reason == ""


def test_gripping_a_free_limb_is_refused_in_words_until_its_next_accepted_request(rider):
    assert "free" in rider.tick({"left_hand": LimbCommand(grip=True)}).limbs["left_hand"].reason
    assert "free" in rider.tick().limbs["left_hand"].reason
    assert "cannot" not in rider.tick({"left_hand": LimbCommand(move=(0.0, 0.1))}).limbs["left_hand"].reason


def test_without_a_wall_a_limb_searches_and_says_so(rider):
    rider.tick({"left_hand": LimbCommand(move=(0.0, 0.3))})
    for _ in range(100):
        state = rider.tick({"left_hand": LimbCommand(move=(0.0, 0.3))})
    limb = state.limbs["left_hand"]
    assert limb.phase is Phase.SEARCHING
    assert limb.reason == "no wall"
    assert "no hold" in rider.tick({"left_hand": LimbCommand(grip=True)}).limbs["left_hand"].reason


def test_moving_a_locked_limb_is_refused_and_moves_nothing(attached):
    before = attached.state
    for _ in range(20):
        state = attached.tick({"left_hand": LimbCommand(move=(0.3, 0.3))})
    assert "locked" in state.limbs["left_hand"].reason
    assert state.limbs["left_hand"].phase is Phase.LOCKED
    np.testing.assert_array_equal(state.limbs["left_hand"].contact, before.limbs["left_hand"].contact)


def test_grip_is_idempotent_and_false_leads_back_to_a_candidate(attached):
    assert attached.tick({"left_hand": LimbCommand(grip=True)}).limbs["left_hand"].reason == ""
    assert attached.tick({"left_hand": LimbCommand(grip=False)}).limbs["left_hand"].phase is Phase.RELEASING
    assert "releasing" in attached.tick({"left_hand": LimbCommand(grip=True)}).limbs["left_hand"].reason
    assert attached.phase("left_hand", Phase.CANDIDATE)
    state = attached.tick({"left_hand": LimbCommand(grip=True)})
    assert state.limbs["left_hand"].phase is Phase.GRIPPING
    assert attached.phase("left_hand", Phase.LOCKED)


def test_a_grip_can_be_taken_back_on_its_way(attached):
    attached.release("right_foot")
    attached.tick({"right_foot": LimbCommand(move=(0.3, 0.0))})
    attached.tick({"right_foot": LimbCommand(grip=True)})
    assert attached.state.limbs["right_foot"].phase is Phase.GRIPPING
    # Hardly on its way: it may be back at its hover in the same tick.
    attached.tick({"right_foot": LimbCommand(grip=False)})
    assert attached.state.limbs["right_foot"].phase in (Phase.RELEASING, Phase.CANDIDATE)
    assert attached.until(lambda state: state.limbs["right_foot"].phase is Phase.CANDIDATE)


def test_move_and_grip_together_grip_first(attached):
    attached.release("left_hand")
    state = attached.tick({"left_hand": LimbCommand(move=(0.0, 0.5), grip=True)})
    assert state.limbs["left_hand"].phase is Phase.GRIPPING
    assert "gripping" in state.limbs["left_hand"].reason


def test_the_last_contact_is_not_released(attached):
    for limb in LIMBS[:3]:
        attached.release(limb)
    state = attached.tick({"right_foot": LimbCommand(grip=False)})
    assert state.limbs["right_foot"].phase is Phase.LOCKED
    assert "too few" in state.limbs["right_foot"].reason


def test_releasing_all_at_once_is_refused_for_all_whatever_their_order(attached):
    state = attached.tick({limb: LimbCommand(grip=False) for limb in LIMBS})
    assert all(limb.phase is Phase.LOCKED and "too few" in limb.reason for limb in state.limbs.values())


def test_a_contact_is_where_the_tip_was_when_it_locked_and_stays_constant(attached):
    attached.release("right_hand")
    attached.until(lambda _: False, {"right_hand": LimbCommand(move=(0.1, 0.4))}, ticks=100)
    assert attached.grip("right_hand")
    limb = attached.state.limbs["right_hand"]
    np.testing.assert_array_equal(limb.contact, limb.tip)
    attached.release("left_foot")
    for _ in range(200):
        state = attached.tick({"left_foot": LimbCommand(move=(0.0, 0.3))})
    np.testing.assert_array_equal(state.limbs["right_hand"].contact, limb.contact)


def test_what_is_returned_cannot_be_changed(attached):
    state = attached.tick()
    with pytest.raises(ValueError, match="read-only"):
        state.limbs["left_hand"].tip[0] = 1.0
    with pytest.raises(TypeError):
        state.joints["knee_flexion_l"] = 0.0


def test_attach_locks_all_limbs_on_the_wall_and_clear_of_it(rider, walls):
    rider.climber.set_wall(walls["flat"])
    state = rider.climber.attach()
    for limb in state.limbs.values():
        assert limb.phase is Phase.LOCKED
        assert abs(limb.tip[0]) < 5e-3
        np.testing.assert_array_equal(limb.contact, limb.tip)
    assert state.base.position[0] < -0.2
    assert state.limbs["left_hand"].tip[1] > 0.0 > state.limbs["right_hand"].tip[1]
    assert state.limbs["left_hand"].tip[2] > state.limbs["left_foot"].tip[2] + 0.8


def test_attach_without_a_wall_names_the_limbs_and_changes_nothing(rider):
    before = bits(rider.climber.state)
    with pytest.raises(AttachError) as error:
        rider.climber.attach()
    assert error.value.choices == LIMBS
    assert bits(rider.climber.state) == before
    assert bits(rider.tick()) == before


def test_attach_refuses_a_wall_out_of_reach(rider):
    y, z = np.meshgrid(np.arange(-2, 2, 0.05), np.arange(0, 3, 0.05))
    rider.climber.set_wall(Wall.from_points(np.column_stack((np.full(y.size, 9.0), y.ravel(), z.ravel()))))
    with pytest.raises(AttachError, match="within 5 m"):
        rider.climber.attach()


def test_attach_finds_a_wall_behind(rider):
    y, z = np.meshgrid(np.arange(-2, 2, 0.03), np.arange(0, 3, 0.03))
    points = np.column_stack((np.full(y.size, -2.5), y.ravel(), z.ravel()))
    rider.climber.set_wall(Wall.from_points(points, viewpoint=(0.0, 0.0, 1.0)))
    state = rider.climber.attach()
    assert all(limb.phase is Phase.LOCKED for limb in state.limbs.values())
    assert state.base.position[0] > -2.5


def test_reset_is_neutral_and_free_wherever_the_climber_was(attached):
    start = attached.climber.reset()
    again = attached.climber.reset()
    assert all(limb.phase is Phase.FREE for limb in start.limbs.values())
    assert bits(start) == bits(again)


def test_contacts_survive_a_change_of_wall(attached, walls):
    before = attached.state
    attached.climber.set_wall(None)
    for _ in range(10):
        state = attached.tick()
    for name, limb in state.limbs.items():
        assert limb.phase is Phase.LOCKED
        np.testing.assert_array_equal(limb.contact, before.limbs[name].contact)


def test_a_moving_attach_keeps_every_rate_and_ends_locked(rider, walls):
    rider.climber.set_wall(walls["flat"])
    rider.climber.begin_attach()
    rider.state = rider.climber.state
    assert rider.climber.attaching
    assert "attaching" in rider.tick({"left_hand": LimbCommand(move=(0.0, 0.2))}).limbs["left_hand"].reason
    assert rider.until(lambda _: not rider.climber.attaching, ticks=3000)
    assert all(limb.phase is Phase.LOCKED for limb in rider.state.limbs.values())


def test_a_wrong_robot_or_config_path_is_refused_by_name():
    with pytest.raises(ConfigError, match=r"nowhere\.yaml"):
        Climber.from_files(config="nowhere.yaml")


def test_time_is_the_sum_of_the_steps(rider):
    start = rider.climber.state.time
    for dt in (0.001, 0.02, 0.1):
        state = rider.climber.step(dt, {})
    assert state.time - start == pytest.approx(0.121)
