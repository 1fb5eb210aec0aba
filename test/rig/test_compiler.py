"""The compiler: what it refuses and in which words, and that what it makes keeps every value to itself."""

from __future__ import annotations

import numpy as np
import pytest

from climbing_rig.errors import RigError
from climbing_rig.rig import Graph, Machine, Names, compile_graph, read_graph
from climbing_rig.rig.native import COPY, EXECUTE, EXIT, HEADER, JUMP, JUMP_IF_NOT
from climbing_rig.rig.program import LINK

NAMES = Names(bones=("base", "upper_arm", "fore_arm", "hand"), limbs=("left_arm", "right_arm"))


def compiled(text, names=NAMES):
    return compile_graph(read_graph(text, "graph", "rig.yaml"), names)


def refused(text, names=NAMES):
    with pytest.raises(RigError) as caught:
        compiled(text, names)
    return caught.value


# -- order -------------------------------------------------------------------------------------------------------


def test_a_pure_node_may_be_written_after_what_reads_it():
    machine = Machine(
        compiled("""
variables: {v: float}
nodes:
  - {name: last, unit: math.float.negate, inputs: {value: $middle.result}, set: {v: result}}
  - {name: middle, unit: math.float.add, inputs: {a: $first.result, b: 1.0}}
  - {name: first, unit: math.float.value, inputs: {value: 2.0}}
""")
    )
    machine.run()
    assert machine.get("v") == -3.0
    assert [node.name for node in machine.program.nodes] == ["first", "middle", "last"]


def test_what_is_read_inside_a_loop_is_executed_before_the_loop():
    program = compiled("""
variables: {v: float}
nodes:
  - name: each
    unit: flow.for_loop
    inputs: {count: 3}
    body:
      - {name: sum, unit: math.float.add, inputs: {a: $v, b: $step.result}, set: {v: result}}
  - {name: step, unit: math.float.value, inputs: {value: 0.5}}
""")
    assert [node.name for node in program.nodes] == ["step", "each", "sum"]
    machine = Machine(program)
    machine.run()
    assert machine.get("v") == 1.5
    counts = dict(zip((node.name for node in program.graph.walk()), machine.counts.tolist(), strict=True))
    assert counts["step"] == 1
    assert counts["sum"] == 3


def test_a_node_that_reads_a_variable_is_not_moved_over_what_sets_it():
    error = refused("""
variables: {v: float}
nodes:
  - {name: a, unit: math.float.negate, inputs: {value: $b.result}, set: {v: result}}
  - {name: b, unit: math.float.add, inputs: {a: $v}}
""")
    assert "write 'b' before it" in str(error)


def test_a_variable_breaks_a_circle_and_is_read_as_of_the_tick_before():
    machine = Machine(
        compiled("""
variables: {v: {type: float, initial: 1.0}}
nodes:
  - {name: double, unit: math.float.multiply, inputs: {a: $v, b: 2.0}, set: {v: result}}
""")
    )
    for expected in (2.0, 4.0, 8.0):
        machine.run()
        assert machine.get("v") == expected


def test_a_chain_of_thousands_of_nodes_written_backwards_compiles():
    graph = Graph("graph")
    for i in range(5000, 0, -1):
        graph.add("math.float.add", f"n{i}", {"a": f"$n{i - 1}.result", "b": 1.0})
    graph.add("math.float.value", "n0", {"value": 0.0})
    machine = Machine(compile_graph(graph))
    machine.run()
    assert machine.get("n5000.result") == 5000.0


# -- memory ------------------------------------------------------------------------------------------------------

