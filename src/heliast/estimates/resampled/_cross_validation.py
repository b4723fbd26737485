"""Cross-validation judged by its row losses: Wald, nested folds, and one row replaced at a time."""

from dataclasses import dataclass
from math import sqrt

import numpy as np

from heliast._core.kinds import Array
from heliast.estimates._record import Estimate
from heliast.estimates.resampled._case import (
    Case,
    Losses,
    Refused,
    independent_rows,
    need_splits,
    on_a_table,
    point,
    row_losses,
)
from heliast.estimates.resampled._design import Parts
from heliast.estimates.resampled._variance import rows_of_variance

FEW = 20


@on_a_table("wald_cv")
def wald_cv(case: Case) -> Estimate:
    """Mean +- z sd / sqrt(n) over the losses of all n rows, sd with n.

    Speaks of the mean risk of the K models fitted here, not of the recipe: as an interval for the
    recipe it is too narrow where a few other training rows change the model much. Valid for one
    repeat of folds (leave-one-out too) and stable learners; refuses repeats, groups and weights.

    Parameters
    ----------
    predictions : Predictions
        A table of one model.
    measure : str or Measure
        What is measured.
    level : float
        The confidence level.
    class_ : object, optional
        The class it is asked of.

    Returns
    -------
    Estimate
        The value and its interval, or the reason why there is none.

    Raises
    ------
    InputError
        If there are several models, or the table lacks what method or measure need.

    Examples
    --------
    >>> from heliast import Predictions
    >>> table = Predictions.of([0, 1, 0, 1], [0, 1, 1, 1], split=[0, 0, 1, 1], row=[0, 1, 2, 3])
    >>> wald_cv(table)
    Estimate(model error: 0.25 [0, 0.6743], Wald over the rows of 2 folds)

    References
    ----------
    P. Bayle, A. Bayle, L. Janson and L. Mackey (2020), Cross-validation confidence intervals for
    test error, Advances in Neural Information Processing Systems 33.
    """
    need_splits("wald_cv", case)
    design, table = case.design, case.parts.whole
    if not design.folds or design.repeats > 1:
        kind, count = design.kind.replace("_", "-"), design.repeats
        raise Refused(
            "wald_cv needs one repeat of folds that test every row once, not "
            + (f"{count} repeats of {kind}" if count > 1 else kind)
        )
    independent_rows("wald_cv", table)
    losses = row_losses(case, "wald_cv")(table.rows())
    value, se = float(losses.mean()), float(losses.std()) / sqrt(losses.size)
    return case.around(
        value,
        se,
        f"Wald over the rows of {design.splits} folds",
        scale="plain",
        n_effective=design.n,
        notes=(
            *design.notes,
            f"speaks of the mean risk of the {design.splits} fitted models, not of the recipe",
        ),
    )


@on_a_table("nested_cv")
def nested_cv(case: Case) -> Estimate:
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

    Parameters
    ----------
    predictions : Predictions
        A table of one model.
    measure : str or Measure
        What is measured.
    level : float
        The confidence level.
    class_ : object, optional
        The class it is asked of.

    Returns
    -------
    Estimate
        The value and its interval, or the reason why there is none.

    Raises
    ------
    InputError
        If there are several models, or the table lacks what method or measure need.

    Examples
    --------
    >>> from heliast import NestedFolds, run
    >>> from heliast.data import simulate
    >>> from sklearn.naive_bayes import GaussianNB
    >>> data = simulate.two_gaussians(0.2).sample(100, seed=1)
    >>> found = nested_cv(run(GaussianNB(), data, NestedFolds(5, repeats=2), seed=1))
    >>> found.low < found.value < found.high, found.n_train
    (True, 100.0)

    References
    ----------
    S. Bates, T. Hastie and R. Tibshirani (2024), Cross-validation: what does it estimate
    and how well does it do it?, Journal of the American Statistical Association 119.
    """
    k = _nested_folds(case)
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
    few = (f"only {repeats} repeats: the spread is noisy",) if repeats < FEW else ()
    return case.around(
        value,
        se,
        f"nested cross-validation, {repeats} x {k} folds",
        n_train=n,
        n_effective=n * (least / se) ** 2 if se > 0 else n,
        notes=few,
    )


@dataclass(frozen=True, eq=False)
class _Sums:
    """Per repeat and fold: mean loss inside and outside, variance and size outside."""

    inner: Array
    outer: Array
    variance: Array
    sizes: Array
    sd: float


def _nested_folds(case: Case) -> int:
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


@on_a_table("replace_one")
def replace_one(case: Case) -> Estimate:
    """Cross-validated mean +- z sqrt(V), V from exchanging one row after another.

    c is the cross-validated loss of m = floor(n/2) rows, c_i the same with row i exchanged for a
    fresh one. A function of m independent rows has variance 1/2 sum E (c - c_i)^2 if it is a mean,
    and no more than that whatever it is (Efron and Stein 1981); n times the variance does not
    change with n, so of n rows V = m/n * 1/2 * sum_i (c - c_i)^2. Unlike `wald_cv` this counts how
    a row moves the models too. (A program of a benchmark leaves out m/n, so its interval is wider
    by a factor 1.4.)

    Needs a table of the plan `ReplaceOne`. Row losses; refuses groups and weights.

    Parameters
    ----------
    predictions : Predictions
        A table of one model.
    measure : str or Measure
        What is measured.
    level : float
        The confidence level.
    class_ : object, optional
        The class it is asked of.

    Returns
    -------
    Estimate
        The value and its interval, or the reason why there is none.

    Raises
    ------
    InputError
        If there are several models, or the table lacks what method or measure need.

    Examples
    --------
    >>> from heliast import ReplaceOne, run
    >>> from heliast.data import simulate
    >>> from sklearn.naive_bayes import GaussianNB
    >>> data = simulate.two_gaussians(0.2).sample(60, seed=1)
    >>> found = replace_one(run(GaussianNB(), data, ReplaceOne(5), seed=1))
    >>> found.low < found.value < found.high, found.method
    (True, 'replace-one, 5 folds, 30 exchanges')

    References
    ----------
    M. Austern and W. Zhou (2020), Asymptotics of cross-validation, arXiv 2001.11111;
    B. Efron and C. Stein (1981), The jackknife estimate of variance, Annals of Statistics 9.
    """
    k = _exchanged_folds(case)
    independent_rows("replace_one", case.parts.whole)
    one = point(case)
    base, *others = _exchanged(case, row_losses(case, "replace_one"))
    m = len(others)
    v = m / case.design.n / 2 * float(((np.array(others) - base) ** 2).sum())
    return case.around(
        one.value,
        sqrt(v),
        f"replace-one, {k} folds, {m} exchanges",
        n_effective=rows_of_variance(case, v) if v > 0 else case.design.n,
        notes=one.notes,
    )


def _exchanged_folds(case: Case) -> int:
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


def _exchanged(case: Case, losses: Losses) -> list[float]:
    """The cross-validated loss of the half, then of the half with each row exchanged."""
    table = case.inner.whole
    outer = np.array([int(one.outer or 0) for one in table.splits])[table.split_code]
    total = np.bincount(outer, weights=losses(table.rows()))
    found: list[float] = (total / np.bincount(outer)).tolist()
    return found
