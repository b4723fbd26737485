"""Several looks: sequences that hold at every one, and boundaries of those that are planned."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from math import isfinite, log, nan, sqrt
from typing import Any

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Array, ArrayLike
from heliast._core.level import check_level
from heliast.estimates._default import closed_limits
from heliast.estimates._record import Estimate
from heliast.estimates._registry import Case, Limits, interval
from heliast.measures.forms import Area, Blend, Curved, Mean, Rate, Smooth, Statistic
from heliast.measures.summaries import Moments

Bounds = tuple[float, float]
STAKES, SMALLEST = 24, 1 / 300
"""So many stakes, from this many standard deviations a row up to all there is."""
STEPS = np.linspace(0.0, 1.0, STAKES)
EDGES = 4096
"""More different values than this are put on so many equally spaced ones."""
TITLE = "confidence sequence by betting"
RATE_TITLE = "confidence sequence of a rate by betting"
FROM = 100
MOST_LOOKS = 50
CERTAIN = 1 - 1e-15
"""No level is handed on that is 1 but for rounding."""
ASYMPTOTIC = f"the confidence sequence is asymptotic: take the first look at {FROM} rows or more"


def sequence(
    values: ArrayLike,
    bounds: Bounds = (0.0, 1.0),
    level: float = 0.95,
    counts: ArrayLike | None = None,
) -> Estimate:
    """The mean of losses within known bounds, with an interval that holds at all looks together.

    Against the claim that the mean is m one bets on each row: a stake s turns capital 1 into the
    product of 1 + s (m - x), which is a fair game if the claim is true, whatever the law of x. The
    mean of the capital of 24 stakes, equally spaced on a log scale, passes 2 / (1 - level) with
    probability at most (1 - level) / 2 at any time (Ville). The upper end is the largest m against
    which it has not; the lower end likewise, with x - m. The order of the rows does not matter.

    Parameters
    ----------
    values : array-like
        The loss of each row.
    bounds : tuple of float
        The least and the largest value that a loss can have, known beforehand.
    level : float
        The confidence level of all looks together.
    counts : array-like, optional
        How often each value was seen; once if not given.

    Returns
    -------
    Estimate
        The mean and its interval; no value without rows.

    Raises
    ------
    InputError
        If a value lies outside the bounds.

    Examples
    --------
    >>> sequence([0, 1], counts=[92, 8])
    Estimate(0.08 [0.01908, 0.2033], confidence sequence by betting)

    References
    ----------
    I. Waudby-Smith and A. Ramdas (2024), Estimating means of bounded random variables by betting,
    Journal of the Royal Statistical Society B 86. F. Orabona and K.-S. Jun (2024), Tight
    concentrations and confidence sequences from the regret of universal portfolio, IEEE
    Transactions on Information Theory 70.
    """
    check_level(level)
    seen = np.asarray(values, np.float64).ravel()
    times = np.ones(seen.size) if counts is None else np.asarray(counts, np.float64).ravel()
    if seen.size != times.size or (times < 0).any():
        raise InputError("counts: expected a number of 0 or more for each value")
    if seen.size and not bounds[0] <= seen.min() <= seen.max() <= bounds[1]:
        raise InputError(f"values: {seen.min():g} to {seen.max():g} leaves the bounds {bounds}")
    n = float(times.sum())
    if n == 0:
        return Estimate(nan, level=level, method=TITLE, key="sequence", n=0, reason="no rows")
    moments = Moments.of(seen, times)
    low, high = bet(seen, times, bounds, level)
    se = sqrt(max(0.0, moments.variance))
    return Estimate(
        moments.mean, low, high, se, level, TITLE, n=n, n_effective=n, key="sequence", scale="bets"
    )


def bet(values: Array, counts: Array, bounds: Bounds, level: float) -> tuple[float, float]:
    """The means against which no capital was won yet, from below and from above."""
    kept = counts > 0
    seen, place = np.unique(values[kept], return_inverse=True)
    times = np.bincount(place, weights=counts[kept])
    low, high = bounds
    if seen.size > EDGES:
        seen, times = _on_edges(seen, times, bounds)
    lower = -_upper(-seen, times, -high, -low, level)
    return lower, _upper(seen, times, low, high, level)


def _on_edges(values: Array, counts: Array, bounds: Bounds) -> tuple[Array, Array]:
    """Each value shared out to the two nearest of many edges, with the same mean.

    The log of a capital is concave in the values, so that this never wins more than they do.
    """
    edges = np.linspace(*bounds, EDGES + 1)
    place = (values - bounds[0]) / (bounds[1] - bounds[0]) * EDGES
    below = np.minimum(place.astype(np.int64), EDGES - 1)
    above = place - below
    shared = np.bincount(below, counts * (1 - above), EDGES + 1)
    shared += np.bincount(below + 1, counts * above, EDGES + 1)
    return edges[shared > 0], shared[shared > 0]


def _upper(values: Array, counts: Array, low: float, high: float, level: float) -> float:
    from scipy.optimize import brentq

    mean, goal = float(values @ counts / counts.sum()), log(2 / (1 - level))
    nearly = high - 1e-12 * (high - low)
    if mean >= nearly or _capital(nearly, values, counts, low, high) < goal:
        return high

    def excess(m: float) -> float:
        return _capital(m, values, counts, low, high) - goal

    # At the mean every stake has lost: its capital is at most 1.
    return float(brentq(excess, max(mean, low + 1e-12 * (high - low)), nearly, xtol=1e-12))


def _capital(m: float, values: Array, counts: Array, low: float, high: float) -> float:
    """The log of the mean capital of bets that the mean lies below m."""
    most = 1 / (high - m)
    least = min(most, SMALLEST / sqrt((m - low) * (high - m)))
    stakes = most * (least / most) ** STEPS
    with np.errstate(divide="ignore"):
        won = np.log1p(np.maximum(-1.0, stakes[:, None] * (m - values))) @ counts
    return float(np.logaddexp.reduce(won)) - log(STAKES)


def any_level(n: float, level: float = 0.95) -> float:
    """The level at which a look at n rows is judged if there may be any number of looks.

    The capital of the same bets on a normal law: the mean of exp(s z sqrt(n) - n s^2 / 2) over the
    stakes is 2 / (1 - level) at z standard errors; the level is 2 Phi(z) - 1. It hardly depends on
    n up to a million rows.

    Parameters
    ----------
    n : float
        How many independent rows, or groups of rows, are looked at.
    level : float
        The confidence level of all looks together.

    Returns
    -------
    float
        The level of a look.

    Examples
    --------
    >>> round(any_level(100), 5), round(any_level(10_000), 5)
    (0.99921, 0.99922)

    References
    ----------
    H. Robbins (1970), Statistical methods related to the law of the iterated logarithm, Annals of
    Mathematical Statistics 41. I. Waudby-Smith, D. Arbour, R. Sinha, E. H. Kennedy and
    A. Ramdas (2024), Time-uniform central limit theory and asymptotic confidence sequences, Annals
    of Statistics 52.
    """
    from scipy.optimize import brentq
    from scipy.special import ndtr

    check_level(level)
    stakes = SMALLEST**STEPS * sqrt(n)
    goal = log(2 / (1 - level)) + log(STAKES)
    z = brentq(lambda z: np.logaddexp.reduce(stakes * z - stakes**2 / 2) - goal, 0.0, 1e9)
    return min(CERTAIN, float(1 - 2 * ndtr(-z)))


_FORMS = (Rate, Curved, Blend, Smooth, Mean, Area, Statistic)


@interval("sequence", "confidence sequence", _FORMS)
def _sequence(case: Case) -> Limits:
    """Bets on rates and on losses of known bounds; all else at the level of one look of many."""
    form = case.form
    alone = case.rows.group is None and case.rows.weight_kind != "sampling"
    if alone and isinstance(form, (Rate, Curved)):
        rate = form if isinstance(form, Rate) else form.rate
        if rate.within_class or not rate.table.by_class:
            return _of_rate(form, rate, case.level)
    if alone and isinstance(form, Mean) and form.losses is not None and form.shares is None:
        bounds = _bounds(case, form)
        if isfinite(bounds[1] - bounds[0]):
            losses, weight = form.losses(case.rows), case.rows.weight
            counts = np.ones(losses.size) if weight is None else weight
            low, high = bet(losses, counts, bounds, case.level)
            return Limits(
                low, high, sqrt(form.variance), form.n, form.n_effective, method=TITLE, scale="bets"
            )
    return _at_a_level(case)


def _of_rate(form: Rate | Curved, rate: Rate, level: float) -> Limits:
    counts = np.array([rate.trials - rate.successes, rate.successes])
    low, high = bet(np.array([0.0, 1.0]), counts, (0.0, 1.0), level)
    se = sqrt(rate.value * (1 - rate.value) / rate.trials)
    if isinstance(form, Curved):
        curve: Callable[[float], Any] = form.curve
        n = rate.trials
        return Limits(float(curve(low)), float(curve(high)), nan, n, n, method=TITLE, scale="bets")
    n = rate.trials
    return Limits(low, high, se, n, n, method=RATE_TITLE, scale="bets on a rate")


def _bounds(case: Case, form: Mean) -> Bounds:
    """The bounds of a row's loss, or the costs that are paid."""
    if form.blend is None:
        return case.measure.range(case.rows.classes)
    paid = [form.blend.constant + weight for weight in (0.0, *form.blend.weights)]
    return min(paid), max(paid)


