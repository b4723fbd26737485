"""Models that predict the test error of a vote from its training margins, member by member."""

from collections.abc import Callable
from typing import Any, Self

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Array, ArrayLike

# Values of theta that Schapire's model tries, from 0 to 1.
THETAS = np.linspace(0.0, 1.0, 2001)
# Where the search for (alpha, beta0, beta1) begins; distances are in units of their median.
STARTS = ((1.0, -0.2, 0.0), (0.1, -0.05, 0.0), (1.0, -0.1, 0.5), (0.3, -0.4, 0.1))
# Limits of log(alpha).
LOG_ALPHA = 60.0


class _ErrorModel:
    """What the three models share.

    After `fit`, `predicted_` are the fitted errors, `squared_error_` the sum of squared
    differences over the numbers of members, `rmse_` the root of their mean.
    """

    predicted_: Array
    squared_error_: float
    rmse_: float

    def _keep(self, predicted: Array, test_error: Array) -> Self:
        self.predicted_ = predicted
        self.squared_error_ = float(((predicted - test_error) ** 2).sum())
        self.rmse_ = float(np.sqrt(self.squared_error_ / test_error.size))
        return self

    def _check_fitted(self) -> None:
        if not hasattr(self, "predicted_"):
            raise InputError(f"{type(self).__name__}: fit it first")


class _ShareModel(_ErrorModel):
    """E(test error) = P(M <= theta) + C, however theta and C are chosen."""

    thetas: Array
    theta_: float
    constant_: float

    def fit(self, margins: ArrayLike, test_error: ArrayLike) -> Self:
        """Fit the model to training margins and test errors.

        Parameters
        ----------
        margins : array-like
            Training margins, (numbers of members, training rows), from -1 to 1.
        test_error : array-like
            The test error at each number of members, 0 to 1.

        Returns
        -------
        Self
            The fitted model.

        Raises
        ------
        InputError
            If shapes do not fit.
        """
        matrix = _as_margins(margins)
        error = _as_errors(test_error, len(matrix))
        constants = error[:, None] - _shares_at_most(matrix, self.thetas)
        left = ((constants - constants.mean(axis=0)) ** 2).sum(axis=0)
        best = int((left <= left.min() + 1e-12).argmax())
        self.theta_, self.constant_ = float(self.thetas[best]), float(constants[:, best].mean())
        return self._keep(error - constants[:, best] + self.constant_, error)

    def predict(self, margins: ArrayLike) -> Array:
        """Predict the test error for each line of training margins.

        Parameters
        ----------
        margins : array-like
            Training margins, (numbers of members, training rows), from -1 to 1.

        Returns
        -------
        array
            The test error, one a line.

        Raises
        ------
        InputError
            If the model is not fitted.
        """
        self._check_fitted()
        shares = _shares_at_most(_as_margins(margins), np.array([self.theta_]))
        return np.asarray(shares[:, 0] + self.constant_)


class TrainingModel(_ShareModel):
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

    thetas = THETAS[:1]


class SchapireModel(_ShareModel):
    """E(test error) = P(M <= theta) + C, theta and C chosen by least squares.

    What the bound of theorem 9 suggests if its second term is the same for all numbers of members.
    theta is searched from 0 to 1 in steps of 0.0005 (the smallest of equally good ones).

    Examples
    --------
    >>> model = SchapireModel().fit([[0.1, 0.5], [0.4, 0.6]], [0.6, 0.1])
    >>> round(model.theta_, 2), round(model.constant_, 3)
    (0.1, 0.1)

    References
    ----------
    thesis, section 4.2.1.
    """

    thetas = THETAS


