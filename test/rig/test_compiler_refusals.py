"""What the compiler refuses, and that it says where: node, pin, both types and the line."""

from __future__ import annotations

import pytest

from climbing_rig.errors import RigError
from climbing_rig.rig import Graph, Machine, Names, compile_graph, read_graph

NAMES = Names(bones=("base", "upper_arm", "fore_arm", "hand"), limbs=("left_arm", "right_arm"))


def compiled(text, names=NAMES):
    return compile_graph(read_graph(text, "graph", "rig.yaml"), names)


def refused(text, names=NAMES):
    with pytest.raises(RigError) as caught:
        compiled(text, names)
    return caught.value


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
    "unknown input": (
        "nodes:\n  - name: a\n    unit: math.float.add\n    inputs:\n      c: 1",
        "a",
        "c",
        5,
        "valid: a, b",
    ),
    "unknown source": (
        "nodes:\n  - name: a\n    unit: math.float.add\n    inputs:\n      b: $nothing",
        "a",
        "b",
        5,
        "no node, variable or input 'nothing'",
    ),
    "node without pin": (
        "nodes:\n  - {name: b, unit: math.float.value}\n  - name: a\n    unit: math.float.add\n    inputs: {a: $b}",
        "a",
        "a",
        5,
        "has no output",
    ),
    "unknown output": (
        "nodes:\n  - {name: b, unit: math.float.value}\n  - name: a\n    unit: math.float.add\n    inputs: {a: $b.sum}",
        "a",
        "a",
        5,
        "has no output 'sum'; valid: result",
    ),
    "reads an input pin": (
        "nodes:\n  - {name: b, unit: math.float.add}\n  - name: a\n    unit: math.float.add\n    inputs: {a: $b.a}",
        "a",
        "a",
        5,
        "has no output 'a'",
    ),
    "no such part": (
        "variables: {v: vec3}\nnodes:\n  - name: a\n    unit: math.float.negate\n    inputs: {value: $v.w}",
        "a",
        "value",
        5,
        "'w' is no part of vec3; valid: x, y, z",
    ),
    "part of a number": (
        "variables: {v: float}\nnodes:\n  - name: a\n    unit: math.float.negate\n    inputs: {value: $v.x}",
        "a",
        "value",
        5,
        "'x' is no part of float",
    ),
    "part of an array": (
        "variables: {v: 'vec3[2]'}\nnodes:\n  - name: a\n    unit: math.float.negate\n    inputs: {value: $v.x}",
        "a",
        "value",
        5,
        "no part of vec3[2]",
    ),
    "no link": (
        "nodes:\n  - name: a\n    unit: math.float.negate\n    inputs: {value: $}",
        "a",
        "value",
        4,
        "is no link",
    ),
    "item of no array": (
        "variables: {v: float}\nnodes:\n  - name: a\n    unit: math.float.negate\n    inputs: {value: '$v[0]'}",
        "a",
        "value",
        5,
        "float is no array",
    ),
    "index of another type": (
        "variables: {v: 'float[2]', w: float}\nnodes:\n  - name: a\n    unit: math.float.negate\n"
        "    inputs: {value: '$v[$w]'}",
        "a",
        "value",
        5,
        "an index is int or limb, this is float",
    ),
    "endless index": (
        "variables: {v: 'float[2]'}\nnodes:\n  - name: a\n    unit: math.float.negate\n"
        "    inputs: {value: '$v[99999999999999999999]'}",
        "a",
        "value",
        5,
        "99999999999999999999",
    ),
    "index of nothing": (
        "variables: {v: 'float[2]'}\nnodes:\n  - name: a\n    unit: math.float.negate\n    inputs: {value: '$v[$w]'}",
        "a",
        "value",
        5,
        "no node, variable or input 'w'",
    ),
    "literal of another type": (
        "nodes:\n  - name: a\n    unit: math.float.negate\n    inputs: {value: fast}",
        "a",
        "value",
        4,
        "it is float: 'fast'",
    ),
    "literal not finite": (
        "nodes:\n  - name: a\n    unit: math.float.negate\n    inputs: {value: .nan}",
        "a",
        "value",
        4,
        "not finite",
    ),
    "literal too large": (
        "nodes:\n  - name: a\n    unit: math.int.add\n    inputs: {a: 9223372036854775808}",
        "a",
        "a",
        4,
        "64 bits",
    ),
    "rotation of length two": (
        "nodes:\n  - name: a\n    unit: math.quat.inverse\n    inputs: {rotation: [0, 0, 0, 2]}",
        "a",
        "rotation",
        4,
        "length 2, not 1",
    ),
    "number for a truth": (
        "nodes:\n  - name: a\n    unit: math.bool.not\n    inputs: {value: 1}",
        "a",
        "value",
        4,
        "not true or false",
    ),
    "unknown bone": (
        "nodes:\n  - name: a\n    unit: flow.for_each_bone\n    inputs: {bones: [foot]}",
        "a",
        "bones",
        4,
        "'foot' is no bone of this robot; valid: base",
    ),
    "unknown bones by pattern": (
        "nodes:\n  - name: a\n    unit: flow.for_each_bone\n    inputs: {bones: ['leg_*']}",
        "a",
        "bones",
        4,
        "no name fits the pattern 'leg_*'",
    ),
    "bone without a name": ("nodes:\n  - {name: a, unit: debug.print.bone}", "a", "value", 2, "it needs a value"),
    "variable that is a bone": ("variables:\n  b: bone\nnodes: []", "b", None, 2, "needs a name to start with"),
    "variable of no type": ("variables:\n  b: number\nnodes: []", "b", None, 2, "'number' is no type"),
    "variable of another type": ("variables:\n  b: {type: int, initial: 0.5}\nnodes: []", "b", None, 2, "whole number"),
    "too many items": ("variables:\n  b: {type: 'int[2]', initial: [1, 2, 3]}\nnodes: []", "b", None, 2, "3 items"),
    "duplicate name": (
        "nodes:\n  - {name: a, unit: math.float.add}\n  - {name: b, unit: math.float.add}\n"
        "  - {name: a, unit: math.float.add}",
        "a",
        None,
        4,
        "the name is taken (the other is in line 2)",
    ),
    "duplicate name in a block": (
        "nodes:\n  - {name: a, unit: math.float.add}\n  - name: b\n    unit: flow.for_loop\n"
        "    body:\n      - {name: a, unit: math.float.add}",
        "a",
        None,
        6,
        "line 2",
    ),
    "node called like its loop": (
        "nodes:\n  - name: b\n    unit: flow.for_loop\n    body:\n      - {name: b, unit: math.float.add}",
        "b",
        None,
        5,
        "taken",
    ),
    "node called like a variable": (
        "variables: {a: float}\nnodes:\n  - {name: a, unit: math.float.add}",
        "a",
        None,
        3,
        "taken",
    ),
    "block of a unit without": (
        "nodes:\n  - name: a\n    unit: math.float.add\n    body: []",
        "a",
        None,
        2,
        "no block 'body' nor any other",
    ),
    "wrong block": ("nodes:\n  - name: a\n    unit: flow.branch\n    body: []", "a", None, 2, "valid: then, else"),
    "set of no variable": (
        "nodes:\n  - name: a\n    unit: math.float.add\n    set:\n      v: result",
        "a",
        "v",
        5,
        "there is no variable 'v'",
    ),
    "set of an input": (
        "inputs: {v: float}\nnodes:\n  - name: a\n    unit: math.float.add\n    set:\n      v: result",
        "a",
        "v",
        6,
        "there is no variable 'v'",
    ),
    "set of a part": (
        "variables: {v: vec3}\nnodes:\n  - name: a\n    unit: math.float.add\n    set:\n      v.x: result",
        "a",
        "v.x",
        6,
        "there is no variable 'v.x'",
    ),
    "set to no output": (
        "variables: {v: float}\nnodes:\n  - name: a\n    unit: math.float.add\n    set:\n      v: a",
        "a",
        "v",
        6,
        "no output 'a'; valid: result",
    ),
    "set of another type": (
        "variables: {v: vec3}\nnodes:\n  - name: a\n    unit: math.float.add\n    set:\n      v: result",
        "a",
        "v",
        6,
        "variable 'v' is vec3, output 'result' is float",
    ),
    "set of an item of another type": (
        "variables: {v: 'vec3[2]'}\nnodes:\n  - name: a\n    unit: math.float.add\n    set:\n      v[0]: result",
        "a",
        "v[0]",
        6,
        "'v' is vec3, output",
    ),
    "set of an item of no array": (
        "variables: {v: float}\nnodes:\n  - name: a\n    unit: math.float.add\n    set:\n      v[0]: result",
        "a",
        "v[0]",
        6,
        "is no array",
    ),
    "set of nonsense": (
        "variables: {v: float}\nnodes:\n  - name: a\n    unit: math.float.add\n    set:\n      v v: result",
        "a",
        "v v",
        6,
        "is no variable",
    ),
    "circle": (
        "nodes:\n  - name: a\n    unit: math.float.negate\n    inputs: {value: $b.result}\n  - name: b\n"
        "    unit: math.float.negate\n    inputs: {value: $a.result}",
        "b",
        "value",
        7,
        "a reads b reads a",
    ),
    "circle of one": (
        "nodes:\n  - name: a\n    unit: math.float.negate\n    inputs: {value: $a.result}",
        "a",
        "value",
        4,
        "a reads a",
    ),
    "circle through an index": (
        "variables: {v: 'int[2]'}\nnodes:\n  - name: a\n    unit: math.int.add\n    inputs: {a: '$v[$a.result]'}",
        "a",
        "a",
        5,
        "circle",
    ),
    "read from outside a loop": (
        "nodes:\n  - name: each\n    unit: flow.for_loop\n    body:\n"
        "      - {name: inner, unit: math.float.add}\n  - name: a\n    unit: math.float.negate\n"
        "    inputs: {value: $inner.result}",
        "a",
        "value",
        8,
        "only known inside 'each'",
    ),
    "read from the other block": (
        "nodes:\n  - name: if\n    unit: flow.branch\n    then:\n"
        "      - {name: b, unit: math.float.add}\n    else:\n      - name: a\n"
        "        unit: math.float.negate\n        inputs: {value: $b.result}",
        "a",
        "value",
        9,
        "only known inside 'if'",
    ),
    "reads what is set later": (
        "variables: {v: float}\nnodes:\n  - name: a\n    unit: math.float.negate\n"
        "    inputs: {value: $b.result}\n  - {name: b, unit: math.float.add, set: {v: result}}",
        "a",
        "value",
        5,
        "write 'b' before it",
    ),
    "reads a loop's index before it": (
        "nodes:\n  - name: a\n    unit: math.int.to_float\n    inputs: {value: $b.index}\n"
        "  - {name: b, unit: flow.for_loop}",
        "a",
        "value",
        4,
        "write 'b' before it",
    ),
}


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
