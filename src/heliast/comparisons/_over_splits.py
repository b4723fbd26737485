"""Two models over several splits of one data set: paired rows; t and F tests of split values."""

from functools import cache, cached_property
from math import inf, nan, sqrt
from typing import Any, Literal

import numpy as np

from heliast._core.clusters import FEWEST
from heliast._core.errors import InputError, NotEnoughData
from heliast._core.kinds import Array, ArrayLike
from heliast._core.level import check_level
from heliast._core.notes import Note
from heliast.comparisons._checks import (
    Floats,
    differences,
    numbers,
    test_ratio,
    without_rounding,
)
from heliast.comparisons._paired import Paired
from heliast.comparisons._record import SAME, UNVARYING, TestResult, no_difference, student
from heliast.comparisons._registry import SETS, SPLITS, Answer, Asked, comparison, of_values
from heliast.estimates.resampled import Refused, difference_over_splits

NO_SPREAD = {
    "leave_one_out": "leave-one-out tests one row in each split, so splits show no spread",
    "bootstrap": "resamples share rows, so their spread is not that of a difference",
}
NO_INTERVAL = "this test has no interval: its spread is not that of the mean difference"
PLAIN = "paired t takes splits as independent: it rejects 30 to 50% of true nulls at 5%"


def paired_t(a: ArrayLike, b: ArrayLike, level: float = 0.95) -> TestResult:
    """Student's paired t test of two models over the same folds.

    t = sqrt(K) mean(d) / s with K - 1 degrees of freedom, s^2 = sum (d - mean)^2 / (K - 1).
    Training sets of folds overlap, so over repeated folds it finds differences that are not there
    far too often (30 to 50% at 5% for 5 times 10 folds). For folds use `corrected_t`; this test is
    right for independent pairs, such as fresh samples.

    Parameters
    ----------
    a, b : array of float
        The values of two models, one for each fold, in the same order.
    level : float
        Confidence level of the interval.

    Returns
    -------
    TestResult
        The mean difference a - b, its interval and p; without p, and with a reason, if all
        differences are equal and not 0.

    Raises
    ------
    InputError
        If values do not pair, or are not finite.

    Examples
    --------
    >>> result = paired_t([7, 8, 3, 12, 9], [6, 6, 5, 10, 7])
    >>> round(result.statistic, 3), result.df
    (1.291, 4.0)

    References
    ----------
    Student (1908), The probable error of a mean, Biometrika 6.
    """
    check_level(level)
    difference, size = differences(a, b, what="fold value")
    n = difference.size
    return _t_test(difference, size, 1 / n, n - 1.0, level, method="paired t", test="paired_t")


def corrected_t(
    a: ArrayLike,
    b: ArrayLike,
    n_train: ArrayLike,
    n_test: ArrayLike,
    df: float | None = None,
    level: float = 0.95,
    groups: float | None = None,
) -> TestResult:
    """Corrected resampled t test over J overlapping splits (Nadeau and Bengio).

    t = mean(d) / sqrt(s^2 (1/J + n_test/n_train)): the second term stands for what the common
    training rows of the splits hide. With J - 1 degrees of freedom, as Weka has it, up to 10% of
    true nulls are rejected at 5%; with K - 1 for (repeated) K-fold up to 7%.

    Parameters
    ----------
    a, b : array of float
        The values of two models, one for each split, in the same order.
    n_train, n_test : float or array of float
        The rows of a training and of a test set, one number or one for each split.
    df : float, optional
        Degrees of freedom; J - 1 if not given.
    level : float
        Confidence level of the interval.
    groups : float, optional
        The number of groups that rows come in: 1/J is then 1/groups at least, as more splits test
        no other groups.

    Returns
    -------
    TestResult
        The mean difference a - b, its interval and p; without p, and with a reason, if all
        differences are equal and not 0.

    Raises
    ------
    InputError
        If values do not pair or are not finite, or sizes, df or groups are impossible.

    Examples
    --------
    >>> a, b = [0.20, 0.25, 0.15, 0.30, 0.22], [0.18, 0.20, 0.16, 0.24, 0.20]
    >>> corrected_t(a, b, n_train=80, n_test=20)
    TestResult(0.028 [-0.02368, 0.07968], p = 0.207, corrected t, 4 degrees of freedom)

    References
    ----------
    C. Nadeau and Y. Bengio (2003), Inference for the generalization error, Machine Learning 52.
    """
    check_level(level)
    difference, size = differences(a, b, what="split value")
    splits = difference.size
    if df is not None and not 0 < df < inf:
        raise InputError(f"df={df}: degrees of freedom are positive; None takes one less than J")
    if groups is not None and not groups >= 2:
        raise InputError(f"groups={groups}: at least two are needed; None if rows are independent")
    factor = 1 / min(splits, groups or inf) + test_ratio(n_train, n_test, splits)
    freedom = splits - 1.0 if df is None else float(df)
    words = f"corrected t, {freedom:.3g} degrees of freedom"
    return _t_test(difference, size, factor, freedom, level, method=words, test="corrected_t")