class NormalModel(_ErrorModel):
    """E(test error) = mean over test points of Phi(-mu_i / sqrt(alpha / B)).

    mu_i = M(y_i) + (1 + M(y_i)) (beta0 - beta1 d_i), where y_i is the training row nearest to test
    point i, M(y_i) its training margin with B members and d_i its distance (`nearest_rows`): a
    margin near 1 has more to lose than one near -1. Three parameters, by least squares. Without
    `nearest` every training row stands for itself and beta1 is 0.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> mean = rng.uniform(-0.2, 0.9, 300)
    >>> margins = np.array([mean + rng.normal(size=300) / np.sqrt(9 * B) for B in range(1, 31)])
    >>> test = [(rng.normal(mean - 0.1, 1 / np.sqrt(9 * B)) <= 0).mean() for B in range(1, 31)]
    >>> NormalModel().fit(margins.clip(-1, 1), test).rmse_ < 0.02
    True

    References
    ----------
    thesis, section 4.3 (where 4.3.3 lost a minus sign: it is Phi of -mu).
    """

    alpha_: float
    beta0_: float
    beta1_: float

    def fit(
        self,
        margins: ArrayLike,
        test_error: ArrayLike,
        nearest: ArrayLike | None = None,
        distance: ArrayLike | None = None,
        members: ArrayLike | None = None,
    ) -> Self:
        """Fit the model to training margins and test errors.

        Parameters
        ----------
        margins : array-like
            Training margins, (numbers of members, training rows), from -1 to 1.
        test_error : array-like
            The test error at each number of members, 0 to 1.
        nearest : array-like, optional
            Place of the nearest training row of each test point; None lets each training row stand
            for itself.
        distance : array-like, optional
            How far that row is, 0 or more.
        members : array-like, optional
            Numbers of members; None is 1, 2, 3, ...

        Returns
        -------
        Self
            The fitted model.

        Raises
        ------
        InputError
            If shapes do not fit.
        """
        matrix = _as_margins(margins)
        error = _as_errors(test_error, len(matrix))
        number = _as_numbers(members, len(matrix))[:, None]
        place, far = _nearest(nearest, distance, matrix.shape[1])
        unit = float(np.median(far[far > 0])) if (far > 0).any() else 1.0
        points, far = matrix[:, place], far / unit

        def law(alpha: float, beta0: float, beta1: float) -> Array:
            return _expected_error(_mean_margins(points, far, beta0, beta1), alpha, number)

        self._search(law, error, 3 if (far > 0).any() else 2)
        self.beta1_ /= unit
        return self

    def fit_out_of_bag(
        self, margins: ArrayLike, votes: ArrayLike, error: ArrayLike | None = None
    ) -> Self:
        """Fit alpha and beta0 to out-of-bag margins of bagged members, without test labels.

        The law is to give the out-of-bag error at every number of members, with the votes that each
        row has there; beta1 is 0. Predict with the last line of `margins` and any number of
        members: the test error of the full vote.

        Parameters
        ----------
        margins : array-like
            Margins out of bag, (numbers of members, training rows), NaN if none.
        votes : array-like
            Number of votes behind each margin, in the same shape.
        error : array-like, optional
            The error at each number of members; None is the share of margins at most 0.

        Returns
        -------
        Self
            The fitted model.

        Raises
        ------
        InputError
            If shapes differ, or no row has a vote.
        """
        from scipy import special

        matrix, count = np.asarray(margins, np.float64), np.asarray(votes, np.float64)
        if matrix.ndim != 2 or matrix.shape != count.shape:
            raise InputError(
                f"margins {matrix.shape} and votes {count.shape} must be of one shape: numbers of "
                "members x training rows"
            )
        keep = (count > 0).any(axis=1)
        if not keep.any():
            raise InputError("no row has an out-of-bag vote")
        matrix, count = matrix[keep], count[keep]
        voted = count > 0
        if error is None:
            aim = (voted & (matrix <= 0)).sum(axis=1) / voted.sum(axis=1)
        else:
            aim = np.asarray(error, np.float64)[keep]
        # Each row's margin with the most votes it has; 0 for a row that never has any.
        last = np.zeros(matrix.shape[1])
        for line, has_votes in zip(matrix, voted, strict=True):
            last[has_votes] = line[has_votes]

        def law(alpha: float, beta0: float, beta1: float) -> Array:
            mu = _mean_margins(last, np.zeros(1), beta0, beta1)
            scaled = mu * np.sqrt(np.maximum(count, 1)) / np.sqrt(alpha)
            share = np.where(voted, special.ndtr(-scaled), 0.0)
            return np.asarray(share.sum(axis=1) / voted.sum(axis=1))

        return self._search(law, aim, 2)

    def _search(self, law: Callable[..., Array], error: Array, free: int) -> Self:
        """Choose the first `free` of (log alpha, beta0, beta1) by least squares, the rest 0."""
        from scipy import optimize

        def predicted(x: Array) -> Array:
            alpha = float(np.exp(np.clip(x[0], -LOG_ALPHA, LOG_ALPHA)))
            return law(alpha, x[1], x[2] if free == 3 else 0.0)

        tries = [
            optimize.least_squares(
                lambda x: predicted(x) - error,
                np.array([np.log(start[0]), *start[1:]])[:free],
                max_nfev=200,
            )
            for start in STARTS
        ]
        best = min(tries, key=lambda result: result.cost).x
        self.alpha_, self.beta0_ = float(np.exp(best[0])), float(best[1])
        self.beta1_ = float(best[2]) if free == 3 else 0.0
        return self._keep(predicted(best), error)

    def predict(
        self,
        margins: ArrayLike,
        nearest: ArrayLike | None = None,
        distance: ArrayLike | None = None,
        members: ArrayLike | None = None,
    ) -> Array:
        """Predict the test error for each line of training margins or each number of members.

        Parameters
        ----------
        margins : array-like
            Training margins, (numbers of members, training rows), from -1 to 1.
        nearest, distance, members
            As in `fit`.

        Returns
        -------
        array
            The test error, one a line or number, 0 to 1.

        Raises
        ------
        InputError
            If the model is not fitted, or shapes do not fit.
        """
        matrix = _as_margins(margins)
        if len(matrix) == 1 and members is not None:
            matrix = np.repeat(matrix, np.size(members), axis=0)
        number = _as_numbers(members, len(matrix))[:, None]
        return _expected_error(self._means(matrix, nearest, distance), self.alpha_, number)

    def means(
        self,
        margins: ArrayLike,
        nearest: ArrayLike | None = None,
        distance: ArrayLike | None = None,
    ) -> Array:
        """Return mu_i, about which the margin of each test point scatters.

        Parameters
        ----------
        margins : array-like
            Training margins of one number of members, (training rows,), from -1 to 1.
        nearest, distance
            As in `fit`.

        Returns
        -------
        array
            One mean margin a test point, as `margin_sensitivity` takes them.

        Raises
        ------
        InputError
            If the model is not fitted, or shapes do not fit.
        """
        matrix = _as_margins(np.atleast_2d(np.asarray(margins)))
        return np.asarray(self._means(matrix, nearest, distance)[0])

    def _means(self, matrix: Array, nearest: Any, distance: Any) -> Array:
        self._check_fitted()
        place, far = _nearest(nearest, distance, matrix.shape[1])
        return _mean_margins(matrix[:, place], far, self.beta0_, self.beta1_)


