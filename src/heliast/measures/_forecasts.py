"""Measures of probability forecasts: log loss and Brier score."""

from typing import Any

import numpy as np
import numpy.typing as npt

from heliast._core.notes import Note
from heliast.measures._registry import measure
from heliast.measures.forms import FIXED, Form, Mean, Undefined
from heliast.measures.summaries import Counted, Moments, row_losses
from heliast.predictions import Rows

Array = npt.NDArray[Any]


@measure("log_loss", better="low", bounds=(0.0, np.inf), needs="probability", panel=True)
def log_loss(counted: Counted) -> Form:
    """Mean of -log(probability given to the true class), natural logarithm.

    Infinite, and said so, when a true class was given probability 0.

    >>> from heliast import Predictions, measures
    >>> round(measures.get("log_loss").of(Predictions.of([0, 1], score=[0.5, 0.5])), 4)
    0.6931
    """
    found = counted.probabilities
    if found.zeros:
        count = f"{found.zeros:g} {'row' if found.zeros == 1 else 'rows'}"
        said = f"infinite: the true class was given probability 0 in {count}"
        return Undefined(Note(said, "infinite"), float("inf"))
    return _mean(counted, found.log_loss, [part.log_loss for part in found.strata], 0)


@measure("brier", better="low", bounds=(0.0, 2.0), needs="probability", panel=True)
def brier(counted: Counted) -> Form:
    """Mean squared error of the probabilities: (p - y)^2; summed over classes if more than two."""
    found = counted.probabilities
    return _mean(counted, found.brier, [part.brier for part in found.strata], 1)


def _mean(counted: Counted, whole: Moments, strata: list[Moments], which: int) -> Form:
    def losses(rows: Rows) -> Array:
        return row_losses(rows)[which]

    if strata:
        shares = counted.contingency.prevalence
        return Undefined(FIXED) if shares is None else Mean.of_strata(shares, strata, losses)
    return Mean.of(whole, losses)
