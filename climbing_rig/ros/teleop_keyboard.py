"""The ``teleop_keyboard`` node: moves limbs with the keys of a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from climbing_rig.ros.lifetime import Lifetime, ros, run, spinning

if TYPE_CHECKING:
    from climbing_rig.ros.limb_client import LimbClient

NO_TERMINAL = 2
"""Exit code without a terminal."""


def main(args: Sequence[str] | None = None) -> int:
    """Entry point.

    Args:
        args: Command line with ROS arguments; the process's own when None.

    Returns:
        0 after quit, Ctrl-C or SIGTERM; 2 without a terminal; 1 when a file or parameter cannot be used.
    """
    if not sys.stdin.isatty():
        print(
            "teleop_keyboard needs a terminal; run it in one of its own (under ros2 launch: prefix='xterm -e')",
            file=sys.stderr,
        )
        return NO_TERMINAL
    return run(lambda lifetime: _body(lifetime, args))


def _body(lifetime: Lifetime, args: Sequence[str] | None) -> int:
    from rclpy.node import Node

    from climbing_rig.ros.key_map import help_text, load_key_map
    from climbing_rig.ros.keyboard import KeyboardTeleop
    from climbing_rig.ros.limb_client import LimbClient
    from climbing_rig.ros.node_parameters import TELEOP_KEYBOARD
    from climbing_rig.ros.parameters import Parameters
    from climbing_rig.ros.terminal import single_keys
    from climbing_rig.share import resolve

    with ros(args):
        node = Node("teleop_keyboard")
        parameters = Parameters(node, TELEOP_KEYBOARD)
        keys = load_key_map(resolve(parameters.text("keys")))
        client = LimbClient(node)
        lifetime.guard()
        with single_keys(sys.stdin.fileno()), spinning(node, lifetime):
            lifetime.wait(_patience(client))
            print(help_text(keys, list(client.report.limbs) if client.report else []), flush=True)
            KeyboardTeleop(client, keys, parameters).run(lifetime)
    return 0


def _patience(client: LimbClient, seconds: float = 5.0) -> Callable[[], bool]:
    """Whether a climber has reported, or has been waited for long enough: help is printed without one too."""
    deadline = time.monotonic() + seconds
    return lambda: client.report is not None or time.monotonic() > deadline


if __name__ == "__main__":
    sys.exit(main())
