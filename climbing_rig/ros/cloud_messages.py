"""A cloud as a PointCloud2 message."""

from __future__ import annotations

import array
import sys

import numpy as np
from builtin_interfaces.msg import Time
from sensor_msgs.msg import PointCloud2, PointField

from climbing_rig.wall.cloud import Cloud

FAR = 1000.0
"""Metres from the origin beyond which float32 loses millimetres, and coordinates are sent as float64."""


def message_from_cloud(cloud: Cloud, frame: str, stamp: Time) -> PointCloud2:
    """x, y, z, the normals if there are any, and ``climbable`` if not all of it is.

    Args:
        cloud: Points in ``frame``.
        frame: Its name.
        stamp: The message's stamp.
    """
    wide = bool(np.abs(cloud.points).max() > FAR)
    fields: list[tuple[str, str]] = [(axis, "f8" if wide else "f4") for axis in "xyz"]
    if cloud.normals is not None:
        fields += [(f"normal_{axis}", "f4") for axis in "xyz"]
    if cloud.climbable is not None and not cloud.climbable.all():
        fields.append(("climbable", "u1"))
    records = np.zeros(len(cloud), dtype=fields)
    for column, axis in enumerate("xyz"):
        records[axis] = cloud.points[:, column]
        if cloud.normals is not None:
            records[f"normal_{axis}"] = cloud.normals[:, column]
    if "climbable" in (records.dtype.names or ()):
        records["climbable"] = cloud.climbable

    message = PointCloud2(height=1, width=len(cloud), is_bigendian=sys.byteorder == "big", is_dense=True)
    message.header.frame_id = frame
    message.header.stamp = stamp
    datatypes = {"f4": PointField.FLOAT32, "f8": PointField.FLOAT64, "u1": PointField.UINT8}
    message.fields = [
        PointField(name=name, offset=int(records.dtype.fields[name][1]), datatype=datatypes[code], count=1)  # type: ignore[index]
        for name, code in fields
    ]
    message.point_step = records.dtype.itemsize
    message.row_step = records.nbytes
    message.data = array.array("B", records.tobytes())
    return message
