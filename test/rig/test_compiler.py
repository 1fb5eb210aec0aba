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


# -- refusals ----------------------------------------------------------------------------------------------------


def test_a_type_error_names_node_pin_both_types_and_the_line():
    error = refused("""
variables:
  way: vec3
nodes:
  - name: sum
    unit: math.float.add
    inputs:
      a: 1.0
      b: $way
""")
    assert str(error).startswith("rig.yaml:9: node 'sum' (math.float.add), pin 'b':")
    assert "it is float, $way is vec3" in str(error)
    assert (error.name, error.pin, error.line, error.given, error.choices) == ("sum", "b", 9, "vec3", ("float",))


KINDS_OF_VALUES = {
    "f": "float", "i": "int", "o": "bool", "v": "vec3", "q": "quat", "t": "transform", "a": "float[3]", "w": "vec3[2]",
}  # fmt: skip
READERS = {
    "float": ("math.float.negate", "value"), "int": ("math.int.to_float", "value"), "bool": ("math.bool.not", "value"),
    "vec3": ("math.vector.length", "vector"), "quat": ("math.quat.inverse", "rotation"),
    "transform": ("transform.inverse", "transform"), "float[4096]": ("array.float.count", "array"),
    "vec3[4096]": ("array.vec3.count", "array"),
}  # fmt: skip


@pytest.mark.parametrize("wanted", READERS)
@pytest.mark.parametrize("variable", KINDS_OF_VALUES)
def test_every_pair_of_different_types_is_refused_and_every_equal_one_taken(wanted, variable):
    graph = Graph("graph")
    given = KINDS_OF_VALUES[variable]
    graph.declare_variable(variable, given)
    unit, pin = READERS[wanted]
    graph.add(unit, "reader", {pin: f"${variable}"})
    if wanted.split("[")[0] == given.split("[")[0] and ("[" in wanted) == ("[" in given):
        Machine(compile_graph(graph)).run()
        return
    with pytest.raises(RigError) as caught:
        compile_graph(graph)
    error = caught.value
    assert (error.name, error.pin) == ("reader", pin)
    assert f"it is {wanted}, ${variable} is {given}" in str(error)


