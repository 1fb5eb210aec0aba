"""Which way a hand or foot should face on a surface: axes for the limb's contact frame (REP-120)."""

from __future__ import annotations

from climbing_rig.maths import TINY, Vector, cross_product, frame_from_axes, length, unit

#: How much of "up the wall" the toes take besides pointing into it.
TOES_UP = 0.5
#: How much of "outwards along the wall" they take: it is what opens the knees.
TOES_OUT = 0.7
#: Normal's upward part at which a foot starts to lie flat and at which it does.
SLAB_STARTS, SLAB_ENDS = 0.3, 0.8


def hand_frame(normal: Vector, up: Vector, along: Vector) -> Vector:
    """Axes (3, 3) of a gripper: x into the wall, z (the fingers) along ``along`` as far as it lies in the wall.

    Args:
        normal: Unit normal out of the wall.
        up: Unit wall-up direction, used where ``along`` is square to the wall.
        along: Direction from shoulder to hold, any length.
    """
    tangent = along - normal * float(along @ normal)
    # Near square to the wall the projection is mostly noise: let wall-up in before it is.
    reliability = min(max((length(tangent) / max(length(along), TINY) - 0.15) / 0.20, 0.0), 1.0)
    fingers = reliability * unit(tangent) + (1.0 - reliability) * up
    return frame_from_axes(-normal, fingers if fingers.any() else up)


def foot_frame(normal: Vector, up: Vector, heading: Vector, side: float) -> Vector:
    """Axes (3, 3) of a sole: x (the toes) into a steep wall, somewhat up and outwards; flat on a slab or floor.

    Args:
        normal: Unit normal out of the wall.
        up: Unit wall-up direction.
        heading: Unit direction the climber faces, in map.
        side: -1 for a foot of the climber's left side, +1 for one of the right, 0 for one in the middle.
    """
    toes = unit(unit(-normal + (TOES_OUT * side) * cross_product(up, normal)) + TOES_UP * up)
    on_wall = frame_from_axes(toes, up)
    share = min(max((normal[2] - SLAB_STARTS) / (SLAB_ENDS - SLAB_STARTS), 0.0), 1.0)
    if share == 0.0:
        return on_wall
    forward = unit(up + heading)
    flat = forward - normal * float(forward @ normal)
    x = (1.0 - share) * on_wall[:, 0] + share * unit(flat if flat.any() else up)
    z = (1.0 - share) * on_wall[:, 2] + share * normal
    return frame_from_axes(x, z)
