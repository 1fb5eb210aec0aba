"""Rotations and directions against transforms3d and against their own axioms, with samples at the edges."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from transforms3d.axangles import axangle2mat
from transforms3d.quaternions import mat2quat

from climbing_rig import maths

unit_vectors = (
    st.tuples(*[st.floats(-1, 1)] * 3)
    .map(np.array)
    .filter(lambda v: np.linalg.norm(v) > 1e-3)
    .map(lambda v: v / np.linalg.norm(v))
)
#: Angles anywhere, and crowded around 0 and pi, where formulas lose digits.
angles = st.one_of(
    st.floats(0, math.pi),
    st.floats(-12, -1).map(lambda e: 10.0**e),
    st.floats(-12, -1).map(lambda e: math.pi - 10.0**e),
)


def matrix(axis, angle):
    out = np.empty((3, 3))
    maths.matrix_from_rotation_vector(axis * angle, out)
    return out


@given(unit_vectors, angles)
def test_rotation_matrix_of_a_rotation_vector_equals_transforms3d(axis, angle):
    np.testing.assert_allclose(matrix(axis, angle), axangle2mat(axis, angle, is_normalized=True), atol=1e-14)


@given(unit_vectors, angles)
def test_quaternion_and_matrix_are_inverse_and_equal_transforms3d(axis, angle):
    rotation = axangle2mat(axis, angle, is_normalized=True)
    quaternion, back = np.empty(4), np.empty((3, 3))
    maths.quaternion_from_matrix(rotation, quaternion)
    maths.matrix_from_quaternion(quaternion, back)
    np.testing.assert_allclose(back, rotation, atol=1e-12)
    expected = np.roll(mat2quat(rotation), -1)
    assert min(np.abs(quaternion - expected).max(), np.abs(quaternion + expected).max()) < 1e-7
    assert quaternion[3] >= 0.0


@given(unit_vectors, angles, unit_vectors, st.floats(0, math.pi))
def test_rotation_vector_between_two_rotations_takes_the_first_to_the_second(axis, angle, other_axis, other_angle):
    start = matrix(other_axis, other_angle)
    end = matrix(axis, angle) @ start
    turn = np.empty(3)
    maths.rotation_vector_between(start, end, turn)
    assert np.linalg.norm(turn) <= math.pi + 1e-12
    step = np.empty((3, 3))
    maths.matrix_from_rotation_vector(turn, step)
    np.testing.assert_allclose(step @ start, end, atol=2e-7)


@given(unit_vectors, unit_vectors, st.floats(1e-6, 4.0))
def test_turning_towards_never_turns_more_than_asked_and_arrives(current, target, angle):
    out = np.empty(3)
    maths.turn_towards(current, target, angle, out)
    assert abs(np.linalg.norm(out) - 1.0) < 1e-12
    between = math.atan2(np.linalg.norm(np.cross(current, target)), current @ target)
    turned = math.atan2(np.linalg.norm(np.cross(current, out)), current @ out)
    left = math.atan2(np.linalg.norm(np.cross(out, target)), out @ target)
    assert turned <= angle + 1e-7
    assert left == pytest.approx(max(between - angle, 0.0), abs=1e-6)


@pytest.mark.parametrize("axis", np.eye(3))
def test_turning_towards_the_opposite_direction_still_turns(axis):
    out = np.empty(3)
    maths.turn_towards(axis, -axis, 0.1, out)
    assert math.acos(np.clip(out @ axis, -1, 1)) == pytest.approx(0.1, abs=1e-9)


@given(unit_vectors, unit_vectors)
@settings(max_examples=50)
def test_frame_from_axes_is_a_right_handed_rotation_with_x_kept(x, z):
    frame = maths.frame_from_axes(x, z)
    np.testing.assert_allclose(frame.T @ frame, np.eye(3), atol=1e-9)
    assert np.linalg.det(frame) == pytest.approx(1.0)
    np.testing.assert_allclose(frame[:, 0], x, atol=1e-12)
    assert frame[:, 2] @ z >= -1e-9


@pytest.mark.parametrize("x", np.concatenate((np.eye(3), -np.eye(3))))
def test_frame_from_parallel_axes_is_still_a_rotation(x):
    frame = maths.frame_from_axes(x, x)
    np.testing.assert_allclose(frame.T @ frame, np.eye(3), atol=1e-12)


@given(st.floats(0.1, 50.0), st.integers(1, 20))
def test_smoothing_covers_the_same_way_in_many_ticks_as_in_one(rate, ticks):
    left = (1.0 - maths.smoothing(rate, 0.1 / ticks)) ** ticks
    assert left == pytest.approx(1.0 - maths.smoothing(rate, 0.1), rel=1e-9)
