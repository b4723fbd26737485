"""The Wald interval for cross-validation of Bayle and others."""

from math import sqrt

from heliast._core.labels import Label
from heliast.estimates._proportion import quantile
from heliast.estimates._record import Estimate
from heliast.estimates._scale import clipped
from heliast.estimates.resampled._case import Case, Refused, alone, need_splits, resampled, without
from heliast.estimates.resampled._corrected_t import NO_SPREAD
from heliast.estimates.resampled._losses import independent_rows, row_losses
from heliast.measures import Measure
from heliast.predictions import Predictions


def wald_cv(
    predictions: Predictions,
    measure: str | Measure = "error",
    level: float = 0.95,
    *,
    class_: Label | None = None,
) -> Estimate:
    """Mean +- z sd / sqrt(n) over the losses of all n rows, sd with n.

    Speaks of the mean risk of the K models fitted here, not of the recipe: as an interval for the
    recipe it is too narrow where a few other training rows change the model much. Valid for one
    repeat of folds (leave-one-out too) and stable learners; refuses repeats, groups and weights.

    >>> table = Predictions.of([0, 1, 0, 1], [0, 1, 1, 1], split=[0, 0, 1, 1], row=[0, 1, 2, 3])
    >>> wald_cv(table)
    Estimate(model error: 0.25 [0, 0.6743], Wald over the rows of 2 folds)

    Reference: P. Bayle, A. Bayle, L. Janson and L. Mackey (2020), Cross-validation confidence
    intervals for test error, NeurIPS 33.
    """
    return alone("wald_cv", predictions, measure, level, class_)


@resampled("wald_cv")
def of_case(case: Case) -> Estimate:
    need_splits("wald_cv", case)
    design, table = case.design, case.parts.whole
    if not design.folds or design.repeats > 1:
        kind, count = design.kind.replace("_", "-"), design.repeats
        raise Refused(
            "wald_cv needs one repeat of folds that test every row once, not "
            + (f"{count} repeats of {kind}" if count > 1 else kind)
        )
    independent_rows("wald_cv", table)
    losses = row_losses(case, "wald_cv")(table.rows())
    value, se = float(losses.mean()), float(losses.std()) / sqrt(losses.size)
    half = quantile(case.level) * se
    low, high = clipped(value - half, value + half, case.measure.bounds)
    one = case.found(
        value,
        f"Wald over the rows of {design.splits} folds",
        low=low,
        high=high,
        se=se,
        n_effective=design.n,
        notes=(
            *design.notes,
            f"speaks of the mean risk of the {design.splits} fitted models, not of the recipe",
        ),
    )
    return one if se > 0 else without(one, NO_SPREAD)
