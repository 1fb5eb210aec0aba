"""Builds tf2_msgs into the environment of the running interpreter, with the real ROS 2 generators.

The ROS 2 wheels have no tf2_msgs. Their generators can build it, once the folders of the machine that built the wheels
are replaced by this machine's. Run with the interpreter of an environment that holds requirements/ros.txt and
requirements/interfaces.txt, cmake and a C++ compiler:

    .venv/bin/python tools/build_tf2_msgs.py
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

import numpy as np

SOURCE = Path(__file__).resolve().parent / "tf2_msgs"
BUILDER_PYTHON = re.compile(r"/opt/python/cp\d+-cp\d+/include/python3\.\d+")
BUILDER_NUMPY = re.compile(r"/opt/python/cp\d+-cp\d+/lib/python3\.\d+/site-packages/numpy/_?core/include")


def main() -> int:
    """Builds and installs; prints the build's output only when it fails.

    Returns:
        The exit code.
    """
    prefix = Path(sys.prefix)
    use_own_headers(prefix)
    with tempfile.TemporaryDirectory(prefix="tf2_msgs-") as build:
        for command in build_commands(prefix, Path(build)):
            result = subprocess.run(
                command, env=build_environment(prefix), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
            )
            if result.returncode:
                print(result.stdout, file=sys.stderr)
                print(f"building tf2_msgs failed at: {' '.join(command)}", file=sys.stderr)
                return 1
    return 0


def use_own_headers(prefix: Path) -> None:
    """Puts this Python's and numpy's header folders where the wheels name those of the machine that built them."""
    for path in (prefix / "share").rglob("*.cmake"):
        text = path.read_text(encoding="utf-8")
        changed = BUILDER_PYTHON.sub(lambda _: sysconfig.get_path("include"), text)
        changed = BUILDER_NUMPY.sub(lambda _: np.get_include(), changed)
        if changed != text:
            path.write_text(changed, encoding="utf-8")


def build_commands(prefix: Path, build: Path) -> list[list[str]]:
    """Configure, build, install."""
    cmake = ["cmake", "-S", str(SOURCE), "-B", str(build), "-DCMAKE_BUILD_TYPE=Release", "-DBUILD_TESTING=OFF"]
    return [
        [*cmake, f"-DCMAKE_INSTALL_PREFIX={prefix}", f"-DPython3_EXECUTABLE={sys.executable}"],
        ["cmake", "--build", str(build), "--parallel", "2"],
        ["cmake", "--install", str(build)],
    ]


def build_environment(prefix: Path) -> dict[str, str]:
    """The environment in which the generators of the wheels find each other; nothing else ever needs it."""
    return {
        **os.environ,
        "AMENT_PREFIX_PATH": str(prefix),
        "CMAKE_PREFIX_PATH": str(prefix),
        "LD_LIBRARY_PATH": str(prefix / "lib"),
        "PATH": f"{prefix / 'bin'}{os.pathsep}{os.environ.get('PATH', os.defpath)}",
    }


if __name__ == "__main__":
    sys.exit(main())
