"""From a file's units and axes to ``map``: scale, up-axis, standing upright, thinning, tiling, pose, crop."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from climbing_rig.errors import CloudError
from climbing_rig.wall.cloud import Cloud
from climbing_rig.wall.editing import cropped, floats, thinned, transformed
from climbing_rig.wall.normals import estimate_normals, neighbourhoods
from climbing_rig.wall.tile import mirror_tile

AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}
UP_NAMES = tuple(sign + axis for sign in ("", "-") for axis in AXES)
"""Names of the axis that points up."""

Up = str | Sequence[float]


@dataclass(frozen=True)
class Placement:
    """What is done to a cloud before it becomes a wall, in this order.

    Attributes:
        scale: Factor to metres.
        up: Axis of the file that points up: "x" to "-z", or a vector; it is turned to +z the shortest way.
        stand: Stand it upright before a climber who looks along +x: mean normal to -x, its upward direction kept
            upward, lower edge at z = 0, middle at y = 0, mean depth at x = 0.
        thin: Cell size, metres: the points of a cell become their mean. 0: all points are kept.
        tile: (width, height), metres: repeat the standing cloud with its mirror images up to this size.
        pose: (x, y, z) or (x, y, z, qx, qy, qz, qw) of the cloud's frame in ``map``.
        crop: ((x, y, z), (x, y, z)): keep what lies in this box, in ``map``.
    """

    scale: float = 1.0
    up: Up = "z"
    stand: bool = False
    thin: float = 0.0
    tile: Sequence[float] | None = None
    pose: Sequence[float] | None = None
    crop: Sequence[Sequence[float]] | None = None

    def apply(self, cloud: Cloud, name: str = "cloud") -> Cloud:
        """The placed cloud.

        Raises:
            CloudError: An option makes no sense, or nothing is left inside ``crop``.
        """
        if not (np.isfinite(self.scale) and self.scale > 0.0):
            raise CloudError(f"scale must be positive, not {self.scale}", name="scale", given=self.scale)
        if not (np.isfinite(self.thin) and self.thin >= 0.0):
            raise CloudError(f"thin must be >= 0, not {self.thin}", name="thin", given=self.thin)
        turn = up_rotation(self.up)
        if self.scale != 1.0 or not np.array_equal(turn, np.eye(3)):
            cloud = transformed(cloud, self.scale * turn, np.zeros(3))
        if self.stand:
            cloud = stood_upright(cloud)
        if self.thin > 0.0:
            cloud = thinned(cloud, self.thin)
        if self.tile is not None:
            size = floats(self.tile, "tile")
            if size.shape != (2,):
                raise CloudError("tile must be a width and a height", name="tile", given=self.tile)
            cloud = mirror_tile(cloud, float(size[0]), float(size[1]))
        if self.pose is not None:
            cloud = transformed(cloud, *_pose(self.pose))
        if self.crop is not None:
            cloud = cropped(cloud, self.crop, name)
        return cloud


def up_rotation(up: Up) -> NDArray[np.float64]:
    """(3, 3) shortest rotation that takes the named or given axis to +z; half a turn goes about x.

    Raises:
        CloudError: Not an axis.
    """
    if isinstance(up, str):
        if up not in UP_NAMES:
            raise CloudError(f"up cannot be {up!r}", name="up", given=up, choices=UP_NAMES)
        axis = np.array(AXES[up[-1]]) * (-1.0 if up[0] == "-" else 1.0)
    else:
        axis = floats(up, "up")
        length = float(np.linalg.norm(axis)) if axis.shape == (3,) else 0.0
        if not (np.isfinite(length) and length > 0.0):
            raise CloudError(f"up must be an axis or a vector, not {up!r}", name="up", given=up, choices=UP_NAMES)
        axis = axis / length
    x, y, z = axis
    across = x * x + y * y
    if z < 0.0 and across < 1e-24:
        return np.diag([1.0, -1.0, -1.0])
    # 1 / (1 + z), which loses its digits near -z, where (1 + z) (1 - z) = x^2 + y^2 keeps them.
    k = 1.0 / (1.0 + z) if z >= 0.0 else (1.0 - z) / across
    return np.array([[1.0 - k * x * x, -k * x * y, -x], [-k * x * y, 1.0 - k * y * y, -y], [x, y, z]])


def stood_upright(cloud: Cloud) -> Cloud:
    """The cloud turned to face -x and set down at z = 0, centred on y = 0; see ``Placement.stand``."""
    normals = cloud.normals
    if normals is None:
        _, indices = neighbourhoods(cloud.points)
        normals = estimate_normals(cloud.points, indices, cloud.viewpoint)
    out = normals.mean(axis=0)
    if np.linalg.norm(out) < 1e-6:
        raise CloudError("a cloud that faces all ways cannot be stood upright", name="stand")
    out = out / np.linalg.norm(out)
    # The wall's own up: its plane's direction closest to +z; of a level one, +y.
    vertical = np.array(AXES["z"] if abs(out[2]) < 0.999 else AXES["y"])
    rise = vertical - out * (vertical @ out)
    rise = rise / np.linalg.norm(rise)
    turn = np.stack([-out, np.cross(out, rise), rise])
    upright = transformed(cloud, turn, np.zeros(3))
    low, high = upright.points.min(axis=0), upright.points.max(axis=0)
    shift = -np.array([upright.points[:, 0].mean(), 0.5 * (low[1] + high[1]), low[2]])
    return transformed(upright, np.eye(3), shift)


def _pose(values: Sequence[float]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    numbers = floats(values, "pose")
    if numbers.shape not in ((3,), (7,)) or not np.isfinite(numbers).all():
        raise CloudError("pose must be x, y, z or x, y, z, qx, qy, qz, qw", name="pose", given=values)
    if len(numbers) == 3:
        return np.eye(3), numbers
    length = float(np.linalg.norm(numbers[3:]))
    if length < 1e-6:
        raise CloudError("pose has a quaternion of length 0", name="pose", given=values)
    x, y, z, w = numbers[3:] / length
    rotation = np.array(
        [
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - z * w), 2.0 * (x * z + y * w)],
            [2.0 * (x * y + z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - x * w)],
            [2.0 * (x * z - y * w), 2.0 * (y * z + x * w), 1.0 - 2.0 * (x * x + y * y)],
        ]
    )
    return rotation, numbers[:3]
