"""sensor_msgs/PointCloud2 without ROS: any object with the message's attributes will do, and none is changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from climbing_rig.errors import CloudError
from climbing_rig.wall.cloud import Cloud
from climbing_rig.wall.records import CLIMBABLE_NAMES, NORMAL_NAMES, cloud_from_columns


class PointField(Protocol):
    """sensor_msgs/PointField."""

    name: str
    offset: int
    datatype: int
    count: int


class PointCloud2(Protocol):
    """What is read of sensor_msgs/PointCloud2. ``is_dense`` is not believed."""

    height: int
    width: int
    fields: Sequence[Any]
    is_bigendian: bool
    point_step: int
    row_step: int
    data: Any


DATATYPES = {1: "i1", 2: "u1", 3: "i2", 4: "u2", 5: "i4", 6: "u4", 7: "f4", 8: "f8"}
"""PointField.datatype -> numpy code without byte order."""

_WANTED = {"x", "y", "z", *CLIMBABLE_NAMES, *(field for names in NORMAL_NAMES for field in names)}


def cloud_from_message(message: PointCloud2, name: str = "PointCloud2") -> Cloud:
    """Decode a PointCloud2: fields in any order and of any numeric type, padded points and rows, either byte order.

    Args:
        message: The message; only read.
        name: The topic, for errors.

    Returns:
        Its finite points, with normals (``normal_x`` …) and ``climbable`` or ``label`` when the message has them.

    Raises:
        CloudError: No points, no x, y or z, a size that does not fit, or a field that is not numeric.
    """
    width, height = int(message.width), int(message.height)
    if width * height == 0:
        raise CloudError(f"{name}: the cloud is empty (width {width}, height {height})", name=name, given="0 points")
    data = _bytes(message.data, name)
    point_step, row_step = int(message.point_step), int(message.row_step)
    if row_step < width * point_step:
        raise CloudError(
            f"{name}: row_step {row_step} is less than width {width} times point_step {point_step}",
            name=name,
            given=row_step,
        )
    if len(data) != row_step * height:
        raise CloudError(
            f"{name}: data has {len(data)} bytes, row_step {row_step} times height {height} is {row_step * height}",
            name=name,
            given=len(data),
        )
    order = ">" if message.is_bigendian else "<"
    columns: dict[str, NDArray[np.generic]] = {}
    for field in message.fields:
        if field.name.lower() not in _WANTED:
            continue
        dtype = _dtype(field, order, point_step, name)
        view = np.ndarray((height, width), dtype, data, int(field.offset), (row_step, point_step))
        columns[field.name] = view.reshape(-1)
    return cloud_from_columns(columns, name)


def _dtype(field: PointField, order: str, point_step: int, name: str) -> np.dtype[Any]:
    if field.datatype not in DATATYPES:
        raise CloudError(
            f"{name}: field {field.name!r} has datatype {field.datatype}, which is not numeric",
            name=field.name,
            given=field.datatype,
            choices=[str(code) for code in DATATYPES],
        )
    dtype = np.dtype(order + DATATYPES[field.datatype])
    if field.count > 1:
        raise CloudError(
            f"{name}: field {field.name!r} has {field.count} values a point, not 1", name=field.name, given=field.count
        )
    if field.offset + dtype.itemsize > point_step:
        raise CloudError(
            f"{name}: field {field.name!r} ends at byte {field.offset + dtype.itemsize}, a point has {point_step}",
            name=field.name,
            given=field.offset,
        )
    return dtype


def _bytes(data: Any, name: str) -> NDArray[np.uint8]:
    """The message's bytes as a read-only view (a copy when they come as a list)."""
    try:
        view = np.frombuffer(data, dtype=np.uint8)
    except (TypeError, ValueError, BufferError):
        try:
            view = np.asarray(data, dtype=np.uint8).reshape(-1)
        except (TypeError, ValueError, OverflowError):
            raise CloudError(f"{name}: data is not bytes", name=name, given=type(data).__name__) from None
    view = view.view()
    view.flags.writeable = False
    return view
