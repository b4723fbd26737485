"""Means of row losses: the normal interval, Student's t, and Hall's t for skewed losses."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import ceil, inf, isnan, log, nan, sqrt
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
from heliast.estimates._scales import clipped, untwisted
from heliast.estimates._spread import acceleration, dominated, mean_influence, spread, unit_sums
from heliast.measures.forms import CurvedMean, Mean, Rate
from heliast.measures.summaries import Contingency, Moments
from heliast.predictions import Rows
from heliast.predictions.scan import ScannedRows

ONE_ROW = "one row has no spread"
ALL_EQUAL = "all row losses are equal, so they say nothing about how much they vary"
WALD = "the Wald interval covers too little near 0 and 1"
MISSES = 10
"""With fewer misses than this their rate decides the upper limit of a loss of forecasts."""
OF_A_GROUP = 0.1
"""How much of a group all of whose rows lie at a bound is added where few rows are on that side."""
UNSEEN_SKEWNESS = 8.5
"""What to multiply the skewness of n rows by, less 1 and times n."""
FEW_ITEMS = 100
"""With fewer items than this, an answer that is dear and rare is often not among them."""
HEAVY, FEW = 0.9, 200
"""With more than this weight on one class of fewer rows than this, coverage was below the bar."""


def normal(values: ArrayLike, level: float = 0.95) -> Estimate:
    """The mean of per-row losses +- z s / sqrt(n), s with n - 1.

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
    """The mean of per-row losses +- t s / sqrt(n), s and t with n - 1 degrees of freedom.

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
    if not losses.size:
        return Estimate(nan, level=level, method=title, key=key, n=0, reason="no rows")
    moments = Moments.of(losses)
    if losses.size == 1:
        value, n = moments.mean, 1.0
        return Estimate(value, level=level, method=title, key=key, n=n, reason=ONE_ROW)
    se = sqrt(moments.variance)
    half = quantile(level, moments.df if student else None) * se
    return Estimate(
        moments.mean,
        moments.mean - half,
        moments.mean + half,
        se,
        level,
        title,
        n=moments.weight,
        n_effective=moments.n_effective,
        notes=() if se > 0 else (ALL_EQUAL,),
        key=key,
        scale="student" if student else "plain",
    )


@interval("normal", "normal", (Mean, Rate), scale="plain")
def _normal(case: Case) -> Limits:
    """For a rate this is the Wald interval p +- z sqrt(p(1-p)/n), too short near 0 and 1."""
    form = case.form
    if isinstance(form, Mean):
        return _of_mean(case, student=False)
    assert isinstance(form, Rate)
    se = sqrt(form.value * (1 - form.value) / form.effective)
    half = case.quantile(form.df) * se
    low, high = max(0.0, form.value - half), min(1.0, form.value + half)
    return Limits(low, high, se, form.trials, form.effective, (WALD,), method="normal (Wald)")


@interval("student_t", "Student t", (Mean,), scale="student")
def _student_t(case: Case) -> Limits:
    """Student's t over the row losses, with G - 1 degrees of freedom for G groups."""
    return _of_mean(case, student=True)


def _of_mean(case: Case, student: bool) -> Limits:
    """value +- q se, cut at the measure's bounds."""
    form, found = case.formed(Mean), spread(case)
    reason = _no_spread(found.variance, form.value)
    if reason:
        return Limits(reason=reason)
    se = sqrt(found.variance)
    # Groups always need Student's quantile: their number, not that of the rows, is small.
    grouped = case.rows.group is not None
    half = case.quantile(found.df if student or grouped else None) * se
    low, high = clipped(form.value - half, form.value + half, case.measure.bounds)
    return Limits(low, high, se, form.n, _rows_worth(case))


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


