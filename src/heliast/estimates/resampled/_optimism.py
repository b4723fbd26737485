"""Intervals of the bootstrap's points: location-shifted and two-stage (Noma and others 2021)."""

from dataclasses import dataclass

import numpy as np

from heliast._core.kinds import Array
from heliast._core.labels import Label
from heliast.estimates._record import Estimate
from heliast.estimates._scales import clipped
from heliast.estimates.resampled._bootstraps import (
    TITLES,
    Point,
    chosen,
    no_information,
    no_information_by,
    point_of,
    two_errors,
    with_trained_rows,
)
from heliast.estimates.resampled._case import (
    Case,
    Losses,
    Refused,
    alone,
    by_group,
    resampled,
    row_losses,
    without,
)
from heliast.measures import Measure
from heliast.predictions import Predictions, Rows

FEW = 200
BY_HEART = (
    "the model errs far less on its own rows than on others: the spread of its training error, "
    "which this interval takes, is then too small"
)
STEADY = "the training error hardly varies over resamples: it says nothing of the spread"
ALIKE = "the corrected values of all resamples are the same, which tells nothing of the spread"
TORN = "{name}: rows of one group were drawn apart, so resamples are not those of groups"


@dataclass(frozen=True, eq=False)
class Apparent:
    """The training rows of all resamples; `code` says which resample, in order of `repeats`.

    `weight` is how often a row was drawn, times its own weight; `row` is its place in the data.
    """

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
    >>> from heliast import Bootstrap, run
    >>> from heliast.data import simulate
    >>> from sklearn.naive_bayes import GaussianNB
    >>> data = simulate.two_gaussians(0.2).sample(100, seed=1)
    >>> table = run(GaussianNB(), data, Bootstrap(40), seed=1, in_sample=True)
    >>> found = location_shifted(table)
    >>> found.low < found.value < found.high, found.method
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
    own, value, one = value_of("location_shifted", case)
    found = apparent("location_shifted", case, row_losses(case, "location_shifted")).values
    low, high = percentiles("location_shifted", found, case.level)
    if not high - low > 1e-12:
        return without(one, STEADY)
    limits = clipped(low + value - own, high + value - own, case.measure.bounds)
    return _around(case, one, limits, found, "location-shifted")


def value_of(name: str, case: Case) -> tuple[float, float, Estimate]:
    """e, the corrected value, and the estimate that it makes without an interval."""
    point = chosen(case.point, case.table.task)
    own, left, rows = two_errors(name, case)
    none = np.nan
    if point == "bootstrap_632_plus":
        none = no_information(rows, row_losses(case, name))
    value = point_of(case, point, own, left.value, none)
    heart = _by_heart(case, own, left.value)
    one = case.found(value, f"{TITLES[point]} bootstrap", n=left.n, notes=(*left.notes, *heart))
    return own, value, one


def _by_heart(case: Case, own: float, out: float) -> tuple[str, ...]:
    best = case.measure.bounds[1] if case.measure.better == "high" else 0.0
    return (BY_HEART,) if abs(own - best) < abs(out - best) / 2 else ()


def percentiles(name: str, values: Array, level: float) -> tuple[float, float]:
    """The ends that leave (1 - level)/2 outside; refused where less than one value lies there."""
    tail = (1 - level) / 2
    if values.size * tail < 1 - 1e-9:
        raise Refused(
            f"{name} needs at least {int(np.ceil(1 / tail - 1e-9))} resamples for percentiles at "
            f"level {level:g}, here are {values.size}"
        )
    low, high = np.quantile(values, (tail, 1 - tail))
    return float(low), float(high)


