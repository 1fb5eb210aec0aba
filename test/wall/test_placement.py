"""Scale, axes, standing upright, tiles, crops, and the lines of text that name a wall."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from climbing_rig.errors import CloudError
from climbing_rig.wall import Wall
from climbing_rig.wall.cloud import Cloud
from climbing_rig.wall.editing import cropped, thinned
from climbing_rig.wall.generate import GENERATORS, bumpy, flat
from climbing_rig.wall.placement import UP_NAMES, Placement, up_rotation
from climbing_rig.wall.spec import cloud_from_spec, packaged_walls
from climbing_rig.wall.tile import mirror_tile

directions = st.tuples(*[st.floats(-1.0, 1.0)] * 3).filter(lambda v: np.linalg.norm(v) > 1e-3)


@given(up=st.one_of(st.sampled_from(UP_NAMES), directions))
@example(up=(1e-4, 1e-4, -1.0))
@example(up=(1e-9, 0.0, -1.0))
def test_the_up_axis_is_turned_to_z_by_a_rotation(up) -> None:
    turn = up_rotation(up)
    np.testing.assert_allclose(turn @ turn.T, np.eye(3), atol=1e-9)
    assert np.linalg.det(turn) == pytest.approx(1.0)
    axis = np.eye(3)["xyz".index(up[-1])] * (-1.0 if up[0] == "-" else 1.0) if isinstance(up, str) else np.array(up)
    np.testing.assert_allclose(turn @ axis / np.linalg.norm(axis), (0.0, 0.0, 1.0), atol=1e-7)


@given(turn=directions, angle=st.floats(-45.0, 45.0), shift=directions)
def test_a_leaning_wall_is_stood_upright_before_the_climber(turn, angle, shift) -> None:
    sample = GENERATORS["inclined"](angle=angle, width=1.0, height=1.5, spacing=0.05).cloud()
    yaw = np.arctan2(turn[1], turn[0])
    quaternion = (0.0, 0.0, np.sin(0.5 * yaw), np.cos(0.5 * yaw))
    moved = Placement(pose=(*shift, *quaternion)).apply(sample)
    stood = Placement(stand=True).apply(moved)
    assert stood.normals is not None
    np.testing.assert_allclose(stood.normals, np.tile([-1.0, 0.0, 0.0], (len(stood), 1)), atol=1e-9)
    assert np.abs(stood.points[:, 0]).max() < 1e-9
    assert stood.points[:, 2].min() == pytest.approx(0.0, abs=1e-12)
    assert stood.points[:, 1].min() == pytest.approx(-stood.points[:, 1].max(), abs=1e-12)
    np.testing.assert_allclose(np.ptp(stood.points, axis=0)[1:], (1.0, 1.5), atol=0.06)


def test_mirrored_tiles_meet_in_the_same_relief() -> None:
    tile = bumpy(amplitude=0.1, width=1.0, height=1.0, spacing=0.02, jitter=0.0).cloud()
    wall = Wall(mirror_tile(tile, 2.5, 2.2))
    np.testing.assert_allclose(wall.bounds[:, 1:], [[-1.25, 0.0], [1.25, 2.2]], atol=0.03)
    y = np.linspace(-1.2, 1.2, 4001)
    starts = np.column_stack([np.full_like(y, -1.0), y, np.full_like(y, 1.1)])
    hits = wall.trace_many(starts, starts + np.array([2.0, 0.0, 0.0]))
    assert hits.found.all()
    assert np.abs(np.diff(hits.points[:, 0])).max() < 2.0 * (y[1] - y[0])


def test_tiles_carry_normals_and_climbable_and_keep_each_seam_once() -> None:
    y, z = np.meshgrid(np.linspace(0.0, 1.0, 11), np.linspace(0.0, 1.0, 11))
    points = np.column_stack([np.zeros(121), y.ravel(), z.ravel()])
    normals = np.tile(np.array([-0.8, 0.6, 0.0]), (121, 1))
    wall = mirror_tile(Cloud(points, normals, points[:, 1] > 0.5), 2.0, 1.0)
    assert len(wall) == 21 * 11 == len(np.unique(wall.points.round(9), axis=0))
    assert wall.normals is not None and wall.climbable is not None
    right = wall.points[:, 1] > 1e-9
    assert (wall.normals[right, 1] < 0.0).all() and (wall.normals[~right, 1] > 0.0).all()
    np.testing.assert_array_equal(wall.climbable, np.abs(wall.points[:, 1]) < 0.5 - 1e-9)


def test_thinning_keeps_the_surface_and_spaces_the_points() -> None:
    sample = bumpy(width=1.0, height=1.0, spacing=0.005)
    thin = thinned(sample.cloud(), 0.02)
    assert 2000 < len(thin) < 5500
    assert sample.distance(thin.points).max() < 0.002


def test_a_crop_keeps_what_is_inside_and_refuses_to_leave_nothing() -> None:
    cloud = flat(width=2.0, height=2.0).cloud()
    kept = cropped(cloud, [[-1.0, 0.0, 0.5], [1.0, 0.4, 1.0]])
    assert 0 < len(kept) < len(cloud)
    assert (kept.points[:, 1] >= 0.0).all() and (kept.points[:, 2] <= 1.0).all()
    with pytest.raises(CloudError, match="no point inside"):
        cropped(cloud, [[5.0, 5.0, 5.0], [6.0, 6.0, 6.0]])


@pytest.mark.parametrize(
    ("name", "width", "height"), [("tall", 3.0, 6.5), ("tall_true_size", 1.6, 2.0), ("leaning", 3.49, 2.70)]
)
def test_a_demo_wall_stands_before_the_climber(name: str, width: float, height: float) -> None:
    wall = Wall.from_spec(name)
    size = wall.bounds[1] - wall.bounds[0]
    np.testing.assert_allclose(size[1:], (width, height), atol=0.05)
    assert wall.bounds[0, 2] == pytest.approx(0.0, abs=1e-3)
    assert wall.bounds[:, 1].sum() == pytest.approx(0.0, abs=0.02)
    assert np.abs(wall.bounds[:, 0]).max() < 0.6
    assert wall.normals.mean(axis=0)[0] < -0.6
    hit = wall.trace((-2.0, 0.1, 0.3 * size[2]), (2.0, 0.1, 0.3 * size[2]))
    assert hit is not None and not hit.backface and hit.climbable
    if name != "leaning":  # whose holds hide parts of the board from the scanner
        random = np.random.default_rng(0)
        targets = np.zeros((5000, 3))
        targets[:, 1:] = random.uniform(wall.bounds[0, 1:] + 0.15, wall.bounds[1, 1:] - 0.15, (5000, 2))
        along = np.array([1.0, 0.2, -0.3])
        assert wall.trace_many(targets - along, targets + 0.3 * along).found.all()


@pytest.mark.parametrize("name", ["flat", "overhang", "chimney", "holds"])
def test_each_generated_wall_of_the_list_can_be_made(name: str) -> None:
    assert len(cloud_from_spec(packaged_walls()[name])) > 1000


def test_a_line_of_text_sets_the_options_of_a_generator() -> None:
    cloud = cloud_from_spec("generated:overhang?angle=45&spacing=0.1&seed=3")
    expected = GENERATORS["overhang"](angle=45.0, spacing=0.1, seed=3)
    np.testing.assert_array_equal(cloud.points, expected.points)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("generated:castle", "flat.*holds"),
        ("generated:flat?colour=3", "width.*spacing"),
        ("generated:flat?width=wide", "width cannot be 'wide'"),
        ("generated:flat?width=nan", "width must be"),
        ("generated:flat?spacing=0", "spacing must be > 0"),
        ("generated:flat?spacing=1e-6", "at most"),
        ("walls/climb_holds_leaning.pcd?scale=-1", "scale must be positive"),
        ("walls/climb_holds_leaning.pcd?up=w", "up cannot be"),
        ("walls/climb_holds_leaning.pcd?stand=maybe", "stand cannot be"),
        ("walls/climb_holds_leaning.pcd?crop=1,2,3", "crop cannot be"),
        ("walls/climb_holds_leaning.pcd?pose=1,2", "pose must be"),
        ("walls/climb_holds_leaning.pcd?tile=3", "tile must be"),
        ("walls/climb_holds_leaning.pcd?colour=red", "scale"),
        ("walls/climb_holds_leaning.pcd?scale", "option=value"),
        ("", "no wall is named"),
    ],
)
def test_a_wrong_line_is_refused_with_what_would_be_right(line: str, words: str) -> None:
    with pytest.raises(CloudError, match=words):
        cloud_from_spec(line)
