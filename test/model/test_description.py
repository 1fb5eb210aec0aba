"""A robot's config: every key typed, unknown ones refused, names checked against the URDF."""

from __future__ import annotations

import math
from dataclasses import FrozenInstanceError

import numpy as np
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from robots import frames, posture_of, robot

from climbing_rig.errors import ConfigError
from climbing_rig.model import load_description
from climbing_rig.share import resolve

SMALLEST = {
    "urdf": "urdf/climber.urdf",
    "body": {"pelvis": "pelvis", "chest": "spine_03"},
    "limbs": {
        "hand": {
            "kind": "hand",
            "root": "upperarm_l",
            "mid": "lowerarm_l",
            "end": "hand_l",
            "tip": "l_gripper",
            "stance": [0, 1],
        }
    },
}


def changed(path, value):
    """SMALLEST with one key (dots between the levels) set, or removed where ``value`` is ``...``."""
    values = yaml.safe_load(yaml.safe_dump(SMALLEST))
    *parents, last = path.split(".")
    level = values
    for key in parents:
        level = level.setdefault(key, {})
    if value is ...:
        del level[last]
    else:
        level[last] = value
    return values


@pytest.fixture(scope="module")
def read(tmp_path_factory):
    path = tmp_path_factory.mktemp("config") / "robot.yaml"

    def read_values(values):
        path.write_text(values if isinstance(values, str) else yaml.safe_dump(values), encoding="utf-8")
        return load_description(path)

    return read_values


@pytest.mark.parametrize("name", ["climber", "loris"])
def test_the_robots_we_bring_are_described_in_their_own_names(name):
    description = load_description(resolve(f"config/{name}.yaml"))
    description.check_against(robot(name))
    assert len(description.limbs) == 4
    assert resolve(description.urdf).exists()


@pytest.mark.parametrize("name", ["climber", "loris"])
def test_the_posture_has_every_tip_on_one_plane_before_the_body_where_its_stance_is(name):
    description, model = load_description(resolve(f"config/{name}.yaml")), robot(name)
    body = description.body
    forward, up = np.array(body.forward), np.array(body.up)
    where = frames(model, posture_of(model, description))
    distances = []
    for limb in description.limbs.values():
        rotation, tip = where[limb.tip]
        tip = tip - where[body.pelvis][1]
        np.testing.assert_allclose([tip @ np.cross(forward, up), tip @ up], limb.stance, atol=0.01)
        distances.append(tip @ forward)
        # A gripper's x points into the wall, a sole's x at least somewhat.
        assert rotation[:, 0] @ forward > (0.98 if limb.kind == "hand" else 0.4)
    assert max(distances) - min(distances) < 0.01
    assert min(distances) > 0.05


def test_the_default_limbs_are_two_hands_and_two_feet():
    limbs = load_description(resolve("config/climber.yaml")).limbs
    assert {name: (limb.kind, limb.tip) for name, limb in limbs.items()} == {
        "left_hand": ("hand", "l_gripper"),
        "right_hand": ("hand", "r_gripper"),
        "left_foot": ("foot", "l_sole"),
        "right_foot": ("foot", "r_sole"),
    }


def test_what_is_not_said_has_a_default_and_integers_are_numbers(read):
    description = read(changed("body.speed", 2))
    limb = description.limbs["hand"]
    assert limb.stance == (0.0, 1.0) and all(isinstance(value, float) for value in limb.stance)
    assert (limb.max_reach, limb.move_speed, limb.follow_speed, limb.search_offset) == (math.inf, 0.5, 0.8, 0.04)
    assert (description.body.speed, description.body.turn_rate) == (2.0, 3.0)
    assert description.stiffness_of("anything") == 1.0


def test_a_foot_searches_nearer_to_the_wall_than_a_hand(read):
    assert read(changed("limbs.hand.kind", "foot")).limbs["hand"].search_offset == 0.03


def test_directions_are_made_unit(read):
    assert read(changed("body.forward", [0, -2, 0])).body.forward == (0.0, -1.0, 0.0)


def test_the_last_stiffness_pattern_that_fits_counts(read):
    description = read(changed("stiffness", {"spine_*": 4, "spine_01_*": 2, "knee_flexion_l": 0.5}))
    names = ("spine_02_turn", "spine_01_turn", "knee_flexion_l", "knee_flexion_r")
    assert [description.stiffness_of(name) for name in names] == [4.0, 2.0, 0.5, 1.0]


