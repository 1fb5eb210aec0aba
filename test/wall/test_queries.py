"""Trace, nearest and sphere sweep against surfaces known exactly."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial import cKDTree

from climbing_rig.errors import CommandError
from climbing_rig.wall import Wall
from climbing_rig.wall.generate import GENERATORS, GeneratedWall, bumpy, flat

inside = st.floats(-1.3, 1.3)
heights = st.floats(0.4, 2.6)


def generated(name: str, spacing: float) -> tuple[GeneratedWall, Wall]:
    sample = GENERATORS[name](width=3.2, height=3.2, spacing=spacing, jitter=1.0, seed=4)
    return sample, Wall(sample.cloud())


@pytest.fixture(scope="module")
def bumps() -> tuple[GeneratedWall, Wall]:
    return generated("bumpy", 0.02)


@pytest.fixture(scope="module")
def board() -> Wall:
    return Wall(flat(width=3.0, height=3.0, spacing=0.05, jitter=1.0).cloud())


def slanted_rays(wall: Wall, count: int, steepest: float) -> tuple[np.ndarray, np.ndarray]:
    """Rays from the open side to sampled points and through, up to ``steepest`` degrees off their normals."""
    random = np.random.default_rng(7)
    at = random.integers(0, len(wall), count)
    normals = wall.normals[at]
    across = np.cross(normals, random.standard_normal((count, 3)))
    across /= np.linalg.norm(across, axis=1)[:, None]
    tilt = np.radians(random.uniform(0.0, steepest, count))[:, None]
    back = np.cos(tilt) * normals + np.sin(tilt) * across
    return wall.points[at] + 0.25 * back, wall.points[at] - 0.2 * back


@pytest.mark.parametrize("spacing", [0.02, 0.05])
@pytest.mark.parametrize("name", [name for name in GENERATORS if name != "holds"])
def test_a_hit_is_within_half_the_spacing_of_the_true_surface(name: str, spacing: float) -> None:
    sample, wall = generated(name, spacing)
    starts, ends = slanted_rays(wall, 3000, 60.0)
    hits = wall.trace_many(starts, ends)
    assert hits.found.all()
    # Past the rim of an open wall there is nothing true to compare with: a hit there may be a spacing out.
    inner = ((hits.points[:, 1:] > wall.bounds[0, 1:]) & (hits.points[:, 1:] < wall.bounds[1, 1:])).all(axis=1)
    assert sample.distance(hits.points)[inner].max() <= 0.5 * spacing


@pytest.mark.parametrize("name", ["flat", "inclined", "overhang", "bumpy", "holds"])
def test_no_ray_passes_through_a_wall_sampled_at_five_centimetres(name: str) -> None:
    _, wall = generated(name, 0.05)
    random = np.random.default_rng(3)
    count = 20000
    targets = wall.points[random.integers(0, len(wall), count)] + random.uniform(-0.03, 0.03, (count, 3))
    targets[:, 1:] = np.clip(targets[:, 1:], wall.bounds[0, 1:] + 0.05, wall.bounds[1, 1:] - 0.05)
    starts = targets + np.column_stack([np.full(count, -2.0), random.uniform(-1.0, 1.0, (count, 2))])
    hits = wall.trace_many(starts, targets + 0.5 * (targets - starts))
    assert hits.found.all()


@given(y=inside, z=heights, dy=st.floats(-0.4, 0.4), dz=st.floats(-0.4, 0.4))
def test_the_normal_faces_the_start_of_the_ray_from_either_side(bumps, y, z, dy, dz) -> None:
    _, wall = bumps
    front, back = np.array([-0.5, y, z]), np.array([0.5, y + dy, z + dz])
    seen, covered = wall.trace(front, back), wall.trace(back, front)
    assert seen is not None and covered is not None
    assert seen.normal @ (front - back) > 0.0 and not seen.backface
    assert covered.normal @ (back - front) > 0.0 and covered.backface
    np.testing.assert_allclose(np.linalg.norm(seen.point - front), seen.distance, atol=1e-12)


def test_a_sliding_ray_moves_the_hit_and_turns_the_normal_smoothly(bumps) -> None:
    _, wall = bumps
    y = np.linspace(-1.2, 1.2, 20001)
    starts = np.column_stack([np.full_like(y, -1.0), y, 1.0 + 0.5 * y])
    hits = wall.trace_many(starts, starts + np.array([2.0, 0.1, -0.2]))
    step = np.linalg.norm(np.diff(starts, axis=0), axis=1).max()
    assert np.linalg.norm(np.diff(hits.points, axis=0), axis=1).max() < 2.0 * step
    assert np.linalg.norm(np.diff(hits.normals, axis=0), axis=1).max() < 10.0 * step  # radius of curvature 0.1 m


def test_the_nearest_point_of_noisy_samples_moves_without_jumps() -> None:
    wall = Wall(flat(width=3.0, height=3.0, spacing=0.02, noise=0.002, jitter=1.0).cloud())
    y = np.linspace(-1.0, 1.0, 10001)
    nears = wall.nearest_many(np.column_stack([np.full_like(y, -0.12), y, 1.5 + 0.4 * y]))
    step = y[1] - y[0]
    assert np.abs(np.diff(nears.distances)).max() < 0.5 * step
    assert np.linalg.norm(np.diff(nears.points, axis=0), axis=1).max() < 2.0 * step


def test_normals_of_bumps_are_within_a_degree_of_the_true_ones() -> None:
    sample = bumpy(width=2.0, height=2.0, spacing=0.01)
    wall = Wall.from_points(sample.points, viewpoint=(-3.0, 0.0, 1.0))
    order = cKDTree(sample.points).query(wall.points)[1]
    cosines = np.einsum("ij,ij->i", wall.normals, sample.normals[order])
    assert np.degrees(np.arccos(np.clip(np.quantile(cosines, 0.01), -1.0, 1.0))) < 1.0


@given(y=inside, z=heights, off=st.floats(-0.3, 0.3))
def test_nearest_is_signed_and_never_farther_than_the_nearest_sample(bumps, y, z, off) -> None:
    sample, wall = bumps
    foot = wall.trace((-1.0, y, z), (1.0, y, z))
    assert foot is not None
    point = foot.point + off * foot.normal
    near = wall.nearest(point)
    assert near is not None
    assert sample.distance(near.point[None])[0] < 0.002
    # Far inside a hollow two feet may be about as near; the other one is then a little farther, never by much.
    assert abs(near.distance) <= abs(off) + 0.05 * wall.spacing
    assert abs(near.distance) <= cKDTree(wall.points).query(point)[0] + 0.002
    if abs(off) > 1e-3:
        assert np.sign(near.distance) == np.sign(off)


def test_nearest_keeps_to_its_limit(board: Wall) -> None:
    assert board.nearest((-0.5, 0.0, 1.0), 0.4999) is None
    near = board.nearest((-0.5, 0.0, 1.0), 0.5001)
    assert near is not None and near.distance == pytest.approx(0.5, abs=1e-9)
    answers = board.nearest_many([(-0.5, 0.0, 1.0), (-0.1, 0.0, 1.0)], 0.2)
    assert answers.found.tolist() == [False, True]
    assert np.isnan(answers.points[0]).all()


def test_beside_the_rim_of_an_open_wall_nothing_is_behind_it(board: Wall) -> None:
    near = board.nearest((0.05, 0.0, 3.6))
    assert near is not None and near.distance > 0.0


@given(y=inside, z=heights, radius=st.floats(0.02, 0.2), dy=st.floats(-0.8, 0.8), dz=st.floats(-0.8, 0.8))
@settings(max_examples=50)
def test_a_swept_sphere_stops_where_it_just_touches(bumps, y, z, radius, dy, dz) -> None:
    _, wall = bumps
    start, end = np.array([-0.6, y, z]), np.array([0.4, np.clip(y + dy, -1.4, 1.4), np.clip(z + dz, 0.3, 2.8)])
    touch = wall.sweep_sphere(start, end, radius)
    assert touch is not None
    np.testing.assert_allclose(np.linalg.norm(touch.center - touch.point), radius, atol=1e-6)
    np.testing.assert_allclose(touch.center, touch.point + radius * touch.normal, atol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(touch.center - start), touch.distance, atol=1e-9)
    for share in np.linspace(0.0, 0.98, 8):
        near = wall.nearest(start + share * (touch.center - start))
        assert near is not None and near.distance > radius * (1.0 - 0.02)


def test_a_sphere_on_a_plane_is_exact(board: Wall) -> None:
    touch = board.sweep_sphere((-1.0, 0.1, 1.0), (1.0, 0.3, 1.2), 0.14)
    assert touch is not None
    np.testing.assert_allclose(touch.center, (-0.14, 0.186, 1.086), atol=1e-6)
    np.testing.assert_allclose(touch.normal, (-1.0, 0.0, 0.0), atol=1e-6)
    assert board.sweep_sphere((-1.0, 0.0, 1.0), (-0.2, 0.0, 1.0), 0.14) is None
    assert board.sweep_sphere((-0.2, 0.0, 1.0), (-1.0, 0.0, 1.0), 0.14) is None


@pytest.mark.parametrize("depth", [-0.1, 0.0, 0.1])
def test_a_sphere_that_starts_in_the_wall_is_put_in_front_of_it(board: Wall, depth: float) -> None:
    touch = board.sweep_sphere((depth, 0.0, 1.0), (depth - 0.6, 0.0, 1.0), 0.14)
    assert touch is not None and touch.distance == 0.0
    np.testing.assert_allclose(touch.center, (-0.14, 0.0, 1.0), atol=1e-6)


def test_both_sides_of_a_thin_wall_are_kept() -> None:
    front = flat(width=2.0, height=2.0, spacing=0.02)
    points = np.vstack([front.points, front.points + np.array([0.01, 0.0, 0.0])])
    wall = Wall.from_points(points, np.vstack([front.normals, -front.normals]))
    ahead, behind = wall.trace((-1, 0, 1), (1, 0, 1)), wall.trace((1, 0, 1), (-1, 0, 1))
    assert ahead is not None and behind is not None
    assert ahead.point[0] == pytest.approx(0.0, abs=1e-9) and not ahead.backface
    assert behind.point[0] == pytest.approx(0.01, abs=1e-9) and not behind.backface


def test_rays_along_past_and_through_a_hole_miss() -> None:
    sample = flat(width=2.0, height=2.0, spacing=0.02)
    ring = np.linalg.norm(sample.points - (0.0, 0.0, 1.0), axis=1) > 0.2
    wall = Wall.from_points(sample.points[ring], sample.normals[ring])
    assert wall.trace((-1, 0, 1), (1, 0, 1)) is None
    assert wall.trace((-1, 0.25, 1), (1, 0.25, 1)) is not None
    assert wall.trace((-1, 1.05, 1), (1, 1.05, 1)) is None
    assert wall.trace((-0.05, -2, 1), (-0.05, 2, 1)) is None
    assert wall.trace((-1, 0.5, 1), (-0.01, 0.5, 1)) is None


def test_a_mirrored_wall_gives_mirrored_answers() -> None:
    sample = bumpy(width=2.0, height=2.0, spacing=0.02)
    flip = np.array([1.0, -1.0, 1.0])
    wall = Wall.from_points(sample.points, sample.normals)
    mirrored = Wall.from_points(sample.points * flip, sample.normals * flip)
    starts, ends = slanted_rays(wall, 500, 50.0)
    a, b = wall.trace_many(starts, ends), mirrored.trace_many(starts * flip, ends * flip)
    np.testing.assert_allclose(b.points, a.points * flip, atol=1e-6)
    np.testing.assert_allclose(b.normals, a.normals * flip, atol=1e-6)
    c, d = wall.nearest_many(starts), mirrored.nearest_many(starts * flip)
    np.testing.assert_allclose(d.distances, c.distances, atol=1e-6)


def test_coordinates_of_a_survey_stay_exact() -> None:
    sample = bumpy(width=2.0, height=2.0, spacing=0.02)
    survey = np.array([515368.0, 4918340.0, 2322.0])  # whole numbers: the shift itself rounds nothing away
    near, far = (
        Wall.from_points(sample.points, sample.normals),
        Wall.from_points(sample.points + survey, sample.normals),
    )
    starts, ends = slanted_rays(near, 300, 50.0)
    np.testing.assert_allclose(
        far.trace_many(starts + survey, ends + survey).points - survey, near.trace_many(starts, ends).points, atol=1e-6
    )


def test_climbable_is_told_for_the_place_that_was_hit() -> None:
    sample = flat(width=2.0, height=2.0, spacing=0.02)
    wall = Wall.from_points(sample.points, sample.normals, climbable=sample.points[:, 1] > 0.0)
    for y, expected in ((0.3, True), (-0.3, False)):
        hit, near = wall.trace((-1, y, 1), (1, y, 1)), wall.nearest((-0.1, y, 1))
        assert hit is not None and hit.climbable is expected
        assert near is not None and near.climbable is expected


def test_repeated_points_change_nothing() -> None:
    sample = bumpy(width=1.0, height=1.0, spacing=0.02)
    once = Wall.from_points(sample.points, sample.normals)
    thrice = Wall.from_points(np.tile(sample.points, (3, 1)), np.tile(sample.normals, (3, 1)))
    assert len(thrice) == len(once) == len(sample.points)
    hit, again = once.trace((-1, 0.1, 0.4), (1, 0.1, 0.4)), thrice.trace((-1, 0.1, 0.4), (1, 0.1, 0.4))
    assert hit is not None and again is not None
    np.testing.assert_array_equal(hit.point, again.point)


@pytest.mark.parametrize("points", [[(1.0, 2.0, 3.0)], [(0, 0, 0), (0, 0.01, 0)], np.zeros((50, 3))])
def test_a_wall_of_very_few_points_answers(points) -> None:
    wall = Wall.from_points(points)
    assert wall.nearest((0.0, 0.0, 0.0)) is not None
    wall.trace((-1.0, 0.0, 0.0), (1.0, 0.001, 0.0))


def test_the_same_question_gives_the_same_bits(bumps) -> None:
    _, wall = bumps
    a, b = (wall.trace((-1, 0.123, 1.2), (1, 0.2, 1.1)) for _ in range(2))
    assert a is not None and b is not None
    assert a.point.tobytes() == b.point.tobytes() and a.normal.tobytes() == b.normal.tobytes()


@pytest.mark.parametrize(
    "question",
    [
        lambda wall: wall.trace((np.nan, 0, 0), (1, 0, 0)),
        lambda wall: wall.trace((0, 0, 0), (0, 0, 0)),
        lambda wall: wall.trace((0, 0), (1, 0, 0)),
        lambda wall: wall.trace("abc", (1, 0, 0)),
        lambda wall: wall.trace_many([(0, 0, 0)], [(1, 0, 0), (1, 1, 1)]),
        lambda wall: wall.trace_many([(0, 0, 0), (0, 0, np.inf)], [(1, 0, 0), (1, 1, 1)]),
        lambda wall: wall.sweep_sphere((0, 0, 0), (1, 0, 0), -0.1),
        lambda wall: wall.sweep_sphere((0, 0, 0), (1, 0, 0), np.nan),
        lambda wall: wall.sweep_sphere((0, 0, 0), (1, 0, np.inf), 0.1),
        lambda wall: wall.nearest((0, np.inf, 0)),
        lambda wall: wall.nearest((0, 0, 0), -1.0),
        lambda wall: wall.nearest((0, 0, 0), np.nan),
        lambda wall: wall.nearest_many([0.0, 0.0, 0.0]),
    ],
)
def test_a_question_without_sense_is_refused(board: Wall, question) -> None:
    with pytest.raises(CommandError):
        question(board)
