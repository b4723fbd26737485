"""The holdout: one fitted model, rows kept from its training."""

from dataclasses import replace

from heliast._core.labels import Label
from heliast.estimates._estimate import estimate
from heliast.estimates._record import Estimate
from heliast.estimates.resampled._case import Case, Refused, alone, resampled
from heliast.estimates.resampled._parts import Parts
from heliast.estimates.resampled._resubstitution import OPTIMISTIC
from heliast.measures import Measure
from heliast.predictions import Predictions


def holdout(
    predictions: Predictions,
    measure: str | Measure = "error",
    level: float = 0.95,
    *,
    class_: Label | None = None,
) -> Estimate:
    """The measure on one test set that the model was not trained on, with the measure's default.

    Rates have Wilson's interval, row losses Student's t, and so on: those of one test set. Speaks
    of this fitted model (`target` model), not of the recipe. Refuses several splits, and rows that
    were trained on.

    >>> table = Predictions.of([0, 1, 0, 1], [0, 1, 1, 1])
    >>> holdout(table)
    Estimate(model error: 0.25 [0.04559, 0.6994], holdout, Wilson)
    """
    return alone("holdout", predictions, measure, level, class_)


@resampled("holdout", splits="one")
def of_case(case: Case) -> Estimate:
    if len(case.parts.splits) != 1:
        count = len(case.parts.splits)
        raise Refused(f"holdout needs one split that tests rows not trained on, here are {count}")
    found = one_test_set(case, case.parts)
    return replace(found, method=f"holdout, {found.method}" if found.method else "holdout")


def one_test_set(case: Case, parts: Parts) -> Estimate:
    """The default of one test set, with what its split says."""
    seen = parts.whole.seen
    if seen is not None and seen.any():
        raise Refused(OPTIMISTIC)
    found = estimate(case.measure, parts.pooled, case.class_, case.level, "auto", case.seed)
    n_train = parts.splits[0].n_train
    return replace(
        found,
        model=case.table.models[0],
        n_train=None if n_train is None else float(n_train),
    )
