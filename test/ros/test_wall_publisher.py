"""wall_publisher puts a wall where it is told, for whoever comes later."""

from __future__ import annotations

import numpy as np
import pytest
from nodes import Listener
from sensor_msgs.msg import PointCloud2

from climbing_rig.ros import qos
from climbing_rig.wall.cloud import Cloud
from climbing_rig.wall.pointcloud2 import cloud_from_message


@pytest.fixture(scope="module")
def received(start_node, listener: Listener) -> tuple[PointCloud2, Cloud]:
    node = start_node(
        "wall_publisher", "--ros-args", "-p", "wall:=generated:flat?spacing=0.1&jitter=0", "-p", "scale:=2",
        "-p", "wall_pose:=[1.0, 0.0, 0.5, 0.0, 0.0, 1.5707963267948966]", "-p", "crop:='-9 -9 0 9 9 4.5'",
    )  # fmt: skip
    node.wait_for("on wall/map")
    heard: list[PointCloud2] = []
    listener.listen(PointCloud2, "wall/map", heard.append, qos.LATCHED)
    listener.wait(lambda: heard, words="the latched wall")
    return heard[0], cloud_from_message(heard[0])


def test_a_late_subscriber_gets_the_wall_in_map_with_normals(received: tuple[PointCloud2, Cloud]) -> None:
    message, cloud = received
    assert message.header.frame_id == "map"
    assert len(cloud) == message.width and cloud.normals is not None


def test_scale_pose_and_crop_are_applied_in_this_order(received: tuple[PointCloud2, Cloud]) -> None:
    _, cloud = received
    low, high = cloud.points.min(axis=0), cloud.points.max(axis=0)
    # A wall of 4 x 4 m facing -x becomes one of 8 x 8 m that faces -y, half a metre up, its top cut off at 4.5 m.
    np.testing.assert_allclose([low[0], high[0]], [1.0 - 3.9, 1.0 + 3.9], atol=1e-3)
    np.testing.assert_allclose([low[1], high[1]], [0.0, 0.0], atol=1e-3)
    np.testing.assert_allclose([low[2], high[2]], [0.6, 4.4], atol=1e-3)
    np.testing.assert_allclose(cloud.normals.mean(axis=0), [0.0, -1.0, 0.0], atol=1e-3)