def _around(
    case: Case, one: Estimate, limits: tuple[float, float], values: Array, title: str
) -> Estimate:
    """The estimate with its interval and what is to be said of it."""
    few = (f"only {values.size} resamples: the ends of the interval are noisy",)
    return case.found(
        one.value,
        f"{one.method}, {title}, {values.size} resamples",
        low=limits[0],
        high=limits[1],
        se=float(values.std(ddof=1)),
        n=one.n,
        notes=(*one.notes, *by_group(case), *(few if values.size < FEW else ())),
    )


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
    >>> from heliast import Bootstrap, run
    >>> from heliast.data import simulate
    >>> from sklearn.naive_bayes import GaussianNB
    >>> data = simulate.two_gaussians(0.2).sample(60, seed=1)
    >>> table = run(GaussianNB(), data, Bootstrap(40, inner=5), seed=1, in_sample=True)
    >>> found = two_stage(table)
    >>> found.low < found.value < found.high, found.method
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
    _, _, one = value_of("two_stage", case)
    losses = row_losses(case, "two_stage")
    found = corrected_values(case, losses)
    low, high = percentiles("two_stage", found, case.level)
    if not high - low > 1e-12:
        return without(one, ALIKE)
    return _around(case, one, clipped(low, high, case.measure.bounds), found, "two-stage")


def corrected_values(case: Case, losses: Losses) -> Array:
    """The corrected value of every resample, as if it were the data."""
    own = apparent("two_stage", case, losses)
    e, out = own.values, _left_out(case, own, losses)
    name = chosen(case.point, case.table.task)
    none = np.full(e.size, np.nan)
    if name == "bootstrap_632_plus":
        none = no_information_by(own.code, own.rows, own.weight, losses)
    each = zip(e.tolist(), out.tolist(), none.tolist(), strict=True)
    return np.array([point_of(case, name, *three) for three in each])


def _left_out(case: Case, own: Apparent, losses: Losses) -> Array:
    """E1 of each resample: each of its rows' mean loss over inner resamples that left it out."""
    inner = case.inner.whole
    outer = np.array([-1 if one.outer is None else one.outer for one in case.inner.splits])
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
    which = place[outer][_codes(inner)]
    rows, both = np.unique(np.concatenate([own.row, np.asarray(inner.row)]), return_inverse=True)
    mine = own.code * rows.size + both[: own.row.size]
    key = which * rows.size + both[own.row.size :]
    pairs, back = np.unique(key, return_inverse=True)
    mean = np.bincount(back, weights=losses(inner.rows())) / np.bincount(back)
    order = np.argsort(mine)
    at = order[np.minimum(np.searchsorted(mine[order], pairs), mine.size - 1)]
    if (mine[at] != pairs).any():
        raise Refused("two_stage: an inner resample predicts rows that its resample did not draw")
    resample, weight = pairs // rows.size, own.weight[at]
    size = np.bincount(resample, weights=weight, minlength=repeats.size)
    found: Array = np.bincount(resample, weights=weight * mean, minlength=repeats.size) / size
    return found


def _codes(table: Predictions) -> Array:
    code = table.split_code
    return np.zeros(len(table), np.int64) if code is None else np.asarray(code, np.int64)


def apparent(name: str, case: Case, losses: Losses) -> Apparent:
    """The apparent losses, or a refusal where the table lacks rows that were trained on."""
    table, seen, code = with_trained_rows(name, case)
    if table.group is not None and _drawn_apart(table.group, code, seen):
        raise Refused(TORN.format(name=name))
    own = seen > 0
    rows = table.rows().at(own)
    times = seen[own].astype(np.float64)
    weight = times if rows.weight is None else times * rows.weight
    repeats = np.array([one.repeat for one in table.splits])
    return Apparent(rows, np.asarray(table.row)[own], code[own], weight, losses(rows), repeats)


def _drawn_apart(group: Array, code: Array, seen: Array) -> bool:
    """Whether rows of one group were drawn unequally often in some resample."""
    names, place = np.unique(group, return_inverse=True)
    key = code.astype(np.int64) * names.size + place
    order = np.argsort(key, kind="stable")
    same = np.diff(key[order]) == 0
    return bool((np.diff(seen[order].astype(np.int64))[same] != 0).any())
