"""FABRIK: points first, then bones as their joints let."""

import numpy as np
import pytest
from puppet import Puppet


def test_a_tail_nearly_always_reaches_where_it_has_been_and_tells_truly_when_it_does_not():
    reached = 0
    for seed in range(100):
        robot = Puppet("tail")
        robot.random_pose(np.random.default_rng(seed), 0.5)
        target = robot.place("tip")
        robot.pose(robot.q * 0.0)
        for _ in range(20):
            error, _ = robot.fabrik(robot.all_bones(), target)
            assert robot.within_limits()
            assert error == pytest.approx(np.linalg.norm(robot.place("tip") - target), abs=1e-9)
        reached += error <= 0.01
    # Its points know no limits: now and then it gets stuck against them, where CCD would not.
    assert reached >= 90


def test_a_chain_of_a_hundred_bones_reaches_to_the_side():
    robot = Puppet("chain")
    for _ in range(10):
        error, _ = robot.fabrik(robot.all_bones(), (3.0, 2.0, 1.0))
    assert error <= 0.01
    assert robot.within_limits()


def test_a_target_that_is_there_already_moves_nothing():
    robot = Puppet("tail")
    robot.random_pose(np.random.default_rng(2))
    q = robot.q.copy()
    assert robot.fabrik(robot.all_bones(), robot.place("tip"))[1] == 0
    assert (robot.q == q).all()


@pytest.mark.parametrize("target", [(3.0, 1.0, 0.5), (-2.0, 0.3, 0.0), (0.02, 0.0, 0.01)])
def test_what_cannot_be_reached_is_still_after_a_while_bit_by_bit(target):
    robot = Puppet("tail")
    for _ in range(200):
        robot.fabrik(robot.all_bones(), target)
    q = robot.q.copy()
    for _ in range(5):
        robot.fabrik(robot.all_bones(), target)
        assert (robot.q == q).all()


def test_out_of_reach_the_chain_is_straight_towards_the_target():
    robot = Puppet("tail")
    for _ in range(3):
        error, _ = robot.fabrik(robot.all_bones(), (2.0, 1.0, 0.3))
    assert error == pytest.approx(np.linalg.norm([2.0, 1.0, 0.3]) - 0.972, abs=1e-6)


def test_a_chain_in_line_with_its_target_bends():
    robot = Puppet("tail")
    for _ in range(10):
        error, _ = robot.fabrik(robot.all_bones(), (0.7, 0.0, 0.0))
    assert error <= 0.01
    assert robot.within_limits()
