"""Two bones reach what they can reach, bend where the pole is, and neither flip nor shake."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from puppet import Puppet

ARM = {side: (f"upperarm_{side}", f"lowerarm_{side}", f"hand_{side}") for side in "lr"}
LEG = {side: (f"thigh_{side}", f"calf_{side}", f"foot_{side}") for side in "lr"}
JOINT = '<joint name="{}" type="revolute"><parent link="{}"/><child link="{}"/><origin xyz="0 0 {}"/>{}</joint>'
AXIS = '<axis xyz="{}"/><limit lower="{}" upper="{}" velocity="1" effort="1"/>'
FREE_ARM = f"""<robot name="arm">{"".join(f'<link name="{n}"/>' for n in ("trunk", "a", "b", "upper", "lower", "hand"))}
{JOINT.format("x", "trunk", "a", 0, AXIS.format("1 0 0", -3.1, 3.1))}
{JOINT.format("y", "a", "b", 0, AXIS.format("0 1 0", -3.1, 3.1))}
{JOINT.format("z", "b", "upper", 0, AXIS.format("0 0 1", -3.1, 3.1))}
{JOINT.format("elbow", "upper", "lower", -0.3, AXIS.format("0 1 0", 0, 2.8))}
{JOINT.format("wrist", "lower", "hand", -0.25, AXIS.format("0 1 0", -1, 1))}
</robot>"""
"""A shoulder that turns anywhere, an elbow that bends to one side."""
MIRROR = np.array([1.0, -1.0, 1.0])
seeds = st.integers(0, 100_000)


@given(seeds, st.sampled_from([*ARM.values(), *LEG.values()]))
@settings(max_examples=60, deadline=None)
def test_where_the_limb_has_been_it_gets_back_to_and_bends_as_it_was_bent(seed, limb):
    rng = np.random.default_rng(seed)
    robot = Puppet("climber")
    robot.random_pose(rng, 0.8)
    root, middle, end = (robot.place(name) for name in limb)
    line = (end - root) / np.linalg.norm(end - root)
    aside = (middle - root) - line * ((middle - root) @ line)
    if np.linalg.norm(aside) < 0.02:
        return
    pole = root + 0.5 * (end - root) + 3.0 * aside
    robot.pose(robot.q + rng.normal(size=len(robot.q)) * np.array([
        0.3 if name.split("_")[0] in ("shoulder", "elbow", "hip", "knee") else 0.0 for name in robot.model.joint_names
    ]))  # fmt: skip
    stretch, error, plane = robot.two_bone(limb, end, pole)
    assert robot.within_limits()
    assert error < 1e-6
    assert stretch == pytest.approx(np.linalg.norm(end - root) / sum(lengths(robot, limb)), rel=1e-9)
    assert np.linalg.norm(robot.place(limb[2]) - end) == pytest.approx(error, abs=1e-9)
    np.testing.assert_allclose(robot.place(limb[1]), middle, atol=2e-3)
    np.testing.assert_allclose(plane, aside / np.linalg.norm(aside), atol=1e-6)


def lengths(robot, limb):
    a, b, c = (robot.place(name) for name in limb)
    return np.linalg.norm(b - a), np.linalg.norm(c - b)


def test_out_of_reach_the_arm_is_straight_towards_the_target_and_still():
    robot = Puppet("climber")
    shoulder = robot.place("upperarm_l")
    target, pole = shoulder + np.array([0.6, 0.5, 0.2]), shoulder + np.array([0.0, 1.0, -1.0])
    stretch, error, _ = robot.two_bone(ARM["l"], target, pole)
    reach = sum(lengths(robot, ARM["l"]))
    assert stretch > 1.2
    assert error == pytest.approx(np.linalg.norm(target - shoulder) - reach, abs=1e-6)
    along = (target - shoulder) / np.linalg.norm(target - shoulder)
    np.testing.assert_allclose(robot.place("hand_l"), shoulder + reach * along, atol=1e-5)
    for _ in range(3):
        q = robot.q.copy()
        robot.two_bone(ARM["l"], target, pole)
        assert (robot.q == q).all()


@given(seeds)
@settings(max_examples=40, deadline=None)
def test_limits_are_kept_nothing_is_ever_nan_and_a_still_target_comes_to_the_same_bits(seed):
    rng = np.random.default_rng(seed)
    robot = Puppet("climber")
    robot.random_pose(rng, 1.0)
    limb = [*ARM.values(), *LEG.values()][seed % 4]
    target = robot.place(limb[0]) + rng.normal(size=3) * rng.choice([1e-9, 0.1, 0.4, 3.0])
    pole = robot.place(limb[0]) + rng.normal(size=3) * rng.choice([0.0, 1e-9, 1.0])
    for _ in range(80):
        robot.two_bone(limb, target, pole)
        assert robot.within_limits()
    q = robot.q.copy()
    robot.two_bone(limb, target, pole)
    assert (robot.q == q).all()


@given(seeds)
@settings(max_examples=25, deadline=None)
def test_left_and_right_are_mirror_images(seed):
    rng = np.random.default_rng(seed)
    robot = Puppet("climber")
    for limbs in (ARM, LEG):
        offset, pole = rng.normal(size=3) * 0.3, rng.normal(size=3)
        left, right = robot.place(limbs["l"][0]), robot.place(limbs["r"][0])
        robot.two_bone(limbs["l"], left + offset, left + pole)
        robot.two_bone(limbs["r"], right + offset * MIRROR, right + pole * MIRROR)
    for name, value in zip(robot.model.joint_names, robot.q, strict=True):
        if name.endswith("_l"):
            assert value == pytest.approx(robot.q[robot.model.joint_index(name[:-1] + "r")], abs=1e-6), name


def test_the_elbow_does_not_flip_while_target_shoulder_and_pole_line_up():
    robot = Puppet(FREE_ARM)
    shoulder = robot.place("upper")
    pole = shoulder + np.array([0.9, 0.45, -0.3])
    along = (pole - shoulder) / np.linalg.norm(pole - shoulder)
    across = np.cross(along, [0.0, 0.0, 1.0])
    steps, plane = [], np.zeros(3)
    for i, t in enumerate(np.linspace(-0.15, 0.15, 301)):  # straight through the line to the pole
        _, error, new = robot.two_bone(("upper", "lower", "hand"), shoulder + 0.42 * along + t * across, pole, plane)
        assert error < 1e-6
        if i:
            steps.append(np.arccos(np.clip(new @ plane, -1.0, 1.0)))
        plane = new
    assert max(steps) < 0.4
    assert max(steps[140:160]) < 0.03  # next to the line it hardly turns at all


def test_half_the_weight_goes_half_the_way_of_every_joint():
    whole, half = Puppet("climber"), Puppet("climber")
    start = whole.q.copy()
    shoulder = whole.place("upperarm_r")
    for robot, weight in ((whole, 1.0), (half, 0.5)):
        robot.two_bone(
            ARM["r"], shoulder + np.array([0.3, -0.1, -0.2]), shoulder + np.array([0.0, -1.0, -1.0]), weight=weight
        )
    assert np.abs(whole.q - start).max() > 0.5
    np.testing.assert_allclose(half.q, 0.5 * (start + whole.q), atol=1e-12)


def test_a_leg_whose_hip_has_a_single_axis_reaches_what_lies_in_its_plane():
    robot = Puppet("loris")
    limb = ("upper_limb_1", "lower_limb_1", "wrist_yaw_1")
    robot.pose(robot.q + 0.2)
    goal = robot.place(limb[2])
    robot.pose(robot.q * 0.0)
    assert np.linalg.norm(robot.place(limb[2]) - goal) > 0.01
    robot.pose(np.where(["wing" in n or "knee" in n for n in robot.model.joint_names], 0.0, 0.2))
    for _ in range(20):
        _, error, _ = robot.two_bone(limb, goal, goal + np.array([0.0, 0.0, 1.0]))
    assert error < 1e-4
    assert robot.within_limits()
