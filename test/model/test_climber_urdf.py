"""The default climber: a symmetric person of 1.75 m and 70 kg that other programs can use."""

from __future__ import annotations

import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import mujoco
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from robots import frames, posture_of, robot

from climbing_rig.model import load_description
from climbing_rig.share import resolve

REPOSITORY = Path(__file__).parents[2]
URDF = resolve("urdf/climber.urdf")
MIRROR = np.diag([1.0, -1.0, 1.0])
LINKS = (
    *("base_link", "pelvis", "spine_01", "spine_02", "spine_03", "neck", "head"),
    *("clavicle_l", "upperarm_l", "lowerarm_l", "lowerarm_twist_02_l", "lowerarm_twist_01_l", "hand_l", "l_gripper"),
    *("thigh_l", "calf_l", "foot_l", "ball_l", "l_sole"),
)


@pytest.fixture(scope="module")
def climber():
    return robot("climber")


@pytest.fixture(scope="module")
def xml():
    return ET.parse(URDF).getroot()


def other_side(name):
    """The other side's name."""
    for left, right in (("_l", "_r"), ("_r", "_l")):
        if name.endswith(left):
            return name[:-2] + right
    for left, right in (("l_", "r_"), ("r_", "l_")):
        if name.startswith(left):
            return right + name[2:]
    return name


def mirrored_pose(model, q):
    """The pose with left and right exchanged; of the middle's joints, bends and turns change sign."""
    out = np.empty_like(q)
    for i, name in enumerate(model.joint_names):
        sign = -1.0 if name.endswith(("_bend", "_turn")) else 1.0
        out[model.joint_index(other_side(name))] = sign * q[i]
    return out


def placed_shapes(model, xml, tag, q):
    """(radius, centre in the root's frame) of every sphere of a pose."""
    where = frames(model, q)
    for link in xml.findall("link"):
        rotation, translation = where[link.get("name")]
        for shape in link.findall(tag):
            sphere = shape.find("geometry/sphere")
            if sphere is not None:
                origin = shape.find("origin")
                local = np.zeros(3) if origin is None else np.array(origin.get("xyz").split(), float)
                yield float(sphere.get("radius")), translation + rotation @ local


def test_the_committed_file_is_what_its_program_writes():
    written = subprocess.run(
        [sys.executable, "tools/climber_urdf"], cwd=REPOSITORY, capture_output=True, text=True, check=True
    ).stdout
    assert written == URDF.read_text(encoding="utf-8")


def test_the_links_are_named_as_agreed_on_both_sides(climber):
    assert set(LINKS) | set(map(other_side, LINKS)) <= set(climber.link_names)
    assert climber.root_link == "base_link"


def test_the_root_has_no_inertia_and_the_pelvis_is_fixed_to_it(climber, xml):
    assert xml.find("link[@name='base_link']/inertial") is None
    body, rotation, translation = climber.frame("pelvis")
    assert body == 0
    np.testing.assert_array_equal(rotation, np.eye(3))
    np.testing.assert_array_equal(translation, np.zeros(3))


def test_it_weighs_70_kg_and_every_moving_link_has_a_mass(climber):
    assert climber.total_mass == pytest.approx(70.0, abs=1e-6)
    frames_only = {"base_link", "l_gripper", "r_gripper", "l_sole", "r_sole"}
    assert {name for name, m in zip(climber.link_names, climber.link_mass, strict=True) if m == 0.0} == frames_only


def test_it_stands_175_cm_from_its_soles_to_the_top_of_its_head(climber, xml):
    where = frames(climber, climber.neutral)
    top = max(centre[2] + radius for radius, centre in placed_shapes(climber, xml, "visual", climber.neutral))
    assert top - where["l_sole"][1][2] == pytest.approx(1.75, abs=2e-3)


def test_its_segments_are_as_long_as_in_the_table(climber):
    where = {link: translation for link, (_, translation) in frames(climber, climber.neutral).items()}
    scale = 1.75 / 1.741
    for start, end, length in (
        ("upperarm_l", "lowerarm_l", 0.2817),
        ("lowerarm_l", "hand_l", 0.2689),
        ("thigh_l", "calf_l", 0.4222),
        ("calf_l", "foot_l", 0.4403),
    ):
        assert np.linalg.norm(where[start] - where[end]) == pytest.approx(scale * length, abs=1e-6)


def test_the_forearm_twists_in_series(climber):
    body = climber.frame("hand_l")[0]
    chain = [body]
    while chain[-1] > 0:
        chain.append(int(climber.tree.parent[chain[-1]]))
    order = [
        chain.index(climber.frame(name)[0]) for name in ("lowerarm_twist_01_l", "lowerarm_twist_02_l", "lowerarm_l")
    ]
    assert order == sorted(order)


def test_standing_palms_face_the_thighs_and_soles_the_ground(climber):
    where = frames(climber, np.zeros(len(climber.joint_names)))
    for link, x, z in (
        ("l_gripper", [0, -1, 0], [0, 0, -1]),
        ("r_gripper", [0, 1, 0], [0, 0, -1]),
        ("l_sole", [1, 0, 0], [0, 0, 1]),
        ("r_sole", [1, 0, 0], [0, 0, 1]),
    ):
        rotation = where[link][0]
        np.testing.assert_allclose(rotation[:, 0], x, atol=1e-12)
        np.testing.assert_allclose(rotation[:, 2], z, atol=1e-12)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**31))
