"""The machine: the same bits wherever it runs, ticks that fail leave no trace, and no memory grows."""

from __future__ import annotations

import gc
import threading
import tracemalloc

import numpy as np
import pytest
from numba.core.runtime import _nrt_python, rtsys

from climbing_rig.errors import RigError
from climbing_rig.rig import Machine, Names, compile_graph, read_graph
from climbing_rig.rig.native import EXIT

NAMES = Names(bones=("base", "hand"), limbs=("left_arm", "right_arm"))

BUSY = """
inputs: {dt: {type: float, default: 0.01}}
variables:
  angle: {type: float, initial: 0.3}
  turned: {type: quat, initial: [0, 0, 0, 1]}
  ways: {type: 'vec3[limbs]', initial: [1, 2, 3]}
  rounds: int
nodes:
  - {name: smooth, unit: math.float.smooth, inputs: {current: $angle, target: 2.0, rate: 3.0, dt: $dt},
     set: {angle: result}}
  - {name: turn, unit: math.quat.from_axis_angle, inputs: {axis: [1, 2, 3], angle: $smooth.result}}
  - {name: product, unit: math.quat.multiply, inputs: {a: $turn.result, b: $turned}, set: {turned: result}}
  - name: each
    unit: flow.for_each_limb
    body:
      - {name: rotate, unit: math.quat.rotate_vector, inputs: {rotation: $product.result, vector: '$ways[$each.limb]'},
         set: {'ways[$each.limb]': result}}
      - {name: count, unit: math.int.add, inputs: {a: $rounds, b: 1}, set: {rounds: result}}
  - {name: far, unit: compare.float.greater, inputs: {a: $smooth.result, b: 1.0}}
  - name: if
    unit: flow.branch
    inputs: {condition: $far.result}
    then: [{name: sin, unit: math.float.sin, inputs: {angle: $smooth.result}}]
    else: [{name: cos, unit: math.float.cos, inputs: {angle: $smooth.result}}]
"""


def machine_of(text, names=NAMES):
    return Machine(compile_graph(read_graph(text, "graph"), names))


def values(machine):
    return {name: machine.view(name).tobytes() for name in machine.program.slots}


# -- side by side ------------------------------------------------------------------------------------------------


def test_two_machines_of_one_program_do_not_see_each_other():
    program = compile_graph(read_graph(BUSY, "graph"), NAMES)
    one, other, alone = Machine(program), Machine(program), Machine(program)
    other.set("angle", -1.0)
    for _ in range(50):
        one.run()
        other.run()
    for _ in range(50):
        alone.run()
    assert values(one) == values(alone)
    assert one.get("angle") != other.get("angle")
    assert one.get("rounds") == other.get("rounds") == 100


