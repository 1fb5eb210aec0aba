"""Walls of flat panels: flat, inclined, slab, overhang, roof, corner, arete, chimney."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from climbing_rig.wall.generate.sample import GeneratedWall, Sampling, Vectors, require


@dataclass(frozen=True)
class Panel:
    """A rectangle in space.

    Attributes:
        corner: (3,) metres.
        across, up: (3,) unit and perpendicular, the directions of its sides; ``across x up`` points out of the wall.
        width, height: Along these, metres.
    """

    corner: Vectors
    across: Vectors
    up: Vectors
    width: float
    height: float

    @property
    def normal(self) -> Vectors:
        """Unit, out of the wall."""
        return np.cross(self.across, self.up)

    def distance(self, points: Vectors) -> Vectors:
        """(M,) distances of (M, 3) points from the rectangle."""
        arms = points - self.corner
        along, rise, off = arms @ self.across, arms @ self.up, arms @ self.normal
        beside = along - np.clip(along, 0.0, self.width)
        over = rise - np.clip(rise, 0.0, self.height)
        return np.sqrt(beside**2 + over**2 + off**2)


def flat(width: float = 4.0, height: float = 4.0, **sampling: float) -> GeneratedWall:
    """A vertical plane x = 0.

    Args:
        width: Metres along y.
        height: Metres along z.
        **sampling: spacing, jitter, noise, seed: see ``Sampling``.
    """
    return inclined(0.0, width, height, **sampling)


def inclined(angle: float = 20.0, width: float = 4.0, height: float = 4.0, **sampling: float) -> GeneratedWall:
    """A plane through the y axis.

    Args:
        angle: Degrees off vertical; positive overhangs the climber, negative is a slab. Between -90 and 90.
        width: Metres along y.
        height: Metres along the slope.
        **sampling: spacing, jitter, noise, seed: see ``Sampling``.
    """
    _sizes(width=width, height=height)
    require("angle", angle, above=-90.0, below=90.0)
    return _sampled([_facing_climber(0.0, 0.0, angle, width, height)], sampling)


def slab(angle: float = 20.0, width: float = 4.0, height: float = 4.0, **sampling: float) -> GeneratedWall:
    """A plane leaning away from the climber by ``angle`` degrees; the rest as in ``inclined``."""
    return inclined(-angle, width, height, **sampling)


def overhang(
    angle: float = 30.0, start: float = 1.5, width: float = 4.0, height: float = 4.0, **sampling: float
) -> GeneratedWall:
    """A vertical panel that goes over into an overhanging one.

    Args:
        angle: Of the upper panel, degrees off vertical, 0 to 90.
        start: Height at which it begins, metres.
        width: Metres along y.
        height: Of both panels together along the surface, metres; more than ``start``.
        **sampling: spacing, jitter, noise, seed: see ``Sampling``.
    """
    _sizes(width=width, start=start)
    require("height", height, above=start)
    require("angle", angle, at_least=0.0, below=90.0)
    lower = _facing_climber(0.0, 0.0, 0.0, width, start)
    return _sampled([lower, _facing_climber(0.0, start, angle, width, height - start)], sampling)


def roof(
    depth: float = 1.0, start: float = 2.0, width: float = 4.0, height: float = 4.0, **sampling: float
) -> GeneratedWall:
    """A vertical panel, a level roof out over the climber and a vertical headwall above its lip.

    Args:
        depth: Of the roof, metres.
        start: Height of the roof, metres.
        width: Metres along y.
        height: Of the headwall's top, metres; more than ``start``.
        **sampling: spacing, jitter, noise, seed: see ``Sampling``.
    """
    _sizes(depth=depth, start=start, width=width)
    require("height", height, above=start)
    panels = [
        _facing_climber(0.0, 0.0, 0.0, width, start),
        _facing_climber(0.0, start, 90.0, width, depth),
        _facing_climber(-depth, start, 0.0, width, height - start),
    ]
    return _sampled(panels, sampling)


def corner(angle: float = 90.0, width: float = 4.0, height: float = 4.0, **sampling: float) -> GeneratedWall:
    """Two vertical panels that meet in an inner edge at x = 0, y = 0, like an open book in front of the climber.

    Args:
        angle: Between the panels on the climber's side, degrees, 20 to 180.
        width: Of both panels together, metres.
        height: Metres.
        **sampling: spacing, jitter, noise, seed: see ``Sampling``.
    """
    require("angle", angle, at_least=20.0, at_most=180.0)
    return _folded(angle, width, height, sampling)


def arete(angle: float = 90.0, width: float = 4.0, height: float = 4.0, **sampling: float) -> GeneratedWall:
    """Two vertical panels that meet in an outer edge at x = 0, y = 0, pointing at the climber.

    Args:
        angle: Between the panels inside the rock, degrees, 20 to 180.
        width: Of both panels together, metres.
        height: Metres.
        **sampling: spacing, jitter, noise, seed: see ``Sampling``.
    """
    require("angle", angle, at_least=20.0, at_most=180.0)
    return _folded(360.0 - angle, width, height, sampling)


def chimney(
    gap: float = 1.0, depth: float = 1.5, width: float = 3.0, height: float = 4.0, **sampling: float
) -> GeneratedWall:
    """A slot that runs into the rock: a back wall at x = 0, two side walls that face each other, and the face outside.

    Args:
        gap: Between the side walls, metres.
        depth: From the face to the back wall, metres.
        width: Of the whole face with the slot, metres; more than ``gap``.
        height: Metres.
        **sampling: spacing, jitter, noise, seed: see ``Sampling``.
    """
    _sizes(gap=gap, depth=depth, height=height)
    require("width", width, above=gap)
    up, side = np.array([0.0, 0.0, 1.0]), 0.5 * (width - gap)
    right, inwards = np.array([0.0, -1.0, 0.0]), np.array([1.0, 0.0, 0.0])
    panels = [
        Panel(np.array([-depth, 0.5 * width, 0.0]), right, up, side, height),
        Panel(np.array([-depth, 0.5 * gap, 0.0]), inwards, up, depth, height),
        Panel(np.array([0.0, 0.5 * gap, 0.0]), right, up, gap, height),
        Panel(np.array([0.0, -0.5 * gap, 0.0]), -inwards, up, depth, height),
        Panel(np.array([-depth, -0.5 * gap, 0.0]), right, up, side, height),
    ]
    return _sampled(panels, sampling)


def _facing_climber(x: float, z: float, angle: float, width: float, height: float) -> Panel:
    """A panel whose lower edge is level at (x, z), leaning over the climber by ``angle`` degrees."""
    lean = np.radians(angle)
    up = np.array([-np.sin(lean), 0.0, np.cos(lean)])
    return Panel(np.array([x, 0.5 * width, z]), np.array([0.0, -1.0, 0.0]), up, width, height)


def _folded(angle: float, width: float, height: float, sampling: dict[str, float]) -> GeneratedWall:
    """Two panels around the z axis with ``angle`` degrees between them on the climber's side."""
    _sizes(width=width, height=height)
    half = np.radians(0.5 * angle)
    up, side = np.array([0.0, 0.0, 1.0]), 0.5 * width
    left = np.array([-np.cos(half), np.sin(half), 0.0])
    right = left * [1.0, -1.0, 1.0]
    panels = [Panel(side * left, -left, up, side, height), Panel(np.zeros(3), right, up, side, height)]
    return _sampled(panels, sampling)


def _sizes(**values: float) -> None:
    for name, value in values.items():
        require(name, value, above=0.0, at_most=100.0)


def _sampled(panels: list[Panel], options: dict[str, float]) -> GeneratedWall:
    sampling = Sampling(**options)  # type: ignore[arg-type]  # seed may come as a float
    random = sampling.generator()
    points, normals = [], []
    for panel in panels:
        along, rise = sampling.rectangle(random, panel.width, panel.height)
        off = sampling.noise * random.standard_normal(len(along))
        points.append(
            panel.corner + np.outer(along, panel.across) + np.outer(rise, panel.up) + np.outer(off, panel.normal)
        )
        normals.append(np.tile(panel.normal, (len(along), 1)))

    def distance(positions: Vectors) -> Vectors:
        distances: Vectors = np.stack([panel.distance(positions) for panel in panels])
        nearest: Vectors = distances.min(axis=0)
        return nearest

    stacked = np.concatenate(points)
    return GeneratedWall(
        stacked, np.concatenate(normals), np.ones(len(stacked), dtype=np.bool_), sampling.spacing, distance
    )
