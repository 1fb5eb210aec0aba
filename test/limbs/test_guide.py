"""Steering directions on walls of every slope, floors and roofs included."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from climbing_rig.limbs.guide import TANGENT_RATE, clamp_to_ball, wall_right, wall_up
from climbing_rig.limbs.orientation import foot_frame, hand_frame

NOTHING = np.zeros(3)
AHEAD = np.array([1.0, 0.0, 0.0])


def wall_normal(tilt_degrees: float, yaw: float = 0.0) -> np.ndarray:
    """Normal of a wall ahead of the climber (facing it along +x), leaning back by ``tilt`` (overhang: negative)."""
    tilt = math.radians(tilt_degrees)
    return np.array([-math.cos(tilt) * math.cos(yaw), -math.cos(tilt) * math.sin(yaw), math.sin(tilt)])


@pytest.mark.parametrize("tilt", [-80, -45, -30, 0, 30, 60, 80])
def test_up_points_up_and_right_is_the_climbers_right_on_any_slope(tilt):
    normal = wall_normal(tilt)
    up = wall_up(normal, NOTHING, AHEAD, 0.01)
    right = wall_right(normal, up)
    assert up[2] > 0.0
    assert abs(up @ normal) < 1e-12
    # The climber looks along +x; its right hand side is -y in ROS's axes.
    np.testing.assert_allclose(right, [0.0, -1.0, 0.0], atol=1e-12)


@pytest.mark.parametrize("normal", [[0.0, 0.0, 1.0], [0.0, 0.0, -1.0]])
def test_on_a_floor_or_roof_up_is_the_heading(normal):
    np.testing.assert_allclose(wall_up(np.array(normal), NOTHING, AHEAD, 0.01), AHEAD, atol=1e-12)


def test_up_turns_at_a_bounded_rate_from_a_wall_over_the_floor_and_onto_the_wall_behind():
    up = wall_up(wall_normal(0), NOTHING, AHEAD, 0.01)
    dt = 0.005
    for tilt in np.linspace(0, 180, 2000):
        normal = wall_normal(tilt)
        new = wall_up(normal, up, AHEAD, dt)
        assert np.isfinite(new).all()
        assert abs(np.linalg.norm(new) - 1.0) < 1e-9
        assert abs(new @ normal) < 1e-9
        turn = math.atan2(np.linalg.norm(np.cross(up, new)), up @ new)
        assert turn <= TANGENT_RATE * dt + 2e-3 + np.pi / 2000
        up = new


@given(
    st.tuples(*[st.floats(-3, 3)] * 3).map(np.array),
    st.tuples(*[st.floats(-3, 3)] * 3).map(np.array),
    st.floats(0.01, 2.0),
)
def test_clamping_keeps_the_direction_and_shortens_the_length(point, centre, radius):
    clamped = clamp_to_ball(point, centre, radius)
    away, before = clamped - centre, point - centre
    assert np.linalg.norm(away) <= radius * (1 + 1e-12)
    if np.linalg.norm(before) <= radius:
        np.testing.assert_allclose(clamped, point, atol=1e-12)
    np.testing.assert_allclose(np.cross(away, before), 0.0, atol=1e-9)
    assert away @ before >= 0.0


@pytest.mark.parametrize("tilt", [-60, -30, 0, 30])
def test_a_hand_on_a_wall_has_its_palm_to_it_and_its_fingers_along_it(tilt):
    normal = wall_normal(tilt)
    up = wall_up(normal, NOTHING, AHEAD, 0.01)
    frame = hand_frame(normal, up, 0.5 * up + 0.1 * wall_right(normal, up) - 0.3 * normal)
    np.testing.assert_allclose(frame[:, 0], -normal, atol=1e-12)
    assert abs(frame[:, 2] @ normal) < 1e-12
    assert frame[:, 2] @ up > 0.9


def test_a_hand_reaching_straight_into_the_wall_has_its_fingers_up():
    normal = wall_normal(0)
    frame = hand_frame(normal, np.array([0.0, 0.0, 1.0]), -normal)
    np.testing.assert_allclose(frame[:, 2], [0.0, 0.0, 1.0], atol=1e-12)


def test_a_foot_points_into_a_wall_and_lies_flat_on_a_floor():
    wall, floor = wall_normal(0), np.array([0.0, 0.0, 1.0])
    on_wall = foot_frame(wall, np.array([0.0, 0.0, 1.0]), AHEAD, 0.0)
    assert on_wall[:, 0] @ -wall > 0.85
    assert on_wall[2, 0] > 0.3
    on_floor = foot_frame(floor, AHEAD, AHEAD, 0.0)
    np.testing.assert_allclose(on_floor, np.eye(3), atol=1e-9)


def test_a_right_foot_turns_its_toes_to_the_climbers_right():
    frame = foot_frame(wall_normal(0), np.array([0.0, 0.0, 1.0]), AHEAD, 1.0)
    assert frame[1, 0] < -0.3


@pytest.mark.parametrize("y", [0.0, 0.3, 0.8])
def test_mirrored_walls_give_mirrored_feet_and_hands(y):
    mirror = np.diag([1.0, -1.0, 1.0])
    normal = np.array([-1.0, y, 0.2]) / np.linalg.norm([-1.0, y, 0.2])
    along = np.array([0.3, 0.2, 0.5])
    up = wall_up(normal, NOTHING, AHEAD, 0.01)
    mirrored_up = wall_up(mirror @ normal, NOTHING, AHEAD, 0.01)
    np.testing.assert_allclose(mirrored_up, mirror @ up, atol=1e-12)
    for axis in (0, 2):
        np.testing.assert_allclose(
            hand_frame(mirror @ normal, mirrored_up, mirror @ along)[:, axis],
            mirror @ hand_frame(normal, up, along)[:, axis], atol=1e-12,
        )  # fmt: skip
        np.testing.assert_allclose(
            foot_frame(mirror @ normal, mirrored_up, AHEAD, -1.0)[:, axis],
            mirror @ foot_frame(normal, up, AHEAD, 1.0)[:, axis], atol=1e-12,
        )  # fmt: skip
