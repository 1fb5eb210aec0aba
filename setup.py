"""Data files of the ROS package, which only code can list; everything else about it is in setup.cfg."""

from pathlib import Path

from setuptools import setup

PACKAGE = "climbing_rig"
SHARE = f"share/{PACKAGE}"
FOLDERS = ("config", "launch", "rviz", "urdf", "walls")
"""Folders of the repository that are installed whole, subfolders included."""


def data_files():
    """One row for each folder that holds files: setuptools copies files, not trees."""
    rows = [
        ("share/ament_index/resource_index/packages", [f"resource/{PACKAGE}"]),
        (SHARE, ["package.xml"]),
    ]
    # Relative to this file, wherever the build was started from.
    root = Path(__file__).resolve().parent
    for top in FOLDERS:
        for folder in [root / top, *sorted((root / top).rglob("*"))]:
            files = sorted(path for path in folder.iterdir() if path.is_file()) if folder.is_dir() else []
            if files and folder.name != "__pycache__":
                names = [path.relative_to(root).as_posix() for path in files]
                rows.append((f"{SHARE}/{folder.relative_to(root).as_posix()}", names))
    return rows


# colcon cannot read the Python version from setup.cfg.
setup(python_requires=">=3.10", data_files=data_files())
