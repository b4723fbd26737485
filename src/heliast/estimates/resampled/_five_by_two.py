"""The interval of Dietterich's 5 x 2 cross-validation."""

from math import sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from heliast._core.labels import Label
from heliast.estimates._proportion import quantile
from heliast.estimates._record import Estimate
from heliast.estimates._scale import clipped
from heliast.estimates.resampled._case import Case, Refused, alone, resampled, without
from heliast.estimates.resampled._corrected_t import NO_SPREAD
from heliast.estimates.resampled._groups import by_group
from heliast.measures import Measure
from heliast.predictions import Predictions

Array = npt.NDArray[Any]
FIRST = (
    "the value is that of the first half alone, as the 5 x 2 test has it; the mean of all ten "
    "halves is {mean:.4g}"
)


def five_by_two(
    predictions: Predictions,
    measure: str | Measure = "error",
    level: float = 0.95,
    *,
    class_: Label | None = None,
) -> Estimate:
    """The first half's value +- t_5 s, s^2 the mean over five halvings of (p1 - p2)^2 / 2.

    The two halves of a halving share no row, so (p1 - p2)^2 / 2 estimates the variance of one
    half's value without bias; five of them give s^2 about five degrees of freedom. Speaks of models
    trained on half the rows. Wide, as it rests on one half. Needs five repeats of two folds (the
    plan `FiveByTwo`). Any measure; groups if the halves keep them whole.

    >>> from heliast import FiveByTwo, run
    >>> from heliast.data import simulate
    >>> from sklearn.naive_bayes import GaussianNB
    >>> data = simulate.two_gaussians(0.2).sample(200, seed=1)
    >>> found = five_by_two(run(GaussianNB(), data, FiveByTwo(), seed=1))
    >>> found.low < found.value < found.high, found.method
    (True, '5 x 2, t with 5 degrees of freedom')

    Reference: T. G. Dietterich (1998), Approximate statistical tests for comparing supervised
    classification learning algorithms, Neural Computation 10.
    """
    return alone("five_by_two", predictions, measure, level, class_)


@resampled("five_by_two")
def of_case(case: Case) -> Estimate:
    design = case.design
    if not design.folds or design.repeats != 5 or design.splits != 10:
        raise Refused("five_by_two needs five repeats of two folds (the plan FiveByTwo)")
    few = by_group(case)
    if design.reason:
        raise Refused(design.reason)
    values = _halves(case)
    if not np.isfinite(values).all():
        raise Refused(f"five_by_two: {case.measure.title} is undefined in some half")
    value, s = float(values[0, 0]), sqrt(float(((values[:, 0] - values[:, 1]) ** 2).mean()) / 2)
    half = quantile(case.level, 5) * s
    low, high = clipped(value - half, value + half, case.measure.bounds)
    one = case.found(
        value,
        "5 x 2, t with 5 degrees of freedom",
        low=low,
        high=high,
        se=s,
        notes=(*design.notes, FIRST.format(mean=values.mean()), *few),
    )
    return one if s > 0 else without(one, NO_SPREAD)


def _halves(case: Case) -> Array:
    """(5, 2): the value of each half, in order of repeats and folds."""
    splits = case.parts.splits
    order = sorted(range(10), key=lambda at: (splits[at].repeat, splits[at].fold))
    halves: Array = case.values()[order].reshape(5, 2)
    return halves