def _t_test(
    difference: Floats, size: float, factor: float, df: float, level: float, **fields: str
) -> TestResult:
    """Student's t of the mean, whose variance is `factor` s^2."""
    n, value = float(difference.size), float(difference.mean())
    variance = factor * float(difference.var(ddof=1))
    known: dict[str, Any] = {"n": n, "n_effective": n, **fields}
    return student(value, difference, size, variance, df, level, **known)


def five_by_two_t(a: ArrayLike, b: ArrayLike) -> TestResult:
    """t test over five repeats of two halves (Dietterich).

    t = d_11 / sqrt(mean of the five s_i^2) with 5 degrees of freedom, s_i^2 the variance of the
    two halves' differences of repeat i. Only the first difference is tested, so the order of the
    halves matters; `five_by_two_f` uses all ten. `value` is the mean of all ten differences.

    Parameters
    ----------
    a, b : array of float, shape (5, 2)
        Errors (or any measure) of two models, one row for each repeat.

    Returns
    -------
    TestResult
        The mean difference a - b and p; no interval.

    Raises
    ------
    InputError
        If there are not five repeats of two halves, or values are not finite.

    Examples
    --------
    >>> a = [[0.21, 0.25], [0.24, 0.2], [0.22, 0.27], [0.23, 0.21], [0.25, 0.24]]
    >>> b = [[0.17, 0.24], [0.21, 0.2], [0.2, 0.22], [0.2, 0.18], [0.19, 0.23]]
    >>> round(five_by_two_t(a, b).statistic, 3)
    1.754

    References
    ----------
    T. G. Dietterich (1998), Approximate statistical tests for comparing supervised classification
    learning algorithms, Neural Computation 10.
    """
    from scipy.special import stdtr

    difference, variance = _halves(a, b)
    t = float(difference[0, 0]) / sqrt(float(variance.mean())) if variance.any() else 0.0
    p = float(2 * stdtr(5, -abs(t)))
    return _of_halves(difference, variance, p, t, df=5.0, method="5x2 t", test="five_by_two_t")


def five_by_two_f(a: ArrayLike, b: ArrayLike) -> TestResult:
    """F test over five repeats of two halves (Alpaydin).

    F = sum of the ten d^2 / (2 sum of the five s_i^2) with 10 and 5 degrees of freedom. Unlike
    `five_by_two_t` it does not depend on the order of the halves. It rejected 9% of true nulls at
    5% for unpruned trees. `value` is the mean of the ten differences.

    Parameters
    ----------
    a, b : array of float, shape (5, 2)
        Errors (or any measure) of two models, one row for each repeat.

    Returns
    -------
    TestResult
        The mean difference a - b and p; no interval.

    Raises
    ------
    InputError
        If there are not five repeats of two halves, or values are not finite.

    Examples
    --------
    >>> a = [[0.21, 0.25], [0.24, 0.2], [0.22, 0.27], [0.23, 0.21], [0.25, 0.24]]
    >>> b = [[0.17, 0.24], [0.21, 0.2], [0.2, 0.22], [0.2, 0.18], [0.19, 0.23]]
    >>> round(five_by_two_f(a, b).statistic, 3)
    2.115

    References
    ----------
    E. Alpaydin (1999), Combined 5x2 cv F test for comparing supervised classification learning
    algorithms, Neural Computation 11.
    """
    from scipy.special import fdtrc

    difference, variance = _halves(a, b)
    f = float((difference**2).sum() / (2 * variance.sum())) if variance.any() else 0.0
    p, df = float(fdtrc(10, 5, f)), (10.0, 5.0)
    return _of_halves(difference, variance, p, f, df=df, method="5x2 F", test="five_by_two_f")


def _of_halves(
    difference: Floats, variance: Floats, p: float, statistic: float, **fields: Any
) -> TestResult:
    fields = {"n": 10, "n_effective": 10, "reason": NO_INTERVAL, **fields}
    value = float(difference.mean())
    if not difference.any():
        return no_difference(**fields)
    if not variance.any():
        return TestResult(value=value, **{**fields, "reason": UNVARYING})
    return TestResult(p, value, statistic=statistic, **fields)


def _halves(a: ArrayLike, b: ArrayLike) -> tuple[Floats, Floats]:
    """(differences 5 by 2, the five variances s_i^2 = sum over halves of (d - mean)^2)."""
    halves = numbers(a, "a"), numbers(b, "b")
    for name, values in zip("ab", halves, strict=True):
        if values.shape not in ((5, 2), (10,)):
            raise InputError(
                f"{name}: expected five repeats of two halves, shape (5, 2), got {values.shape}"
            )
    first, second = (values.reshape(5, 2) for values in halves)
    size = float(np.abs(halves).max())
    difference = without_rounding(first - second, size)
    gap = without_rounding(difference[:, 0] - difference[:, 1], size)
    return difference, gap**2 / 2


# --- for compare -------------------------------------------------------------------------------


