"""A recording tells what every node was given and made, in every round, and changes nothing by looking."""

from __future__ import annotations

import contextlib
import json

import numpy as np
import pytest
from boards import LOOP, machine_of
from hypothesis import given, settings
from hypothesis import strategies as st

from climbing_rig.errors import RigError
from climbing_rig.rig.inspect.recording import record_tick
from climbing_rig.rig.inspect.watch import Change, Moment

FAILING = """
variables: {before: float, after: float}
nodes:
  - {name: first, unit: math.float.add, inputs: {a: 1.0, b: 1.0}, set: {before: result}}
  - {name: write, unit: test_board.write, inputs: {cell: 2, value: 5.0}}
  - {name: broken, unit: test_board.inverse, inputs: {a: 0.0}, set: {after: result}}
  - {name: never, unit: math.float.add}
"""


def test_a_node_in_a_loop_is_recorded_in_every_round():
    recording = record_tick(machine_of(LOOP))
    doubles = recording.of("double")
    assert [step.execution for step in doubles] == [1, 2, 3]
    assert [step.inputs["a"] for step in doubles] == [1.0, 2.0, 3.0]
    assert [step.outputs["result"] for step in doubles] == [2.0, 4.0, 6.0]
    assert [step.outputs["going"] for step in recording.of("each")] == [True, True, True, False]
    nodes = [step.node for step in recording.steps]
    assert nodes == ["distance", "unread", *["each", "double"] * 3, "each", "check", "calm"]
    assert all(step.microseconds > 0.0 for step in recording.steps)


def test_a_step_names_the_words_it_changed_and_no_others():
    recording = record_tick(machine_of(LOOP))
    assert recording.of("distance")[0].changed == (Change("variable", "way", (0,)),)
    # Word 0 of an array is its number of items.
    assert [step.changed for step in recording.of("double")] == [
        (Change("variable", "row", (1,)),),
        (Change("variable", "row", (2,)),),
        (Change("variable", "row", (3,)),),
    ]
    assert recording.of("calm")[0].changed == ()  # wrote what was there


def test_changes_of_a_context_are_named_and_its_scratch_is_not():
    machine = machine_of("nodes: [{name: pen, unit: test_board.write, inputs: {cell: 3, value: 2.0}}]")
    (step,) = record_tick(machine).steps
    assert machine.bound["test_board"].work[0] == 1.0
    assert [change.text for change in step.changed] == ["test_board.cells[3]"]


def test_a_failing_tick_is_recorded_up_to_the_node_that_failed():
    machine = machine_of(FAILING)
    recording = record_tick(machine)
    assert [(step.node, step.failed) for step in recording.steps] == [
        ("first", False), ("write", False), ("broken", True),
    ]  # fmt: skip
    assert recording.error is not None and recording.error.name == "broken"
    assert recording.steps[-1].inputs == {"a": 0.0} and recording.steps[-1].outputs == {"result": float("inf")}
    # That the variables go back is nothing the failing node does.
    assert recording.steps[-1].changed == () and recording.steps[0].changed != ()
    assert machine.get("before") == 0.0


def test_a_recording_is_json_even_where_numbers_are_not_finite():
    for text in (LOOP, FAILING):
        told = json.loads(json.dumps(record_tick(machine_of(text)).as_json(), allow_nan=False))
        assert len(told["steps"]) >= 3
    assert told["steps"][-1]["outputs"]["result"] == "inf" and "broken" in told["error"]


@settings(deadline=None, max_examples=25)
@given(st.floats(-10, 10), st.integers(0, 4), st.booleans())
def test_a_recorded_tick_ends_with_the_same_bits_as_one_at_full_speed(speed, rounds, fast):
    recorded, plain = machine_of(LOOP), machine_of(LOOP)
    for machine in (recorded, plain):
        machine.set("speed", speed)
        machine.set("rounds", rounds)
        machine.set("fast", fast)
    for _ in range(2):
        record_tick(recorded)
        plain.run()
    assert recorded.recorder is None
    for name in plain.program.slots:
        assert recorded.view(name).tobytes() == plain.view(name).tobytes(), name


def test_inputs_are_told_as_they_were_before_a_unit_works_in_place():
    machine = machine_of("""
variables: {row: {type: "float[2]", initial: [1, 2]}}
nodes: [{name: put, unit: array.float.put, inputs: {array: $row, index: 0, item: 9.0}}]
""")
    (step,) = record_tick(machine).steps
    assert step.inputs["array"] == (1.0, 2.0) and machine.get("row") == (9.0, 2.0)
    assert [change.text for change in step.changed] == ["row[1]"]


def test_a_tick_that_does_not_run_the_machine_is_no_recording():
    with pytest.raises(RigError, match="not executed"):
        record_tick(machine_of(LOOP), lambda: None)


def test_a_failure_that_whoever_runs_the_tick_keeps_to_himself_is_seen_all_the_same():
    machine = machine_of(FAILING)

    def quiet() -> None:
        with contextlib.suppress(RigError):
            machine.run()

    recording = record_tick(machine, quiet)
    assert recording.error is not None and recording.error.name == "broken"
    assert recording.steps[-1].failed and recording.steps[-1].node == "broken"


def test_a_moment_brings_everything_back():
    machine = machine_of(FAILING.replace("a: 0.0", "a: 4.0"))
    before = Moment(machine)
    bits = {name: machine.view(name).tobytes() for name in machine.program.slots}
    machine.run()
    assert machine.get("after") == 0.25 and machine.bound["test_board"].cells[2] == 5.0
    before.restore(machine)
    assert {name: machine.view(name).tobytes() for name in machine.program.slots} == bits
    assert not np.any(machine.bound["test_board"].cells)
