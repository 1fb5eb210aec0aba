"""The Fast DDS profile that lets large clouds through, for the processes that the launch file and the demo start."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from climbing_rig.share import share_dir

VARIABLE = "FASTDDS_DEFAULT_PROFILES_FILE"
OLD_VARIABLE = "FASTRTPS_DEFAULT_PROFILES_FILE"
OLD_DISTRIBUTIONS = ("humble", "iron", "jazzy")
"""Those read the old variable; later ones complain of it."""

ROOM = 1 << 30
"""Bytes of free shared memory below which the profile is left out: every process takes 64 MiB of it, and one that gets
none complains and falls back to UDP. A container has 64 MiB in all unless told otherwise."""


def profile_environment(
    environment: Mapping[str, str] = os.environ, shared_memory: Path = Path("/dev/shm")
) -> dict[str, str]:
    """The variable to add to a process's environment; none where the user has a profile or memory is short.

    Args:
        environment: Where the user's own variables are looked for.
        shared_memory: Where the system keeps shared memory.
    """
    if environment.get(VARIABLE) or environment.get(OLD_VARIABLE):
        return {}
    if not shared_memory.is_dir() or shutil.disk_usage(shared_memory).free < ROOM:
        return {}
    variable = OLD_VARIABLE if environment.get("ROS_DISTRO") in OLD_DISTRIBUTIONS else VARIABLE
    return {variable: str(share_dir() / "config" / "fastdds.xml")}
