"""A running climber takes a changed rig file between two ticks, over real DDS, and keeps the old one if it must.

One node for the whole module; every test leaves the climber's own rig running.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from diagnostic_msgs.msg import DiagnosticStatus
from nodes import Listener
from rcl_interfaces.srv import SetParameters
from rclpy.parameter import Parameter as RosParameter
from rigged import EAGER, EASE, MIDDLE, OWN, STOPPING, Rigged
from std_msgs.msg import String

from climbing_rig.model import load_description, load_urdf
from climbing_rig.ros import qos
from climbing_rig.ros.recorder import Recording
from climbing_rig.ros.stamps import SECOND
from climbing_rig.ros.verdict import Judge
from climbing_rig.share import resolve

PERIOD = 1.0 / 200.0
UP = np.array([0.0, 0.0, 1.0])


@pytest.fixture(scope="module")
def graphs(ros: None, listener: Listener) -> list[dict]:
    """What ~/rig has told so far."""
    heard: list[dict] = []
    listener.listen(String, "climber/rig", lambda message: heard.append(json.loads(message.data)), qos.LATCHED)
    return heard


@pytest.fixture(scope="module")
def node(start_node: Callable, listener: Listener, tmp_path_factory: pytest.TempPathFactory) -> Rigged:
    return Rigged(start_node, listener, tmp_path_factory.mktemp("rig") / "mine.yaml")


@pytest.fixture
def rigged(node: Rigged) -> Iterator[Rigged]:
    yield node
    node.write(OWN)
    answer = node.reload()
    assert answer.success, answer.message
    node.listener.wait(lambda: node.rig == f"{node.file}: runs", words="the climber's own rig")


def since(recording: Recording, stamp: int) -> Recording:
    """The part of a recording that begins with a stamp."""
    return Recording({at: tick for at, tick in sorted(recording.ticks.items()) if at >= stamp}, recording.joint_names)


def nodes(graph: dict) -> dict[str, dict]:
    return {node["node"]: node for node in graph["nodes"]}


def test_the_graph_that_runs_is_latched_as_json(rigged: Rigged, graphs: list[dict]) -> None:
    rigged.listener.wait(lambda: graphs, words="~/rig")
    graph = graphs[-1]
    assert graph["source"] == str(rigged.file)
    assert {one["name"] for one in graph["variables"]} >= {"wished_rotation", "limb_weight", "body_weight"}
    goal = nodes(graph)["goal"]
    assert (goal["unit"], goal["owner"], goal["block"], goal["depth"]) == ("climb.goal", "each", "body", 1)
    assert "climb.py:" in goal["place"]
    assert goal["doc"]
    assert {one["pin"]: one.get("link") for one in goal["inputs"]}["rotation"] == "$turn.rotation"
    assert nodes(graph)["weigh"]["outputs"][0]["type"] == "float"
    assert nodes(graph)["reach"]["inputs"][0]["value"] == 1


def test_a_changed_file_is_swapped_in_without_a_missing_tick_or_a_jump(rigged: Rigged, graphs: list[dict]) -> None:
    listener = rigged.listener
    rigged.loosen("right_hand")
    began = listener.latest
    texts = (EAGER, OWN, EAGER)
    for text in texts:
        told = len(graphs)
        rigged.write(text)
        rigged.push("right_hand", 0.3, lambda told=told: len(graphs) > told)
        assert nodes(graphs[-1])["ease"]["enabled"] is (text is OWN)
    stop = time.monotonic() + 1.0
    rigged.push("right_hand", 0.3, lambda: time.monotonic() > stop)
    recording = since(listener.recorder.recording, began)
    description = load_description(resolve("config/climber.yaml"))
    verdict = Judge(load_urdf(resolve(description.urdf)), description, UP, PERIOD).judge(recording)
    assert len(recording.ticks) > 300
    assert verdict.missing == 0
    assert max(b - a for a, b in pairwise(recording.ticks)) <= 2.0 * PERIOD * SECOND + 2
    moved = np.ptp([tick.joints for tick in recording.ticks.values() if tick.joints is not None], axis=0)
    assert moved.max() > 0.05, "nothing moved: this shows nothing"
    assert verdict.joint_velocity_ratio_max <= 1.0
    assert verdict.tip_jump_ratio_max <= 1.0
    assert verdict.joint_limit_excess_max == 0.0
    assert verdict.locked_drift_mm_max <= 0.1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (OWN.replace("unit: climb.watch_wall", "unit: climb.watch_walls"), "clearance"),
        (OWN.replace("$facing.rotation", "$facing.rotatoin"), "posture"),
        (OWN.replace("passes: 1,", "passes: one,"), "'passes'"),
        (OWN[: OWN.index("set: {\"limb_weight") + 12], "{FILE}:{LINE}"),  # saved in the middle of typing
        ("nodes: [{name: day, unit: math.float.add, inputs: {a: 2001-99-99}}]", "month"),
        ("nodes: 7", "not a list of nodes"),
    ],
)  # fmt: skip
def test_a_broken_file_is_refused_in_words_and_the_rig_before_goes_on(
    rigged: Rigged, graphs: list[dict], text: str, words: str
) -> None:
    told, began = len(graphs), rigged.listener.latest
    line = str(text.count("\n") + 1)
    words = words.replace("{FILE}", str(rigged.file)).replace("{LINE}", line)
    rigged.save(text, words)
    assert "refused, the one before goes on" in rigged.rig
    assert rigged.level == DiagnosticStatus.WARN
    assert words in rigged.listener.said
    rigged.listener.ticks(100)
    assert len(graphs) == told
    recording = since(rigged.listener.recorder.recording, began)
    assert max(b - a for a, b in pairwise(recording.ticks)) <= 2.0 * PERIOD * SECOND + 2
    rigged.save(OWN, "runs")
    rigged.listener.wait(lambda: "refused" not in rigged.rig, words="the refusal to be over")
    assert rigged.level == DiagnosticStatus.OK


def test_a_refusal_names_node_pin_and_line(rigged: Rigged) -> None:
    text = OWN.replace("passes: 1,", "passes: one,")
    line = next(i for i, words in enumerate(text.splitlines(), start=1) if "passes: one" in words)
    rigged.save(text, "refused")
    for words in (f"{rigged.file}:{line}:", "node 'reach'", "pin 'passes'", "int"):
        assert words in rigged.rig


def test_a_file_that_is_gone_is_refused_and_the_rig_before_goes_on(rigged: Rigged) -> None:
    rigged.file.unlink()
    rigged.listener.wait(lambda: "no such file" in rigged.rig, words="the missing file to be told")
    rigged.listener.ticks(20)


def test_the_service_answers_when_the_new_rig_runs(rigged: Rigged, graphs: list[dict]) -> None:
    told = len(graphs)
    rigged.write(EAGER)
    answer = rigged.reload()
    assert answer.success, answer.message
    assert str(rigged.file) in answer.message
    rigged.listener.wait(lambda: len(graphs) > told, words="~/rig")
    assert nodes(graphs[-1])["ease"]["enabled"] is False


def test_the_service_refuses_what_does_not_compile_with_node_pin_and_line(rigged: Rigged) -> None:
    text = OWN.replace("$facing.rotation", "$facing.rotatoin")
    rigged.write(text)
    answer = rigged.reload()
    line = next(i for i, words in enumerate(text.splitlines(), start=1) if "rotatoin" in words)
    assert not answer.success
    for words in (f"{rigged.file}:{line}:", "node 'posture'", "pin 'rotation'"):
        assert words in answer.message


def test_a_rig_that_stops_is_told_with_its_node_and_everything_stands_still(rigged: Rigged) -> None:
    listener = rigged.listener
    if listener.phase("right_hand") == "locked":
        rigged.loosen("right_hand")
    rigged.write(STOPPING)
    assert rigged.reload().success
    listener.wait(lambda: "node 'overflow'" in rigged.rig, words="the node that stopped")
    assert "not finite" in rigged.rig
    assert "node 'overflow'" in listener.said
    assert rigged.level == DiagnosticStatus.WARN
    ticks = listener.recorder.recording.ticks
    first = listener.latest
    rigged.push("right_hand", 0.3, lambda: listener.latest > first + SECOND)
    held = [tick.joints for stamp, tick in sorted(ticks.items()) if stamp >= first and tick.joints is not None]
    assert len(held) > 100
    assert all(np.array_equal(joints, held[0]) for joints in held)
    rigged.save(OWN, "runs")
    listener.wait(lambda: "stopped" not in rigged.rig, words="the rig to go on")
    rigged.push("right_hand", 0.3, lambda: np.abs(ticks[listener.latest].joints - held[0]).max() > 0.02)


def test_an_unwatched_file_is_left_alone_until_somebody_asks(rigged: Rigged, graphs: list[dict]) -> None:
    def watch(on: bool) -> None:
        value = RosParameter("watch_rig", value=on).to_parameter_msg()
        answer = rigged.listener.call(
            SetParameters, "climber/set_parameters", SetParameters.Request(parameters=[value])
        )
        assert answer.results[0].successful, answer.results[0].reason

    watch(False)
    try:
        told = len(graphs)
        rigged.write(EAGER)
        rigged.listener.ticks(400)
        assert len(graphs) == told
        assert rigged.reload().success
        rigged.listener.wait(lambda: len(graphs) == told + 1, words="~/rig")
    finally:
        watch(True)


def test_the_rig_of_another_file_is_taken_while_the_node_runs(rigged: Rigged, graphs: list[dict]) -> None:
    def choose(file: Path) -> None:
        value = RosParameter("rig", value=str(file)).to_parameter_msg()
        rigged.listener.call(SetParameters, "climber/set_parameters", SetParameters.Request(parameters=[value]))

    other = rigged.file.with_name("other.yaml")
    other.write_text(EAGER, encoding="utf-8")
    choose(other)
    try:
        rigged.listener.wait(lambda: rigged.rig == f"{other}: runs", words="the other rig")
        assert graphs[-1]["source"] == str(other)
    finally:
        choose(rigged.file)


def test_the_names_the_tests_change_are_in_the_rig() -> None:
    assert EAGER != OWN
    assert STOPPING.count("overflow") == 1
    assert EASE in OWN
    assert MIDDLE in STOPPING
