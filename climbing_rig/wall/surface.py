"""The wall the climber knows: built once from a cloud, then only asked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from climbing_rig.errors import CommandError
from climbing_rig.wall import kernels
from climbing_rig.wall.answers import Hit, Hits, Near, Nears, Touch, Vector
from climbing_rig.wall.cloud import Cloud, checked_cloud
from climbing_rig.wall.normals import estimate_normals, local_spacing, neighbourhoods
from climbing_rig.wall.pointcloud2 import PointCloud2, cloud_from_message
from climbing_rig.wall.tree import SurfelTree, build_tree


class Wall:
    """A surface made of points, in the caller's coordinates (metres, float64).

    Attributes:
        points, normals: (N, 3), read-only.
        climbable: (N,) bool, read-only.
        bounds: (2, 3), lowest and highest coordinates.
        spacing: Median point spacing, metres.
        offset: (3,) taken off inside, so that large coordinates stay exact.
        dropped: How many points of the input were not finite.
        oriented: Whether it is known which side of the surface is out: from given normals or from a viewpoint.
    """

    def __init__(self, cloud: Cloud) -> None:
        low, high = cloud.points.min(axis=0), cloud.points.max(axis=0)
        self.offset: Vector = 0.5 * (low + high)
        self.bounds: Vector = np.stack([low, high])
        self.dropped: int = cloud.dropped
        self.oriented: bool = cloud.normals is not None or cloud.viewpoint is not None
        local, kept = _distinct(cloud.points - self.offset)
        distances, indices = neighbourhoods(local)
        spacing = local_spacing(distances, indices)
        if cloud.normals is None:
            eye = None if cloud.viewpoint is None else cloud.viewpoint - self.offset
            normals = estimate_normals(local, indices, eye)
        else:
            normals = cloud.normals[kept]
        climbable = np.ones(len(kept), dtype=np.bool_) if cloud.climbable is None else cloud.climbable[kept]
        self.spacing: float = float(np.median(spacing))
        # A copy: a read-only array is another type to a kernel, one that nothing has warmed up.
        self.tree: SurfelTree
        self.tree, order = build_tree(local, normals, spacing, climbable, self.offset.copy())
        kept = kept[order]
        self.points: Vector = cloud.points[kept]
        self.normals: Vector = normals[order]
        self.climbable: NDArray[np.bool_] = climbable[order]
        for array in (self.offset, self.bounds, self.points, self.normals, self.climbable):
            array.flags.writeable = False

    def __len__(self) -> int:
        return len(self.points)

    def __repr__(self) -> str:
        size = " x ".join(f"{side:.2f}" for side in self.bounds[1] - self.bounds[0])
        return f"Wall({len(self)} points, {size} m, spacing {self.spacing * 1000.0:.1f} mm)"

    @classmethod
    def from_points(
        cls,
        points: ArrayLike,
        normals: ArrayLike | None = None,
        climbable: ArrayLike | None = None,
        viewpoint: ArrayLike | None = None,
    ) -> Wall:
        """A wall from array-likes.

        Args:
            points: (N, 3) metres; rows that are not finite are dropped and counted.
            normals: (N, 3) out of the wall; estimated when missing.
            climbable: (N,) what may be gripped; all of it when missing.
            viewpoint: (3,) where the sensor stood: decides the side of estimated normals.

        Raises:
            CloudError: Wrong shapes or types, or no finite point.
        """
        return cls(checked_cloud(points, normals, climbable, viewpoint))

    @classmethod
    def from_file(cls, path: str | Path, **options: Any) -> Wall:
        """A wall from a .ply, .pcd, .las, .laz, .npy, .mat, .stl or .obj file.

        Args:
            path: Looked for in the working folder, then in the package's share.
            **options: scale, up, stand, tile, pose, crop, thin: see ``Placement``.

        Raises:
            CloudError: The file or an option is wrong.
            ConfigError: There is no such file.
        """
        # The readers bring mesh and LAS libraries, which a wall from points need not wait for.
        from climbing_rig.wall.spec import read_placed

        return cls(read_placed(str(path), **options))

    @classmethod
    def from_spec(cls, text: str) -> Wall:
        """A wall named in one line, e.g. ``"tall"`` or ``"generated:overhang?angle=30&seed=1"``: see ``wall.spec``."""
        from climbing_rig.wall.spec import cloud_from_spec

        return cls(cloud_from_spec(text))

    @classmethod
    def from_pointcloud2(cls, message: PointCloud2, name: str = "PointCloud2") -> Wall:
        """A wall from a sensor_msgs/PointCloud2 (or anything shaped like one), which is only read.

        Raises:
            CloudError: The message cannot be decoded or has no finite point.
        """
        return cls(cloud_from_message(message, name))

    def trace(self, start: ArrayLike, end: ArrayLike) -> Hit | None:
        """First crossing of the segment from start to end with the wall, or None.

        Raises:
            CommandError: A value is not finite, not (3,), or the segment has no length.
        """
        a, b = _vector(start, "start"), _vector(end, "end")
        out = np.empty(kernels.TRACE_OUT)
        status = kernels.trace(self.tree, a, b, out)
        if status == kernels.HIT:
            signed = float(out[7])
            return Hit(out[0:3], out[3:6], float(out[6]), abs(signed) > 1.5, signed < 0.0)
        if status == kernels.BAD_INPUT:
            raise CommandError("a trace needs two different finite points", name="trace", given=(start, end))
        return None

    def sweep_sphere(self, start: ArrayLike, end: ArrayLike, radius: float) -> Touch | None:
        """First touch of a sphere whose centre moves from start to end, or None.

        A sphere that overlaps the wall at the start is answered with distance 0 and the centre in front of the
        surface where it just touches.

        Raises:
            CommandError: A value is not finite, not (3,), the segment has no length or the radius is not positive.
        """
        a, b = _vector(start, "start"), _vector(end, "end")
        out = np.empty(kernels.SWEEP_OUT)
        status = kernels.sweep_sphere(self.tree, a, b, _number(radius, "radius"), out)
        if status == kernels.HIT:
            return Touch(out[0:3], out[3:6], out[6:9], float(out[9]))
        if status == kernels.BAD_INPUT:
            raise CommandError(
                "a sweep needs two different finite points and a positive radius",
                name="sweep_sphere",
                given=(start, end, radius),
            )
        return None

    def nearest(self, point: ArrayLike, max_distance: float = np.inf) -> Near | None:
        """The nearest surface point, or None when none is within ``max_distance`` metres.

        Raises:
            CommandError: The point is not three finite numbers, or the distance is negative or NaN.
        """
        out = np.empty(kernels.NEAREST_OUT)
        status = kernels.nearest(self.tree, _vector(point, "point"), _number(max_distance, "max_distance"), out)
        if status == kernels.HIT:
            return Near(out[0:3], out[3:6], float(out[6]), bool(out[7] > 0.5))
        if status == kernels.BAD_INPUT:
            raise CommandError(
                "nearest needs a finite point and a distance >= 0", name="nearest", given=(point, max_distance)
            )
        return None

    def trace_many(self, starts: ArrayLike, ends: ArrayLike) -> Hits:
        """``trace`` for each row of starts and ends, (M, 3) each.

        Raises:
            CommandError: Wrong shapes, or a row that ``trace`` would refuse.
        """
        a, b = _rows(starts, "starts"), _rows(ends, "ends")
        if len(a) != len(b):
            raise CommandError(f"{len(a)} starts for {len(b)} ends", name="ends", given=(len(a), len(b)))
        out = np.full((len(a), kernels.TRACE_OUT), np.nan)
        status = np.empty(len(a), dtype=np.int64)
        kernels.trace_many(self.tree, a, b, out, status)
        _refuse_bad_rows(status, "a trace needs two different finite points", "trace_many")
        found = status == kernels.HIT
        return Hits(found, out[:, 0:3], out[:, 3:6], out[:, 6], np.abs(out[:, 7]) > 1.5, out[:, 7] < 0.0)

    def nearest_many(self, points: ArrayLike, max_distance: float = np.inf) -> Nears:
        """``nearest`` for each row of points, (M, 3).

        Raises:
            CommandError: Wrong shapes, or a row that ``nearest`` would refuse.
        """
        rows = _rows(points, "points")
        out = np.full((len(rows), kernels.NEAREST_OUT), np.nan)
        status = np.empty(len(rows), dtype=np.int64)
        kernels.nearest_many(self.tree, rows, _number(max_distance, "max_distance"), out, status)
        _refuse_bad_rows(status, "nearest needs finite points and a distance >= 0", "nearest_many")
        return Nears(status == kernels.HIT, out[:, 0:3], out[:, 3:6], out[:, 6], out[:, 7] > 0.5)


def _distinct(points: Vector) -> tuple[Vector, NDArray[np.int64]]:
    """The points without exact repetitions, in their order, and their indices."""
    order = np.lexsort(points.T)
    new = np.ones(len(points), dtype=np.bool_)
    new[1:] = (points[order[1:]] != points[order[:-1]]).any(axis=1)
    kept = np.sort(order[new])
    return points[kept], kept


def _vector(value: ArrayLike, name: str) -> Vector:
    if isinstance(value, np.ndarray) and value.dtype == np.float64 and value.shape == (3,):
        return value if value.flags.c_contiguous else value.copy()
    array = _numbers(value, name)
    if array.shape != (3,):
        raise CommandError(f"{name} must be three numbers, not of shape {array.shape}", name=name, given=value)
    return array


def _rows(value: ArrayLike, name: str) -> Vector:
    array = _numbers(value, name)
    if array.ndim != 2 or array.shape[1] != 3:
        raise CommandError(f"{name} must be (M, 3), not {array.shape}", name=name, given=array.shape)
    return array


def _numbers(value: ArrayLike, name: str) -> Vector:
    try:
        return np.ascontiguousarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise CommandError(f"{name} must be numbers", name=name, given=value) from None


def _number(value: float, name: str) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise CommandError(f"{name} must be a number", name=name, given=value) from None


def _refuse_bad_rows(status: NDArray[np.int64], message: str, name: str) -> None:
    bad = np.flatnonzero(status == kernels.BAD_INPUT)
    if len(bad):
        raise CommandError(f"{message} (row {bad[0]})", name=name, given=int(bad[0]))
