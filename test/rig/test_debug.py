"""Checks and notes of the debug family."""

import pytest

from climbing_rig import RigError
from climbing_rig.model import load_description, load_urdf
from climbing_rig.rig import Graph, Machine, Names, compile_graph
from climbing_rig.rig.printing import Prints
from climbing_rig.rig.skeleton import make_skeleton
from climbing_rig.share import resolve


@pytest.fixture(scope="module")
def model():
    description = load_description(resolve("config/climber.yaml"))
    return load_urdf(resolve(description.urdf), description.joints)


def checked(model, **bounds):
    graph = Graph("length")
    graph.add("debug.bone_length", "thigh", {"parent": "thigh_l", "child": "calf_l", **bounds})
    machine = Machine(compile_graph(graph, Names(bones=model.link_names)), {"skeleton": make_skeleton(model)})
    machine.run()
    return machine.get("thigh.valid"), machine.get("thigh.length")


def test_a_bone_is_valid_from_its_shortest_to_its_longest_length_both_included(model):
    _, length = checked(model)
    assert 0.3 < length < 0.6  # a person's thigh
    assert checked(model, min=length, max=length) == (True, length)
    assert checked(model, min=length + 1e-9)[0] is False
    assert checked(model, max=length - 1e-9)[0] is False


def test_a_missing_bone_is_an_error_before_the_first_tick(model):
    with pytest.raises(RigError, match="'tail' is no bone") as caught:
        checked(model, child="tail")
    assert (caught.value.name, caught.value.pin) == ("thigh", "child")


def test_what_is_printed_is_told_once_and_only_when_the_condition_is_true():
    graph = Graph("prints")
    graph.declare_input("loud", "bool", False)
    graph.declare_input("at", "vec3", (1.0, 2.0, 3.5))
    graph.add("debug.print.vec3", "where", {"condition": "$loud", "value": "$at"})
    machine = Machine(compile_graph(graph))
    prints = Prints(machine)
    machine.run()
    assert prints.news() == []
    machine.set("loud", True)
    machine.run()
    assert prints.news() == ["where: 1 2 3.5"]
    assert prints.news() == []
