"""The demo's nodes as processes of their own."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from climbing_rig.errors import ClimbingRigError
from climbing_rig.ros.dds import profile_environment

ENDING = 5.0
"""Seconds a process has to end after SIGTERM before it is killed."""


class ProcessError(ClimbingRigError):
    """A node's process ended by itself; ``name`` is the node, ``given`` its exit code."""


def own_domain(environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Variables that keep the demo's nodes among themselves on this machine, and let large clouds through.

    What the user has set stays.
    """
    own = {
        "ROS_DOMAIN_ID": str(random.SystemRandom().randint(1, 101)),
        "ROS_AUTOMATIC_DISCOVERY_RANGE": "LOCALHOST",
    }
    return {key: value for key, value in own.items() if key not in environment} | profile_environment(environment)


class Processes:
    """Nodes that run until ``end``."""

    def __init__(self) -> None:
        self._running: dict[str, subprocess.Popen[bytes]] = {}

    def start(self, name: str, module: str, parameters: Mapping[str, object], arguments: Sequence[str] = ()) -> None:
        """Starts ``python -m module``; what it prints goes to stderr.

        Args:
            name: What to call it.
            module: Of climbing_rig.
            parameters: ROS parameters.
            arguments: Before the ROS arguments.
        """
        command = [sys.executable, "-m", module, *arguments]
        if parameters:
            command.append("--ros-args")
        for key, value in parameters.items():
            command += ["-p", f"{key}:={_yaml(value)}"]
        self._running[name] = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=sys.stderr)

    def check(self) -> None:
        """Raises ProcessError when one has ended by itself."""
        for name, process in self._running.items():
            code = process.poll()
            if code is not None:
                raise ProcessError(f"{name} ended with exit code {code}", name=name, given=code)

    def end(self) -> None:
        """Asks all to end, the last started first, and waits; kills what does not."""
        for process in reversed(self._running.values()):
            if process.poll() is None:
                # Not SIGINT: a Python that is still starting answers that with a traceback.
                process.send_signal(signal.SIGTERM)
        deadline = time.monotonic() + ENDING
        while time.monotonic() < deadline and any(process.poll() is None for process in self._running.values()):
            time.sleep(0.02)
        for process in self._running.values():
            process.kill()  # nothing happens to one that has ended
            process.wait()
        self._running.clear()


@contextmanager
def processes() -> Iterator[Processes]:
    """A group of processes that is ended when the block is left."""
    group = Processes()
    try:
        yield group
    finally:
        group.end()


def _yaml(value: object) -> str:
    """A parameter's value as the ROS command line wants it; text is quoted, so that it stays text."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    return repr(value)
