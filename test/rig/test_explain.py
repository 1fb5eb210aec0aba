"""Explain finds the first of five layers that keeps a node from having an effect, or says what the effect is."""

from __future__ import annotations

import json

import pytest
from boards import LOOP, machine_of

from climbing_rig.errors import RigError
from climbing_rig.rig.inspect.case import Verdict
from climbing_rig.rig.inspect.explain import explain

BOARD = """
variables: {seen: float, weight: float}
nodes:
  - {name: draft, unit: test_board.write, inputs: {cell: 1, value: 3.0}}
  - {name: faint, unit: test_board.write, inputs: {cell: 2, value: 3.0, weight: $weight}}
  - {name: glance, unit: test_board.read, inputs: {cell: 0}, set: {seen: value}}
  - {name: final, unit: test_board.write, inputs: {cell: 1, value: 4.0}}
"""


def told(text, node, **values):
    machine = machine_of(text)
    for name, value in values.items():
        machine.set(name, value)
    return explain(machine, node)


def test_a_node_that_nothing_reads_fails_at_the_first_layer():
    result = told(LOOP, "unread")
    assert result.layer == "linked" and not result.effect
    assert "nothing reads" in result.conclusion


def test_a_disabled_node_and_one_in_a_disabled_block_fail_at_the_first_layer():
    assert "disabled" in told(LOOP, "unused").conclusion
    off = LOOP.replace("unit: flow.for_loop", "unit: flow.for_loop\n    enabled: false")
    result = told(off, "double")
    assert result.layer == "linked" and "'each', whose body" in result.conclusion


def test_a_node_that_is_read_by_a_dead_end_alone_is_told_so():
    text = LOOP.replace("enabled: false", "enabled: true")
    result = told(text, "unread")
    assert result.layers[0].verdict is Verdict.PERHAPS and "unused reads $unread.result" in result.layers[0].words
    assert "which no variable or context keeps" in result.conclusion


def test_a_node_kept_out_by_a_branch_fails_at_the_second_layer_with_the_condition_that_did():
    result = told(LOOP, "rush")
    assert result.layer == "executed"
    assert "'then' of the branch 'check'" in result.conclusion and "condition is false, from $fast" in result.conclusion
    assert [layer.verdict for layer in result.layers[2:]] == [Verdict.UNKNOWN] * 3
    assert "'else' of the branch 'check'" in told(LOOP, "calm", fast=True).conclusion
    assert told(LOOP, "rush", fast=True).effect


def test_a_node_in_a_loop_without_rounds_fails_at_the_second_layer_and_the_loop_at_the_third():
    result = told(LOOP, "double", rounds=0)
    assert result.layer == "executed" and "count is 0, from $rounds" in result.conclusion
    assert told(LOOP, "each", rounds=0).layer == "weight"


def test_a_node_after_the_one_that_failed_was_not_executed_for_that_reason():
    text = BOARD + "  - {name: broken, unit: test_board.inverse}\n  - {name: late, unit: test_board.write}\n"
    result = told(text, "late")
    assert result.layer == "executed" and "node 'broken'" in result.conclusion
    assert told(text, "broken").conclusion.startswith("it ends the tick:")


def test_a_weight_of_zero_explains_at_the_third_layer_and_says_where_it_comes_from():
    result = told(BOARD, "faint")
    assert result.layer == "weight" and "weight is 0, from $weight" in result.conclusion
    result = told(BOARD, "faint", weight=0.5)
    assert result.layer == "" and result.effect and "test_board.cells[2]" in result.conclusion


def test_a_weight_that_is_zero_in_some_rounds_alone_does_not_explain():
    text = """
variables: {row: {type: "float[2]", initial: [0, 1]}}
nodes:
  - name: each
    unit: flow.for_loop
    inputs: {count: 2}
    body:
      - {name: pen, unit: test_board.write, inputs: {cell: $each.index, value: 7.0, weight: "$row[$each.index]"}}
"""
    result = told(text, "pen")
    assert result.effect and result.layer == "" and "in 1 of 2 executions" in result.layers[2].words


def test_an_input_that_is_not_finite_explains_at_the_fourth_layer():
    machine = machine_of(BOARD)
    machine.view("weight")[0] = float("nan")
    result = explain(machine, "faint")
    assert next(layer for layer in result.layers if layer.name == "input").verdict is Verdict.EXPLAINS
    assert "not finite" in result.layers[3].words


