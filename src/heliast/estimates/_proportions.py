"""Proportions: Wilson, Clopper-Pearson, Agresti-Coull and Jeffreys, alone and for rates."""

from functools import partial
from math import nan, sqrt
from typing import Literal

from heliast._core.errors import InputError
from heliast._core.level import check_level
from heliast._core.proportions import LIMITS, ProportionLimits, guarded_limits, wilson_limits
from heliast.estimates._record import Estimate, Scale
from heliast.estimates._registry import Case, Limits, interval
from heliast.measures.forms import Curved, Rate

Side = Literal["both", "upper", "lower"]
TITLES = {
    "wilson": "Wilson",
    "clopper_pearson": "Clopper-Pearson",
    "agresti_coull": "Agresti-Coull",
    "jeffreys": "Jeffreys",
}


def wilson(successes: float, n: float, level: float = 0.95, side: Side = "both") -> Estimate:
    """Wilson score interval of a proportion.

    (f + z^2/2n +- z sqrt(f(1-f)/n + z^2/4n^2)) / (1 + z^2/n). `side="upper"` gives the pessimistic
    end of an error rate: the rate is below it with confidence `level`.

    Parameters
    ----------
    successes : float
        Number of successes.
    n : float
        Number of trials; fractions are allowed.
    level : float
        The confidence level.
    side : {'both', 'upper', 'lower'}
        Two limits, or one of them.

    Returns
    -------
    Estimate
        The proportion with its limits; undefined when n = 0.

    Raises
    ------
    InputError
        If `successes` is not between 0 and n, or `level` or `side` is not valid.

    Examples
    --------
    >>> round(wilson(85, 100).high, 4)
    0.9069

    References
    ----------
    E. B. Wilson (1927), Probable inference, the law of succession, and statistical inference,
    Journal of the American Statistical Association 22.
    """
    return _estimate("wilson", successes, n, level, side)


def clopper_pearson(
    successes: float, n: float, level: float = 0.95, side: Side = "both"
) -> Estimate:
    """Exact interval of a proportion, from two one-sided binomial tests.

    With x successes the limits are the quantiles (1 - level)/2 of Beta(x, n - x + 1) and
    (1 + level)/2 of Beta(x + 1, n - x). Never covers less than `level`, often much more.

    Parameters
    ----------
    successes : float
        Number of successes.
    n : float
        Number of trials; fractions are allowed.
    level : float
        The confidence level.
    side : {'both', 'upper', 'lower'}
        Two limits, or one of them.

    Returns
    -------
    Estimate
        The proportion with its limits; undefined when n = 0.

    Raises
    ------
    InputError
        If `successes` is not between 0 and n, or `level` or `side` is not valid.

    Examples
    --------
    >>> round(clopper_pearson(0, 10).high, 4)
    0.3085

    References
    ----------
    C. J. Clopper and E. S. Pearson (1934), The use of confidence or fiducial limits illustrated in
    the case of the binomial, Biometrika 26.
    """
    return _estimate("clopper_pearson", successes, n, level, side)


def agresti_coull(successes: float, n: float, level: float = 0.95, side: Side = "both") -> Estimate:
    """Agresti-Coull interval of a proportion: z^2/2 successes and failures are added.

    With n' = n + z^2 and p' = (x + z^2/2) / n' the limits are p' +- z sqrt(p'(1 - p') / n'), cut
    at 0 and 1.

    Parameters
    ----------
    successes : float
        Number of successes.
    n : float
        Number of trials; fractions are allowed.
    level : float
        The confidence level.
    side : {'both', 'upper', 'lower'}
        Two limits, or one of them.

    Returns
    -------
    Estimate
        The proportion with its limits; undefined when n = 0.

    Raises
    ------
    InputError
        If `successes` is not between 0 and n, or `level` or `side` is not valid.

    Examples
    --------
    >>> round(agresti_coull(8, 30).high, 4)
    0.4465

    References
    ----------
    A. Agresti and B. A. Coull (1998), Approximate is better than "exact" for interval estimation of
    binomial proportions, The American Statistician 52.
    """
    return _estimate("agresti_coull", successes, n, level, side)


