"""Whatever a rig proposes, the gate disposes; rigs are exchanged between ticks, and one that stops holds still."""

from __future__ import annotations

import copy
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from rider import DT, Rider

from climbing_rig import Climber, GateStatus, LimbCommand, Phase, RigError, Wall
from climbing_rig.rig import Graph, load_graph

UP = LimbCommand(move=(0.0, 0.3))


@pytest.fixture(scope="module")
def climber() -> Climber:
    return Climber.from_files(wall=Wall.from_spec("generated:flat?spacing=0.03"))


@pytest.fixture
def climbing(climber: Climber) -> Rider:
    """On the wall with the climber's own rig, the left hand on its way."""
    climber.load_rig(climber.compile_rig("config/rigs/climber.yaml"))
    climber.attach()
    rider = Rider(climber)
    rider.release("left_hand")
    return rider


def climbers_own() -> Graph:
    return copy.deepcopy(load_graph("config/rigs/climber.yaml"))


def test_a_rig_that_throws_the_body_about_breaks_no_bound(climbing):
    graph = climbers_own()
    graph.declare_variable("time", "float")
    graph.add("math.float.add", "clock", {"a": "$time", "b": "$dt"}, sets={"time": "result"})
    graph.add("math.float.multiply", "fast", {"a": "$clock.result", "b": 300.0})
    graph.add("math.float.sin", "wave", {"angle": "$fast.result"})
    graph.add("math.vector.make", "far", {"x": "$wave.result", "y": 5.0, "z": "$wave.result"})
    graph.add("math.quat.from_axis_angle", "spin", {"axis": (1.0, 2.0, 3.0), "angle": "$fast.result"})
    graph.add("transform.make", "away", {"position": "$far.result", "rotation": "$spin.result"})
    graph.add("transform.set", "throw", {"bone": "base_link", "transform": "$away.result"})
    for bone in ("thigh_l", "upperarm_r", "spine_02", "head", "hand_l"):
        graph.add("transform.set_rotation", f"turn_{bone}", {"bone": bone, "rotation": "$spin.result"})
    climbing.climber.load_rig(climbing.climber.compile_rig(graph))
    before = climbing.state.base.position
    for _ in range(300):
        climbing.tick({"left_hand": UP})
    assert climbing.state.rig == ""
    assert np.linalg.norm(climbing.state.base.position - before) > 0.005, "the rig had no effect: this shows nothing"
    assert climbing.worst_drift <= 1e-4


def test_a_rig_that_stops_holds_the_pose_and_names_its_node(climbing):
    graph = climbers_own()
    graph.add("math.float.multiply", "overflow", {"a": 1e308, "b": 10.0})
    climbing.climber.load_rig(climbing.climber.compile_rig(graph))
    before = climbing.state
    for _ in range(20):
        state = climbing.tick({"left_hand": UP})
    assert "overflow" in state.rig
    assert "not finite" in state.rig
    assert state.gate is GateStatus.STALLED
    assert state.joints == before.joints
    climbing.climber.load_rig(climbing.climber.compile_rig("config/rigs/climber.yaml"))
    hand = state.limbs["left_hand"].tip
    for _ in range(100):
        state = climbing.tick({"left_hand": UP})
    assert state.rig == ""
    assert np.linalg.norm(state.limbs["left_hand"].tip - hand) > 0.05


def test_rigs_are_exchanged_without_a_jump_and_remember_by_name(climbing):
    climber = climbing.climber
    eager = climbers_own()
    next(node for node in eager.nodes if node.name == "ease").enabled = False
    programs = [climber.compile_rig(eager), climber.compile_rig(climbers_own())]
    for tick in range(200):
        if tick % 20 == 0:
            before = climber.rig.get("limb_weight")
            climber.load_rig(programs[tick // 20 % 2])
            assert climber.rig.get("limb_weight") == before
            assert before[climber.limb_names.index("left_hand")] == 1.0
        climbing.tick({"left_hand": UP})


def test_a_rig_that_cannot_be_compiled_leaves_the_old_one(climbing):
    wrong = climbers_own()
    wrong.add("transform.get", "tail", {"bone": "tail_07"})
    running = climbing.climber.rig
    with pytest.raises(RigError, match="tail_07") as caught:
        climbing.climber.compile_rig(wrong)
    assert (caught.value.name, caught.value.pin) == ("tail", "bone")
    assert climbing.climber.rig is running
    assert climbing.tick({"left_hand": UP}).rig == ""


def test_an_input_of_the_climber_keeps_its_type():
    graph = climbers_own()
    graph.inputs["dt"] = type(graph.inputs["dt"])("dt", "vec3")
    graph.nodes = []
    with pytest.raises(RigError, match="'dt' is vec3"):
        Climber.from_files(rig=graph)


def test_a_rig_compiled_for_another_robot_is_refused(climbing):
    loris = Climber.from_files(config="config/loris.yaml")
    with pytest.raises(RigError, match="another robot"):
        climbing.climber.load_rig(loris.rig.program)


def test_the_climbing_solve_is_the_graph_and_nothing_else():
    still = Graph("still")
    climber = Climber.from_files(wall=Wall.from_spec("generated:flat?spacing=0.03"))
    climber.attach()
    climber.load_rig(climber.compile_rig(still))
    before = climber.state
    for _ in range(50):
        state = climber.step(DT, {"right_foot": LimbCommand(grip=False)})
    # The gate alone still brings the tip to its hover, and nothing draws the body anywhere.
    assert state.limbs["right_foot"].phase in (Phase.RELEASING, Phase.CANDIDATE)
    assert np.linalg.norm(state.base.position - before.base.position) < 0.02


def ride(climber: Climber) -> list[dict[str, float]]:
    climber.attach()
    climber.step(DT, {"left_hand": LimbCommand(grip=False)})
    return [dict(climber.step(DT, {"left_hand": UP}).joints) for _ in range(150)]


def test_two_climbers_on_two_threads_give_the_same_bits():
    climbers = [Climber.from_files(wall=Wall.from_spec("generated:bumpy?spacing=0.04&seed=3")) for _ in range(2)]
    alone = ride(climbers[0])
    with ThreadPoolExecutor(2) as threads:
        together = list(threads.map(ride, climbers))
    assert together[0] == alone
    assert together[1] == alone
