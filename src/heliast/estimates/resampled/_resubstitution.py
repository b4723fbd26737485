"""The error of the full-data model on its own training rows."""

from heliast._core.labels import Label
from heliast.estimates._record import Estimate
from heliast.estimates.resampled._case import Case, Refused, alone, resampled
from heliast.estimates.resampled._parts import Parts
from heliast.measures import Measure
from heliast.predictions import Predictions

OPTIMISTIC = "measured on the rows trained on: optimistic, so no interval would hold"


def resubstitution(
    predictions: Predictions,
    measure: str | Measure = "error",
    level: float = 0.95,
    *,
    class_: Label | None = None,
) -> Estimate:
    """The measure of the fit on all rows, on those same rows: too good by what was overfitted.

    Needs the split of role `full` that the plan `Bootstrap` adds, or one split whose rows were all
    seen in training. 1-NN has 0 here whatever it is worth. No interval.

    >>> table = Predictions.of([0, 1, 0, 1], [0, 1, 1, 1], seen=[1, 1, 1, 1])
    >>> resubstitution(table).value
    0.25
    """
    return alone("resubstitution", predictions, measure, level, class_)


@resampled("resubstitution")
def of_case(case: Case) -> Estimate:
    parts = full_parts("resubstitution", case)
    form = case.measure.form(parts.pooled, case.class_)
    n = float(parts.pooled.rows.n)
    n_train = parts.splits[0].n_train
    return case.found(
        form.value,
        "resubstitution",
        target="model",
        n=n,
        n_train=n if n_train is None else float(n_train),
        reason=OPTIMISTIC,
    )


def full_parts(name: str, case: Case) -> Parts:
    """The fit on all rows predicting all rows."""
    model = case.table.models[0]
    parts = Parts(case.table.only(role="full"), model, case.parts.prevalences)
    if len(parts.splits) == 1:
        return parts
    seen = case.table.seen
    if not parts.splits and len(case.table.splits) == 1 and seen is not None and (seen > 0).all():
        return Parts(case.table, model, case.parts.prevalences)
    raise Refused(
        f"{name} needs the fit on all rows predicting all rows: one split of role full (the plan "
        f"Bootstrap adds it), here are {len(parts.splits)}"
    )
