"""Branches, loops, choices and the units that help to find faults."""

from __future__ import annotations

import numpy as np
import pytest

from climbing_rig.errors import RigError
from climbing_rig.rig import Graph, Machine, Names, compile_graph, read_graph
from climbing_rig.rig.types import KINDS

NAMES = Names(bones=("base", "upper_arm", "fore_arm", "hand"), limbs=("left_arm", "right_arm", "tail"))


def machine_of(text, names=NAMES):
    return Machine(compile_graph(read_graph(text, "graph"), names))


LOOP = """
inputs: {count: int}
variables: {rounds: int, seen: {type: 'int[8]', initial: [0, 0, 0, 0, 0, 0, 0, 0]},
            ratios: {type: 'float[8]', initial: [9, 9, 9, 9, 9, 9, 9, 9]}}
nodes:
  - name: each
    unit: flow.for_loop
    inputs: {count: $count}
    body:
      - {name: add, unit: math.int.add, inputs: {a: $rounds, b: 1}, set: {rounds: result}}
      - {name: index, unit: math.int.add, inputs: {a: $each.index}, set: {'seen[$each.index]': result}}
      - {name: ratio, unit: math.float.value, inputs: {value: $each.ratio}, set: {'ratios[$each.index]': result}}
"""


@pytest.mark.parametrize("count", [1, 2, 3, 8])
def test_a_loop_starts_at_zero_and_runs_exactly_count_times(count):
    machine = machine_of(LOOP)
    machine.set("count", count)
    for tick in (1, 2):
        machine.run()
        assert machine.get("rounds") == count * tick
        assert machine.get("seen")[:count] == tuple(range(count))
        assert machine.get("seen")[count:] == (0,) * (8 - count)
        expected = [0.0] if count == 1 else np.arange(count) / (count - 1)
        assert machine.get("ratios")[:count] == tuple(expected)
        assert machine.get("each.index") == count
        assert machine.get("each.going") is False


@pytest.mark.parametrize("count", [0, -1, -(2**63)])
def test_a_loop_of_no_rounds_runs_none(count):
    machine = machine_of(LOOP)
    machine.set("count", count)
    machine.run()
    assert machine.get("rounds") == 0
    assert machine.get("seen") == (0,) * 8
    assert machine.get("each.going") is False
    assert machine.counts.tolist()[1:] == [0, 0, 0]


def test_the_count_is_looked_at_before_each_round():
    machine = machine_of("""
variables: {left: {type: int, initial: 10}, rounds: int}
nodes:
  - name: each
    unit: flow.for_loop
    inputs: {count: $left}
    body:
      - {name: less, unit: math.int.subtract, inputs: {a: $left, b: 1}, set: {left: result}}
      - {name: add, unit: math.int.add, inputs: {a: $rounds, b: 1}, set: {rounds: result}}
""")
    machine.run()
    assert machine.get("rounds") == 5
    assert machine.get("left") == 5


def test_loops_in_loops_start_anew_each_time():
    machine = machine_of("""
variables: {rounds: int, sum: int}
nodes:
  - name: outer
    unit: flow.for_loop
    inputs: {count: 4}
    body:
      - name: inner
        unit: flow.for_loop
        inputs: {count: $outer.index}
        body:
          - {name: add, unit: math.int.add, inputs: {a: $rounds, b: 1}, set: {rounds: result}}
          - {name: product, unit: math.int.multiply, inputs: {a: $outer.index, b: $inner.index}}
          - {name: total, unit: math.int.add, inputs: {a: $sum, b: $product.result}, set: {sum: result}}
""")
    machine.run()
    pairs = [(i, j) for i in range(4) for j in range(i)]
    assert machine.get("rounds") == len(pairs)
    assert machine.get("sum") == sum(i * j for i, j in pairs)


def test_each_bone_of_a_list_comes_once_and_in_order():
    machine = machine_of("""
variables: {seen: {type: 'bone[4]', initial: [base, base, base, base]}, last: {type: bone, initial: base}}
nodes:
  - name: each
    unit: flow.for_each_bone
    inputs: {bones: [hand, '*_arm']}
    body:
      - {name: note, unit: debug.print.bone, inputs: {value: $each.bone}, set: {last: kept, 'seen[$each.index]': kept}}
""")
    machine.run()
    assert machine.get("seen") == ("hand", "upper_arm", "fore_arm", "base")
    assert machine.get("last") == "fore_arm"
    assert machine.get("note.printed") == 3


def test_each_limb_is_every_limb_when_nothing_is_said():
    machine = machine_of("""
variables: {seen: {type: 'limb[limbs]', initial: tail}, few: {type: 'limb[limbs]', initial: tail}}
nodes:
  - name: each
    unit: flow.for_each_limb
    body: [{name: note, unit: debug.print.limb, inputs: {value: $each.limb}, set: {'seen[$each.limb]': kept}}]
  - name: some
    unit: flow.for_each_limb
    inputs: {limbs: ['*_arm']}
    body: [{name: again, unit: debug.print.limb, inputs: {value: $some.limb}, set: {'few[$some.index]': kept}}]
""")
    machine.run()
    assert machine.get("seen") == NAMES.limbs
    assert machine.get("few") == ("left_arm", "right_arm", "tail")
    assert machine.get("note.printed") == 3
    assert machine.get("again.printed") == 2


