"""The bootstrap's points, left-out, .632 and .632+, and an interval around them."""

from dataclasses import replace
from math import ceil, isfinite
from typing import Literal

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._core.labels import Label
from heliast._core.notes import Note
from heliast.estimates._record import Estimate
from heliast.estimates._scales import clipped
from heliast.estimates.resampled._case import (
    Case,
    Losses,
    Refused,
    alone,
    by_group,
    on_a_table,
    resampled,
    row_losses,
    without,
)
from heliast.estimates.resampled._one_split import full_parts
from heliast.measures import Measure
from heliast.predictions import Predictions, Rows

Point = Literal["left_out", "bootstrap_632", "bootstrap_632_plus"]
TITLES = {"left_out": "left-out", "bootstrap_632": ".632", "bootstrap_632_plus": ".632+"}
OUT, IN = 0.632, 0.368  # 1 - 1/e and 1/e to three digits, as the method's name has them
FEW_RESAMPLES = 200
NO_INTERVAL = (
    "resamples share rows: the spread over them is not that of the estimate; by name there is "
    "location_shifted"
)
NO_OWN_ROWS = (
    "{name} needs each resampled model's predictions of its own training rows: "
    "run(..., Bootstrap(...), in_sample=True)"
)
OF_THE_NOTES = Note(
    "the training term is that of each resampled model on all rows, as lecture notes have it; "
    "measured bias of this and of bootstrap_632 on two normal classes, in points of error: "
    "nearest neighbour and deep trees -6 and -10, LDA 0 to +1 both (docs/resampled.md)",
    "training_term",
)
ONLY_CLASSES = "bootstrap_632_plus: the no-information rate is that of classes, not numbers"
BY_HEART = (
    "the model errs far less on its own rows than on others: the spread of its training error, "
    "which this interval takes, is then too small"
)
NO_SPREAD = "the values hardly vary over resamples, which tells nothing of the spread"


# --- points ---------------------------------------------------------------------------------------


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
        The class, for a measure by class.

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
        kind = case.design.kind.replace("_", "-")
        raise Refused(
            f"{name} needs resamples drawn with replacement (the plan Bootstrap), not {kind}"
        )
    if case.parts.whole.row is None:
        raise Refused(f"{name} needs a row column, to find each row in every resample")


def left_out_point(case: Case) -> Estimate:
    """The left-out value of a measure known to have row losses."""
    table = case.parts.whole
    losses = row_losses(case, "left_out")(table.rows())
    _, first, place = np.unique(np.asarray(table.row), return_index=True, return_inverse=True)
    loss = np.bincount(place, weights=losses) / np.bincount(place)
    weight = None if table.weight is None else table.weight[first]
    notes = (case.design.torn,) if case.design.torn else ()
    never = len(case.table.only(role="full")) - loss.size
    if never > 0:
        rows = "1 row was" if never == 1 else f"{never} rows were"
        notes = (f"{rows} never left out, and dropped", *notes)
    return case.found(
        float(np.average(loss, weights=weight)),
        f"left-out bootstrap, {len(case.parts.splits)} resamples",
        n=float(loss.size if weight is None else weight.sum()),
        reason=NO_INTERVAL,
        notes=notes,
    )


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
        The class, for a measure by class.

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
    return weighed("bootstrap_632", case)[1]


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
        The class, for a measure by class.

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
    return weighed("bootstrap_632_plus", case)[1]


def weighed(name: str, case: Case, point: str = "") -> tuple[float, Estimate]:
    """e, the loss of the model fitted to all rows on them, and the point made of e, E1 and g."""
    need_resamples(name, case)
    full = full_parts(name, case)
    rows = full.pooled.rows
    own = float(np.average(row_losses(case, name, full)(rows), weights=rows.weight))
    losses, left = row_losses(case, name), left_out_point(case)
    point = point or name
    none = no_information(rows, losses) if point == "bootstrap_632_plus" else np.nan
    value = point_of(case, point, own, left.value, none)
    method = f"{TITLES[point]} bootstrap, {len(case.parts.splits)} resamples"
    return own, replace(left, value=value, method=method)


