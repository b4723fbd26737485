"""What the limits for a proportion share: quantiles, checks, and how they serve forms."""

from collections.abc import Callable
from math import sqrt
from typing import Literal

from heliast._core.errors import InputError
from heliast._core.level import check_level, quantile, widened
from heliast.estimates._record import Estimate
from heliast.estimates._registry import Case, Limits, interval
from heliast.measures.forms import Curved, Rate

__all__ = ["ProportionLimits", "check_level", "of_proportion", "quantile", "serve", "widened"]

Side = Literal["both", "upper", "lower"]
ProportionLimits = Callable[[float, float, float, float | None], tuple[float, float]]
"""(rate, effective n, two-sided level, df) -> (low, high)."""


def of_proportion(
    limits: ProportionLimits,
    title: str,
    successes: float,
    n: float,
    level: float,
    side: Side,
) -> Estimate:
    """The Estimate of a proportion; one-sided when `side` is not `both`."""
    check_level(level)
    if side not in ("both", "upper", "lower"):
        raise InputError(f"side={side!r}: choose 'both', 'upper' or 'lower'")
    if side != "both" and level < 0.5:
        raise InputError(f"level={level}: a one-sided limit needs a level of at least 0.5")
    if not n >= 0 or not 0 <= successes <= n:
        raise InputError(f"{successes} successes of n = {n}: need 0 <= successes <= n")
    if n == 0:
        return Estimate(float("nan"), level=level, method=title, n=0, reason="no trials")
    rate = successes / n
    # A one-sided limit at 95% is the end of a two-sided interval at 90%.
    low, high = limits(rate, n, level if side == "both" else 2 * level - 1, None)
    if side != "both":
        low, high = (0.0, high) if side == "upper" else (low, 1.0)
        title = f"{title}, one-sided {side}"
    se = sqrt(rate * (1 - rate) / n)
    return Estimate(rate, low, high, se, level, title, n=n, n_effective=n)


def serve(name: str, title: str, limits: ProportionLimits) -> None:
    """Offer the limits as an interval method for rates and increasing functions of a rate."""

    def of_form(case: Case) -> Limits:
        form = case.form
        assert isinstance(form, (Rate, Curved))
        rate = form if isinstance(form, Rate) else form.rate
        low, high = limits(rate.value, case.worth(rate.effective), case.level, rate.df)
        # The spread of a group mean is itself uncertain, so keep the value inside.
        low, high = min(low, rate.value), max(high, rate.value)
        words = title if isinstance(form, Rate) else f"{title} on TP/(TP+FP+FN)"
        if rate.effective < rate.trials:
            words += f", effective n {rate.effective:.0f}"
        se = sqrt(rate.value * (1 - rate.value) / rate.effective) if rate.effective else 0.0
        if isinstance(form, Curved):
            step = 1e-6
            up, down = min(1.0, rate.value + step), max(0.0, rate.value - step)
            se *= (form.curve(up) - form.curve(down)) / (up - down)
            low, high = float(form.curve(low)), float(form.curve(high))
        return Limits(low, high, words, se, rate.trials, rate.effective)

    interval(name, title, (Rate, Curved))(of_form)
