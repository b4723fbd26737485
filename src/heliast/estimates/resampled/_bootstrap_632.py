"""The .632 bootstrap."""

from typing import Any

import numpy as np
import numpy.typing as npt

from heliast._core.labels import Label
from heliast.estimates._record import Estimate
from heliast.estimates.resampled._case import Case, alone, resampled
from heliast.estimates.resampled._left_out import left_out_point, need_resamples
from heliast.estimates.resampled._losses import row_losses
from heliast.estimates.resampled._resubstitution import full_parts
from heliast.measures import Measure
from heliast.predictions import Predictions, Rows

Array = npt.NDArray[Any]
OUT, IN = 0.632, 0.368
"""1 - 1/e and 1/e to three digits, as the method's name has them."""


def bootstrap_632(
    predictions: Predictions,
    measure: str | Measure = "error",
    level: float = 0.95,
    *,
    class_: Label | None = None,
) -> Estimate:
    """.368 e + .632 E1: training error and left-out error, weighed by what resamples see.

    e is the loss of the model fitted to all rows on those rows (not that of the resampled models,
    as some notes and programs have it), E1 the left-out loss. Needs a table of resamples with
    their `full` split (the plan `Bootstrap`). Too low for a model that learns its rows by heart
    (e = 0): see `bootstrap_632_plus`. No interval.

    >>> import numpy as np
    >>> from heliast import Bootstrap, Dataset, run
    >>> from sklearn.dummy import DummyClassifier
    >>> data = Dataset.of(np.arange(40.0)[:, None], ["a"] * 30 + ["b"] * 10)
    >>> bootstrap_632(run(DummyClassifier(), data, Bootstrap(60), seed=1)).value
    0.25

    Reference: B. Efron (1983), Estimating the error rate of a prediction rule, Journal of the
    American Statistical Association 78.
    """
    return alone("bootstrap_632", predictions, measure, level, class_)


@resampled("bootstrap_632")
def of_case(case: Case) -> Estimate:
    own, left, _ = two_errors("bootstrap_632", case)
    return weighed(case, left, IN * own + OUT * left.value, ".632 bootstrap")


def two_errors(name: str, case: Case) -> tuple[float, Estimate, Rows]:
    """e, E1 with what is to be said of it, and the rows of the fit on all rows."""
    need_resamples(name, case)
    full = full_parts(name, case)
    rows = full.pooled.rows
    own = np.average(row_losses(case, name, full)(rows), weights=rows.weight)
    row_losses(case, name)
    return float(own), left_out_point(case), rows


def weighed(case: Case, left: Estimate, value: float, title: str) -> Estimate:
    """The point, with the reason and the notes of the left-out value."""
    method = f"{title}, {len(case.parts.splits)} resamples"
    return case.found(value, method, reason=left.reason, notes=left.notes)
