"""Every layout a PointCloud2 may have, and those it may not."""

from __future__ import annotations

import copy
from array import array
from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from climbing_rig.errors import CloudError
from climbing_rig.wall import Wall
from climbing_rig.wall.pointcloud2 import DATATYPES, cloud_from_message

CODES = {code: number for number, code in DATATYPES.items()}


@dataclass
class Field:
    """The attributes of sensor_msgs/PointField."""

    name: str
    offset: int
    datatype: int
    count: int = 1


@dataclass
class Message:
    """The attributes of sensor_msgs/PointCloud2."""

    height: int
    width: int
    fields: list[Field]
    is_bigendian: bool
    point_step: int
    row_step: int
    data: object
    is_dense: bool = True
    header: object = field(default=None)


def message(
    points: np.ndarray,
    *,
    order: str = "xyz",
    code: str = "f4",
    height: int = 1,
    padding: int = 0,
    row_padding: int = 0,
    big: bool = False,
    extra: dict[str, np.ndarray] | None = None,
) -> Message:
    """Points as a message of the given layout, the gaps filled with rubbish."""
    columns = {axis: points[:, "xyz".index(axis)] for axis in order} | (extra or {})
    types = {name: code if name in "xyz" else values.dtype.str[1:] for name, values in columns.items()}
    offsets, step = {}, padding
    for name, kind in types.items():
        offsets[name] = step
        step += np.dtype(kind).itemsize + padding
    width = len(points) // height
    row_step = width * step + row_padding
    data = np.full(row_step * height, 0xA5, dtype=np.uint8)
    for name, values in columns.items():
        dtype = np.dtype((">" if big else "<") + types[name])
        view = np.ndarray((height, width), dtype, data, offsets[name], (row_step, step))
        view[:] = values.reshape(height, width)
    fields = [Field(name, offsets[name], CODES[types[name]]) for name in columns]
    return Message(height, width, fields, big, step, row_step, array("B", data.tobytes()))


def grid(count: int = 24) -> np.ndarray:
    return np.random.default_rng(1).uniform(-2.0, 2.0, (count, 3)).astype(np.float32).astype(np.float64)


@given(
    order=st.permutations("xyz").map("".join),
    code=st.sampled_from(["f4", "f8"]),
    height=st.sampled_from([1, 2, 6]),
    padding=st.integers(0, 5),
    row_padding=st.integers(0, 9),
    big=st.booleans(),
)
def test_every_layout_gives_the_same_points(order, code, height, padding, row_padding, big) -> None:
    points = grid()
    layout = message(points, order=order, code=code, height=height, padding=padding, row_padding=row_padding, big=big)
    np.testing.assert_array_equal(cloud_from_message(layout).points, points)


def test_a_big_endian_message_is_not_changed_by_reading_it_twice() -> None:
    points = grid()
    layout = message(points, big=True, row_padding=3)
    before = copy.deepcopy(layout)
    first, second = cloud_from_message(layout), cloud_from_message(layout)
    np.testing.assert_array_equal(first.points, points)
    np.testing.assert_array_equal(second.points, points)
    assert layout == before


def test_points_that_are_not_finite_are_dropped_and_counted_though_is_dense_is_true() -> None:
    points = grid()
    points[3, 0], points[7, 2], points[9] = np.nan, np.inf, -np.inf
    wall = Wall.from_pointcloud2(message(points, height=4))
    assert (len(wall), wall.dropped) == (21, 3)


@pytest.mark.parametrize("names", [("normal_x", "normal_y", "normal_z"), ("nx", "ny", "nz")])
def test_normals_and_labels_of_the_message_are_used(names: tuple[str, ...]) -> None:
    points = grid()
    label = (np.arange(24) % 3).astype(np.uint8)
    normals = dict(zip(names, np.tile(np.float32([[0], [0], [-2]]), 24), strict=True))
    cloud = cloud_from_message(message(points, extra={"label": label, **normals}))
    assert cloud.normals is not None and cloud.climbable is not None
    np.testing.assert_array_equal(cloud.normals, np.tile([0.0, 0.0, -1.0], (24, 1)))
    np.testing.assert_array_equal(cloud.climbable, label != 0)


@pytest.mark.parametrize("kind", [bytes, bytearray, list, lambda data: np.frombuffer(data, np.uint8)])
def test_data_may_be_any_kind_of_bytes(kind) -> None:
    points = grid()
    layout = message(points)
    layout.data = kind(layout.data)
    np.testing.assert_array_equal(cloud_from_message(layout).points, points)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"width": 0}, "empty"),
        ({"height": 0}, "empty"),
        ({"data": b""}, "0 bytes"),
        ({"data": bytes(24 * 12 - 1)}, "287 bytes"),
        ({"data": bytes(24 * 12 + 1)}, "289 bytes"),
        ({"data": "text"}, "not bytes"),
        ({"row_step": 5}, "row_step 5"),
        ({"fields": [Field("x", 0, 7), Field("y", 4, 7)]}, "no field z"),
        ({"fields": []}, "no field x or y or z"),
        ({"fields": [Field("x", 0, 7), Field("y", 4, 7), Field("z", 8, 99)]}, "not numeric"),
        ({"fields": [Field("x", 0, 7), Field("y", 4, 7), Field("z", 9, 7)]}, "a point has 12"),
        ({"fields": [Field("x", 0, 7, 3), Field("y", 4, 7), Field("z", 8, 7)]}, "3 values a point"),
    ],
)
def test_a_message_that_does_not_fit_is_refused_with_words(change: dict[str, object], words: str) -> None:
    layout = message(grid())
    for name, value in change.items():
        setattr(layout, name, value)
    with pytest.raises(CloudError, match=words):
        cloud_from_message(layout)


def test_a_message_of_nothing_finite_is_refused() -> None:
    with pytest.raises(CloudError, match="none finite"):
        cloud_from_message(message(np.full((6, 3), np.nan)))
