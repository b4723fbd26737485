"""The corrected resampled t interval of Nadeau and Bengio."""

from dataclasses import replace
from math import nan, sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from heliast._core.errors import InputError
from heliast.estimates._proportion import check_level, quantile
from heliast.estimates._record import Estimate
from heliast.estimates._scale import clipped
from heliast.estimates.resampled._case import Case, Refused, need_splits, resampled, without
from heliast.estimates.resampled._groups import by_group
from heliast.estimates.resampled._linear import split_values
from heliast.estimates.resampled._point import point
from heliast.estimates.resampled._worth import worth

Array = npt.NDArray[Any]
_TITLE = "corrected t over {count} splits"
NO_SPREAD = "all splits say the same, which tells nothing about how much they vary"


def corrected_t(values: object, n_train: float, n_test: float, level: float = 0.95) -> Estimate:
    """Mean over J splits +- t_{J-1} sqrt(s^2 (1/J + n_test/n_train)), s^2 with J - 1.

    Splits that share training rows go up and down together. The second term stands for their
    correlation, taken to be n_test / (n_test + n_train). Valid for subsampling and for K-fold,
    repeated or not, where n_test/n_train = 1/(K-1); this is the interval of Weka's corrected test.
    Rates near 0 or 1 do better by `auto`. Without spread there is no interval.

    >>> corrected_t([0.1, 0.2, 0.15, 0.25], n_train=90, n_test=10)
    Estimate(0.175 [0.05155, 0.2984], corrected t over 4 splits)

    Reference: C. Nadeau and Y. Bengio (2003), Inference for the generalization error, Machine
    Learning 52.
    """
    check_level(level)
    found = np.asarray(values, np.float64)
    if found.ndim != 1 or found.size < 2 or not np.isfinite(found).all():
        raise InputError("values: expected a finite number for each of at least 2 splits")
    if not (0 < n_train < np.inf and 0 < n_test < np.inf):
        raise InputError(f"n_train={n_train}, n_test={n_test}: both must be above 0")
    v = variance_of_mean(found, n_test / n_train)
    half = quantile(level, found.size - 1) * sqrt(v)
    mean = float(found.mean())
    one = Estimate(
        mean,
        mean - half,
        mean + half,
        sqrt(v),
        level,
        _TITLE.format(count=found.size),
        "procedure",
        n=float(n_train + n_test),
        n_train=float(n_train),
    )
    return one if v > 0 else without(one, NO_SPREAD)


def variance_of_mean(values: Array, ratio: float) -> float:
    """s^2 (1/J + n_test/n_train); 0 where the values differ by rounding alone."""
    if values.size < 2:
        return nan
    v = float(values.var(ddof=1)) * (1 / values.size + ratio)
    return v if v > (1e-14 * max(1.0, float(np.abs(values).max()))) ** 2 else 0.0


@resampled("corrected_t")
def of_case(case: Case) -> Estimate:
    """The interval around the measure's value, cut at its bounds."""
    need_splits("corrected_t", case)
    design = case.design
    if design.kind == "leave_one_out":
        raise Refused("leave-one-out: a fold of one row has no spread of its own to correct")
    if design.kind == "bootstrap":
        raise Refused("corrected_t is valid for folds and subsampling, not for the bootstrap")
    if design.reason:
        raise Refused(design.reason)
    few = by_group(case)
    one = point(case)
    if not np.isfinite(one.value):
        return one
    one = replace(one, notes=(*one.notes, *few))
    splits = case.measure.over == "splits"
    values = case.values() if splits else split_values(case)
    values = values[~np.isnan(values)]
    if values.size < 2:
        return without(one, f"defined in {values.size} split only, which has no spread")
    return _around(case, one, values)


def _around(case: Case, one: Estimate, values: Array) -> Estimate:
    v = variance_of_mean(values, case.design.ratio)
    if v == 0:
        return without(one, NO_SPREAD)
    half = quantile(case.level, values.size - 1) * sqrt(v)
    low, high = clipped(one.value - half, one.value + half, case.measure.bounds)
    return case.found(
        one.value,
        _TITLE.format(count=values.size),
        low=low,
        high=high,
        se=sqrt(v),
        n_effective=worth(case, v),
        notes=one.notes,
    )
