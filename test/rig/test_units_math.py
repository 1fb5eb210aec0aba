"""Units of numbers, vectors, rotations and transforms: laws, oracles, and the places where formulas break."""

from __future__ import annotations

import math

import numpy as np
import pytest
from calling import (
    Failure,
    about,
    angles,
    apart,
    call,
    directions,
    numbers,
    rotations,
    transforms,
    unit_vectors,
    vectors,
)
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation, Slerp
from transforms3d.quaternions import qmult

from climbing_rig.rig.registry import REGISTRY

FAMILIES = ("math.", "compare.", "flow.", "debug.", "transform.")
shares = st.floats(0, 1)
whole = st.integers(-(2**63), 2**63 - 1)
X, Y, Z = np.eye(3)


def test_every_unit_and_pin_says_what_it_is():
    units = [unit for unit in REGISTRY if unit.name.startswith(FAMILIES)]
    assert len(units) > 70
    silent = [unit.name for unit in units if not unit.doc or not unit.keywords]
    silent += [f"{unit.name}.{p.name}" for unit in units for p in unit.inputs + unit.outputs if not p.doc]
    assert silent == []


# -- numbers -----------------------------------------------------------------------------------------------------


@given(numbers, numbers)
def test_arithmetic_and_comparisons_of_numbers_are_those_of_python(a, b):
    assert call("math.float.add", a, b) == a + b
    assert call("math.float.subtract", a, b) == a - b
    assert call("math.float.multiply", a, b) == a * b
    assert call("math.float.minimum", a, b) == min(a, b)
    assert call("math.float.maximum", a, b) == max(a, b)
    assert call("math.float.negate", a) == -a
    assert call("math.float.absolute", a) == abs(a)
    assert call("math.float.value", a) == a
    assert call("math.float.sqrt", abs(a)) == math.sqrt(abs(a))
    assert call("math.float.atan2", a, b) == pytest.approx(math.atan2(a, b), rel=1e-15)
    assert call("math.float.sin", a) == pytest.approx(math.sin(a), abs=1e-15)
    assert call("math.float.cos", a) == pytest.approx(math.cos(a), abs=1e-15)
    assert call("compare.float.less", a, b) is (a < b)
    assert call("compare.float.greater", a, b) is (a > b)
    if b:
        assert call("math.float.divide", a, b) == a / b


@given(whole, whole)
def test_whole_numbers_are_those_of_python_wrapped_to_64_bits(a, b):
    def wrapped(value):
        return (value + 2**63) % 2**64 - 2**63

    assert call("math.int.add", a, b) == wrapped(a + b)
    assert call("math.int.subtract", a, b) == wrapped(a - b)
    assert call("math.int.multiply", a, b) == wrapped(a * b)
    assert call("math.int.to_float", a) == float(a)
    assert call("compare.int.equal", a, b) is (a == b)
    assert call("compare.int.equal", a, a) is True
    if b:
        assert call("math.int.modulo", a, b) == a % b


def test_the_least_whole_number_modulo_minus_one_is_zero_and_does_not_trap():
    assert call("math.int.modulo", -(2**63), -1) == 0


@given(st.booleans(), st.booleans())
def test_truth_values_are_those_of_python(a, b):
    assert call("math.bool.and", a, b) is (a and b)
    assert call("math.bool.or", a, b) is (a or b)
    assert call("math.bool.not", a) is (not a)


