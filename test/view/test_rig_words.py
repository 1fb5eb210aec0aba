"""The picture of the rig: what stands in it, and that nothing a rig says can break the page."""

from __future__ import annotations

import re

import pytest
from rig_messages import SmallRig

from climbing_rig.ros.limb_client import ClimberReport
from climbing_rig.view.records import NO_REPORT
from climbing_rig.view.rig_link import NodeValues
from climbing_rig.view.rig_words import Trace, rig_picture, short


def traced(rig: SmallRig) -> Trace:
    return {
        status.name: NodeValues({pair.key: pair.value for pair in status.values}, status.level == b"\x02")
        for status in rig.tick().status
    }


def words(picture: str) -> str:
    """What is read of it."""
    return re.sub(r"\s+", " ", re.sub(r"<style>.*?</style>|<[^>]*>", " ", picture, flags=re.DOTALL))


def test_nodes_stand_in_the_order_of_execution_with_links_and_values() -> None:
    rig = SmallRig()
    said = words(rig_picture(rig.graph, traced(rig), NO_REPORT))
    places = [said.index(f" {name} ") for name in ("turn", "rounds", "grow", "last", "unused")]
    assert places == sorted(places)
    for expected in ("$dt 0.005", "$angle 0.255", "a ← angle 0.255", "result → angle 0.255", "count 3", "3×", "4×",
                     "result 0.510", "result 0.255 0 0", "off"):  # fmt: skip
        assert expected in said, expected


def test_what_is_in_a_block_is_indented() -> None:
    rig = SmallRig()
    picture = rig_picture(rig.graph, traced(rig), NO_REPORT)
    node = re.search(r'<div title="[^"]*" class="n"[^>]*><div class="h"><b>grow</b>', picture)
    other = re.search(r'<div title="[^"]*" class="n"[^>]*><div class="h"><b>turn</b>', picture)
    assert "margin-left:1em" in node[0]
    assert "margin-left" not in other[0]


def test_without_a_trace_there_are_no_times_and_no_values_but_the_graph_is_there() -> None:
    rig = SmallRig()
    said = words(rig_picture(rig.graph, {}, NO_REPORT))
    assert "µs" not in said
    for expected in ("turn math.float.add", "a ← angle", "count 3"):
        assert expected in said


def test_the_longest_node_has_the_longest_bar() -> None:
    rig = SmallRig()
    trace = dict(traced(rig))
    trace["last"] = NodeValues({**trace["last"].values, "microseconds": "5000"}, False)
    picture = rig_picture(rig.graph, trace, NO_REPORT)
    widths = dict(re.findall(r"<b>(\w+)</b>(?:(?!<b>).)*?width:(\d+)%", picture, flags=re.DOTALL))
    assert widths["last"] == "100"
    assert max(int(width) for name, width in widths.items() if name != "last") < 50


def test_the_node_that_stopped_and_the_refused_file_are_told() -> None:
    rig = SmallRig(factor="1.0e+308")
    rig.machine.set("angle", 10.0)
    trace = traced(rig)
    assert trace["grow"].failed
    report = ClimberReport({}, "", {"rig_stopped": rig.stopped, "rig_refused": "rig b.yaml refused: b.yaml:3: <oh>"})
    picture = rig_picture(rig.graph, trace, report)
    assert picture.count("stopped here") == 1
    assert re.search(r"<b>grow</b>(?:(?!<b>).)*stopped here", picture, flags=re.DOTALL)
    said = words(picture)
    assert "is not finite: inf" in said
    assert "b.yaml:3: &lt;oh&gt;" in said


def test_what_has_not_been_heard_is_said() -> None:
    assert "has not told its rig yet" in rig_picture(None, {}, NO_REPORT)


def test_no_text_of_a_rig_becomes_markup() -> None:
    graph = dict(SmallRig().graph, graph="<script>x</script>", source='"><img>')
    trace = {"turn": NodeValues({"a": "<img>", "microseconds": "fast", "executed": "1"}, False)}
    picture = rig_picture(graph, trace, NO_REPORT)
    assert "<script>" not in picture
    assert "<img>" not in picture


@pytest.mark.parametrize(
    ("text", "expected"),
    [("0.123456", "0.123"), ("-0.5", "−0.500"), ("4", "4"), ("-0", "0"), ("2e-17", "2e−17"), ("123456.7", "1e+05"),
     ("inf", "∞"), ("-inf", "−∞"), ("nan", "nan"), ("left_hand", "left_hand")],
)  # fmt: skip
def test_numbers_are_short(text: str, expected: str) -> None:
    assert short(text, 3) == expected


def test_among_others_a_tiny_number_is_nothing() -> None:
    assert short("-2e-17", 3, tiny=False) == "0.000"
