"""Quaternions (x, y, z, w): products, ways between rotations, swing and twist, and limits that do not flip.

Every kernel writes into ``out``, which may be one of its arguments, and allocates nothing. A quaternion of no length
("no rotation yet") counts as no rotation; what is written has length one, so that a product kept from tick to tick does
not drift. q and -q are the same rotation: kernels that have a choice say which of the two they write.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray

from climbing_rig.maths import TINY

Vector = NDArray[np.float64]
Numbers = Vector | tuple[float, ...]
"""What is only read may be a tuple as well: a kernel makes one without allocating."""

SLACK = 1e-9
"""Radians beyond a limit that still count as on it: a limited rotation is not limited a second time."""


@njit(cache=True)
def write(x: float, y: float, z: float, w: float, out: Vector) -> None:
    """Writes a quaternion at length one; of no length, the one that turns nothing."""
    # hypot twice: squares of tiny components would underflow.
    length = math.hypot(math.hypot(x, y), math.hypot(z, w))
    if length <= TINY:
        out[0], out[1], out[2], out[3] = 0.0, 0.0, 0.0, 1.0
        return
    out[0], out[1], out[2], out[3] = x / length, y / length, z / length, w / length


@njit(cache=True)
def size(x: float, y: float, z: float) -> float:
    """Length of a vector, also of one whose squares would underflow."""
    return math.hypot(math.hypot(x, y), z)


@njit(cache=True)
def scalar(q: Numbers) -> float:
    """The fourth component, and that of no rotation for a quaternion of zeros."""
    return 1.0 if q[0] == 0.0 and q[1] == 0.0 and q[2] == 0.0 and q[3] == 0.0 else q[3]


@njit(cache=True)
def product(a: Numbers, b: Numbers, out: Vector) -> None:
    """Hamilton product: first ``b``, then ``a``."""
    ax, ay, az, aw = a[0], a[1], a[2], scalar(a)
    bx, by, bz, bw = b[0], b[1], b[2], scalar(b)
    write(
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
        out,
    )


@njit(cache=True)
def inverse(q: Numbers, out: Vector) -> None:
    """The turn back: the conjugate."""
    write(-q[0], -q[1], -q[2], q[3], out)


@njit(cache=True)
def turn(q: Numbers, v: Numbers, out: Vector) -> None:
    """Rotates a (3,) vector by a unit quaternion: v + 2 u x (u x v + w v), u the quaternion's first three."""
    x, y, z, w = q[0], q[1], q[2], q[3]
    vx, vy, vz = v[0], v[1], v[2]
    tx, ty, tz = y * vz - z * vy + w * vx, z * vx - x * vz + w * vy, x * vy - y * vx + w * vz
    out[0] = vx + 2.0 * (y * tz - z * ty)
    out[1] = vy + 2.0 * (z * tx - x * tz)
    out[2] = vz + 2.0 * (x * ty - y * tx)


@njit(cache=True)
def from_axis_angle(axis: Numbers, angle: float, out: Vector) -> bool:
    """Turn by ``angle`` (rad) about ``axis`` of any length; False, and no rotation, for an axis of none."""
    x, y, z = axis[0], axis[1], axis[2]
    length = size(x, y, z)
    if length <= TINY:
        write(0.0, 0.0, 0.0, 1.0, out)
        return False
    s = math.sin(0.5 * angle) / length
    write(x * s, y * s, z * s, math.cos(0.5 * angle), out)
    return True


@njit(cache=True)
def from_euler(roll: float, pitch: float, yaw: float, out: Vector) -> None:
    """Turns about the fixed axes x, y, z in this order, as in a URDF's rpy (rad)."""
    sr, cr = math.sin(0.5 * roll), math.cos(0.5 * roll)
    sp, cp = math.sin(0.5 * pitch), math.cos(0.5 * pitch)
    sy, cy = math.sin(0.5 * yaw), math.cos(0.5 * yaw)
    write(
        sr * cp * cy - cr * sp * sy,
        cr * sp * cy + sr * cp * sy,
        cr * cp * sy - sr * sp * cy,
        cr * cp * cy + sr * sp * sy,
        out,
    )


@njit(cache=True)
def to_euler(q: Numbers, out: Vector) -> None:
    """Roll, pitch, yaw (rad) of a quaternion; pitch in [-pi/2, pi/2], the others in [-pi, pi].

    From sums and differences of components, which keep all digits at a pitch of 90 degrees (Bernardes and Viollet
    2022). Upright, where only the sum or the difference of roll and yaw means anything, roll is 0.
    """
    x, y, z, w = q[0], q[1], q[2], scalar(q)
    low, high = math.hypot(w - y, x + z), math.hypot(w + y, z - x)
    half_sum, half_difference = math.atan2(x + z, w - y), math.atan2(z - x, w + y)
    if low <= 1e-12:
        half_sum = half_difference
    elif high <= 1e-12:
        half_difference = half_sum
    out[0] = wrapped(half_sum - half_difference)
    out[1] = 2.0 * math.atan2(high, low) - 0.5 * math.pi
    out[2] = wrapped(half_sum + half_difference)


