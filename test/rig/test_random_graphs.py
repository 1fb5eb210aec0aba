"""Random graphs: compiled they do what they say, bit for bit; ill-typed they are refused by node and pin."""

from __future__ import annotations

import struct
import threading
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from random_graphs import LITERALS, UNITS, VARIABLES, Interpreter, StopError, graphs

from climbing_rig.errors import RigError
from climbing_rig.rig import Graph, Machine, compile_graph
from climbing_rig.rig.order import reads

TICKS = 3
slow = settings(
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
    max_examples=100,
)


def bits(value):
    """A value so that 0.0 and -0.0 are two."""
    if isinstance(value, tuple):
        return tuple(map(bits, value))
    return struct.pack("d", value) if isinstance(value, float) else value


def state(machine, names):
    return {name: bits(machine.get(name)) for name in names}


def assert_ticks_are_what_the_graph_says(program, graph):
    """Runs the machine and the interpreter side by side."""
    machine, meant = Machine(program), Interpreter(graph)
    for _ in range(TICKS):
        try:
            meant.tick()
        except StopError as stop:
            with pytest.raises(RigError) as caught:
                machine.run()
            assert (caught.value.name, caught.value.pin) == (stop.node, stop.pin)
            assert state(machine, VARIABLES) == {name: bits(value) for name, value in meant.variables.items()}
            return
        machine.run()
        assert state(machine, VARIABLES) == {name: bits(value) for name, value in meant.variables.items()}
        assert state(machine, meant.outputs) == {name: bits(value) for name, value in meant.outputs.items()}


@given(graphs())
@slow
def test_a_random_graph_does_what_it_says_bit_for_bit(graph):
    assert_ticks_are_what_the_graph_says(compile_graph(graph), graph)


@given(graphs(), st.randoms(use_true_random=False))
@slow
def test_it_does_not_matter_where_a_pure_node_that_reads_no_variable_is_written(graph, random):
    movable = [
        node
        for node in graph.nodes
        if node.unit in UNITS and not node.sets and not {name for _, name, _ in reads(node)} & set(VARIABLES)
    ]
    assume(movable)
    nodes = [node for node in graph.nodes if node not in movable]
    random.shuffle(movable)
    mixed = Graph("mixed", inputs=graph.inputs, variables=graph.variables, nodes=nodes + movable)
    machine, meant = Machine(compile_graph(mixed)), Interpreter(graph)
    for _ in range(TICKS):
        try:
            meant.tick()
        except StopError:
            # Several nodes may fail; which one comes first depends on where they are written.
            with pytest.raises(RigError):
                machine.run()
            assert state(machine, VARIABLES) == {name: bits(value) for name, value in meant.variables.items()}
            return
        machine.run()
        assert state(machine, VARIABLES) == {name: bits(value) for name, value in meant.variables.items()}


@given(graphs())
@settings(slow, max_examples=30)
def test_same_input_same_bits_on_two_threads_at_once(graph):
    program = compile_graph(graph)
    machines = [Machine(program) for _ in range(3)]
    traces = [[] for _ in machines]

    def ticks(machine, trace):
        for _ in range(20):
            try:
                machine.run()
            except RigError as error:
                trace.append(str(error))
            trace.append({name: machine.view(name).tobytes() for name in program.slots})

    ticks(machines[0], traces[0])
    threads = [threading.Thread(target=ticks, args=pair) for pair in zip(machines[1:], traces[1:], strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(traces[0]) >= 20
    assert traces[1] == traces[0]
    assert traces[2] == traces[0]


@given(graphs(), st.data())
@slow
def test_a_random_ill_typed_graph_is_refused_with_node_and_pin(graph, data):
    candidates = [(node, pin) for node in graph.walk() if node.unit in UNITS for pin in UNITS[node.unit][0]]
    assume(candidates)
    node, pin = data.draw(st.sampled_from(candidates))
    wanted = UNITS[node.unit][0][pin]
    wrong = {
        # A whole number is a number, too; everything else is of one type only.
        "literal": st.sampled_from(
            [k for k in LITERALS if k != wanted and not (k == "int" and wanted == "float")]
        ).flatmap(LITERALS.get),
        "link": st.sampled_from([f"${name}" for name, kind in VARIABLES.items() if kind != wanted]),
        "unknown": st.sampled_from(
            ["$nothing", f"${node.name}.nothing", "$f.x", "$v.w", "$f[0]", "$fs[$f]", "$", "$f["]
        ),
    }
    given_value = data.draw(wrong[data.draw(st.sampled_from(sorted(wrong)))])
    if wanted == "vec3" and isinstance(given_value, tuple) and len(given_value) == 3:
        assume(not all(isinstance(item, float) for item in given_value))
    node.inputs[pin] = given_value
    with pytest.raises(RigError) as caught:
        compile_graph(graph)
    assert (caught.value.name, caught.value.pin) == (node.name, pin), str(caught.value)
    assert f"node '{node.name}' ({node.unit}), pin '{pin}'" in str(caught.value)


@given(graphs(), st.data())
@slow
def test_a_random_graph_with_a_variable_set_to_another_type_is_refused(graph, data):
    node = data.draw(st.sampled_from([n for n in graph.walk() if n.unit in UNITS] or [None]))
    assume(node is not None)
    wrong = [name for name, kind in VARIABLES.items() if kind != UNITS[node.unit][1]]
    variable = data.draw(st.sampled_from(wrong))
    node.sets = {variable: "result"}
    with pytest.raises(RigError) as caught:
        compile_graph(graph)
    # A node that sets something may not be moved any more, which may be what is wrong first.
    assert (caught.value.name, caught.value.pin) == (node.name, variable) or "write" in str(caught.value)
    assert replace(graph.variables[variable]) == graph.variables[variable]