@pytest.mark.parametrize(
    ("name", "inputs", "words"),
    [
        ("math.float.divide", (1.0, 0.0), "divisor is zero"),
        ("math.float.divide", (0.0, -0.0), "divisor is zero"),
        ("math.int.modulo", (1, 0), "divisor is zero"),
        ("math.float.clamp", (0.0, 1.0, 0.5), "low is above high"),
        ("math.float.remap", (0.0, 1.0, 1.0, 0.0, 1.0, False), "the same number"),
        ("math.float.smoothstep", (0.0, 1.0, 1.0), "low is not below high"),
        ("math.float.sqrt", (-1e-300,), "negative"),
        ("math.float.approach", (0.0, 1.0, -1.0, 0.1), "negative"),
        ("math.float.smooth", (0.0, 1.0, 1.0, -0.1), "negative"),
        ("math.vector.clamp_length", (X, -1.0), "negative"),
        ("math.vector.turn_towards", (X, Y, -1.0), "negative"),
        ("math.quat.swing_twist", (about(X, 1.0), np.zeros(3)), "axis has no length"),
        ("math.quat.limit", (about(X, 1.0), about(X, 0.0), np.zeros(3), 1.0, -1.0, 1.0), "axis has no length"),
        ("math.quat.limit", (about(X, 1.0), about(X, 0.0), X, -0.1, -1.0, 1.0), "cone is negative"),
        ("math.quat.limit", (about(X, 1.0), about(X, 0.0), X, 1.0, 1.0, -1.0), "twist_low is above twist_high"),
    ],
)
def test_what_has_no_answer_is_a_failure_with_words(name, inputs, words):
    with pytest.raises(Failure, match=words):
        call(name, *inputs)


@given(numbers, numbers, numbers)
def test_clamp_stays_within_its_bounds_and_says_when_it_had_to(value, one, other):
    low, high = sorted((one, other))
    result, clamped = call("math.float.clamp", value, low, high)
    assert low <= result <= high
    assert clamped is (result != value)


@given(numbers, numbers, shares)
def test_lerp_is_exact_at_its_ends_and_never_outside_them(a, b, share):
    assert call("math.float.lerp", a, b, 0.0) == a
    assert call("math.float.lerp", a, b, 1.0) == b
    assert call("math.float.lerp", a, a, share) == a
    result = call("math.float.lerp", a, b, share)
    assert result == pytest.approx((1 - share) * a + share * b, abs=1e-9 * (1 + abs(a) + abs(b)))
    assert min(a, b) <= result <= max(a, b)


@given(numbers, numbers, numbers, numbers, numbers)
def test_remap_takes_ends_to_ends_and_clamps_when_told_to(value, in_low, in_high, out_low, out_high):
    assume(abs(in_high - in_low) > 1e-3)
    remap = "math.float.remap"
    assert call(remap, in_low, in_low, in_high, out_low, out_high, False) == out_low
    assert call(remap, in_high, in_low, in_high, out_low, out_high, False) == out_high
    kept = call(remap, value, in_low, in_high, out_low, out_high, True)
    assert min(out_low, out_high) <= kept <= max(out_low, out_high)
    if min(in_low, in_high) <= value <= max(in_low, in_high):
        assert kept == call(remap, value, in_low, in_high, out_low, out_high, False)


def test_smoothstep_rises_from_zero_to_one_and_is_level_at_both_ends():
    values = [call("math.float.smoothstep", x, 2.0, 4.0) for x in np.linspace(1.0, 5.0, 401)]
    assert values[100] == 0.0
    assert values[200] == 0.5
    assert values[300] == 1.0
    assert np.all(np.diff(values) >= 0.0)
    assert abs(call("math.float.smoothstep", 2.0 + 1e-4, 2.0, 4.0)) < 1e-8
    assert abs(1.0 - call("math.float.smoothstep", 4.0 - 1e-4, 2.0, 4.0)) < 1e-8


@given(numbers, numbers, st.floats(0, 1e4), st.floats(0, 1))
def test_approach_moves_by_at_most_rate_times_dt_and_never_beyond_the_target(current, target, rate, dt):
    result, arrived = call("math.float.approach", current, target, rate, dt)
    assert abs(result - current) <= rate * dt + 1e-9 * abs(current)
    assert min(current, target) <= result <= max(current, target)
    assert arrived is (result == target) or (arrived is False and rate * dt == pytest.approx(abs(target - current)))


