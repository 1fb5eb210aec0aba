"""MATLAB files (level 5): a height grid x, y, z, or one list of points, 3 x N or N x 3."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.io import loadmat
from scipy.io.matlab import MatReadError

from climbing_rig.errors import CloudError
from climbing_rig.wall.cloud import Cloud, checked_cloud


def read_mat(path: Path) -> Cloud:
    """Read a .mat file. The normals of a height grid are its slopes', on the side of +z.

    Raises:
        CloudError: Not such a file, or variables that are neither a grid nor one list of points.
    """
    try:
        content = loadmat(path)
    # scipy raises whatever its parser stumbles over (struct, zlib, index and memory errors among them)
    except (MatReadError, ValueError, TypeError, KeyError, IndexError, NotImplementedError, EOFError) as error:
        raise CloudError(f"{path.name}: not a readable MATLAB file: {error}", name=path.name) from None
    except Exception as error:
        raise CloudError(f"{path.name}: not a readable MATLAB file: {type(error).__name__}", name=path.name) from error
    arrays = {
        key: value
        for key, value in content.items()
        if not key.startswith("__") and isinstance(value, np.ndarray) and value.dtype.kind in "iuf"
    }
    grid = {key.lower(): value for key, value in arrays.items() if key.lower() in ("x", "y", "z")}
    if len(grid) == 3:
        return _from_grid(grid["x"], grid["y"], grid["z"], path.name)
    lists = [value for value in arrays.values() if value.ndim == 2 and 3 in value.shape and value.size > 0]
    if len(lists) == 1:
        points = lists[0]
        return checked_cloud(points if points.shape[1] == 3 else points.T, name=path.name)
    found = ", ".join(f"{key} {value.shape}" for key, value in arrays.items()) or "no numeric variable"
    raise CloudError(
        f"{path.name}: expected a grid x, y, z or one 3 x N list of points, found {found}",
        name=path.name,
        given=found,
    )


def _from_grid(x: NDArray[np.generic], y: NDArray[np.generic], z: NDArray[np.generic], name: str) -> Cloud:
    rows, columns = z.shape if z.ndim == 2 else (0, 0)
    if min(rows, columns) < 2:
        raise CloudError(f"{name}: the height grid z has shape {z.shape}, at least (2, 2) is needed", name=name)
    height = z.astype(np.float64)
    across, up = _axis(x, 1, (rows, columns), "x", name), _axis(y, 0, (rows, columns), "y", name)
    slope_up, slope_across = np.gradient(height, up, across)
    normals = np.stack([-slope_across, -slope_up, np.ones_like(height)], axis=-1).reshape(-1, 3)
    grid_x, grid_y = np.meshgrid(across, up)
    points = np.stack([grid_x, grid_y, height], axis=-1).reshape(-1, 3)
    return checked_cloud(points, normals if np.isfinite(normals).all() else None, name=name)


def _axis(
    values: NDArray[np.generic], axis: int, shape: tuple[int, int], variable: str, name: str
) -> NDArray[np.float64]:
    """The coordinates along one side of the grid, from a vector or a mesh grid."""
    given = values[0] if values.shape == shape and axis == 1 else values[:, 0] if values.shape == shape else values
    line: NDArray[np.float64] = np.asarray(given, dtype=np.float64).ravel()
    if len(line) != shape[axis] or not (np.diff(line) != 0.0).all():
        raise CloudError(
            f"{name}: {variable} has {len(line)} coordinates for {shape[axis]} grid lines, or repeats one", name=name
        )
    return line
