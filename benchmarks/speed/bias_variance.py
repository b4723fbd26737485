"""Bias and variance: of a large table, and beside the fits that made the predictions."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.datasets import make_classification
from sklearn.tree import DecisionTreeClassifier

from benchmarks.speed._measure import Result, seconds
from heliast import Predictions
from heliast.theory import bias_variance

SPLITS, ROWS, CLASSES = 100, 10_000, 26


def table(labels: Any, truth: Any, k: int) -> Predictions:
    """Labels (splits x rows) as a table."""
    splits, n = labels.shape
    return Predictions.of(
        np.tile(truth, splits),
        labels.ravel(),
        classes=list(range(k)),
        row=np.tile(np.arange(n), splits),
        split=np.repeat(np.arange(splits), n),
    )


def large() -> tuple[Predictions, Any]:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, CLASSES, ROWS)
    right = rng.random((SPLITS, ROWS)) < 0.7
    labels = np.where(right, truth, rng.integers(0, CLASSES, (SPLITS, ROWS)))
    return table(labels, truth, CLASSES), rng.dirichlet(np.full(CLASSES, 0.2), ROWS)


def trees() -> tuple[Any, Any, Any]:
    """What fits 100 trees to bootstrap samples, their labels and the truth."""
    X, y = make_classification(3000, 20, n_informative=10, n_classes=4, random_state=0)

    def fit() -> Any:
        rng = np.random.default_rng(1)
        found = []
        for _ in range(SPLITS):
            drawn = rng.integers(0, 1500, 1500)
            tree = DecisionTreeClassifier(random_state=0).fit(X[drawn], y[drawn])
            found.append(tree.predict(X[1500:]))
        return np.array(found)

    return fit, fit(), y[1500:]


def run() -> Iterator[Result]:
    big, posteriors = large()
    took = seconds(lambda: bias_variance(big, posteriors=posteriors))
    what = f"bias_variance, {SPLITS} x {ROWS:,} x {CLASSES}, intervals"
    yield Result(what, took, 1.0, "one second", 1.0, at_most=True)
    fit, labels, truth = trees()
    took = seconds(lambda: bias_variance(table(labels, truth, 4)))
    fitting = seconds(fit, repeats=3)
    yield Result(
        "bias_variance beyond fitting", took, fitting, "fitting 100 trees", 0.1, at_most=True
    )
