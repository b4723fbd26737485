"""Tables that several examples of the chapter share."""

from collections.abc import Sequence

import numpy as np

from heliast.predictions import Predictions

IRIS = ("Iris-setosa", "Iris-versicolor", "Iris-virginica")
TABLE_22_1 = ((10, 0, 0), (0, 7, 5), (0, 3, 5))
"""Example 22.2, rows = predicted, as printed."""
TABLE_22_3 = ((7, 7), (3, 13))
"""Example 22.3, rows = predicted: true and false positives, false and true negatives."""
SCORES = (
    *(0.93, 0.82, 0.80, 0.77, 0.74, 0.71, 0.69, 0.67, 0.66, 0.61),
    *(0.59, 0.55, 0.55, 0.53, 0.47, 0.30, 0.26, 0.11, 0.04, 2.97e-03),
    *(1.28e-03, 2.55e-07, 6.99e-08, 3.11e-08, 3.109e-08),
    *(1.53e-08, 9.76e-09, 2.08e-09, 1.95e-09, 7.83e-10),
)
TRUTHS = tuple(f"c{digit}" for digit in "21211121222211111222" + "2" * 10)
"""Table 22.5; the labels of the last rows, lost in print, are all c2 (10 and 20 rows)."""


def counted(table: Sequence[Sequence[int]], classes: Sequence[str], positive: str) -> Predictions:
    """Predictions with these counts, rows = predicted."""
    truth, label = [], []
    for i, line in enumerate(table):
        for j, count in enumerate(line):
            label += [classes[i]] * count
            truth += [classes[j]] * count
    return Predictions.of(truth, label, classes=list(classes), positive=positive)


def iris_components() -> tuple[
    "np.ndarray[tuple[int, int], np.dtype[np.float64]]",
    "np.ndarray[tuple[int], np.dtype[np.int64]]",
]:
    """The Iris principal components: two columns, versicolor (+1) against the rest (-1)."""
    from sklearn.datasets import load_iris

    X, y = load_iris(return_X_y=True)
    centred = X - X.mean(axis=0)
    _, _, axes = np.linalg.svd(centred, full_matrices=False)
    return centred @ axes[:2].T, np.where(y == 1, 1, -1)