EVERYTHING = """
inputs: {dt: {type: float, default: 0.25}, names: {type: 'bone[4]', default: [hand]}}
variables:
  v: {type: float, initial: 1.0}
  w: {type: 'vec3[limbs]', initial: [1, 2, 3]}
  k: {type: 'int[3]', initial: [4, 5, 6]}
nodes:
  - {name: a, unit: math.float.add, inputs: {a: $v, b: $dt}, set: {v: result}}
  - {name: b, unit: math.float.add, inputs: {a: $a.result, b: 3.0}}
  - {name: c, unit: math.float.clamp, inputs: {value: $b.result}}
  - name: each
    unit: flow.for_each_limb
    body:
      - {name: d, unit: math.vector.scale, inputs: {vector: '$w[$each.limb]', factor: 0.5},
         set: {'w[$each.limb]': result}}
      - {name: e, unit: math.float.negate, inputs: {value: $d.result.y}}
      - {name: f, unit: debug.print.int, inputs: {value: '$k[2]'}}
  - name: if
    unit: flow.branch
    inputs: {condition: $c.clamped}
    then: [{name: g, unit: math.quat.swing_twist}]
    else: [{name: h, unit: transform.aim, enabled: false}]
  - {name: i, unit: flow.for_each_bone, inputs: {bones: $names}}
"""


def test_two_pins_never_share_a_slot():
    program = compiled(EVERYTHING)
    owned = [slot for slot in program.slots.values() if slot.role != LINK]
    assert len(owned) > 40
    taken = np.zeros(len(program.image), int)
    for slot in owned:
        taken[slot.offset : slot.end] += 1
    assert taken.tolist() == [1] * len(program.image)


def test_a_link_reads_the_very_words_of_its_source_and_nothing_else_does_so_unasked():
    program = compiled(EVERYTHING)
    assert program.slots["b.a"].offset == program.slots["a.result"].offset
    assert program.slots["a.a"].offset == program.slots["v"].offset
    assert program.slots["e.value"].offset == program.slots["d.result"].offset + 1
    assert program.slots["b.b"].offset != program.slots["a.b"].offset


def test_a_node_writes_its_own_outputs_and_the_variables_it_names_and_nothing_else():
    program = compiled(EVERYTHING)
    outputs = {node.name: {slot.offset: slot.end for slot in node.outputs.values()} for node in program.nodes}
    names = [node.name for node in program.graph.walk()]
    executed = 0
    for opcode, number, start, _, node in program.code:
        if opcode != EXECUTE:
            continue
        unit = program.units[number]
        given = len(unit.contexts) + len(unit.inputs)
        written = program.operands[start + HEADER + given :][: len(unit.outputs)]
        first, last = program.operands[start : start + HEADER]
        own = outputs[names[node]]
        hidden = {slot.offset: slot.end for slot in program.slots.values() if slot.role == "hidden"}
        for offset in written:
            assert offset in own or offset in hidden
        executed += 1
        # The words that are checked to be finite are the node's own floats.
        floats = [p for p in unit.outputs if not p.type.integer]
        assert last - first == sum(p.type.words for p in floats)
    assert executed > 8


def test_every_instruction_stays_within_the_program_and_its_memory():
    program = compiled(EVERYTHING)
    for opcode, a, b, c, node in program.code:
        assert -1 <= node < len(program.nodes)
        if opcode in (JUMP, JUMP_IF_NOT):
            assert 0 <= a < len(program.code)
        if opcode == COPY:
            assert 0 <= a < a + c <= len(program.image)
            assert 0 <= b < b + c <= len(program.image)
    assert program.code[-1][0] == EXIT


def test_every_value_keeps_what_was_set_through_the_other_nodes_ticks():
    """Sets each literal to something of its own; after ticks all of them are still there."""
    machine = Machine(compiled(EVERYTHING))
    literals = [slot for slot in machine.program.slots.values() if slot.role == "literal" and slot.type.kind == "float"
                and slot.type.capacity is None]  # fmt: skip
    assert len(literals) >= 4
    machine.set("c.high", 1000.0)
    for i, slot in enumerate(literals):
        if slot.name != "c.high":
            machine.set(slot.name, 0.125 * (i + 1))
    for _ in range(3):
        machine.run()
    for i, slot in enumerate(literals):
        assert machine.get(slot.name) == (1000.0 if slot.name == "c.high" else 0.125 * (i + 1))


# -- disabled nodes ----------------------------------------------------------------------------------------------