@njit(cache=True)
def wrapped(angle: float) -> float:
    """The same direction as an angle in [-pi, pi] (rad)."""
    if -math.pi <= angle <= math.pi:
        return angle
    return angle - 2.0 * math.pi * math.floor((angle + math.pi) / (2.0 * math.pi))


@njit(cache=True)
def angle_between(a: Numbers, b: Numbers) -> float:
    """Angle (rad, 0 to pi) of the turn from one rotation to another; exact also where they nearly agree."""
    aw, bw = scalar(a), scalar(b)
    apart, together = (aw - bw) ** 2, (aw + bw) ** 2
    for i in range(3):
        apart += (a[i] - b[i]) ** 2
        together += (a[i] + b[i]) ** 2
    apart, together = math.sqrt(apart), math.sqrt(together)
    return 4.0 * math.atan2(min(apart, together), max(apart, together))


@njit(cache=True)
def slerp(a: Numbers, b: Numbers, share: float, out: Vector) -> None:
    """Rotation at ``share`` of the short way from ``a`` to ``b``, at constant speed (Shoemake 1985).

    Written on ``a``'s side: at 0 it is ``a`` itself, at 1 the one of b and -b that is nearer to ``a``. Half a turn
    apart both ways are equally long; the one that ``b`` is given for is taken.
    """
    aw, bw = scalar(a), scalar(b)
    sign = -1.0 if a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + aw * bw < 0.0 else 1.0
    apart, together = (aw - sign * bw) ** 2, (aw + sign * bw) ** 2
    for i in range(3):
        apart += (a[i] - sign * b[i]) ** 2
        together += (a[i] + sign * b[i]) ** 2
    angle = 2.0 * math.atan2(math.sqrt(apart), math.sqrt(together))
    first, second = 1.0 - share, share
    if angle > 1e-6:  # below, the chord is the arc to all digits
        first, second = math.sin((1.0 - share) * angle) / math.sin(angle), math.sin(share * angle) / math.sin(angle)
    second *= sign
    write(
        first * a[0] + second * b[0], first * a[1] + second * b[1],
        first * a[2] + second * b[2], first * aw + second * bw, out,
    )  # fmt: skip


@njit(cache=True)
def between(a: Numbers, b: Numbers, out: Vector) -> bool:
    """The shortest turn of direction ``a`` (3,) onto direction ``b``; False, and no rotation, if one has no length.

    Opposite directions have no shortest turn: it then is half a turn about an axis square to ``a``, always the same.
    """
    ax, ay, az, bx, by, bz = a[0], a[1], a[2], b[0], b[1], b[2]
    la, lb = size(ax, ay, az), size(bx, by, bz)
    if la <= TINY or lb <= TINY:
        write(0.0, 0.0, 0.0, 1.0, out)
        return False
    ax, ay, az, bx, by, bz = ax / la, ay / la, az / la, bx / lb, by / lb, bz / lb
    # Half-way vector: |a + b| is twice the cosine of half the angle, and keeps its digits where 1 + a.b loses them.
    together = math.sqrt((ax + bx) ** 2 + (ay + by) ** 2 + (az + bz) ** 2)
    if together > 1e-9:
        write(
            (ay * bz - az * by) / together, (az * bx - ax * bz) / together, (ax * by - ay * bx) / together,
            0.5 * together, out,
        )  # fmt: skip
    elif abs(ax) < 0.6:
        write(0.0, az, -ay, 0.0, out)
    elif abs(ay) < 0.6:
        write(-az, 0.0, ax, 0.0, out)
    else:
        write(ay, -ax, 0.0, 0.0, out)
    return True


@njit(cache=True)
def swing_twist(q: Numbers, axis: Numbers, swing: Vector, twist: Vector) -> float:
    """Takes a rotation apart: first ``twist`` about ``axis``, then ``swing`` about an axis square to it.

    Args:
        q: (4,) rotation.
        axis: (3,) of any length but none.
        swing: (4,) written, w >= 0.
        twist: (4,) written, on the side of ``q`` (so that swing times twist is q, not -q).

    Returns:
        The twist's angle (rad) in [-pi, pi]. A swing of exactly half a turn leaves it open: it is 0 then.
    """
    x, y, z, w = q[0], q[1], q[2], scalar(q)
    axis_length = size(axis[0], axis[1], axis[2])
    ax, ay, az = axis[0] / axis_length, axis[1] / axis_length, axis[2] / axis_length
    along = x * ax + y * ay + z * az
    length = math.hypot(along, w)
    c, s = (w / length, along / length) if length > TINY else (1.0, 0.0)
    # swing = q times the twist back
    bx, by, bz = -s * ax, -s * ay, -s * az
    write(
        w * bx + x * c + y * bz - z * by,
        w * by - x * bz + y * c + z * bx,
        w * bz + x * by - y * bx + z * c,
        w * c - x * bx - y * by - z * bz,
        swing,
    )
    write(s * ax, s * ay, s * az, c, twist)
    return 2.0 * (math.atan2(-s, -c) if c < 0.0 else math.atan2(s, c))