def _bounded(case: Case, of_rate: Callable[..., tuple[Any, Any]], name: str) -> Limits:
    form, found = case.formed(Mean), spread(case)
    if form.bounds is None:
        return Limits(reason="needs a mean of what lies between known bounds")
    least, most = form.bounds
    span = most - least
    rate = min(1.0, max(0.0, (form.value - least) / span))
    worth, df = _worth(case, rate, found.variance / span**2), found.df
    if case.rows.group is None and worth <= form.n_effective * (1 + 1e-9):
        df = None  # 0 and 1 tell their own spread
    low, high = (float(end) for end in of_rate(rate, case.narrowed(worth), case.level, df))
    low, high = least + span * min(low, rate), least + span * max(high, rate)
    se = span * sqrt(rate * (1 - rate) / worth)
    scale: Scale = "rate" if form.bounds == (0.0, 1.0) else ""
    whole = abs(worth - form.n) < 1e-9 * form.n
    words = name if whole else f"{name}, effective n {worth:.0f}"
    return Limits(low, high, se, form.n, worth, method=words, scale=scale)


def _worth(case: Case, rate: float, variance: float) -> float:
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


@interval("skewed_t", "skewness-corrected t, at least t", (Mean,))
def _skewed_t(case: Case) -> Limits:
    """The outer ends of Student's t and of Hall's, whose skewness is taken to be larger than seen.

    The skewness of a small sample of a skewed law is too small; 1 + 8.5/n times it is nearer.

    References: A. Hazen (1930), Flood flows, Wiley, for the factor.
    """
    plain, units = _student_t(case), (spread(case).df or inf) + 1
    limits = _of_hall(case, 1 + UNSEEN_SKEWNESS / units)
    low, high = min(plain.low, limits.low), max(plain.high, limits.high)
    return replace(limits, low=low, high=high, notes=(*limits.notes, *_rare(case, units)))


def _rare(case: Case, units: float) -> tuple[str, ...]:
    """What few items may not hold: what none of n shows is rarer than 1 - 0.05^(1/n), with 95%.

    References: J. A. Hanley and A. Lippman-Hand (1983), If nothing goes wrong, is everything all
    right?, Journal of the American Medical Association 249.
    """
    if units >= FEW_ITEMS:
        return ()
    what = "items" if case.rows.group is None else "groups"
    one_in = 1 / (1 - 0.05 ** (1 / units))
    said = f"what 1 answer in {one_in:.0f} takes may not be among these {units:.0f} {what}"
    return (Note(f"{said}: rare dear answers are not allowed for", "rare"),)


@interval("hall", "skewness-corrected t", (Mean,))
def _hall(case: Case) -> Limits:
    """The limits of the t that a cubic transformation has made nearly symmetric (Hall 1992).

    With T = (mean - m)/se and a = skewness / sqrt(n), T + a T^2/3 + a^2 T^3/27 + a/6 is nearly
    Student's. Inverted at its quantiles +-t: mean - se * 3/a ((1 + a(+-t - a/6))^(1/3) - 1).

    References: P. Hall (1992), On the removal of skewness by transformation, Journal of the Royal
    Statistical Society B 54.
    """
    return _of_hall(case)


def _of_hall(case: Case, more: float = 1.0) -> Limits:
    """Hall's limits with so many times the skewness that was seen."""
    form, found = case.formed(Mean), spread(case)
    reason = _no_spread(found.variance, form.value)
    if reason:
        return Limits(reason=reason)
    se = sqrt(found.variance)
    a = lean(case) * sqrt(case.copies)
    q, wide = quantile(case.level, found.df), se * case.wider
    low, high = (form.value - wide * untwisted(side, more * a) for side in (q, -q))
    low, high = clipped(low, high, case.measure.bounds)
    return Limits(low, high, se, form.n, _rows_worth(case), dominated(a))


def lean(case: Case) -> float:
    """The skewness of the mean itself: sum d^3 / (sum d^2)^1.5 over rows or groups."""
    form = case.formed(Mean)
    rows = case.rows
    alike = rows.weight_kind != "sampling" or isinstance(rows, ScannedRows)
    plain = alike and rows.group is None and form.shares is None
    if plain or form.losses is None:
        return _of_rows(case, form) / sqrt(form.n_effective)
    return 6 * acceleration(unit_sums(case.rows, mean_influence(form, case.rows)))