def test_a_disabled_node_is_not_executed_and_its_outputs_keep_their_defaults():
    machine = Machine(
        compiled("""
variables: {v: {type: float, initial: 7.0}}
nodes:
  - {name: a, unit: math.float.add, inputs: {a: 1.0, b: 2.0}, set: {v: result}, enabled: false}
  - {name: b, unit: math.float.add, inputs: {a: $a.result, b: 5.0}}
  - name: each
    unit: flow.for_loop
    inputs: {count: 4}
    enabled: false
    body: [{name: c, unit: math.float.value, inputs: {value: 9.0}, set: {v: result}}]
""")
    )
    machine.run()
    assert machine.get("b.result") == 5.0
    assert machine.get("v") == 7.0
    assert machine.get("each.index") == 0
    assert machine.counts.tolist() == [0, 1, 0, 0]
    enabled = {node.name: node.enabled for node in machine.program.nodes}
    assert enabled == {"a": False, "b": True, "each": False, "c": False}


def test_a_disabled_node_asks_for_no_unit_and_no_context():
    program = compiled("""
nodes:
  - {name: a, unit: math.float.add}
  - {name: b, unit: math.float.subtract, enabled: false}
  - name: each
    unit: flow.for_loop
    enabled: false
    body: [{name: c, unit: math.vector.add}]
""")
    assert [unit.name for unit in program.units] == ["math.float.add"]
    assert len(program.functions) == 1
    assert dict(program.contexts) == {}


# -- items of arrays ---------------------------------------------------------------------------------------------


def test_items_are_read_and_written_by_number_by_index_and_by_limb():
    machine = Machine(
        compiled("""
variables:
  numbers: {type: 'float[4]', initial: [1, 2, 3]}
  ways: {type: 'vec3[limbs]', initial: [0, 0, 1]}
  i: {type: int, initial: 2}
nodes:
  - {name: a, unit: math.float.negate, inputs: {value: '$numbers[0]'}, set: {'numbers[$i]': result}}
  - name: each
    unit: flow.for_each_limb
    body:
      - {name: b, unit: math.vector.scale, inputs: {vector: '$ways[$each.limb]', factor: 3.0},
         set: {'ways[$each.limb]': result}}
""")
    )
    machine.run()
    assert machine.get("numbers") == (1.0, 2.0, -1.0)
    assert machine.get("ways") == ((0.0, 0.0, 3.0), (0.0, 0.0, 3.0))


@pytest.mark.parametrize("index", ["$i", "3"])
def test_an_item_outside_an_array_ends_the_tick_with_the_nodes_name(index):
    machine = Machine(
        compiled(f"""
variables: {{numbers: {{type: 'float[4]', initial: [1, 2, 3]}}, i: {{type: int, initial: -1}}}}
nodes:
  - {{name: a, unit: math.float.negate, inputs: {{value: '$numbers[{index}]'}}}}
""")
    )
    with pytest.raises(RigError, match="the index is outside the array") as caught:
        machine.run()
    assert caught.value.name == "a"


def test_one_initial_item_stands_for_every_limb_and_a_whole_list_for_itself():
    machine = Machine(
        compiled("""
variables:
  one: {type: 'vec3[limbs]', initial: [1, 2, 3]}
  zero: 'float[limbs]'
  many: {type: 'float[limbs]', initial: [4, 5]}
nodes: []
""")
    )
    assert machine.get("one") == ((1.0, 2.0, 3.0), (1.0, 2.0, 3.0))
    assert machine.get("zero") == (0.0, 0.0)
    assert machine.get("many") == (4.0, 5.0)


# -- names of another robot --------------------------------------------------------------------------------------


def test_a_graph_works_by_names_on_a_robot_whose_bones_lie_elsewhere():
    text = "nodes:\n  - name: each\n    unit: flow.for_each_bone\n    inputs: {bones: [hand, '*_arm']}"
    for bones in (NAMES.bones, tuple(reversed(NAMES.bones))):
        machine = Machine(compiled(text, Names(bones, NAMES.limbs)))
        expected = ("hand", *(bone for bone in bones if bone.endswith("_arm")))
        assert machine.get("each.bones") == expected
        machine.run()
        assert machine.get("each.bone") == expected[-1]
        assert machine.get("each.index") == 3


def test_a_program_cannot_be_changed():
    program = compiled(EVERYTHING)
    for array in (program.code, program.operands, program.functions, program.image):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
