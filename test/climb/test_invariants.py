"""The bounds that hold by construction, on walls of every kind; the rider checks them on every single tick."""

import itertools

import numpy as np
import pytest

from climbing_rig import GateStatus, LimbCommand, Phase

LIMBS = ("left_hand", "right_hand", "left_foot", "right_foot")


@pytest.mark.parametrize("wall", ["flat", "slab", "overhang", "bumpy", "scanned"])
def test_four_limbs_in_turn_climb_without_any_locked_tip_leaving_its_hold(rider, walls, wall):
    rider.climber.set_wall(walls[wall])
    rider.state = start = rider.climber.attach()
    locked = 0
    for limb in ("right_hand", "left_foot", "left_hand", "right_foot"):
        rider.release(limb)
        rider.until(lambda _: False, {limb: LimbCommand(move=(0.0, 0.5))}, ticks=80)
        for _ in range(5):
            # On a scan the way up may end over a hole or under a hold: come back down until there is something to grip.
            rider.phase(limb, Phase.CANDIDATE, {limb: LimbCommand(move=(0.0, -0.3))}, ticks=200)
            if rider.grip(limb):
                locked += 1
                break
    assert locked == 4
    assert rider.state.base.position[2] > start.base.position[2] + 0.05
    assert rider.worst_drift <= 1e-4


@pytest.mark.parametrize("limb", LIMBS)
def test_dragging_one_limb_far_out_of_reach_in_26_directions_moves_no_other_hold(attached, limb):
    attached.release(limb)
    home = attached.state.limbs[limb].tip
    attached.climber.set_wall(None)  # nothing to hover over: the tip goes after the guide into free space
    directions = [np.array(d) / np.linalg.norm(d) for d in itertools.product((-1, 0, 1), repeat=3) if any(d)]
    reached = []
    for direction in directions:
        far = 0.0
        for distance in np.concatenate((np.arange(0.0, 1.5, 0.05), np.arange(1.5, 0.0, -0.05))):
            goal = tuple(home + direction * distance)
            for _ in range(4):
                state = attached.tick({limb: LimbCommand(goal=goal)}, dt=0.0125)
            far = max(far, float((state.limbs[limb].tip - home) @ direction))
        reached.append(far)
        attached.until(
            lambda s: np.linalg.norm(s.limbs[limb].tip - home) < 0.01, {limb: LimbCommand(goal=tuple(home))}, ticks=400
        )
        assert np.linalg.norm(attached.state.limbs[limb].tip - home) < 0.01
    assert attached.worst_drift <= 1e-4
    assert np.median(reached) > 0.3


def test_a_still_target_gives_the_same_bits(attached):
    attached.release("left_hand")
    attached.until(lambda _: False, {"left_hand": LimbCommand(move=(-0.2, 0.4))}, ticks=100)
    assert attached.until(lambda state: state.gate is GateStatus.STILL, ticks=4000)
    first = attached.state
    for _ in range(50):
        state = attached.tick()
    assert state.joints == first.joints
    assert state.base.position.tobytes() == first.base.position.tobytes()
    assert state.base.orientation.tobytes() == first.base.orientation.tobytes()


def test_the_same_commands_twice_give_the_same_bits(attached):
    def run():
        attached.state = attached.climber.reset()
        attached.state = attached.climber.attach()
        attached.release("right_hand")
        for k in range(120):
            attached.tick({"right_hand": LimbCommand(move=(0.3 * np.sin(k), 0.4))})
        return attached.state

    first, second = run(), run()
    assert first.joints == second.joints
    assert first.base.position.tobytes() == second.base.position.tobytes()


def test_an_unreachable_goal_is_pursued_to_the_reach_ball_and_said(attached):
    attached.release("left_hand")
    goal = tuple(attached.state.limbs["left_hand"].tip + np.array([0.0, 0.4, 1.5]))
    attached.until(lambda _: False, {"left_hand": LimbCommand(goal=goal)}, ticks=1)
    attached.until(lambda _: False, ticks=600)
    limb = attached.state.limbs["left_hand"]
    assert "beyond the limb's reach" in limb.reason
    assert limb.tip[2] > attached.state.base.position[2] + 0.8
    assert limb.phase is Phase.CANDIDATE


