"""Bones are turned by their joints: exactly where three axes let them, to the nearest elsewhere."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.spatial.transform import Rotation
from stage import Stage

THREE = ("upperarm_l", "upperarm_r", "thigh_l", "thigh_r", "neck", "spine_02")
FEWER = ("head", "lowerarm_l", "hand_r", "foot_l", "clavicle_l")
seeds = st.integers(0, 100_000)


def quaternion(axes):
    return Rotation.from_matrix(axes).as_quat()


def apart(a, b):
    """Radians between two (3, 3) rotations."""
    return Rotation.from_matrix(a @ b.T).magnitude()


@given(seeds, st.sampled_from(THREE))
@settings(max_examples=60, deadline=None)
def test_three_axes_within_limits_turn_a_bone_exactly(seed, bone):
    rng = np.random.default_rng(seed)
    stage = Stage("climber")
    stage.random_pose(rng)
    wished, _ = stage.frame(bone)
    body = stage.model.frame(bone)[0]
    q = stage.q.copy()
    own = [stage.model.tree.dof[b] for b in stage.skeleton.group[body]]
    q[own] = np.clip(rng.normal(size=3), stage.skeleton.lower[own], stage.skeleton.upper[own])
    stage.pose(q)
    out = stage.call("transform.set_rotation", {"bone": bone}, rotation=quaternion(wished).tolist())
    assert out["off"] < 1e-6
    assert apart(stage.frame(bone)[0], wished) < 1e-6
    assert stage.within_limits()


@given(seeds, st.sampled_from(FEWER + THREE))
@settings(max_examples=60, deadline=None)
def test_what_joints_cannot_do_is_told_truly_and_nothing_is_ever_nan(seed, bone):
    rng = np.random.default_rng(seed)
    stage = Stage("climber")
    stage.random_pose(rng)
    wished = Rotation.random(random_state=seed).as_matrix()
    out = stage.call("transform.set_rotation", {"bone": bone}, rotation=quaternion(wished).tolist())
    assert out["off"] == pytest.approx(apart(stage.frame(bone)[0], wished), abs=1e-6)
    assert stage.within_limits()


@given(seeds, st.sampled_from(FEWER))
@settings(max_examples=25, deadline=None)
def test_fewer_axes_come_as_near_as_any_angles_do(seed, bone):
    rng = np.random.default_rng(seed)
    stage = Stage("climber")
    stage.random_pose(rng, 0.8)
    here, _ = stage.frame(bone)
    wished = Rotation.from_rotvec(rng.normal(size=3) * 0.3).as_matrix() @ here
    body = stage.model.frame(bone)[0]
    own = [stage.model.tree.dof[b] for b in stage.skeleton.group[body] if b >= 0]
    off = stage.call("transform.set_rotation", {"bone": bone}, rotation=quaternion(wished).tolist())["off"]
    found = stage.q.copy()

    def miss(values):
        q = found.copy()
        q[own] = values
        stage.pose(q)
        return apart(stage.frame(bone)[0], wished)

    bounds = list(zip(stage.skeleton.lower[own], stage.skeleton.upper[own], strict=True))
    starts = [found[own], *(rng.uniform(*np.array(bounds).T) for _ in range(4))]
    best = min(minimize(miss, start, bounds=bounds, method="L-BFGS-B").fun for start in starts)
    assert off <= best + 1e-4


@pytest.mark.parametrize("angle", [np.pi / 2, np.pi / 2 - 1e-9, np.pi / 2 + 1e-7])
def test_at_gimbal_lock_a_shoulder_is_turned_all_the_same(angle):
    stage = Stage("climber")
    q = stage.q.copy()
    q[stage.model.joint_index("shoulder_flexion_l")] = angle
    q[stage.model.joint_index("shoulder_abduction_l")] = 0.4
    stage.pose(q)
    wished, _ = stage.frame("upperarm_l")
    stage.pose(q * 0.0)
    out = stage.call("transform.set_rotation", {"bone": "upperarm_l"}, rotation=quaternion(wished).tolist())
    assert out["off"] < 1e-6
    assert stage.within_limits()
    before = stage.q.copy()
    stage.call("transform.set_rotation", {"bone": "upperarm_l"}, rotation=quaternion(wished).tolist())
    np.testing.assert_allclose(stage.q, before, atol=1e-6)


@given(seeds)
@settings(max_examples=25, deadline=None)
def test_children_turn_along_or_keep_their_own_orientation(seed):
    rng = np.random.default_rng(seed)
    turn = Rotation.from_rotvec(rng.normal(size=3) * 0.02).as_quat().tolist()
    along, kept = Stage("climber"), Stage("climber")
    along.random_pose(rng, 0.3)
    for part in ("position", "orientation", "q"):
        getattr(kept.skeleton, part)[:] = getattr(along.skeleton, part)
    before_neck, _ = along.frame("neck")
    before_chest, _ = along.frame("spine_03")
    # A spine turns little: a turn that its limits cut short says nothing here.
    assume(along.call("transform.turn", {"bone": "spine_03"}, rotation=turn, propagate=True)["off"] < 1e-6)
    kept.call("transform.turn", {"bone": "spine_03"}, rotation=turn, propagate=False)
    np.testing.assert_allclose(along.frame("spine_03")[0], kept.frame("spine_03")[0], atol=1e-6)
    # Along: as the chest sees it, the neck is where it was. Kept: as the world sees it.
    seen = before_chest.T @ before_neck
    np.testing.assert_allclose(along.frame("spine_03")[0].T @ along.frame("neck")[0], seen, atol=1e-6)
    np.testing.assert_allclose(kept.frame("neck")[0], before_neck, atol=1e-5)
    assert along.within_limits() and kept.within_limits()


def test_writing_the_root_moves_the_base_and_no_joint():
    stage = Stage("climber")
    stage.random_pose(np.random.default_rng(3))
    q = stage.q.copy()
    wished = Rotation.from_euler("xyz", [0.3, -1.2, 2.0])
    out = stage.call("transform.set", {"bone": "pelvis"}, transform=[1.0, 2.0, 3.0, *wished.as_quat()])
    axes, place = stage.frame("pelvis")
    np.testing.assert_allclose(place, [1.0, 2.0, 3.0], atol=1e-9)
    assert apart(axes, wished.as_matrix()) < 1e-6
    assert out["off"] < 1e-6 and out["far"] < 1e-9
    assert (stage.q == q).all()


@given(seeds, st.sampled_from([0.0, 0.25, 0.5, 1.0]))
@settings(max_examples=25, deadline=None)
def test_weight_goes_its_share_of_the_short_way(seed, weight):
    rng = np.random.default_rng(seed)
    stage = Stage("climber")
    start, _ = stage.frame("pelvis")
    way = rng.normal(size=3)
    way *= rng.uniform(0.1, 3.1) / np.linalg.norm(way)
    wished = Rotation.from_rotvec(way)
    for sign in (1, -1):  # q and -q are the same rotation
        again = Stage("climber")
        rotation = (sign * wished.as_quat()).tolist()
        again.call("transform.set_rotation", {"bone": "pelvis"}, rotation=rotation, weight=weight)
        expected = Rotation.from_rotvec(weight * way).as_matrix() @ start
        assert apart(again.frame("pelvis")[0], expected) < 1e-6


@given(seeds)
@settings(max_examples=25, deadline=None)
def test_a_rotation_limit_holds_and_leaves_alone_what_is_within(seed):
    rng = np.random.default_rng(seed)
    stage = Stage("climber")
    stage.random_pose(rng)
    given = {"axis": [0.0, 0.0, 1.0], "swing": 0.5, "twist_low": -0.2, "twist_high": 0.3}
    stage.call("ik.rotation_limit", {"bone": "thigh_l"}, **given)
    pelvis, thigh = stage.frame("pelvis")[0], stage.frame("thigh_l")[0]
    relative = pelvis.T @ thigh  # identity at neutral
    assert np.arccos(np.clip(relative[2, 2], -1.0, 1.0)) <= 0.5 + 1e-6
    _x, _y, z, w = quaternion(relative)
    assert -0.2 - 1e-6 <= (2.0 * np.arctan2(z, w) + np.pi) % (2.0 * np.pi) - np.pi <= 0.3 + 1e-6
    q = stage.q.copy()
    assert stage.call("ik.rotation_limit", {"bone": "thigh_l"}, **given)["limited"] in (False, True)
    np.testing.assert_allclose(stage.q, q, atol=1e-6)
    wide = stage.call("ik.rotation_limit", {"bone": "thigh_l"}, axis=[0.0, 0.0, 1.0])
    assert wide["limited"] is False


def test_bones_that_are_no_chain_are_refused_in_words():
    stage = Stage("climber")
    with pytest.raises(Exception, match="are no chain"):
        stage.call("ik.look_at", {"bones": ("head", "neck")}, target=[1.0, 0.0, 1.0])
