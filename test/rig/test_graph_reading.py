"""Graphs as YAML: what is read, and that everything broken is refused with its file and line."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from climbing_rig.errors import ClimbingRigError, RigError
from climbing_rig.rig import Graph, Machine, compile_graph, load_graph, read_graph
from climbing_rig.rig.graph import parse_link

WHOLE = """
doc: Adds up.
robot: climber
inputs:
  dt: {type: float, default: 0.01, unit: s, doc: time of a tick}
  way: vec3
variables:
  total: {type: float, initial: 2.5, doc: the sum so far}
  seen: bool
nodes:
  - name: sum
    unit: math.float.add
    inputs:
      a: $total
      b: $dt
    set: {total: result}
  - name: check
    unit: flow.branch
    inputs: {condition: $seen}
    then:
      - {name: inner, unit: math.float.negate, inputs: {value: $sum.result}}
    else:
      - {name: other, unit: math.float.absolute, inputs: {value: 3}, enabled: false}
"""


def test_a_graph_is_read_with_everything_that_is_written_and_its_lines():
    graph = read_graph(WHOLE, "adder")
    assert (graph.name, graph.doc, graph.robot) == ("adder", "Adds up.", "climber")
    assert graph.inputs["dt"].type == "float"
    assert (graph.inputs["dt"].initial, graph.inputs["dt"].measure, graph.inputs["dt"].line) == (0.01, "s", 5)
    assert graph.inputs["way"].initial is None
    assert (graph.variables["total"].initial, graph.variables["total"].line) == (2.5, 8)
    assert [node.name for node in graph.walk()] == ["sum", "check", "inner", "other"]
    total, branch = graph.nodes
    assert total.inputs == {"a": "$total", "b": "$dt"}
    assert total.sets == {"total": "result"}
    assert (total.line, total.lines["a"], total.lines["b"]) == (11, 14, 15)
    assert [node.enabled for node in graph.walk()] == [True, True, True, False]
    assert list(branch.blocks) == ["then", "else"]


def test_yaml_and_python_make_the_same_program():
    written = read_graph(WHOLE, "adder")
    built = Graph("adder")
    built.declare_input("dt", "float", 0.01)
    built.declare_input("way", "vec3")
    built.declare_variable("total", "float", 2.5)
    built.declare_variable("seen", "bool")
    built.add("math.float.add", "sum", {"a": "$total", "b": "$dt"}, sets={"total": "result"})
    branch = built.add("flow.branch", "check", {"condition": "$seen"})
    built.add("math.float.negate", "inner", {"value": "$sum.result"}, inside=(branch, "then"))
    built.add("math.float.absolute", "other", {"value": 3}, inside=(branch, "else"), enabled=False)
    one, other = compile_graph(written), compile_graph(built)
    assert one.code.tolist() == other.code.tolist()
    assert one.operands.tolist() == other.operands.tolist()
    assert one.image.tobytes() == other.image.tobytes()


def test_an_empty_file_and_empty_sections_are_an_empty_graph_that_runs():
    for text in ("", "# nothing\n", "nodes:\n", "inputs:\nvariables: {}\nnodes: []\n"):
        Machine(compile_graph(read_graph(text))).run()


BROKEN = {
    "not a mapping": ("- a\n- b\n", 1, "not a mapping"),
    "just text": ("hello", 1, "not a mapping"),
    "bad yaml": ("nodes:\n  - {name: a\n", 3, ""),
    "tab": ("nodes:\n\t- a\n", 2, ""),
    "two documents": ("doc: a\n---\ndoc: b\n", 2, ""),
    "unknown anchor": ("doc: x\nnodes: *nowhere\n", 2, "alias"),
    "unsafe tag": ("doc: !!python/object/apply:os.system ['true']\n", 1, ""),
    "no date": ("doc: x\nrobot: 2001-99-99\n", 2, "month"),
    "no number": ("doc: x\nrobot: !!int ten\n", 2, "ten"),
    "no timestamp": ("doc: x\nrobot: !!timestamp ten\n", 2, ""),
    "no truth": ("doc: x\nrobot: !!bool ten\n", 2, "ten"),
    "endless number": ("doc: x\nrobot: " + "9" * 5000 + "\n", 2, ""),
    "control character": ("doc: x\nrobot: a\0b\n", 2, "no place"),
    "unknown key": ("doc: x\nnode: []\n", 2, "unknown key 'node'"),
    "key twice": ("doc: x\ndoc: y\n", 2, "there twice"),
    "merge key": ("a: &a {x: 1}\n", 1, "unknown key"),
    "number as key": ("doc: x\n7: y\n", 2, "no name"),
    "list as key": ("doc: x\n? [a]\n: y\n", 2, ""),
    "doc is a number": ("doc: 3\n", 1, "not text"),
    "robot is a list": ("doc: x\nrobot: [a]\n", 2, "not text"),
    "inputs is a list": ("doc: x\ninputs: [a]\n", 2, "not a mapping"),
    "variables is text": ("variables: a\n", 1, "not a mapping"),
    "declared twice": ("inputs:\n  a: float\nvariables:\n  b: float\n  a: float\n", 5, "declared twice"),
    "variable twice": ("variables:\n  a: float\n  a: int\n", 3, "there twice"),
    "declaration without type": ("variables:\n  a: {initial: 1}\n", 2, "'type' is None"),
    "declaration is a number": ("variables:\n  a: 5\n", 2, "not a mapping"),
    "unknown key in declaration": ("variables:\n  a: {type: float, default: 1}\n", 2, "unknown key 'default'"),
    "input with initial": ("inputs:\n  a:\n    type: float\n    initial: 1\n", 4, "unknown key 'initial'"),
    "bad variable name": ("variables:\n  a-b: float\n", 2, "is no name"),
    "nodes is a mapping": ("doc: x\nnodes: {a: b}\n", 2, "not a list"),
    "node is text": ("nodes:\n  - a\n", None, "not a mapping"),
    "node without name": ("nodes:\n  - unit: math.float.add\n", 2, "is no name"),
    "node name with a dot": ("nodes:\n  - name: a.b\n    unit: math.float.add\n", 2, "is no name"),
    "node name is a number": ("nodes:\n  - name: 5\n    unit: math.float.add\n", 2, "is no name"),
    "node without unit": ("nodes:\n  - name: a\n", 2, "'unit' is None"),
    "unknown key in node": ("nodes:\n  - name: a\n    unit: math.float.add\n    input: {}\n", 4, "unknown key 'input'"),
    "inputs of a node is a list": ("nodes:\n  - name: a\n    unit: math.float.add\n    inputs: [1]\n", 4, "mapping"),
    "set to a number": ("nodes:\n  - name: a\n    unit: math.float.add\n    set:\n      v: 3\n", 5, "not text"),
    "enabled is text": ("nodes:\n  - name: a\n    unit: math.float.add\n    enabled: maybe\n", 4, "not true or false"),
    "body is text": ("nodes:\n  - name: a\n    unit: flow.for_loop\n    body: b\n", 4, "not a list"),
    "input twice": ("nodes:\n  - name: a\n    unit: math.float.add\n    inputs:\n      a: 1\n      a: 2\n", 6, "twice"),
    "broken inside a body": (
        "nodes:\n  - name: a\n    unit: flow.for_loop\n    body:\n      - name: b\n        units: x\n", 6, "'units'"
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", BROKEN)
def test_every_broken_graph_is_refused_with_its_file_and_line(case, tmp_path):
    text, line, words = BROKEN[case]
    path = tmp_path / "broken.yaml"
    path.write_text(text)
    with pytest.raises(RigError) as caught:
        load_graph(path)
    message = str(caught.value)
    assert message.startswith(f"{path}:{line or ''}"), message
    assert words in message
    if line is not None:
        assert caught.value.line == line


def test_a_file_that_is_no_text_or_not_there_or_too_large_is_refused(tmp_path):
    binary = tmp_path / "binary.yaml"
    binary.write_bytes(b"\xff\xfe\x00\x80")
    with pytest.raises(RigError, match=r"binary\.yaml"):
        load_graph(binary)
    control = tmp_path / "control.yaml"
    control.write_bytes(b"doc: a\x00b\n")
    with pytest.raises(RigError, match=r"control\.yaml"):
        load_graph(control)
    with pytest.raises(ClimbingRigError, match=r"nowhere\.yaml"):
        load_graph(tmp_path / "nowhere.yaml")
    large = tmp_path / "large.yaml"
    large.write_text("#" * 4_000_001)
    with pytest.raises(RigError, match="larger than any graph"):
        load_graph(large)


def test_deep_nesting_and_aliases_of_aliases_are_refused_not_followed():
    with pytest.raises(RigError, match="nested too deeply"):
        read_graph("doc: " + "[" * 5000 + "]" * 5000)
    deep = "nodes: " + "[{name: a, unit: flow.for_loop, body: " * 2000 + "[]" + "}]" * 2000
    with pytest.raises(RigError, match="nested too deeply"):
        read_graph(deep)
    lines = ["nodes:", "  - &a0 {name: n, unit: math.float.add}"]
    for i in range(1, 12):
        inner = ", ".join([f"*a{i - 1}"] * 10)
        lines.append(f"  - &a{i} {{name: n{i}, unit: flow.for_loop, body: [{inner}]}}")
    with pytest.raises(RigError, match=r"more than \d+ nodes"):
        read_graph("\n".join(lines))


def test_a_ladder_of_aliases_is_refused_like_any_deep_nesting():
    rungs = ["nodes:", "  - &a0 {name: n0, unit: flow.for_loop, body: []}"]
    rungs += [f"  - &a{i} {{name: n{i}, unit: flow.for_loop, body: [*a{i - 1}]}}" for i in range(1, 900)]
    with pytest.raises(RigError, match="nested too deeply"):
        read_graph("\n".join(rungs))


def test_a_recursive_alias_is_refused():
    with pytest.raises(RigError):
        read_graph("nodes: &a\n  - {name: n, unit: flow.for_loop, body: *a}\n")


scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6)
documents = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                ["doc", "robot", "inputs", "variables", "nodes", "name", "unit", "set", "enabled", "body", "then",
                 "type", "initial", "a", "b"]
            ) | st.text(max_size=4), inner, max_size=5,
        )
    ),
    max_leaves=20,
)  # fmt: skip


@given(documents)
@example({"nodes": [{"name": "a", "unit": "flow.for_loop", "body": None}]})
def test_whatever_yaml_says_it_is_a_graph_or_a_rig_error(document):
    import yaml

    _read(yaml.safe_dump(document, allow_unicode=True))


@given(st.text(alphabet="ab:{}[]-&*!?|>'\"%@`,# \n\t$0", max_size=60))
def test_whatever_text_it_is_a_graph_or_a_rig_error(text):
    _read(text)


def _read(text):
    try:
        compile_graph(read_graph(text))
    except RigError as error:
        assert str(error).startswith("graph"), error


@pytest.mark.parametrize(
    ("text", "name", "path", "index"),
    [
        ("$a", "a", (), None),
        ("$a.b", "a", ("b",), None),
        ("$a.result.position.x", "a", ("result", "position", "x"), None),
        ("$a[3]", "a", (), 3),
        ("$a.b[12]", "a", ("b",), 12),
    ],
)
def test_a_link_is_read_into_its_parts(text, name, path, index):
    link = parse_link(text)
    assert (link.name, link.path, link.index) == (name, path, index)


def test_a_link_may_have_a_link_as_its_index():
    link = parse_link("$weights[$each.index]")
    assert (link.name, link.index.name, link.index.path) == ("weights", "each", ("index",))


@pytest.mark.parametrize(
    "text",
    ["$", "$.a", "$a.", "$a..b", "$a[", "$a[]", "$a]", "$a[1", "$a b", "$a-b", "a", "", "$a[-1]", "$a[b]", "$a[1][2]",
     "$a[$b[$c]", "$a[1].x", "$a[²]"],
)  # fmt: skip
def test_what_is_no_link_is_refused(text):
    with pytest.raises(ValueError, match="is no link"):
        parse_link(text)
