"""The replace-one interval for cross-validation of Austern and Zhou."""

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
from heliast.estimates.resampled._losses import Losses, independent_rows, row_losses
from heliast.estimates.resampled._point import point
from heliast.estimates.resampled._worth import worth
from heliast.measures import Measure
from heliast.predictions import Predictions

Array = npt.NDArray[Any]


def replace_one(
    predictions: Predictions,
    measure: str | Measure = "error",
    level: float = 0.95,
    *,
    class_: Label | None = None,
) -> Estimate:
    """Cross-validated mean +- z sqrt(V), V from exchanging one row after another.

    c is the cross-validated loss of m = floor(n/2) rows, c_i the same with row i exchanged for a
    fresh one. A function of m independent rows has variance 1/2 sum E (c - c_i)^2 if it is a mean,
    and no more than that whatever it is (Efron and Stein 1981); n times the variance does not
    change with n, so of n rows V = m/n * 1/2 * sum_i (c - c_i)^2. Unlike `wald_cv` this counts how
    a row moves the models too. (A program of a benchmark leaves out m/n, so its interval is wider
    by a factor 1.4.)

    Needs a table of the plan `ReplaceOne`. Row losses; refuses groups and weights.

    >>> from heliast import ReplaceOne, run
    >>> from heliast.data import simulate
    >>> from sklearn.naive_bayes import GaussianNB
    >>> data = simulate.two_gaussians(0.2).sample(60, seed=1)
    >>> found = replace_one(run(GaussianNB(), data, ReplaceOne(5), seed=1))
    >>> found.low < found.value < found.high, found.method
    (True, 'replace-one, 5 folds, 30 exchanges')

    Reference: M. Austern and W. Zhou (2020), Asymptotics of cross-validation, arXiv 2001.11111;
    B. Efron and C. Stein (1981), The jackknife estimate of variance, Annals of Statistics 9.
    """
    return alone("replace_one", predictions, measure, level, class_)


@resampled("replace_one")
def of_case(case: Case) -> Estimate:
    k = _folds(case)
    independent_rows("replace_one", case.parts.whole)
    one = point(case)
    base, *others = _values(case, row_losses(case, "replace_one"))
    m = len(others)
    v = m / case.design.n / 2 * float(((np.array(others) - base) ** 2).sum())
    half = quantile(case.level) * sqrt(v)
    low, high = clipped(one.value - half, one.value + half, case.measure.bounds)
    found = case.found(
        one.value,
        f"replace-one, {k} folds, {m} exchanges",
        low=low,
        high=high,
        se=sqrt(v),
        n_effective=worth(case, v) if v > 0 else case.design.n,
        notes=one.notes,
    )
    return found if v > 0 else without(found, NO_SPREAD)


def _folds(case: Case) -> int:
    """K, if there are K folds of all rows and of the half, as it is and with each row exchanged."""
    if case.inner.missing:
        raise Refused(f"incomplete: the model failed in {case.inner.missing} inner splits")
    design = case.design
    folds = {one.fold for one in case.parts.splits}
    inner: dict[int | None, set[int]] = {}
    for one in case.inner.splits:
        inner.setdefault(one.outer, set()).add(one.fold)
    wanted: dict[int | None, set[int]] = dict.fromkeys(range(len(inner)), folds)
    exchanged = len(inner) == 1 + sum(
        len(case.inner.alone[one.split]) for one in case.inner.splits if one.outer == 0
    )
    if not design.folds or design.repeats > 1 or not exchanged or inner != wanted:
        raise Refused(
            "replace_one needs folds and cross-validations of half the rows with one row exchanged "
            "after another, in splits of role inner (the plan ReplaceOne)"
        )
    return len(folds)


def _values(case: Case, losses: Losses) -> list[float]:
    """The cross-validated loss of the half, then of the half with each row exchanged."""
    table = case.inner.whole
    outer = np.array([int(one.outer or 0) for one in table.splits])[table.split_code]
    total = np.bincount(outer, weights=losses(table.rows()))
    found: list[float] = (total / np.bincount(outer)).tolist()
    return found
