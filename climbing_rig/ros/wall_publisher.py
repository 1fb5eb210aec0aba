"""The ``wall_publisher`` node: a file or a generated wall on ``wall/map``, latched."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from climbing_rig.ros.lifetime import Lifetime, ros, run, spinning

if TYPE_CHECKING:
    from climbing_rig.ros.parameters import Parameters
    from climbing_rig.wall.cloud import Cloud


def main(args: Sequence[str] | None = None) -> int:
    """Entry point.

    Args:
        args: Command line with ROS arguments; the process's own when None.

    Returns:
        0 after Ctrl-C or SIGTERM; 1 when the wall or a parameter cannot be used.
    """
    return run(lambda lifetime: _body(lifetime, args))


def _body(lifetime: Lifetime, args: Sequence[str] | None) -> int:
    from rclpy.node import Node
    from sensor_msgs.msg import PointCloud2

    from climbing_rig.ros import qos
    from climbing_rig.ros.cloud_messages import message_from_cloud
    from climbing_rig.ros.node_parameters import WALL_PUBLISHER
    from climbing_rig.ros.parameters import Parameters

    with ros(args):
        node = Node("wall_publisher")
        parameters = Parameters(node, WALL_PUBLISHER)
        cloud = _cloud(parameters)
        publisher = node.create_publisher(PointCloud2, "wall/map", qos.LATCHED)
        frame = parameters.text("frame_id")
        lifetime.guard()
        publisher.publish(message_from_cloud(cloud, frame, node.get_clock().now().to_msg()))
        size = " x ".join(f"{side:.2f}" for side in cloud.points.max(axis=0) - cloud.points.min(axis=0))
        node.get_logger().info(f"{parameters.text('wall')}: {len(cloud)} points, {size} m, on wall/map in '{frame}'")
        with spinning(node, lifetime):
            lifetime.wait()
    return 0


def _cloud(parameters: Parameters) -> Cloud:
    """The wall of the parameters, placed.

    Raises:
        CloudError: The wall cannot be read or placed.
        ConfigError: The file does not exist, or ``crop`` is not six numbers.
    """
    from climbing_rig.errors import ConfigError
    from climbing_rig.ros.conversions import RigidTransform
    from climbing_rig.wall.placement import Placement
    from climbing_rig.wall.spec import cloud_from_spec

    crop = None
    if words := parameters.text("crop").replace(",", " ").split():
        try:
            numbers = [float(word) for word in words]
        except ValueError:
            numbers = []
        if len(numbers) != 6:
            given = parameters.text("crop")
            raise ConfigError(f"parameter 'crop' is '{given}'; it must be six numbers", name="crop", given=given)
        crop = (numbers[:3], numbers[3:])
    pose = RigidTransform.from_xyz_rpy(parameters.numbers("wall_pose"))
    placement = Placement(
        scale=parameters.number("scale"),
        up=parameters.text("up") or "z",
        pose=[*pose.translation.tolist(), *pose.quaternion.tolist()],
        crop=crop,
    )
    return placement.apply(cloud_from_spec(parameters.text("wall")), parameters.text("wall"))


if __name__ == "__main__":
    sys.exit(main())
