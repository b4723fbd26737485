"""Closed-form cross-validation: the predictions of refitted models, without refitting them.

The statistics of a training sample are those of all rows less those of the rows left out. They are
subtracted in coordinates in which the covariance of all rows is the identity, so that no digits are
lost. Splits are worked on in groups of equal size: `left` (splits, rows) are the rows left out,
`test` (splits, rows) those to predict. A split whose answer may differ from that of refitting by
more than 1e-9 is left to refitting; `LinAlgError` says that all of them are.

References: Sherman and Morrison (1950), Annals of Mathematical Statistics 21, 124-127; Ripley
(1996), Pattern Recognition and Neural Networks, section 3.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.linalg import LinAlgError

from heliast._core.kinds import Array

# Numbers that an intermediate array holds at most: 8 MB.
CHUNK = 2**20
# A variance that shrinks by more than this when rows leave has lost too many digits.
LOSS = 1e3
# Log posteriors of the two best classes that are closer than this may change order by rounding.
NEAR_TIE = 1e-7


def predict_splits(
    model: Any, X: Array, y: Array, k: int, splits: Sequence[tuple[Array, Array] | None]
) -> list[Array | None]:
    """Probabilities, or numbers, of the test rows of each split (left out, test); None: refit.

    `y` holds codes into `k` sorted classes, or numbers if `k` is 0.
    """
    shortcut = SUPPORTED[type(model).__name__][0](model, X, y, k)
    groups: dict[tuple[int, int], list[int]] = defaultdict(list)
    for at, split in enumerate(splits):
        if split is not None:
            groups[split[0].size, split[1].size].append(at)
    answers: list[Array | None] = [None] * len(splits)
    for (rows, tests), members in groups.items():
        width = max(X.shape[1], 16)
        size = max(1, CHUNK // (max(k, 1) * width * (width + rows + tests)))
        for start in range(0, len(members), size):
            chunk = members[start : start + size]
            left, test = map(np.array, zip(*(splits[at] or () for at in chunk), strict=True))
            values, sure = shortcut.predict(left, test)
            for at, value, holds in zip(chunk, values, sure, strict=True):
                answers[at] = value if holds else None
    return answers


def whiten(centred: Array, share: float, ridge: float = 0.0, least: float = 0.0) -> Any:
    """Turn T with T'(share C + ridge I)T = I for C = centred'centred, and the eigenvalues."""
    _, values, axes = np.linalg.svd(centred, full_matrices=False)
    power = share * values**2 + ridge
    if values.size < centred.shape[1] or not power.min() > max(least, 1e-12 * power.max()):
        raise LinAlgError
    return axes.T / np.sqrt(power), power


def invert(removed: Array, single: bool) -> tuple[Array, Array, Array]:
    """(I - removed)^-1 of each split, the log determinant, and whether it is well conditioned.

    Where a `single` row is left out, `removed` has rank one (Sherman and Morrison).
    """
    identity = np.eye(removed.shape[-1])
    if single:
        kept = 1.0 - np.trace(removed, axis1=1, axis2=2)
        sure = kept > 1 / LOSS
        kept[~sure] = 1.0
        return identity + removed / kept[:, None, None], np.log(kept), sure
    matrix = identity - removed
    sign, logdet = np.linalg.slogdet(matrix)
    sure = (sign > 0) & np.isfinite(logdet)
    matrix[~sure] = identity
    inverse = np.linalg.inv(matrix)
    return inverse, logdet, sure & (np.abs(inverse).max(axis=(1, 2)) < LOSS)


def posteriors(score: Array, sure: Array) -> tuple[Array, Array]:
    """Probabilities, and the splits that are sure and have no row whose best classes nearly tie."""
    score = np.moveaxis(score, 2, 0).copy()  # sums over the first axis are faster
    # Large scores are rounded by more than 1e-9, which matters unless one class is certain.
    margin = np.where(np.abs(score).max(axis=0) > 1e5, 50.0, NEAR_TIE)
    score -= score.max(axis=0)
    distinct = ((score > -margin).sum(axis=0) == 1).all(axis=1)
    np.exp(score, out=score)
    score /= score.sum(axis=0)
    return np.moveaxis(score, 0, 2), sure & distinct


class ClassDensities:
    """Rows about their class means, and the classes of what is left in training."""

    def __init__(self, model: Any, X: Array, y: Array, k: int) -> None:
        self.X, self.priors = X, model.priors
        self.indicator = np.eye(k)[y]
        self.count = self.indicator.sum(axis=0)
        self.means = np.stack([X[y == c].mean(axis=0) for c in range(k)])
        self.centred = X - self.means[y]
        # The means of inputs that are far from 0 are rounded, by refitting too.
        if (np.abs(self.means).max(axis=0) > 1e5 * self.centred.std(axis=0)).any():
            raise LinAlgError

    def training(self, left: Array, least: int = 2) -> tuple[Array, Array, Array, Array]:
        """Class counts and priors, classes of the rows left out, whether each has enough rows."""
        classes = self.indicator[left].swapaxes(1, 2)
        count = self.count - classes.sum(axis=2)
        sure = (count >= least).all(axis=1)
        count = np.maximum(count, 1.0)
        share = count / count.sum(axis=1, keepdims=True)
        if self.priors is not None:
            share = np.broadcast_to(np.asarray(self.priors, float), share.shape)
        return count, share, classes, sure


class NaiveBayes(ClassDensities):
    """Class variances from sums of squares about the class means of all rows."""

    def __init__(self, model: Any, X: Array, y: Array, k: int) -> None:
        super().__init__(model, X, y, k)
        self.smoothing = model.var_smoothing
        if self.smoothing < 1e-12:  # variances of rounding errors would count
            raise LinAlgError
        self.squares = self.indicator.T @ self.centred**2

    def predict(self, left: Array, test: Array) -> tuple[Array, Array]:
        count, share, classes, sure = self.training(left)
        rows, size = self.centred[left], count[..., None]
        shift = classes @ rows / size
        variance = (self.squares - classes @ rows**2) / size - shift**2
        means, weight = self.means - shift, size / size.sum(axis=1, keepdims=True)
        between = (means - (weight * means).sum(axis=1, keepdims=True)) ** 2
        total = (weight * (variance + between)).sum(axis=1)
        variance += self.smoothing * total.max(axis=1)[:, None, None]
        sure &= (variance * LOSS > self.squares / size).all(axis=(1, 2))
        variance[~sure] = 1.0
        away = (self.X[test][:, :, None] - means[:, None]) ** 2
        away = np.einsum("ptkd,pkd->ptk", away, 1.0 / variance)
        constant = np.log(share) - 0.5 * np.log(variance).sum(axis=2)
        return posteriors(constant[:, None] - 0.5 * away, sure)


class LinearDiscriminant(ClassDensities):
    """Discriminants in coordinates in which the covariance within classes is the identity."""

    def __init__(self, model: Any, X: Array, y: Array, k: int) -> None:
        super().__init__(model, X, y, k)
        self.tol = model.tol
        deviation = self.centred.std(axis=0)
        if not deviation.min() > 0:
            raise LinAlgError
        turn, _ = whiten(self.centred / deviation, 1 / len(X), least=LOSS * self.tol**2)
        turn /= deviation[:, None]
        self.centred = self.centred @ turn
        self.means = (self.means - X.mean(axis=0)) @ turn
        self.rows = self.centred + self.means[y]

    def predict(self, left: Array, test: Array) -> tuple[Array, Array]:
        count, share, classes, sure = self.training(left)
        n, rows = len(self.X), self.centred[left]
        first = classes @ rows
        shift = first / count[..., None]
        removed = (rows.swapaxes(1, 2) @ rows + first.swapaxes(1, 2) @ shift) / n
        inverse, _, regular = invert(removed, left.shape[1] == 1)
        means = self.means - shift
        slope = means @ inverse * (1 - left.shape[1] / n)
        # scikit-learn drops directions between the classes below tol: stay clear of that.
        gaps = np.sqrt(share)[..., None] * (means - share[:, None] @ means)
        values = np.linalg.eigvalsh(gaps @ inverse @ gaps.swapaxes(1, 2))
        rank = min(values.shape[1] - 1, means.shape[2])
        sure &= regular & (values[:, -rank] > (2 * self.tol) ** 2 * values[:, -1])
        constant = np.log(share) - 0.5 * (slope * means).sum(axis=2)
        score = self.rows[test] @ slope.swapaxes(1, 2) + constant[:, None]
        return posteriors(score, sure)


class QuadraticDiscriminant(ClassDensities):
    """Each class in coordinates in which its regularised covariance is the identity."""

    def __init__(self, model: Any, X: Array, y: Array, k: int) -> None:
        super().__init__(model, X, y, k)
        self.share, self.tol = 1.0 - model.reg_param, model.tol
        if self.share < 1 / LOSS:  # an outlier that leaves would not show in the covariance
            raise LinAlgError
        n, d = X.shape
        self.rows, self.power = np.empty((k, n, d)), np.empty((k, d))
        for c in range(k):
            own = self.centred[y == c]
            turn, self.power[c] = whiten(own, self.share / len(own), model.reg_param, self.tol)
            self.rows[c] = (X - self.means[c]) @ turn
        self.away = (self.rows**2).sum(axis=2)

    def predict(self, left: Array, test: Array) -> tuple[Array, Array]:
        count, share, classes, sure = self.training(left, self.X.shape[1] + 1)
        score = -0.5 * self.away[:, test].transpose(1, 2, 0)
        score += (np.log(share) - 0.5 * np.log(self.power).sum(axis=1))[:, None]
        for c, power in enumerate(self.power):
            changed = np.flatnonzero(classes[:, c].any(axis=1))
            size = count[changed, c, None]
            rows = self.rows[c][left[changed]] * classes[changed, c, :, None]
            shift = rows.sum(axis=1) / size
            removed = rows.swapaxes(1, 2) @ rows / size[..., None]
            removed += shift[:, :, None] * shift[:, None]
            # In these coordinates the ridge is diagonal, and the covariance the rest of I.
            ridge = (1.0 - self.share) / power
            base = ridge + (1.0 - ridge) * self.count[c] / size
            scale = 1.0 / np.sqrt(base)
            removed *= self.share * scale[:, :, None] * scale[:, None]
            inverse, logdet, regular = invert(removed, left.shape[1] == 1)
            moved = (self.rows[c][test[changed]] + shift[:, None]) * scale[:, None]
            away = ((moved @ inverse) * moved).sum(axis=2) - self.away[c][test[changed]]
            logdet += np.log(base).sum(axis=1)
            score[changed, :, c] -= 0.5 * (away + logdet[:, None])
            # The sum of 1 / eigenvalue bounds the smallest, which scikit-learn compares with tol.
            inverses = np.diagonal(inverse, axis1=1, axis2=2) * scale**2 / power
            sure[changed] &= regular & (inverses.sum(axis=1) * self.tol < 1.0)
        return posteriors(score, sure)


class Ridge:
    """Ridge regression, or least squares, in coordinates in which X'X + alpha I is the identity."""

    def __init__(self, model: Any, X: Array, y: Array, k: int) -> None:
        centred = X - X.mean(axis=0)
        turn, power = whiten(centred, 1.0, getattr(model, "alpha", 0.0))
        if power.min() < 1e-8 * power.max():  # least squares drop directions below 1e-12
            raise LinAlgError
        self.rows, self.mean = centred @ turn, y.mean()
        self.y = y - self.mean
        self.moment = self.rows.T @ self.y

    def predict(self, left: Array, test: Array) -> tuple[Array, Array]:
        rows, y, n = self.rows[left], self.y[left, None], len(self.y) - left.shape[1]
        first, mean = rows.sum(axis=1, keepdims=True), -y.sum(axis=1, keepdims=True) / n
        across = rows.swapaxes(1, 2)
        removed = across @ rows + first.swapaxes(1, 2) @ first / n
        inverse, _, sure = invert(removed, left.shape[1] == 1)
        slope = inverse @ (self.moment[:, None] - across @ y + first.swapaxes(1, 2) @ mean)
        return ((self.rows[test] + first / n) @ slope + mean)[..., 0] + self.mean, sure


