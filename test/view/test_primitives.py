"""Solids that the page draws: closed, facing outwards, and of the size asked for."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from climbing_rig.view.primitives import Triangles, box, capsule, cylinder, joined, ring, sphere

SOLIDS = {
    "box": (box(np.array([0.3, 0.2, 0.1])), 0.3 * 0.2 * 0.1),
    "cylinder": (cylinder(0.1, 0.4), np.pi * 0.1**2 * 0.4),
    "sphere": (sphere(0.2), 4.0 / 3.0 * np.pi * 0.2**3),
    "capsule": (capsule(0.1, 0.1, 0.3), np.pi * 0.1**2 * 0.3 + 4.0 / 3.0 * np.pi * 0.1**3),
    "ring": (ring(0.2, 0.02), 2.0 * np.pi**2 * 0.2 * 0.02**2),
}


def _volume(mesh: Triangles) -> float:
    a, b, c = (mesh.vertices[mesh.faces[:, i]] for i in range(3))
    return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6.0)


@pytest.mark.parametrize("name", SOLIDS)
def test_a_solid_faces_outwards_and_has_nearly_the_exact_volume(name: str) -> None:
    mesh, exact = SOLIDS[name]
    assert _volume(mesh) == pytest.approx(exact, rel=0.08)


@pytest.mark.parametrize("name", ["ring", "cylinder", "sphere", "capsule"])
def test_every_edge_of_a_turned_solid_belongs_to_two_faces(name: str) -> None:
    mesh, _ = SOLIDS[name]
    # Vertices that coincide (at the poles) count as one here.
    _, same = np.unique(mesh.vertices.round(9), axis=0, return_inverse=True)
    faces = same.ravel()[mesh.faces]
    faces = faces[(faces != np.roll(faces, 1, axis=1)).all(axis=1)]
    edges = Counter(tuple(sorted(edge)) for face in faces for edge in zip(face, np.roll(face, 1), strict=True))
    assert set(edges.values()) == {2}


def test_a_box_is_exactly_as_large_as_asked() -> None:
    mesh, _ = SOLIDS["box"]
    np.testing.assert_allclose(np.ptp(mesh.vertices, axis=0), [0.3, 0.2, 0.1], rtol=0.01)


def test_joined_meshes_keep_their_own_faces() -> None:
    both = joined([sphere(0.1), sphere(0.2)])
    assert _volume(both) == pytest.approx(_volume(sphere(0.1)) + _volume(sphere(0.2)))


def test_a_moved_mesh_is_rotated_first_and_then_translated() -> None:
    quarter = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    mesh = Triangles(np.array([[1.0, 0.0, 0.0]]), np.empty((0, 3), np.int64)).moved(quarter, np.array([0.0, 0.0, 5.0]))
    np.testing.assert_allclose(mesh.vertices, [[0.0, 1.0, 5.0]], atol=1e-12)
