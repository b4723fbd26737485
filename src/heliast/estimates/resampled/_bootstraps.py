"""The bootstrap's points, left-out, .632 and .632+, and two intervals around them."""

from collections.abc import Callable
from dataclasses import dataclass, replace
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
    "resamples share rows: the spread over them is not that of the estimate; by name there are "
    "location_shifted and two_stage"
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
    """The loss without information over all rows."""
    weight = np.ones(rows.n) if rows.weight is None else rows.weight
    return float(no_information_by(np.zeros(rows.n, np.intp), rows, weight, losses)[0])


def no_information_by(code: Array, rows: Rows, weight: Array, losses: Losses) -> Array:
    """The loss without information in each part: the mean over all pairs of its rows, O(n k).

    Of one row's class and another row's prediction, as if they had nothing to do with each other.
    """
    size = np.bincount(code, weights=weight)
    total = np.zeros(size.size)
    for label in np.unique(rows.y_true):
        own = weight * (rows.y_true == label)
        share = np.bincount(code, weights=own, minlength=size.size) / size
        loss = losses(replace(rows, y_true=np.full(rows.n, label, rows.y_true.dtype)))
        # A part without the class does not need its loss, which may be infinite.
        mean = np.bincount(code, weights=weight * loss) / size
        total += np.where(share > 0, share * mean, 0.0)
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


@dataclass(frozen=True, eq=False)
class Apparent:
    """The training rows of all resamples: row, resample, how often drawn (times weight), loss."""

    rows: Rows
    row: Array
    code: Array
    weight: Array
    losses: Array
    repeats: Array

    @property
    def values(self) -> Array:
        """The mean loss of each resample on its own rows, each as often as it was drawn."""
        total = np.bincount(self.code, weights=self.weight * self.losses)
        mean: Array = total / np.bincount(self.code, weights=self.weight)
        return mean


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
    def moved(value: float, own: float) -> Array:
        losses = row_losses(case, "location_shifted")
        return apparent("location_shifted", case, losses).values + value - own

    return _percentiles("location_shifted", case, moved)


def two_stage(
    predictions: Predictions,
    measure: str | Measure = "error",
    level: float = 0.95,
    *,
    point: Point | None = None,
    class_: Label | None = None,
) -> Estimate:
    """Percentiles of the corrected value over resamples, each resampled again and refitted.

    Every resample is treated as if it were the data: e_b is the loss of its model on its own rows
    (as often as drawn), E1_b the left-out loss of the inner resamples drawn from it (a row counts
    as often as the resample drew it), g_b the loss without information, and v_b the value that
    `point` makes of them (left_out, bootstrap_632 or bootstrap_632_plus, the default for
    classes). The interval runs between percentiles of the v_b; the value is that of the data.
    Other than `location_shifted` this holds for models that learn their rows by heart.

    A row is left out only if no copy of it is trained on; the authors' program tests copies whose
    twins were trained on, which flatters a model that learns by heart. Resamples repeat rows, so
    their models have learnt from fewer different ones and v_b lies a little above v.

    Needs resamples of resamples with training rows predicted too,
    `run(..., Bootstrap(200, inner=50), in_sample=True)`: times * (inner + 1) fits. Row losses;
    groups if they were drawn whole.

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
    >>> data = simulate.two_gaussians(0.2).sample(60, seed=1)
    >>> table = run(GaussianNB(), data, Bootstrap(40, inner=5), seed=1, in_sample=True)
    >>> estimate = two_stage(table)
    >>> estimate.low < estimate.value < estimate.high, estimate.method
    (True, '.632+ bootstrap, two-stage, 40 resamples')

    References
    ----------
    H. Noma, T. Shinozaki, K. Iba, S. Teramukai and T. A. Furukawa (2021), Confidence
    intervals of prediction accuracy measures for multivariable prediction models based on the
    bootstrap-based optimism correction methods, Statistics in Medicine 40, algorithm 2.
    """
    return alone("two_stage", predictions, measure, level, class_, point=point)


@resampled("two_stage")
def _two_stage(case: Case) -> Estimate:
    return _percentiles("two_stage", case, lambda value, own: corrected_values(case))


