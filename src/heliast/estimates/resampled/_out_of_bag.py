"""Out-of-bag predictions: each row judged by the members of a vote that did not see it."""

from dataclasses import replace

from heliast._core.labels import Label
from heliast.estimates._record import Estimate
from heliast.estimates.resampled._case import Case, Refused, alone, resampled
from heliast.estimates.resampled._holdout import one_test_set
from heliast.estimates.resampled._parts import Parts
from heliast.measures import Measure
from heliast.predictions import Predictions

NOTE = (
    "out-of-bag: every row is judged by the members that did not see it, about 37% of them, and "
    "rows share members; for votes of many members"
)


def out_of_bag(
    predictions: Predictions,
    measure: str | Measure = "error",
    level: float = 0.95,
    *,
    class_: Label | None = None,
) -> Estimate:
    """The measure over out-of-bag predictions of one vote fitted to all rows.

    A bagged vote was trained on every row, but each row was left out by about 37% of its members:
    their vote is a prediction with `seen` 0. The table has them in a split of role `full` (or
    they are its only split). As with leave-one-out, every prediction comes from nearly all
    other rows, so this speaks of the recipe trained on n rows (`target` procedure), with the
    interval of one test set; a vote of few members errs more out of bag than in use.

    >>> table = Predictions.of([0, 1, 0, 1], [0, 1, 1, 1], seen=[0, 0, 0, 0])
    >>> found = out_of_bag(table)
    >>> found, found.target
    (Estimate(model error: 0.25 [0.04559, 0.6994], out-of-bag, Wilson), 'procedure')

    Reference: L. Breiman (1996), Out-of-bag estimation, Department of Statistics, University of
    California, Berkeley.
    """
    return alone("out_of_bag", predictions, measure, level, class_)


@resampled("out_of_bag", splits="one")
def of_case(case: Case) -> Estimate:
    parts = Parts(
        case.table.only(role="full", seen=0), case.table.models[0], case.parts.prevalences
    )
    if not parts.splits:
        parts = case.parts
    if len(parts.splits) != 1 or parts.whole.seen is None:
        raise Refused(
            "out_of_bag needs one fit whose rows were predicted by members that did not see them: "
            "one split of role full (or the only one) with rows of seen = 0"
        )
    found = one_test_set(case, parts)
    return replace(
        found,
        method=f"out-of-bag, {found.method}" if found.method else "out-of-bag",
        target="procedure",
        n_train=float(len(parts.whole)) if found.n_train is None else found.n_train,
        notes=(*found.notes, NOTE),
    )
