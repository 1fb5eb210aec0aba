"""Units of numbers, vectors, rotations and transforms: laws, oracles, and the places where formulas break."""

from __future__ import annotations

import math

import numpy as np
import pytest
from calling import (
    FailureError,
    about,
    call,
    directions,
    numbers,
    unit_vectors,
    vectors,
)
from hypothesis import assume, given
from hypothesis import strategies as st

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
    with pytest.raises(FailureError, match=words):
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