def test_machines_on_two_threads_give_the_same_bits_as_one_alone():
    program = compile_graph(read_graph(BUSY, "graph"), NAMES)
    alone = Machine(program)
    trace = []
    for _ in range(2000):
        alone.run()
        trace.append(alone.view("turned").tobytes())
    machines = [Machine(program) for _ in range(2)]
    traces = [[], []]
    start = threading.Barrier(2)

    def ticks(machine, seen):
        start.wait()
        for _ in range(2000):
            machine.run()
            seen.append(machine.view("turned").tobytes())

    threads = [threading.Thread(target=ticks, args=pair) for pair in zip(machines, traces, strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert traces == [trace, trace]
    assert [values(machine) for machine in machines] == [values(alone)] * 2


def test_another_machine_of_the_same_graph_compiled_again_gives_the_same_bits():
    one, other = machine_of(BUSY), machine_of(BUSY)
    for _ in range(20):
        one.run()
        other.run()
    assert values(one) == values(other)


# -- a tick that fails -------------------------------------------------------------------------------------------

FAILING = """
inputs: {x: {type: float, default: 1.0}}
variables: {before: float, after: float, keep: {type: 'float[2]', initial: [5, 6]}}
nodes:
  - {name: first, unit: math.float.add, inputs: {a: $before, b: 1.0}, set: {before: result, 'keep[1]': result}}
  - {name: huge, unit: math.float.multiply, inputs: {a: $x, b: 1.0e+300}}
  - {name: vector, unit: math.vector.make, inputs: {x: 1.0, y: $huge.result}}
  - {name: quotient, unit: math.float.divide, inputs: {a: 1.0, b: $x}}
  - {name: last, unit: math.float.add, inputs: {a: $after, b: 1.0}, set: {after: result}}
"""


def test_a_number_that_is_not_finite_stops_the_tick_with_node_and_pin_and_variables_as_before():
    machine = machine_of(FAILING)
    machine.run()
    before = {name: machine.get(name) for name in machine.program.variables}
    assert before == {"before": 1.0, "after": 1.0, "keep": (5.0, 1.0)}
    machine.set("x", 1e300)
    with pytest.raises(RigError) as caught:
        machine.run()
    assert (caught.value.name, caught.value.pin) == ("huge", "result")
    assert "node 'huge' (math.float.multiply" in str(caught.value)
    assert "output 'result' is not finite: inf" in str(caught.value)
    assert {name: machine.get(name) for name in machine.program.variables} == before
    machine.set("x", 2.0)
    machine.run()
    assert machine.get("before") == 2.0
    assert machine.get("after") == 2.0


def test_nan_that_came_in_from_outside_is_stopped_at_the_first_node_it_passes():
    machine = machine_of(FAILING)
    machine.view("x")[0] = np.nan
    with pytest.raises(RigError, match="not finite: nan") as caught:
        machine.run()
    assert (caught.value.name, caught.value.pin) == ("huge", "result")


def test_a_unit_that_fails_stops_the_tick_with_its_words_and_variables_as_before():
    machine = machine_of(FAILING)
    machine.set("x", 0.0)
    with pytest.raises(RigError, match="the divisor is zero") as caught:
        machine.run()
    assert caught.value.name == "quotient"
    assert machine.get("before") == 0.0
    assert machine.get("keep") == (5.0, 6.0)


@pytest.mark.parametrize("watched", [False, True])
def test_a_loop_without_an_end_is_ended_with_its_name(watched, monkeypatch):
    monkeypatch.setattr("climbing_rig.rig.machine.MOST_WATCHED", 20_000)
    machine = machine_of("""
variables: {v: {type: float, initial: 2.0}}
nodes:
  - {name: first, unit: math.float.negate, inputs: {value: $v}, set: {v: result}}
  - name: forever
    unit: flow.for_loop
    inputs: {count: 4611686018427387904}
    body: [{name: inner, unit: math.float.value}]
""")
    if watched:
        machine.recorder = Watcher()
    with pytest.raises(RigError, match=r"ended after \d+ instructions"):
        machine.run()
    assert machine.get("v") == 2.0


class Watcher:
    """Notes each instruction of each tick."""

    def __init__(self):
        self.seen = []

    def begin(self, machine):
        """A tick begins."""
        self.seen.append([])

    def record(self, pc, nanoseconds):
        """An instruction is over."""
        assert nanoseconds >= 0
        self.seen[-1].append(pc)


def test_a_watched_machine_gives_the_same_bits_and_every_instruction_is_seen():
    one, other = machine_of(BUSY), machine_of(BUSY)
    other.recorder = watcher = Watcher()
    for _ in range(3):
        one.run()
        other.run()
    assert values(one) == values(other)
    assert one.counts.tolist() == other.counts.tolist()
    code = other.program.code
    for tick in watcher.seen:
        assert tick[0] == 0
        assert code[tick[-1]][0] == EXIT
    assert len(watcher.seen) == 3


def test_a_failing_instruction_is_seen_before_the_error_comes():
    machine = machine_of(FAILING)
    machine.recorder = watcher = Watcher()
    machine.set("x", 0.0)
    with pytest.raises(RigError, match="divisor"):
        machine.run()
    node = list(machine.program.graph.walk())[machine.program.code[watcher.seen[0][-1]][4]]
    assert node.name == "quotient"


# -- memory ------------------------------------------------------------------------------------------------------


@pytest.fixture
def native_counts():
    """Numba's count of its own allocations, which it keeps only when told to."""
    machine_of(BUSY).run()
    _nrt_python.memsys_enable_stats()
    yield
    _nrt_python.memsys_disable_stats()


def test_ticks_allocate_nothing_that_stays(native_counts):
    machine = machine_of(BUSY)
    for _ in range(100):
        machine.run()
    gc.collect()
    native = rtsys.get_allocation_stats()
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        for _ in range(5000):
            machine.run()
        gc.collect()
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    later = rtsys.get_allocation_stats()
    assert after - before < 2000, f"{after - before} bytes in 5000 ticks"
    assert later.alloc - later.free == native.alloc - native.free
    assert later.mi_alloc - later.mi_free == native.mi_alloc - native.mi_free


def test_the_units_allocate_nothing_in_native_memory_even_for_a_while(native_counts):
    machine = machine_of(BUSY)
    machine.run()
    before = rtsys.get_allocation_stats()
    for _ in range(100):
        machine.run()
    after = rtsys.get_allocation_stats()
    # What the call from Python makes does not depend on how many units run: compare with an empty graph.
    empty = machine_of("nodes: []")
    empty.run()
    bare = rtsys.get_allocation_stats()
    for _ in range(100):
        empty.run()
    assert after.alloc - before.alloc <= rtsys.get_allocation_stats().alloc - bare.alloc


# -- values ------------------------------------------------------------------------------------------------------


def test_values_are_set_read_and_reset_by_name():
    machine = machine_of(BUSY)
    machine.set("angle", 1.5)
    machine.set("dt", 0.0)
    machine.set("ways", [(1, 0, 0), (0, 1, 0)])
    machine.set("smooth.target", 9.0)
    machine.run()
    assert machine.get("angle") == 1.5
    assert machine.get("rounds") == 2
    machine.reset()
    assert machine.get("angle") == 0.3
    assert machine.get("rounds") == 0
    assert machine.get("turned") == (0.0, 0.0, 0.0, 1.0)
    assert machine.get("dt") == 0.0
    assert machine.get("smooth.target") == 9.0


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("nothing", 1.0, "has no value 'nothing'; valid:"),
        ("smooth.nothing", 1.0, "has no value"),
        ("angle", "fast", "'angle' is float"),
        ("angle", float("nan"), "not finite"),
        ("turned", (1, 1, 1, 1), "length"),
        ("ways", [(0, 0, 0)] * 3, "3 items"),
        ("smooth.current", 1.0, "is linked to \\$angle"),
        ("smooth.result", 1.0, "is computed by a node"),
    ],
)
def test_what_cannot_be_set_is_refused_and_nothing_changes(name, value, words):
    machine = machine_of(BUSY)
    before = values(machine)
    with pytest.raises(RigError, match=words):
        machine.set(name, value)
    assert values(machine) == before


