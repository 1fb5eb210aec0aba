"""The wall on the page, and which point of it a click means."""

from __future__ import annotations

import numpy as np
import trimesh
import viser
from numpy.typing import NDArray

from climbing_rig.maths import unit
from climbing_rig.view.wall_mesh import WallMesh, mesh_wall
from climbing_rig.wall import Wall

ROCK, HOLD, CRACK = (158, 154, 148), (206, 146, 98), (98, 98, 102)
"""Colours of the wall itself, of what stands out of it, and of what lies behind it."""
FARTHEST = 200.0
"""Metres along a line of sight."""
NEAR_MISS = 0.25
"""A click this close (metres) beside the wall still means its nearest point."""
_AROUND = 1.5  # m
_STEPS = 200  # points of a line of sight that are looked at for a near miss

Vector = NDArray[np.float64]


class WallScene:
    """Shows the newest wall and answers clicks on it.

    Attributes:
        wall: The wall, or None before one has come.
    """

    def __init__(self, server: viser.ViserServer) -> None:
        self._server = server
        self.wall: Wall | None = None

    def show(self, wall: Wall) -> None:
        """Replaces the wall; takes a second or two for a big one, so not in the page's own thread."""
        glb = _glb(mesh_wall(wall))
        self._server.scene.add_glb("/wall", glb, cast_shadow=False, receive_shadow=True)
        self.wall = wall

    def pick(self, origin: Vector, direction: Vector) -> Vector | None:
        """The point of the wall (3,) that a line of sight means: where it meets the wall, else what it barely misses.

        Args:
            origin: (3,) the eye, in map.
            direction: (3,) unit.
        """
        if self.wall is None:
            return None
        hit = self.wall.trace(origin, origin + direction * FARTHEST)
        if hit is not None:
            return hit.point
        span = float(np.linalg.norm(self.wall.bounds - origin, axis=1).max())
        sight = origin + np.linspace(0.0, span, _STEPS)[:, None] * direction
        near = self.wall.nearest_many(sight, NEAR_MISS + span / _STEPS)
        if not near.found.any():
            return None
        closest = int(np.nanargmin(np.where(near.found, np.abs(near.distances), np.inf)))
        return near.points[closest] if abs(near.distances[closest]) <= NEAR_MISS else None

    def facing(self, point: Vector) -> Vector | None:
        """Where the wall around a point (3,) faces as a whole, (3,) unit; None when there is none near it."""
        if self.wall is None:
            return None
        near = np.linalg.norm(self.wall.points - point, axis=1) < _AROUND
        mean = self.wall.normals[near].sum(axis=0)
        return unit(mean) if mean.any() else None


def _glb(mesh: WallMesh) -> bytes:
    """The mesh as a binary glTF, with a colour at each vertex."""
    material = trimesh.visual.material.PBRMaterial(metallicFactor=0.0, roughnessFactor=0.95, doubleSided=True)
    visual = trimesh.visual.TextureVisuals(material=material)
    visual.vertex_attributes["color"] = _vertex_colours(mesh.relief)
    surface = trimesh.Trimesh(
        mesh.vertices, mesh.faces, vertex_normals=mesh.normals, visual=visual, process=False, validate=False
    )
    exported: bytes = surface.export(file_type="glb", include_normals=True)
    return exported


def _vertex_colours(relief: Vector) -> NDArray[np.uint8]:
    """(V, 4) colours by relief, in the linear light that glTF wants."""
    rock, hold, crack = (np.array(colour, dtype=np.float64) for colour in (ROCK, HOLD, CRACK))
    out = np.clip((relief - 0.1) / 0.7, 0.0, 1.0)[:, None]
    back = np.clip(-relief, 0.0, 1.0)[:, None]
    srgb = rock + (hold - rock) * out + (crack - rock) * back
    linear = 255.0 * (srgb / 255.0) ** 2.2
    return np.concatenate([linear, np.full((len(relief), 1), 255.0)], axis=1).astype(np.uint8)
