"""How many cases decide a difference, with a stated chance."""

from math import ceil, inf, isfinite, nan, sqrt

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._core.level import check_level, quantile
from heliast.comparisons._checks import check_margin
from heliast.estimates import POWER, Needed, check_power, least

# With this many degrees of freedom Student's t is the normal.
NORMAL_FROM = 10_000
# Most rows for which McNemar's power is summed up, not approximated.
MOST_EXACT = 200_000


def cases_to_decide(
    value: float,
    sd: float,
    *,
    bar: float = 0.0,
    power: float = POWER,
    level: float = 0.95,
    df: float | None = None,
    now: float = nan,
) -> Needed:
    """The least n at which the interval of a true difference `value` leaves out `bar`.

    The mean of n cases has standard error sd / sqrt(n); t = (mean - bar) / se is noncentral t
    around |value - bar| / se, and must pass the quantile at `level` on the side of `value`.

    Parameters
    ----------
    value : float
        The true difference to plan for.
    sd : float
        The standard deviation of the difference at a single case.
    bar : float
        The difference to be told from.
    power : float
        The probability to decide.
    level : float
        The level of the interval.
    df : float, optional
        Degrees of freedom that do not grow with n (K - 1 of K folds; infinite: normal); n - 1 if
        not given.
    now : float
        The cases at hand.

    Returns
    -------
    Needed
        How many cases do it.

    Raises
    ------
    InputError
        If there is no spread, or an option is no probability.

    Examples
    --------
    >>> print(cases_to_decide(0.02, 0.3))
    1,768 rows, and the difference is told from 0 with probability 80%.

    References
    ----------
    J. Cohen (1988), Statistical power analysis for the behavioral sciences, Lawrence Erlbaum
    Associates.
    """
    _check(value, sd, power, level)
    what = f"the difference is told from {bar:g}"
    if value == bar:
        return _needed(what, inf, now, power, level, f"the difference is {bar:g}")
    gap = abs(value - bar) / sd

    def enough(n: int) -> bool:
        freedom = n - 1.0 if df is None else df
        return _passed(gap * sqrt(n), _quantile(level, freedom), freedom) >= power

    return _needed(what, least(enough), now, power, level)


def cases_for_equivalence(
    value: float,
    sd: float,
    margin: float,
    *,
    power: float = POWER,
    level: float = 0.95,
    df: float | None = None,
    now: float = nan,
) -> Needed:
    """The least n at which two one-sided tests call a true difference `value` equivalent.

    Both t = (margin - mean) / se and (margin + mean) / se must pass the one-sided quantile at
    `level`: P >= P(first) + P(second) - 1, which is exact but for a few cases. Never, if the
    difference is no smaller than the margin.

    Parameters
    ----------
    value : float
        The true difference to plan for.
    sd : float
        The standard deviation of the difference at a single case.
    margin : float
        The largest difference that does not matter.
    power, level, df, now : float
        As in `cases_to_decide`.

    Returns
    -------
    Needed
        How many cases do it.

    Raises
    ------
    InputError
        If there is no spread, or an option is impossible.

    Examples
    --------
    >>> cases_for_equivalence(0.0, 0.3, margin=0.02).cases
    1929

    References
    ----------
    K. F. Phillips (1990), Power of the two one-sided tests procedure in bioequivalence, Journal of
    Pharmacokinetics and Biopharmaceutics 18.
    """
    _check(value, sd, power, level)
    check_margin(margin)
    what = f"equivalence within {margin:g} is shown"
    if abs(value) >= margin:
        return _needed(what, inf, now, power, level, "the difference is not below the margin")

    def enough(n: int) -> bool:
        freedom = n - 1.0 if df is None else df
        q, root = _quantile(2 * level - 1, freedom), sqrt(n) / sd
        sides = (margin - value) * root, (margin + value) * root
        return sum(_passed(side, q, freedom) for side in sides) - 1 >= power

    return _needed(what, least(enough), now, power, level)