def test_a_view_is_the_memory_itself():
    machine = machine_of(BUSY)
    view = machine.view("rounds")
    assert view.dtype == np.int64
    machine.run()
    assert view.tolist() == [2]
    view[0] = 40
    machine.run()
    assert machine.get("rounds") == 42


def test_variables_are_kept_from_tick_to_tick_and_outputs_that_nobody_computes_stay():
    machine = machine_of(BUSY)
    machine.run()
    assert machine.get("cos.result") != 0.0
    assert machine.get("sin.result") == 0.0


# -- adopting ----------------------------------------------------------------------------------------------------


def test_a_machine_takes_over_what_has_the_same_name_and_type():
    old = machine_of("""
inputs: {dt: {type: float, default: 0.5}, gone: float}
variables:
  same: {type: float, initial: 1.0}
  retyped: {type: float, initial: 2.0}
  longer: {type: 'float[2]', initial: [1, 2]}
  moved: {type: vec3, initial: [1, 2, 3]}
  role: {type: float, initial: 3.0}
  dropped: float
nodes: [{name: node, unit: math.float.add}]
""")
    old.set("dt", 0.125)
    old.set("same", 10.0)
    old.set("moved", (7.0, 8.0, 9.0))
    old.set("role", 33.0)
    old.set("node.a", 5.0)
    new = machine_of("""
inputs: {dt: {type: float, default: 0.5}, role: {type: float, default: 4.0}}
variables:
  fresh: {type: float, initial: 6.0}
  moved: {type: vec3, initial: [0, 0, 0]}
  longer: {type: 'float[3]', initial: [0, 0, 0]}
  retyped: {type: int, initial: 2}
  same: {type: float, initial: 1.0}
nodes: [{name: node, unit: math.float.add, inputs: {a: 1.0}}]
""")
    new.adopt(old)
    assert new.get("dt") == 0.125
    assert new.get("same") == 10.0
    assert new.get("moved") == (7.0, 8.0, 9.0)
    assert new.get("fresh") == 6.0
    assert new.get("longer") == (0.0, 0.0, 0.0)
    assert new.get("retyped") == 2
    assert new.get("role") == 4.0
    assert new.get("node.a") == 1.0
    new.set("same", 0.0)
    assert old.get("same") == 10.0


def test_a_bone_that_was_remembered_is_the_same_bone_on_another_robot():
    text = "variables: {b: {type: bone, initial: hand}, l: {type: 'limb[4]', initial: ['*']}}\nnodes: []"
    old = machine_of(text, Names(("base", "hand"), ("left_arm", "right_arm")))
    new = machine_of(text, Names(("hand", "arm", "base"), ("right_arm", "left_arm")))
    old.set("b", "base")
    new.adopt(old)
    assert new.get("b") == "base"
    assert new.get("l") == ("left_arm", "right_arm")
