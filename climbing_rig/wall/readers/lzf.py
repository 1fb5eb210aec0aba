"""LZF decompression, as PCD's binary_compressed needs it."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray


@njit(cache=True, nogil=True)
def decompress(packed: NDArray[np.uint8], unpacked: NDArray[np.uint8]) -> bool:
    """Fill ``unpacked`` from ``packed``.

    A control byte below 32 announces that many literal bytes plus one; any other is a copy from what is already there:
    its top three bits are the length less two (7: one more byte of length follows), the rest with the next byte the
    distance back less one.

    Returns:
        Whether both were used up exactly; False means that the data is damaged.
    """
    i, o = 0, 0
    while i < packed.shape[0]:
        control = int(packed[i])
        i += 1
        if control < 32:
            count = control + 1
            if i + count > packed.shape[0] or o + count > unpacked.shape[0]:
                return False
            for k in range(count):
                unpacked[o + k] = packed[i + k]
            i += count
        else:
            count = control >> 5
            if count == 7:
                if i >= packed.shape[0]:
                    return False
                count += int(packed[i])
                i += 1
            if i >= packed.shape[0]:
                return False
            count += 2
            source = o - ((control & 31) << 8) - int(packed[i]) - 1
            i += 1
            if source < 0 or o + count > unpacked.shape[0]:
                return False
            for k in range(count):  # byte by byte: the copy may run into itself
                unpacked[o + k] = unpacked[source + k]
        o += count
    return o == unpacked.shape[0]


def warm_up() -> None:
    """Compile (or load from the cache) the decompression."""
    decompress(np.frombuffer(b"\0a", dtype=np.uint8), np.empty(1, dtype=np.uint8))