def test_the_right_is_the_mirror_image_of_the_left_in_every_pose(seed):
    model = robot("climber")
    q = np.random.default_rng(seed).uniform(model.lower, model.upper)
    here, there = frames(model, q), frames(model, mirrored_pose(model, q))
    for link, (rotation, translation) in here.items():
        other_rotation, other_translation = there[other_side(link)]
        np.testing.assert_allclose(other_translation, MIRROR @ translation, atol=1e-12, rtol=0)
        np.testing.assert_allclose(other_rotation, MIRROR @ rotation @ MIRROR, atol=1e-12, rtol=0)


def test_both_sides_have_the_same_limits_speeds_and_masses(climber):
    for i, name in enumerate(climber.joint_names):
        j = climber.joint_index(other_side(name))
        for values in (climber.lower, climber.upper, climber.velocity, climber.effort):
            assert values[i] == values[j], name
    masses = dict(zip(climber.link_names, climber.link_mass, strict=True))
    assert all(mass == masses[other_side(name)] for name, mass in masses.items())


@pytest.mark.parametrize(
    ("joint", "link", "direction"),
    [
        ("shoulder_flexion", "l_gripper", (1, 0, 0)),
        ("shoulder_abduction", "l_gripper", (0, 1, 0)),
        ("elbow_flexion", "l_gripper", (1, 0, 0)),
        ("clavicle_elevation", "upperarm_l", (0, 0, 1)),
        ("clavicle_protraction", "upperarm_l", (1, 0, 0)),
        ("wrist_flexion", "l_gripper", (0, -1, 0)),
        ("wrist_deviation", "l_gripper", (1, 0, 0)),
        ("hip_flexion", "foot_l", (1, 0, 0)),
        ("hip_abduction", "foot_l", (0, 1, 0)),
        ("hip_rotation", "l_sole", (0, 1, 0)),
        ("knee_flexion", "foot_l", (-1, 0, 0)),
        ("ankle_dorsiflexion", "l_sole", (0, 0, 1)),
        ("ankle_inversion", "l_sole", (0, -1, 0)),
    ],
)
def test_a_positive_angle_moves_the_way_its_name_says(climber, joint, link, direction):
    q = np.zeros(len(climber.joint_names))
    before = frames(climber, q)[link][1]
    q[climber.joint_index(f"{joint}_l")] = 0.1
    assert (frames(climber, q)[link][1] - before) @ np.array(direction) > 0.003


def test_pronation_turns_the_palm_backwards(climber):
    q = np.zeros(len(climber.joint_names))
    for joint in ("forearm_pronation_02_l", "forearm_pronation_01_l"):
        q[climber.joint_index(joint)] = 0.7
    assert frames(climber, q)["l_gripper"][0][0, 0] < -0.9


def test_the_posture_is_symmetric_and_keeps_the_body_out_of_the_wall(climber):
    description = load_description(resolve("config/climber.yaml"))
    q = posture_of(climber, description)
    np.testing.assert_array_equal(mirrored_pose(climber, q), q)
    where = frames(climber, q)
    wall = min(where[limb.tip][1][0] for limb in description.limbs.values())
    for probe, radius in description.body.probes.items():
        assert where[probe][1][0] + radius < wall, probe


def in_mujoco(*, floor):
    """The climber in MuJoCo, its root free in the air or with a floor that it can touch, but not itself."""
    spec = mujoco.MjSpec.from_string(URDF.read_text(encoding="utf-8"))
    spec.body("base_link").add_freejoint()
    if floor:
        for geom in spec.geoms:
            geom.conaffinity = 0
        spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[2, 2, 0.1])
    return spec.compile()


def test_mujoco_loads_it_whole(climber):
    model = in_mujoco(floor=False)
    assert model.body_mass.sum() == pytest.approx(70.0, abs=1e-6)
    assert model.njnt == 1 + len(climber.joint_names)
    assert (model.body_inertia[2:] > 0.0).all()


def test_it_stands_in_a_simulator(climber):
    model = in_mujoco(floor=True)
    model.dof_armature[6:], model.dof_damping[6:] = 0.02, 5.0
    data = mujoco.MjData(model)
    height = -frames(climber, climber.neutral)["l_sole"][1][2]
    data.qpos[2] = height + 0.002
    while data.time < 2.0:
        data.qfrc_applied[6:] = -600.0 * data.qpos[7:]  # springs in the joints, to the neutral pose
        mujoco.mj_step(model, data)
    assert abs(data.qpos[2] - height) < 0.03
    assert data.body("head").xpos[2] > 1.5


def test_standing_no_part_of_it_is_inside_another_but_at_joints():
    model = in_mujoco(floor=False)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    for contact in data.contact:
        first, second = (bones_to_root(model, model.geom_bodyid[geom]) for geom in contact.geom)
        shared = len(set(first) & set(second))
        apart = len(first) + len(second) - 2 * shared
        assert contact.dist > -0.001 or apart <= 2, (first[0], second[0], contact.dist)


def bones_to_root(model, body):
    """Names of a body and all it hangs from, without the small links between the axes of one joint."""
    names = []
    while body > 0:
        names.append(model.body(body).name)
        body = model.body_parentid[body]
    return [name for name in names if "_axis_" not in name]


def test_viewers_find_a_colour_for_every_visual(xml):
    colours = {material.get("name") for material in xml.findall("material")}
    visuals = list(xml.iter("visual"))
    assert {visual.find("material").get("name") for visual in visuals} <= colours
    assert len(visuals) < 800
