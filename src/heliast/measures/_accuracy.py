"""Error rate and accuracy."""

from heliast.measures._registry import measure
from heliast.measures.forms import Form, Rate
from heliast.measures.summaries import Cells, Counted


@measure("error", better="low", bounds=(0.0, 1.0), panel=True, percent=True)
def error(counted: Counted) -> Form:
    """Share of rows whose label is wrong.

    >>> from heliast import Predictions, measures
    >>> measures.get("error").of(Predictions.of(["a", "a", "b", "b"], ["a", "b", "b", "b"]))
    0.25
    """
    k = len(counted.classes)
    return Rate.of(counted.contingency, Cells.diagonal(k).others, Cells.every(k), "no rows")


@measure("accuracy", better="high", bounds=(0.0, 1.0), panel=True, percent=True)
def accuracy(counted: Counted) -> Form:
    """Share of rows whose label is right: 1 - error.

    >>> from heliast import Predictions, measures
    >>> measures.get("accuracy").of(Predictions.of(["a", "a", "b", "b"], ["a", "b", "b", "b"]))
    0.75
    """
    k = len(counted.classes)
    return Rate.of(counted.contingency, Cells.diagonal(k), Cells.every(k), "no rows")
