"""Making a small standing scan into a big wall by laying mirrored copies side by side, so that the seams fit."""

from __future__ import annotations

import numpy as np

from climbing_rig.errors import CloudError
from climbing_rig.wall.cloud import Cloud
from climbing_rig.wall.editing import cropped, joined, selected, transformed

MOST_TILES = 400


def mirror_tile(cloud: Cloud, width: float, height: float) -> Cloud:
    """Tile a wall that stands upright (x depth, y width, z height) to exactly ``width`` x ``height``.

    Every other copy is mirrored, so neighbours meet edge to edge in the same relief. What is too much is cut off; the
    result is centred on y = 0 and stands on the cloud's own lower edge.

    Args:
        cloud: The tile.
        width: Metres along y.
        height: Metres along z.

    Raises:
        CloudError: A size is not positive, or the tile is too small for it.
    """
    low, high = cloud.points.min(axis=0), cloud.points.max(axis=0)
    across = _copies(width, float(high[1] - low[1]), "width")
    up = _copies(height, float(high[2] - low[2]), "height")
    if across * up > MOST_TILES:
        raise CloudError(f"{across} x {up} tiles are more than {MOST_TILES}", name="tile", given=(width, height))
    row = _repeated(cloud, 1, across, float(low[1]), float(high[1]))
    wall = _repeated(row, 2, up, float(low[2]), float(high[2]))
    middle = 0.5 * float(wall.points[:, 1].min() + wall.points[:, 1].max())
    wall = transformed(wall, np.eye(3), np.array([0.0, -middle, 0.0]))
    box = [[-np.inf, -0.5 * width, low[2]], [np.inf, 0.5 * width, low[2] + height]]
    return cropped(wall, box)


def _copies(size: float, tile: float, name: str) -> int:
    if not (np.isfinite(size) and size > 0.0):
        raise CloudError(f"{name} must be positive, not {size}", name=name, given=size)
    if tile <= 0.0:
        raise CloudError("a cloud without width or height cannot be tiled", name="tile", given=tile)
    # Half a per mille of rounding must not ask for another copy.
    return max(int(np.ceil(size / tile - 5e-4)), 1)


def _repeated(cloud: Cloud, axis: int, copies: int, low: float, high: float) -> Cloud:
    """Copies along an axis, the odd ones mirrored; points on a seam are kept once."""
    flip = np.eye(3)
    flip[axis, axis] = -1.0
    size = high - low
    pieces = [cloud]
    for k in range(1, copies):
        shift = np.zeros(3)
        shift[axis] = k * size if k % 2 == 0 else low + high + k * size
        piece = transformed(cloud, np.eye(3) if k % 2 == 0 else flip, shift)
        pieces.append(selected(piece, piece.points[:, axis] > low + k * size + 1e-9 * size))
    return joined(pieces)
