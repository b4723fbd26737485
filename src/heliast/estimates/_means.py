"""Means of row losses: normal and Student's t intervals, Hall's for skewed losses, Wilson's."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import ceil, isnan, log, nan, sqrt
from typing import Any

import numpy as np

from heliast._core.clusters import equal_groups, sizes
from heliast._core.errors import InputError
from heliast._core.kinds import ArrayLike
from heliast._core.level import check_level, quantile
from heliast._core.notes import Note
from heliast._core.proportions import (
    clopper_pearson_limits,
    guarded_limits,
    order_limits,
    wilson_limits,
)
from heliast.estimates._record import Estimate, Scale
from heliast.estimates._registry import Case, Limits, interval
from heliast.estimates._scales import clipped, mean_limits, tail_limits
from heliast.estimates._spread import dominated, in_units, skewness, spread
from heliast.measures.forms import CurvedMean, Mean, Rate
from heliast.measures.summaries import Contingency, Moments
from heliast.predictions import Rows
from heliast.predictions.scan import ScannedRows

ONE_ROW = "one row has no spread"
ALL_EQUAL = "all row losses are equal, so they say nothing about how much they vary"
WALD = "the Wald interval covers too little near 0 and 1"
UNSEEN = (
    "fewer than ten rows are labelled wrongly, and what a miss costs is not known of a scanned "
    "table: read it into memory (command line: --no-scan)"
)
MISSES = 10
"""With fewer misses than this their rate decides the upper limit of a loss of forecasts."""
OF_A_GROUP = 0.1
"""How much of a group all of whose rows lie at a bound is added where few rows are on that side."""


def normal(values: ArrayLike, level: float = 0.95) -> Estimate:
    """Normal interval of a mean of row losses: mean +- z s / sqrt(n).

    For few rows `student_t` is the right one.

    Parameters
    ----------
    values : array-like
        The loss of each row.
    level : float
        The confidence level.

    Returns
    -------
    Estimate
        The mean and its interval; undefined without rows, one row has none.

    Raises
    ------
    InputError
        If a loss is no finite number.

    Examples
    --------
    >>> normal([0.1, 0.2, 0.3, 0.6])
    Estimate(0.3 [0.0883, 0.5117], normal)
    """
    return _of_losses("normal", values, level)


def student_t(values: ArrayLike, level: float = 0.95) -> Estimate:
    """Student's t interval of a mean of row losses: mean +- t s / sqrt(n).

    Parameters
    ----------
    values : array-like
        The loss of each row.
    level : float
        The confidence level.

    Returns
    -------
    Estimate
        The mean and its interval; undefined without rows, one row has none.

    Raises
    ------
    InputError
        If a loss is no finite number.

    Examples
    --------
    >>> student_t([0.1, 0.2, 0.3, 0.6])
    Estimate(0.3 [-0.04374, 0.6437], Student t)

    References
    ----------
    Student (1908), The probable error of a mean, Biometrika 6.
    """
    return _of_losses("student_t", values, level)


def _of_losses(key: str, values: ArrayLike, level: float) -> Estimate:
    """The Estimate of a mean from the losses themselves."""
    check_level(level)
    losses = np.asarray(values, np.float64)
    if losses.ndim != 1:
        raise InputError(f"values: expected one number a row, got shape {losses.shape}")
    if not np.isfinite(losses).all():
        raise InputError("values: every row needs a finite number")
    student = key == "student_t"
    title = "Student t" if student else "normal"
    blank = Estimate(nan, level=level, method=title, key=key, n=float(losses.size))
    if not losses.size:
        return replace(blank, reason="no rows")
    moments = Moments.of(losses)
    if losses.size == 1:
        return replace(blank, value=moments.mean, reason=ONE_ROW)
    se = sqrt(moments.variance)
    low, high = mean_limits(moments.mean, se, level, moments.df if student else None)
    return replace(
        blank, value=moments.mean, low=low, high=high, se=se, n_effective=moments.n_effective,
        notes=() if se > 0 else (ALL_EQUAL,), scale="student" if student else "plain",
    )  # fmt: skip


# --- as methods --------------------------------------------------------------------------------


@interval("normal", "normal", (Mean, Rate), scale="plain")
def _normal(case: Case) -> Limits:
    """For a rate this is the Wald interval p +- z sqrt(p(1-p)/n), too short near 0 and 1."""
    form = case.form
    if isinstance(form, Mean):
        # Groups always need Student's quantile: their number, not that of the rows, is small.
        return _of_mean(case, mean_limits, spread(case).df if case.rows.group is not None else None)
    assert isinstance(form, Rate)
    se = sqrt(form.value * (1 - form.value) / form.effective)
    half = quantile(case.level, form.df) * se
    low, high = max(0.0, form.value - half), min(1.0, form.value + half)
    return Limits(low, high, se, form.trials, form.effective, (WALD,), method="normal (Wald)")


@interval("student_t", "Student t", (Mean,), scale="student")
def _student_t(case: Case) -> Limits:
    """Student's t over the row losses, with G - 1 degrees of freedom for G groups."""
    return _of_mean(case, mean_limits, spread(case).df)


