"""The normal model: margins scatter about means, and err when they fall below 0."""

from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import optimize, special, stats

from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._core.told import FITTED, told
from heliast.theory._error_models import MARGINS, ErrorModel, how_many, one_matrix, stages

STARTS = ((1.0, -0.2, 0.0), (0.1, -0.05, 0.0), (1.0, -0.1, 0.5), (0.3, -0.4, 0.1))
"""Where the search for (alpha, beta0, beta1) begins; distances are in units of their median."""
_MOST = 60.0
_EPS = 1e-12


class NormalModel(ErrorModel):
    """E(test error) = mean over test points of Phi(-mu_i / sqrt(alpha / B)).

    mu_i = M(y_i) + (1 + M(y_i)) (beta0 - beta1 d_i), where y_i is the training row nearest to test
    point i, M(y_i) its training margin with B members and d_i its distance (`nearest_rows`): a
    margin near 1 has more to lose than one near -1. Three parameters, by least squares. Without
    `nearest` every training row stands for itself and beta1 is 0.

    `fit_out_of_bag` needs no test labels: it fits the same law to the out-of-bag margins of
    bagged members, which are margins of rows not trained on, but of about a third of the votes.

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

    @told(MARGINS, returns=FITTED, raises="If shapes do not fit.")
    def fit(
        self,
        margins: npt.ArrayLike,
        test_error: npt.ArrayLike,
        nearest: npt.ArrayLike | None = None,
        distance: npt.ArrayLike | None = None,
        members: npt.ArrayLike | None = None,
    ) -> "NormalModel":
        """`margins` (numbers of members x training rows) and the test error at each number.

        `nearest` and `distance` give each test point its training row; `members` the numbers.

        Parameters
        ----------
        nearest : array-like, optional
            Place of the nearest training row of each test point; None lets each training row stand
            for itself.
        distance : array-like, optional
            How far that row is, 0 or more.
        members : array-like, optional
            Numbers of members; None is 1, 2, 3, ...
        """
        found, error = stages(margins, test_error)
        number = how_many(members, len(found))
        place, far, unit = _points(nearest, distance, found.shape[1])
        self._use(_least_squares(found[:, place], far, number[:, None], error), unit)
        law = _law(
            found[:, place], far, number[:, None], self.alpha_, self.beta0_, self.beta1_ * unit
        )
        self._keep(law, error)
        return self

    @told(returns=FITTED, raises="If shapes differ, or no row has a vote.")
    def fit_out_of_bag(
        self, margins: npt.ArrayLike, votes: npt.ArrayLike, error: npt.ArrayLike | None = None
    ) -> "NormalModel":
        """`margins` and `votes` (numbers of members x training rows) out of bag, NaN and 0 if none.

        Fits alpha and beta0 so that the law gives the out-of-bag error at every number of
        members, with the votes that each row really has there; beta1 is 0. `error` replaces the
        out-of-bag error (the share of margins at most 0) if given. Predict with the last line of
        `margins` (or the whole) and any number of members: the test error of the whole vote.

        Parameters
        ----------
        margins : array-like
            Margins out of bag, (numbers of members, training rows), NaN if none.
        votes : array-like
            Number of votes behind each margin, in the same shape.
        error : array-like, optional
            The error at each number of members; None is the share of margins at most 0.
        """
        found, count = np.asarray(margins, np.float64), np.asarray(votes, np.float64)
        if found.ndim != 2 or found.shape != count.shape:
            raise InputError(
                f"margins {found.shape} and votes {count.shape} must be of one shape: numbers of "
                "members x training rows"
            )
        there = count > 0
        keep = there.any(axis=1)
        if not keep.any():
            raise InputError("no row has an out-of-bag vote")
        found, count, there = found[keep], count[keep], there[keep]
        last = _last(found, there)
        observed = [(line[ok] <= 0).mean() for line, ok in zip(found, there, strict=True)]
        aim = np.array(observed) if error is None else np.asarray(error, np.float64)[keep]

        def law(alpha: float, beta0: float) -> Array:
            mu = last + (1 + last) * beta0
            scaled = mu * np.sqrt(np.maximum(count, 1)) / np.sqrt(alpha)
            share = np.where(there, special.ndtr(-scaled), 0.0)
            return np.asarray(share.sum(axis=1) / there.sum(axis=1))

        def off(x: Array) -> Array:
            return law(np.exp(np.clip(x[0], -_MOST, _MOST)), x[1]) - aim

        tries = [optimize.least_squares(off, [np.log(a), b]) for a, b, _ in STARTS]
        best = min(tries, key=lambda one: one.cost)
        self.alpha_, self.beta0_, self.beta1_ = float(np.exp(best.x[0])), float(best.x[1]), 0.0
        self._keep(off(best.x) + aim, aim)
        return self

    @told(
        fit,
        returns="array: The test error, one a line or number, 0 to 1.",
        raises="If the model is not fitted, or shapes do not fit.",
    )
    def predict(
        self,
        margins: npt.ArrayLike,
        nearest: npt.ArrayLike | None = None,
        distance: npt.ArrayLike | None = None,
        members: npt.ArrayLike | None = None,
    ) -> Array:
        """The test error for each line of training margins (or for each number of members)."""
        self._fitted()
        found = one_matrix(margins)
        if len(found) == 1 and members is not None:
            found = np.repeat(found, np.size(members), axis=0)
        number = how_many(members, len(found))
        place, far, unit = _points(nearest, distance, found.shape[1])
        return _law(
            found[:, place], far, number[:, None], self.alpha_, self.beta0_, self.beta1_ * unit
        )

    @told(
        fit,
        returns="array: One mean margin a test point.",
        raises="If the model is not fitted, or shapes do not fit.",
    )
    def means(
        self,
        margins: npt.ArrayLike,
        nearest: npt.ArrayLike | None = None,
        distance: npt.ArrayLike | None = None,
    ) -> Array:
        """mu_i, about which the margin of each test point scatters, as `margin_sensitivity` takes.

        Parameters
        ----------
        margins : array-like
            Training margins of one number of members, (training rows,), from -1 to 1.
        """
        self._fitted()
        found = one_matrix(np.atleast_2d(np.asarray(margins, np.float64)))
        place, far, unit = _points(nearest, distance, found.shape[1])
        return _mean_margins(found[0, place], far, self.beta0_, self.beta1_ * unit)

    def _use(self, parameters: Array, unit: float) -> None:
        self.alpha_, self.beta0_ = float(np.exp(parameters[0])), float(parameters[1])
        self.beta1_ = float(parameters[2]) / unit


@told(
    returns="array: dE/dmu_i, (test points,) or (numbers of members, test points).",
    raises="If margins are not one a test point, or alpha or B is out of range.",
)
def margin_sensitivity(margins: npt.ArrayLike, alpha: float, members: npt.ArrayLike) -> Array:
    """How the expected test error moves with the mean margin of each test point.

    Of the normal model, E = mean of Phi(-mu_i / sqrt(alpha / B)), the derivative is
    dE/dmu_i = -sqrt(B / alpha) phi(mu_i / sqrt(alpha / B)) / n: always below 0, and largest where
    mu_i is near 0. So raising margins near 0 at the cost of those near 1 lowers the error though
    their mean stays, which is what boosting does.

    Parameters
    ----------
    margins : array-like
        Mean margins mu_i, (test points,), say those of `NormalModel.means`.
    alpha : float
        Variance of a margin times the number of members, above 0, say `NormalModel.alpha_`.
    members : array-like
        One number of members B or several, 1 or more.

    Examples
    --------
    >>> margin_sensitivity([0.0, 0.5, -0.5], alpha=1.0, members=9).round(3).tolist()
    [-0.399, -0.13, -0.13]

    References
    ----------
    thesis, section 4.3.3 (which lost the minus sign inside Phi; its derivative is right).
    """
    mu, number = np.asarray(margins, np.float64), np.asarray(members, np.float64)
    if mu.ndim != 1 or not mu.size or not np.isfinite(mu).all():
        raise InputError("margins: give one finite mean margin for each test point")
    if not 0 < alpha < np.inf:
        raise InputError(f"alpha={alpha!r}: a variance is above 0")
    if number.ndim > 1 or not (number >= 1).all():
        raise InputError(f"members={members!r}: give one number of members or several, 1 or more")
    root = np.sqrt(number / alpha)[..., None]
    return np.asarray(-root * stats.norm.pdf(mu * root) / mu.size)


@told(returns="tuple[array, array]: Places of training rows (m,) and distances (m,).")
def nearest_rows(train: npt.ArrayLike, test: npt.ArrayLike) -> tuple[Array, Array]:
    """The training row nearest to each test point (Euclidean), and how far it is.

    Parameters
    ----------
    train : array-like
        Training rows, (n, inputs).
    test : array-like
        Test points, (m, inputs).

    Examples
    --------
    >>> place, distance = nearest_rows([[0.0], [10.0]], [[1.0], [8.0]])
    >>> place.tolist(), distance.tolist()
    ([0, 1], [1.0, 2.0])
    """
    from scipy.spatial import cKDTree

    distance, place = cKDTree(np.asarray(train, float)).query(np.asarray(test, float))
    return np.asarray(place), np.asarray(distance)


def _points(nearest: Any, distance: Any, n: int) -> tuple[Array, Array, float]:
    """Training row and distance of each test point, distances in units of their median."""
    if nearest is None:
        return np.arange(n), np.zeros(n), 1.0
    place = np.asarray(nearest, np.int64)
    far = np.zeros(place.size) if distance is None else np.asarray(distance, np.float64)
    if place.ndim != 1 or far.shape != place.shape:
        raise InputError("nearest and distance: give one of each a test point")
    if place.size == 0 or place.min() < 0 or place.max() >= n:
        raise InputError(f"nearest: training rows go from 0 to {n - 1}")
    middle = float(np.median(far[far > 0])) if (far > 0).any() else 1.0
    return place, far / middle, middle


def _mean_margins(margin: Array, far: Array, beta0: float, beta1: float) -> Array:
    return np.asarray(margin + (1 + margin) * (beta0 - beta1 * far))


def _law(
    margin: Array, far: Array, number: Array, alpha: float, beta0: float, beta1: float
) -> Array:
    mu = _mean_margins(margin, far, beta0, beta1)
    return np.asarray(special.ndtr(-mu * np.sqrt(number / max(alpha, _EPS))).mean(axis=1))


def _least_squares(margin: Array, far: Array, number: Array, error: Array) -> Array:
    free = 3 if (far > 0).any() else 2

    def off(x: Array) -> Array:
        alpha = float(np.exp(np.clip(x[0], -_MOST, _MOST)))
        return _law(margin, far, number, alpha, x[1], x[2] if free == 3 else 0.0) - error

    starts = [np.array([np.log(a), b, c])[:free] for a, b, c in STARTS]
    tries = [optimize.least_squares(off, start, max_nfev=200) for start in starts]
    best = min(tries, key=lambda one: one.cost).x
    return best if free == 3 else np.append(best, 0.0)


def _last(margins: Array, there: Array) -> Array:
    """Each row's margin with the most votes it has; 0 for a row that never has any."""
    found = np.zeros(margins.shape[1])
    for line, ok in zip(margins, there, strict=True):
        found[ok] = line[ok]
    return found
