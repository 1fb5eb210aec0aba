"""Triangle meshes of simple solids with soft edges, as plain arrays; the browser smooths over shared vertices."""

from __future__ import annotations

import itertools
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

_FEWEST_SIDES, _MOST_SIDES = 8, 24
_SIDES_PER_METRE = 80.0  # of radius: a robot may be made of hundreds of small spheres
_RIM_STEPS = 2
_RIM_SHARE = 0.18  # of the radius or of the shortest side
_BOX_STEPS = 3  # grid lines on each face and side of its middle
_RING_SIDES, _TUBE_SIDES = 40, 10


class Triangles(NamedTuple):
    """A mesh.

    Attributes:
        vertices: (V, 3) metres.
        faces: (F, 3) indices, counter-clockwise seen from outside.
    """

    vertices: NDArray[np.float64]
    faces: NDArray[np.int64]

    def moved(self, rotation: NDArray[np.float64], translation: NDArray[np.float64]) -> Triangles:
        """This mesh after a rotation (3, 3) and then a translation (3,)."""
        return Triangles(self.vertices @ rotation.T + translation, self.faces)


def joined(meshes: list[Triangles]) -> Triangles:
    """Several meshes as one."""
    starts = np.cumsum([0] + [len(mesh.vertices) for mesh in meshes[:-1]])
    return Triangles(
        np.concatenate([mesh.vertices for mesh in meshes]),
        np.concatenate([mesh.faces + start for mesh, start in zip(meshes, starts, strict=True)]),
    )


def _sides(radius: float) -> int:
    """An even number of sides that looks round at this radius."""
    return 2 * round(0.5 * min(_FEWEST_SIDES + _SIDES_PER_METRE * radius, _MOST_SIDES))


def turned(profile: NDArray[np.float64], sides: int, *, closed: bool = False) -> Triangles:
    """A solid of revolution about z.

    Args:
        profile: (K, 2) radius and height, from the bottom up on the outside; a radius of 0 is a pole.
        sides: How many.
        closed: Whether the profile ends where it began, as a ring's does.
    """
    angle = np.linspace(0.0, 2.0 * np.pi, sides, endpoint=False)
    circle = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    rows = len(profile)
    vertices = np.empty((rows, sides, 3))
    vertices[:, :, :2] = profile[:, None, :1] * circle
    vertices[:, :, 2] = profile[:, 1:]
    index = np.arange(rows * sides).reshape(rows, sides)
    lower = index if closed else index[:-1]
    upper = np.roll(index, -1, axis=0) if closed else index[1:]
    a, b = lower.ravel(), np.roll(lower, -1, axis=1).ravel()
    c, d = np.roll(upper, -1, axis=1).ravel(), upper.ravel()
    faces = np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])
    return Triangles(vertices.reshape(-1, 3), faces)


def cylinder(radius: float, length: float) -> Triangles:
    """A cylinder along z, centred, with rounded rims."""
    rim = min(_RIM_SHARE * radius, 0.3 * length)
    angle = np.linspace(0.0, 0.5 * np.pi, _RIM_STEPS + 1)
    r, z = radius - rim + rim * np.sin(angle), rim - rim * np.cos(angle)
    top = np.stack([r[::-1], length - z[::-1]], axis=1)
    # A second ring just inside each rim keeps the flat ends flat where normals are smoothed.
    bottom = np.concatenate([[[0.0, 0.0], [0.98 * r[0], 0.0]], np.stack([r, z], axis=1)])
    profile = np.concatenate([bottom, top, [[0.98 * r[0], length], [0.0, length]]])
    return turned(profile - [0.0, 0.5 * length], _sides(radius))


def sphere(radius: float) -> Triangles:
    """A sphere about the origin."""
    sides = _sides(radius)
    angle = np.linspace(0.0, np.pi, sides // 2 + 1)
    return turned(radius * np.stack([np.sin(angle), -np.cos(angle)], axis=1), sides)


def capsule(radius_bottom: float, radius_top: float, length: float) -> Triangles:
    """Two spheres, at the origin and at ``length`` up z, and what spans them."""
    sides = _sides(max(radius_bottom, radius_top))
    angle = np.linspace(0.0, 0.5 * np.pi, sides // 4 + 1)
    bottom = radius_bottom * np.stack([np.sin(angle), -np.cos(angle)], axis=1)
    top = radius_top * np.stack([np.cos(angle), np.sin(angle)], axis=1) + [0.0, length]
    return turned(np.concatenate([bottom, top]), sides)


def ring(radius: float, thickness: float) -> Triangles:
    """A ring around z: a torus with the given centre line and tube radius."""
    angle = np.linspace(0.0, 2.0 * np.pi, _TUBE_SIDES, endpoint=False)
    profile = np.stack([radius + thickness * np.cos(angle), thickness * np.sin(angle)], axis=1)
    return turned(profile, _RING_SIDES, closed=True)


def box(size: NDArray[np.float64]) -> Triangles:
    """A box about the origin, size (3,), with rounded edges."""
    half = 0.5 * np.asarray(size, dtype=np.float64)
    rim = _RIM_SHARE * float(half.min())
    # A sphere made of six curved grids, cut through its middle planes and pulled apart to the box's corners.
    steps = np.tan(np.linspace(0.06, 0.25 * np.pi, _BOX_STEPS))
    line = np.concatenate([-steps[::-1], steps])
    count = len(line)
    vertices: list[NDArray[np.float64]] = []
    faces: list[NDArray[np.int64]] = []
    index = np.arange(count * count).reshape(count, count)
    a, b, c, d = index[:-1, :-1].ravel(), index[1:, :-1].ravel(), index[1:, 1:].ravel(), index[:-1, 1:].ravel()
    grid = np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])
    for axis, side in itertools.product(range(3), (-1.0, 1.0)):
        cube = np.empty((count, count, 3))
        cube[..., axis] = side
        cube[..., (axis + 1) % 3], cube[..., (axis + 2) % 3] = np.meshgrid(line, line, indexing="ij")
        direction = cube.reshape(-1, 3)
        on_sphere = rim * direction / np.linalg.norm(direction, axis=1, keepdims=True)
        vertices.append(np.sign(direction) * (half - rim) + on_sphere)
        faces.append((grid if side > 0.0 else grid[:, ::-1]) + len(faces) * count * count)
    return Triangles(np.concatenate(vertices), np.concatenate(faces))