REFUSALS = {
    "unknown unit": ("nodes:\n  - {name: a, unit: math.float.ad}", "a", None, 2, "math.float.add"),
    "unknown input": ("nodes:\n  - name: a\n    unit: math.float.add\n    inputs:\n      c: 1", "a", "c", 5, "valid: a, b"),
    "unknown source": ("nodes:\n  - name: a\n    unit: math.float.add\n    inputs:\n      b: $nothing", "a", "b", 5,
                       "no node, variable or input 'nothing'"),
    "node without pin": ("nodes:\n  - {name: b, unit: math.float.value}\n  - name: a\n    unit: math.float.add\n"
                         "    inputs: {a: $b}", "a", "a", 5, "has no output"),
    "unknown output": ("nodes:\n  - {name: b, unit: math.float.value}\n  - name: a\n    unit: math.float.add\n"
                       "    inputs: {a: $b.sum}", "a", "a", 5, "has no output 'sum'; valid: result"),
    "reads an input pin": ("nodes:\n  - {name: b, unit: math.float.add}\n  - name: a\n    unit: math.float.add\n"
                           "    inputs: {a: $b.a}", "a", "a", 5, "has no output 'a'"),
    "no such part": ("variables: {v: vec3}\nnodes:\n  - name: a\n    unit: math.float.negate\n    inputs: {value: $v.w}",
                     "a", "value", 5, "'w' is no part of vec3; valid: x, y, z"),
    "part of a number": ("variables: {v: float}\nnodes:\n  - name: a\n    unit: math.float.negate\n"
                         "    inputs: {value: $v.x}", "a", "value", 5, "'x' is no part of float"),
    "part of an array": ("variables: {v: 'vec3[2]'}\nnodes:\n  - name: a\n    unit: math.float.negate\n"
                         "    inputs: {value: $v.x}", "a", "value", 5, "no part of vec3[2]"),
    "no link": ("nodes:\n  - name: a\n    unit: math.float.negate\n    inputs: {value: $}", "a", "value", 4, "is no link"),
    "item of no array": ("variables: {v: float}\nnodes:\n  - name: a\n    unit: math.float.negate\n"
                         "    inputs: {value: '$v[0]'}", "a", "value", 5, "float is no array"),
    "index of another type": ("variables: {v: 'float[2]', w: float}\nnodes:\n  - name: a\n    unit: math.float.negate\n"
                              "    inputs: {value: '$v[$w]'}", "a", "value", 5, "an index is int or limb, this is float"),
    "endless index": ("variables: {v: 'float[2]'}\nnodes:\n  - name: a\n    unit: math.float.negate\n"
                      "    inputs: {value: '$v[99999999999999999999]'}", "a", "value", 5, "99999999999999999999"),
    "index of nothing": ("variables: {v: 'float[2]'}\nnodes:\n  - name: a\n    unit: math.float.negate\n"
                         "    inputs: {value: '$v[$w]'}", "a", "value", 5, "no node, variable or input 'w'"),
    "literal of another type": ("nodes:\n  - name: a\n    unit: math.float.negate\n    inputs: {value: fast}", "a",
                                "value", 4, "it is float: 'fast'"),
    "literal not finite": ("nodes:\n  - name: a\n    unit: math.float.negate\n    inputs: {value: .nan}", "a", "value", 4,
                           "not finite"),
    "literal too large": ("nodes:\n  - name: a\n    unit: math.int.add\n    inputs: {a: 9223372036854775808}", "a", "a",
                          4, "64 bits"),
    "rotation of length two": ("nodes:\n  - name: a\n    unit: math.quat.inverse\n    inputs: {rotation: [0, 0, 0, 2]}",
                               "a", "rotation", 4, "length 2, not 1"),
    "number for a truth": ("nodes:\n  - name: a\n    unit: math.bool.not\n    inputs: {value: 1}", "a", "value", 4,
                           "not true or false"),
    "unknown bone": ("nodes:\n  - name: a\n    unit: flow.for_each_bone\n    inputs: {bones: [foot]}", "a", "bones", 4,
                     "'foot' is no bone of this robot; valid: base"),
    "unknown bones by pattern": ("nodes:\n  - name: a\n    unit: flow.for_each_bone\n    inputs: {bones: ['leg_*']}", "a",
                                 "bones", 4, "no name fits the pattern 'leg_*'"),
    "bone without a name": ("nodes:\n  - {name: a, unit: debug.print.bone}", "a", "value", 2, "it needs a value"),
    "variable that is a bone": ("variables:\n  b: bone\nnodes: []", "b", None, 2, "needs a name to start with"),
    "variable of no type": ("variables:\n  b: number\nnodes: []", "b", None, 2, "'number' is no type"),
    "variable of another type": ("variables:\n  b: {type: int, initial: 0.5}\nnodes: []", "b", None, 2, "whole number"),
    "too many items": ("variables:\n  b: {type: 'int[2]', initial: [1, 2, 3]}\nnodes: []", "b", None, 2, "3 items"),
    "duplicate name": ("nodes:\n  - {name: a, unit: math.float.add}\n  - {name: b, unit: math.float.add}\n"
                       "  - {name: a, unit: math.float.add}", "a", None, 4, "the name is taken (the other is in line 2)"),
    "duplicate name in a block": ("nodes:\n  - {name: a, unit: math.float.add}\n  - name: b\n    unit: flow.for_loop\n"
                                  "    body:\n      - {name: a, unit: math.float.add}", "a", None, 6, "line 2"),
    "node called like its loop": ("nodes:\n  - name: b\n    unit: flow.for_loop\n    body:\n"
                                  "      - {name: b, unit: math.float.add}", "b", None, 5, "taken"),
    "node called like a variable": ("variables: {a: float}\nnodes:\n  - {name: a, unit: math.float.add}", "a", None, 3,
                                    "taken"),
    "block of a unit without": ("nodes:\n  - name: a\n    unit: math.float.add\n    body: []", "a", None, 2,
                                "no block 'body' nor any other"),
    "wrong block": ("nodes:\n  - name: a\n    unit: flow.branch\n    body: []", "a", None, 2, "valid: then, else"),
    "set of no variable": ("nodes:\n  - name: a\n    unit: math.float.add\n    set:\n      v: result", "a", "v", 5,
                           "there is no variable 'v'"),
    "set of an input": ("inputs: {v: float}\nnodes:\n  - name: a\n    unit: math.float.add\n    set:\n      v: result",
                        "a", "v", 6, "there is no variable 'v'"),
    "set of a part": ("variables: {v: vec3}\nnodes:\n  - name: a\n    unit: math.float.add\n    set:\n      v.x: result",
                      "a", "v.x", 6, "there is no variable 'v.x'"),
    "set to no output": ("variables: {v: float}\nnodes:\n  - name: a\n    unit: math.float.add\n    set:\n      v: a",
                         "a", "v", 6, "no output 'a'; valid: result"),
    "set of another type": ("variables: {v: vec3}\nnodes:\n  - name: a\n    unit: math.float.add\n    set:\n"
                            "      v: result", "a", "v", 6, "variable 'v' is vec3, output 'result' is float"),
    "set of an item of another type": ("variables: {v: 'vec3[2]'}\nnodes:\n  - name: a\n    unit: math.float.add\n"
                                       "    set:\n      v[0]: result", "a", "v[0]", 6, "'v' is vec3, output"),
    "set of an item of no array": ("variables: {v: float}\nnodes:\n  - name: a\n    unit: math.float.add\n    set:\n"
                                   "      v[0]: result", "a", "v[0]", 6, "is no array"),
    "set of nonsense": ("variables: {v: float}\nnodes:\n  - name: a\n    unit: math.float.add\n    set:\n"
                        "      v v: result", "a", "v v", 6, "is no variable"),
    "circle": ("nodes:\n  - name: a\n    unit: math.float.negate\n    inputs: {value: $b.result}\n  - name: b\n"
               "    unit: math.float.negate\n    inputs: {value: $a.result}", "b", "value", 7, "a reads b reads a"),
    "circle of one": ("nodes:\n  - name: a\n    unit: math.float.negate\n    inputs: {value: $a.result}", "a", "value",
                      4, "a reads a"),
    "circle through an index": ("variables: {v: 'int[2]'}\nnodes:\n  - name: a\n    unit: math.int.add\n"
                                "    inputs: {a: '$v[$a.result]'}", "a", "a", 5, "circle"),
    "read from outside a loop": ("nodes:\n  - name: each\n    unit: flow.for_loop\n    body:\n"
                                 "      - {name: inner, unit: math.float.add}\n  - name: a\n    unit: math.float.negate\n"
                                 "    inputs: {value: $inner.result}", "a", "value", 8, "only known inside 'each'"),
    "read from the other block": ("nodes:\n  - name: if\n    unit: flow.branch\n    then:\n"
                                  "      - {name: b, unit: math.float.add}\n    else:\n      - name: a\n"
                                  "        unit: math.float.negate\n        inputs: {value: $b.result}", "a", "value", 9,
                                  "only known inside 'if'"),
    "reads what is set later": ("variables: {v: float}\nnodes:\n  - name: a\n    unit: math.float.negate\n"
                                "    inputs: {value: $b.result}\n  - {name: b, unit: math.float.add, set: {v: result}}",
                                "a", "value", 5, "write 'b' before it"),
    "reads a loop's index before it": ("nodes:\n  - name: a\n    unit: math.int.to_float\n    inputs: {value: $b.index}\n"
                                       "  - {name: b, unit: flow.for_loop}", "a", "value", 4, "write 'b' before it"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSALS)
def test_every_wrong_graph_is_refused_by_node_pin_and_line(case):
    text, name, pin, line, words = REFUSALS[case]
    error = refused(text)
    assert (error.name, error.pin, error.line) == (name, pin, line), str(error)
    assert str(error).startswith(f"rig.yaml:{line}: ")
    assert words in str(error)


def test_a_wrong_node_is_refused_even_when_it_is_disabled():
    for owner in ("", ", enabled: false"):
        error = refused(
            f"nodes:\n  - name: each\n    unit: flow.for_loop\n    inputs: {{count: 3}}\n    body:\n"
            f"      - {{name: a, unit: math.float.negate, inputs: {{value: fast}}{owner or ', enabled: false'}}}"
        )
        assert (error.name, error.pin) == ("a", "value")


def test_near_names_are_offered_for_an_unknown_unit_wherever_it_is():
    error = refused("nodes:\n  - name: if\n    unit: flow.branch\n    else:\n      - {name: a, unit: math.vector.crss}")
    assert (error.name, error.line) == ("a", 5)
    assert "there is no unit 'math.vector.crss'" in str(error)
    assert "math.vector.cross" in str(error)


def test_a_name_that_a_graph_built_in_python_declares_twice_is_refused():
    graph = Graph("graph")
    graph.declare_variable("v", "float")
    for declare in (graph.declare_variable, graph.declare_input):
        with pytest.raises(RigError, match="'v' is declared twice"):
            declare("v", "float")


@pytest.mark.parametrize("name", ["a.result", "", "a b", "a[]", "$a", "each.[start]"])
def test_no_name_from_python_can_take_the_slot_of_a_pin(name):
    for declare in ("declare_variable", "declare_input"):
        graph = Graph("graph")
        getattr(graph, declare)(name, "float")
        graph.add("math.float.add", "a")
        with pytest.raises(RigError, match="is no name"):
            compile_graph(graph)
    graph = Graph("graph")
    graph.add("math.float.add", name)
    with pytest.raises(RigError, match="no name"):
        compile_graph(graph)


def test_blocks_in_blocks_without_end_are_refused():
    graph = Graph("graph")
    inside = None
    for i in range(3000):
        inside = graph.add("flow.for_loop", f"n{i}", inside=inside)
    with pytest.raises(RigError, match="nested too deeply"):
        compile_graph(graph)


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
    assert counts["sum"] == 3 * 2  # the unit and the copy to its variable


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
      - {name: d, unit: math.vector.scale, inputs: {vector: '$w[$each.limb]', factor: 0.5}, set: {'w[$each.limb]': result}}
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
      - {name: b, unit: math.vector.scale, inputs: {vector: '$ways[$each.limb]', factor: 3.0}, set: {'ways[$each.limb]': result}}
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