@given(st.floats(-100, 100), st.floats(-100, 100), st.floats(0, 50), st.floats(0, 2), st.integers(1, 40))
def test_smooth_in_one_long_tick_is_smooth_in_many_short_ones(current, target, rate, dt, ticks):
    value = current
    for _ in range(ticks):
        value = call("math.float.smooth", value, target, rate, dt / ticks)
    assert call("math.float.smooth", current, target, rate, dt) == pytest.approx(value, abs=1e-11)
    assert value == pytest.approx(target + (current - target) * math.exp(-rate * dt), abs=1e-11)


def test_near_counts_its_tolerance_in():
    assert call("compare.float.near", 1.0, 1.5, 0.5) is True
    assert call("compare.float.near", 1.0, 1.5, math.nextafter(0.5, 0.0)) is False


# -- vectors -----------------------------------------------------------------------------------------------------


@given(vectors, vectors, numbers, shares)
def test_vectors_are_those_of_numpy(a, b, factor, share):
    np.testing.assert_array_equal(call("math.vector.add", a, b), a + b)
    np.testing.assert_array_equal(call("math.vector.subtract", a, b), a - b)
    np.testing.assert_array_equal(call("math.vector.scale", a, factor), a * factor)
    np.testing.assert_array_equal(call("math.vector.make", *a), a)
    np.testing.assert_allclose(call("math.vector.cross", a, b), np.cross(a, b), atol=1e-13)
    np.testing.assert_allclose(call("math.vector.dot", a, b), a @ b, atol=1e-12)
    np.testing.assert_allclose(call("math.vector.length", a), np.linalg.norm(a), atol=1e-13)
    np.testing.assert_allclose(call("math.vector.distance", a, b), np.linalg.norm(a - b), atol=1e-13)
    np.testing.assert_allclose(call("math.vector.lerp", a, b, share), (1 - share) * a + share * b, atol=1e-13)
    np.testing.assert_array_equal(call("math.vector.lerp", a, b, 1.0), b)


@given(directions)
def test_a_unit_vector_has_length_one_and_its_direction(vector):
    result, valid = call("math.vector.unit", vector)
    assert valid
    np.testing.assert_allclose(result * np.linalg.norm(vector), vector, atol=1e-13)


def test_a_vector_of_no_length_has_no_direction_and_says_so():
    for vector in (np.zeros(3), np.full(3, 1e-200)):
        result, valid = call("math.vector.unit", vector)
        assert not valid
        assert result.tolist() == [0.0, 0.0, 0.0]


@given(vectors, directions)
def test_a_projected_vector_is_square_to_the_normal_and_misses_only_what_is_along_it(vector, normal):
    result, valid = call("math.vector.project_on_plane", vector, normal)
    assert valid
    n = normal / np.linalg.norm(normal)
    assert abs(result @ n) < 1e-13
    np.testing.assert_allclose(np.cross(vector - result, n), 0.0, atol=1e-13)
    kept, valid = call("math.vector.project_on_plane", vector, np.zeros(3))
    assert not valid
    np.testing.assert_array_equal(kept, vector)


@given(vectors, st.floats(0, 20))
def test_a_clamped_vector_is_no_longer_than_told_and_keeps_its_direction(vector, longest):
    result, clamped = call("math.vector.clamp_length", vector, longest)
    assert np.linalg.norm(result) <= longest * (1 + 1e-14) + 1e-300
    assert result @ vector >= 0.0
    if not clamped:
        np.testing.assert_array_equal(result, vector)


@given(unit_vectors, unit_vectors, st.floats(0, 4), st.floats(1e-3, 1e3), st.floats(1e-3, 1e3))
def test_turning_towards_a_direction_goes_as_far_as_told_and_not_beyond(current, target, angle, one, other):
    result, valid = call("math.vector.turn_towards", current * one, target * other, angle)
    assert valid
    assert np.linalg.norm(result) == pytest.approx(1.0, abs=1e-12)
    whole = math.atan2(np.linalg.norm(np.cross(current, target)), current @ target)
    done = math.atan2(np.linalg.norm(np.cross(current, result)), current @ result)
    left = math.atan2(np.linalg.norm(np.cross(result, target)), result @ target)
    assert done == pytest.approx(min(angle, whole), abs=2e-8)
    assert left == pytest.approx(max(whole - angle, 0.0), abs=2e-8)


