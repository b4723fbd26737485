"""The bootstrap's points: left-out, .632 and .632+, from training, left-out and no-skill loss."""

from dataclasses import replace
from math import isfinite
from typing import Literal

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._core.notes import Note
from heliast.estimates._record import Estimate
from heliast.estimates.resampled._case import (
    Case,
    Losses,
    Refused,
    on_a_table,
    row_losses,
)
from heliast.estimates.resampled._one_split import full_parts
from heliast.predictions import Predictions, Rows

Point = Literal["left_out", "bootstrap_632", "bootstrap_632_plus"]
TITLES = {"left_out": "left-out", "bootstrap_632": ".632", "bootstrap_632_plus": ".632+"}
OUT, IN = 0.632, 0.368
"""1 - 1/e and 1/e to three digits, as the method's name has them."""
NO_INTERVAL = (
    "resamples share rows: the spread over them is not that of the estimate; by name there are "
    "location_shifted and two_stage"
)
NO_ROWS = "{name} needs a row column, to find each row in every resample"
NO_OWN_ROWS = (
    "{name} needs what each resample's model says of its own training rows: "
    "run(..., Bootstrap(...), in_sample=True)"
)
OF_THE_NOTES = Note(
    "the training term is that of each resampled model on all rows, as lecture notes have it; "
    "measured bias of this and of bootstrap_632 on two normal classes, in points of error: "
    "nearest neighbour and deep trees -6 and -10, LDA 0 to +1 both (docs/resampled.md)",
    "training_term",
)
ONLY_CLASSES = "bootstrap_632_plus: the no-information rate is that of classes, not numbers"


@on_a_table("left_out")
def left_out(case: Case) -> Estimate:
    """Mean over rows of each row's mean loss over the resamples that left it out.

    Needs a table of resamples (`Bootstrap`), whose models see about 63% of the rows: pessimistic
    by as much as fewer rows hurt. Rows that no resample left out are dropped and counted. For
    measures that are means of row losses. No interval.

    Parameters
    ----------
    predictions : Predictions
        A table of one model.
    measure : str or Measure
        What is measured.
    level : float
        The confidence level.
    class_ : object, optional
        The class it is asked of.

    Returns
    -------
    Estimate
        The value and its interval, or the reason why there is none.

    Raises
    ------
    InputError
        If there are several models, or the table lacks what method or measure need.

    Examples
    --------
    >>> import numpy as np
    >>> from heliast import Bootstrap, Dataset, run
    >>> from sklearn.dummy import DummyClassifier
    >>> data = Dataset.of(np.arange(40.0)[:, None], ["a"] * 30 + ["b"] * 10)
    >>> left_out(run(DummyClassifier(), data, Bootstrap(60), seed=1)).value
    0.25

    References
    ----------
    B. Efron (1983), Estimating the error rate of a prediction rule, Journal of the
    American Statistical Association 78.
    """
    need_resamples("left_out", case)
    row_losses(case, "left_out")
    return left_out_point(case)


def need_resamples(name: str, case: Case) -> None:
    """Refuse what is not a table of resamples drawn with replacement."""
    if not case.parts.splits:
        raise Refused(f"{name}: no row of role test with in_train = 0")
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


@on_a_table("bootstrap_632")
def bootstrap_632(case: Case) -> Estimate:
    """.368 e + .632 E1: training error and left-out error, weighed by what resamples see.

    e is the loss of the model fitted to all rows on those rows (not that of the resampled models,
    as some notes and programs have it), E1 the left-out loss. Needs a table of resamples with
    their `full` split (the plan `Bootstrap`). Too low for a model that learns its rows by heart
    (e = 0): see `bootstrap_632_plus`. No interval.

    Parameters
    ----------
    predictions : Predictions
        A table of one model.
    measure : str or Measure
        What is measured.
    level : float
        The confidence level.
    class_ : object, optional
        The class it is asked of.

    Returns
    -------
    Estimate
        The value and its interval, or the reason why there is none.

    Raises
    ------
    InputError
        If there are several models, or the table lacks what method or measure need.

    Examples
    --------
    >>> import numpy as np
    >>> from heliast import Bootstrap, Dataset, run
    >>> from sklearn.dummy import DummyClassifier
    >>> data = Dataset.of(np.arange(40.0)[:, None], ["a"] * 30 + ["b"] * 10)
    >>> bootstrap_632(run(DummyClassifier(), data, Bootstrap(60), seed=1)).value
    0.25

    References
    ----------
    B. Efron (1983), Estimating the error rate of a prediction rule, Journal of the
    American Statistical Association 78.
    """
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