class Splits:
    """Models on the same splits of one data set, for tests of rows and of split values."""

    notes: tuple[str, ...] = ()

    def __init__(self, field: Paired) -> None:
        field.check_pairs()
        self.field, self.design = field, field.first.design
        self.rows = self.design.n

    @cached_property
    def _values(self) -> Array:
        """The measure of each model (rows) on each split (columns), in the order of repeats."""
        names = [name for repeat in self.field.first.parts.repeats for name in repeat]
        cases = self.field.cases.values()
        return np.array([[case.form(name).value for name in names] for case in cases])

    @cached_property
    def by_model(self) -> dict[str, Array]:
        """The values of each model on the splits where all models have one."""
        if why := NO_SPREAD.get(self.design.kind):
            raise InputError(f"{why}; run KFold(10, repeats=10), or Holdout, instead")
        groups = self.field.groups
        if groups is not None and groups < FEWEST:
            raise NotEnoughData(f"only {groups} groups: a test needs at least {FEWEST}")
        defined = np.isfinite(self._values).all(axis=0)
        if defined.sum() < 2:
            raise NotEnoughData(f"{self.field.measure.title} is defined in fewer than two splits")
        return dict(zip(self.field.models, self._values[:, defined], strict=True))

    @property
    def lost(self) -> tuple[str, ...]:
        """A note on splits where the measure is undefined."""
        count, total = self.count, self._values.shape[1]
        words = f"undefined in {total - count} of {total} splits, left out for all models"
        return (Note(words, "undefined"),) if count < total else ()

    @property
    def count(self) -> int:
        """The number of splits where all models have a value."""
        return int(self.by_model[self.field.models[0]].size)

    @property
    def sizes(self) -> tuple[float, float]:
        """Training and test rows of a split, if these say how much splits overlap."""
        if self.design.reason:
            raise InputError(f"no test over these splits: {self.design.reason}")
        return self.design.n_train or 0.0, self.design.n_test

    @property
    def better(self) -> Literal["high", "low"]:
        return self.field.better

    @property
    def df(self) -> float:
        """K - 1 for folds: splits are not independent.

        Measured (docs/coverage.md): 9 for repeated halves and 5 for random subsamples are safe.
        """
        k = self.design.splits / self.design.repeats
        freedom = 5.0 if not self.design.folds else 9.0 if k == 2 else k - 1
        return min(self.count - 1.0, freedom)

    @property
    def words(self) -> str:
        """The design in words."""
        if not self.design.folds:
            return f"{self.design.splits} splits"
        k = self.design.splits // self.design.repeats
        return f"{self.design.repeats} x {k} folds" if self.design.repeats > 1 else f"{k} folds"


def _no_rows(field: Splits) -> str:
    """Why paired rows cannot be tested here; empty if they can."""
    first, second = list(field.field.cases.values())[:2]
    try:
        difference_over_splits(first, second)
    except Refused as error:
        return f"is not for this table: {error}"
    return ""


@comparison("paired_rows", (SPLITS,), auto=1, refuses=_no_rows)
def _paired_rows(field: Splits, asked: Asked) -> Answer:
    cases, n = field.field.cases, field.design.n
    compared = cache(lambda a, b: difference_over_splits(cases[a], cases[b], asked.level))

    def pair(a: str, b: str, level: float, again: bool = False) -> TestResult:
        rows = compared(a, b).at(level)
        same = field.field.identical(a, b)
        return TestResult(
            rows.p, rows.value, rows.low, rows.high, rows.value / rows.se if rows.se else nan,
            rows.df, level, rows.method, n, rows.n_effective, rows.notes, test="paired_rows",
            flags=(SAME,) if same else (),
        )  # fmt: skip

    why = "paired differences of rows, with their variance times phi for training sets that overlap"
    return Answer(pair, f"share training rows: {why}")


@comparison("corrected_t", (SPLITS,), auto=2)
def _corrected(field: Splits, asked: Asked) -> Answer:
    (n_train, n_test), df, groups = field.sizes, field.df, field.field.groups

    def test(a: Array, b: Array, level: float) -> TestResult:
        return corrected_t(a, b, n_train, n_test, df, level, groups)

    words = f"{df:.3g} degree{'' if df == 1 else 's'} of freedom"
    why = f"share training rows: corrected t with {words}"
    return Answer(of_values(field, test), why, notes=field.lost)


@comparison("paired_t", (SPLITS, SETS))
def _paired(field: Any, asked: Asked) -> Answer:
    notes = (*field.lost, PLAIN) if isinstance(field, Splits) else ()
    return Answer(of_values(field, paired_t), notes=notes)


def _no_halves(field: Splits) -> str:
    design = field.design
    halves = (design.repeats, design.splits, design.folds) == (5, 10, True)
    return "" if halves else "needs 5 repeats of 2 folds (the plan FiveByTwo)"


@comparison("five_by_two_t", (SPLITS,), refuses=_no_halves)
def _five_by_two_t(field: Splits, asked: Asked) -> Answer:
    return Answer(of_values(field, lambda a, b, level: five_by_two_t(a, b)))


@comparison("five_by_two_f", (SPLITS,), refuses=_no_halves)
def _five_by_two_f(field: Splits, asked: Asked) -> Answer:
    return Answer(of_values(field, lambda a, b, level: five_by_two_f(a, b)))
