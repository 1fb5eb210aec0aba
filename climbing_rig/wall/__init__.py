"""The wall: clouds and meshes of many formats become one surface that answers rays, spheres and nearest points."""

from climbing_rig.wall.answers import Hit, Hits, Near, Nears, Touch
from climbing_rig.wall.surface import Wall

__all__ = ["Hit", "Hits", "Near", "Nears", "Touch", "Wall"]
