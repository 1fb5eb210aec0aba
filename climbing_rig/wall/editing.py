"""Clouds from clouds: moved, cut, thinned, joined."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from climbing_rig.errors import CloudError
from climbing_rig.wall.cloud import Cloud


def transformed(cloud: Cloud, matrix: NDArray[np.float64], translation: NDArray[np.float64]) -> Cloud:
    """The cloud under x -> matrix·x + translation; the matrix is a rotation or reflection, times a positive scale."""
    scale = float(np.linalg.norm(matrix[0]))
    normals = None if cloud.normals is None else _rotated(cloud.normals, matrix / scale)
    viewpoint = None if cloud.viewpoint is None else matrix @ cloud.viewpoint + translation
    return replace(cloud, points=_rotated(cloud.points, matrix) + translation, normals=normals, viewpoint=viewpoint)


def _rotated(vectors: NDArray[np.float64], matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    # Not a matrix product: BLAS would wake a thread for each core to do a hundredth of a second's work.
    return np.einsum("ij,kj->ik", vectors, matrix)


def selected(cloud: Cloud, chosen: NDArray[np.generic]) -> Cloud:
    """The chosen points (a mask or indices)."""
    return replace(
        cloud,
        points=cloud.points[chosen],
        normals=None if cloud.normals is None else cloud.normals[chosen],
        climbable=None if cloud.climbable is None else cloud.climbable[chosen],
    )


def cropped(cloud: Cloud, box: Sequence[Sequence[float]], name: str = "cloud") -> Cloud:
    """What lies inside a box ((x, y, z), (x, y, z)), borders included.

    Raises:
        CloudError: The box is not two corners, or nothing is inside.
    """
    corners = floats(box, "crop")
    if corners.shape != (2, 3) or np.isnan(corners).any():
        raise CloudError(f"crop must be two corners of 3 numbers, not {box!r}", name="crop", given=box)
    low, high = corners.min(axis=0), corners.max(axis=0)
    inside = ((cloud.points >= low) & (cloud.points <= high)).all(axis=1)
    if not inside.any():
        bounds = [cloud.points.min(axis=0).round(3).tolist(), cloud.points.max(axis=0).round(3).tolist()]
        raise CloudError(f"{name}: no point inside crop; the cloud spans {bounds}", name="crop", given=box)
    return selected(cloud, inside)


def thinned(cloud: Cloud, cell: float) -> Cloud:
    """One point for each occupied cubic cell: the mean of its points and normals; climbable if most of them are.

    Raises:
        CloudError: The cells are too many to number.
    """
    low = cloud.points.min(axis=0)
    cells = np.floor((cloud.points - low) / cell)
    if np.prod(cells.max(axis=0) + 1.0) >= 2.0**62:
        raise CloudError(f"thin={cell:g} m is too fine for a cloud of this size", name="thin", given=cell)
    x, y, z = cells.astype(np.int64).T
    keys = (x * (y.max() + 1) + y) * (z.max() + 1) + z
    _, labels, counts = np.unique(keys, return_inverse=True, return_counts=True)
    labels = labels.reshape(-1)

    def mean(values: NDArray[np.float64]) -> NDArray[np.float64]:
        sums = [np.bincount(labels, column, len(counts)) for column in values.T]
        return np.column_stack(sums) / counts[:, None]

    normals = None if cloud.normals is None else mean(cloud.normals)
    if normals is not None:
        lengths = np.linalg.norm(normals, axis=1)
        normals = normals / lengths[:, None] if (lengths > 0.1).all() else None
    climbable = None
    if cloud.climbable is not None:
        climbable = mean(cloud.climbable.astype(np.float64)[:, None])[:, 0] >= 0.5
    middle = cloud.points.mean(axis=0)
    return replace(cloud, points=mean(cloud.points - middle) + middle, normals=normals, climbable=climbable)


def joined(clouds: Sequence[Cloud]) -> Cloud:
    """Several clouds as one; normals and climbable only where all have them. The viewpoint is lost."""
    normals = [cloud.normals for cloud in clouds if cloud.normals is not None]
    climbable = [cloud.climbable for cloud in clouds if cloud.climbable is not None]
    return Cloud(
        np.concatenate([cloud.points for cloud in clouds]),
        np.concatenate(normals) if len(normals) == len(clouds) else None,
        np.concatenate(climbable) if len(climbable) == len(clouds) else None,
        dropped=sum(cloud.dropped for cloud in clouds),
    )


def floats(values: ArrayLike, name: str) -> NDArray[np.float64]:
    """An option as an array.

    Raises:
        CloudError: It is not numbers.
    """
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise CloudError(f"{name} must be numbers, not {values!r}", name=name, given=values) from None
