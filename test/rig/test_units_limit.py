"""The rotation limit: within its limits, nearest, and without flips at 90 or jumps at 180 degrees."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from calling import (
    about,
    apart,
    call,
    directions,
    rotations,
    unit_vectors,
)
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

X, Y, Z = np.eye(3)
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
    if cone > 1e-3 and swing > 1e-3:
        before = (Rotation.from_quat(rest).inv() * Rotation.from_quat(q)).apply(n) - n * math.cos(swing)
        after = (Rotation.from_quat(rest).inv() * Rotation.from_quat(result)).apply(n) - n * math.cos(new_swing)
        assert np.linalg.norm(np.cross(before, after)) < 1e-6
        assert before @ after > -1e-9


def walk(made, limit, rest=(0.0, 0.0, 0.0, 1.0), axis=X):
    """The limited rotations along a way of rotations, and the largest turn from one to the next before and after."""
    after = [call(LIMIT, q, rest, axis, *limit)[0] for q in made]
    steps = [max(apart(a, b) for a, b in itertools.pairwise(way)) for way in (made, after)]
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
