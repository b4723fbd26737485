"""Measures of answers that were graded: the mean, the share that passes, several attempts.

Items are the sample: each measure is a mean over items of something that the attempts at an item
tell of it without bias, so that intervals and tests are those of row losses.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast.measures.forms import CurvedMean, Form, Losses, Mean, Statistic, Undefined
from heliast.measures.registry import measure
from heliast.measures.summaries import Counted
from heliast.predictions import Rows

UNBOUNDED = (-np.inf, np.inf)
UNIT = (0.0, 1.0)
GRADES: dict[str, Any] = {
    "better": "high", "bounds": UNBOUNDED, "task": "graded", "of_grades": True,
}  # fmt: skip
SHARE: dict[str, Any] = {"better": "high", "task": "graded", "percent": True}
SPENT: dict[str, Any] = {
    "better": "low", "bounds": (0.0, np.inf), "task": "graded", "panel": True,
}  # fmt: skip


@measure("grade", panel=True, **GRADES)
def grade(counted: Counted) -> Form:
    """The mean grade of an item; attempts at it are averaged first.

    >>> from heliast import Predictions, measures
    >>> table = Predictions.graded([1, 0, 1], item=["a", "a", "b"], attempt=[1, 2, 1])
    >>> measures.get("grade").of(table)
    0.75
    """
    rows = counted.rows
    grades, bounds = attempts(rows), rows.bounds or UNIT
    at_bounds = np.count_nonzero(np.isin(grades, bounds)) / np.count_nonzero(~np.isnan(grades))
    form = _mean(counted, lambda rows: rows.y_pred, bounds, at_bounds)
    return replace(form, within=_within_items(rows))


@measure("above", required=("bar",), **SHARE)
def above(counted: Counted, bar: float = np.nan) -> Form:
    """The share of answers whose grade is at least `bar`."""
    low, high = counted.rows.bounds or UNIT
    if not low < bar <= high:
        answer = "every" if bar <= low else "no"
        raise InputError(
            f"above(bar={bar:g}): grades lie between {low:g} and {high:g}, so that {answer} "
            "answer reaches it"
        )
    return _share(counted, lambda grades: grades >= bar)


@measure("pass@k", required=("k",), repeated=True, panel=True, **SHARE)
def pass_at(counted: Counted, k: int = 1) -> Form:
    """The chance that at least one of k attempts at an item has the best grade possible.

    Of n attempts at an item, c with the best grade, 1 - C(n-c, k) / C(n, k) is without bias
    (Chen and others 2021, Evaluating large language models trained on code, section 2.1).

    >>> from heliast import Predictions, measures
    >>> table = Predictions.graded([1, 0, 0, 0], item=["a"] * 4, attempt=[1, 2, 3, 4])
    >>> measures.get("pass@2").of(table)
    0.5
    """
    return _of_draws(counted, k, lambda rows: 1.0 - _draws(rows, k, best=False))


@measure("pass^k", required=("k",), repeated=True, panel=True, **SHARE)
def pass_all(counted: Counted, k: int = 1) -> Form:
    """The chance that all of k attempts at an item have the best grade possible: C(c,k)/C(n,k)."""
    return _of_draws(counted, k, lambda rows: _draws(rows, k, best=True))


@measure("consistency", repeated=True, panel=True, **SHARE)
def consistency(counted: Counted) -> Form:
    """The chance that two attempts at an item have the same grade.

    >>> from heliast import Predictions, measures
    >>> table = Predictions.graded([1, 1, 0, 1], item=["a"] * 4, attempt=[1, 2, 3, 4])
    >>> measures.get("consistency").of(table)
    0.5
    """
    return _of_draws(counted, 2, _agreeing)


@measure("median", paired=False, **GRADES)
def median(counted: Counted) -> Form:
    """The grade that half of the answers do not exceed."""
    return quantile(counted, 0.5)


@measure("quantile", paired=False, required=("q",), **GRADES)
def quantile(counted: Counted, q: float = 0.5) -> Form:
    """The grade that a share q of the answers do not exceed.

    Its limits are grades too, those that may be the quantile as the number of answers below them
    is binomial (Wilks 1948, Order statistics, Bulletin of the American Mathematical Society 54),
    with the number of items that the share is worth (Woodruff 1952, Confidence intervals for
    medians and other position measures, JASA 47). Where no grade is that far out, it is the bound.
    """
    if not 0 < q < 1:
        raise InputError(f"quantile: q={q:g} is a share of the answers, between 0 and 1")
    rows = counted.rows
    value = _quantile(rows, q)
    shares = _share(counted, lambda grades: grades <= value), _share(counted, lambda g: g < value)
    # What the share of answers up to the value varies by, at the share that was asked for: from
    # the nearer side of the value, as all answers may be up to it.
    share = min(shares, key=lambda side: (not side.variance > 0, abs(side.value - q)))
    spread = share.value * (1 - share.value)
    scale = q * (1 - q) / spread if spread > 0 else 1.0
    most = share.most if spread > 0 else share.n_effective
    at_q = replace(share, value=q, variance=share.variance * scale, most=most, ranked=True)
    bounds = rows.bounds or UNIT

    def grade_at(share: float) -> float:
        if 0 < share <= 1:
            return _quantile(rows, share)
        return bounds[0] if share <= 0 else bounds[1]

    curve = CurvedMean(at_q, grade_at, "of the grades")
    return Statistic(value, partial(_quantile, q=q), bounds=bounds, of_mean=curve)


def _spent(counted: Counted, name: str) -> Form:
    column = counted.rows.spent.get(name)
    if column is None:
        return Undefined(f"no column {name!r} of numbers was kept")
    missing = np.count_nonzero(np.isnan(column))
    if missing:
        return Undefined(f"{name} is missing for {missing} items")
    return replace(_mean(counted, lambda rows: rows.spent[name]), bounds=None)


@measure("cost_per_attempt", spends="cost", **SPENT)
def cost_per_attempt(counted: Counted) -> Form:
    """What an attempt costs on average, from the kept column `cost`."""
    return _spent(counted, "cost")


@measure("tokens_per_attempt", spends="tokens", **SPENT)
def tokens_per_attempt(counted: Counted) -> Form:
    """How many tokens an attempt takes on average, from the kept column `tokens`."""
    return _spent(counted, "tokens")


@measure("seconds_per_attempt", spends="seconds", **SPENT)
def seconds_per_attempt(counted: Counted) -> Form:
    """How long an attempt takes on average, from the kept column `seconds`."""
    return _spent(counted, "seconds")


# --- what the attempts at an item say ----------------------------------------------------------


def attempts(rows: Rows) -> Array:
    """The grade of each attempt, one row an item; NaN where an item has fewer."""
    return rows.y_pred[:, None] if rows.scores is None else rows.scores


def _counts(rows: Rows) -> tuple[Array, Array]:
    """How many attempts at each item there are, and how many have the best grade possible."""
    grades = attempts(rows)
    best = (rows.bounds or UNIT)[1]
    return (~np.isnan(grades)).sum(axis=1), (grades >= best).sum(axis=1)


def _draws(rows: Rows, k: int, best: bool) -> Array:
    """The chance that k attempts, drawn from those at an item, all have the best grade, or none."""
    n, c = _counts(rows)
    wanted = c if best else n - c
    chance = np.ones(n.size)
    for draw in range(int(k)):
        chance *= np.maximum(wanted - draw, 0) / np.maximum(n - draw, 1)
    return chance


def _agreeing(rows: Rows) -> Array:
    """The share of pairs of attempts at an item with the same grade."""
    grades = np.sort(attempts(rows), axis=1)
    before = np.zeros(len(grades))  # attempts with the same grade that came before
    pairs = np.zeros(len(grades))
    for at in range(1, grades.shape[1]):
        before = np.where(grades[:, at] == grades[:, at - 1], before + 1, 0.0)
        pairs += before
    n = (~np.isnan(grades)).sum(axis=1)
    share: Array = pairs / (n * (n - 1) / 2)
    return share


def _of_draws(counted: Counted, k: int, losses: Losses) -> Form:
    if int(k) != k or k < 1:
        raise InputError(f"k={k}: a number of attempts, 1 or more")
    least = int(_counts(counted.rows)[0].min())
    if least < k:
        have = "attempt" if least == 1 else "attempts"
        return Undefined(f"an item has {least} {have}, fewer than {int(k)}")
    return _mean(counted, losses)


def _mean(
    counted: Counted, losses: Losses, bounds: tuple[float, float] = UNIT, at_bounds: float = 1.0
) -> Mean:
    """The mean over items of what lies between these bounds; `at_bounds` of the attempts at one."""
    rows = counted.rows
    form = Mean.of(counted, losses)
    assert isinstance(form, Mean)
    each = np.count_nonzero(~np.isnan(attempts(rows))) / rows.n
    # Attempts that are right or wrong cannot vary less than if each were an item of its own.
    most = each * form.n_effective if at_bounds == 1 else np.inf
    return replace(form, bounds=bounds, most=most, at_bounds=at_bounds, attempts=each)


def _share(counted: Counted, which: Callable[[Array], Array]) -> Mean:
    """The share of answers whose grades are such; each item counts once."""

    def of_items(rows: Rows) -> Array:
        grades = attempts(rows)
        known = ~np.isnan(grades)
        share: Array = (which(grades) & known).sum(axis=1) / known.sum(axis=1)
        return share

    return _mean(counted, of_items)


def _within_items(rows: Rows) -> float:
    """The share of the variance of items' mean grades that comes from their attempts.

    The mean grade of an item with n attempts varies by s^2 / n, s^2 their own variance, beside what
    parts the items; NaN where an item has one attempt, or items do not vary.
    """
    if rows.scores is None or rows.n < 2:
        return np.nan
    count = (~np.isnan(rows.scores)).sum(axis=1)
    total = rows.y_pred.var(ddof=1)
    if count.min() < 2 or not total > 0:
        return np.nan
    own = np.nansum((rows.scores - rows.y_pred[:, None]) ** 2, axis=1) / (count - 1) / count
    return float(min(1.0, own.mean() / total))


def _quantile(rows: Rows, q: float) -> float:
    """The least grade that a share q of the answers does not exceed; each item counts once."""
    grades = attempts(rows)
    known = ~np.isnan(grades)
    share = known / known.sum(axis=1, keepdims=True)
    if rows.weight is not None:
        share = share * rows.weight[:, None]
    order = np.argsort(grades[known], kind="stable")
    sums = np.cumsum(share[known][order])
    at = np.searchsorted(sums, q * sums[-1] * (1 - 1e-12))
    return float(grades[known][order][min(at, order.size - 1)])
