"""Units of rotations against scipy and transforms3d, at identity, half turns and a pitch of 90 degrees."""

from __future__ import annotations

import math

import numpy as np
import pytest
from calling import (
    about,
    angles,
    apart,
    call,
    directions,
    rotations,
    unit_vectors,
    vectors,
)
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation, Slerp
from transforms3d.quaternions import qmult

shares = st.floats(0, 1)
X, Y, Z = np.eye(3)


@given(rotations, rotations, vectors)
def test_products_inverses_and_turned_vectors_are_those_of_scipy_and_transforms3d(a, b, vector):
    product = call("math.quat.multiply", a, b)
    np.testing.assert_allclose(product, np.roll(qmult(np.roll(a, 1), np.roll(b, 1)), -1), atol=1e-14)
    assert apart(product, (Rotation.from_quat(a) * Rotation.from_quat(b)).as_quat()) < 1e-13
    assert apart(call("math.quat.multiply", a, call("math.quat.inverse", a)), (0, 0, 0, 1)) < 1e-13
    turned = call("math.quat.rotate_vector", a, vector)
    np.testing.assert_allclose(turned, Rotation.from_quat(a).apply(vector), atol=1e-13)


def test_a_product_kept_from_tick_to_tick_does_not_drift():
    step, value = about((1.0, 2.0, -1.0), 0.01), np.array([0.0, 0.0, 0.0, 1.0])
    for _ in range(20_000):
        value = call("math.quat.multiply", step, value)
    assert abs(np.linalg.norm(value) - 1.0) < 1e-15
    assert apart(value, about((1.0, 2.0, -1.0), 200.0)) < 1e-10


@given(rotations)
def test_zeros_count_as_no_rotation(q):
    zeros = np.zeros(4)
    assert apart(call("math.quat.multiply", zeros, q), q) < 1e-14
    assert apart(call("math.quat.multiply", q, zeros), q) < 1e-14
    assert call("math.quat.inverse", zeros).tolist() == [0, 0, 0, 1]
    assert call("math.quat.to_euler", zeros).tolist() == [0, 0, 0]
    assert call("math.quat.rotate_vector", zeros, X).tolist() == [1, 0, 0]
    assert apart(call("math.quat.slerp", zeros, q, 1.0), q) < 1e-14
    assert call("math.quat.angle_between", zeros, q) == pytest.approx(apart((0, 0, 0, 1), q), abs=1e-7)
    assert apart(call("math.quat.limit", q, zeros, X, 9.0, -9.0, 9.0)[0], q) < 1e-14


@given(directions, angles)
def test_a_turn_about_an_axis_is_that_of_scipy_whatever_the_axis_length(axis, angle):
    result, valid = call("math.quat.from_axis_angle", axis, angle)
    assert valid
    expected = Rotation.from_rotvec(axis / np.linalg.norm(axis) * angle).as_quat()
    assert apart(result, expected) < 1e-13


def test_a_turn_about_no_axis_is_none_and_says_so():
    result, valid = call("math.quat.from_axis_angle", np.zeros(3), 1.0)
    assert not valid
    assert result.tolist() == [0, 0, 0, 1]


@given(st.tuples(angles, angles, angles))
def test_euler_angles_are_those_of_scipy_and_come_back_at_any_pitch(rpy):
    made = call("math.quat.from_euler", rpy)
    assert apart(made, Rotation.from_euler("xyz", rpy).as_quat()) < 1e-13
    read = call("math.quat.to_euler", made)
    assert abs(read[1]) <= math.pi / 2
    assert max(abs(read[0]), abs(read[2])) <= math.pi
    assert apart(call("math.quat.from_euler", read), made) < 1e-11


@given(angles, st.sampled_from([-1.0, 1.0]), angles)
def test_upright_the_roll_is_read_as_zero_and_the_rotation_is_kept(roll, sign, yaw):
    made = call("math.quat.from_euler", (roll, sign * math.pi / 2, yaw))
    read = call("math.quat.to_euler", made)
    assert read[1] == pytest.approx(sign * math.pi / 2, abs=1e-7)
    assert apart(call("math.quat.from_euler", read), made) < 1e-11


@given(st.tuples(angles, angles, angles), st.tuples(*[st.integers(-2, 2)] * 3))
def test_euler_angles_a_whole_turn_apart_give_the_same_rotation(rpy, turns):
    more = np.array(rpy) + 2 * math.pi * np.array(turns)
    assert apart(call("math.quat.from_euler", rpy), call("math.quat.from_euler", more)) < 1e-13


