"""The verdict is computed from what arrived, and sees what is wrong with it."""

from __future__ import annotations

import copy

import numpy as np
import pytest

from climbing_rig.model import RobotDescription, RobotModel, load_description, load_urdf
from climbing_rig.model.kinematics import forward
from climbing_rig.ros.recorder import Recording, Tick
from climbing_rig.ros.stamps import SECOND
from climbing_rig.ros.verdict import Judge, Verdict
from climbing_rig.share import resolve

PERIOD = 0.005
UP = np.array([0.0, 0.0, 1.0])


@pytest.fixture(scope="module")
def robot() -> tuple[RobotModel, RobotDescription]:
    description = load_description(resolve("config/climber.yaml"))
    return load_urdf(resolve(description.urdf), description.joints), description


@pytest.fixture
def recording(robot: tuple[RobotModel, RobotDescription]) -> Recording:
    """A second of standing still with all limbs locked, but for left_hand, which lets go in the middle of it."""
    model, description = robot
    base = np.array([0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0])
    bodies = len(model.tree.parent)
    rotations, translations = np.empty((bodies, 3, 3)), np.empty((bodies, 3))
    forward(model.tree, base[:3], base[3:], model.neutral, rotations, translations)
    poses = {}
    for name, limb in description.limbs.items():
        body, _, offset = model.frame(limb.tip)
        poses[name] = np.append(translations[body] + rotations[body] @ offset, [0.0, 0.0, 0.0, 1.0])
    joints = model.joint_values(model.neutral)
    ticks = {}
    for number in range(200):
        loose = {"left_hand"} if 80 <= number < 120 else set()
        contacts = {name: pose for name, pose in poses.items() if name not in loose}
        tips = {name: pose for name, pose in poses.items() if name in loose}
        ticks[SECOND + round(number * PERIOD * SECOND)] = Tick(joints.copy(), base.copy(), contacts, tips)
    return Recording(ticks, model.movable_joint_names, 4 * len(ticks))


def judged(robot: tuple[RobotModel, RobotDescription], recording: Recording) -> Verdict:
    return Judge(*robot, UP, PERIOD).judge(recording)


def nth(recording: Recording, number: int) -> Tick:
    return recording.ticks[sorted(recording.ticks)[number]]


def test_standing_still_is_found_faultless(robot, recording) -> None:
    verdict = judged(robot, recording)
    assert verdict.locked_drift_mm_max < 1e-9
    assert (verdict.joint_limit_excess_max, verdict.joint_velocity_ratio_max, verdict.tip_jump_ratio_max) == (0, 0, 0)
    assert (verdict.releases, verdict.releases_per_limb["left_hand"]) == (1, 1)
    assert (verdict.messages, verdict.missing, verdict.climbed_m) == (800, 0, 0.0)
    assert verdict.rate_hz == pytest.approx(200.0)
    assert verdict.finite and not verdict.holds(1.0)


def test_a_held_tip_that_drifts_is_measured_against_the_first_contact_after_the_lock(robot, recording) -> None:
    for number in range(150, 200):
        nth(recording, number).base[0] += 1e-5 * (number - 149)
    assert judged(robot, recording).locked_drift_mm_max == pytest.approx(0.5, abs=1e-6)


def test_a_contact_that_moves_along_does_not_hide_the_drift(robot, recording) -> None:
    for number in range(150, 200):
        tick = nth(recording, number)
        tick.base[0] += 1e-3
        tick.contacts = {name: pose + np.eye(7)[0] * 1e-3 for name, pose in tick.contacts.items()}
    assert judged(robot, recording).locked_drift_mm_max == pytest.approx(1.0, abs=1e-6)


def test_a_joint_that_is_too_fast_or_too_far_is_seen(robot, recording) -> None:
    model, _ = robot
    joint = model.movable_joint_names.index("elbow_flexion_l")
    limit = model.velocity[model.joint_index("elbow_flexion_l")]
    nth(recording, 100).joints[joint] += 3.0 * limit * PERIOD
    assert judged(robot, recording).joint_velocity_ratio_max == pytest.approx(3.0, abs=1e-5)
    nth(recording, 100).joints[joint] = model.upper[model.joint_index("elbow_flexion_l")] + 0.25
    assert judged(robot, recording).joint_limit_excess_max == pytest.approx(0.25)


def test_a_tip_that_jumps_is_seen(robot, recording) -> None:
    for number in range(100, 200):
        nth(recording, number).base[2] += 0.012
    assert judged(robot, recording).tip_jump_ratio_max == pytest.approx(3.0, abs=1e-4)


def test_what_is_missing_is_counted_and_not_divided_away(robot, recording) -> None:
    stamps = sorted(recording.ticks)
    nth(recording, 50).contacts = None
    for number in range(60, 64):
        del recording.ticks[stamps[number]]
    verdict = judged(robot, recording)
    assert verdict.missing == 1 + 2
    assert not verdict.holds(0.0)


def test_the_ends_of_a_recording_may_be_ragged(robot, recording) -> None:
    nth(recording, 0).tips = None
    nth(recording, 199).joints = None
    assert judged(robot, recording).missing == 0


def test_a_number_that_is_not_finite_is_seen_wherever_it_is(robot, recording) -> None:
    spoilt = copy.deepcopy(recording)
    nth(spoilt, 10).contacts["left_foot"][4] = np.nan
    assert not judged(robot, spoilt).finite


def test_the_climb_counts_from_the_first_time_all_limbs_hold(robot, recording) -> None:
    nth(recording, 0).contacts = {}
    for number in range(1, 200):
        nth(recording, number).base[2] += 0.001 * number
    assert judged(robot, recording).climbed_m == pytest.approx(0.198)
