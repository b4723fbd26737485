"""MOVER: limits for a weighted sum of independent rates, from the limits of each."""

from math import sqrt

from heliast.estimates._registry import Case, Limits, interval
from heliast.estimates._wilson import wilson_limits
from heliast.measures.forms import Blend


@interval("mover", "MOVER of Wilson limits", (Blend,))
def _mover(case: Case) -> Limits:
    """Square and add the distances to each rate's Wilson limits (Zou and Donner 2008).

    low = est - sqrt(sum w^2 (p - l)^2), high = est + sqrt(sum w^2 (u - p)^2); a rate with a
    negative weight swaps its limits.
    """
    form = case.form
    assert isinstance(form, Blend)
    below = above = variance = 0.0
    for weight, rate in zip(form.weights, form.rates, strict=True):
        low, high = wilson_limits(rate.value, rate.effective, case.level, rate.df)
        down, up = weight * (rate.value - low), weight * (high - rate.value)
        if weight < 0:
            down, up = -up, -down
        below, above = below + down**2, above + up**2
        variance += weight**2 * rate.value * (1 - rate.value) / rate.effective
    least, most = case.measure.bounds
    return Limits(
        max(least, form.value - sqrt(below)),
        min(most, form.value + sqrt(above)),
        "MOVER of Wilson limits",
        sqrt(variance),
        sum(rate.trials for rate in form.rates),
        sum(rate.effective for rate in form.rates),
    )
