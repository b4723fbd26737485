"""The normal interval: value +- z standard errors."""

from math import sqrt

from heliast.estimates._means import mean_limits, of_losses
from heliast.estimates._record import Estimate
from heliast.estimates._registry import Case, Limits, interval
from heliast.measures.forms import Mean, Rate


def normal(values: object, level: float = 0.95) -> Estimate:
    """The mean of per-row losses +- z s / sqrt(n), s with n - 1.

    For few rows `student_t` is the right one. Undefined without rows; one row has a value but no
    interval.

    >>> normal([0.1, 0.2, 0.3, 0.6])
    Estimate(0.3 [0.0883, 0.5117], normal)
    """
    return of_losses(values, level, "normal", student=False)


@interval("normal", "normal", (Mean, Rate))
def _normal(case: Case) -> Limits:
    """For a rate this is the Wald interval p +- z sqrt(p(1-p)/n), too short near 0 and 1."""
    form = case.form
    if isinstance(form, Mean):
        return mean_limits(case, "normal", student=False)
    assert isinstance(form, Rate)
    se = sqrt(form.value * (1 - form.value) / form.effective)
    half = case.quantile(form.df) * se
    low, high = max(0.0, form.value - half), min(1.0, form.value + half)
    note = "the Wald interval covers too little near 0 and 1"
    return Limits(low, high, "normal (Wald)", se, form.trials, form.effective, (note,))
