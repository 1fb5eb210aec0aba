"""The examples run as their first lines say, each in a process of its own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("01_first_hold.py", "right hand: locked"),
        ("02_your_own_wall.py", "nearest:"),
        ("03_your_own_robot.py", "rear_right: locked"),
        ("05_a_rig_of_your_own.py", "neck turned by"),
    ],
)
def test_an_example_without_ros_runs_and_says_what_it_did(script, expected, tmp_path):
    result = subprocess.run(
        [sys.executable, ROOT / "examples" / script], capture_output=True, text=True, timeout=240, cwd=tmp_path,
        env=os.environ,
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    assert expected in result.stdout
