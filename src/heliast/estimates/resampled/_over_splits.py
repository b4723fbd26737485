"""Intervals from the values of splits: corrected t, conservative z, 5 x 2, the documents' rules."""

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
    Refused,
    by_group,
    need_splits,
    on_a_table,
    point,
    resampled,
    without,
)
from heliast.estimates.resampled._variance import rows_of_variance, split_values

Divisor = Literal["K-1", "K"]
_TITLE = "corrected t over {count} splits"
DOCUMENTS = (
    "textbook rule: takes splits as independent, which they are not; t over 5 x 10 folds covered "
    "38 to 69% where it says 95%"
)
FIRST = (
    "the value is that of the first half alone, as the 5 x 2 test has it; the mean of all ten "
    "halves is {mean:.4g}"
)


def corrected_t(values: ArrayLike, n_train: float, n_test: float, level: float = 0.95) -> Estimate:
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
        "algorithm",
        n=float(n_train + n_test),
        n_train=float(n_train),
        key="corrected_t",
        scale="plain",
    )
    return one if v > 0 else without(one, NO_SPREAD)


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
    return case.around(
        one.value,
        sqrt(v),
        _TITLE.format(count=values.size),
        df=values.size - 1,
        n_effective=rows_of_variance(case, v),
        notes=one.notes,
        scale="plain",
    )


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
    >>> from heliast import PairedSubsampling, run
    >>> from heliast.data import simulate
    >>> from sklearn.naive_bayes import GaussianNB
    >>> data = simulate.two_gaussians(0.2).sample(200, seed=1)
    >>> found = conservative_z(run(GaussianNB(), data, PairedSubsampling(5, 4), seed=1))
    >>> found.low < found.value < found.high
    True

    References
    ----------
    C. Nadeau and Y. Bengio (2003), Inference for the generalization error, Machine
    Learning 52.
    """
    if not case.parts.splits or not _paired(case):
        raise Refused(
            "conservative_z needs subsamplings of both halves of the rows, a pair a repeat, in "
            "splits of role inner (the plan PairedSubsampling)"
        )
    few = by_group(case)
    _halves_by_group(case)
    one = point(case)
    means = _means_of_halves(case)
    if not np.isfinite(one.value) or np.isnan(means).any():
        return without(one, one.reason if not one.defined else "undefined in some half")
    variance = float(((means[:, 0] - means[:, 1]) ** 2).mean() / 2)
    title = f"conservative z, {len(means)} pairs"
    return case.around(one.value, sqrt(variance), title, notes=(*one.notes, *few))


def _paired(case: Case) -> bool:
    """Whether every repeat of the inner splits has the halves 0 and 1, and nothing else."""
    halves: dict[int, set[int | None]] = {}
    for split in case.inner.splits:
        halves.setdefault(split.repeat, set()).add(split.outer)
    return bool(halves) and all(found == {0, 1} for found in halves.values())


def _halves_by_group(case: Case) -> None:
    """Refuse halves that share a group: their means are then not independent."""
    table = case.inner.whole
    if table.group is None:
        return
    splits = case.inner.splits
    pair = np.array([one.repeat for one in splits])[table.split_code]
    half = np.array([int(one.outer or 0) for one in splits])[table.split_code]
    names, group = np.unique(table.group, return_inverse=True)
    key = pair * names.size + group
    if np.isin(key[half == 0], key[half == 1]).any():
        raise Refused("conservative_z: some group is in both halves of a pair")


def _means_of_halves(case: Case) -> Array:
    """(pairs, 2): the mean of the measure over the subsamplings of each half."""
    values = case.values(case.inner)
    splits = case.inner.splits
    pairs = sorted({split.repeat for split in splits})
    means = np.full((len(pairs), 2), np.nan)
    for at, pair in enumerate(pairs):
        for half in (0, 1):
            own = [one.repeat == pair and one.outer == half for one in splits]
            there = values[own][~np.isnan(values[own])]
            means[at, half] = there.mean() if there.size else np.nan
    return means


@on_a_table("five_by_two")
def five_by_two(case: Case) -> Estimate:
    """The first half's value +- t_5 s, s^2 the mean over five halvings of (p1 - p2)^2 / 2.

    The two halves of a halving share no row, so (p1 - p2)^2 / 2 estimates the variance of one
    half's value without bias; five of them give s^2 about five degrees of freedom. Speaks of models
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
    >>> from heliast import FiveByTwo, run
    >>> from heliast.data import simulate
    >>> from sklearn.naive_bayes import GaussianNB
    >>> data = simulate.two_gaussians(0.2).sample(200, seed=1)
    >>> found = five_by_two(run(GaussianNB(), data, FiveByTwo(), seed=1))
    >>> found.low < found.value < found.high, found.method
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
    values = _halves(case)
    if not np.isfinite(values).all():
        raise Refused(f"five_by_two: {case.measure.title} is undefined in some half")
    value, s = float(values[0, 0]), sqrt(float(((values[:, 0] - values[:, 1]) ** 2).mean()) / 2)
    return case.around(
        value,
        s,
        "5 x 2, t with 5 degrees of freedom",
        df=5,
        notes=(*design.notes, FIRST.format(mean=values.mean()), *few),
    )


