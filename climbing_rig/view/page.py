"""The ``view`` node: serves the page, in a process of its own so that no browser can slow the climber down."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from climbing_rig.ros.lifetime import Lifetime, ros, run, spinning

if TYPE_CHECKING:
    import viser
    from rclpy.node import Node

    from climbing_rig.ros.parameters import Parameters


def main(args: Sequence[str] | None = None) -> int:
    """Entry point.

    Args:
        args: Command line with ROS arguments; the process's own when None.

    Returns:
        The exit code: 0 after Ctrl-C or SIGTERM, 1 when the address or a parameter cannot be used.
    """
    return run(lambda lifetime: _body(lifetime, args))


def _body(lifetime: Lifetime, args: Sequence[str] | None) -> int:
    # Imported here: the signal handlers are set by now, and importing takes a second.
    from rclpy.node import Node

    from climbing_rig.ros.node_parameters import VIEW
    from climbing_rig.ros.parameters import Parameters
    from climbing_rig.view.serve import close_server, open_server

    with ros(args):
        node = Node("view")
        parameters = Parameters(node, VIEW)
        server = open_server(parameters.text("host"), int(parameters.number("port")))
        try:
            _serve(lifetime, node, parameters, server)
        finally:
            close_server(server)
    return 0


def _serve(lifetime: Lifetime, node: Node, parameters: Parameters, server: viser.ViserServer) -> None:
    from climbing_rig.view.picture import Picture
    from climbing_rig.view.ros_link import RosLink

    link = RosLink(node, parameters.text("climber"), parameters.text("map_frame"))
    picture = Picture(server, link)
    lifetime.guard()
    print(f"view: http://{server.get_host()}:{server.get_port()}", flush=True)
    period = 1.0 / parameters.number("rate")
    with spinning(node, lifetime):
        deadline = time.monotonic()
        while not lifetime.ended:
            picture.draw()
            deadline = max(deadline + period, time.monotonic() + 0.2 * period)
            time.sleep(max(deadline - time.monotonic(), 0.0))
    picture.close()


if __name__ == "__main__":
    sys.exit(main())