@given(unit_vectors, st.floats(0.01, 3))
def test_opposite_directions_are_turned_the_same_way_each_time(current, angle):
    first, _ = call("math.vector.turn_towards", current, -current, angle)
    again, _ = call("math.vector.turn_towards", current, -current, angle)
    assert first.tobytes() == again.tobytes()
    assert math.acos(np.clip(first @ current, -1, 1)) == pytest.approx(angle, abs=1e-7)


# -- rotations ---------------------------------------------------------------------------------------------------


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


# -- rotation limit ----------------------------------------------------------------------------------------------

LIMIT = "math.quat.limit"
limits = st.tuples(st.floats(0.01, 3), st.floats(-6, 6), st.floats(0, 6)).map(lambda r: (r[0], r[1], r[1] + r[2]))


def swing_and_twist(q, rest, axis):
    relative = Rotation.from_quat(rest).inv() * Rotation.from_quat(q)
    swing, _, angle = call("math.quat.swing_twist", relative.as_quat(), axis)
    return apart(swing, (0, 0, 0, 1)), angle


@given(rotations, rotations, directions, limits)
def test_a_limited_rotation_is_within_its_limits_and_is_not_limited_again(q, rest, axis, limit):
    cone, low, high = limit
    result, limited = call(LIMIT, q, rest, axis, *limit)
    swing, twist = swing_and_twist(result, rest, axis)
    assert swing <= cone + 1e-7
    if swing < math.pi - 1e-3:
        assert abs(math.remainder(twist - 0.5 * (low + high), 2 * math.pi)) <= 0.5 * (high - low) + 1e-7
    assert result @ q >= -1e-12
    again, twice = call(LIMIT, result, rest, axis, *limit)
    assert not twice
    assert apart(again, result) < 1e-13
    if not limited:
        assert apart(q, result) < 1e-13


@given(rotations, rotations, directions, limits)
def test_limits_do_not_care_which_of_q_and_minus_q_they_get(q, rest, axis, limit):
    result, limited = call(LIMIT, q, rest, axis, *limit)
    other, also = call(LIMIT, -q, -rest, axis, *limit)
    _, twist = swing_and_twist(q, rest, axis)
    off = abs(math.remainder(twist - 0.5 * (limit[1] + limit[2]), 2 * math.pi))
    assume(off < math.pi - 1e-9)
    assert limited is also
    np.testing.assert_allclose(other, -result, atol=1e-9)


@given(rotations, rotations, directions, limits)
def test_the_twist_takes_its_nearest_limit_and_the_swing_keeps_its_direction(q, rest, axis, limit):
    cone, low, high = limit
    swing, twist = swing_and_twist(q, rest, axis)
    assume(swing < math.pi - 1e-3)
    off = math.remainder(twist - 0.5 * (low + high), 2 * math.pi)
    half = 0.5 * (high - low)
    assume(abs(off) < math.pi - 1e-6)
    result, _ = call(LIMIT, q, rest, axis, *limit)
    new_swing, new_twist = swing_and_twist(result, rest, axis)
    expected = 0.5 * (low + high) + min(max(off, -half), half)
    assert math.remainder(new_twist - expected, 2 * math.pi) == pytest.approx(0.0, abs=1e-6)
    assert new_swing == pytest.approx(min(swing, cone), abs=1e-6)
    n = axis / np.linalg.norm(axis)
    if 1e-3 < cone and 1e-3 < swing:
        before = (Rotation.from_quat(rest).inv() * Rotation.from_quat(q)).apply(n) - n * math.cos(swing)
        after = (Rotation.from_quat(rest).inv() * Rotation.from_quat(result)).apply(n) - n * math.cos(new_swing)
        assert np.linalg.norm(np.cross(before, after)) < 1e-6
        assert before @ after > -1e-9


def walk(made, limit, rest=(0.0, 0.0, 0.0, 1.0), axis=X):
    """The limited rotations along a way of rotations, and the largest turn from one to the next before and after."""
    after = [call(LIMIT, q, rest, axis, *limit)[0] for q in made]
    steps = [max(apart(a, b) for a, b in zip(way, way[1:], strict=False)) for way in (made, after)]
    return after, steps


