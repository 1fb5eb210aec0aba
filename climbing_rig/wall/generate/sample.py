"""What a generator returns, and how it scatters points over a rectangle."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from climbing_rig.errors import CloudError
from climbing_rig.wall.cloud import Cloud

Vectors = NDArray[np.float64]


@dataclass(frozen=True)
class GeneratedWall:
    """A sampled wall and the surface it was sampled from.

    Attributes:
        points: (N, 3) metres, in ``map``.
        normals: (N, 3), unit, exact, out of the wall.
        climbable: (N,) bool.
        spacing: The spacing asked for, metres.
        distance: (M, 3) points -> (M,) metres off the exact surface, >= 0; to first order where the surface is curved.
    """

    points: Vectors
    normals: Vectors
    climbable: NDArray[np.bool_]
    spacing: float
    distance: Callable[[Vectors], Vectors]

    def cloud(self) -> Cloud:
        """The sample as a cloud with its normals."""
        return Cloud(self.points, self.normals, self.climbable)


@dataclass(frozen=True)
class Sampling:
    """How densely and how evenly a surface is sampled.

    Attributes:
        spacing: Side of the square cell that gets one point, metres.
        jitter: How far a point may be from the middle of its cell, as a share of half the cell, 0 to 1.
        noise: Standard deviation along the normal, metres.
        seed: Of the random numbers.
    """

    spacing: float = 0.02
    jitter: float = 0.5
    noise: float = 0.0
    seed: int = 0

    def __post_init__(self) -> None:
        require("spacing", self.spacing, above=0.0)
        require("jitter", self.jitter, at_least=0.0, at_most=1.0)
        require("noise", self.noise, at_least=0.0)
        require("seed", self.seed, at_least=0.0)

    def generator(self) -> np.random.Generator:
        """Random numbers of this seed."""
        return np.random.default_rng(int(self.seed))

    def rectangle(self, random: np.random.Generator, width: float, height: float) -> tuple[Vectors, Vectors]:
        """Coordinates (N,) and (N,) of points over [0, width] x [0, height], one to a cell."""
        columns, rows = max(round(width / self.spacing), 1), max(round(height / self.spacing), 1)
        if columns * rows > MOST_POINTS:
            raise CloudError(
                f"a spacing of {self.spacing} m asks for {columns * rows} points (at most {MOST_POINTS})",
                name="spacing",
                given=self.spacing,
            )
        across, up = np.meshgrid(np.arange(columns) + 0.5, np.arange(rows) + 0.5)
        shift = 0.5 * self.jitter * random.uniform(-1.0, 1.0, (2, rows, columns))
        return ((across + shift[0]) * (width / columns)).ravel(), ((up + shift[1]) * (height / rows)).ravel()


MOST_POINTS = 5_000_000
"""Most points a generator makes on one rectangle."""


def require(
    name: str,
    value: float,
    *,
    above: float = -np.inf,
    at_least: float = -np.inf,
    at_most: float = np.inf,
    below: float = np.inf,
) -> None:
    """Refuse a generator's argument that is out of range or not finite.

    Raises:
        CloudError: It is.
    """
    if not (np.isfinite(value) and above < value < below and at_least <= value <= at_most):
        low = f"> {above:g}" if above > -np.inf else f">= {at_least:g}"
        high = f"< {below:g}" if below < np.inf else f"<= {at_most:g}"
        raise CloudError(f"{name} must be {low} and {high}, not {value}", name=name, given=value)