class Neighbors:
    """The k nearest training rows, from one search for a few more among all rows.

    Neighbours at the border that are tied and would vote differently leave the split to refitting:
    scikit-learn breaks such ties in an order that depends on its search.
    """

    def __init__(self, model: Any, X: Array, y: Array, k: int) -> None:
        from sklearn.neighbors import NearestNeighbors

        self.wanted, self.y, self.k = model.n_neighbors, y, k
        # Distances by matrix products have an error in proportion to the squares of the inputs.
        self.slack = 1e-12 * (X.shape[1] * np.abs(X).max()) ** 2
        search = NearestNeighbors(metric=model.metric, p=model.p, algorithm=model.algorithm)
        # Enough where up to a third of the rows is left out.
        self.far, self.near = search.fit(X).kneighbors(X, min(2 * self.wanted + 16, len(X)))

    def predict(self, left: Array, test: Array) -> tuple[Array, Array]:
        n, wanted = len(self.y), self.wanted
        far, near = self.far[test] ** 2, self.near[test]
        length = near.shape[2]
        in_train, kept = np.empty(near.shape, bool), np.ones(n, bool)
        for split, rows in enumerate(left):
            kept[rows] = False
            in_train[split] = kept[near[split]]
            kept[rows] = True
        rank = in_train.cumsum(axis=2)
        last = (rank < wanted).sum(axis=2, keepdims=True)
        border = np.take_along_axis(far, np.minimum(last, length - 1), 2)
        tied = in_train & (np.abs(far - border) <= self.slack)
        y = self.y[near]
        same = np.where(tied, y, np.inf).min(axis=2) == np.where(tied, y, -np.inf).max(axis=2)
        ends = (far[..., -1] > border[..., 0] + self.slack) | (length == n)
        sure = ends & (last[..., 0] < length) & (same | ~(tied & (rank > wanted)).any(axis=2))
        chosen = in_train & (rank <= wanted)
        if not self.k:
            return (y * chosen).sum(axis=2) / wanted, sure.all(axis=1)
        votes = np.arange(test.size).reshape(*test.shape, 1) * self.k + y
        counts = np.bincount(votes[chosen], minlength=test.size * self.k)
        return counts.reshape(*test.shape, self.k) / wanted, sure.all(axis=1)