def test_an_empty_list_of_bones_runs_no_round():
    machine = machine_of("""
nodes:
  - name: each
    unit: flow.for_each_bone
    inputs: {bones: []}
    body: [{name: note, unit: debug.print.bone, inputs: {value: $each.bone}}]
""")
    machine.run()
    assert machine.get("note.printed") == 0
    assert machine.get("each.index") == 0


@pytest.mark.parametrize("blocks", ["both", "then", "else", "none"])
@pytest.mark.parametrize("condition", [True, False])
def test_a_branch_executes_one_block_and_never_the_other(blocks, condition):
    then = "    then: [{name: does, unit: math.float.add, inputs: {a: $t, b: 1.0}, set: {t: result}}]\n"
    other = "    else: [{name: does_not, unit: math.float.add, inputs: {a: $e, b: 1.0}, set: {e: result}}]\n"
    machine = machine_of(
        "inputs: {c: bool}\nvariables: {t: float, e: float, end: float}\nnodes:\n"
        "  - name: if\n    unit: flow.branch\n    inputs: {condition: $c}\n"
        + (then if blocks in ("both", "then") else "") + (other if blocks in ("both", "else") else "")
        + "  - {name: end_node, unit: math.float.add, inputs: {a: $end, b: 1.0}, set: {end: result}}\n"
    )  # fmt: skip
    machine.set("c", condition)
    machine.run()
    assert machine.get("t") == float(condition and blocks in ("both", "then"))
    assert machine.get("e") == float(not condition and blocks in ("both", "else"))
    assert machine.get("end") == 1.0
    assert machine.get("if.taken") is condition


SAMPLES = {
    "float": (1.5, -2.5), "vec3": ((1.0, 2.0, 3.0), (4.0, 5.0, 6.0)),
    "quat": ((1.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.6, 0.8)),
    "transform": ((1.0, 2.0, 3.0, 1.0, 0.0, 0.0, 0.0), (4.0, 5.0, 6.0, 0.0, 0.0, 0.6, 0.8)),
    "int": (3, -4), "bool": (True, False), "bone": ("hand", "base"), "limb": ("tail", "left_arm"),
}  # fmt: skip


@pytest.mark.parametrize("kind", ["float", "vec3", "quat", "transform"])
def test_a_choice_gives_the_first_value_where_its_condition_is_true(kind):
    a, b = SAMPLES[kind]
    graph = Graph("graph")
    graph.add(f"flow.select.{kind}", "choice", {"condition": False, "a": a, "b": b})
    machine = Machine(compile_graph(graph))
    for condition, expected in ((True, a), (False, b)):
        machine.set("choice.condition", condition)
        machine.run()
        assert machine.get("choice.result") == expected


@pytest.mark.parametrize("kind", KINDS)
def test_print_notes_a_value_when_told_to_and_counts(kind):
    first, second = SAMPLES[kind]
    graph = Graph("graph")
    graph.add(f"debug.print.{kind}", "note", {"value": first})
    machine = Machine(compile_graph(graph, NAMES))
    for condition, value, kept, printed in (
        (True, first, first, 1),
        (False, second, first, 1),
        (True, second, second, 2),
    ):
        machine.set("note.condition", condition)
        machine.set("note.value", value)
        machine.run()
        assert (machine.get("note.kept"), machine.get("note.printed")) == (kept, printed)


@pytest.mark.parametrize("kind", ["float", "vec3", "quat", "transform"])
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_assert_finite_hands_on_what_is_and_stops_what_is_not(kind, bad):
    value, _ = SAMPLES[kind]
    graph = Graph("graph")
    graph.add(f"debug.assert_finite.{kind}", "check", {"value": value})
    machine = Machine(compile_graph(graph))
    machine.run()
    assert machine.get("check.result") == value
    machine.view("check.value")[-1] = bad
    with pytest.raises(RigError, match="the value is not finite") as caught:
        machine.run()
    assert caught.value.name == "check"


def test_assert_true_ends_the_tick_with_its_name():
    machine = machine_of("""
variables: {v: float}
nodes:
  - {name: count, unit: math.float.add, inputs: {a: $v, b: 1.0}, set: {v: result}}
  - {name: small, unit: compare.float.less, inputs: {a: $count.result, b: 2.5}}
  - {name: check, unit: debug.assert_true, inputs: {condition: $small.result}}
""")
    machine.run()
    machine.run()
    with pytest.raises(RigError, match="the condition is false") as caught:
        machine.run()
    assert caught.value.name == "check"
    assert machine.get("v") == 2.0
