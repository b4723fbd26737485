"""The few array types that kernels accept: anything else is converted here, once."""

from typing import Any

import numpy as np
import numpy.typing as npt

Codes = npt.NDArray[Any]
"""Class codes 0 .. k-1, uint8 or int32, contiguous."""
Floats = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]


def codes(values: npt.NDArray[Any]) -> Codes:
    """Contiguous uint8 or int32 codes; no copy if they already are (bool is read as uint8)."""
    if values.dtype == np.bool_:
        values = values.view(np.uint8)
    if values.dtype not in (np.uint8, np.int32):
        values = values.astype(np.int32)
    return np.ascontiguousarray(values)


def flags(values: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    """Contiguous uint8 of 0 and 1; no copy if it already is."""
    if values.dtype == np.bool_:
        values = values.view(np.uint8)
    return np.ascontiguousarray(values, dtype=np.uint8)


def floats(values: npt.NDArray[Any]) -> Floats:
    """Contiguous float64; no copy if it already is."""
    return np.ascontiguousarray(values, dtype=np.float64)


def sealed(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The same numbers, not to be written to.

    Tables may be, files that are scanned may not: for Numba these are two types, and all would be
    compiled for both.
    """
    values = values.view()
    values.flags.writeable = False
    return values


def weights(values: npt.NDArray[Any] | None) -> Floats | None:
    """Contiguous float64, or None for rows that all weigh one."""
    return None if values is None else floats(values)