def _halves(case: Case) -> Array:
    """(5, 2): the value of each half, in order of repeats and folds."""
    splits = case.parts.splits
    order = sorted(range(10), key=lambda at: (splits[at].repeat, splits[at].fold))
    halves: Array = case.values()[order].reshape(5, 2)
    return halves


# --- the documents' rules -----------------------------------------------------------------------


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
    >>> found = fold_mean([8 / 30, 4 / 30, 7 / 30, 11 / 30, 5 / 30])
    >>> round(found.value, 4), round(found.variance, 5)
    (0.2333, 0.00833)
    """
    array = np.asarray(values, np.float64)
    if array.ndim != 1 or array.size < 2 or not np.isfinite(array).all():
        raise InputError("values: expected a finite number for each of at least 2 folds")
    if divisor not in ("K-1", "K"):
        raise InputError(f"divisor={divisor!r}: choose 'K-1' or 'K'")
    ddof = 1 if divisor == "K-1" else 0
    return FoldMean(float(array.mean()), float(array.var(ddof=ddof)), int(array.size))


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
    found = fold_mean(values, divisor)
    se = sqrt(found.variance / found.folds)
    half = quantile(level, found.folds - 1 if student else None) * se
    title = f"{'t' if student else 'z'} over {found.folds} splits, textbook rule"
    low, high = found.value - half, found.value + half
    key = "fold_t" if student else "fold_z"
    return Estimate(
        found.value, low, high, se, level, title, "algorithm", notes=(DOCUMENTS,), key=key
    )


@resampled("fold_z")
def _fold_z(case: Case) -> Estimate:
    return _of_case("fold_z", case)


@resampled("fold_t")
def _fold_t(case: Case) -> Estimate:
    return _of_case("fold_t", case)


def _of_case(name: str, case: Case) -> Estimate:
    need_splits(name, case)
    if case.parts.one_row_each:
        raise Refused(f"{name} needs several rows in a split: leave-one-out has none to average")
    few = by_group(case)
    values = case.values()
    defined = values[np.isfinite(values)]
    if defined.size < 2:
        raise Refused(f"{name}: {case.measure.title} is defined in {defined.size} split only")
    one = _over_folds(defined, case.level, "K-1", student=name == "fold_t")
    missing = values.size - defined.size
    note = Note(f"undefined in {missing} of {values.size} splits", "undefined")
    notes = (note,) if missing else ()
    said = case.found(one.value, one.method, notes=(*one.notes, *few, *notes))
    return replace(said, low=one.low, high=one.high, se=one.se)