def jeffreys(successes: float, n: float, level: float = 0.95, side: Side = "both") -> Estimate:
    """Jeffreys interval of a proportion: equal tails of Beta(x + 1/2, n - x + 1/2).

    With no success the lower end is 0, with no failure the upper end is 1.

    Parameters
    ----------
    successes : float
        Number of successes.
    n : float
        Number of trials; fractions are allowed.
    level : float
        The confidence level.
    side : {'both', 'upper', 'lower'}
        Two limits, or one of them.

    Returns
    -------
    Estimate
        The proportion with its limits; undefined when n = 0.

    Raises
    ------
    InputError
        If `successes` is not between 0 and n, or `level` or `side` is not valid.

    Examples
    --------
    >>> round(jeffreys(8, 30).low, 4)
    0.1349

    References
    ----------
    L. D. Brown, T. T. Cai and A. DasGupta (2001), Interval estimation for a binomial proportion,
    Statistical Science 16.
    """
    return _estimate("jeffreys", successes, n, level, side)


def _estimate(key: str, successes: float, n: float, level: float, side: Side) -> Estimate:
    check_level(level)
    if side not in ("both", "upper", "lower"):
        raise InputError(f"side={side!r}: choose 'both', 'upper' or 'lower'")
    if side != "both" and level < 0.5:
        raise InputError(f"level={level}: a one-sided limit needs a level of at least 0.5")
    if not n >= 0 or not 0 <= successes <= n:
        raise InputError(f"{successes} successes of n = {n}: need 0 <= successes <= n")
    title = TITLES[key]
    if n == 0:
        return Estimate(nan, level=level, method=title, key=key, n=0, reason="no trials")
    rate = successes / n
    # A one-sided limit at 95% is the end of a two-sided interval at 90%.
    low, high = LIMITS[key](rate, n, level if side == "both" else 2 * level - 1)
    scale: Scale = "rate" if key == "wilson" else "exact"
    if side != "both":
        low, high = (0.0, high) if side == "upper" else (low, 1.0)
        title, scale = f"{title}, one-sided {side}", "one-sided"
    se = sqrt(rate * (1 - rate) / n)
    return Estimate(
        rate, low, high, se, level, title, n=n, n_effective=n, key=key, scale=scale
    )  # fmt: skip


# --- rates, and increasing functions of a rate such as F1 ----------------------------------------


@interval("wilson_guarded", "Wilson, exact for few rows", (Rate, Curved))
def _wilson_guarded(case: Case) -> Limits:
    """Wilson's limits, or exact ones at twice the error where those lie farther out.

    With 1 to 5 successes (or failures) Wilson's lower (upper) limit is too near the rate: at the
    worst rate it covers .840 of 200 rows, and this .930 (exact binomial sums), at 1.01 to 1.02
    times the width. Key and words are Wilson's where the limits are.

    References: E. B. Wilson (1927), Probable inference, the law of succession, and statistical
    inference, Journal of the American Statistical Association 22.
    """
    form = case.form
    assert isinstance(form, (Rate, Curved))
    rate = form if isinstance(form, Rate) else form.rate
    n = rate.effective
    plain = wilson_limits(rate.value, n, case.level, rate.df)
    limits = guarded_limits(rate.value, n, case.level, rate.df)
    ends = [end for end, a, b in zip(("lower", "upper"), plain, limits, strict=True) if a != b]
    if not ends:
        return _of_form(case, TITLES["wilson"], wilson_limits, "wilson")
    return _of_form(case, f"Wilson, exact {' and '.join(ends)} limit", guarded_limits, "")


def _of_form(case: Case, title: str, limits: ProportionLimits, key: str) -> Limits:
    """Limits of a rate with the rows that it is worth, or of a function of a rate."""
    form = case.form
    assert isinstance(form, (Rate, Curved))
    rate = form if isinstance(form, Rate) else form.rate
    low, high = limits(rate.value, rate.effective, case.level, rate.df)
    # The spread of a group mean is itself uncertain, so keep the value inside.
    low, high = min(low, rate.value), max(high, rate.value)
    words = title if isinstance(form, Rate) else f"{title} on TP/(TP+FP+FN)"
    if rate.effective < rate.trials:
        words += f", effective n {rate.effective:.0f}"
    se = sqrt(rate.value * (1 - rate.value) / rate.effective) if rate.effective else 0.0
    by_score = limits in (wilson_limits, guarded_limits)
    scale: Scale = "rate" if by_score else "exact"
    if isinstance(form, Curved):
        scale = "f" if by_score else ""
        se *= form.slope
        low, high = float(form.curve(low)), float(form.curve(high))
    return Limits(
        low, high, se, rate.trials, rate.effective, method=words, key=key, scale=scale
    )  # fmt: skip


for _key, _title in TITLES.items():
    interval(_key, _title, (Rate, Curved))(
        partial(_of_form, title=_title, limits=LIMITS[_key], key=_key)
    )