@njit(cache=True)
def limit(q: Numbers, rest: Numbers, axis: Numbers, cone: float, low: float, high: float, out: Vector) -> bool:
    """The rotation within limits that a rotation comes to when swing and twist are each brought to their nearest limit.

    Swing and twist are those of ``q`` as seen from ``rest``. No angle is measured about three axes, so nothing flips at
    a pitch of 90 degrees; the twist is measured from the middle of its range the short way round, so that a range
    across half a turn (170 to 190 degrees) is passed without a jump. Two places are left where nearest has two answers:
    a twist half a turn from the middle of its range takes the upper limit, just beyond it the lower one is nearest; and
    at a swing of half a turn the direction of the twist is open (it counts as 0 there).

    Args:
        q: (4,) rotation.
        rest: (4,) rotation that neither swings nor twists.
        axis: (3,) of any length but none, in the frame that ``q`` turns: about it is twist.
        cone: Most swing (rad); pi or more limits nothing.
        low: Least twist (rad).
        high: Most twist; 2 pi above ``low`` or more limits nothing.
        out: (4,) written, on the side of ``q``.

    Returns:
        Whether it was changed.
    """
    rx, ry, rz, rw = rest[0], rest[1], rest[2], scalar(rest)
    axis_length = size(axis[0], axis[1], axis[2])
    ax, ay, az = axis[0] / axis_length, axis[1] / axis_length, axis[2] / axis_length
    write(q[0], q[1], q[2], q[3], out)
    x, y, z, w = out[0], out[1], out[2], out[3]
    # (x, y, z, w) = rest back, times q
    x, y, z, w = (
        rw * x - rx * w - ry * z + rz * y,
        rw * y + rx * z - ry * w - rz * x,
        rw * z - rx * y + ry * x - rz * w,
        rw * w + rx * x + ry * y + rz * z,
    )
    along = x * ax + y * ay + z * az
    length = math.hypot(along, w)
    c, s = (w / length, along / length) if length > TINY else (1.0, 0.0)
    # The swing's vector part, square to the axis; its scalar part is ``length``.
    px, py, pz = x - along * ax, y - along * ay, z - along * az
    sx = c * px - s * (py * az - pz * ay)
    sy = c * py - s * (pz * ax - px * az)
    sz = c * pz - s * (px * ay - py * ax)
    sine = size(sx, sy, sz)
    swing = 2.0 * math.atan2(sine, length)
    twist = 2.0 * (math.atan2(-s, -c) if c < 0.0 else math.atan2(s, c))
    middle, half = 0.5 * (low + high), 0.5 * (high - low)
    off = wrapped(twist - middle)
    if off <= -math.pi + 1e-15:
        off = math.pi
    over_swing, over_twist = swing > cone + SLACK, abs(off) > half + SLACK
    if not over_swing and not over_twist:
        return False
    if over_swing:
        scale = math.sin(0.5 * cone) / sine
        sx, sy, sz, length = sx * scale, sy * scale, sz * scale, math.cos(0.5 * cone)
    if over_twist:
        angle = middle + math.copysign(half, off)
        s, c = math.sin(0.5 * angle), math.cos(0.5 * angle)
    # (x, y, z, w) = swing times twist
    tx, ty, tz = s * ax, s * ay, s * az
    x, y, z, w = (
        length * tx + sx * c + sy * tz - sz * ty,
        length * ty - sx * tz + sy * c + sz * tx,
        length * tz + sx * ty - sy * tx + sz * c,
        length * c - sx * tx - sy * ty - sz * tz,
    )
    # ... and rest times that
    x, y, z, w = (
        rw * x + rx * w + ry * z - rz * y,
        rw * y - rx * z + ry * w + rz * x,
        rw * z + rx * y - ry * x + rz * w,
        rw * w - rx * x - ry * y - rz * z,
    )
    if x * out[0] + y * out[1] + z * out[2] + w * out[3] < 0.0:
        x, y, z, w = -x, -y, -z, -w
    write(x, y, z, w, out)
    return True


def warm_up() -> None:
    """Compiles every kernel of this module that is called from Python, or loads it from the cache."""
    a, b = np.array([0.0, 0.0, 0.0, 1.0]), np.array([1.0, 0.0, 0.0, 0.0])
    x, out, other = np.array([1.0, 0.0, 0.0]), np.empty(4), np.empty(4)
    product(a, b, out)
    inverse(a, out)
    turn(a, x, np.empty(3))
    from_axis_angle(x, 0.1, out)
    from_euler(0.1, 0.2, 0.3, out)
    to_euler(a, np.empty(3))
    angle_between(a, b)
    slerp(a, b, 0.5, out)
    between(x, x, out)
    swing_twist(a, x, out, other)
    limit(a, b, x, 1.0, -1.0, 1.0, out)
