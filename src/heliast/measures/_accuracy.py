"""Error rate and accuracy."""

import numpy as np

from heliast.measures._registry import measure
from heliast.measures.forms import Form, Rate
from heliast.summaries import Counted


@measure("error", better="low", bounds=(0.0, 1.0), panel=True)
def error(counted: Counted) -> Form:
    """Share of rows whose label is wrong.

    >>> from heliast import Predictions, measures
    >>> measures.get("error").of(Predictions.of(["a", "a", "b", "b"], ["a", "b", "b", "b"]))
    0.25
    """
    k = len(counted.classes)
    wrong = ~np.eye(k, dtype=bool)
    return Rate.of(counted.contingency, wrong, np.ones((k, k), bool), "no rows")


@measure("accuracy", better="high", bounds=(0.0, 1.0), panel=True)
def accuracy(counted: Counted) -> Form:
    """Share of rows whose label is right: 1 - error.

    >>> from heliast import Predictions, measures
    >>> measures.get("accuracy").of(Predictions.of(["a", "a", "b", "b"], ["a", "b", "b", "b"]))
    0.75
    """
    k = len(counted.classes)
    right = np.eye(k, dtype=bool)
    return Rate.of(counted.contingency, right, np.ones((k, k), bool), "no rows")