def test_a_description_cannot_be_changed(read):
    description = read(SMALLEST)
    with pytest.raises(FrozenInstanceError):
        description.urdf = "other"
    with pytest.raises(TypeError):
        description.limbs["hand"] = None


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        ("urdf", ..., "urdf is missing"),
        ("urdf", 3, "urdf is 3, not text"),
        ("boddy", {}, "boddy is not a known key; valid: body"),
        ("body.pelvis", ..., r"body\.pelvis is missing"),
        ("body.speed", "fast", r"body\.speed is 'fast', not a finite number"),
        ("body.speed", 0, "above 0"),
        ("body.speed", True, "finite number"),
        ("body.speed", math.nan, "finite number"),
        ("body.turn_rate", math.inf, "finite number"),
        ("body.lean", 1.5, "from 0 to 1"),
        ("body.forward", [0, 0, 0], "a direction"),
        ("body.forward", [1, 0], "list of 3 numbers"),
        ("body.up", [1, 0, 0.05], "square to forward"),
        ("body.probes", {"pelvis": -0.1}, r"body\.probes\.pelvis is -0\.1, not a number at least 0"),
        ("body.probes", ["pelvis"], "a mapping"),
        ("joints.passive", "knee", "a list of names"),
        ("joints.swap_reversed_limits", "yes", "true or false"),
        ("joints.velocity", {"knee_flexion_l": 0}, r"joints\.velocity\.knee_flexion_l"),
        ("joints.limits", {"knee_flexion_l": [1, 0]}, "lower <= upper"),
        ("joints.default_speed", 1, "valid: default_slide_velocity, default_velocity"),
        ("stiffness", {"spine_*": 0}, "above 0"),
        ("limbs", ..., "limbs is missing"),
        ("limbs.hand.kind", "paw", "valid: hand, foot"),
        ("limbs.hand.stance", [0.1, "up"], r"limbs\.hand\.stance is 'up'"),
        ("limbs.hand.tip", ..., r"limbs\.hand\.tip is missing"),
        ("limbs.hand.reach", 1, r"limbs\.hand\.reach is not a known key; valid: .*max_reach"),
        ("limbs.hand.lock_rotation", 1, "true or false"),
    ],
)
def test_a_wrong_key_or_value_is_refused_by_its_whole_name(read, path, value, words):
    with pytest.raises(ConfigError, match=words) as caught:
        read(changed(path, value))
    assert str(caught.value.name).startswith(path.split(".")[0])


@pytest.mark.parametrize(
    "text", ["- a list", "just words", "1: 2", "{", "a: 1\na: 2", "? [a]\n: b", "\0", "a: 2024-13-99"]
)
def test_a_file_that_is_no_mapping_of_names_is_refused(read, text):
    with pytest.raises(ConfigError):
        read(text)


def test_a_missing_file_is_refused_by_name():
    with pytest.raises(ConfigError, match="cannot read no/such"):
        load_description("no/such.yaml")


@pytest.mark.parametrize(
    ("path", "value", "name", "words"),
    [
        ("body.chest", "thorax", "body.chest", "names 'thorax', which is no link"),
        ("body.probes", {"tail": 0.1}, "body.probes", "'tail'"),
        ("limbs.hand.tip", "paw", "limbs.hand.tip", "valid: base_link"),
        ("limbs.hand.mid", "lowerarm_r", "limbs.hand", "'lowerarm_r' does not hang from 'upperarm_l'"),
        ("posture", {"elbow": 1.0}, "posture", "'elbow', which is no independent joint"),
        ("posture", {"elbow_flexion_l": -0.5}, "posture.elbow_flexion_l", "outside its limits"),
        ("stiffness", {"tail_*": 2.0}, "stiffness", "'tail_*'"),
    ],
)
def test_a_name_the_robot_does_not_have_is_refused_with_those_it_has(read, path, value, name, words):
    description = read(changed(path, value))
    with pytest.raises(ConfigError) as caught:
        description.check_against(robot("climber"))
    assert caught.value.name == name
    assert words in str(caught.value)


SCALARS = st.none() | st.booleans() | st.integers(-3, 3) | st.floats() | st.sampled_from(["", "hand", "pelvis", "x"])
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=2)
)
KEYS = (
    "urdf",
    "joints",
    "joints.limits",
    "body",
    "body.up",
    "body.start",
    "posture",
    "limbs.hand",
    "limbs.hand.stance",
)


@settings(max_examples=100, deadline=None)
@given(path=st.sampled_from(KEYS), value=VALUES)
def test_whatever_stands_in_the_file_it_is_a_description_or_refused(read, path, value):
    try:
        description = read(changed(path, value))
    except ConfigError as error:
        assert error.name is not None
        return
    assert all(math.isfinite(number) for limb in description.limbs.values() for number in limb.stance)
    assert all(math.isfinite(number) for number in description.posture.values())
