"""What set-up needs of the machine before it begins; only the standard library is used here."""

from __future__ import annotations

import importlib.util
import platform
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

WHEEL_PYTHONS = ((3, 10), (3, 13))
"""First and last Python there are ROS 2 wheels for (x86-64 Linux only)."""


class NotReadyError(Exception):
    """Set-up cannot begin or go on; the text says what to do."""


def base_python() -> str:
    """The interpreter to make environments with: the one behind an environment that happens to be active."""
    return getattr(sys, "_base_executable", None) or sys.executable


def has_ros(python: str) -> bool:
    """Whether ROS 2 is installed for ``python`` and sourced."""
    result = subprocess.run([python, "-c", "import rclpy"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return result.returncode == 0


def check(ros: bool) -> None:
    """Looks for everything at once, so that one answer is enough.

    Args:
        ros: Whether ROS 2 is installed; without it, wheels are installed and tf2_msgs is compiled.

    Raises:
        NotReadyError: Something is missing; the message has the line that installs it.
    """
    packages = missing_packages(compiling=not ros)
    if packages:
        raise NotReadyError(
            f"climbing_rig needs {', '.join(packages)}. Install and run make again:\n"
            f"    sudo apt-get install {' '.join(packages)}"
        )
    if not ros and not wheels_exist(sys.platform, platform.machine(), sys.version_info[:2]):
        raise NotReadyError(
            f"ROS 2 is not installed, and there are no ROS 2 wheels for Python {platform.python_version()} on "
            f"{platform.system()} {platform.machine()}: they are for Python 3.10 to 3.13 on Linux x86_64.\n"
            "Install ROS 2 (Jazzy, Kilted or Lyrical) and source its setup file, or name another Python, for example: "
            "make PYTHON=python3.12"
        )


def missing_packages(compiling: bool) -> list[str]:
    """Debian's names of what is not there.

    Args:
        compiling: Whether C++ for Python will be compiled.
    """
    python = f"python3.{sys.version_info[1]}" if is_second_python() else "python3"
    missing = []
    if importlib.util.find_spec("venv") is None or importlib.util.find_spec("ensurepip") is None:
        missing.append(f"{python}-venv")
    if compiling:
        if not Path(sysconfig.get_path("include"), "Python.h").is_file():
            missing.append(f"{python}-dev")
        if shutil.which("cmake") is None:
            missing.append("cmake")
        if not any(shutil.which(compiler) for compiler in ("c++", "g++", "clang++")):
            missing.append("g++")
    return missing


def is_second_python() -> bool:
    """Whether this interpreter is another than the one called python3, so that its packages carry its number."""
    default = shutil.which("python3")
    return default is not None and Path(default).resolve() != Path(base_python()).resolve()


def wheels_exist(system: str, machine: str, version: tuple[int, int]) -> bool:
    """Whether ROS 2 wheels can be installed on such a machine."""
    first, last = WHEEL_PYTHONS
    return system == "linux" and machine in ("x86_64", "AMD64") and first <= version <= last
