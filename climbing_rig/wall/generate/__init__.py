"""Walls made from a formula: seeded point samples with exact normals and the exact surface to test against.

They stand in ``map`` as every demo wall does: base near x = 0 on z = 0, centred on y = 0, facing a climber who stands
at negative x.
"""

from __future__ import annotations

from collections.abc import Callable

from climbing_rig.wall.generate.panels import arete, chimney, corner, flat, inclined, overhang, roof, slab
from climbing_rig.wall.generate.relief import bumpy, holds
from climbing_rig.wall.generate.sample import GeneratedWall

GENERATORS: dict[str, Callable[..., GeneratedWall]] = {
    generator.__name__: generator
    for generator in (flat, inclined, slab, overhang, roof, corner, arete, chimney, bumpy, holds)
}
"""Every generated wall by name; their keyword arguments are numbers."""

__all__ = ["GENERATORS", "GeneratedWall", *GENERATORS]
