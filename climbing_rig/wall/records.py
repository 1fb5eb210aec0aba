"""From named columns to a cloud: the one place that knows what fields of files and messages are called."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

from climbing_rig.errors import CloudError
from climbing_rig.wall.cloud import Cloud, checked_cloud

NORMAL_NAMES = (("normal_x", "normal_y", "normal_z"), ("nx", "ny", "nz"))
"""Names normals go by, in lower case."""
CLIMBABLE_NAMES = ("climbable", "label")
"""Fields that say what may be gripped: not zero means yes. The first that exists counts."""


def cloud_from_columns(
    columns: Mapping[str, NDArray[np.generic]], name: str, viewpoint: ArrayLike | None = None
) -> Cloud:
    """A cloud from columns of equal length, names in any case.

    Args:
        columns: Field name -> (N,) numbers. x, y and z must be there.
        name: Of the file or topic, for errors.
        viewpoint: (3,) where the sensor stood, if known.

    Raises:
        CloudError: A coordinate is missing, a field is not numbers, or no finite point is left.
    """
    known = {field.lower(): values for field, values in columns.items()}
    missing = [axis for axis in "xyz" if axis not in known]
    if missing:
        raise CloudError(
            f"{name}: no field {' or '.join(missing)}", name=name, given=", ".join(columns), choices=("x", "y", "z")
        )
    normals = next((_stack(known, names) for names in NORMAL_NAMES if all(n in known for n in names)), None)
    climbable = next((known[field] != 0 for field in CLIMBABLE_NAMES if field in known), None)
    return checked_cloud(_stack(known, ("x", "y", "z")), normals, climbable, viewpoint, name=name)


def cloud_from_records(records: NDArray[np.void], name: str, viewpoint: ArrayLike | None = None) -> Cloud:
    """A cloud from a structured array of any shape; see ``cloud_from_columns``."""
    flat = records.reshape(-1)
    return cloud_from_columns({field: flat[field] for field in flat.dtype.names or ()}, name, viewpoint)


def _stack(columns: Mapping[str, NDArray[np.generic]], names: tuple[str, ...]) -> NDArray[np.float64]:
    stacked = np.empty((len(columns[names[0]]), len(names)))
    for i, field in enumerate(names):
        stacked[:, i] = columns[field]
    return stacked
