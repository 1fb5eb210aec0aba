"""A checked point cloud: what every reader returns and what a wall is built from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from climbing_rig.errors import CloudError


@dataclass(frozen=True)
class Cloud:
    """Points in the caller's coordinates, all finite, at least one.

    Attributes:
        points: (N, 3) float64, metres.
        normals: (N, 3) unit, or None when unknown. Points without a usable normal make it None for all.
        climbable: (N,) bool, or None when all of it is.
        viewpoint: (3,) where the sensor stood, or None.
        dropped: How many points were left out because a coordinate was not finite.
    """

    points: NDArray[np.float64]
    normals: NDArray[np.float64] | None = None
    climbable: NDArray[np.bool_] | None = None
    viewpoint: NDArray[np.float64] | None = None
    dropped: int = 0

    def __len__(self) -> int:
        return len(self.points)


def checked_cloud(
    points: ArrayLike,
    normals: ArrayLike | None = None,
    climbable: ArrayLike | None = None,
    viewpoint: ArrayLike | None = None,
    *,
    name: str = "points",
    dropped: int = 0,
) -> Cloud:
    """A cloud from array-likes; points with a coordinate that is not finite are dropped and counted.

    Args:
        points: (N, 3), metres.
        normals: (N, 3), any length but zero.
        climbable: (N,), bool or 0/1.
        viewpoint: (3,).
        name: What the caller calls this cloud (a file, a topic), for errors.
        dropped: Points already left out by a reader.

    Raises:
        CloudError: A shape is wrong, a value is not a number, or no finite point is left.
    """
    position = _columns(points, "points", name)
    finite = np.isfinite(position).all(axis=1)
    if not finite.any():
        given = f"{len(position)} points, none finite" if len(position) else "0 points"
        raise CloudError(f"{name}: the cloud is empty ({given})", name=name, given=given)
    direction = None
    if normals is not None:
        direction = _columns(normals, "normals", name)
        _same_length(direction, position, "normals", name)
        lengths = np.linalg.norm(direction[finite], axis=1)
        usable = bool(np.isfinite(lengths).all() and (lengths > 1e-6).all())
        direction = direction[finite] / lengths[:, None] if usable else None
    grip = None
    if climbable is not None:
        grip = np.asarray(climbable)
        if grip.ndim != 1 or grip.dtype.kind not in "biuf":
            raise CloudError(f"{name}: climbable must be (N,) of bool, not {grip.shape} of {grip.dtype}", name=name)
        _same_length(grip, position, "climbable", name)
        grip = grip[finite].astype(np.bool_)
    eye = None
    if viewpoint is not None:
        eye = np.asarray(viewpoint, dtype=np.float64)
        if eye.shape != (3,) or not np.isfinite(eye).all():
            raise CloudError(f"{name}: viewpoint must be 3 finite numbers", name=name, given=viewpoint)
    return Cloud(position[finite], direction, grip, eye, dropped + int((~finite).sum()))


def _columns(values: ArrayLike, what: str, name: str) -> NDArray[np.float64]:
    try:
        array = np.asarray(values)
    except ValueError as error:
        raise CloudError(f"{name}: {what} is not an array: {error}", name=name) from None
    if array.dtype.kind not in "biuf":
        raise CloudError(f"{name}: {what} must be numbers, not {array.dtype}", name=name, given=str(array.dtype))
    if array.ndim != 2 or array.shape[1] != 3:
        if array.size == 0:
            raise CloudError(f"{name}: the cloud is empty (0 points)", name=name, given="0 points")
        raise CloudError(f"{name}: {what} must be (N, 3), not {array.shape}", name=name, given=array.shape)
    return array.astype(np.float64)


def _same_length(values: NDArray[np.generic], points: NDArray[np.float64], what: str, name: str) -> None:
    if len(values) != len(points):
        raise CloudError(
            f"{name}: {len(values)} {what} for {len(points)} points", name=name, given=(len(values), len(points))
        )
