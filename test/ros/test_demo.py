"""The demo climbs over real topics and services, and what was received proves it."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Sequence

import pytest

KEYS = {
    "climbed_m", "locked_drift_mm_max", "joint_limit_excess_max", "joint_velocity_ratio_max", "tip_jump_ratio_max",
    "releases", "releases_per_limb", "messages", "missing", "rate_hz", "finite", "ok",
}  # fmt: skip
CLIMBS = {
    "the default climber a metre up the tall wall": ((), 1.0),
    "LORIS up the same scan at its true size": (("--robot", "config/loris.yaml", "--wall", "tall_true_size"), 0.3),
    "the default climber across and up the leaning scan": (("--wall", "leaning", "--traverse", "0.15"), 0.4),
}


@pytest.mark.parametrize("name", CLIMBS)
def test_the_demo_climbs(name: str) -> None:
    arguments, climb = CLIMBS[name]
    command = [sys.executable, "-m", "climbing_rig.cli", "demo", "--headless", "--json", "--climb", str(climb)]
    result = subprocess.run([*command, *arguments], capture_output=True, text=True, timeout=280)
    assert result.stdout, result.stderr
    assert result.stdout.count("\n") == 1
    measured = json.loads(result.stdout)
    assert measured.keys() >= KEYS
    assert measured["climbed_m"] >= climb, result.stderr
    assert measured["locked_drift_mm_max"] <= 0.1
    assert measured["joint_limit_excess_max"] == 0.0
    assert measured["joint_velocity_ratio_max"] <= 1.0
    assert measured["tip_jump_ratio_max"] <= 1.0
    assert measured["releases"] >= 12 and min(measured["releases_per_limb"].values()) >= 3
    assert len(measured["releases_per_limb"]) == 4
    assert measured["finite"] is True
    assert measured["missing"] == 0, result.stderr
    assert measured["messages"] > 4 * 1000
    assert measured["ok"] is True and result.returncode == 0
    assert "Traceback" not in result.stderr, result.stderr


def demo(*arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "climbing_rig.cli", "demo", "--headless", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def ended(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    out, err = process.communicate(timeout=60)
    return process.returncode, out, err


@pytest.mark.parametrize("delay", [0.5, 4.0])
def test_ctrl_c_ends_the_demo_and_its_nodes_with_exit_code_0(delay: float) -> None:
    process = demo("--json")
    time.sleep(delay)
    process.send_signal(signal.SIGINT)
    code, out, err = ended(process)
    assert (code, out) == (0, "")
    assert "Traceback" not in err, err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--wall", "nowhere.ply"), "wall_publisher ended with exit code 1"),
        (("--robot", "nobody.yaml"), "no such file: nobody.yaml"),
        (("--wall-pose", "50", "0", "0", "0", "0", "0"), "the climber did not attach"),
    ],
)
def test_what_cannot_be_climbed_is_told_and_ends_the_demo(arguments: Sequence[str], words: str) -> None:
    code, out, err = ended(demo("--json", *arguments))
    assert (code, out) == (1, "")
    assert words in err
    assert "Traceback" not in err, err
