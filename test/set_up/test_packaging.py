"""What a user installs is whole: files, executables, dependencies."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
import sysconfig
import xml.etree.ElementTree as ElementTree
import zipfile
from importlib import metadata
from pathlib import Path

import pytest
import yaml

import climbing_rig

ROOT = Path(__file__).resolve().parents[2]
SHARE = "share/climbing_rig"
INSTALLED = {"config", "launch", "rviz", "urdf", "walls"}
NOT_INSTALLED = {".ci", "bench", "climbing_rig", "docs", "examples", "requirements", "resource", "test", "tools"}

ROSDEP_KEYS = {
    "lxml": "python3-lxml",
    "numba": "python3-numba",
    "numpy": "python3-numpy",
    "scipy": "python3-scipy",
    "transforms3d": "python3-transforms3d",
    "trimesh": "python3-trimesh-pip",
    "yaml": "python3-yaml",
    "yourdfpy": "python3-yourdfpy-pip",
}
WITHOUT_KEY = {"laspy", "viser"}
BROUGHT = {"llvmlite"}
"""Comes with numba, which needs one version of it and no other."""
DISTRIBUTIONS = {"yaml": "PyYAML"}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Names of the files that are installed; built from a copy, as building leaves things behind."""
    source, built = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("built")
    for path in _tracked():
        (source / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, source / path)
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir"]
    subprocess.run([*pip, str(built), str(source)], check=True)
    with zipfile.ZipFile(next(built.glob("*.whl"))) as archive:
        return [re.sub(r"^climbing_rig-[^/]+\.data/data/", "", name) for name in archive.namelist()]


def test_every_share_file_is_installed(wheel: list[str]) -> None:
    expected = [f"{SHARE}/{path}" for path in _tracked() if Path(path).parts[0] in INSTALLED]
    expected += [f"{SHARE}/package.xml", "share/ament_index/resource_index/packages/climbing_rig"]
    assert sorted(set(expected) - set(wheel)) == []


def test_every_module_is_installed(wheel: list[str]) -> None:
    modules = {path for path in _tracked() if path.startswith("climbing_rig/") and path.endswith(".py")}
    assert sorted(modules - set(wheel)) == []


def test_no_folder_of_the_repository_is_forgotten() -> None:
    folders = {Path(path).parts[0] for path in _tracked() if "/" in path}
    assert folders - NOT_INSTALLED <= INSTALLED


def test_every_executable_starts_an_existing_function() -> None:
    for script in _scripts():
        assert callable(script.load()), script


def test_launch_file_names_only_real_executables() -> None:
    calls = [node for node in ast.walk(_launch_file()) if isinstance(node, ast.Call)]
    started = [call for call in calls if isinstance(call.func, ast.Name) and call.func.id == "node"]
    own = {call.args[0].value for call in started if len(call.args) == 1}
    assert {"climber", "wall_publisher", "teleop_keyboard", "teleop_joy", "view"} <= own
    assert own <= {script.name for script in _scripts()}
    packages = {call.args[1].value for call in started if len(call.args) == 2}
    assert packages <= _ros_dependencies()


def test_launch_file_sets_only_declared_parameters() -> None:
    from climbing_rig.ros.node_parameters import NODES

    dictionaries = [node for node in ast.walk(_launch_file()) if isinstance(node, ast.Dict)]
    given = {key.value for dictionary in dictionaries for key in dictionary.keys if isinstance(key, ast.Constant)}
    declared = {row.name for rows in NODES.values() for row in rows}
    assert given - declared == {"use_sim_time", "robot_description"}


def test_the_manifests_agree() -> None:
    package = ElementTree.parse(ROOT / "package.xml").getroot()
    assert package.findtext("name") == "climbing_rig"
    assert package.findtext("version") == _distribution().version == climbing_rig.__version__
    assert package.findtext("license") == _distribution().metadata["License"]


def test_every_import_is_a_declared_dependency() -> None:
    files = [path for path in _tracked() if path.startswith(("climbing_rig/", "launch/")) and path.endswith(".py")]
    imported = {name for path in files for name in _imports(ROOT / path)}
    foreign = imported - set(sys.stdlib_module_names) - {"climbing_rig"}
    libraries = foreign & (ROSDEP_KEYS.keys() | WITHOUT_KEY)
    assert sorted(foreign - libraries - BROUGHT - _ros_dependencies()) == []
    assert {ROSDEP_KEYS[name] for name in libraries - WITHOUT_KEY} <= _ros_dependencies()
    required = {re.match(r"[\w-]+", line).group() for line in _distribution().requires if "extra" not in line}
    assert {DISTRIBUTIONS.get(name, name) for name in libraries} <= required


def test_rviz_shows_what_the_nodes_publish() -> None:
    manager = yaml.safe_load((ROOT / "rviz" / "climb.rviz").read_text())["Visualization Manager"]
    displays = {display["Class"].split("/")[1]: display for display in manager["Displays"]}
    wall, model = displays["PointCloud2"]["Topic"], displays["RobotModel"]["Description Topic"]
    assert (wall["Value"], model["Value"]) == ("wall/map", "robot_description")
    for topic in (wall, model):
        assert (topic["Durability Policy"], topic["Reliability Policy"]) == ("Transient Local", "Reliable")
    assert displays["MarkerArray"]["Topic"]["Value"] == "climber/markers"
    assert "TF" in displays


def _tracked() -> list[str]:
    """Files of the repository that are there, relative to it."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout
    return [path for path in listed.splitlines() if (ROOT / path).is_file()]


def _distribution() -> metadata.Distribution:
    """What is installed; the working folder may hold an older build's metadata, which would be found first."""
    return next(iter(metadata.distributions(name="climbing_rig", path=[sysconfig.get_path("purelib")])))


def _scripts() -> list[metadata.EntryPoint]:
    return [entry for entry in _distribution().entry_points if entry.group == "console_scripts"]


def _launch_file() -> ast.Module:
    return ast.parse((ROOT / "launch" / "climb.launch.py").read_text())


def _ros_dependencies() -> set[str]:
    return {element.text for element in ElementTree.parse(ROOT / "package.xml").getroot().iter("exec_depend")}


def _imports(path: Path) -> set[str]:
    """Top-level names of what a module imports, wherever in the module."""
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module and not node.level}
    return {name.split(".")[0] for name in names}