def with_trained_rows(name: str, case: Case) -> tuple[Predictions, Array, Array]:
    """The resamples with rows that they trained on, how often each was drawn, and its resample."""
    table = case.table.only(role="test")
    seen, code = table.in_train, table.split_code
    if seen is None or code is None or table.row is None:
        raise Refused(NO_OWN_ROWS.format(name=name))
    drawn = np.bincount(code, weights=seen, minlength=len(table.splits))
    if any(one.n_train != rows for one, rows in zip(table.splits, drawn, strict=True)):
        raise Refused(NO_OWN_ROWS.format(name=name))
    return table, seen, np.asarray(code)


@on_a_table("bootstrap_632_notes")
def bootstrap_632_notes(case: Case) -> Estimate:
    """The .632 of the lecture notes: both terms come from the resampled models.

    Mean over runs of .632 (loss on the rows that the run left out) + .368 (loss of the same model
    on all rows). A third of all rows are rows left out, so that this is about .77 E1 + .23 e_b with
    e_b the loss of a resampled model on rows that it saw: higher than Efron's `bootstrap_632`,
    whose e is that of the model fitted to all rows. So it is less too low for models that learn
    their rows by heart, but still is; `bootstrap_632_plus` and `left_out` are better there. Needs
    resamples with training rows predicted too, `run(..., Bootstrap(100), in_sample=True)`. No
    interval.

    Parameters
    ----------
    predictions : Predictions
        A table of one model.
    measure : str or Measure
        What is measured.
    level : float
        The confidence level.
    class_ : object, optional
        The class it is asked of.

    Returns
    -------
    Estimate
        The value and its interval, or the reason why there is none.

    Raises
    ------
    InputError
        If there are several models, or the table lacks what method or measure need.

    Examples
    --------
    >>> import numpy as np
    >>> from heliast import Bootstrap, Dataset, run
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> data = Dataset.of(np.random.default_rng(1).random((40, 2)), ["a", "b"] * 20)
    >>> table = run(KNeighborsClassifier(1), data, Bootstrap(60), seed=1, in_sample=True)
    >>> bootstrap_632(table).value < bootstrap_632_notes(table).value < left_out(table).value
    True

    References
    ----------
    notes, section 2.3 (which sums over the runs where the mean is meant).
    """
    need_resamples("bootstrap_632_notes", case)
    losses = row_losses(case, "bootstrap_632_notes")
    table, seen, code = with_trained_rows("bootstrap_632_notes", case)
    weight = np.ones(len(table)) if table.weight is None else table.weight
    loss = losses(table.rows()) * weight

    def by_run(some: Array) -> Array:
        return np.bincount(code[some], loss[some]) / np.bincount(code[some], weight[some])

    runs = OUT * by_run(seen == 0) + IN * by_run(seen >= 0)
    method = f".632 bootstrap of the notes, {runs.size} resamples"
    notes = (OF_THE_NOTES, *filter(None, (case.design.torn,)))
    return case.found(float(runs.mean()), method, reason=NO_INTERVAL, notes=notes)


def weighed(case: Case, left: Estimate, value: float, title: str) -> Estimate:
    """The point, with the reason and the notes of the left-out value."""
    method = f"{title}, {len(case.parts.splits)} resamples"
    return case.found(value, method, reason=left.reason, notes=left.notes)


