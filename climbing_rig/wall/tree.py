"""The surfels of a wall and the box tree over them: flat arrays that the compiled queries walk.

A surfel is a point, its unit normal and the radius of its influence. Surfels are stored along a Morton curve, four to
eight to a leaf, under a complete binary tree of boxes in heap order (root 1, children 2i and 2i+1), so a walk needs
neither pointers nor a stack. What a query answers does not depend on how the tree happens to split, only how fast it
answers.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

LEAF = 8
"""Most surfels in a leaf."""
REACH_PER_SPACING = 2.6
"""Radius of a surfel's influence on the blended surface, in local point spacings."""
DISC_PER_REACH = 1.6 / REACH_PER_SPACING
"""Radius of a surfel's own disc as a share of its reach. 1.6 spacings close the gaps of a fully jittered grid."""
_MORTON_BITS = 21


class SurfelTree(NamedTuple):
    """Surfels and boxes, coordinates relative to ``offset``.

    Attributes:
        surfels: (N, 8): x, y, z, normal x, y, z, reach (m), climbable (0 or 1).
        boxes: (2L, 7) for L leaves, a power of two: lowest x, y, z, highest x, y, z of the points, greatest reach.
            Row 0 is unused.
        offset: (3,), added to give the caller's coordinates.
    """

    surfels: NDArray[np.float64]
    boxes: NDArray[np.float64]
    offset: NDArray[np.float64]


def build_tree(
    points: NDArray[np.float64],
    normals: NDArray[np.float64],
    spacing: NDArray[np.float64],
    climbable: NDArray[np.bool_],
    offset: NDArray[np.float64],
) -> tuple[SurfelTree, NDArray[np.int64]]:
    """The tree over recentred points.

    Args:
        points: (N, 3), N >= 1, already relative to ``offset``.
        normals: (N, 3), unit.
        spacing: (N,), local point spacing, metres.
        climbable: (N,).
        offset: (3,).

    Returns:
        The tree, and the order in which it keeps the points (``surfels[i]`` is ``points[order[i]]``).
    """
    low = points.min(axis=0)
    extent = float((points.max(axis=0) - low).max())
    steps = (points - low) * ((2**_MORTON_BITS - 1) / extent if extent > 0.0 else 0.0)
    order = np.argsort(_morton(steps.astype(np.uint64)), kind="stable")
    surfels = np.empty((len(points), 8))
    surfels[:, 0:3] = points[order]
    surfels[:, 3:6] = normals[order]
    surfels[:, 6] = REACH_PER_SPACING * spacing[order]
    surfels[:, 7] = climbable[order]
    leaves = 1
    while leaves * LEAF < len(points):
        leaves *= 2
    boxes = np.empty((2 * leaves, 7))
    fill_boxes(surfels, boxes)
    return SurfelTree(surfels, boxes, np.ascontiguousarray(offset, dtype=np.float64)), order


def _morton(cells: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Interleave the bits of (N, 3) cell numbers into (N,) positions on the Morton curve."""
    code = np.zeros(len(cells), dtype=np.uint64)
    for axis in range(3):
        spread = cells[:, axis] & np.uint64(0x1FFFFF)
        for shift, mask in (
            (32, 0x1F00000000FFFF),
            (16, 0x1F0000FF0000FF),
            (8, 0x100F00F00F00F00F),
            (4, 0x10C30C30C30C30C3),
            (2, 0x1249249249249249),
        ):
            spread = (spread | (spread << np.uint64(shift))) & np.uint64(mask)
        code |= spread << np.uint64(axis)
    return code


@njit(cache=True)
def leaf_range(leaf: int, leaves: int, surfels: int) -> tuple[int, int]:
    """First and one past the last surfel of a leaf. Surfels are dealt out evenly, so that no leaf is empty."""
    return leaf * surfels // leaves, (leaf + 1) * surfels // leaves


@njit(cache=True, nogil=True)
def fill_boxes(surfels: NDArray[np.float64], boxes: NDArray[np.float64]) -> None:
    """Write the box of every node, leaves first."""
    leaves = boxes.shape[0] // 2
    boxes[:, 0:3] = np.inf
    boxes[:, 3:6] = -np.inf
    boxes[:, 6] = 0.0
    for leaf in range(leaves):
        node = leaves + leaf
        for i in range(*leaf_range(leaf, leaves, surfels.shape[0])):
            for axis in range(3):
                boxes[node, axis] = min(boxes[node, axis], surfels[i, axis])
                boxes[node, 3 + axis] = max(boxes[node, 3 + axis], surfels[i, axis])
            boxes[node, 6] = max(boxes[node, 6], surfels[i, 6])
    for node in range(leaves - 1, 0, -1):
        for axis in range(3):
            boxes[node, axis] = min(boxes[2 * node, axis], boxes[2 * node + 1, axis])
            boxes[node, 3 + axis] = max(boxes[2 * node, 3 + axis], boxes[2 * node + 1, 3 + axis])
        boxes[node, 6] = max(boxes[2 * node, 6], boxes[2 * node + 1, 6])