def test_nothing_flips_at_a_pitch_of_90_degrees():
    for roll in (0.0, 0.3, -1.0):
        for sign in (-1.0, 1.0):
            pitches = np.radians(sign * np.linspace(60.0, 120.0, 601))
            way = [call("math.quat.from_euler", (roll, pitch, 0.2)) for pitch in pitches]
            # Wide: nothing is limited. Narrow: held at the cone, all the way through.
            for limit in ((math.radians(150), -1.5, 1.5), (math.radians(80), -0.5, 0.5)):
                after, (before_step, after_step) = walk(way, limit)
                assert after_step < 3.0 * before_step
                if limit[0] > 2:
                    assert max(apart(a, b) for a, b in zip(way, after, strict=True)) < 1e-12


def test_a_range_across_half_a_turn_is_passed_from_179_to_minus_179_without_a_jump():
    way = [about(X, math.radians(angle)) for angle in np.linspace(160.0, 200.0, 401)]
    after, (_, step) = walk(way, (1.0, math.radians(170), math.radians(190)))
    assert step < math.radians(0.101)
    for q, angle in zip(after, np.linspace(160.0, 200.0, 401), strict=True):
        assert apart(q, about(X, math.radians(min(max(angle, 170.0), 190.0)))) < 1e-12
    # The same range, written from the other side.
    other, _ = walk(way, (1.0, math.radians(-190), math.radians(-170)))
    assert max(apart(a, b) for a, b in zip(after, other, strict=True)) < 1e-9


def test_a_twist_without_limits_goes_round_and_round_untouched():
    way = [about(X, angle) for angle in np.linspace(-7.0, 7.0, 1401)]
    after, (before_step, step) = walk(way, (math.pi, -math.pi, math.pi))
    assert step == pytest.approx(before_step, abs=1e-12)
    assert max(np.abs(a - b).max() for a, b in zip(way, after, strict=True)) < 1e-15


def test_opposite_to_the_middle_of_its_range_the_twist_takes_the_upper_limit_and_beyond_it_the_lower():
    half = math.radians(40)
    for angle, expected in ((179.0, half), (180.0, half), (181.0, -half), (-179.0, -half), (-180.0, half)):
        result, limited = call(LIMIT, about(X, math.radians(angle)), (0, 0, 0, 1), X, 1.0, -half, half)
        assert limited
        assert apart(result, about(X, expected)) < 1e-9, angle


@given(rotations, rotations, directions, limits, unit_vectors)
def test_a_small_turn_of_the_input_turns_the_limited_rotation_a_little(q, rest, axis, limit, way):
    swing, twist = swing_and_twist(q, rest, axis)
    off = abs(math.remainder(twist - 0.5 * (limit[1] + limit[2]), 2 * math.pi))
    assume(swing < math.radians(150) and off < math.pi - 1e-3)
    first, _ = call(LIMIT, q, rest, axis, *limit)
    second, _ = call(LIMIT, call("math.quat.multiply", about(way, 1e-6), q), rest, axis, *limit)
    assert apart(first, second) < 2e-5


# -- transforms --------------------------------------------------------------------------------------------------


def matrix(transform):
    made = np.eye(4)
    made[:3, :3] = Rotation.from_quat(transform[3:]).as_matrix()
    made[:3, 3] = transform[:3]
    return made


@given(transforms, transforms, vectors)
def test_transforms_are_their_matrices(a, b, v):
    np.testing.assert_allclose(matrix(call("transform.compose", a, b)), matrix(a) @ matrix(b), atol=1e-12)
    np.testing.assert_allclose(matrix(call("transform.inverse", a)) @ matrix(a), np.eye(4), atol=1e-12)
    relative = call("transform.make_relative", a, b)
    np.testing.assert_allclose(matrix(b) @ matrix(relative), matrix(a), atol=1e-12)
    np.testing.assert_allclose(matrix(call("transform.make", a[:3], a[3:])), matrix(a), atol=1e-15)
    np.testing.assert_allclose(call("transform.point", a, v), (matrix(a) @ [*v, 1.0])[:3], atol=1e-12)
    np.testing.assert_allclose(call("transform.direction", a, v), matrix(a)[:3, :3] @ v, atol=1e-12)