def skewness(case: Case) -> float:
    """The skewness of what varies independently: row losses, or their sums by group."""
    form = case.formed(Mean)
    if case.rows.group is None or form.losses is None:
        return _of_rows(case, form)
    return lean(case) * sqrt(np.unique(case.rows.group).size)


def _of_rows(case: Case, form: Mean) -> float:
    """The skewness of the row losses; of huge ones in units of the largest."""
    if not isnan(form.skewness) or form.losses is None or isinstance(case.rows, ScannedRows):
        return form.skewness
    losses, rows = form.losses(case.rows), case.rows
    sampling = rows.weight_kind == "sampling"
    return Moments.of(losses / np.abs(losses).max(), rows.weight, sampling=sampling).skewness


def _no_spread(variance: float, value: float) -> str:
    """Why losses tell nothing of their spread: an interval without width is no certainty."""
    if isnan(variance):
        return ONE_ROW
    return "" if sqrt(variance) > 1e-12 * abs(value) else ALL_EQUAL


def _rows_worth(case: Case) -> float:
    """The rows that a mean without groups is worth; groups are left to whoever knows them."""
    return case.formed(Mean).n_effective if case.rows.group is None else nan


UNSEEN = (
    "fewer than ten rows are labelled wrongly, and what a miss costs is not known of a scanned "
    "table: read it into memory (command line: --no-scan)"
)


def few_misses(case: Case, limits: Limits) -> Limits:
    """The limits of a loss of forecasts, at least as high as the misses not seen could make it.

    A miss is a row whose class was not the likeliest one. Where fewer than ten were seen, the
    losses at hand may look steadier than they are: none of the rows may show what a confident miss
    costs, though the forecasts tell. With r and w the mean losses if all rows were right, and if
    all were wrong, the mean is near r + rate (w - r), and the upper limit is at least that at
    Wilson's upper limit of the rate of misses.
    """
    form, rows = case.formed(Mean), case.rows
    if case.measure.needs != "probability":
        return limits
    if isinstance(rows, ScannedRows):
        table = Contingency.of(rows)
        seen = table.n - table.hits.sum() >= MISSES
        return limits if seen else replace(limits, low=nan, high=nan, reason=UNSEEN)
    found = misses_of(form, rows)
    if found is None:
        return limits
    low, high = (found.loss(rate) for rate in found.rates(case.level, case.narrowed(found.n)))
    if limits.reason:
        low, high = clipped(min(form.value, low), high, case.measure.bounds)
        worth = _rows_worth(case)
        return Limits(
            low, high, n=form.n, n_effective=worth, method="Wilson of the misses", key="misses"
        )
    return replace(limits, high=max(limits.high, high))


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
    scores = rows.scores
    if isinstance(rows, ScannedRows) or scores is None or form.losses is None:
        return None
    if rows.weight_kind == "sampling" or rows.group is not None or form.shares is not None:
        return None
    weight = np.ones(rows.n) if rows.weight is None else np.asarray(rows.weight, np.float64)
    if scores.ndim == 1:
        code = 1 if rows.positive is None else rows.positive
        likely = np.where(scores >= 0.5, code, 1 - code)
        next_ = 1 - likely
    else:
        order = np.argsort(scores, axis=1)
        likely, next_ = order[:, -1], order[:, -2]
    count = float(weight[likely != rows.y_true].sum())
    if count >= MISSES:
        return None
    kind, losses = rows.y_true.dtype, form.losses
    right, wrong = (
        float(np.average(losses(replace(rows, y_true=truth.astype(kind))), weights=weight))
        for truth in (likely, next_)
    )
    known = np.isfinite(wrong) and wrong > right
    return Misses(count, float(weight.sum()), right, wrong) if known else None


def heavy_class(case: Case) -> tuple[str, ...]:
    """What to say when given prevalences make the mean that of few rows of one class."""
    form = case.formed(Mean)
    if form.shares is None:
        return ()
    heaviest = int(np.argmax(form.shares))
    rows = int(case.rows.class_sizes()[heaviest])
    if form.shares[heaviest] <= HEAVY or rows >= FEW:
        return ()
    said = f"the class that weighs most has {rows} rows: the interval may be too short"
    return (Note(said, "short"),)
