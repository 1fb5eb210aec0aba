"""The ``climber`` node: a climber on the wall of ``wall/map``, moved over topics and services.

The main thread is the control loop, so that a signal interrupts its sleep and nothing else. Callbacks run in a second
thread and only post events; walls are built in a third, changed rigs compiled in a fourth.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from climbing_rig.ros.lifetime import Lifetime, ros, run, spinning

if TYPE_CHECKING:
    from rclpy.node import Node

    from climbing_rig.climber import Climber
    from climbing_rig.ros.parameters import Parameters

SWITCH_INTERVAL = 0.0005
"""Seconds another thread may keep the interpreter from the control loop; Python's own default is a whole tick."""
REHEARSAL = 200
"""Ticks."""


def main(args: Sequence[str] | None = None) -> int:
    """Entry point.

    Args:
        args: Command line with ROS arguments; the process's own when None.

    Returns:
        The exit code: 0 after Ctrl-C or SIGTERM, 1 when the robot or a parameter cannot be used.
    """
    return run(lambda lifetime: _body(lifetime, args))


def _body(lifetime: Lifetime, args: Sequence[str] | None) -> int:
    # Imported here: the signal handlers are set by now, and importing takes a second.
    from rclpy.node import Node

    from climbing_rig.ros.control_loop import ControlLoop
    from climbing_rig.ros.loading import Loading
    from climbing_rig.ros.node_parameters import CLIMBER
    from climbing_rig.ros.parameters import Parameters

    with ros(args):
        node = Node("climber")
        parameters = Parameters(node, CLIMBER)
        # Compiling may take minutes the first time and cannot be interrupted: a thread does it, this one listens.
        loading = Loading(lambda: _load(node, parameters))
        lifetime.guard()
        lifetime.wait(loading.done)
        if lifetime.ended:
            node.destroy_node()
            loading.abandon()
            return 0
        climber = loading.result()
        sys.setswitchinterval(SWITCH_INTERVAL)
        loop = ControlLoop(node, climber, parameters)
        with spinning(node, lifetime):
            node.get_logger().info(f"{climber.model.name} is live: {', '.join(climber.limb_names)}")
            loop.run(lifetime)
        loop.close()
    return 0


def _load(node: Node, parameters: Parameters) -> Climber:
    """The robot, with all kernels compiled."""
    from climbing_rig.climber import Climber
    from climbing_rig.warm_up import compile_kernels

    log = node.get_logger()
    started = time.monotonic()
    log.info(f"reading {parameters.text('robot')} …")
    climber = Climber.from_files(
        parameters.text("urdf") or None,
        parameters.text("robot"),
        min_contacts=int(parameters.number("min_contacts")),
        rig=parameters.text("rig") or None,
    )
    for note in climber.model.notes:
        log.info(f"{climber.model.name}: {note}")
    compile_kernels(log.info)
    log.info("rehearsing on a flat wall …")
    _rehearse(climber)
    log.info(f"kernels ready after {time.monotonic() - started:.1f} s")
    return climber


def _rehearse(climber: Climber) -> None:
    """A second of climbing on a flat wall by a stand-in: what a tick calls is then in memory, page by page."""
    from climbing_rig.climber import Climber
    from climbing_rig.errors import AttachError
    from climbing_rig.limbs.command import LimbCommand
    from climbing_rig.wall import Wall
    from climbing_rig.wall.generate.panels import flat

    sample = flat()
    wall = Wall.from_points(sample.points, sample.normals)
    standin = Climber(climber.model, climber.description, wall)
    with suppress(AttachError):  # a robot of another size may find no hold on this wall; it has looked for one
        standin.attach()
    limb = standin.limb_names[0]
    for tick in range(REHEARSAL):
        standin.step(0.005, {limb: LimbCommand(move=(0.0, 0.2), grip=False if tick == 0 else None)})


if __name__ == "__main__":
    sys.exit(main())
