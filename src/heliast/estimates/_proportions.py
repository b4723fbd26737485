"""Proportions: Wilson, Clopper-Pearson, Agresti-Coull and Jeffreys, alone and for rates."""

from math import sqrt
from typing import Literal

from heliast._core.errors import InputError
from heliast._core.level import check_level
from heliast._core.proportions import LIMITS
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
SCALES: dict[str, Scale] = {"wilson": "rate"}
"""How the limits come nearer with more rows; those of the others are made anew."""


def wilson(successes: float, n: float, level: float = 0.95, side: Side = "both") -> Estimate:
    """The rates that a score test would not reject.

    (f + z^2/2n +- z sqrt(f(1-f)/n + z^2/4n^2)) / (1 + z^2/n). `side="upper"` gives the pessimistic
    end of an error rate: the rate is below it with confidence `level`.

    Parameters
    ----------
    successes : float
        How many rows count.
    n : float
        Out of how many.
    level : float
        The confidence level.
    side : {'both', 'upper', 'lower'}
        Two limits, or one alone.

    Returns
    -------
    Estimate
        The proportion and its limits; undefined when n = 0.

    Raises
    ------
    InputError
        If the successes are no part of n, or the level or the side is none.

    Examples
    --------
    >>> round(wilson(85, 100).high, 4)
    0.9069

    References
    ----------
    E. B. Wilson (1927), Probable inference, the law of succession, and statistical inference,
    Journal of the American Statistical Association 22.
    """
    return _of_proportion("wilson", successes, n, level, side)


def clopper_pearson(
    successes: float, n: float, level: float = 0.95, side: Side = "both"
) -> Estimate:
    """The rates that two one-sided exact binomial tests would not reject.

    With x successes the limits are the quantiles (1 - level)/2 of Beta(x, n - x + 1) and
    (1 + level)/2 of Beta(x + 1, n - x). Never covers less than `level`, often much more.

    Parameters
    ----------
    successes : float
        How many rows count.
    n : float
        Out of how many.
    level : float
        The confidence level.
    side : {'both', 'upper', 'lower'}
        Two limits, or one alone.

    Returns
    -------
    Estimate
        The proportion and its limits; undefined when n = 0.

    Raises
    ------
    InputError
        If the successes are no part of n, or the level or the side is none.

    Examples
    --------
    >>> round(clopper_pearson(0, 10).high, 4)
    0.3085

    References
    ----------
    C. J. Clopper and E. S. Pearson (1934), The use of confidence or fiducial limits illustrated in
    the case of the binomial, Biometrika 26.
    """
    return _of_proportion("clopper_pearson", successes, n, level, side)


def agresti_coull(successes: float, n: float, level: float = 0.95, side: Side = "both") -> Estimate:
    """Add z^2/2 successes and z^2/2 failures, then the normal interval.

    With n' = n + z^2 and p' = (x + z^2/2) / n' the limits are p' +- z sqrt(p'(1 - p') / n'), cut
    at 0 and 1.

    Parameters
    ----------
    successes : float
        How many rows count.
    n : float
        Out of how many.
    level : float
        The confidence level.
    side : {'both', 'upper', 'lower'}
        Two limits, or one alone.

    Returns
    -------
    Estimate
        The proportion and its limits; undefined when n = 0.

    Raises
    ------
    InputError
        If the successes are no part of n, or the level or the side is none.

    Examples
    --------
    >>> round(agresti_coull(8, 30).high, 4)
    0.4465

    References
    ----------
    A. Agresti and B. A. Coull (1998), Approximate is better than "exact" for interval estimation of
    binomial proportions, The American Statistician 52.
    """
    return _of_proportion("agresti_coull", successes, n, level, side)


def jeffreys(successes: float, n: float, level: float = 0.95, side: Side = "both") -> Estimate:
    """Equal tails of the posterior Beta(x + 1/2, n - x + 1/2) under Jeffreys' prior.

    With no success the lower end is 0, with no failure the upper end is 1.

    Parameters
    ----------
    successes : float
        How many rows count.
    n : float
        Out of how many.
    level : float
        The confidence level.
    side : {'both', 'upper', 'lower'}
        Two limits, or one alone.

    Returns
    -------
    Estimate
        The proportion and its limits; undefined when n = 0.

    Raises
    ------
    InputError
        If the successes are no part of n, or the level or the side is none.

    Examples
    --------
    >>> round(jeffreys(8, 30).low, 4)
    0.1349

    References
    ----------
    L. D. Brown, T. T. Cai and A. DasGupta (2001), Interval estimation for a binomial proportion,
    Statistical Science 16.
    """
    return _of_proportion("jeffreys", successes, n, level, side)


def _of_proportion(key: str, successes: float, n: float, level: float, side: Side) -> Estimate:
    """The Estimate of a proportion; one-sided when `side` is not `both`."""
    title = TITLES[key]
    check_level(level)
    if side not in ("both", "upper", "lower"):
        raise InputError(f"side={side!r}: choose 'both', 'upper' or 'lower'")
    if side != "both" and level < 0.5:
        raise InputError(f"level={level}: a one-sided limit needs a level of at least 0.5")
    if not n >= 0 or not 0 <= successes <= n:
        raise InputError(f"{successes} successes of n = {n}: need 0 <= successes <= n")
    if n == 0:
        return Estimate(float("nan"), level=level, method=title, key=key, n=0, reason="no trials")
    rate = successes / n
    # A one-sided limit at 95% is the end of a two-sided interval at 90%.
    low, high = LIMITS[key](rate, n, level if side == "both" else 2 * level - 1)
    scale = SCALES.get(key, "exact")
    if side != "both":
        low, high = (0.0, high) if side == "upper" else (low, 1.0)
        title, scale = f"{title}, one-sided {side}", "one-sided"
    se = sqrt(rate * (1 - rate) / n)
    return Estimate(
        rate, low, high, se, level, title, n=n, n_effective=n, key=key, scale=scale
    )  # fmt: skip


def _serve(key: str) -> None:
    """Offer the limits as an interval method for rates and increasing functions of a rate."""

    def of_form(case: Case) -> Limits:
        form = case.form
        assert isinstance(form, (Rate, Curved))
        rate = form if isinstance(form, Rate) else form.rate
        low, high = LIMITS[key](rate.value, case.narrowed(rate.effective), case.level, rate.df)
        # The spread of a group mean is itself uncertain, so keep the value inside.
        low, high = min(low, rate.value), max(high, rate.value)
        words = TITLES[key] if isinstance(form, Rate) else f"{TITLES[key]} on TP/(TP+FP+FN)"
        if rate.effective < rate.trials:
            words += f", effective n {rate.effective:.0f}"
        se = sqrt(rate.value * (1 - rate.value) / rate.effective) if rate.effective else 0.0
        scale = SCALES.get(key, "exact")
        if isinstance(form, Curved):
            step, scale = 1e-6, "f" if key == "wilson" else ""
            up, down = min(1.0, rate.value + step), max(0.0, rate.value - step)
            se *= (form.curve(up) - form.curve(down)) / (up - down)
            low, high = float(form.curve(low)), float(form.curve(high))
        return Limits(low, high, se, rate.trials, rate.effective, method=words, scale=scale)

    interval(key, TITLES[key], (Rate, Curved))(of_form)


for _key in TITLES:
    _serve(_key)
