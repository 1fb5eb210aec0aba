"""Set-up asks for what is missing in one message, and does nothing twice."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

TOOLS = Path(__file__).resolve().parents[2] / "tools"
sys.path.insert(0, str(TOOLS))

import prerequisites  # noqa: E402
import set_up  # noqa: E402


def test_missing_tools_give_one_message_with_the_line_to_type(bare_machine: Path) -> None:
    result = _set_up(bare_machine, python=prerequisites.base_python())
    assert result.returncode == 1
    assert result.stderr.splitlines() == [
        "climbing_rig needs cmake, g++. Install and run make again:",
        "    sudo apt-get install cmake g++",
    ]
    assert not (bare_machine / ".venv").exists()


def test_no_python_gives_the_line_to_type(bare_machine: Path) -> None:
    result = _set_up(bare_machine, python="python-that-is-not-there")
    assert result.returncode == 1
    assert "sudo apt-get install python3 python3-venv python3-dev cmake g++" in result.stderr


def test_an_old_python_is_named_with_the_version_needed(bare_machine: Path) -> None:
    old = bare_machine / "bin" / "python3.8"
    old.write_text('#!/bin/sh\n[ "$1" = --version ] && echo Python 3.8.10 && exit 0\nexit 1\n')
    old.chmod(0o755)
    result = _set_up(bare_machine, python=str(old))
    assert result.returncode == 1
    assert "needs Python 3.10 or newer" in result.stderr
    assert "Python 3.8.10" in result.stderr
    assert "sudo apt-get install python3.12" in result.stderr


@pytest.mark.parametrize(
    ("system", "machine", "version", "exist"),
    [
        ("linux", "x86_64", (3, 10), True),
        ("linux", "x86_64", (3, 13), True),
        ("linux", "x86_64", (3, 14), False),
        ("linux", "aarch64", (3, 12), False),
        ("darwin", "x86_64", (3, 12), False),
    ],
)
def test_ros_wheels_are_for_linux_on_x86_up_to_python_3_13(system, machine, version, exist) -> None:
    assert prerequisites.wheels_exist(system, machine, version) is exist


def test_a_machine_without_wheels_and_without_ros_is_told_what_to_do(monkeypatch) -> None:
    monkeypatch.setattr(prerequisites, "missing_packages", lambda compiling: [])
    monkeypatch.setattr(prerequisites, "wheels_exist", lambda *machine: False)
    with pytest.raises(prerequisites.NotReadyError, match=r"Install ROS 2 .* or name another Python"):
        prerequisites.check(ros=False)
    prerequisites.check(ros=True)


def test_a_step_is_done_again_only_when_what_it_is_made_from_has_changed(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(set_up, "STAMPS", tmp_path / "stamps")
    lock, done = tmp_path / "lock.txt", []
    lock.write_text("one==1")
    steps = [
        set_up.Step("first", "first", ("constant",), lambda: done.append("first")),
        set_up.Step("second", "second", (lock,), lambda: done.append("second")),
        set_up.Step("third", "third", ("constant",), lambda: done.append("third")),
    ]
    set_up.follow(steps)
    assert done == ["first", "second", "third"]
    set_up.follow(steps)
    assert done == ["first", "second", "third"]
    lock.write_text("one==2")
    set_up.follow(steps)
    assert done == ["first", "second", "third", "second", "third"]


def test_a_failed_step_is_reported_with_its_output_and_done_again(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(set_up, "STAMPS", tmp_path / "stamps")
    command = [sys.executable, "-c", "print('no such wheel'); raise SystemExit(3)"]
    step = set_up.Step("broken", "broken", ("constant",), lambda: set_up.run(*command))
    with pytest.raises(prerequisites.NotReadyError, match="no such wheel"):
        set_up.follow([step])
    assert not step.done


@pytest.fixture
def bare_machine(tmp_path: Path) -> Path:
    """A copy of the tools beside a folder of programs that has next to nothing in it."""
    shutil.copytree(TOOLS, tmp_path / "tools", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(TOOLS.parent / "requirements", tmp_path / "requirements")
    for name in ("pyproject.toml", "setup.py", "setup.cfg"):
        shutil.copy(TOOLS.parent / name, tmp_path)
    (tmp_path / "bin").mkdir()
    for program in ("sh", "dirname"):
        (tmp_path / "bin" / program).symlink_to(shutil.which(program))
    return tmp_path


def _set_up(machine: Path, python: str) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": str(machine / "bin"), "PYTHON": python}
    return subprocess.run(["tools/set_up.sh"], cwd=machine, env=environment, capture_output=True, text=True)