def cases_for_mcnemar(
    only_a_wrong: float, only_b_wrong: float, n: float, *, power: float = POWER, level: float = 0.95
) -> Needed:
    """The least number of rows at which McNemar's mid-p test finds a difference like the one seen.

    The shares of rows on which one model alone errs are taken from n rows and to stay. Of n' rows
    D ~ binomial(n', share of both) are discordant, X of them ~ binomial(D, a / (a + b)) against a;
    the power is the probability that mid-p is below 1 - `level`, summed over D and X. It goes up
    in steps, so this is the least n' from which on it stays above `power` for some rows. Beyond
    200,000 rows: (q sqrt(d) + z sqrt(d - v^2))^2 / v^2, d = (a + b) / n, v = (a - b) / n.

    Parameters
    ----------
    only_a_wrong, only_b_wrong : float
        The rows on which one model alone errs.
    n : float
        The rows that were tested.
    power : float
        The probability to decide.
    level : float
        1 minus the level of the test.

    Returns
    -------
    Needed
        How many rows do it.

    Raises
    ------
    InputError
        If counts are negative, or more than n.

    Examples
    --------
    >>> print(cases_for_mcnemar(12, 6, 100))
    384 rows, 284 more than now, and the difference is told from 0 with probability 80%.

    References
    ----------
    J. M. Lachin (1992), Power and sample size evaluation for the McNemar test, Statistics in
    Medicine 11.
    """
    from scipy.special import ndtri

    if not (min(only_a_wrong, only_b_wrong) >= 0 and only_a_wrong + only_b_wrong <= n < inf):
        raise InputError(
            f"{only_a_wrong:g} and {only_b_wrong:g} of n={n:g} rows: counts are 0 or more, "
            "together at most n"
        )
    _check(0.0, 1.0, power, level)
    what = "the difference is told from 0"
    if only_a_wrong == only_b_wrong:
        return _needed(what, inf, n, power, level, "both models err equally often")
    more, less = max(only_a_wrong, only_b_wrong) / n, min(only_a_wrong, only_b_wrong) / n
    share, gap = more + less, more - less
    spread = sqrt(max(0.0, share - gap**2))
    rough = ceil(((quantile(level) * sqrt(share) + float(ndtri(power)) * spread) / gap) ** 2)
    if rough > MOST_EXACT:
        return _needed(what, rough, n, power, level)

    def enough(rows: int) -> bool:
        # The power goes up in steps, so it is to be enough a little further, too.
        further = (rows, rows + max(1, rows // 100), rows + 2 * max(1, rows // 100))
        return 3 * (rows + 1) > rough and all(
            mcnemar_power(more, less, k, level) >= power for k in further
        )

    return _needed(what, least(enough), n, power, level)


def mcnemar_power(more: float, less: float, n: int, level: float = 0.95) -> float:
    """P(mid-p < 1 - level, on the right side) if one model alone errs with these probabilities."""
    share = more + less
    mean = n * share
    # Beyond these borders is less than 1e-9 (Bernstein's inequality).
    away = 7 * sqrt(mean * (1 - share)) + 15
    discordant = np.arange(max(0, int(mean - away)), min(n, int(mean + away) + 1) + 1)
    passed = _binomial(most_rejected(discordant, level), discordant, less / share)
    chances = np.diff(_binomial(np.append(discordant[0] - 1, discordant), n, share))
    return float((chances * passed).sum())


def _binomial(k: Array, n: Array | int, share: float) -> Array:
    """P(X <= k), X binomial(n, share)."""
    from scipy.special import bdtr  # scipy.stats would take longer to import than to compare

    return np.asarray(np.where(k < 0, 0.0, bdtr(np.maximum(k, 0).astype(np.float64), n, share)))


def most_rejected(discordant: Array, level: float) -> Array:
    """The largest k with 2 P(X <= k) - P(X = k) < 1 - level, X binomial(D, 1/2); -1 if none."""
    # Mid-p is nearly normal, so that k is off by one at most where there are not very few.
    k = np.ceil((discordant - quantile(level) * np.sqrt(discordant)) / 2) + 2
    k = np.minimum(k, discordant)
    while True:
        mid_p = _binomial(k, discordant, 0.5) + _binomial(k - 1, discordant, 0.5)
        over = (k >= 0) & (mid_p >= 1 - level)
        if not over.any():
            return np.asarray(np.maximum(k, -1))
        k = k - over


def _quantile(level: float, df: float) -> float:
    return quantile(level, df if df < NORMAL_FROM else None)


def _passed(shift: float, q: float, df: float) -> float:
    """P(noncentral t above q)."""
    from scipy.special import nctdtr, ndtr

    if shift > 50 * max(1.0, q):  # sure with any degrees of freedom, and too far out for SciPy
        return 1.0
    return float(ndtr(shift - q) if df >= NORMAL_FROM else 1 - nctdtr(df, shift, q))


def _check(value: float, sd: float, power: float, level: float) -> None:
    check_level(level)
    check_power(power)
    if not (isfinite(value) and 0 < sd < inf):
        raise InputError(f"value={value}, sd={sd}: need a finite difference, and a spread above 0")


def _needed(
    what: str, cases: float, now: float, power: float, level: float, reason: str = ""
) -> Needed:
    more = cases - now
    if isfinite(more):
        more = max(0, ceil(more))
    return Needed(what, cases, more, now, level=level, power=power, reason=reason)
