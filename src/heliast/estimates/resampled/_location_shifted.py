"""The location-shifted bootstrap interval of Noma and others."""

from typing import Any

import numpy as np
import numpy.typing as npt

from heliast._core.labels import Label
from heliast.estimates._record import Estimate
from heliast.estimates._scale import clipped
from heliast.estimates.resampled._apparent import apparent
from heliast.estimates.resampled._bootstrap_632 import two_errors
from heliast.estimates.resampled._bootstrap_632_plus import no_information
from heliast.estimates.resampled._case import Case, Refused, alone, resampled, without
from heliast.estimates.resampled._groups import by_group
from heliast.estimates.resampled._losses import row_losses
from heliast.estimates.resampled._points import TITLES, Point, chosen, point_of
from heliast.measures import Measure
from heliast.predictions import Predictions

Array = npt.NDArray[Any]
FEW = 200
BY_HEART = (
    "the model errs far less on its own rows than on others: the spread of its training error, "
    "which this interval takes, is then too small"
)
NO_SPREAD = "the training error hardly varies over resamples: it says nothing of the spread"


def location_shifted(
    predictions: Predictions,
    measure: str | Measure = "error",
    level: float = 0.95,
    *,
    point: Point | None = None,
    class_: Label | None = None,
) -> Estimate:
    """Percentiles of the training errors of resampled models, moved by the optimism.

    e_b is the loss of resample b's model on that resample (rows count as often as drawn), e that
    of the model fitted to all rows on all rows, and v the corrected value (`point`: left_out,
    bootstrap_632 or bootstrap_632_plus, the default for classes). The e_b show how e varies from
    sample to sample; if the optimism v - e is the same everywhere, v varies likewise:
    [q_low(e_b) + v - e, q_high(e_b) + v - e]. That fails where a model learns its rows by heart:
    e is then near 0 and hardly varies, whatever v does; a note says so, and without any spread
    there is no interval. Needs a table of resamples with training rows predicted too,
    `run(..., Bootstrap(1000), in_sample=True)`. Row losses; groups if they were drawn whole.

    >>> from heliast import Bootstrap, run
    >>> from heliast.data import simulate
    >>> from sklearn.naive_bayes import GaussianNB
    >>> data = simulate.two_gaussians(0.2).sample(100, seed=1)
    >>> table = run(GaussianNB(), data, Bootstrap(40), seed=1, in_sample=True)
    >>> found = location_shifted(table)
    >>> found.low < found.value < found.high, found.method
    (True, '.632+ bootstrap, location-shifted, 40 resamples')

    Reference: H. Noma, T. Shinozaki, K. Iba, S. Teramukai and T. A. Furukawa (2021), Confidence
    intervals of prediction accuracy measures for multivariable prediction models based on the
    bootstrap-based optimism correction methods, Statistics in Medicine 40, algorithm 1.
    """
    return alone("location_shifted", predictions, measure, level, class_, point=point)


@resampled("location_shifted")
def of_case(case: Case) -> Estimate:
    own, value, one = value_of("location_shifted", case)
    found = apparent("location_shifted", case, row_losses(case, "location_shifted")).values
    low, high = percentiles("location_shifted", found, case.level)
    if not high - low > 1e-12:
        return without(one, NO_SPREAD)
    limits = clipped(low + value - own, high + value - own, case.measure.bounds)
    return spread(case, one, limits, found, "location-shifted")


def value_of(name: str, case: Case) -> tuple[float, float, Estimate]:
    """e, the corrected value, and the estimate that it makes without an interval."""
    point = chosen(case.point, case.table.task)
    own, left, rows = two_errors(name, case)
    none = np.nan
    if point == "bootstrap_632_plus":
        none = no_information(rows, row_losses(case, name))
    value = point_of(case, point, own, left.value, none)
    heart = _by_heart(case, own, left.value)
    one = case.found(value, f"{TITLES[point]} bootstrap", n=left.n, notes=(*left.notes, *heart))
    return own, value, one


def _by_heart(case: Case, own: float, out: float) -> tuple[str, ...]:
    best = case.measure.bounds[1] if case.measure.better == "high" else 0.0
    return (BY_HEART,) if abs(own - best) < abs(out - best) / 2 else ()


def percentiles(name: str, values: Array, level: float) -> tuple[float, float]:
    """The ends that leave (1 - level)/2 outside; refused where less than one value lies there."""
    tail = (1 - level) / 2
    if values.size * tail < 1 - 1e-9:
        raise Refused(
            f"{name} needs at least {int(np.ceil(1 / tail - 1e-9))} resamples for percentiles at "
            f"level {level:g}, here are {values.size}"
        )
    low, high = np.quantile(values, (tail, 1 - tail))
    return float(low), float(high)


def spread(
    case: Case, one: Estimate, limits: tuple[float, float], values: Array, title: str
) -> Estimate:
    """The estimate with its interval and what is to be said of it."""
    few = (f"only {values.size} resamples: the ends of the interval are noisy",)
    return case.found(
        one.value,
        f"{one.method}, {title}, {values.size} resamples",
        low=limits[0],
        high=limits[1],
        se=float(values.std(ddof=1)),
        n=one.n,
        notes=(*one.notes, *by_group(case), *(few if values.size < FEW else ())),
    )
