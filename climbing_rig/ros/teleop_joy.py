"""The ``teleop_joy`` node: moves limbs with a joystick; nothing happens unless its dead-man switch is held."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from climbing_rig.ros.lifetime import Lifetime, ros, run, spinning


def main(args: Sequence[str] | None = None) -> int:
    """Entry point.

    Args:
        args: Command line with ROS arguments; the process's own when None.

    Returns:
        0 after Ctrl-C or SIGTERM; 1 when a file or parameter cannot be used.
    """
    return run(lambda lifetime: _body(lifetime, args))


def _body(lifetime: Lifetime, args: Sequence[str] | None) -> int:
    from rclpy.node import Node

    from climbing_rig.ros.joystick import JoystickTeleop
    from climbing_rig.ros.node_parameters import TELEOP_JOY
    from climbing_rig.ros.pad import load_pad
    from climbing_rig.ros.parameters import Parameters
    from climbing_rig.share import resolve

    with ros(args):
        node = Node("teleop_joy")
        parameters = Parameters(node, TELEOP_JOY)
        pad = load_pad(resolve(parameters.text("pad")))
        JoystickTeleop(node, pad, parameters)
        lifetime.guard()
        with spinning(node, lifetime):
            node.get_logger().info(f"waiting for /joy by {parameters.text('pad')}; hold the dead-man switch to move")
            lifetime.wait()
    return 0


if __name__ == "__main__":
    sys.exit(main())
