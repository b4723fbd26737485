"""Example 22.8 and the ten repeated runs of example 22.7: Iris in two dimensions, full Bayes."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from heliast.data import Dataset
from heliast.learners import FullBayes
from heliast.plans import Bootstrap, KFold
from heliast.predictions import Predictions
from heliast.reproduce._registry import study
from heliast.reproduce._setting import Setting
from heliast.reproduce._study import Found, Note, Value

Array = npt.NDArray[Any]


def iris_in_two() -> Dataset:
    """Sepal length and width, three classes of 50 rows."""
    from sklearn.datasets import load_iris

    X, y = load_iris(return_X_y=True)
    return Dataset.of(X[:, :2], y, name="iris")


@study(
    "chapter-22.8",
    "Iris in two dimensions, full Bayes: 50 resamples, and ten runs of five folds",
    design="""Sepal length and width; 50 bootstrap resamples, each model tested on all 150 rows; ten
    runs of 5 folds.""",
    tolerance="""Means: 0.032, as the chapter gives the variance of such estimates as below 0.001;
    variances: a factor of 2, as they are estimated from few values.""",
)
def chapter_22_8(setting: Setting) -> Iterator[Found]:
    """Means and variances of the error over resamples and over folds."""
    data, models = iris_in_two(), {"full Bayes": FullBayes()}
    table = setting.run(models, data, Bootstrap(50), setting.seed, in_sample=True)
    resampled = _errors(table)
    yield _mean("Example 22.8", "mean over resamples", 0.213, resampled)
    yield _spread("Example 22.8", "variance over resamples", 4.815e-4, resampled.var(ddof=1))
    folds = _errors(setting.run(models, data, KFold(5, repeats=10), setting.seed))
    runs = folds.reshape(10, 5)
    yield _mean("Example 22.7, ten runs", "mean error", 0.232, runs.mean(axis=1))
    variance = float(runs.var(axis=1, ddof=1).mean())
    yield _spread("Example 22.7, ten runs", "mean variance", 0.00521, variance)
    yield Note(
        "Testing on all rows includes those trained on: lower than the error on new rows, as the "
        "chapter says."
    )


def _errors(table: Predictions) -> Array:
    part = table.only(role="test")
    assert part.split_code is not None
    total = np.bincount(part.split_code)
    wrong = np.bincount(part.split_code, part.truth != part.label)
    shares: Array = wrong[total > 0] / total[total > 0]
    return shares


def _mean(group: str, row: str, printed: float, values: Array) -> Value:
    se = float(values.std(ddof=1) / math.sqrt(len(values)))
    return Value(group, row, "", printed, float(values.mean()), 0.032, se)


def _spread(group: str, row: str, printed: float, ours: float) -> Value:
    return Value(group, row, "", printed, float(ours), printed)