def point_of(case: Case, point: str, own: float, out: float, none: float) -> float:
    """The named point from the loss e on own rows, E1 on rows left out, and g without skill."""
    if point == "left_out":
        return out
    if point == "bootstrap_632":
        return IN * own + OUT * out
    if not isfinite(none):
        raise Refused("bootstrap_632_plus: the loss without information is infinite")
    # What is better when high is turned round: the loss is its distance from the best.
    best, sign = _best(case), -1.0 if case.measure.better == "high" else 1.0
    return best + sign * plus(sign * (own - best), sign * (out - best), sign * (none - best))


def _best(case: Case) -> float:
    return case.measure.bounds[1] if case.measure.better == "high" else 0.0


def plus(own: float, out: float, none: float) -> float:
    """The .632+ value from training loss e, left-out loss E1 and no-information loss g."""
    capped = min(out, none)
    overfit = (capped - own) / (none - own) if capped > own and none > own else 0.0
    extra = (capped - own) * IN * OUT * overfit / (1 - IN * overfit)
    return IN * own + OUT * out + extra


def no_information(rows: Rows, losses: Losses) -> float:
    """The loss without information: the mean over all pairs of rows, O(n k).

    Of one row's class and another row's prediction, as if they had nothing to do with each other.
    """
    weight = np.ones(rows.n) if rows.weight is None else rows.weight
    total = 0.0
    for label in np.unique(rows.y_true[weight > 0]):
        loss = losses(replace(rows, y_true=np.full(rows.n, label, rows.y_true.dtype)))
        share = float(weight[rows.y_true == label].sum() / weight.sum())
        total += share * float(weight @ loss / weight.sum())
    return total


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
        The class, for a measure by class.

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
    name = "bootstrap_632_notes"
    need_resamples(name, case)
    losses = row_losses(case, name)
    table, drawn, code = with_trained_rows(name, case)
    weight = np.ones(len(table)) if table.weight is None else table.weight
    loss = losses(table.rows()) * weight

    def by_run(some: Array) -> Array:
        return np.bincount(code[some], loss[some]) / np.bincount(code[some], weight[some])

    runs = OUT * by_run(drawn == 0) + IN * by_run(drawn >= 0)
    method = f".632 bootstrap of the notes, {runs.size} resamples"
    notes = (OF_THE_NOTES, *filter(None, (case.design.torn,)))
    return case.found(float(runs.mean()), method, reason=NO_INTERVAL, notes=notes)


def with_trained_rows(name: str, case: Case) -> tuple[Predictions, Array, Array]:
    """The resamples with rows that they trained on, how often each was drawn, and its resample."""
    table = case.table.only(role="test")
    counts, code = table.in_train, table.split_code
    if counts is None or code is None or table.row is None:
        raise Refused(NO_OWN_ROWS.format(name=name))
    drawn = np.bincount(code, weights=counts, minlength=len(table.splits))
    if any(split.n_train != rows for split, rows in zip(table.splits, drawn, strict=True)):
        raise Refused(NO_OWN_ROWS.format(name=name))
    return table, counts, np.asarray(code)


# --- intervals ------------------------------------------------------------------------------------


