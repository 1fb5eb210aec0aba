"""Every node ends on Ctrl-C and SIGTERM with exit code 0 and no traceback, at any time."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Sequence

import pytest
from nodes import NodeProcess

MODULES = {
    "climber_node": ((), "is live"),
    "wall_publisher": (("--ros-args", "-p", "wall:=generated:flat?spacing=0.1"), "on wall/map"),
    "teleop_joy": ((), "waiting for /joy"),
}


@pytest.mark.parametrize("module", MODULES)
def test_a_running_node_ends_in_order(module: str) -> None:
    arguments, live = MODULES[module]
    for number in (signal.SIGINT, signal.SIGTERM):
        node = NodeProcess(module, arguments)
        node.wait_for(live)
        assert node.end(number) == 0, node.output
        assert "Traceback" not in node.output and "Exception" not in node.output, node.output


@pytest.mark.parametrize("delay", [0.3, 0.8, 1.4, 2.0])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_node_that_is_still_warming_up_ends_in_order(delay: float, number: int) -> None:
    node = NodeProcess("climber_node", ())
    time.sleep(delay)  # wherever it is by then: importing, reading the robot, compiling
    assert node.end(number) == 0, node.output
    assert "Traceback" not in node.output, node.output


def test_several_nodes_end_together() -> None:
    nodes = [NodeProcess(module, arguments) for module, (arguments, _) in MODULES.items()]
    for node, (_, live) in zip(nodes, MODULES.values(), strict=True):
        node.wait_for(live)
    for node in nodes:
        node.process.send_signal(signal.SIGINT)
    assert [node.end() for node in nodes] == [0, 0, 0]


@pytest.mark.parametrize(
    ("module", "arguments", "words"),
    [
        ("climber_node", ("-p", "robot:=config/nobody.yaml"), "no such file: config/nobody.yaml"),
        ("climber_node", ("-p", "rate:=5"), "'rate' is 5; it must be 20 … 1000"),
        ("climber_node", ("-p", "rate:=fast"), "'rate' is 'fast'; it must be a finite number"),
        ("wall_publisher", ("-p", "wall:=nowhere.ply"), "no such file: nowhere.ply"),
        ("wall_publisher", ("-p", "up:=north"), "'up' is 'north'; valid:"),
        ("wall_publisher", ("-p", "crop:='1 2'"), "'crop' is '1 2'; it must be six numbers"),
        ("teleop_joy", ("-p", "pad:=config/teleop/keyboard.yaml"), "unknown key 'up'"),
    ],
)
def test_what_cannot_be_used_ends_a_node_with_one_line_and_code_1(
    module: str, arguments: Sequence[str], words: str
) -> None:
    command = [sys.executable, "-m", f"climbing_rig.ros.{module}", "--ros-args", *arguments]
    result = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert result.returncode == 1, result.stderr
    assert words in result.stderr
    assert "Traceback" not in result.stderr
