"""Walls with a relief: a height over a plane, with its exact slope."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from climbing_rig.wall.generate.sample import GeneratedWall, Sampling, Vectors, require

Relief = Callable[[Vectors, Vectors], tuple[Vectors, Vectors, Vectors]]
"""(y, rise) -> height towards the climber, its slope along y, its slope along the rise."""


def bumpy(
    amplitude: float = 0.06,
    wavelength: float = 0.8,
    angle: float = 0.0,
    width: float = 4.0,
    height: float = 4.0,
    **sampling: float,
) -> GeneratedWall:
    """A plane with rolling bumps: six waves of random direction and phase.

    Args:
        amplitude: Highest bump possible, metres.
        wavelength: Of the longest wave, metres; the shortest is half of it.
        angle: Degrees off vertical, positive overhangs.
        width: Metres along y.
        height: Metres along the slope.
        **sampling: spacing, jitter, noise, seed: see ``Sampling``.
    """
    require("amplitude", amplitude, at_least=0.0, at_most=1.0)
    require("wavelength", wavelength, above=0.01)
    options = Sampling(**sampling)  # type: ignore[arg-type]
    random = options.generator()
    waves = 6
    number = 2.0 * np.pi / wavelength * random.uniform(1.0, 2.0, waves)
    turn, phase = random.uniform(0.0, 2.0 * np.pi, (2, waves))
    along, upward, share = number * np.cos(turn), number * np.sin(turn), amplitude / waves

    def relief(y: Vectors, rise: Vectors) -> tuple[Vectors, Vectors, Vectors]:
        angles = np.multiply.outer(y, along) + np.multiply.outer(rise, upward) + phase
        slope = share * np.cos(angles)
        return share * np.sin(angles).sum(axis=-1), slope @ along, slope @ upward

    return _sampled(relief, angle, width, height, options, random, lambda depth: np.ones(len(depth), dtype=np.bool_))


def holds(
    count: int = 120,
    depth: float = 0.05,
    radius: float = 0.06,
    only_holds: int = 0,
    angle: float = 0.0,
    width: float = 4.0,
    height: float = 4.0,
    **sampling: float,
) -> GeneratedWall:
    """A board with rounded knobs.

    Args:
        count: Of the knobs.
        depth: Height of the highest, metres; the lowest is half of it.
        radius: Of the widest at half its height, metres; the narrowest is two thirds of it.
        only_holds: 1: the board between the knobs is not climbable. 0: all of it is.
        angle: Degrees off vertical, positive overhangs.
        width: Metres along y.
        height: Metres along the slope.
        **sampling: spacing, jitter, noise, seed: see ``Sampling``.
    """
    require("count", count, at_least=0.0, at_most=5000.0)
    require("depth", depth, at_least=0.0, at_most=1.0)
    require("radius", radius, above=0.0, at_most=1.0)
    options = Sampling(**sampling)  # type: ignore[arg-type]
    random = options.generator()
    knobs = int(count)
    at_y = random.uniform(-0.5 * width, 0.5 * width, knobs)
    at_rise = random.uniform(0.0, height, knobs)
    tall = depth * random.uniform(0.5, 1.0, knobs)
    # A Gaussian is at half its height where it is 1.18 standard deviations wide.
    wide = radius / np.sqrt(2.0 * np.log(2.0)) * random.uniform(2.0 / 3.0, 1.0, knobs)

    def relief(y: Vectors, rise: Vectors) -> tuple[Vectors, Vectors, Vectors]:
        total, slope_y, slope_rise = np.zeros_like(y), np.zeros_like(y), np.zeros_like(y)
        for k in range(knobs):
            dy, dr = y - at_y[k], rise - at_rise[k]
            near = np.flatnonzero(dy**2 + dr**2 < (6.0 * wide[k]) ** 2)
            dy, dr = dy[near], dr[near]
            bump = tall[k] * np.exp(-0.5 * (dy**2 + dr**2) / wide[k] ** 2)
            total[near] += bump
            slope_y[near] -= bump * dy / wide[k] ** 2
            slope_rise[near] -= bump * dr / wide[k] ** 2
        return total, slope_y, slope_rise

    def climbable(raised: Vectors) -> np.ndarray:
        return raised > 0.1 * depth if only_holds else np.ones(len(raised), dtype=np.bool_)

    return _sampled(relief, angle, width, height, options, random, climbable)


def _sampled(
    relief: Relief,
    angle: float,
    width: float,
    height: float,
    sampling: Sampling,
    random: np.random.Generator,
    climbable: Callable[[Vectors], np.ndarray],
) -> GeneratedWall:
    """The relief over the plane that leans over the climber by ``angle`` degrees."""
    require("angle", angle, above=-90.0, below=90.0)
    require("width", width, above=0.0, at_most=100.0)
    require("height", height, above=0.0, at_most=100.0)
    lean = np.radians(angle)
    out, up = np.array([-np.cos(lean), 0.0, -np.sin(lean)]), np.array([-np.sin(lean), 0.0, np.cos(lean)])
    side = np.array([0.0, 1.0, 0.0])
    along, rise = sampling.rectangle(random, width, height)
    y = along - 0.5 * width
    raised, slope_y, slope_rise = relief(y, rise)
    normals = out - np.outer(slope_y, side) - np.outer(slope_rise, up)
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    points = np.outer(raised, out) + np.outer(y, side) + np.outer(rise, up)
    points += normals * (sampling.noise * random.standard_normal(len(y)))[:, None]

    def distance(positions: Vectors) -> Vectors:
        heights, across, upward = relief(positions[:, 1], positions @ up)
        return np.abs(positions @ out - heights) / np.sqrt(1.0 + across**2 + upward**2)

    return GeneratedWall(points, normals, climbable(raised), sampling.spacing, distance)
