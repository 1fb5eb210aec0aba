"""Builds the package with colcon in a scratch workspace and uses it as a ROS user would: `make colcon-check`.

Needs a sourced ROS 2 with colcon, launch and ros2cli. Ends with exit code 0 when every check holds; else it says which
did not and shows the launch's output.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = "climbing_rig"
EXECUTABLES = {"climber", "wall_publisher", "teleop_keyboard", "teleop_joy", "demo", "view"}
TOPICS = {"/joint_states", "/tf", "/tf_static", "/wall/map", "/robot_description", "/limb_cmds", "/climber/contacts",
          "/climber/tips", "/climber/status", "/climber/markers", "/diagnostics"}  # fmt: skip
SERVICES = {"/attach", "/release_all", "/reset", "/stop", "/pause", "/left_hand/grip"}
PARAMETERS = {"robot", "urdf", "rate", "attach_on_wall", "map_frame"}
START, END = 600.0, 30.0
"""Seconds a launch may take until everything is there (kernels may be compiled), and from Ctrl-C to its end."""


def main() -> int:
    """Runs all checks.

    Returns:
        The exit code.
    """
    missing = [program for program in ("ros2", "colcon") if shutil.which(program) is None]
    if missing:
        print(f"{' and '.join(missing)} not found: source ROS 2's setup file and install colcon:\n"
              "    sudo apt-get install python3-colcon-common-extensions", file=sys.stderr)  # fmt: skip
        return 1
    with tempfile.TemporaryDirectory(prefix="climbing_rig-colcon-") as folder:
        workspace = Path(folder)
        environment = build(workspace)
        failures = installed(environment) + launched(environment, workspace / "launch.log")
    for failure in failures:
        print(f"FAILED: {failure}", file=sys.stderr)
    print("colcon check: " + ("failed" if failures else "passed"))
    return 1 if failures else 0


def build(workspace: Path) -> dict[str, str]:
    """Builds a copy of the tracked files.

    Returns:
        The environment of a shell that has sourced the workspace.
    """
    source = workspace / "src" / PACKAGE
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout
    for name in filter(lambda name: (ROOT / name).is_file(), tracked.splitlines()):
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, source / name)
    subprocess.run(["colcon", "build"], cwd=workspace, check=True)
    sourced = subprocess.run(
        ["bash", "-c", ". install/setup.bash && env -0"], cwd=workspace, stdout=subprocess.PIPE, text=True, check=True
    ).stdout
    environment = dict(item.split("=", 1) for item in sourced.split("\0") if "=" in item)
    environment["ROS_DOMAIN_ID"] = str(random.SystemRandom().randint(1, 101))
    return environment


def installed(environment: dict[str, str]) -> list[str]:
    """What ros2cli does not find of the installed package, in words."""
    executables = set(ros2(environment, "pkg", "executables", PACKAGE).split()) - {PACKAGE}
    failures = [f"ros2 pkg executables lacks {name}" for name in sorted(EXECUTABLES - executables)]
    without_terminal = subprocess.run(
        ["ros2", "run", PACKAGE, "teleop_keyboard"], env=environment, stdin=subprocess.DEVNULL, capture_output=True,
        text=True, timeout=START,
    )  # fmt: skip
    if "Traceback" in without_terminal.stderr or without_terminal.returncode == 0:
        failures.append(f"teleop_keyboard without a terminal: {without_terminal.stderr}")
    return failures


def launched(environment: dict[str, str], log: Path) -> list[str]:
    """What the launch does not bring up or does not end well, in words."""
    with log.open("w") as output:
        launch = subprocess.Popen(
            ["ros2", "launch", PACKAGE, "climb.launch.py"], env=environment, stdin=subprocess.DEVNULL, stdout=output,
            stderr=subprocess.STDOUT, start_new_session=True,
        )  # fmt: skip
    try:
        failures = present(environment, launch)
        # To the whole group, as a terminal does.
        os.killpg(launch.pid, signal.SIGINT)
        code = launch.wait(timeout=END)
    except subprocess.TimeoutExpired:
        code = "none: it did not end"
    finally:
        if launch.poll() is None:
            os.killpg(launch.pid, signal.SIGKILL)
    told = log.read_text(errors="replace")
    if code != 0:
        failures.append(f"exit code of the launch after Ctrl-C: {code}")
    failures += [f"'{word}' in the launch's output" for word in ("Traceback", "process has died") if word in told]
    if failures:
        print(told, file=sys.stderr)
    return failures


def present(environment: dict[str, str], launch: subprocess.Popen[bytes]) -> list[str]:
    """What the launched nodes do not offer, in words; waits until it is there."""

    def lists(*command: str) -> Callable[[], set[str]]:
        return lambda: set(ros2(environment, *command, "--no-daemon", "--spin-time", "3").split())

    wanted = {
        "topic": (TOPICS, lists("topic", "list")),
        "service": (SERVICES, lists("service", "list")),
        "parameter": (PARAMETERS, lists("param", "list", "/climber")),
    }
    failures = []
    deadline = time.monotonic() + START
    for kind, (names, listed) in wanted.items():
        lacking = names
        while lacking and time.monotonic() < deadline and launch.poll() is None:
            lacking -= listed()
        failures += [f"no {kind} {name}" for name in sorted(lacking)]
    return failures


def ros2(environment: dict[str, str], *command: str) -> str:
    """What a ros2 command prints."""
    return subprocess.run(["ros2", *command], env=environment, stdout=subprocess.PIPE, text=True).stdout


if __name__ == "__main__":
    sys.exit(main())
