"""What is drawn of a URDF, also of one that is incomplete or odd."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import trimesh

from climbing_rig.model import load_urdf
from climbing_rig.share import share_dir
from climbing_rig.view.robot_shapes import BONE, PLAIN, robot_parts

ARM = """<robot name="arm">
  <material name="sky"><color rgba="0 0.5 1 1"/></material>
  <link name="base">
    <visual><origin xyz="0 0 0.5" rpy="0 1.5707963 0"/>
      <geometry><cylinder radius="0.1" length="0.6"/></geometry><material name="sky"/></visual>
  </link>
  <link name="arm">{arm}</link>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="arm"/><origin xyz="0 0 1"/>
    <axis xyz="0 1 0"/><limit lower="-1" upper="1" velocity="1" effort="1"/></joint>
  <link name="hand"/>
  <joint name="wrist" type="fixed"><parent link="arm"/><child link="hand"/><origin xyz="0.4 0 0"/></joint>
</robot>"""
BOX = '<geometry><box size="0.1 0.2 0.3"/></geometry>'


def test_a_visual_stands_where_its_origin_says_and_has_its_materials_colour() -> None:
    base = robot_parts(load_urdf(ARM.format(arm="")))[0]
    assert base.colour == (0, 128, 255)
    np.testing.assert_allclose(np.ptp(base.mesh.vertices, axis=0), [0.6, 0.2, 0.2], rtol=0.02)  # turned to lie along x
    np.testing.assert_allclose(base.mesh.vertices.mean(axis=0), [0.0, 0.0, 0.5], atol=0.01)


def test_a_link_without_visual_shows_its_collision_shape() -> None:
    parts = robot_parts(load_urdf(ARM.format(arm=f"<collision>{BOX}</collision>")))
    assert [(part.body, part.colour) for part in parts][1:] == [(1, PLAIN)]


@pytest.mark.parametrize(
    "nothing",
    [
        "",
        '<visual><geometry><mesh filename="package://nowhere/hand.dae"/></geometry></visual>',
        '<visual><geometry><mesh filename="/no/such/file.stl"/></geometry></visual>',
        '<visual><geometry><sphere radius="big"/></geometry></visual>',
        "<visual/>",
    ],
)
def test_a_body_with_nothing_to_draw_gets_a_bone_to_what_hangs_on_it(nothing: str) -> None:
    bone = robot_parts(load_urdf(ARM.format(arm=nothing)))[1]
    assert (bone.body, bone.colour) == (1, BONE)
    assert bone.mesh.vertices[:, 0].max() == pytest.approx(0.4, abs=0.03)


def test_a_mesh_file_that_exists_is_drawn_to_scale(tmp_path: Path) -> None:
    file = tmp_path / "box.stl"
    trimesh.creation.box((1.0, 1.0, 1.0)).export(file)
    shape = f'<visual><geometry><mesh filename="file://{file}" scale="0.1 0.1 0.2"/></geometry></visual>'
    part = robot_parts(load_urdf(ARM.format(arm=shape)))[1]
    np.testing.assert_allclose(np.ptp(part.mesh.vertices, axis=0), [0.1, 0.1, 0.2], rtol=1e-6)


def test_a_mesh_file_that_cannot_be_read_is_left_out(tmp_path: Path) -> None:
    file = tmp_path / "broken.stl"
    file.write_bytes(b"solid but not really")
    shape = f'<visual><geometry><mesh filename="{file}"/></geometry></visual>'
    assert robot_parts(load_urdf(ARM.format(arm=shape)))[1].colour == BONE


def test_every_body_of_the_default_climber_that_has_a_size_is_drawn_without_bones() -> None:
    parts = robot_parts(load_urdf(share_dir() / "urdf" / "climber.urdf"))
    assert len(parts) > 15
    assert all(part.colour != BONE for part in parts)
