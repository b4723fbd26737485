"""Confidence levels: which are allowed, and their quantiles."""

from heliast._core.errors import InputError


def check_level(level: float) -> None:
    """Refuse levels that are not probabilities, such as 95."""
    if not 0 < level < 1:
        hint = f" (did you mean {level / 100:g}?)" if 1 < level < 100 else ""
        raise InputError(f"level={level}: a confidence level lies between 0 and 1{hint}")


def quantile(level: float, df: float | None = None) -> float:
    """The two-sided normal quantile at `level`, or Student's with `df` degrees of freedom.

    >>> round(quantile(0.95), 4)
    1.96
    """
    from scipy.special import ndtri, stdtrit

    upper = (1 + level) / 2
    return float(ndtri(upper) if df is None else stdtrit(df, upper))


def widened(level: float, df: float | None) -> float:
    """The level whose normal quantile is Student's at `level`, for limits not made from z."""
    from scipy.special import ndtr

    return level if df is None else float(2 * ndtr(quantile(level, df)) - 1)
