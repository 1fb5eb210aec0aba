"""``climbing_rig``: the command line."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence

from climbing_rig.errors import ClimbingRigError

WALL_EXAMPLES = """\
examples:
  climbing_rig wall                                       the walls that come with the package
  climbing_rig wall tall                                  what one of them is
  climbing_rig wall 'scan.las?scale=0.3048&up=z'          your own scan, in feet
  climbing_rig wall 'generated:overhang?angle=40&seed=3' --json
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Entry point.

    Args:
        arguments: Without the program's name; the process's own when None.

    Returns:
        The exit code: 0, or 1 after an error, which is told in one line on stderr; 2 for a wrong command line.
    """
    options = _parser().parse_args(arguments)
    try:
        code: int = options.run(options)
    except ClimbingRigError as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        return 1
    return code


def _parser() -> argparse.ArgumentParser:
    from climbing_rig import __version__
    from climbing_rig.rig.inspect.commands import add_rig
    from climbing_rig.ros.demo import add_arguments, run_demo

    parser = argparse.ArgumentParser(prog="climbing_rig", description="A limbed robot climbs a wall, limb by limb.")
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")

    demo = commands.add_parser("demo", help="a climber on a scanned wall, climbing by itself")
    add_arguments(demo)
    demo.set_defaults(run=run_demo)

    wall = commands.add_parser(
        "wall",
        help="read a wall and say what it is",
        description="Reads a wall the way the nodes do, and says what it is.",
        epilog=WALL_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    wall.add_argument("wall", nargs="?", help="a name, generated:NAME?option=value, or FILE?option=value")
    wall.add_argument("--json", action="store_true", help="one line of JSON on stdout")
    wall.set_defaults(run=_wall)

    add_rig(commands)
    return parser


def _wall(options: argparse.Namespace) -> int:
    from climbing_rig.wall import Wall
    from climbing_rig.wall.spec import packaged_walls

    if options.wall is None:
        walls = packaged_walls()
        print(json.dumps(walls) if options.json else "\n".join(f"{name:<16} {line}" for name, line in walls.items()))
        return 0
    started = time.monotonic()
    wall = Wall.from_spec(options.wall)
    facts = {
        "points": len(wall),
        "dropped": wall.dropped,
        "spacing_m": round(wall.spacing, 5),
        "low": wall.bounds[0].round(4).tolist(),
        "high": wall.bounds[1].round(4).tolist(),
        "climbable": round(float(wall.climbable.mean()), 4),
        "seconds": round(time.monotonic() - started, 3),
    }
    print(json.dumps(facts) if options.json else "\n".join(f"{name:<10} {value}" for name, value in facts.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
