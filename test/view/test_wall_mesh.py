"""The wall's mesh lies on the wall, faces out, and has no holes where the cloud has none."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from numpy.typing import NDArray

from climbing_rig.view.wall_mesh import WallMesh, mesh_wall
from climbing_rig.wall import Wall

Array = NDArray[np.float64]


def _flat(normal_axis: int, sign: float) -> Wall:
    """2 m x 2 m, a point every 2 cm, with two bumps of 8 cm."""
    u, v = (grid.ravel() for grid in np.meshgrid(np.arange(-1.0, 1.0, 0.02), np.arange(-1.0, 1.0, 0.02)))
    height = 0.08 * np.exp(-((u - 0.4) ** 2 + v**2) / 0.01) + 0.08 * np.exp(-((u + 0.4) ** 2 + v**2) / 0.01)
    points = np.empty((len(u), 3))
    points[:, normal_axis] = sign * height
    points[:, (normal_axis + 1) % 3], points[:, (normal_axis + 2) % 3] = u, v
    eye = np.zeros(3)
    eye[normal_axis] = 5.0 * sign
    return Wall.from_points(points, viewpoint=eye)


def _face_normals(mesh: WallMesh) -> Array:
    a, b, c = (mesh.vertices[mesh.faces[:, i]] for i in range(3))
    normal = np.cross(b - a, c - a)
    return normal / np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-12)


@pytest.mark.parametrize(("axis", "sign"), [(0, -1.0), (1, 1.0), (2, -1.0), (2, 1.0)])
def test_the_mesh_lies_on_a_wall_floor_or_roof_and_faces_out_of_it(axis: int, sign: float) -> None:
    wall = _flat(axis, sign)
    mesh = mesh_wall(wall)
    inner = (np.abs(np.delete(mesh.vertices, axis, axis=1)) < 0.95).all(axis=1)
    off = np.abs(wall.nearest_many(mesh.vertices[inner]).distances)
    assert off.max() < 0.005
    assert (_face_normals(mesh)[:, axis] * sign > 0.0).mean() > 0.97  # the rim has slivers


def test_holds_have_relief_and_the_plain_wall_has_none() -> None:
    mesh = mesh_wall(_flat(0, -1.0))
    on_hold = (np.abs(np.abs(mesh.vertices[:, 1]) - 0.4) < 0.03) & (np.abs(mesh.vertices[:, 2]) < 0.03)
    far_off = np.abs(mesh.vertices[:, 2]) > 0.6
    assert mesh.relief[on_hold].min() > 0.6
    assert np.abs(np.median(mesh.relief[far_off])) < 0.1


def test_a_closed_surface_becomes_a_closed_mesh() -> None:
    rng = np.random.default_rng(3)
    directions = rng.normal(size=(6000, 3))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    mesh = mesh_wall(Wall.from_points(directions, normals=directions))
    edges = Counter(
        tuple(sorted(edge)) for face in mesh.faces.tolist() for edge in zip(face, face[1:] + face[:1], strict=True)
    )
    assert sum(count == 2 for count in edges.values()) > 0.995 * len(edges)
    np.testing.assert_allclose(np.linalg.norm(mesh.vertices, axis=1), 1.0, atol=0.01)


def test_a_big_wall_is_drawn_with_about_as_many_vertices_as_allowed() -> None:
    mesh = mesh_wall(_flat(0, -1.0), most_vertices=1500)
    assert 500 < len(mesh.vertices) < 2500


def test_a_single_point_is_drawn_without_complaint() -> None:
    mesh = mesh_wall(Wall.from_points([[1.0, 2.0, 3.0]]))
    assert np.isfinite(mesh.vertices).all()
