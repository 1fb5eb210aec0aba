"""Forward kinematics and Jacobians: equal to pinocchio's, and to finite differences of themselves."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pinocchio_oracle import Oracle
from robots import PATHS, poses, robot
from scipy.spatial.transform import Rotation

from climbing_rig.model import load_urdf
from climbing_rig.model.kinematics import forward, integrate, point_jacobian, rotation_jacobian, warm_up

CLOSE = 1e-9


def random_configuration(model, seed):
    """(position, orientation, q) somewhere in the limits."""
    random = np.random.default_rng(seed)
    q = random.uniform(np.maximum(model.lower, -3.0), np.minimum(model.upper, 3.0))
    return random.normal(size=3), Rotation.random(random_state=seed).as_quat(), q


@pytest.mark.parametrize("name", PATHS)
def test_every_link_is_where_pinocchio_has_it_and_moves_as_there(name):
    model = robot(name)
    oracle = Oracle(model)
    out = np.empty((3, 6 + len(model.joint_names)))
    for seed in range(3):
        configuration = random_configuration(model, seed)
        oracle.move(*configuration)
        rotations, translations = poses(model, *configuration)
        for link in model.link_names:
            body, rotation, translation = model.frame(link)
            origin = translations[body] + rotations[body] @ translation
            expected_rotation, expected_origin = oracle.pose(link)
            np.testing.assert_allclose(origin, expected_origin, atol=CLOSE, rtol=0)
            np.testing.assert_allclose(rotations[body] @ rotation, expected_rotation, atol=CLOSE, rtol=0)
            expected = oracle.jacobian(link)
            point_jacobian(model.tree, rotations, translations, body, origin, out)
            np.testing.assert_allclose(out, expected[:3], atol=CLOSE, rtol=0)
            rotation_jacobian(model.tree, rotations, body, out)
            np.testing.assert_allclose(out, expected[3:], atol=CLOSE, rtol=0)


@pytest.mark.parametrize("name", ["climber", "talos", "loris"])
def test_masses_and_centres_of_mass_are_pinocchios(name):
    model = robot(name)
    oracle = Oracle(model)
    configuration = random_configuration(model, 4)
    oracle.move(*configuration)
    rotations, translations = poses(model, *configuration)
    total = np.zeros(3)
    for link, mass, com in zip(model.link_names, model.link_mass, model.link_com, strict=True):
        body, rotation, translation = model.frame(link)
        total += mass * (translations[body] + rotations[body] @ (translation + rotation @ com))
    np.testing.assert_allclose(total / model.total_mass, oracle.centre_of_mass(), atol=CLOSE)


@settings(max_examples=40, deadline=None)
@given(
    name=st.sampled_from(["climber", "nao", "triathlete"]),
    seed=st.integers(0, 2**31),
    tilt=st.sampled_from([0.0, 1e-9, 1e-5, 1e-3, 1.0, np.pi - 1e-6, np.pi]),
)
def test_jacobians_are_the_derivatives_of_forward_kinematics(name, seed, tilt):
    model = robot(name)
    random = np.random.default_rng(seed)
    position, _, q = random_configuration(model, seed)
    axis = random.normal(size=3)
    # Near identity and near half turns, where formulas for rotations lose digits.
    orientation = Rotation.from_rotvec(tilt * axis / np.linalg.norm(axis)).as_quat()
    rotations, translations = poses(model, position, orientation, q)
    body = int(random.integers(len(model.tree.parent)))
    offset = random.normal(size=3)
    point = translations[body] + rotations[body] @ offset
    direction = random.normal(size=6 + len(q))
    step = 1e-6
    moved = []
    for sign in (1.0, -1.0):
        new = np.empty(3), np.empty(4), np.empty(len(q))
        integrate(position, orientation, q, sign * step * direction, *new)
        r, t = poses(model, *new)
        moved.append((t[body] + r[body] @ offset, r[body]))
    velocity = (moved[0][0] - moved[1][0]) / (2.0 * step)
    spin = Rotation.from_matrix(moved[0][1] @ moved[1][1].T).as_rotvec() / (2.0 * step)
    out = np.empty((3, 6 + len(q)))
    point_jacobian(model.tree, rotations, translations, body, point, out)
    np.testing.assert_allclose(out @ direction, velocity, atol=1e-6, rtol=1e-6)
    rotation_jacobian(model.tree, rotations, body, out)
    np.testing.assert_allclose(out @ direction, spin, atol=1e-6, rtol=1e-6)


ANGLES = st.sampled_from([0.0, 1e-12, 1e-8, 9.9e-5, 1.01e-4, 1e-2, 1.0, np.pi - 1e-9, np.pi, 4.0])


@settings(max_examples=60, deadline=None)
@given(angle=ANGLES, start=ANGLES, seed=st.integers(0, 2**31))
def test_integrating_a_rotation_vector_is_scipys_left_product(angle, start, seed):
    random = np.random.default_rng(seed)
    axes = random.normal(size=(2, 3))
    axes /= np.linalg.norm(axes, axis=1, keepdims=True)
    before = Rotation.from_rotvec(start * axes[0])
    delta = np.concatenate([random.normal(size=3), angle * axes[1], random.normal(size=2)])
    position, q = random.normal(size=3), random.normal(size=2)
    new_position, new_orientation, new_q = np.empty(3), np.empty(4), np.empty(2)
    integrate(position, before.as_quat(), q, delta, new_position, new_orientation, new_q)
    expected = Rotation.from_rotvec(angle * axes[1]) * before
    assert (Rotation.from_quat(new_orientation) * expected.inv()).magnitude() < 1e-12
    assert abs(np.linalg.norm(new_orientation) - 1.0) < 1e-14
    np.testing.assert_array_equal(new_position, position + delta[:3])
    np.testing.assert_array_equal(new_q, q + delta[6:])


def test_integrating_in_place_gives_the_same_bits_as_into_other_arrays():
    position, orientation, q = np.array([1.0, 2.0, 3.0]), np.array([0.0, 0.6, 0.0, 0.8]), np.array([0.5])
    delta = np.linspace(-1.0, 1.0, 7)
    apart = np.empty(3), np.empty(4), np.empty(1)
    integrate(position, orientation, q, delta, *apart)
    integrate(position, orientation, q, delta, position, orientation, q)
    for one, other in zip(apart, (position, orientation, q), strict=True):
        np.testing.assert_array_equal(one, other)


def test_an_empty_step_keeps_a_unit_quaternion_bit_for_bit():
    orientation = np.array([0.0, 0.6, 0.0, 0.8])
    out = np.empty(3), np.empty(4), np.empty(0)
    integrate(np.zeros(3), orientation, np.empty(0), np.zeros(6), *out)
    np.testing.assert_array_equal(out[1], orientation)


def test_a_robot_without_joints_has_kinematics_too():
    model = load_urdf("<robot name='stone'><link name='stone'/></robot>")
    rotations, translations = poses(model, np.ones(3), np.array([0.0, 0.0, 0.0, 1.0]), np.empty(0))
    np.testing.assert_array_equal(translations, [[1.0, 1.0, 1.0]])
    out = np.empty((3, 6))
    point_jacobian(model.tree, rotations, translations, 0, np.ones(3), out)
    np.testing.assert_array_equal(out, np.eye(3, 6))
    assert model.joint_values(np.empty(0)).shape == (0,)


def test_after_warming_up_no_kernel_compiles_again():
    warm_up()
    kernels = forward, point_jacobian, rotation_jacobian, integrate
    before = [len(kernel.signatures) for kernel in kernels]
    for name in PATHS:
        model = robot(name)
        rotations, translations = poses(model, *random_configuration(model, 1))
        point_jacobian(model.tree, rotations, translations, 0, translations[0], np.empty((3, 6 + len(model.neutral))))
    assert [len(kernel.signatures) for kernel in kernels] == before
