"""The rig graph: what running a solve as a graph costs. ``make bench`` or ``python bench/rig.py``."""

from __future__ import annotations

import gc
import sys
import tracemalloc
from collections.abc import Callable

import numpy as np
from lib.measure import Asked, Timing, interleaved, report
from numba.core.runtime import _nrt_python, rtsys

from climbing_rig import Climber, LimbCommand, Wall
from climbing_rig.reference import handle
from climbing_rig.rig import Graph, Machine, Names, compile_graph
from climbing_rig.rig.registry import REGISTRY
from climbing_rig.rig.skeleton import make_skeleton

MICRO = 1e6


def climbing() -> Climber:
    """The default climber on a flat wall, one hand on its way."""
    climber = Climber.from_files(wall=Wall.from_spec("generated:flat?spacing=0.03"))
    climber.attach()
    for tick in range(100):
        climber.step(0.005, {"left_hand": LimbCommand(move=(0.0, 0.3), grip=False if tick == 0 else None)})
    return climber


def plain_order(machine: Machine) -> Callable[[], None]:
    """The same kernels on the same memory, called by Python one after the other, as a hand-written solve would."""
    program = machine.program
    handles = {name: handle(machine.bound[name]) for name in program.contexts}

    def bound(node: str) -> Callable[[], None]:
        compiled = next(entry for entry in program.nodes if entry.name == node)
        function, fixed, reads = compiled.unit.function, [], []
        for slot in compiled.inputs.values():
            view = machine.view(slot.name) if slot.role != "hidden" else None
            kind = slot.type
            if kind.capacity is not None:
                words = machine.view(slot.name)
                count = int(words.view(np.int64)[0])
                fixed.append(words[1 : 1 + count * kind.item_words])
            elif kind.item_words > 1:
                fixed.append(view)
            else:
                reads.append((len(fixed), view, kind.kind == "bool"))
                fixed.append(None)
        outputs = [machine.view(slot.name) for slot in compiled.outputs.values()]
        arguments = [*(handles[name] for name in compiled.unit.contexts), *fixed, *outputs]
        offset = len(compiled.unit.contexts)

        def call() -> None:
            for place, view, truth in reads:
                value = view[0]
                arguments[offset + place] = bool(value) if truth else value
            function(*arguments)

        return call

    flat = [bound(node.name) for node in program.nodes if not node.unit.blocks and not node.owner]
    before = [node.name for node in program.nodes if not node.unit.blocks and not node.owner]
    inner = [bound(node.name) for node in program.nodes if node.owner]
    split = before.index("clearance")
    limbs = range(len(program.names.limbs))
    limb, index = machine.view("each.limb"), machine.view("each.index")
    stores = []
    for node, variable, output in (
        ("turn", "wished_rotation", "rotation"), ("weigh", "limb_weight", "limb_weight"),
        ("weigh", "body_weight", "body_weight"),
    ):  # fmt: skip
        size = len(machine.view(f"{node}.{output}"))
        rows = machine.view(variable)[1:].reshape(-1, size)
        stores.append((rows, machine.view(f"{node}.{output}")))

    def run() -> None:
        for call in flat[:split]:
            call()
        for i in limbs:
            limb[0], index[0] = i, i
            for call in inner:
                call()
            for rows, value in stores:
                rows[i] = value
        for call in flat[split:]:
            call()

    return run


def climber_graph(climber: Climber) -> tuple[dict[str, Timing], int]:
    """The climbing solve as a graph and in plain order, and its number of executed nodes."""
    machine = climber.rig
    skeleton = machine.bound["skeleton"]

    def again(call: Callable[[], None]) -> Callable[[], None]:
        def tick() -> None:
            skeleton.position[:] = skeleton.start_position
            skeleton.orientation[:] = skeleton.start_orientation
            skeleton.q[:] = skeleton.start_q
            skeleton.fresh[0] = 0
            call()

        return tick

    plain = again(plain_order(machine))
    timings = interleaved({"graph": again(machine.run), "plain order": plain}, rounds=2000)
    return timings, int(machine.counts.sum())