def _percentiles(name: str, case: Case, make: Callable[[float, float], Array]) -> Estimate:
    """The corrected value between percentiles of values over resamples."""
    point = chosen_point(case)
    own, estimate = weighed(name, case, point)
    left = left_out_point(case).value
    heart = abs(own - _best(case)) < abs(left - _best(case)) / 2
    notes = (*estimate.notes, *((BY_HEART,) if heart else ()))
    estimate = replace(estimate, method=f"{TITLES[point]} bootstrap", notes=notes)
    values = make(estimate.value, own)
    tail = (1 - case.level) / 2
    if values.size * tail < 1 - 1e-9:
        raise Refused(
            f"{name} needs at least {ceil(1 / tail - 1e-9)} resamples for percentiles at level "
            f"{case.level:g}, here are {values.size}"
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
        method=f"{estimate.method}, {name.replace('_', '-')}, {values.size} resamples",
        notes=(*notes, *by_group(case), *((noisy,) if values.size < FEW_RESAMPLES else ())),
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


def corrected_values(case: Case) -> Array:
    """The corrected value of every resample, as if it were the data."""
    losses = row_losses(case, "two_stage")
    own = apparent("two_stage", case, losses)
    e, out, name = own.values, _left_out_by(case, own, losses), chosen_point(case)
    none = np.full(e.size, np.nan)
    if name == "bootstrap_632_plus":
        none = no_information_by(own.code, own.rows, own.weight, losses)
    terms = zip(e.tolist(), out.tolist(), none.tolist(), strict=True)
    return np.array([point_of(case, name, *three) for three in terms])


def _left_out_by(case: Case, own: Apparent, losses: Losses) -> Array:
    """E1 of each resample: each of its rows' mean loss over inner resamples that left it out."""
    inner = case.inner.whole
    outer = np.array([-1 if split.outer is None else split.outer for split in case.inner.splits])
    repeats = own.repeats
    if not outer.size or set(outer.tolist()) != set(repeats.tolist()):
        raise Refused(
            "two_stage needs resamples of every resample, in splits of role inner: "
            "run(..., Bootstrap(200, inner=50), in_sample=True)"
        )
    if case.inner.missing:
        raise Refused(f"incomplete: the model failed in {case.inner.missing} inner splits")
    place = np.full(int(repeats.max()) + 1, -1)
    place[repeats] = np.arange(repeats.size)
    resample = place[outer][inner.codes("split")]
    rows, both = np.unique(np.concatenate([own.row, np.asarray(inner.row)]), return_inverse=True)
    pairs, back = np.unique(resample * rows.size + both[own.row.size :], return_inverse=True)
    mean = np.bincount(back, weights=losses(inner.rows())) / np.bincount(back)
    drawn = own.code * rows.size + both[: own.row.size]
    order = np.argsort(drawn)
    at = order[np.minimum(np.searchsorted(drawn[order], pairs), drawn.size - 1)]
    if (drawn[at] != pairs).any():
        raise Refused("two_stage: an inner resample predicts rows that its resample did not draw")
    weight, resample = own.weight[at], pairs // rows.size
    total = np.bincount(resample, weights=weight * mean, minlength=repeats.size)
    means: Array = total / np.bincount(resample, weights=weight, minlength=repeats.size)
    return means


def apparent(name: str, case: Case, losses: Losses) -> Apparent:
    """The apparent losses, or a refusal where the table lacks rows that were trained on."""
    table, drawn, code = with_trained_rows(name, case)
    if table.group is not None:
        group = np.unique(table.group, return_inverse=True)[1]
        key = code.astype(np.int64) * (int(group.max()) + 1) + group
        least, most = np.full(key.max() + 1, np.inf), np.full(key.max() + 1, -np.inf)
        np.minimum.at(least, key, drawn)
        np.maximum.at(most, key, drawn)
        if (most > least).any():
            raise Refused(f"{name}: rows of one group were drawn apart, so groups were not")
    own = drawn > 0
    rows = table.rows().at(own)
    times = drawn[own].astype(np.float64)
    weight = times if rows.weight is None else times * rows.weight
    repeats = np.array([split.repeat for split in table.splits])
    return Apparent(rows, np.asarray(table.row)[own], code[own], weight, losses(rows), repeats)
