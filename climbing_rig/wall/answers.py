"""What a wall answers: frozen records, one for a single question, one of arrays for many."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class Hit:
    """Where a ray meets the wall.

    Attributes:
        point: (3,) on the surface.
        normal: Unit, facing the ray's start.
        distance: From the start, metres.
        climbable: Whether most of the surface around the point may be gripped.
        backface: True when the ray met the covered side.
    """

    point: Vector
    normal: Vector
    distance: float
    climbable: bool
    backface: bool


@dataclass(frozen=True)
class Touch:
    """Where a moved sphere first touches the wall.

    Attributes:
        center: (3,) of the sphere at the touch; already pushed out when the start overlapped the wall.
        point: (3,) on the surface.
        normal: Unit, from the surface to the centre.
        distance: Travelled by the centre, metres; 0 when the start overlapped.
    """

    center: Vector
    point: Vector
    normal: Vector
    distance: float


@dataclass(frozen=True)
class Near:
    """The surface point nearest to a point.

    Attributes:
        point: (3,) on the surface.
        normal: Unit, out of the wall whichever side was asked from.
        distance: Metres, negative behind the surface. Beside the rim of an open wall it is positive.
        climbable: Whether most of the surface around the point may be gripped.
    """

    point: Vector
    normal: Vector
    distance: float
    climbable: bool


@dataclass(frozen=True)
class Hits:
    """Answers to many rays; rows without a hit are NaN.

    Attributes:
        found: (M,) bool.
        points, normals: (M, 3).
        distances: (M,).
        climbable, backface: (M,) bool.
    """

    found: NDArray[np.bool_]
    points: Vector
    normals: Vector
    distances: Vector
    climbable: NDArray[np.bool_]
    backface: NDArray[np.bool_]


@dataclass(frozen=True)
class Nears:
    """Answers to many nearest questions; rows with nothing in range are NaN.

    Attributes:
        found: (M,) bool.
        points, normals: (M, 3), as in ``Near``.
        distances: (M,), signed.
        climbable: (M,) bool.
    """

    found: NDArray[np.bool_]
    points: Vector
    normals: Vector
    distances: Vector
    climbable: NDArray[np.bool_]
