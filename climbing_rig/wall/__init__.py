"""The wall: clouds and meshes of many formats become one surface that answers rays, spheres and nearest points."""

from climbing_rig.wall.surface import Hit, Near, Touch, Wall

__all__ = ["Hit", "Near", "Touch", "Wall"]
