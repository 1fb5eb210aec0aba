"""``climbing_rig demo``: a climber on a scanned wall, climbing by itself over real topics and services.

The climber, the wall and the page run as processes of their own; this process only listens, sends limb commands and,
headless, judges what it received.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from climbing_rig.ros.lifetime import Lifetime, ros, run, spinning
from climbing_rig.ros.processes import Processes, own_domain, processes

if TYPE_CHECKING:
    from climbing_rig.ros.expedition import Expedition

START_UP = 300.0
"""Seconds the nodes may take to be there: the first time the kernels are compiled."""

EXAMPLES = """\
examples:
  climbing_rig demo                                   watch and steer it in a browser, until Ctrl-C
  climbing_rig demo --wall overhang                   another wall of the package
  climbing_rig demo --wall 'scan.pcd?scale=2&stand=1' your own wall
  climbing_rig demo --robot config/loris.yaml --wall tall_true_size
  climbing_rig demo --headless --json                 climb a metre, print what was measured, exit 0 when all held
  climbing_rig demo --headless --wall leaning --traverse 0.3 --climb 0.4
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The demo's options."""
    parser.description = __doc__
    parser.epilog = EXAMPLES
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--headless", action="store_true", help="no page; end when it has climbed far enough")
    parser.add_argument("--json", action="store_true", help="one line of JSON last on stdout (with --headless)")
    parser.add_argument("--robot", default="config/climber.yaml", help="robot description (default: %(default)s)")
    parser.add_argument("--rig", default="", help="graph that proposes its poses (YAML), loaded anew when it changes")
    parser.add_argument("--wall", default="tall", help="wall: a name, a file or generated:NAME (default: %(default)s)")
    parser.add_argument("--wall-pose", type=float, nargs=6, default=(0.0,) * 6, metavar="N",
                        help="where the wall stands in map: x y z roll pitch yaw, m and rad")  # fmt: skip
    parser.add_argument("--climb", type=_positive, default=1.0, help="metres to climb (default: %(default)s)")
    parser.add_argument("--traverse", type=float, default=0.0, help="metres sideways first, right positive")
    parser.add_argument("--step", type=_positive, help="metres a limb moves at a time (default: from the robot's size)")
    parser.add_argument("--speed", type=_positive, help="m/s of a moved limb (default: from the robot's file)")
    parser.add_argument("--rate", type=_positive, default=200.0, help="ticks a second (default: %(default)s)")
    parser.add_argument("--timeout", type=_positive, default=240.0,
                        help="seconds a headless climb may take (default: %(default)s)")  # fmt: skip
    parser.add_argument("--port", type=int, default=8080, help="of the page, or the next free one (default: 8080)")


def _positive(text: str) -> float:
    value = float(text)
    if not 0.0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text} is not positive")
    return value


def main(args: Sequence[str] | None = None) -> int:
    """Entry point of the executable ``demo``.

    Args:
        args: Command line without the program's name; the process's own when None.

    Returns:
        0 after Ctrl-C, SIGTERM, or a headless climb that held every promise; 1 otherwise.
    """
    parser = argparse.ArgumentParser(prog="demo")
    add_arguments(parser)
    return run_demo(parser.parse_args(args))


def run_demo(options: argparse.Namespace) -> int:
    """The demo with parsed options; see ``main``."""
    return run(lambda lifetime: _body(lifetime, options))


def say(words: str) -> None:
    """A line of progress on stderr."""
    print(f"demo: {words}", file=sys.stderr, flush=True)


def _body(lifetime: Lifetime, options: argparse.Namespace) -> int:
    os.environ.update(own_domain())
    from rclpy.node import Node

    from climbing_rig.ros.expedition import Expedition

    with processes() as group, ros([]):
        lifetime.guard()
        node = Node("demo")
        # Reads the robot: one that cannot be used is told before anything is started.
        expedition = Expedition(node, options.robot, options.rate, say, record=options.headless)
        _start(group, options)
        with spinning(node, lifetime):
            if not _wait(lifetime, group, expedition):
                return 0
            if options.headless:
                return _climb_and_judge(lifetime, group, expedition, options)
            _follow(expedition.for_ever(options.step, options.speed), lifetime, group, None)
    return 0


def _start(group: Processes, options: argparse.Namespace) -> None:
    say(f"ROS_DOMAIN_ID={os.environ['ROS_DOMAIN_ID']} (set it in another terminal to look at the topics)")
    climber = {"robot": options.robot, "rig": options.rig, "rate": options.rate}
    group.start("climber", "climbing_rig.ros.climber_node", climber)
    wall = {"wall": options.wall, "wall_pose": list(options.wall_pose)}
    group.start("wall_publisher", "climbing_rig.ros.wall_publisher", wall)
    if not options.headless:
        group.start("view", "climbing_rig.view.page", {"port": options.port})


def _wait(lifetime: Lifetime, group: Processes, expedition: Expedition) -> bool:
    """Until the climber has a wall; False when the user ended it before."""
    say("waiting for the climber and its wall (the first start compiles the kernels) …")
    deadline = time.monotonic() + START_UP

    def there() -> bool:
        group.check()
        if time.monotonic() > deadline:
            raise TimeoutError(f"no climber with a wall after {START_UP:g} s: {expedition.words}")
        return expedition.ready

    return lifetime.wait(there)


def _climb_and_judge(lifetime: Lifetime, group: Processes, expedition: Expedition, options: argparse.Namespace) -> int:
    started = time.monotonic()
    legs = expedition.once(options.step, options.speed, options.traverse, options.climb)
    in_time = _follow(legs, lifetime, group, options.timeout)
    if lifetime.ended:
        return 0
    verdict = expedition.verdict()
    ok = in_time and verdict.holds(options.climb)
    result = {
        "ok": ok,
        "robot": options.robot,
        "wall": options.wall,
        **verdict.as_json(),
        "seconds": round(time.monotonic() - started, 1),
    }
    if options.json:
        print(json.dumps(result), flush=True)
    else:
        say(", ".join(f"{key} {value}" for key, value in result.items()))
    return 0 if ok else 1


def _follow(script: Iterator[None], lifetime: Lifetime, group: Processes, seconds: float | None) -> bool:
    """Runs a script, a look at a time; False when it took longer than ``seconds`` or the process has to end."""
    from climbing_rig.ros.climb_script import LOOK

    deadline = time.monotonic() + seconds if seconds is not None else float("inf")
    following = time.monotonic()
    for _ in script:
        group.check()
        following = max(following + LOOK, time.monotonic())
        while not lifetime.ended and time.monotonic() < following:
            time.sleep(max(0.0, following - time.monotonic()))
        if lifetime.ended:
            return False
        if time.monotonic() > deadline:
            say(f"gave up after {seconds:g} s")
            return False
    return True


if __name__ == "__main__":
    sys.exit(main())
