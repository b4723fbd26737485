"""The nested cross-validation interval of Bates, Hastie and Tibshirani."""

from dataclasses import dataclass
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
from heliast.estimates.resampled._parts import Parts
from heliast.measures import Measure
from heliast.predictions import Predictions

Array = npt.NDArray[Any]
FEW = 20


def nested_cv(
    predictions: Predictions,
    measure: str | Measure = "error",
    level: float = 0.95,
    *,
    class_: Label | None = None,
) -> Estimate:
    """How far an inner cross-validation misses the outer fold shows how wide to be.

    For each repeat and fold o: a = (mean loss of the cross-validation over the other folds - mean
    loss on o)^2, b = variance of the losses on o / rows of o; MSE = mean of a - b. The value is
    corrected for bias: N - (1 + (K-2)/K)(N - C), with N the mean of the inner losses and C that of
    the outer ones, and speaks of training on all n rows. Interval: value +- z sqrt((K-1)/K MSE),
    that root kept between SE = sd of the losses / sqrt(n) and sqrt(K) SE, as MSE is noisy and may
    be negative.

    Needs folds and, for each, inner folds over the others (the plan `NestedFolds`), K >= 3 folds
    of at least 2 rows; the authors use hundreds of repeats. For means of row losses, without
    groups or weights.

    >>> from heliast import NestedFolds, run
    >>> from heliast.data import simulate
    >>> from sklearn.naive_bayes import GaussianNB
    >>> data = simulate.two_gaussians(0.2).sample(100, seed=1)
    >>> found = nested_cv(run(GaussianNB(), data, NestedFolds(5, repeats=2), seed=1))
    >>> found.low < found.value < found.high, found.n_train
    (True, 100.0)

    Reference: S. Bates, T. Hastie and R. Tibshirani (2024), Cross-validation: what does it estimate
    and how well does it do it?, Journal of the American Statistical Association 119.
    """
    return alone("nested_cv", predictions, measure, level, class_)


@resampled("nested_cv")
def of_case(case: Case) -> Estimate:
    k = _folds(case)
    independent_rows("nested_cv", case.parts.whole)
    losses = row_losses(case, "nested_cv")
    found = _sums(case, losses)
    n, repeats = case.design.n, case.design.repeats
    if found.sizes.min() < 2:
        raise Refused("nested_cv needs at least 2 rows in every fold")
    mse = float(((found.inner - found.outer) ** 2 - found.variance / found.sizes).mean())
    inner = float(found.inner.mean())
    value = inner - (1 + (k - 2) / k) * (inner - float(found.outer.mean()))
    least = found.sd / sqrt(n)
    se = min(max(sqrt(max(0.0, mse) * (k - 1) / k), least), sqrt(k) * least)
    half = quantile(case.level) * se
    low, high = clipped(value - half, value + half, case.measure.bounds)
    few = (f"only {repeats} repeats: the spread is noisy",) if repeats < FEW else ()
    one = case.found(
        value,
        f"nested cross-validation, {repeats} x {k} folds",
        low=low,
        high=high,
        se=se,
        n_train=n,
        n_effective=n * (least / se) ** 2 if se > 0 else n,
        notes=few,
    )
    return one if se > 0 else without(one, NO_SPREAD)


@dataclass(frozen=True, eq=False)
class _Sums:
    """Per repeat and fold: mean loss inside and outside, variance and size outside."""

    inner: Array
    outer: Array
    variance: Array
    sizes: Array
    sd: float


def _folds(case: Case) -> int:
    """K, if every repeat has the same K folds and for each the inner folds of all others."""
    outer: dict[int, set[int]] = {}
    inner: dict[tuple[int, int | None], set[int]] = {}
    for split in case.parts.splits:
        outer.setdefault(split.repeat, set()).add(split.fold)
    for split in case.inner.splits:
        inner.setdefault((split.repeat, split.outer), set()).add(split.fold)
    wanted = {(r, o): folds - {o} for r, folds in outer.items() for o in folds}
    counts = {len(folds) for folds in outer.values()}
    if not wanted or inner != wanted or len(counts) > 1 or min(counts) < 3:
        raise Refused(
            "nested_cv needs folds and, for each, inner folds over all the others, in splits of "
            "role inner (the plan NestedFolds)"
        )
    return counts.pop()


def _sums(case: Case, losses: Losses) -> _Sums:
    outer, size, squares = _per_split(case.parts, losses)
    within = (squares - size * outer**2) / np.maximum(size - 1, 1)
    mean, inner_size, _ = _per_split(case.inner, losses)
    place = {(one.repeat, one.fold): at for at, one in enumerate(case.parts.splits)}
    at = [place[one.repeat, int(one.outer or 0)] for one in case.inner.splits]
    total = np.bincount(at, weights=mean * inner_size)
    every = losses(case.inner.whole.rows())
    inner = total / np.bincount(at, weights=inner_size)
    return _Sums(inner, outer, within, size, float(every.std(ddof=1)))


def _per_split(parts: Parts, losses: Losses) -> tuple[Array, Array, Array]:
    """Mean, number and sum of squares of the losses of each split."""
    found = losses(parts.whole.rows())
    names = np.asarray(parts.whole.split_code)
    size = np.bincount(names).astype(np.float64)
    sums, squares = np.bincount(names, weights=found), np.bincount(names, weights=found**2)
    there = size > 0  # splits in which the model failed hold no row
    return sums[there] / size[there], size[there], squares[there]
