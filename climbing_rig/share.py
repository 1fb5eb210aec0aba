"""Where the package's own data files (config, urdf, launch, rviz, walls) are, however it was installed."""

from __future__ import annotations

import contextlib
import sys
from functools import cache
from pathlib import Path

from climbing_rig.errors import ConfigError

PACKAGE = "climbing_rig"


@cache
def share_dir() -> Path:
    """Folder that holds ``config/``, ``urdf/``, ``launch/`` and ``rviz/``.

    Looked for in the ament index (a ROS workspace), under ``sys.prefix`` (a wheel) and beside the package (a checkout
    or an editable install, which do not copy data files).

    Raises:
        ConfigError: None of the places has the files.
    """
    candidates = []
    try:
        from ament_index_python.packages import PackageNotFoundError, get_package_share_directory

        # Wheels of ROS 2 bring the module without the environment it reads: that is an OSError.
        with contextlib.suppress(PackageNotFoundError, OSError):
            candidates.append(Path(get_package_share_directory(PACKAGE)))
    except ImportError:
        pass
    candidates += [Path(__file__).resolve().parents[1], Path(sys.prefix) / "share" / PACKAGE]
    for folder in candidates:
        if (folder / "config").is_dir() and (folder / "urdf").is_dir():
            return folder
    raise ConfigError("the package's data files were not found", name="share", given=[str(c) for c in candidates])


def resolve(path: str | Path) -> Path:
    """A user's path: against the working folder first, then against the package's share.

    Raises:
        ConfigError: Neither exists.
    """
    given = Path(path).expanduser()
    if given.exists():
        return given
    candidate = share_dir() / given
    if candidate.exists():
        return candidate
    raise ConfigError(f"no such file: {given} (looked in {Path.cwd()} and {share_dir()})", name="path", given=str(path))