def maths(count: int) -> Machine:
    """A chain of additions."""
    graph = Graph(f"{count} additions")
    for i in range(count):
        before = f"$n{i - 1}.result" if i else (0.0, 0.0, 0.0)
        graph.add("math.vector.add", f"n{i}", {"a": before, "b": (0.001, 0.0, 0.0)})
    return Machine(compile_graph(graph))


def python_loop(count: int) -> Callable[[], None]:
    """The same additions, the compiled function called from Python."""
    add = REGISTRY["math.vector.add"].function
    memory, step = np.zeros((count + 1, 3)), np.array([0.001, 0.0, 0.0])
    rows = [(memory[i], step, memory[i + 1]) for i in range(count)]

    def run() -> None:
        for row in rows:
            add(*row)

    return run


def bones(count: int) -> Machine:
    """Every bone of a chain looked at and turned a little, root first."""
    from lib.chain import chain_model

    model = chain_model(count)
    graph = Graph(f"{count} bones")
    each = graph.add("flow.for_each_bone", "each", {"bones": ["bone_*"]})
    graph.add("transform.get", "get", {"bone": "$each.bone"}, inside=each)
    graph.add("transform.turn", "turn", {"bone": "$each.bone", "rotation": (0.0, 0.0005, 0.0, 1.0)}, inside=each)
    program = compile_graph(graph, Names(bones=model.link_names))
    return Machine(program, {"skeleton": make_skeleton(model)})


def growth(machine: Machine, ticks: int = 5000) -> tuple[int, int]:
    """Bytes of Python and blocks of numba that ``ticks`` ticks leave behind."""
    _nrt_python.memsys_enable_stats()
    machine.run()
    gc.collect()
    tracemalloc.start()
    machine.run()
    before, stats = tracemalloc.get_traced_memory()[0], rtsys.get_allocation_stats()
    for _ in range(ticks):
        machine.run()
    gc.collect()
    after, later = tracemalloc.get_traced_memory()[0], rtsys.get_allocation_stats()
    tracemalloc.stop()
    return after - before, (later.alloc - later.free) - (stats.alloc - stats.free)


def main() -> int:
    """Runs everything and prints the table."""
    climber = climbing()
    timings, executed = climber_graph(climber)
    overhead = timings["graph"].median / timings["plain order"].median - 1.0
    for name, timing in timings.items():
        print(f"climbing solve, {name:<12} median {timing.median * MICRO:7.1f} us, best {timing.best * MICRO:7.1f} us")
    print(f"  ({executed} nodes executed a tick)")

    sizes = (250, 500, 1000, 2000)
    chains = {f"{n} additions": maths(n).run for n in sizes}
    chains["1000 additions from Python"] = python_loop(1000)
    dispatch = interleaved(chains, rounds=200)
    for name, timing in dispatch.items():
        print(f"{name:<28} median {timing.median * MICRO:8.1f} us")
    each = dispatch["1000 additions"].median / 1000.0

    skeletons = interleaved({f"{n} bones": bones(n).run for n in (75, 150, 300)}, rounds=200)
    for name, timing in skeletons.items():
        print(f"{name:<28} median {timing.median * MICRO:8.1f} us")

    python_bytes, blocks = growth(climber.rig)
    again = compile_graph(climber.rig.program.graph, climber.rig.program.names)
    rows = [
        Asked("climbing solve as a graph over plain Python order, minus one", overhead, 0.10),
        Asked("one node of 1000 additions", each * MICRO, 1.0, "us"),
        Asked("the same over calling the compiled function from Python",
              dispatch["1000 additions"].median / dispatch["1000 additions from Python"].median, 1.0),
        Asked("2000 additions over 4 times 500 (linear: 1)",
              dispatch["2000 additions"].median / (4.0 * dispatch["500 additions"].median), 1.25),
        Asked("300 bones over 4 times 75 (linear: 1)",
              skeletons["300 bones"].median / (4.0 * skeletons["75 bones"].median), 1.25),
        Asked("compiling the climber's graph, kernels ready", again.seconds, 0.2, "s"),
        Asked("Python memory left by 5000 ticks", python_bytes, 0.0, "B"),
        Asked("numba allocations left by 5000 ticks", blocks, 0.0),
    ]  # fmt: skip
    return report("rig graph", rows)


if __name__ == "__main__":
    sys.exit(main())