def _at_a_level(case: Case) -> Limits:
    """The usual closed form, or the delta method, at the level of one of any number of looks."""
    n = units(case)
    level = any_level(n, case.level)
    found = closed_limits(replace(case, level=level))
    if found is None:
        return Limits(
            reason=f"{case.measure.name} has no standard error to first order, which a confidence "
            "sequence needs"
        )
    if found.reason:
        return found
    words = f"asymptotic confidence sequence, {found.method} at {100 * level:.5g}%"
    notes = (*found.notes, ASYMPTOTIC) if n < FROM else found.notes
    return replace(found, method=words, notes=notes, key="sequence", scale="")


def units(case: Case) -> float:
    """How many vary on their own: rows, groups, or what sampling weights leave of the rows."""
    rows = case.rows
    if rows.group is not None:
        return float(np.unique(rows.group).size)
    if rows.weight_kind == "sampling":
        return rows.weight_sum**2 / rows.weight_squares
    return rows.weight_sum


# --- planned looks -------------------------------------------------------------------------------


@cache
def look_boundaries(looks: int, level: float = 0.95) -> tuple[float, ...]:
    """How many standard errors off the bar decide at each of some equally spaced looks.

    Each side may spend a(t) = 2 - 2 Phi(z / sqrt(t)) of a = (1 - level) / 2 up to the share t of
    the rows, z the normal quantile at 1 - a/2: little early, as O'Brien and Fleming do. Boundary k
    solves P(beyond it at look k, and inside all before) = a(k / K) - a((k - 1) / K). The sum of
    rows seen is a random walk; its density inside the boundaries is integrated from look to look.

    Parameters
    ----------
    looks : int
        How many looks are planned, the last one with all rows.
    level : float
        The confidence level of all looks together, two-sided.

    Returns
    -------
    tuple of float
        The boundary of each look, in standard errors.

    Raises
    ------
    InputError
        If `looks` is not a whole number from 1 to 50.

    Examples
    --------
    >>> [round(z, 3) for z in look_boundaries(5)]
    [4.877, 3.357, 2.68, 2.29, 2.031]

    References
    ----------
    K. K. G. Lan and D. L. DeMets (1983), Discrete sequential boundaries for clinical trials,
    Biometrika 70. P. Armitage, C. K. McPherson and B. C. Rowe (1969), Repeated significance tests
    on accumulating data, Journal of the Royal Statistical Society A 132.
    """
    from scipy.optimize import brentq
    from scipy.special import ndtr, ndtri

    check_level(level)
    if not (isinstance(looks, int) and 1 <= looks <= MOST_LOOKS):
        raise InputError(f"looks={looks!r}: plan 1 to {MOST_LOOKS} looks")
    share = np.arange(1, looks + 1) / looks
    spent = 2 * ndtr(ndtri((1 - level) / 4) / np.sqrt(share))
    spend = np.diff(spent, prepend=0.0)
    nodes, weights = np.polynomial.legendre.leggauss(200)
    step = sqrt(1 / looks)
    at, mass = np.zeros(1), np.ones(1)  # where the walk is, and with what probability
    found = []
    for now, use in zip(share, spend, strict=True):

        def excess(bar: float, at: Array = at, mass: Array = mass, use: float = use) -> float:
            return float(mass @ ndtr((at - bar) / step) - use)

        bar = float(brentq(excess, 0.0, 20.0, xtol=1e-12))
        inside = bar * nodes
        moved = np.exp(-(((inside[:, None] - at) / step) ** 2) / 2) / (step * sqrt(2 * np.pi))
        at, mass = inside, bar * weights * (moved @ mass)
        found.append(bar / sqrt(now))
    return tuple(found)


def look_level(look: int, looks: int, level: float = 0.95) -> float:
    """The level at which look number `look` of `looks` planned ones is to be judged.

    A look is a level: 2 Phi(z) - 1 of its boundary z, handed to any interval. See
    `look_boundaries`.

    Parameters
    ----------
    look : int
        Which look this is, from 1.
    looks : int
        How many looks are planned.
    level : float
        The confidence level of all looks together.

    Returns
    -------
    float
        The level of this look.

    Raises
    ------
    InputError
        If there is no such look.

    Examples
    --------
    >>> round(look_level(2, 5), 5), round(look_level(5, 5), 4)
    (0.99921, 0.9577)
    """
    from scipy.special import ndtr

    boundaries = look_boundaries(looks, level)
    if not 1 <= look <= looks:
        raise InputError(f"look {look} of {looks}: looks are counted from 1 to {looks}")
    return min(CERTAIN, float(1 - 2 * ndtr(-boundaries[look - 1])))
