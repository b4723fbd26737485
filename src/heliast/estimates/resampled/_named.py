"""Intervals by name: corrected t, conservative z, 5 x 2, Wald, nested folds, textbook rules."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import nan, sqrt
from typing import Literal

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Array, ArrayLike
from heliast._core.level import check_level, quantile
from heliast._core.notes import Note
from heliast.estimates._record import Estimate
from heliast.estimates.resampled._case import (
    NO_SPREAD,
    Case,
    Losses,
    Refused,
    by_group,
    independent_rows,
    need_splits,
    on_a_table,
    point,
    resampled,
    row_losses,
    without,
)
from heliast.estimates.resampled._design import Parts
from heliast.estimates.resampled._variance import rows_of_variance, split_values

Divisor = Literal["K-1", "K"]
FEW_REPEATS = 20
DOCUMENTS = (
    "textbook rule: takes splits as independent, which they are not; t over 5 x 10 folds covered "
    "38 to 69% where it says 95%"
)
FIRST = (
    "the value is that of the first half alone, as the 5 x 2 test has it; the mean of all ten "
    "halves is {mean:.4g}"
)


def splits_of(values: ArrayLike, kind: str = "split") -> Array:
    """The values of at least two splits, each a number."""
    array = np.asarray(values, np.float64)
    if array.ndim != 1 or array.size < 2 or not np.isfinite(array).all():
        raise InputError(f"values: expected a finite number for each of at least 2 {kind}s")
    return array


# --- corrected t ----------------------------------------------------------------------------------


def corrected_t(
    values: ArrayLike, n_train: float, n_test: float, level: float = 0.95, df: float | None = None
) -> Estimate:
    """Mean over J splits +- t_{J-1} sqrt(s^2 (1/J + n_test/n_train)), s^2 with J - 1.

    Splits that share training rows go up and down together. The second term stands for their
    correlation, taken to be n_test / (n_test + n_train). Valid for subsampling and for K-fold,
    repeated or not, where n_test/n_train = 1/(K-1); this is the interval of Weka's corrected test.
    Rates near 0 or 1 do better by `auto`.

    Parameters
    ----------
    values : array-like
        The measure on each split.
    n_train, n_test : float
        Rows of a training and of a test sample.
    level : float
        The confidence level.
    df : float, optional
        Degrees of freedom; J - 1 as in Weka if not given, K - 1 of K folds is safer.

    Returns
    -------
    Estimate
        The mean and its interval; without an interval if the values do not vary.

    Raises
    ------
    InputError
        If there are fewer than two values, or one is not finite.

    Examples
    --------
    >>> corrected_t([0.1, 0.2, 0.15, 0.25], n_train=90, n_test=10)
    Estimate(0.175 [0.05155, 0.2984], corrected t over 4 splits)

    References
    ----------
    C. Nadeau and Y. Bengio (2003), Inference for the generalization error, Machine
    Learning 52.
    """
    check_level(level)
    array = splits_of(values)
    if not (0 < n_train < np.inf and 0 < n_test < np.inf):
        raise InputError(f"n_train={n_train}, n_test={n_test}: both must be above 0")
    v = variance_of_mean(array, n_test / n_train)
    half = quantile(level, array.size - 1 if df is None else df) * sqrt(v)
    mean = float(array.mean())
    estimate = Estimate(
        mean,
        mean - half,
        mean + half,
        sqrt(v),
        level,
        f"corrected t over {array.size} splits",
        "algorithm",
        n=float(n_train + n_test),
        n_train=float(n_train),
        key="corrected_t",
        scale="plain",
    )
    return estimate if v > 0 else without(estimate, NO_SPREAD)


def variance_of_mean(values: Array, ratio: float) -> float:
    """s^2 (1/J + n_test/n_train); 0 where the values differ by rounding alone."""
    if values.size < 2:
        return nan
    v = float(values.var(ddof=1)) * (1 / values.size + ratio)
    return v if v > (1e-14 * max(1.0, float(np.abs(values).max()))) ** 2 else 0.0


@resampled("corrected_t")
def _corrected_t(case: Case) -> Estimate:
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
    value = point(case)
    if not np.isfinite(value.value):
        return value
    values = case.values() if case.measure.over == "splits" else split_values(case)
    values = values[np.isfinite(values)]
    if values.size < 2:
        return without(value, f"defined in {values.size} split only, which has no spread")
    v = variance_of_mean(values, design.ratio)
    return case.around(
        value.value,
        sqrt(v),
        f"corrected t over {values.size} splits",
        df=values.size - 1,
        n_effective=rows_of_variance(case, v),
        notes=(*value.notes, *few),
        scale="plain",
    )


# --- independent halves ---------------------------------------------------------------------------


@on_a_table("conservative_z")
def conservative_z(case: Case) -> Estimate:
    """Mean over J subsamplings +- z sqrt(V), V the mean over M pairs of (m0 - m1)^2 / 2.

    m0 and m1 are means over J subsamplings of two disjoint halves of the rows, so V is an unbiased
    variance of such a mean with fewer training rows: larger than the one wanted, hence the name.
    Needs a table with such pairs, of role `inner` (the plan `PairedSubsampling`). Any measure.

    Parameters
    ----------
    predictions : Predictions
        A table of one model.
    measure : str or Measure
        What is measured.
    level : float
        The confidence level.
    class_ : object, optional
        The class, for a measure by class.

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
    >>> from heliast import PairedSubsampling, run
    >>> from heliast.data import simulate
    >>> from sklearn.naive_bayes import GaussianNB
    >>> data = simulate.two_gaussians(0.2).sample(200, seed=1)
    >>> estimate = conservative_z(run(GaussianNB(), data, PairedSubsampling(5, 4), seed=1))
    >>> estimate.low < estimate.value < estimate.high
    True

    References
    ----------
    C. Nadeau and Y. Bengio (2003), Inference for the generalization error, Machine
    Learning 52.
    """
    halves: dict[int, set[int | None]] = {}
    for split in case.inner.splits:
        halves.setdefault(split.repeat, set()).add(split.outer)
    if not case.parts.splits or not halves or any(pair != {0, 1} for pair in halves.values()):
        raise Refused(
            "conservative_z needs subsamplings of both halves of the rows, a pair a repeat, in "
            "splits of role inner (the plan PairedSubsampling)"
        )
    few = by_group(case)
    _halves_by_group(case)
    value, means = point(case), _means_of_halves(case)
    if not np.isfinite(value.value) or np.isnan(means).any():
        return without(value, "undefined in some half" if value.defined else value.reason)
    variance = float(((means[:, 0] - means[:, 1]) ** 2).mean() / 2)
    title = f"conservative z, {len(means)} pairs"
    return case.around(value.value, sqrt(variance), title, notes=(*value.notes, *few))


def _halves_by_group(case: Case) -> None:
    """Refuse halves that share a group: their means are then not independent."""
    table = case.inner.whole
    if table.group is None:
        return
    pair = np.array([split.repeat for split in case.inner.splits])[table.split_code]
    half = np.array([split.outer or 0 for split in case.inner.splits])[table.split_code]
    names, group = np.unique(table.group, return_inverse=True)
    key = pair * names.size + group
    if np.isin(key[half == 0], key[half == 1]).any():
        raise Refused("conservative_z: some group is in both halves of a pair")


def _means_of_halves(case: Case) -> Array:
    """(pairs, 2): the mean of the measure over the subsamplings of each half."""
    values = case.values(case.inner)
    pair = np.unique([split.repeat for split in case.inner.splits], return_inverse=True)[1]
    half = np.array([split.outer for split in case.inner.splits])
    means = np.full((int(pair.max()) + 1, 2), np.nan)
    for place in np.ndindex(*means.shape):
        own = values[(pair == place[0]) & (half == place[1])]
        if np.isfinite(own).any():
            means[place] = own[~np.isnan(own)].mean()
    return means


@on_a_table("five_by_two")
def five_by_two(case: Case) -> Estimate:
    """The first half's value +- t_5 s, s^2 the mean over five halvings of (p1 - p2)^2 / 2.

    The two halves of a halving share no row, so (p1 - p2)^2 / 2 estimates the variance of one
    half's value without bias; five of them give s^2 about five degrees of freedom. Estimand: models
    trained on half the rows. Wide, as it rests on one half. Needs five repeats of two folds (the
    plan `FiveByTwo`). Any measure; groups if the halves keep them whole.

    Parameters
    ----------
    predictions : Predictions
        A table of one model.
    measure : str or Measure
        What is measured.
    level : float
        The confidence level.
    class_ : object, optional
        The class, for a measure by class.

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
    >>> from heliast import FiveByTwo, run
    >>> from heliast.data import simulate
    >>> from sklearn.naive_bayes import GaussianNB
    >>> data = simulate.two_gaussians(0.2).sample(200, seed=1)
    >>> estimate = five_by_two(run(GaussianNB(), data, FiveByTwo(), seed=1))
    >>> estimate.low < estimate.value < estimate.high, estimate.method
    (True, '5 x 2, t with 5 degrees of freedom')

    References
    ----------
    T. G. Dietterich (1998), Approximate statistical tests for comparing supervised
    classification learning algorithms, Neural Computation 10.
    """
    design = case.design
    if not design.folds or design.repeats != 5 or design.splits != 10:
        raise Refused("five_by_two needs five repeats of two folds (the plan FiveByTwo)")
    few = by_group(case)
    if design.reason:
        raise Refused(design.reason)
    splits = case.parts.splits
    order = sorted(range(10), key=lambda at: (splits[at].repeat, splits[at].fold))
    values = case.values()[order].reshape(5, 2)
    if not np.isfinite(values).all():
        raise Refused(f"five_by_two: {case.measure.title} is undefined in some half")
    return case.around(
        float(values[0, 0]),
        sqrt(float(((values[:, 0] - values[:, 1]) ** 2).mean()) / 2),
        "5 x 2, t with 5 degrees of freedom",
        df=5,
        notes=(*design.notes, FIRST.format(mean=values.mean()), *few),
    )


# --- the documents' rules -------------------------------------------------------------------------


@dataclass(frozen=True)
class FoldMean:
    """Mean and variance of a measure over K folds.

    Parameters
    ----------
    value, variance : float
        Of the folds' values.
    folds : int
        How many there are.

    Examples
    --------
    >>> FoldMean(0.25, 0.01, 10).folds
    10
    """

    value: float
    variance: float
    folds: int


def fold_mean(values: ArrayLike, divisor: Divisor = "K-1") -> FoldMean:
    """The mean over K folds (or resamples) and their variance, which divides by K - 1 or by K.

    The chapter prints K and computes with K - 1; its t interval needs K - 1.

    Parameters
    ----------
    values : array-like
        The measure on each fold.
    divisor : {'K-1', 'K'}
        What the variance divides by.

    Returns
    -------
    FoldMean
        The mean and its variance.

    Raises
    ------
    InputError
        If there are fewer than two values, or one is not finite.

    Examples
    --------
    >>> estimate = fold_mean([8 / 30, 4 / 30, 7 / 30, 11 / 30, 5 / 30])
    >>> round(estimate.value, 4), round(estimate.variance, 5)
    (0.2333, 0.00833)
    """
    array = splits_of(values, "fold")
    if divisor not in ("K-1", "K"):
        raise InputError(f"divisor={divisor!r}: choose 'K-1' or 'K'")
    variance = array.var(ddof=1 if divisor == "K-1" else 0)
    return FoldMean(float(array.mean()), float(variance), int(array.size))


def fold_z(values: ArrayLike, level: float = 0.95, divisor: Divisor = "K-1") -> Estimate:
    """Mean over K folds +- z s / sqrt(K): the large-sample rule of textbooks.

    Kept because it is taught. It takes folds as independent, which they are not, and z instead of
    t is too short for few folds besides: over repeated folds the like rule with t covered 38 to
    69% where it says 95% (5 x 10 folds). Use `auto`, or `corrected_t`.

    Parameters
    ----------
    values : array-like
        The measure on each fold.
    level : float
        The confidence level.
    divisor : {'K-1', 'K'}
        What the variance divides by.

    Returns
    -------
    Estimate
        The mean and its interval.

    Raises
    ------
    InputError
        If there are fewer than two values, or one is not finite.

    Examples
    --------
    >>> fold_z([8 / 30, 4 / 30, 7 / 30, 11 / 30, 5 / 30])
    Estimate(0.2333 [0.1533, 0.3133], z over 5 splits, textbook rule)
    """
    return _over_folds(values, level, divisor, student=False)


def fold_t(values: ArrayLike, level: float = 0.95, divisor: Divisor = "K-1") -> Estimate:
    """Mean over K folds +- t_{K-1} s / sqrt(K): the small-sample rule of textbooks.

    Kept because it is taught. It takes folds as independent, which they are not: over 5 x 10 folds
    it covered 38 to 69% where it says 95%. Use `auto`, or `corrected_t`.

    Parameters
    ----------
    values : array-like
        The measure on each fold.
    level : float
        The confidence level.
    divisor : {'K-1', 'K'}
        What the variance divides by.

    Returns
    -------
    Estimate
        The mean and its interval.

    Raises
    ------
    InputError
        If there are fewer than two values, or one is not finite.

    Examples
    --------
    >>> fold_t([8 / 30, 4 / 30, 7 / 30, 11 / 30, 5 / 30])
    Estimate(0.2333 [0.12, 0.3467], t over 5 splits, textbook rule)
    """
    return _over_folds(values, level, divisor, student=True)


def _over_folds(values: ArrayLike, level: float, divisor: Divisor, student: bool) -> Estimate:
    check_level(level)
    mean = fold_mean(values, divisor)
    se = sqrt(mean.variance / mean.folds)
    half = quantile(level, mean.folds - 1 if student else None) * se
    letter = "t" if student else "z"
    return Estimate(
        mean.value,
        mean.value - half,
        mean.value + half,
        se,
        level,
        f"{letter} over {mean.folds} splits, textbook rule",
        "algorithm",
        notes=(DOCUMENTS,),
        key=f"fold_{letter}",
    )


def _textbook(name: str, rule: Callable[..., Estimate]) -> None:
    """Register a textbook rule for tables."""

    @resampled(name)
    def of_case(case: Case) -> Estimate:
        need_splits(name, case)
        if case.parts.one_row_each:
            raise Refused(f"{name} needs several rows in a split: leave-one-out has none")
        few, values = by_group(case), case.values()
        defined = values[np.isfinite(values)]
        if defined.size < 2:
            raise Refused(f"{name}: {case.measure.title} is defined in {defined.size} split only")
        rule_of_values = rule(defined, case.level)
        missing = values.size - defined.size
        note = Note(f"undefined in {missing} of {values.size} splits", "undefined")
        notes = (*rule_of_values.notes, *few, *((note,) if missing else ()))
        estimate = case.found(rule_of_values.value, rule_of_values.method, notes=notes)
        low, high, se = rule_of_values.low, rule_of_values.high, rule_of_values.se
        return replace(estimate, low=low, high=high, se=se)


_textbook("fold_z", fold_z)
_textbook("fold_t", fold_t)


# --- cross-validation judged by its row losses ----------------------------------------------------


@on_a_table("wald_cv")
def wald_cv(case: Case) -> Estimate:
    """Mean +- z sd / sqrt(n) over the losses of all n rows, sd with n.

    The estimand is the mean risk of the K models fitted here, not that of the learning algorithm:
    for that it is too narrow where a few other training rows change the model much. For one repeat
    of folds (leave-one-out too) and stable learners; refuses repeats, groups and weights.

    Parameters
    ----------
    predictions : Predictions
        A table of one model.
    measure : str or Measure
        What is measured.
    level : float
        The confidence level.
    class_ : object, optional
        The class, for a measure by class.

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
        kind = design.kind.replace("_", "-")
        raise Refused(
            "wald_cv needs one repeat of folds that test every row once, not "
            + (f"{design.repeats} repeats of {kind}" if design.repeats > 1 else kind)
        )
    independent_rows("wald_cv", table)
    losses = row_losses(case, "wald_cv")(table.rows())
    words = f"the mean risk of the {design.splits} fitted models, not that of the algorithm"
    return case.around(
        float(losses.mean()),
        float(losses.std()) / sqrt(losses.size),
        f"Wald over the rows of {design.splits} folds",
        scale="plain",
        n_effective=design.n,
        notes=(*design.notes, words),
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
        The class, for a measure by class.

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
    >>> estimate = nested_cv(run(GaussianNB(), data, NestedFolds(5, repeats=2), seed=1))
    >>> estimate.low < estimate.value < estimate.high, estimate.n_train
    (True, 100.0)

    References
    ----------
    S. Bates, T. Hastie and R. Tibshirani (2024), Cross-validation: what does it estimate
    and how well does it do it?, Journal of the American Statistical Association 119.
    """
    k = _nested_folds(case)
    independent_rows("nested_cv", case.parts.whole)
    losses = row_losses(case, "nested_cv")
    outer, sizes, squares = _split_sums(case.parts, losses)
    if sizes.min() < 2:
        raise Refused("nested_cv needs at least 2 rows in every fold")
    within = (squares - sizes * outer**2) / (sizes - 1)
    inner = _inner_means(case, losses)
    n, repeats = case.design.n, case.design.repeats
    mse = float(((inner - outer) ** 2 - within / sizes).mean())
    mean = float(inner.mean())
    value = mean - (1 + (k - 2) / k) * (mean - float(outer.mean()))
    least = float(losses(case.inner.whole.rows()).std(ddof=1)) / sqrt(n)
    se = min(max(sqrt(max(0.0, mse) * (k - 1) / k), least), sqrt(k) * least)
    few = (f"only {repeats} repeats: the spread is noisy",) if repeats < FEW_REPEATS else ()
    return case.around(
        value,
        se,
        f"nested cross-validation, {repeats} x {k} folds",
        n_train=n,
        n_effective=n * (least / se) ** 2 if se > 0 else n,
        notes=few,
    )


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


def _inner_means(case: Case, losses: Losses) -> Array:
    """The mean inner loss of each outer fold."""
    mean, size, _ = _split_sums(case.inner, losses)
    place = {(split.repeat, split.fold): at for at, split in enumerate(case.parts.splits)}
    at = [place[split.repeat, int(split.outer or 0)] for split in case.inner.splits]
    means: Array = np.bincount(at, weights=mean * size) / np.bincount(at, weights=size)
    return means


def _split_sums(parts: Parts, losses: Losses) -> tuple[Array, Array, Array]:
    """Mean, number and sum of squares of the losses of each split that holds rows."""
    loss, code = losses(parts.whole.rows()), np.asarray(parts.whole.split_code)
    size = np.bincount(code).astype(np.float64)
    sums, squares = np.bincount(code, weights=loss), np.bincount(code, weights=loss**2)
    held = size > 0
    return sums[held] / size[held], size[held], squares[held]


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
        The class, for a measure by class.

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
    >>> estimate = replace_one(run(GaussianNB(), data, ReplaceOne(5), seed=1))
    >>> estimate.low < estimate.value < estimate.high, estimate.method
    (True, 'replace-one, 5 folds, 30 exchanges')

    References
    ----------
    M. Austern and W. Zhou (2020), Asymptotics of cross-validation, arXiv 2001.11111;
    B. Efron and C. Stein (1981), The jackknife estimate of variance, Annals of Statistics 9.
    """
    k = _exchanged_folds(case)
    independent_rows("replace_one", case.parts.whole)
    value, table = point(case), case.inner.whole
    outer = np.array([int(split.outer or 0) for split in table.splits])[table.split_code]
    total = np.bincount(outer, weights=row_losses(case, "replace_one")(table.rows()))
    base, *others = (total / np.bincount(outer)).tolist()
    m = len(others)
    v = m / case.design.n / 2 * float(((np.array(others) - base) ** 2).sum())
    return case.around(
        value.value,
        sqrt(v),
        f"replace-one, {k} folds, {m} exchanges",
        n_effective=rows_of_variance(case, v) if v > 0 else case.design.n,
        notes=value.notes,
    )


def _exchanged_folds(case: Case) -> int:
    """K, if there are K folds of all rows and of the half, as it is and with each row exchanged."""
    if case.inner.missing:
        raise Refused(f"incomplete: the model failed in {case.inner.missing} inner splits")
    folds = {split.fold for split in case.parts.splits}
    inner: dict[int | None, set[int]] = {}
    for split in case.inner.splits:
        inner.setdefault(split.outer, set()).add(split.fold)
    rows = [len(case.inner.alone[s.split]) for s in case.inner.splits if s.outer == 0]
    complete = inner == dict.fromkeys(range(1 + sum(rows)), folds)
    if not case.design.folds or case.design.repeats > 1 or not inner or not complete:
        raise Refused(
            "replace_one needs folds and cross-validations of half the rows with one row exchanged "
            "after another, in splits of role inner (the plan ReplaceOne)"
        )
    return len(folds)
