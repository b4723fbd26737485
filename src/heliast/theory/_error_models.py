"""Models that predict the test error of a vote from its training margins, member by member."""

from typing import Any

import numpy as np
import numpy.typing as npt

from heliast._core.errors import InputError

Array = npt.NDArray[Any]


class ErrorModel:
    """What the three models share: checked input, and how well the fit reproduces the errors.

    After `fit`, `predicted_` are the fitted errors, `squared_error_` the sum of squared
    differences over the numbers of members, `rmse_` the root of their mean.
    """

    predicted_: Array
    squared_error_: float
    rmse_: float

    def _keep(self, predicted: Array, test_error: Array) -> None:
        self.predicted_ = predicted
        self.squared_error_ = float(((predicted - test_error) ** 2).sum())
        self.rmse_ = float(np.sqrt(self.squared_error_ / test_error.size))

    def _fitted(self) -> None:
        if not hasattr(self, "predicted_"):
            raise InputError(f"{type(self).__name__}: fit it first")


def stages(margins: Any, test_error: Any) -> tuple[Array, Array]:
    """Margins (numbers of members x training rows) and as many test errors."""
    found = one_matrix(margins)
    error = np.asarray(test_error, np.float64)
    if error.shape != (len(found),):
        raise InputError(
            f"test_error has shape {error.shape}; give one error for each of the {len(found)} "
            "lines of margins"
        )
    if not np.isfinite(error).all() or (error < 0).any() or (error > 1).any():
        raise InputError("test_error: errors lie between 0 and 1")
    return found, error


def one_matrix(margins: Any) -> Array:
    """Margins as numbers of members x training rows."""
    found = np.asarray(margins, np.float64)
    if found.ndim != 2 or not found.size:
        raise InputError(
            f"margins has shape {found.shape}; give one line a number of members, one column a "
            "training row (staged_margins makes them)"
        )
    if not np.isfinite(found).all() or np.abs(found).max() > 1 + 1e-9:
        raise InputError("margins lie between -1 and 1")
    return found


def how_many(members: Any, lines: int) -> Array:
    """The number of members behind each line: 1, 2, ... unless told."""
    found = np.arange(1, lines + 1) if members is None else np.asarray(members)
    if found.shape != (lines,) or (found < 1).any():
        raise InputError(f"members: give the number of members of each of the {lines} lines")
    return found.astype(np.float64)


def at_most(margins: Array, theta: Array) -> Array:
    """(lines, thetas): the share of margins of each line that are at most theta."""
    ordered = np.sort(margins, axis=1)
    counts = [np.searchsorted(line, theta + 1e-12, "right") for line in ordered]
    return np.stack(counts) / float(margins.shape[1])