@given(transforms, transforms, vectors)
def test_directions_are_turned_and_never_moved_and_points_are_both(a, b, v):
    elsewhere = np.array([*b[:3], *a[3:]])
    np.testing.assert_array_equal(call("transform.direction", a, v), call("transform.direction", elsewhere, v))
    np.testing.assert_allclose(
        call("transform.point", a, v) - call("transform.direction", a, v), a[:3], atol=1e-12
    )


@given(transforms, vectors, rotations)
def test_modifying_in_own_axes_composes_on_the_right_and_in_the_parents_moves_and_turns_about_the_origin(t, move, turn):
    local = call("transform.modify", t, move, turn, True)
    np.testing.assert_allclose(matrix(local), matrix(t) @ matrix(np.array([*move, *turn])), atol=1e-12)
    parent = call("transform.modify", t, move, turn, False)
    np.testing.assert_allclose(parent[:3], t[:3] + move, atol=1e-13)
    expected = Rotation.from_quat(turn) * Rotation.from_quat(t[3:])
    assert apart(parent[3:], expected.as_quat()) < 1e-12


@given(transforms, transforms, shares)
def test_a_transform_on_the_way_is_a_straight_line_and_a_slerp(a, b, share):
    result = call("transform.lerp", a, b, share)
    np.testing.assert_array_equal(result[:3], call("math.vector.lerp", a[:3], b[:3], share))
    np.testing.assert_array_equal(result[3:], call("math.quat.slerp", a[3:], b[3:], share))


@given(transforms, vectors, directions, directions, directions)
def test_aiming_points_one_axis_at_the_target_and_the_other_up(t, target, axis, up_axis, up):
    way = target - t[:3]
    assume(np.linalg.norm(way) > 1e-3)
    n = way / np.linalg.norm(way)
    assume(np.linalg.norm(np.cross(up / np.linalg.norm(up), n)) > 1e-3)
    assume(np.linalg.norm(np.cross(axis, up_axis)) > 1e-3 * np.linalg.norm(axis) * np.linalg.norm(up_axis))
    result, valid = call("transform.aim", t, target, axis, up_axis, up)
    assert valid
    turned = Rotation.from_quat(result[3:])
    np.testing.assert_array_equal(result[:3], t[:3])
    np.testing.assert_allclose(turned.apply(axis / np.linalg.norm(axis)), n, atol=1e-8)
    side = turned.apply(up_axis)
    side, wanted = side - n * (side @ n), up - n * (up @ n)
    cosine = side @ wanted / np.linalg.norm(side) / np.linalg.norm(wanted)
    assert cosine > 1 - 1e-6
    # Where it was turned before does not matter once up says all.
    fresh, _ = call("transform.aim", np.array([*t[:3], 0, 0, 0, 1.0]), target, axis, up_axis, up)
    assert apart(fresh[3:], result[3:]) < 1e-5


@given(transforms, directions)
def test_aiming_without_up_is_the_shortest_turn(t, way):
    result, valid = call("transform.aim", t, t[:3] + way, X, Z, np.zeros(3))
    assert valid
    now = Rotation.from_quat(t[3:]).apply(X)
    n = way / np.linalg.norm(way)
    angle = math.atan2(np.linalg.norm(np.cross(now, n)), now @ n)
    assert apart(result[3:], t[3:]) == pytest.approx(angle, abs=1e-6)


@given(transforms, rotations)
def test_aiming_at_nothing_changes_nothing_and_says_so(t, _):
    for target, axis in ((t[:3], X), (t[:3] + X, np.zeros(3))):
        result, valid = call("transform.aim", t, target, axis, Z, Z)
        assert not valid
        np.testing.assert_allclose(result, t, atol=1e-15)