@given(rotations, rotations, shares)
def test_slerp_is_that_of_scipy_and_takes_the_short_way(a, b, share):
    assume(apart(a, b) < math.pi - 1e-6)
    result = call("math.quat.slerp", a, b, share)
    expected = Slerp([0, 1], Rotation.from_quat([a, b]))(share).as_quat()
    assert apart(result, expected) < 1e-8
    assert apart(call("math.quat.slerp", a, -b, share), result) < 1e-13
    assert apart(a, result) == pytest.approx(share * apart(a, b), abs=1e-7)


@given(rotations, shares)
def test_slerp_from_q_to_minus_q_stays_where_it_is(q, share):
    np.testing.assert_allclose(call("math.quat.slerp", q, -q, share), q, atol=1e-15)


@given(rotations, unit_vectors, shares)
def test_slerp_over_half_a_turn_goes_there_at_constant_speed(a, axis, share):
    b = Rotation.from_quat(a) * Rotation.from_rotvec(math.pi * axis)
    result = call("math.quat.slerp", a, b.as_quat(), share)
    assert apart(a, result) == pytest.approx(share * math.pi, abs=1e-7)
    assert apart(call("math.quat.slerp", a, b.as_quat(), 1.0), b.as_quat()) < 1e-12


@given(unit_vectors, unit_vectors, st.floats(1e-3, 1e3))
def test_the_turn_between_two_directions_takes_one_to_the_other_the_short_way(a, b, size):
    result, valid = call("math.quat.between", a * size, b)
    assert valid
    np.testing.assert_allclose(Rotation.from_quat(result).apply(a), b, atol=1e-12)
    angle = math.atan2(np.linalg.norm(np.cross(a, b)), a @ b)
    assert apart(result, (0, 0, 0, 1)) == pytest.approx(angle, abs=1e-7)


@given(unit_vectors, unit_vectors, st.floats(-15, -3))
def test_the_turn_between_nearly_opposite_directions_still_arrives(a, aside, exponent):
    b = -a + 10.0**exponent * aside
    b /= np.linalg.norm(b)
    result, valid = call("math.quat.between", a, b)
    assert valid
    assert abs(np.linalg.norm(result) - 1.0) < 1e-14
    np.testing.assert_allclose(Rotation.from_quat(result).apply(a), b, atol=3e-9)


@given(rotations, unit_vectors, angles)
def test_the_angle_between_rotations_is_the_one_they_were_made_with(q, axis, angle):
    other = call("math.quat.multiply", about(axis, angle), q)
    turned = abs(math.remainder(angle, 2 * math.pi))
    assert call("math.quat.angle_between", q, other) == pytest.approx(turned, abs=4e-15)
    assert call("math.quat.angle_between", -q, other) == pytest.approx(turned, abs=4e-15)


@given(rotations, directions)
def test_swing_times_twist_is_the_rotation_and_each_keeps_to_its_axis(q, axis):
    swing, twist, angle = call("math.quat.swing_twist", q, axis)
    n = axis / np.linalg.norm(axis)
    np.testing.assert_allclose(call("math.quat.multiply", swing, twist), q, atol=1e-13)
    assert abs(swing[:3] @ n) < 1e-13
    np.testing.assert_allclose(np.cross(twist[:3], n), 0.0, atol=1e-13)
    assert swing[3] >= -1e-15
    assert abs(angle) <= math.pi
    assert apart(twist, about(n, angle)) < 1e-13


@given(unit_vectors, angles)
def test_a_swing_of_half_a_turn_has_no_twist(axis, angle):
    aside = np.cross(axis, X if abs(axis[0]) < 0.6 else Y)
    around = Rotation.from_rotvec(axis * angle).apply(aside / np.linalg.norm(aside))
    swing, twist, read = call("math.quat.swing_twist", np.array([*around, 0.0]), axis)
    # The axis is square to the rounding error, so the twist may be any; the two still make the rotation.
    np.testing.assert_allclose(call("math.quat.multiply", swing, twist), [*around, 0.0], atol=1e-13)
    assert call("math.quat.swing_twist", (0.0, 1.0, 0.0, 0.0), X)[2] == 0.0
    assert math.isfinite(read)