def location_shifted(
    predictions: Predictions,
    measure: str | Measure = "error",
    level: float = 0.95,
    *,
    point: Point | None = None,
    class_: Label | None = None,
) -> Estimate:
    """Percentiles of the training errors of resampled models, moved by the optimism.

    e_b is the loss of resample b's model on that resample (rows count as often as drawn), e that
    of the model fitted to all rows on all rows, and v the corrected value (`point`: left_out,
    bootstrap_632 or bootstrap_632_plus, the default for classes). The e_b show how e varies from
    sample to sample; if the optimism v - e is the same everywhere, v varies likewise:
    [q_low(e_b) + v - e, q_high(e_b) + v - e]. That fails where a model learns its rows by heart:
    e is then near 0 and hardly varies, whatever v does; a note says so, and without any spread
    there is no interval. Needs a table of resamples with training rows predicted too,
    `run(..., Bootstrap(1000), in_sample=True)`. Row losses; groups if they were drawn whole.

    Parameters
    ----------
    predictions : Predictions
        A table of one model.
    measure : str or Measure
        What is measured.
    level : float
        The confidence level.
    point : {'left_out', 'bootstrap_632', 'bootstrap_632_plus'}, optional
        The value that the interval is put around; .632+, of numbers .632.
    class_ : object, optional
        The class, for a measure by class.

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
    >>> from heliast import Bootstrap, run
    >>> from heliast.data import simulate
    >>> from sklearn.naive_bayes import GaussianNB
    >>> data = simulate.two_gaussians(0.2).sample(100, seed=1)
    >>> table = run(GaussianNB(), data, Bootstrap(40), seed=1, in_sample=True)
    >>> estimate = location_shifted(table)
    >>> estimate.low < estimate.value < estimate.high, estimate.method
    (True, '.632+ bootstrap, location-shifted, 40 resamples')

    References
    ----------
    H. Noma, T. Shinozaki, K. Iba, S. Teramukai and T. A. Furukawa (2021), Confidence
    intervals of prediction accuracy measures for multivariable prediction models based on the
    bootstrap-based optimism correction methods, Statistics in Medicine 40, algorithm 1.
    """
    return alone("location_shifted", predictions, measure, level, class_, point=point)


@resampled("location_shifted")
def _location_shifted(case: Case) -> Estimate:
    few, point = by_group(case), chosen_point(case)
    own, estimate = weighed("location_shifted", case, point)
    left, best = left_out_point(case).value, _best(case)
    heart = abs(own - best) < abs(left - best) / 2
    notes = (*estimate.notes, *((BY_HEART,) if heart else ()))
    estimate = replace(estimate, method=f"{TITLES[point]} bootstrap", notes=notes)
    values = apparent(case) + estimate.value - own
    tail = (1 - case.level) / 2
    if values.size * tail < 1 - 1e-9:
        raise Refused(
            f"location_shifted needs at least {ceil(1 / tail - 1e-9)} resamples for percentiles at "
            f"level {case.level:g}, here are {values.size}"
        )
    low, high = np.quantile(values, (tail, 1 - tail)).tolist()
    if not high - low > 1e-12:
        return without(estimate, NO_SPREAD)
    low, high = clipped(low, high, case.measure.bounds)
    noisy = f"only {values.size} resamples: the ends of the interval are noisy"
    return replace(
        estimate,
        low=low,
        high=high,
        se=float(values.std(ddof=1)),
        reason="",
        method=f"{estimate.method}, location-shifted, {values.size} resamples",
        notes=(*notes, *few, *((noisy,) if values.size < FEW_RESAMPLES else ())),
    )


def chosen_point(case: Case) -> str:
    """The point that the case names; by default .632+, which numbers do not have: .632."""
    classes = case.table.task == "classification"
    if case.point is None:
        return "bootstrap_632_plus" if classes else "bootstrap_632"
    if case.point not in TITLES:
        raise InputError(f"point={case.point!r}: choose {', '.join(TITLES)}")
    if case.point == "bootstrap_632_plus" and not classes:
        raise Refused(ONLY_CLASSES)
    return case.point


def apparent(case: Case) -> Array:
    """The mean loss of each resample on its own rows, each as often as it was drawn."""
    losses = row_losses(case, "location_shifted")
    table, drawn, code = with_trained_rows("location_shifted", case)
    own = drawn > 0
    weight = drawn[own].astype(np.float64)
    if table.weight is not None:
        weight = weight * table.weight[own]
    total = np.bincount(code[own], weights=weight * losses(table.rows().at(own)))
    means: Array = total / np.bincount(code[own], weights=weight)
    return means
