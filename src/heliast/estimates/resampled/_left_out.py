"""The left-out (out-of-bag) error of the bootstrap."""

from typing import Any

import numpy as np
import numpy.typing as npt

from heliast._core.labels import Label
from heliast.estimates._record import Estimate
from heliast.estimates.resampled._case import Case, Refused, alone, resampled
from heliast.estimates.resampled._losses import row_losses
from heliast.measures import Measure
from heliast.predictions import Predictions

Array = npt.NDArray[Any]
NO_INTERVAL = (
    "resamples share rows: the spread over them is not that of the estimate; by name there are "
    "location_shifted and two_stage"
)
NO_ROWS = "{name} needs a row column, to find each row in every resample"


def left_out(
    predictions: Predictions,
    measure: str | Measure = "error",
    level: float = 0.95,
    *,
    class_: Label | None = None,
) -> Estimate:
    """Mean over rows of each row's mean loss over the resamples that left it out.

    Needs a table of resamples (`Bootstrap`), whose models see about 63% of the rows: pessimistic
    by as much as fewer rows hurt. Rows that no resample left out are dropped and counted. For
    measures that are means of row losses. No interval.

    >>> import numpy as np
    >>> from heliast import Bootstrap, Dataset, run
    >>> from sklearn.dummy import DummyClassifier
    >>> data = Dataset.of(np.arange(40.0)[:, None], ["a"] * 30 + ["b"] * 10)
    >>> left_out(run(DummyClassifier(), data, Bootstrap(60), seed=1)).value
    0.25

    Reference: B. Efron (1983), Estimating the error rate of a prediction rule, Journal of the
    American Statistical Association 78.
    """
    return alone("left_out", predictions, measure, level, class_)


@resampled("left_out")
def of_case(case: Case) -> Estimate:
    need_resamples("left_out", case)
    row_losses(case, "left_out")
    return left_out_point(case)


def need_resamples(name: str, case: Case) -> None:
    """Refuse what is not a table of resamples drawn with replacement."""
    if not case.parts.splits:
        raise Refused(f"{name}: no row of role test with seen = 0")
    if case.design.kind != "bootstrap":
        raise Refused(
            f"{name} needs resamples drawn with replacement (the plan Bootstrap), not "
            f"{case.design.kind.replace('_', '-')}"
        )
    if case.parts.whole.row is None:
        raise Refused(NO_ROWS.format(name=name))


def left_out_point(case: Case) -> Estimate:
    """The left-out value of a measure known to have row losses."""
    table = case.parts.whole
    loss, weight = row_means(table, row_losses(case, "left_out")(table.rows()))
    return case.found(
        float(np.average(loss, weights=weight)),
        f"left-out bootstrap, {len(case.parts.splits)} resamples",
        n=float(loss.size if weight is None else weight.sum()),
        reason=NO_INTERVAL,
        notes=(*_never(case, loss.size), *filter(None, (case.design.torn,))),
    )


def row_means(table: Predictions, losses: Array) -> tuple[Array, Array | None]:
    """Each row's mean loss over the splits that predict it, and its weight."""
    _, first, place = np.unique(np.asarray(table.row), return_index=True, return_inverse=True)
    means = np.bincount(place, weights=losses) / np.bincount(place)
    return means, None if table.weight is None else table.weight[first]


def _never(case: Case, found: int) -> tuple[str, ...]:
    """How many rows were in every resample, where the fit on all rows shows how many there are."""
    missing = len(case.table.only(role="full")) - found
    if missing <= 0:
        return ()
    return (f"{missing} {'row was' if missing == 1 else 'rows were'} never left out, and dropped",)