def test_a_hand_moved_right_goes_to_the_climbers_right_and_up_goes_up(attached):
    attached.release("right_hand")
    before = attached.state.limbs["right_hand"].tip
    attached.until(lambda _: False, {"right_hand": LimbCommand(move=(0.2, 0.0))}, ticks=100)
    attached.until(lambda _: False, ticks=60)
    right = attached.state.limbs["right_hand"].tip - before
    assert right[1] < -0.08  # facing +x, the climber's right is -y
    assert abs(right[2]) < 0.02
    attached.until(lambda _: False, {"right_hand": LimbCommand(move=(0.0, 0.2))}, ticks=100)
    attached.until(lambda _: False, ticks=60)
    assert (attached.state.limbs["right_hand"].tip - before)[2] > 0.08


def test_a_guide_does_not_wind_up_ahead_of_the_tip(attached):
    attached.release("right_hand")
    attached.until(lambda _: False, {"right_hand": LimbCommand(move=(0.0, 0.5))}, ticks=1200)
    at_the_edge = attached.state.limbs["right_hand"].tip[2]
    attached.until(lambda _: False, {"right_hand": LimbCommand(move=(0.0, -0.5))}, ticks=150)
    assert attached.state.limbs["right_hand"].tip[2] < at_the_edge - 0.1


def test_a_candidate_hovers_at_its_offset_over_the_wall(attached):
    attached.release("left_hand")
    attached.until(lambda _: False, ticks=200)
    limb = attached.state.limbs["left_hand"]
    assert float((limb.tip - limb.surface_point) @ limb.normal) == pytest.approx(0.04, abs=2e-3)
    np.testing.assert_allclose(limb.normal, [-1.0, 0.0, 0.0], atol=1e-3)


def test_the_body_follows_the_hands_up(attached):
    before = attached.state.base.position[2]
    for limb in ("left_hand", "right_hand"):
        attached.release(limb)
        attached.until(lambda _: False, {limb: LimbCommand(move=(0.0, 0.5))}, ticks=100)
        assert attached.grip(limb)
    attached.until(lambda _: False, ticks=400)
    assert attached.state.base.position[2] > before + 0.08


@pytest.mark.parametrize("limb", ["left_hand", "left_foot"])
def test_a_mirrored_scene_gives_the_mirrored_pose(rider, walls, limb):
    """On an analytic-like flat wall (no jitter), left and right are the same thing to a micrometre."""
    from climbing_rig import Wall

    y, z = np.meshgrid(np.arange(-70, 71) * 0.03, np.arange(0, 140) * 0.03)
    points = np.column_stack((np.zeros(y.size), y.ravel(), z.ravel()))
    rider.climber.set_wall(Wall.from_points(points, normals=np.tile([-1.0, 0.0, 0.0], (len(points), 1))))

    def run(name, side):
        rider.state = rider.climber.reset()
        rider.state = rider.climber.attach()
        rider.release(name)
        rider.until(lambda _: False, {name: LimbCommand(move=(0.2 * side, 0.3))}, ticks=100)
        return rider.state

    other = limb.replace("left", "right")
    left, right = run(limb, -1.0), run(other, 1.0)
    mirror = np.array([1.0, -1.0, 1.0])
    np.testing.assert_allclose(left.base.position, right.base.position * mirror, atol=1e-6)
    for name in LIMBS:
        twin = name.replace("left", "x").replace("right", "left").replace("x", "right")
        np.testing.assert_allclose(left.limbs[name].tip, right.limbs[twin].tip * mirror, atol=1e-6)
    for name, value in left.joints.items():
        twin = name[:-2] + {"_l": "_r", "_r": "_l"}.get(name[-2:], name[-2:])
        if name.endswith(("_l", "_r")):
            assert value == pytest.approx(right.joints[twin], abs=1e-5), name
