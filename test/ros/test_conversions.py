"""Messages say what the state says, and refusals name what was wrong."""

from __future__ import annotations

import math

import numpy as np
import pytest
from builtin_interfaces.msg import Time
from geometry_msgs.msg import PoseStamped, TwistStamped
from hypothesis import given, settings
from hypothesis import strategies as st
from transforms3d.euler import euler2mat

from climbing_rig.errors import CommandError
from climbing_rig.ros.cloud_messages import message_from_cloud
from climbing_rig.ros.conversions import RigidTransform, goal_from_pose, move_from_twist, nanoseconds, set_stamp
from climbing_rig.ros.stamps import SECOND
from climbing_rig.wall.cloud import Cloud
from climbing_rig.wall.pointcloud2 import cloud_from_message

LIMBS = ("left_hand", "right_hand")
NOW = 100 * SECOND
TIMEOUT = 0.1


def twist(limb: str = "left_hand", right: float = 0.1, up: float = 0.2, age: float = 0.0) -> TwistStamped:
    message = TwistStamped()
    message.header.frame_id = limb
    set_stamp(message.header.stamp, NOW - round(age * SECOND))
    message.twist.linear.x, message.twist.linear.y = right, up
    return message


@given(st.integers(0, 2**31 * SECOND - 1))
def test_a_stamp_survives_both_ways(value: int) -> None:
    stamp = Time()
    set_stamp(stamp, value)
    assert nanoseconds(stamp) == value


@settings(max_examples=50)
@given(st.lists(st.floats(-3.0, 3.0), min_size=6, max_size=6))
def test_roll_pitch_yaw_are_about_fixed_axes(values: list[float]) -> None:
    pose = RigidTransform.from_xyz_rpy(values)
    np.testing.assert_allclose(pose.rotation, euler2mat(*values[3:], "sxyz"), atol=1e-12)
    point = np.array([0.3, -0.2, 0.9])
    np.testing.assert_allclose(pose.inverse().apply(pose.apply(point)), point, atol=1e-12)


def test_a_command_becomes_a_move() -> None:
    move = move_from_twist(twist(), NOW, TIMEOUT, LIMBS)
    assert (move.limb, move.right, move.up, move.stamp) == ("left_hand", 0.1, 0.2, NOW)


def test_a_command_without_a_limb_is_for_the_automatic_choice() -> None:
    assert move_from_twist(twist(limb=""), NOW, TIMEOUT, LIMBS).limb == ""


@pytest.mark.parametrize(
    ("message", "words"),
    [
        (twist(limb="tail"), "unknown limb 'tail'; valid: left_hand, right_hand"),
        (twist(right=math.nan), "linear.x is nan: not finite"),
        (twist(up=math.inf), "linear.y is inf: not finite"),
        (twist(age=0.35), "stale: 0.350 s old, at most 0.1 s"),
        (twist(age=-5.0), "5.000 s in the future"),
        (twist(age=100.0), "has no stamp"),
    ],
)
def test_a_command_that_cannot_be_used_is_refused_in_words(message: TwistStamped, words: str) -> None:
    with pytest.raises(CommandError, match=words.replace("(", r"\(")):
        move_from_twist(message, NOW, TIMEOUT, LIMBS)


def goal(frame: str, x: float = 1.0) -> PoseStamped:
    message = PoseStamped()
    message.header.frame_id = frame
    message.pose.position.x = x
    return message


def test_a_goal_in_odom_is_carried_into_map() -> None:
    odom = {"odom": RigidTransform.from_xyz_rpy([1.0, 0.0, 0.0, 0.0, 0.0, math.pi / 2])}
    np.testing.assert_allclose(
        goal_from_pose(goal("odom"), "left_hand", "map", odom).position, [1.0, 1.0, 0.0], atol=1e-12
    )
    assert goal_from_pose(goal("map"), "left_hand", "map", odom).position == (1.0, 0.0, 0.0)


@pytest.mark.parametrize("frame", ["camera_link", ""])
def test_a_goal_in_another_frame_is_refused_by_the_frames_name(frame: str) -> None:
    with pytest.raises(CommandError, match=f"frame '{frame}' is not known; valid: map, odom"):
        goal_from_pose(goal(frame), "left_hand", "map", {"odom": RigidTransform.from_xyz_rpy([0.0] * 6)})


def test_a_goal_that_is_not_finite_is_refused() -> None:
    with pytest.raises(CommandError, match="not finite"):
        goal_from_pose(goal("map", math.nan), "left_hand", "map", {})


@pytest.mark.parametrize("far", [0.0, 500_000.0])
def test_a_cloud_survives_the_message(far: float) -> None:
    points = np.random.default_rng(1).uniform(-2.0, 2.0, (50, 3)) + far
    normals = np.tile([0.0, 0.6, 0.8], (50, 1))
    climbable = np.arange(50) % 3 > 0
    message = message_from_cloud(Cloud(points, normals, climbable), "map", Time())
    back = cloud_from_message(message)
    np.testing.assert_allclose(back.points, points, atol=1e-6)
    np.testing.assert_allclose(back.normals, normals, atol=1e-6)
    np.testing.assert_array_equal(back.climbable, climbable)
    assert message.header.frame_id == "map" and len(message.data) == message.row_step