@on_a_table("bootstrap_632_plus")
def bootstrap_632_plus(case: Case) -> Estimate:
    """.632 that leans to the left-out error the more a model overfits.

    e: loss of the model fitted to all rows on those rows; E1: left-out loss; g: the loss if labels
    and rows had nothing to do with each other, for the error sum_l p_l (1 - q_l) with class shares
    p and shares q of the labels given. With E1' = min(E1, g) and R = (E1' - e)/(g - e), which is 0
    unless both exceed e: .368 e + .632 E1 + (E1' - e) .368 .632 R / (1 - .368 R). R lies between 0
    and 1; programs that leave it unclipped agree while E1 <= g. Needs a table of resamples with
    their `full` split (the plan `Bootstrap`). For classes. No interval.

    Parameters
    ----------
    predictions : Predictions
        A table of one model.
    measure : str or Measure
        What is measured.
    level : float
        The confidence level.
    class_ : object, optional
        The class it is asked of.

    Returns
    -------
    Estimate
        The value and its interval, or the reason why there is none.

    Raises
    ------
    InputError
        If there are several models, or the table lacks what method or measure need.

    Examples
    --------
    >>> round(plus(0.0, 0.55, 0.5), 4)
    0.5316

    References
    ----------
    B. Efron and R. Tibshirani (1997), Improvements on cross-validation: the .632+
    bootstrap method, Journal of the American Statistical Association 92.
    """
    if case.table.task != "classification":
        raise Refused(ONLY_CLASSES)
    own, left, rows = two_errors("bootstrap_632_plus", case)
    none = no_information(rows, row_losses(case, "bootstrap_632_plus"))
    value = point_of(case, "bootstrap_632_plus", own, left.value, none)
    return weighed(case, left, value, ".632+ bootstrap")


def plus_of(case: Case, own: float, out: float, none: float) -> float:
    """.632+ of a measure, which may be a loss or a gain."""
    # What is better when high is turned round: the loss is its distance from the best.
    best = case.measure.bounds[1] if case.measure.better == "high" else 0.0
    sign = -1.0 if case.measure.better == "high" else 1.0
    e, left, g = (sign * (value - best) for value in (own, out, none))
    return best + sign * plus(e, left, g)


def plus(own: float, out: float, none: float) -> float:
    """The .632+ value from training loss e, left-out loss E1 and no-information loss g."""
    capped = min(out, none)
    overfit = (capped - own) / (none - own) if capped > own and none > own else 0.0
    extra = (capped - own) * IN * OUT * overfit / (1 - IN * overfit)
    return IN * own + OUT * out + extra


def no_information(rows: Rows, losses: Losses) -> float:
    """The loss without information over all rows."""
    weight = np.ones(rows.n) if rows.weight is None else rows.weight
    return float(no_information_by(np.zeros(rows.n, np.intp), rows, weight, losses)[0])


def chosen(point: str | None, task: str) -> str:
    """The point asked for; unasked .632+, which numbers do not have: .632."""
    if point is None:
        return "bootstrap_632_plus" if task == "classification" else "bootstrap_632"
    if point not in TITLES:
        raise InputError(f"point={point!r}: choose {', '.join(TITLES)}")
    if point == "bootstrap_632_plus" and task != "classification":
        raise Refused(ONLY_CLASSES)
    return point


def point_of(case: Case, name: str, own: float, out: float, none: float) -> float:
    """The named point from the loss e on own rows, E1 on rows left out, and g without skill."""
    if name == "left_out":
        return out
    if name == "bootstrap_632":
        return IN * own + OUT * out
    if not isfinite(none):
        raise Refused("bootstrap_632_plus: the loss without information is infinite")
    return plus_of(case, own, out, none)


def no_information_by(code: Array, rows: Rows, weight: Array, losses: Losses) -> Array:
    """The loss without information in each part: the mean over all pairs of its rows, O(n k).

    Of one row's class and another row's prediction, as if they had nothing to do with each other.
    """
    size = np.bincount(code, weights=weight)
    total = np.zeros(size.size)
    for one in np.unique(rows.y_true):
        share = np.bincount(code, weights=weight * (rows.y_true == one), minlength=size.size) / size
        truth = np.full(rows.n, one, rows.y_true.dtype)
        found = losses(replace(rows, y_true=truth))
        # A part without the class does not ask for its loss, which may be infinite.
        mean = np.bincount(code, weights=weight * found) / size
        total += np.where(share > 0, share * mean, 0.0)
    return total