def margin_sensitivity(margins: ArrayLike, alpha: float, members: ArrayLike) -> Array:
    """Return how the expected test error moves with the mean margin of each test point.

    Of the normal model, E = mean of Phi(-mu_i / sqrt(alpha / B)), the derivative is
    dE/dmu_i = -sqrt(B / alpha) phi(mu_i / sqrt(alpha / B)) / n: always below 0, and largest where
    mu_i is near 0. So raising margins near 0 at the cost of those near 1 lowers the error though
    their mean stays, which is what boosting does.

    Parameters
    ----------
    margins : array-like
        Mean margins mu_i, (test points,), such as those of `NormalModel.means`.
    alpha : float
        Variance of a margin times the number of members, such as `NormalModel.alpha_`.
    members : array-like
        One number of members B or several, 1 or more.

    Returns
    -------
    array
        dE/dmu_i, (test points,) or (numbers of members, test points).

    Raises
    ------
    InputError
        If margins are not one a test point, or alpha or B is out of range.

    Examples
    --------
    >>> margin_sensitivity([0.0, 0.5, -0.5], alpha=1.0, members=9).round(3).tolist()
    [-0.399, -0.13, -0.13]

    References
    ----------
    thesis, section 4.3.3 (which lost the minus sign inside Phi; its derivative is right).
    """
    from scipy import stats

    mu, number = np.asarray(margins, np.float64), np.asarray(members, np.float64)
    if mu.ndim != 1 or not mu.size or not np.isfinite(mu).all():
        raise InputError("margins: give one finite mean margin for each test point")
    if not 0 < alpha < np.inf or not (number >= 1).all():
        raise InputError(f"alpha={alpha!r}, members={members!r}: alpha is above 0, members from 1")
    root = np.sqrt(number / alpha)[..., None]
    return np.asarray(-root * stats.norm.pdf(mu * root) / mu.size)


