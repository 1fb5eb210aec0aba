"""What a running climber tells of its rig's ticks on ~/rig_trace, over real DDS.

One node for the whole module.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from nodes import Listener
from rcl_interfaces.srv import SetParameters
from rclpy.parameter import Parameter as RosParameter
from rigged import OWN, STOPPING, Rigged
from std_srvs.srv import SetBool

from climbing_rig.ros import qos
from climbing_rig.ros.conversions import nanoseconds

FACTS = {"microseconds", "executed"}
LIMBS = 4


class Traced:
    """A climber and the traces of its rig.

    Args:
        rigged: The climber.
    """

    def __init__(self, rigged: Rigged) -> None:
        self.rigged = rigged
        self.messages: list[DiagnosticArray] = []
        rigged.listener.listen(DiagnosticArray, "climber/rig_trace", self.messages.append, qos.STATE)

    def choose(self, **parameters: object) -> list[tuple[str, bool]]:
        """Sets parameters, at once; name -> whether accepted."""
        values = [RosParameter(name, value=value).to_parameter_msg() for name, value in parameters.items()]
        request = SetParameters.Request(parameters=values)
        answer = self.rigged.listener.call(SetParameters, "climber/set_parameters", request)
        return [(result.reason, result.successful) for result in answer.results]

    def fresh(self, count: int = 3) -> list[DiagnosticArray]:
        """Traces of ticks after now; the first, which may be older, is left out."""
        there = len(self.messages)
        self.rigged.listener.wait(lambda: len(self.messages) > there + count, words=f"{count} traces")
        return self.messages[there + 1 : there + 1 + count]


def told(message: DiagnosticArray) -> dict[str, dict[str, str]]:
    return {status.name: {pair.key: pair.value for pair in status.values} for status in message.status}


@pytest.fixture(scope="module")
def node(start_node: Callable, listener: Listener, tmp_path_factory: pytest.TempPathFactory) -> Traced:
    return Traced(Rigged(start_node, listener, tmp_path_factory.mktemp("rig") / "mine.yaml"))


@pytest.fixture
def traced(node: Traced) -> Iterator[Traced]:
    yield node
    accepted = node.choose(trace_pins=["*"], trace_rate=10.0)
    assert all(done for _, done in accepted), accepted
    node.rigged.save(OWN, "runs")


def test_every_node_is_told_in_its_order_with_time_and_executions(traced: Traced) -> None:
    message = traced.fresh(1)[0]
    names = [status.name for status in message.status]
    assert names[:2] == ["$inputs", "$variables"]
    assert names[2:6] == ["facing", "posture", "each", "limb"]
    assert names[-1] == "ease"
    nodes = told(message)
    assert all(nodes[name].keys() >= FACTS for name in names[2:])
    assert int(nodes["each"]["executed"]) == LIMBS + 1
    assert int(nodes["goal"]["executed"]) == LIMBS
    assert int(nodes["ease"]["executed"]) == 1
    assert 0.0 < float(nodes["whole_body"]["microseconds"]) < 1e5
    assert {status.message for status in message.status if status.name == "ease"} == {"climb.follow"}


def test_values_are_numbers_a_plotter_can_read_part_by_part(traced: Traced) -> None:
    nodes = told(traced.fresh(1)[0])
    facing = [float(nodes["facing"][f"rotation.{part}"]) for part in "xyzw"]
    assert sum(value**2 for value in facing) == pytest.approx(1.0, abs=1e-6)
    assert 0.0 < float(nodes["$inputs"]["dt"]) <= 0.01
    assert nodes["$inputs"]["climbing"] == "1"
    assert [float(nodes["$variables"][f"limb_weight[{i}]"]) for i in range(LIMBS)] == pytest.approx([1.0] * LIMBS)
    assert "limb_weight[4]" not in nodes["$variables"]
    assert nodes["each"]["limbs[0]"] == "left_hand"
    assert nodes["goal"]["limb"] == "right_foot"  # the loop's last round


def test_a_trace_has_the_stamp_of_its_ticks_joint_states(traced: Traced) -> None:
    messages = traced.fresh(5)
    ticks = traced.rigged.listener.recorder.recording.ticks
    stamps = [nanoseconds(message.header.stamp) for message in messages]
    traced.rigged.listener.wait(lambda: traced.rigged.listener.latest > stamps[-1], words="joint_states")
    assert all(ticks[stamp].joints is not None for stamp in stamps)


def test_only_chosen_pins_are_told(traced: Traced) -> None:
    accepted = traced.choose(trace_pins=["goal.t*", "posture.climbing", "limb_weight", "dt"])
    assert all(done for _, done in accepted), accepted
    for message in traced.fresh():
        nodes = told(message)
        assert set(nodes) == {"$inputs", "$variables", "posture", "goal"}
        assert set(nodes["$inputs"]) == {"dt"}
        assert set(nodes["$variables"]) == {f"limb_weight[{i}]" for i in range(LIMBS)}
        assert set(nodes["posture"]) == {"climbing", *FACTS}
        assert set(nodes["goal"]) == {"target.x", "target.y", "target.z", *FACTS}


def test_times_alone_can_be_chosen(traced: Traced) -> None:
    traced.choose(trace_pins=["*.microseconds"])
    for message in traced.fresh():
        assert len(message.status) > 10
        assert all({pair.key for pair in status.values} == FACTS for status in message.status)


def test_pins_that_are_no_list_of_texts_are_refused(traced: Traced) -> None:
    ((reason, done),) = traced.choose(trace_pins=3.5)
    assert not done
    assert "a list of texts" in reason


def test_the_rate_is_live_and_zero_is_silence(traced: Traced) -> None:
    traced.choose(trace_rate=40.0)
    messages = traced.fresh(20)
    seconds = (nanoseconds(messages[-1].header.stamp) - nanoseconds(messages[0].header.stamp)) * 1e-9
    assert 19 / seconds == pytest.approx(40.0, rel=0.3)
    traced.choose(trace_rate=0.0)
    traced.rigged.listener.ticks(20)
    there = len(traced.messages)
    traced.rigged.listener.ticks(100)
    assert len(traced.messages) == there


def test_traced_ticks_are_no_later_than_others(traced: Traced) -> None:
    traced.choose(trace_rate=60.0)
    traced.fresh(60)
    ticks = traced.rigged.listener.recorder.recording.ticks
    stamps = sorted(ticks)[-200:]
    assert max(b - a for a, b in pairwise(stamps)) <= 10_000_002


def test_nothing_is_told_of_a_paused_rig(traced: Traced) -> None:
    listener = traced.rigged.listener
    listener.call(SetBool, "pause", SetBool.Request(data=True))
    try:
        listener.ticks(20)
        there = len(traced.messages)
        listener.ticks(100)
        assert len(traced.messages) == there
    finally:
        listener.call(SetBool, "pause", SetBool.Request(data=False))


def test_the_node_at_which_the_rig_stops_is_marked_and_those_after_it_are_not_executed(traced: Traced) -> None:
    traced.rigged.save(STOPPING, "node 'overflow'")
    for message in traced.fresh():
        levels = {status.name: status.level for status in message.status}
        assert [name for name, level in levels.items() if level != DiagnosticStatus.OK] == ["overflow"]
        nodes = told(message)
        assert nodes["overflow"]["result"] == "inf"
        assert (nodes["overflow"]["executed"], nodes["goal"]["executed"]) == ("1", str(LIMBS))
        assert nodes["whole_body"]["executed"] == "0"


def test_a_new_rig_is_traced_from_its_first_tick_on(traced: Traced) -> None:
    more = "  - name: added\n    unit: math.float.add\n    inputs: {a: 2, b: 3}\n"
    traced.rigged.write(OWN + more)
    assert traced.rigged.reload().success
    for message in traced.fresh():
        assert told(message)["added"]["result"] == "5"