@interval("hall", "skewness-corrected t", (Mean,))
def _hall(case: Case) -> Limits:
    """Hall's limits for skewed losses, see `mean_limits`.

    References: P. Hall (1992), On the removal of skewness by transformation, Journal of the Royal
    Statistical Society B 54.
    """
    return _of_mean(case, mean_limits, spread(case).df, skewness(case))


@interval("skewed_t", "skewness-corrected t for long tails", (Mean,))
def _skewed_t(case: Case) -> Limits:
    """Hall's limits, where the skewness may be larger than seen, see `tail_limits`.

    References: P. Hall (1992), On the removal of skewness by transformation, Journal of the Royal
    Statistical Society B 54.
    """
    return _of_mean(case, tail_limits, spread(case).df, skewness(case))


def _of_mean(
    case: Case, limits: Callable[..., tuple[float, float]], df: float | None, tilt: float = 0.0
) -> Limits:
    """The limits of a mean, cut at the measure's bounds."""
    form, variance = case.formed(Mean), spread(case).variance
    if isnan(variance):
        return Limits(reason=ONE_ROW)
    se = sqrt(variance)
    if not se > 1e-12 * abs(form.value):  # an interval without width is no certainty
        return Limits(reason=ALL_EQUAL)
    low, high = limits(form.value, se, case.level, df, tilt)
    low, high = clipped(low, high, case.measure.bounds)
    return Limits(low, high, se, form.n, _effective(case), dominated(tilt))


def _effective(case: Case) -> float:
    """The rows that a mean without groups is worth; `estimate` finds that of groups."""
    return case.formed(Mean).n_effective if case.rows.group is None else nan


# --- means between known bounds ------------------------------------------------------------------


@interval("wilson_mean", "Wilson, effective n", (Mean,))
def _wilson_mean(case: Case) -> Limits:
    """Wilson's limits of a mean between known bounds, at the number of rows that it is worth.

    On the scale where the bounds are 0 and 1, a mean p with variance V is as sure as that of
    p(1-p)/V rows that are 0 or 1: more than there are where several attempts at an item were
    averaged or grades lie between the bounds, fewer where rows come in groups. Where all rows are
    alike they are worth what they are: one each, or one a group. Near a bound the end that is
    nearer to it is guarded by an exact test, see `guarded_limits`.

    References: E. B. Wilson (1927), Probable inference, the law of succession, and statistical
    inference, Journal of the American Statistical Association 22.
    """
    return _bounded(case, guarded_limits, "Wilson")


@interval("exact_mean", "Clopper-Pearson, effective n", (Mean,))
def _exact_mean(case: Case) -> Limits:
    """Clopper and Pearson's limits of a mean between known bounds, at the rows that it is worth.

    As `wilson_mean`; for rows of 0 and 1 they cover at least as they say, at any level.
    """
    return _bounded(case, clopper_pearson_limits, "Clopper-Pearson")


@interval("order_statistics", "order statistics", (Mean,))
def _order_statistics(case: Case) -> Limits:
    """The shares of rows between which a row is the quantile asked for; see `order_limits`."""
    if not case.formed(Mean).ranked:
        return Limits(reason="is for quantiles alone")
    # The limits of a quantile are no rates, so that they come nearer as others do.
    return replace(_bounded(case, order_limits, "order statistics"), scale="")


def _bounded(case: Case, of_rate: Callable[..., tuple[Any, Any]], name: str) -> Limits:
    form, found = case.formed(Mean), spread(case)
    if form.bounds is None:
        return Limits(reason="needs a mean of what lies between known bounds")
    least, most = form.bounds
    span = most - least
    rate = min(1.0, max(0.0, (form.value - least) / span))
    effective, df = _effective_trials(case, rate, found.variance / span**2), found.df
    if case.rows.group is None and effective <= form.n_effective * (1 + 1e-9):
        df = None  # the variance of 0 and 1 is known from their mean
    ends = of_rate(rate, effective, case.level, df)
    low, high = least + span * min(float(ends[0]), rate), least + span * max(float(ends[1]), rate)
    se = span * sqrt(rate * (1 - rate) / effective)
    scale: Scale = "rate" if form.bounds == (0.0, 1.0) else ""
    alike = abs(effective - form.n) < 1e-9 * form.n
    words = name if alike else f"{name}, effective n {effective:.0f}"
    return Limits(low, high, se, form.n, effective, method=words, scale=scale)


