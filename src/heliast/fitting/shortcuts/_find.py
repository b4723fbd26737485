"""Which models have a shortcut, and with which settings."""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from heliast._core.kinds import Array
from heliast.fitting.shortcuts._shortcut import Shortcut


def find(model: object, X: Array, truth: Array, classes: Sequence[object]) -> Shortcut | None:
    """The shortcut of a model on these data, or None: then it has to be refitted for every split.

    `X` is what the model would be given: float64, finite, two-dimensional. `truth` holds codes
    into `classes` (numbers, with `classes` empty, for a number). Only scikit-learn's own classes
    count, not what is derived from them.

    >>> from sklearn.naive_bayes import GaussianNB
    >>> X = np.array([[0.0], [1.0], [5.0], [7.0], [2.0]])
    >>> shortcut = find(GaussianNB(), X, np.array([0, 0, 1, 1, 0]), ("no", "yes"))
    >>> label, score = shortcut.predict(train=[0, 1, 2, 3], test=[4])
    >>> label, score.round(3)
    (array([0]), array([[0.985, 0.015]]))
    """
    makers = _makers()
    make = makers.get(type(model))
    if make is None or not _usable(X, truth):
        return None
    numeric = type(model).__name__ == "KNeighborsRegressor"
    order = None if numeric else _order(truth, classes)
    if not numeric and order is None:
        return None
    if numeric and (len(classes) > 0 or not np.isfinite(truth).all()):
        return None
    return make(model, X, truth, order)


def _usable(X: Array, truth: Array) -> bool:
    if not isinstance(X, np.ndarray) or X.dtype != np.float64 or X.ndim != 2:
        return False
    if X.shape[0] < 2 or X.shape[1] < 1 or truth.shape != (X.shape[0],):
        return False
    return bool(np.isfinite(X).all()) and float(np.abs(X).max()) < 1e100


def _order(truth: Array, classes: Sequence[object]) -> npt.NDArray[np.int64] | None:
    """Positions of the classes in the order in which scikit-learn sorts them."""
    try:
        labels, order = np.unique(np.array(classes), return_index=True)
    except TypeError:
        return None
    if labels.dtype.kind == "f" and (labels % 1 != 0).any():
        return None  # scikit-learn takes such labels for numbers, and refuses
    known = truth.size and truth.min() >= 0 and truth.max() < len(classes)
    if labels.ndim != 1 or labels.size != len(classes) or len(classes) < 2 or not known:
        return None
    return order.astype(np.int64)


def _priors(given: object, k: int) -> tuple[bool, npt.NDArray[np.float64] | None]:
    """Whether these priors are plain, and the priors: positive, one a class, of sum one."""
    if given is None:
        return True, None
    priors = np.asarray(given, np.float64)
    plain = priors.shape == (k,) and (priors > 0).all() and abs(priors.sum() - 1) < 1e-9
    return bool(plain), priors


def _naive(model: Any, X: Array, truth: Array, order: Array) -> Shortcut | None:
    from heliast.fitting.shortcuts._naive import NaiveBayes

    plain, priors = _priors(model.priors, order.size)
    smoothing = float(model.var_smoothing)
    if not plain or not 0 <= smoothing < math.inf:
        return None
    return NaiveBayes(X, truth, order, priors=priors, smoothing=smoothing)


def _linear(model: Any, X: Array, truth: Array, order: Array) -> Shortcut | None:
    from heliast.fitting.shortcuts._linear import LinearDiscriminant

    plain, priors = _priors(model.priors, order.size)
    ordinary = model.shrinkage is None and model.covariance_estimator is None
    if model.solver != "svd" or not ordinary or not plain or not 1e-8 <= model.tol < 0.1:
        return None
    return LinearDiscriminant(
        X, truth, order, priors=priors, tol=float(model.tol), components=model.n_components
    )


def _quadratic(model: Any, X: Array, truth: Array, order: Array) -> Shortcut | None:
    from heliast.fitting.shortcuts._quadratic import QuadraticDiscriminant

    plain, priors = _priors(model.priors, order.size)
    settings = model.get_params(deep=False)
    # Older releases know only the SVD, and neither shrinkage nor other estimators.
    ordinary = settings.get("shrinkage") is None and settings.get("covariance_estimator") is None
    if settings.get("solver", "svd") != "svd" or not ordinary or not plain:
        return None
    if not 0 <= model.reg_param <= 1 or not model.tol >= 0:
        return None
    return QuadraticDiscriminant(
        X, truth, order, priors=priors, ridge=float(model.reg_param), tol=float(model.tol)
    )


def _power(model: Any) -> float | None:
    """The exponent of the Minkowski distance; None for any other distance."""
    named = {
        "euclidean": 2.0, "l2": 2.0, "manhattan": 1.0, "cityblock": 1.0, "l1": 1.0,
        "chebyshev": math.inf, "infinity": math.inf, "minkowski": model.p,
    }  # fmt: skip
    if not isinstance(model.metric, str) or model.metric_params or model.p is None:
        return None
    power = named.get(model.metric)
    return None if power is None or not power >= 1 else float(power)


def _neighbours(model: Any, X: Array, truth: Array, order: Array | None) -> Shortcut | None:
    from heliast.fitting.shortcuts._neighbours import Neighbours

    power = _power(model)
    known = model.weights in (None, "uniform", "distance") if not callable(model.weights) else False
    whole = isinstance(model.n_neighbors, int | np.integer) and model.n_neighbors >= 1
    if power is None or not known or not whole:
        return None
    if model.algorithm not in ("auto", "brute", "kd_tree", "ball_tree"):
        return None
    return Neighbours(
        X,
        truth,
        order,
        neighbours=int(model.n_neighbors),
        inverse=model.weights == "distance",
        power=power,
        algorithm=model.algorithm,
    )


def _makers() -> dict[type, Callable[[Any, Array, Array, Any], Shortcut | None]]:
    from sklearn.discriminant_analysis import (
        LinearDiscriminantAnalysis,
        QuadraticDiscriminantAnalysis,
    )
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor

    return {
        GaussianNB: _naive,
        LinearDiscriminantAnalysis: _linear,
        QuadraticDiscriminantAnalysis: _quadratic,
        KNeighborsClassifier: _neighbours,
        KNeighborsRegressor: _neighbours,
    }
