"""Cyclic coordinate descent on hinges, balls and long chains."""

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from puppet import Puppet

ARM = ("clavicle_l", "upperarm_l", "lowerarm_l", "hand_l", "l_gripper")
seeds = st.integers(0, 100_000)


@given(seeds)
@settings(max_examples=30, deadline=None)
def test_the_error_told_is_the_true_one_and_never_grows(seed):
    rng = np.random.default_rng(seed)
    robot = Puppet("climber")
    robot.random_pose(rng)
    bones = robot.bones(*ARM)
    target = robot.place("upperarm_l") + rng.normal(size=3) * 0.35
    before = np.linalg.norm(robot.place("l_gripper") - target)
    for _ in range(4):
        error, _ = robot.ccd(bones, target)
        assert robot.within_limits()
        assert error == pytest.approx(np.linalg.norm(robot.place("l_gripper") - target), abs=1e-9)
        assert error <= before + 1e-12
        before = error


def test_a_target_that_is_there_already_moves_nothing():
    robot = Puppet("tail")
    robot.random_pose(np.random.default_rng(1))
    q = robot.q.copy()
    assert robot.ccd(robot.all_bones(), robot.place("tip") + np.array([0.0099, 0.0, 0.0])) == (pytest.approx(0.0099), 0)
    assert (robot.q == q).all()
    assert robot.ccd(robot.all_bones(), robot.place("tip") + np.array([0.0101, 0.0, 0.0]))[1] > 0
    assert (robot.q != q).any()


@given(seeds)
@settings(max_examples=30, deadline=None)
def test_a_tail_reaches_where_it_has_been(seed):
    rng = np.random.default_rng(seed)
    robot = Puppet("tail")
    robot.random_pose(rng, 0.6)
    target = robot.place("tip")
    robot.pose(robot.q * 0.0)
    for _ in range(20):
        error, _ = robot.ccd(robot.all_bones(), target)
    assert error <= 0.01
    assert robot.within_limits()


def test_a_single_hinge_is_put_to_its_best_angle_at_once():
    robot = Puppet("climber")
    bones = robot.bones("lowerarm_l", "hand_l")
    elbow, target = robot.model.joint_index("elbow_flexion_l"), robot.place("lowerarm_l") + np.array([0.3, 0.1, -0.1])
    robot.ccd(bones, target, weights=(1.0, 1.0), fewest=1, most=1)
    reached, best = np.linalg.norm(robot.place("hand_l") - target), robot.q[elbow]
    assert 0.0 < best < robot.skeleton.upper[elbow]
    for angle in np.linspace(0.0, robot.skeleton.upper[elbow], 500):
        q = robot.q.copy()
        q[elbow] = angle
        robot.pose(q)
        assert np.linalg.norm(robot.place("hand_l") - target) >= reached - 1e-9


@pytest.mark.parametrize("target", [(3.0, 1.0, 0.5), (-2.0, 0.3, 0.0), (0.02, 0.0, 0.01)])
def test_what_cannot_be_reached_is_still_after_a_while_bit_by_bit(target):
    robot = Puppet("tail")
    for _ in range(300):
        robot.ccd(robot.all_bones(), target)
    q = robot.q.copy()
    for _ in range(5):
        robot.ccd(robot.all_bones(), target)
        assert (robot.q == q).all()


def test_a_straight_chain_gets_to_a_target_in_its_own_line():
    robot = Puppet("tail")
    for _ in range(10):
        error, _ = robot.ccd(robot.all_bones(), (0.6, 0.0, 0.0))
    assert error <= 0.01


def test_rounds_rise_with_the_distance_as_a_share_of_the_chain():
    robot = Puppet("chain")
    _, near = robot.ccd(
        robot.all_bones(), robot.place("tip") + np.array([0.02, 0.2, 0.0]), fewest=2, most=30, damping=0.99
    )
    _, far = robot.ccd(
        robot.all_bones(), robot.place("tip") + np.array([-2.5, 0.9, 0.0]), fewest=2, most=30, damping=0.99
    )
    assert 2 <= near <= 4
    assert 14 <= far <= 30


def test_a_weight_of_zero_keeps_a_bone_and_damping_makes_steps_smaller():
    steps = []
    for damping in (0.0, 0.9):
        robot = Puppet("climber")
        robot.ccd(
            robot.bones(*ARM),
            robot.place("l_gripper") + np.array([0.2, 0.1, 0.1]),
            (0, 1, 1, 1, 1),
            1,
            1,
            1e-4,
            damping,
        )
        assert robot.q[robot.model.joint_index("clavicle_elevation_l")] == 0.0
        assert robot.q[robot.model.joint_index("clavicle_protraction_l")] == 0.0
        steps.append(np.abs(robot.q).max())
    assert 0.0 < steps[1] < 0.5 * steps[0]


def test_the_cost_of_a_round_is_linear_in_the_number_of_bones():
    robot = Puppet("chain")
    everything = robot.all_bones()
    seconds = {}
    for count in (25, 100):
        bones = everything[-count:]
        target = robot.place("tip") + np.array([0.0, 9.0, 0.0])
        samples = []
        for _ in range(15):
            robot.pose(robot.q * 0.0)
            start = time.perf_counter()
            robot.ccd(bones, target, fewest=20, most=20, tolerance=1e-9, damping=0.999)
            samples.append(time.perf_counter() - start)
        seconds[count] = min(samples)
    # Four times the bones: four times the time, and some for what does not depend on it. Quadratic would be 16.
    assert seconds[100] < 8.0 * seconds[25]
