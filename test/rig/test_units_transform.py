"""Units of transforms against their matrices."""

from __future__ import annotations

import math

import numpy as np
import pytest
from calling import (
    apart,
    call,
    directions,
    rotations,
    transforms,
    vectors,
)
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

shares = st.floats(0, 1)
X, Y, Z = np.eye(3)


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
    np.testing.assert_allclose(call("transform.point", a, v) - call("transform.direction", a, v), a[:3], atol=1e-12)


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
