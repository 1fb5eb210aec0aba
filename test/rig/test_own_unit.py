"""A unit in somebody else's package is found by its entry point; a broken one is told of and ends nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "own_unit"


def install(site: Path, name: str, entries: str) -> None:
    """As pip would leave a package behind: its metadata with entry points."""
    folder = site / f"{name}-1.0.0.dist-info"
    folder.mkdir(parents=True)
    (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0.0\n")
    (folder / "entry_points.txt").write_text(entries)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    site = tmp_path_factory.mktemp("site")
    declared = (EXAMPLE / "pyproject.toml").read_text()
    assert '[project.entry-points."climbing_rig.units"]' in declared and 'bone_check = "bone_check"' in declared
    install(site, "bone_check", "[climbing_rig.units]\nbone_check = bone_check\n")
    install(site, "broken_one", "[climbing_rig.units]\nbroken = broken_one\n")
    (site / "broken_one.py").write_text("raise RuntimeError('not today')\n")
    install(site, "missing_one", "[climbing_rig.units]\nmissing = missing_one\n")
    return site


def rig(site: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own, which discovers packages anew."""
    path = os.pathsep.join([str(site), str(EXAMPLE), *filter(None, sys.path)])
    return subprocess.run(
        [sys.executable, "-m", "climbing_rig.cli", "rig", *arguments], capture_output=True, text=True, timeout=280,
        cwd=folder, env={**os.environ, "PYTHONPATH": path},
    )  # fmt: skip


def length(site: Path, folder: Path, **bounds: float) -> dict[str, object]:
    given = [word for name, value in bounds.items() for word in ("--set", f"forearm.{name}={value!r}")]
    result = rig(site, folder, "trace", str(EXAMPLE / "bone_check.yaml"), "--json", *given)
    assert result.returncode == 0, result.stderr
    (step,) = json.loads(result.stdout)["steps"]
    outputs: dict[str, object] = step["outputs"]
    return outputs


def test_a_unit_of_another_package_runs_in_a_graph_with_bounds_inclusive(site, tmp_path):
    outputs = length(site, tmp_path)
    measured = outputs["length"]
    assert outputs["valid"] is True and 0.2 < measured < 0.35
    beyond = 1e-9
    for low, high, valid in (
        (measured, measured, True),
        (measured + beyond, 1.0, False),
        (0.0, measured - beyond, False),
    ):
        assert length(site, tmp_path, min=low, max=high) == {"valid": valid, "length": measured}


def test_a_missing_bone_is_a_compile_error_with_node_pin_and_line(site, tmp_path):
    graph = tmp_path / "missing.yaml"
    graph.write_text((EXAMPLE / "bone_check.yaml").read_text().replace("hand_l", "hand_q"))
    result = rig(site, tmp_path, "show", str(graph))
    assert result.returncode == 1 and result.stdout == ""
    assert "missing.yaml:7: node 'forearm' (bone_check.length), pin 'child'" in result.stderr
    assert "'hand_q' is no bone of this robot" in result.stderr and "hand_l" in result.stderr


def test_broken_packages_are_shown_and_the_others_work(site, tmp_path):
    result = rig(site, tmp_path, "units", "bone_check.length", "--json")
    assert result.returncode == 0, result.stderr
    told = json.loads(result.stdout)
    (unit,) = told["units"]
    assert [pin["pin"] for pin in unit["inputs"]] == ["parent", "child", "min", "max"]
    assert [pin["pin"] for pin in unit["outputs"]] == ["valid", "length"]
    assert unit["place"] == f"{EXAMPLE / 'bone_check.py'}:27"
    assert told["broken"] == {
        "broken = broken_one": "RuntimeError: not today",
        "missing = missing_one": "ModuleNotFoundError: No module named 'missing_one'",
    }
    assert "broken = broken_one is broken: RuntimeError: not today" in result.stderr


def test_a_unit_that_is_missing_because_its_package_is_broken_says_so(site, tmp_path):
    graph = tmp_path / "lost.yaml"
    graph.write_text("nodes: [{name: lost, unit: broken_one.thing}]")
    result = rig(site, tmp_path, "show", str(graph))
    assert result.returncode == 1
    assert "entry point broken = broken_one is broken: RuntimeError: not today" in result.stderr
