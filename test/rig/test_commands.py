"""``climbing_rig rig`` says what is inside a graph, in text for people and in one line of JSON for programs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from boards import LOOP

from climbing_rig.cli import main
from climbing_rig.rig.inspect.stage import build_stage, open_graph

VERBS = ("show", "disassemble", "trace", "profile", "explain", "units")


@pytest.fixture
def graph(tmp_path: Path) -> str:
    path = tmp_path / "made_up.yaml"
    path.write_text(LOOP)
    return str(path)


def told(capsys, *arguments):
    """Standard output as JSON, which is one line."""
    assert main(["rig", *arguments, "--json"]) == 0
    out = capsys.readouterr().out
    assert out.count("\n") == 1
    return json.loads(out)


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help_with_examples(verb, capsys):
    with pytest.raises(SystemExit) as ending:
        main(["rig", verb, "--help"])
    assert ending.value.code == 0
    out = capsys.readouterr().out
    assert f"climbing_rig rig {verb}" in out and "examples:" in out and "--json" in out


@pytest.mark.parametrize("verb", ["show", "disassemble", "trace", "profile", "explain"])
def test_a_graph_that_is_not_there_is_told_in_one_line(verb, capsys):
    assert main(["rig", verb, "nowhere.yaml", *(["node"] if verb == "explain" else [])]) == 1
    seen = capsys.readouterr()
    assert seen.out == "" and seen.err.startswith("RigError: there is no graph 'nowhere.yaml'")
    assert seen.err.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [["rig"], ["rig", "fly"], ["rig", "explain"], ["rig", "explain", "a", "b", "c"], ["rig", "profile", "--ticks", "0"],
     ["rig", "trace", "--ticks", "-1"], ["rig", "trace", "--set", "speed"]],
)  # fmt: skip
def test_a_wrong_command_line_ends_with_2(arguments, capsys):
    with pytest.raises(SystemExit) as ending:
        main(arguments)
    assert ending.value.code == 2
    assert "usage: " in capsys.readouterr().err


def test_show_and_disassemble_tell_of_every_node(graph, capsys):
    nodes = [node["node"] for node in told(capsys, "show", graph)["nodes"]]
    assert nodes == [node["node"] for node in told(capsys, "show", graph)["nodes"]] and "double" in nodes
    listing = told(capsys, "disassemble", graph)["instructions"]
    assert {line["node"] for line in listing} - {""} == {*nodes} - {"unused"}
    for verb in ("show", "disassemble"):
        assert main(["rig", verb, graph]) == 0
        out = capsys.readouterr().out
        assert "double" in out and "math.float.multiply" in out and "math_float.py:" in out


def test_trace_runs_ticks_first_takes_values_and_shows_the_nodes_asked_for(graph, capsys):
    steps = told(capsys, "trace", graph, "--ticks", "2", "--set", "rounds=1", "--node", "doub*")["steps"]
    assert [(step["node"], step["inputs"]["a"]) for step in steps] == [("double", 4.0)]  # 1, doubled twice before
    assert main(["rig", "trace", graph, "--node", "nothing*"]) == 1
    assert "valid: distance" in capsys.readouterr().err
    assert main(["rig", "trace", graph, "--set", "distance.a=1"]) == 1
    assert "linked to $speed" in capsys.readouterr().err


def test_numbers_with_an_exponent_are_numbers(graph, capsys):
    (step,) = told(capsys, "trace", graph, "--set", "speed=1e-6", "--node", "distance")["steps"]
    assert step["inputs"]["a"] == 1e-6


def test_a_trace_fits_120_columns_whatever_its_names_and_values(tmp_path, capsys):
    path = tmp_path / "long.yaml"
    long = "a_name_that_goes_on_and_on_beyond_every_column_of_a_table"
    path.write_text(
        LOOP.replace("double", long).replace("way", "another_" + long).replace("[1, 0, 0]", "[1.0e+300, -1.0e-9, 3.3]")
    )
    assert main(["rig", "trace", str(path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) > 12 and max(map(len, lines)) <= 120
    assert main(["rig", "explain", str(path), "distance"]) == 0
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 120


def test_a_trace_of_a_failing_tick_shows_it_and_ends_with_1(tmp_path, capsys):
    path = tmp_path / "failing.yaml"
    path.write_text("nodes: [{name: fine, unit: math.float.add}, {name: bad, unit: test_board.inverse}]")
    assert main(["rig", "trace", str(path)]) == 1
    seen = capsys.readouterr()
    assert "fine" in seen.out and "FAILED result=inf" in seen.out
    assert "RigError: node 'bad'" in seen.err and "not finite" in seen.err
    assert main(["rig", "trace", str(path), "--json"]) == 1
    recorded = json.loads(capsys.readouterr().out)
    assert recorded["steps"][-1]["failed"] is True and "bad" in recorded["error"]


def test_profile_accounts_for_every_node_and_says_what_recording_cost(graph, capsys):
    result = told(capsys, "profile", graph, "--ticks", "50")
    by = {node["node"]: node for node in result["nodes"]}
    assert (
        result["ticks"] == 50 and result["native"] > 0.0 and result["overhead"] > 0.0 and result["instructions"] == 29
    )
    assert by["double"]["executions"] == 3 and by["each"]["executions"] == 4
    assert by["unused"]["executions"] == by["unused"]["microseconds"] == by["rush"]["share"] == 0
    assert sum(node["share"] for node in result["nodes"]) == pytest.approx(1.0, abs=1e-3)
    # What recording adds is what makes the two ways of running a tick agree.
    assert result["recorded"] - result["overhead"] * result["instructions"] == pytest.approx(result["native"], rel=0.02)
    assert main(["rig", "profile", graph, "--ticks", "5"]) == 0
    seen = capsys.readouterr()
    assert "at full speed" in seen.out and "recording adds" in seen.out and "machine alone" in seen.err


def test_explain_names_the_layer_and_near_names(graph, capsys):
    assert told(capsys, "explain", graph, "calm")["layer"] == "weight"
    assert told(capsys, "explain", graph, "calm", "--set", "calm.share=0.5")["effect"] is True
    assert told(capsys, "explain", graph, "rush", "--set", "fast=true")["effect"] is True
    assert main(["rig", "explain", graph, "rush"]) == 0
    assert "  2 executed     explains" in capsys.readouterr().out
    assert main(["rig", "explain", graph, "ruhs"]) == 1
    assert "no node 'ruhs'; valid: rush" in capsys.readouterr().err


def test_units_are_listed_searched_and_told_in_full(capsys):
    everything = told(capsys, "units")["units"]
    assert {"math.vector.add", "flow.branch"} <= {unit["unit"] for unit in everything}
    sums = [unit["unit"] for unit in told(capsys, "units", "vector", "sum")["units"]]
    assert "math.vector.add" in sums and "flow.branch" not in sums
    (one,) = told(capsys, "units", "math.vector.add")["units"]
    assert one["category"] == "Math|Vector" and [pin["pin"] for pin in one["inputs"]] == ["a", "b"]
    assert main(["rig", "units", "math.vector.add"]) == 0
    assert "math_vector.py:" in capsys.readouterr().out
    assert main(["rig", "units", "no such thing at all"]) == 1
    assert "RigError" in capsys.readouterr().err


def test_a_graph_without_contexts_needs_no_robot(graph):
    stage = build_stage(open_graph(graph))
    assert stage.machine.program.names.bones == () and "machine alone" in stage.words
    stage.tick()
    assert stage.machine.get("row")[0] == 2.0


def test_a_graph_that_names_bones_is_looked_at_with_the_default_climber(tmp_path, capsys):
    path = tmp_path / "bones.yaml"
    path.write_text("nodes: [{name: hand, unit: transform.get, inputs: {bone: hand_l}}]")
    (step,) = told(capsys, "trace", str(path))["steps"]
    assert step["inputs"] == {"bone": "hand_l"} and len(step["outputs"]["transform"]) == 7
    path.write_text("nodes: [{name: hand, unit: transform.get, inputs: {bone: hand_x}}]")
    assert main(["rig", "show", str(path)]) == 1
    error = capsys.readouterr().err
    assert "node 'hand' (transform.get), pin 'bone'" in error and "'hand_x' is no bone" in error


def test_explain_finds_the_mistake_of_the_example_and_the_page_shows_the_example_as_it_is(capsys):
    root = Path(__file__).resolve().parents[2]
    example = root / "examples" / "look_about.yaml"
    result = told(capsys, "explain", str(example), "head")
    assert result["layer"] == "overwritten" and "rest writes over it" in result["conclusion"]
    assert result["effect"] is False
    assert told(capsys, "explain", str(example), "rest")["effect"] is True
    page = (root / "docs" / "rig.md").read_text()
    text = example.read_text().split("\n", 1)[1].strip()
    assert f"```yaml\n{text}\n```" in page
    assert (root / "examples" / "own_unit" / "bone_check.yaml").read_text().strip() in page


def test_the_default_graph_is_looked_at_in_a_scripted_climb(capsys):
    result = told(capsys, "trace")
    steps = result["steps"]
    assert "released and moved up" in result["stage"] and result["error"] is None
    assert [step["execution"] for step in steps if step["node"] == "goal"] == [1, 2, 3, 4]
    (phase,) = {step["outputs"]["locked"] for step in steps if step["node"] == "limb" and step["execution"] > 1}
    assert phase is True  # only the first limb is on its way
    assert next(step["outputs"]["locked"] for step in steps if step["node"] == "limb") is False
    assert any(change["place"] == "skeleton.q" for step in steps for change in step["changed"])
    result = told(capsys, "explain", "whole_body")
    assert result["effect"] is True and result["layer"] == ""
