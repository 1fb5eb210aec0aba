"""The example rigs do on their robots what they say, smoothly and within limits."""

from __future__ import annotations

import numpy as np
import pytest
import yaml
from stage import Stage, model_of

from climbing_rig import Climber
from climbing_rig.rig import Names, compile_graph, load_graph
from climbing_rig.share import resolve

DT, TICKS = 0.005, 400
MOST_STEP = {"two_bone_arm": 0.02, "look_at_head": 0.02, "tail": 0.02, "chain": 0.03}
"""rad a joint may go in a tick of 5 ms, once the rig has caught up with its target."""
RIGS = sorted(path.stem for path in resolve("config/rigs").glob("*.yaml") if path.stem != "climber")


def put_on_stage(rig):
    graph = load_graph(f"config/rigs/{rig}.yaml")
    urdf = yaml.safe_load(resolve(graph.robot).read_text(encoding="utf-8"))["urdf"]
    name = urdf.removeprefix("urdf/").removesuffix(".urdf")
    return Stage(name, compile_graph(graph, Names(bones=model_of(name).link_names)))


def values(stage, *names):
    return [np.array(stage.machine.get(name)) for name in names]


def test_there_is_a_claim_for_every_example():
    assert set(RIGS) == set(MOST_STEP)


@pytest.mark.parametrize("rig", RIGS)
def test_joints_stay_within_limits_and_go_without_jumps(rig):
    stage = put_on_stage(rig)
    stage.tick()
    moved = np.zeros(len(stage.q))
    for _ in range(TICKS):
        before = stage.q.copy()
        stage.tick()
        assert stage.within_limits()
        step = np.abs(stage.q - before)
        assert step.max() < MOST_STEP[rig]
        moved += step
    assert moved.max() > 0.1  # it does move


@pytest.mark.parametrize("rig", RIGS)
def test_every_example_takes_the_time_that_the_climber_gives(rig):
    graph = load_graph(f"config/rigs/{rig}.yaml")
    declared = graph.inputs["dt"]
    assert (declared.type, declared.initial, declared.measure) == ("float", 0.005, "s")
    assert graph.doc and all(item.doc for item in [*graph.inputs.values(), *graph.variables.values()])


def test_the_hand_is_on_the_circle():
    stage = put_on_stage("two_bone_arm")
    seen = []
    for _ in range(TICKS):
        stage.tick()
        _, hand = stage.frame("hand_l")
        axes, chest = stage.frame("spine_03")
        seen.append(axes.T @ (hand - chest) - [0.34, 0.26, 0.02])
    seen = np.array(seen)
    np.testing.assert_allclose(seen[:, 0], 0.0, atol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(seen, axis=1), 0.12, atol=1e-6)
    time = DT * np.arange(1, TICKS + 1)
    np.testing.assert_allclose(seen[:, 1:], 0.12 * np.stack([np.cos(1.6 * time), np.sin(1.6 * time)], 1), atol=1e-6)


def test_the_face_looks_at_the_point_wherever_the_neck_can_turn_it():
    stage = put_on_stage("look_at_head")
    for _ in range(TICKS):
        stage.tick()
        axes, head = stage.frame("head")
        (target, off) = values(stage, "target.map", "look.off")
        way = (target - head) / np.linalg.norm(target - head)
        assert np.arccos(np.clip(axes[:, 0] @ way, -1.0, 1.0)) == pytest.approx(off, abs=1e-6)
        assert off < 1e-3


def test_a_wave_runs_along_the_tail():
    stage = put_on_stage("tail")
    tips = []
    for i in range(TICKS):
        stage.tick()
        tips.append(stage.frame("tip")[1])
        time = DT * (i + 1)
        assert stage.machine.get("share.off") < 1e-6
        (time_there,) = values(stage, "time")
        assert time_there == pytest.approx(time, abs=1e-9)
    tips = np.array(tips)
    assert np.ptp(tips[:, 1]) > 0.2  # from side to side
    assert np.ptp(tips[:, 2]) > 0.2  # up and down


def test_the_tip_of_the_chain_follows_the_point_and_its_last_bone_stays_in_its_cone():
    stage, limited = put_on_stage("chain"), 0
    for i in range(TICKS):
        stage.tick()
        _, tip = stage.frame("tip")
        (target,) = values(stage, "target.map")
        if i > 20:
            assert np.linalg.norm(tip - target) < 0.01
        off = stage.machine.get("cone.off")  # two hinges cannot do all of every way back
        assert off < (0.002 if i > 20 else 0.05)
        last = stage.frame("bone_099")[0].T @ stage.frame("bone_100")[0]
        assert np.arccos(np.clip(last[0, 0], -1.0, 1.0)) <= 0.05 + off + 1e-6
        limited += stage.machine.get("cone.limited")
    assert limited > 0  # it was needed


@pytest.mark.parametrize("robot", ["chain", "tail"])
def test_a_robot_without_limbs_is_moved_by_the_rig_of_its_configuration(robot):
    climber = Climber.from_files(config=f"config/{robot}.yaml")
    before = climber.state.joints
    for _ in range(40):
        state = climber.step(DT)
    assert state.rig == ""
    assert max(abs(value - before[joint]) for joint, value in state.joints.items()) > 0.01
