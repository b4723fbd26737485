"""Models that predict the test error of a vote from its training margins, member by member."""

from typing import Any

import numpy as np
import numpy.typing as npt

from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._core.told import FITTED, told

MARGINS = {
    "margins": "array-like: Training margins, (numbers of members, training rows), from -1 to 1.",
    "test_error": "array-like: The test error at each number of members, 0 to 1.",
}
"""What the models are fitted to, and predict from."""


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


class ShareModel(ErrorModel):
    """E(test error) = P(M <= theta) + C, however theta and C are found."""

    theta_ = 0.0
    constant_: float

    @told(
        MARGINS, returns="array: The test error, one a line.", raises="If the model is not fitted."
    )
    def predict(self, margins: npt.ArrayLike) -> Array:
        """The test error for each line of training margins."""
        self._fitted()
        share = at_most(one_matrix(margins), np.array([self.theta_]))[:, 0]
        return np.asarray(share + self.constant_)


class TrainingModel(ShareModel):
    """E(test error) = P(M <= 0) + C: the null model, with one parameter.

    Examples
    --------
    >>> model = TrainingModel().fit([[-0.5, 0.5], [0.2, 0.5]], [0.7, 0.2])
    >>> round(model.constant_, 3), model.predict([[-1.0, -1.0]]).round(3).tolist()
    (0.2, [1.2])

    References
    ----------
    thesis, section 4.2.2.
    """

    @told(MARGINS, returns=FITTED, raises="If shapes do not fit.")
    def fit(self, margins: npt.ArrayLike, test_error: npt.ArrayLike) -> "TrainingModel":
        """`margins` (numbers of members x training rows) and the test error at each number."""
        found, error = stages(margins, test_error)
        share = at_most(found, np.zeros(1))[:, 0]
        self.constant_ = float((error - share).mean())
        self._keep(share + self.constant_, error)
        return self


GRID = 2001
"""Values of theta tried, from 0 to 1."""


class SchapireModel(ShareModel):
    """E(test error) = P(M <= theta) + C, theta and C chosen by least squares.

    What the bound of theorem 9 suggests if its second term is the same for all numbers of members.
    theta is searched from 0 to 1 in steps of 0.0005 (the smallest of equally good ones); 0 is the
    training model, which can fit no better.

    Examples
    --------
    >>> model = SchapireModel().fit([[0.1, 0.5], [0.4, 0.6]], [0.6, 0.1])
    >>> round(model.theta_, 2), round(model.constant_, 3)
    (0.1, 0.1)

    References
    ----------
    thesis, section 4.2.1.
    """

    @told(MARGINS, returns=FITTED, raises="If shapes do not fit.")
    def fit(self, margins: npt.ArrayLike, test_error: npt.ArrayLike) -> "SchapireModel":
        """`margins` (numbers of members x training rows) and the test error at each number."""
        found, error = stages(margins, test_error)
        theta = np.linspace(0.0, 1.0, GRID)
        far = error[:, None] - at_most(found, theta)
        left = ((far - far.mean(axis=0)) ** 2).sum(axis=0)
        best = int((left <= left.min() + 1e-12).argmax())
        self.theta_, self.constant_ = float(theta[best]), float(far[:, best].mean())
        self._keep(error - far[:, best] + self.constant_, error)
        return self