def _effective_trials(case: Case, rate: float, variance: float) -> float:
    """How many rows of 0 or 1 a mean is worth whose variance is given.

    Where fewer than ten rows' worth lies on the rare side, the few that were seen may look steadier
    than they are: as in Agresti and Coull's rule up to one row at each bound is added before the
    variance is taken, in the share of the grades that lie at a bound; of a group a small part, as
    its variance and its quantile allow for few groups already.
    """
    form, group = case.formed(Mean), case.rows.group
    n = form.n_effective if group is None else equal_groups(sizes(group, case.rows.weight))
    if isnan(variance):  # one row
        return n
    most = 1.0 if group is None else OF_A_GROUP
    more = most * form.at_bounds * max(0.0, 1 - n * min(rate, 1 - rate) / MISSES)
    total = n + 2 * more
    middle = (n * rate + more) / total
    second = variance * n * (n - 1 if form.at_bounds == 1 else n) + n * (rate - middle) ** 2
    second += more * (middle**2 + (1 - middle) ** 2)
    if not second > 1e-12:
        return n if form.at_bounds < 1 or rate in (0.0, 1.0) else form.most
    return min(form.most, n * total * middle * (1 - middle) / second)


def beyond(inner: CurvedMean, limits: Limits, level: float) -> tuple[str, ...]:
    """What to say where no row limits a quantile, with the rows until the last lies beyond it."""
    share, curve = inner.mean, inner.curve
    if not share.ranked:
        return ()
    low = limits.low <= 0 and curve(0) < curve(1e-9)
    high = limits.high > 1 and curve(1) < curve(2)
    rows = log((1 - level) / 2) * share.n / limits.n_effective
    return tuple(
        Note(
            f"no grade is so far out that it limits this quantile: its {end} end is the bound; "
            f"{ceil(rows / log(q)):,} items like these would give one",
            "bound",
        )
        for end, q, bound in (("low", 1 - share.value, low), ("high", share.value, high))
        if bound
    )


# --- losses of forecasts with few misses ----------------------------------------------------------


@dataclass(frozen=True)
class Misses:
    """How often forecasts missed, and what they would lose if all were `right` or `wrong`."""

    count: float
    n: float
    right: float
    wrong: float

    def rates(self, level: float, n: float) -> tuple[float, float]:
        """Wilson's limits of the rate of misses, at so many rows."""
        return wilson_limits(self.count / self.n, n, level)

    def loss(self, rate: float) -> float:
        """The mean loss if this share of the rows missed."""
        return self.right + rate * (self.wrong - self.right)

    def p(self, loss: float) -> float:
        """Of the score test that rows miss so often that they lose this much, or more."""
        from scipy.special import ndtr

        rate = (loss - self.right) / (self.wrong - self.right)
        seen = self.count / self.n
        if rate <= seen:
            return 1.0
        if rate >= 1:
            return 0.0
        return float(2 * ndtr(-(rate - seen) * sqrt(self.n / (rate * (1 - rate)))))


def misses_of(form: Mean, rows: Rows) -> Misses | None:
    """Of a loss of forecasts that missed fewer than ten times; None for all others, for groups,
    sampling weights and scanned tables.
    """
    scores, losses = rows.scores, form.losses
    if isinstance(rows, ScannedRows) or scores is None or losses is None:
        return None
    if in_units(rows) or form.shares is not None:
        return None
    weight = np.ones(rows.n) if rows.weight is None else np.asarray(rows.weight, np.float64)
    if scores.ndim == 1:
        code = 1 if rows.positive is None else rows.positive
        likely = np.where(scores >= 0.5, code, 1 - code)
        second = 1 - likely
    else:
        order = np.argsort(scores, axis=1)
        likely, second = order[:, -1], order[:, -2]
    count = float(weight[likely != rows.y_true].sum())
    if count >= MISSES:
        return None
    right, wrong = (
        float(np.average(losses(replace(rows, y_true=y.astype(rows.y_true.dtype))), weights=weight))
        for y in (likely, second)
    )
    known = np.isfinite(wrong) and wrong > right
    return Misses(count, float(weight.sum()), right, wrong) if known else None


def allow_for_misses(case: Case, limits: Limits) -> Limits:
    """The limits of a loss of forecasts, at least as high as the misses not seen could make it.

    A miss is a row whose class was not the likeliest one. Where fewer than ten were seen, the
    losses at hand may look steadier than they are: none of the rows may show what a confident miss
    costs, though the forecasts tell. With r and w the mean losses if all rows were right, and if
    all were wrong, the mean is near r + rate (w - r), and the upper limit is at least that at
    Wilson's upper limit of the rate of misses. Without it the Brier score of a calibrated model
    with classes five standard deviations apart is covered .498 of the time at n = 50 and .820 at
    n = 200, with it .998 and .983 (400 samples each).
    """
    form, rows = case.formed(Mean), case.rows
    if case.measure.needs != "probability":
        return limits
    if isinstance(rows, ScannedRows):
        table = Contingency.of(rows)
        seen = table.n - table.hits.sum() >= MISSES
        return limits if seen else replace(limits, low=nan, high=nan, reason=UNSEEN)
    misses = misses_of(form, rows)
    if misses is None:
        return limits
    low, high = (misses.loss(rate) for rate in misses.rates(case.level, misses.n))
    if not limits.reason:
        return replace(limits, high=max(limits.high, high))
    low, high = clipped(min(form.value, low), high, case.measure.bounds)
    n = _effective(case)
    return Limits(low, high, n=form.n, n_effective=n, method="Wilson of the misses", key="misses")
