"""A limit on how far a bone swings and twists, narrower than its joints' own."""

from __future__ import annotations

from typing import Any

from numba import njit
from numpy.typing import NDArray

from climbing_rig.maths import compose, matrix_from_quaternion, quaternion_from_matrix
from climbing_rig.rig.skeleton import GROUP, Skeleton, bone_axes
from climbing_rig.rig.turning import axis_angle, set_bone_axes, transposed_product
from climbing_rig.rotations import limit

Array = NDArray[Any]


@njit(cache=True)
def limit_rotation(
    skeleton: Skeleton, bone: int, axis: Array, swing: float, low: float, high: float, propagate: bool
) -> tuple[bool, float]:
    """Brings a bone back within a cone and a range of twist.

    Both are measured from the bone's initial rotation: how it is held by the bone before it when its joints are neutral
    (zero, or as near to it as their limits let).

    Args:
        skeleton: The robot; its proposal is changed.
        bone: The bone; one without joints that turn it is never limited.
        axis: (3,) of any length but none, in the bone's frame: twist is about it, swing moves it.
        swing: Most swing, rad.
        low: Least twist, rad.
        high: Most twist, rad.
        propagate: Whether what hangs from the bone turns along.

    Returns:
        Whether it was outside, and the radians that its joints cannot do of the way back (with fewer than three it may
        stay that far outside).
    """
    body = skeleton.bone_body[bone]
    first = skeleton.group[body, 0]
    if first < 0:
        return False, 0.0
    own, wished, relative, initial = skeleton.work[14], skeleton.work[15], skeleton.work[0], skeleton.work[13]
    bone_axes(skeleton, bone, own)
    base = skeleton.rotations[skeleton.tree.parent[first]]
    transposed_product(base, own, relative)
    _initial(skeleton, bone, initial)
    # Quaternions lie in what is no longer needed of the matrices.
    quaternions = own
    now, rest, kept = quaternions.reshape(9)[:4], wished.reshape(9)[:4], quaternions.reshape(9)[4:8]
    quaternion_from_matrix(relative, now)
    quaternion_from_matrix(initial, rest)
    if not limit(now, rest, axis, swing, low, high, kept):
        return False, 0.0
    matrix_from_quaternion(kept, relative)
    compose(base, relative, wished)
    return True, set_bone_axes(skeleton, bone, wished, propagate)


@njit(cache=True)
def _initial(skeleton: Skeleton, bone: int, out: Array) -> None:
    """Axes (3, 3) of a bone in the one before it when the joints between them are neutral; uses ``work[15]``."""
    tree, other, turn = skeleton.tree, skeleton.work[15], skeleton.work[1]
    body = skeleton.bone_body[bone]
    for i in range(3):
        for j in range(3):
            out[i, j] = 1.0 if i == j else 0.0
    for k in range(GROUP):
        b = skeleton.group[body, k]
        if b >= 0:
            j = tree.dof[b]
            neutral = min(max(0.0, skeleton.lower[j]), skeleton.upper[j])
            axis_angle(tree.axis[b], tree.multiplier[b] * neutral + tree.offset[b], turn)
            compose(out, tree.origin_rotation[b], other)
            compose(other, turn, out)
    compose(out, skeleton.bone_rotation[bone], other)
    out[:] = other