def nearest_rows(train: ArrayLike, test: ArrayLike) -> tuple[Array, Array]:
    """Return the training row nearest to each test point (Euclidean), and how far it is.

    Parameters
    ----------
    train : array-like
        Training rows, (n, features).
    test : array-like
        Test points, (m, features).

    Returns
    -------
    tuple[array, array]
        Places of training rows (m,) and distances (m,).

    Examples
    --------
    >>> place, distance = nearest_rows([[0.0], [10.0]], [[1.0], [8.0]])
    >>> place.tolist(), distance.tolist()
    ([0, 1], [1.0, 2.0])
    """
    from scipy.spatial import cKDTree

    distance, place = cKDTree(np.asarray(train, float)).query(np.asarray(test, float))
    return np.asarray(place), np.asarray(distance)


def _mean_margins(margin: Array, far: Array, beta0: float, beta1: float) -> Array:
    return np.asarray(margin + (1 + margin) * (beta0 - beta1 * far))


def _expected_error(mu: Array, alpha: float, number: Array) -> Array:
    from scipy import special

    return np.asarray(special.ndtr(-mu * np.sqrt(number / max(alpha, 1e-12))).mean(axis=1))


def _shares_at_most(margins: Array, theta: Array) -> Array:
    """(lines, thetas): the share of margins of each line that are at most theta."""
    counts = [np.searchsorted(line, theta + 1e-12, "right") for line in np.sort(margins, axis=1)]
    return np.asarray(np.stack(counts) / margins.shape[1])


def _as_margins(margins: Any) -> Array:
    matrix = np.asarray(margins, np.float64)
    if matrix.ndim != 2 or not matrix.size:
        raise InputError(
            f"margins has shape {matrix.shape}; give one line a number of members, one column a "
            "training row (staged_margins makes them)"
        )
    if not np.isfinite(matrix).all() or np.abs(matrix).max() > 1 + 1e-9:
        raise InputError("margins lie between -1 and 1")
    return matrix


def _as_errors(test_error: Any, lines: int) -> Array:
    error = np.asarray(test_error, np.float64)
    if error.shape != (lines,):
        raise InputError(
            f"test_error has shape {error.shape}; give one error for each of the {lines} lines "
            "of margins"
        )
    if not ((error >= 0) & (error <= 1)).all():
        raise InputError("test_error: errors lie between 0 and 1")
    return error


def _as_numbers(members: Any, lines: int) -> Array:
    number = np.arange(1, lines + 1) if members is None else np.asarray(members)
    if number.shape != (lines,) or (number < 1).any():
        raise InputError(f"members: give the number of members of each of the {lines} lines")
    return number.astype(np.float64)


def _nearest(nearest: Any, distance: Any, n: int) -> tuple[Array, Array]:
    """The training row of each test point, and its distance."""
    if nearest is None:
        return np.arange(n), np.zeros(n)
    place = np.asarray(nearest, np.int64)
    far = np.zeros(place.size) if distance is None else np.asarray(distance, np.float64)
    if place.ndim != 1 or far.shape != place.shape:
        raise InputError("nearest and distance: give one of each a test point")
    if place.size == 0 or place.min() < 0 or place.max() >= n:
        raise InputError(f"nearest: training rows go from 0 to {n - 1}")
    return place, far