@pytest.mark.parametrize(
    ("kind", "unit", "words"),
    [
        ("vec3", "math.vector.add", "vector of no length"),
        ("quat", "flow.select.quat", "no rotation at all"),
        ("float[3]", "array.float.count", "array without items"),
    ],
)
def test_an_input_of_no_length_may_explain_at_the_fourth_layer(kind, unit, words):
    pin = "array" if "array" in unit else "a"
    nothing = {"vec3": [0, 0, 0], "quat": [0, 0, 0, 0], "float[3]": []}[kind]
    kept = {"vec3": "vec3", "quat": "quat", "float[3]": "int"}[kind]
    output = "count" if "array" in unit else "result"
    text = f"""
variables: {{given: {{type: "{kind}", initial: {nothing}}}, kept: {{type: {kept}}}}}
nodes: [{{name: odd, unit: {unit}, inputs: {{{pin}: $given}}, set: {{kept: {output}}}}}]
"""
    if kind == "quat":
        text = text.replace("type: quat}}", "type: quat, initial: [0, 0, 0, 1]}}")
    result = told(text, "odd")
    assert result.layers[3].verdict is Verdict.PERHAPS and words in result.layers[3].words
    if kind != "quat":
        assert not result.effect and words in result.conclusion


def test_what_a_later_node_overwrites_unread_explains_at_the_fifth_layer():
    lines = [line for line in BOARD.splitlines() if "faint" not in line and "glance" not in line]
    result = told("\n".join(lines), "draft")
    assert (
        result.layer == "overwritten" and "final writes over it later in the tick, before anyone" in result.conclusion
    )
    assert not result.effect
    variable = """
variables: {x: float}
nodes:
  - {name: one, unit: math.float.add, inputs: {a: 1.0}, set: {x: result}}
  - {name: two, unit: math.float.add, inputs: {a: 2.0}, set: {x: result}}
"""
    result = told(variable, "one")
    assert result.layer == "overwritten" and "two writes over it" in result.conclusion and "$x" in result.conclusion
    assert told(variable, "two").effect


def test_what_was_read_before_it_was_overwritten_has_an_effect():
    result = told(BOARD.replace("{cell: 0}", "{cell: 1}"), "draft")
    assert result.effect and result.layer == "" and "glance read it" in result.layers[4].words
    assert "$seen" in result.conclusion
    # Somebody in between who could read it, but looked elsewhere: the trial without the node decides.
    result = told(BOARD, "draft")
    assert not result.effect and result.layer == "overwritten" and "glance could read it" in result.conclusion


def test_overwritten_by_the_same_value_is_overwritten_all_the_same():
    text = """
variables: {x: float}
nodes:
  - {name: one, unit: math.float.add, inputs: {a: 1.0}, set: {x: result}}
  - {name: two, unit: math.float.add, inputs: {a: 1.0}, set: {x: result}}
"""
    assert told(text, "one").layer == "overwritten"


def test_an_effect_is_named_by_what_would_be_otherwise():
    assert "$row[1..3]" in told(LOOP, "double").conclusion
    assert "$way" in told(LOOP, "distance").conclusion


def test_explaining_leaves_the_machine_as_the_tick_alone_would():
    for node in ("draft", "glance", "final"):
        explained, plain = machine_of(BOARD), machine_of(BOARD)
        explain(explained, node)
        plain.run()
        assert explained.bound["test_board"].cells.tolist() == plain.bound["test_board"].cells.tolist() == [0, 4, 0, 0]
        for name in plain.program.slots:
            assert explained.view(name).tobytes() == plain.view(name).tobytes()


def test_an_unknown_node_is_refused_with_the_near_names():
    with pytest.raises(RigError) as refused:
        told(BOARD, "drafd")
    assert refused.value.choices[0] == "draft" and refused.value.name == "drafd"


def test_an_explanation_is_json():
    result = json.loads(json.dumps(told(BOARD, "faint").as_json(), allow_nan=False))
    assert result["layer"] == "weight" and len(result["layers"]) == 5
    assert [layer["layer"] for layer in result["layers"]] == ["linked", "executed", "weight", "input", "overwritten"]
