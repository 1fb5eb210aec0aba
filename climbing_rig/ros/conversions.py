"""Messages from the climber's state and back: free functions, and message objects that are filled again every tick.

A message is published before it is filled again, so one object per topic serves for ever; all messages of a tick share
one stamp object. Poses are in map unless said otherwise; quaternions are (x, y, z, w).
"""

from __future__ import annotations

import array
import math
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from builtin_interfaces.msg import Time
from geometry_msgs.msg import PoseStamped, Transform, TransformStamped, Twist, TwistStamped, Wrench
from sensor_msgs.msg import JointState, MultiDOFJointState

from climbing_rig.errors import CommandError
from climbing_rig.limbs.phases import Phase
from climbing_rig.maths import Vector, matrix_from_quaternion, quaternion_from_matrix
from climbing_rig.ros.interfaces import TFMessage
from climbing_rig.ros.requests import AUTOMATIC, Goal, Move
from climbing_rig.ros.stamps import SECOND
from climbing_rig.state import ClimberState, LimbState


class RigidTransform:
    """A pose of one frame in another.

    Attributes:
        rotation: (3, 3).
        translation: (3,), metres.
    """

    def __init__(self, rotation: Vector, translation: Vector) -> None:
        self.rotation = rotation
        self.translation = translation

    @classmethod
    def from_xyz_rpy(cls, values: Sequence[float]) -> RigidTransform:
        """From x y z (metres) and roll pitch yaw (radians, about fixed axes, as in a URDF)."""
        x, y, z, roll, pitch, yaw = values
        cr, sr, cp, sp, cy, sy = (f(a) for a in (roll, pitch, yaw) for f in (math.cos, math.sin))
        rotation = np.array(
            [
                [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
                [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
                [-sp, cp * sr, cp * cr],
            ]
        )
        return cls(rotation, np.array([x, y, z], dtype=np.float64))

    def inverse(self) -> RigidTransform:
        """The pose of the other frame in the one."""
        return RigidTransform(self.rotation.T.copy(), -self.rotation.T @ self.translation)

    def apply(self, points: Vector) -> Vector:
        """Points (..., 3) of the inner frame in the outer one."""
        return points @ self.rotation.T + self.translation

    @property
    def quaternion(self) -> Vector:
        """(x, y, z, w)."""
        out = np.empty(4)
        quaternion_from_matrix(self.rotation, out)
        return out


def set_stamp(stamp: Time, nanoseconds: int) -> None:
    """Writes a time into a stamp, in place."""
    stamp.sec, stamp.nanosec = divmod(nanoseconds, SECOND)


def nanoseconds(stamp: Time) -> int:
    """A stamp as one number."""
    return int(stamp.sec) * SECOND + int(stamp.nanosec)


def set_transform(transform: Transform, position: Vector, orientation: Vector) -> None:
    """Writes position (3,) and quaternion (4,) into a transform, in place."""
    to, turn = transform.translation, transform.rotation
    to.x, to.y, to.z = position.tolist()
    turn.x, turn.y, turn.z, turn.w = orientation.tolist()


# -- out: one object each, filled every tick --------------------------------------------------------------------------


def joint_state_message(names: Sequence[str], stamp: Time) -> JointState:
    """An empty JointState of these joints that shares ``stamp``."""
    message = JointState(name=list(names), position=array.array("d", bytes(8 * len(names))))
    message.header.stamp = stamp
    return message


def fill_joint_state(message: JointState, state: ClimberState) -> None:
    """Writes the joints' positions, in the order of ``state.joints``."""
    message.position = array.array("d", state.joints.values())


def transform_message(frame: str, children: Iterable[str], stamp: Time) -> TFMessage:
    """A TFMessage of frames in ``frame``, identities for now, that shares ``stamp``."""
    transforms = []
    for child in children:
        transform = TransformStamped(child_frame_id=child)
        transform.header.frame_id = frame
        transform.header.stamp = stamp
        transforms.append(transform)
    return TFMessage(transforms=transforms)


class LimbPoses:
    """A MultiDOFJointState of some of the limbs, made of parts that are kept: ~/contacts or ~/tips.

    Args:
        limbs: All limbs.
        frame: Frame of the poses.
        stamp: The tick's stamp object, shared.
        locked: True for the contacts of the LOCKED limbs, False for the tip targets of the others.
    """

    def __init__(self, limbs: Iterable[str], frame: str, stamp: Time, *, locked: bool) -> None:
        self.message = MultiDOFJointState()
        self.message.header.frame_id = frame
        self.message.header.stamp = stamp
        self._locked = locked
        self._transforms = {limb: Transform() for limb in limbs}
        self._still, self._no_force = Twist(), Wrench()

    def fill(self, limbs: Mapping[str, LimbState]) -> MultiDOFJointState:
        """Writes the limbs that belong here; the wrench is zero, as nothing estimates forces."""
        names = [name for name, limb in limbs.items() if (limb.phase is Phase.LOCKED) == self._locked]
        for name in names:
            limb = limbs[name]
            set_transform(self._transforms[name], self._position(limb), limb.orientation)
        message = self.message
        message.joint_names = names
        message.transforms = [self._transforms[name] for name in names]
        message.twist = [self._still] * len(names)
        message.wrench = [self._no_force] * len(names)
        return message

    def _position(self, limb: LimbState) -> Vector:
        wished = limb.contact if self._locked else limb.target
        return limb.tip if wished is None else wished


class BaseInOdom:
    """The root link in odom from the root link in map.

    Args:
        map_to_odom: Pose of odom in map.
    """

    def __init__(self, map_to_odom: RigidTransform) -> None:
        self._odom_from_map = map_to_odom.inverse()
        self._same = bool((map_to_odom.rotation == np.eye(3)).all() and not np.asarray(map_to_odom.translation).any())
        self._rotation, self._product, self._quaternion = np.empty((3, 3)), np.empty((3, 3)), np.empty(4)

    def fill(self, transform: Transform, state: ClimberState) -> None:
        """Writes it into ``transform``."""
        base = state.base
        if self._same:  # bit for bit what the climber says
            set_transform(transform, base.position, base.orientation)
            return
        matrix_from_quaternion(base.orientation, self._rotation)
        np.matmul(self._odom_from_map.rotation, self._rotation, out=self._product)
        quaternion_from_matrix(self._product, self._quaternion)
        set_transform(transform, self._odom_from_map.apply(base.position), self._quaternion)


# -- in ---------------------------------------------------------------------------------------------------------------


def move_from_twist(message: TwistStamped, now: int, timeout: float, limbs: Sequence[str]) -> Move:
    """A limb command.

    Args:
        message: frame_id is the limb (empty: automatic choice), linear.x right, linear.y up.
        now: Nanoseconds of the node's clock.
        timeout: Age at which a command is stale, seconds; also how far ahead of the clock a stamp may be.
        limbs: The limbs there are.

    Raises:
        CommandError: Unknown limb, not finite, no stamp, stale, or from the future.
    """
    limb = message.header.frame_id
    if limb != AUTOMATIC and limb not in limbs:
        raise CommandError(f"limb_cmds: unknown limb '{limb}'", name=limb, given=limb, choices=limbs)
    linear, angular = message.twist.linear, message.twist.angular
    for name, part in (("linear", linear), ("angular", angular)):
        for axis in ("x", "y", "z"):
            value = getattr(part, axis)
            if not math.isfinite(value):
                raise CommandError(f"limb_cmds: {name}.{axis} is {value}: not finite", name=limb, given=value)
    stamp = nanoseconds(message.header.stamp)
    if stamp == 0:
        raise CommandError("limb_cmds: the command has no stamp; set header.stamp to the time it is sent", name=limb)
    age = (now - stamp) / SECOND
    if age > timeout:
        raise CommandError(f"limb_cmds: the command is stale: {age:.3f} s old, at most {timeout:g} s", name=limb)
    if age < -timeout:
        raise CommandError(f"limb_cmds: the command's stamp is {-age:.3f} s in the future", name=limb)
    return Move(limb, float(linear.x), float(linear.y), min(stamp, now))


def goal_from_pose(message: PoseStamped, limb: str, map_frame: str, odom: Mapping[str, RigidTransform]) -> Goal:
    """A goal for a limb; the pose's orientation is not used.

    Args:
        message: Its position, in map or in another frame of ``odom``.
        limb: Whose goal.
        map_frame: The frame goals are wanted in.
        odom: Other frames that are known -> their pose in map.

    Raises:
        CommandError: Another frame, or not finite.
    """
    frame = message.header.frame_id
    at = message.pose.position
    position = np.array([at.x, at.y, at.z], dtype=np.float64)
    if not np.isfinite(position).all():
        raise CommandError(f"{limb}/goal: the position {position.tolist()} is not finite", name=limb)
    if frame in odom:
        position = odom[frame].apply(position)
    elif frame != map_frame:
        raise CommandError(
            f"{limb}/goal: frame '{frame}' is not known", name=limb, given=frame, choices=(map_frame, *odom)
        )
    return Goal(limb, (float(position[0]), float(position[1]), float(position[2])))