_DISCRIMINANT = {"solver": ("svd",), "shrinkage": (None,), "covariance_estimator": (None,)}
_METRICS = ("minkowski", "euclidean", "l2", "manhattan", "cityblock", "l1", "chebyshev")
_NEIGHBORS = {"weights": ("uniform",), "metric": _METRICS, "metric_params": (None,)}
_LINEAR = {"fit_intercept": (True,), "positive": (False,)}
# Classes of scikit-learn, and the values of parameters for which their shortcut holds; a parameter
# that is not named may have any value.
SUPPORTED: Mapping[str, tuple[Any, Mapping[str, Sequence[object]]]] = {
    "GaussianNB": (NaiveBayes, {}),
    "LinearDiscriminantAnalysis": (LinearDiscriminant, {**_DISCRIMINANT, "n_components": (None,)}),
    "QuadraticDiscriminantAnalysis": (QuadraticDiscriminant, _DISCRIMINANT),
    "KNeighborsClassifier": (Neighbors, _NEIGHBORS),
    "KNeighborsRegressor": (Neighbors, _NEIGHBORS),
    "Ridge": (Ridge, {**_LINEAR, "solver": ("auto", "cholesky", "svd")}),
    "LinearRegression": (Ridge, {**_LINEAR, "tol": (1e-6,)}),
}


def is_supported(model: Any) -> bool:
    """Whether a model, exactly of a class of scikit-learn, has a shortcut with its parameters."""
    name = type(model).__name__
    if not type(model).__module__.startswith("sklearn.") or name not in SUPPORTED:
        return False
    parameters = model.get_params(deep=False)
    needed = SUPPORTED[name][1].items()
    return all(parameters.get(name, values[0]) in values for name, values in needed)
