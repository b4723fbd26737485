"""TestResult and its kin: what a comparison of models found, and how."""

import math
from dataclasses import dataclass
from typing import ClassVar

from heliast._core.records import Shown

IDENTICAL, SAME = "identical predictions", "identical"
"""The note, and the flag, of every test that sees no difference at all: p is 1, never 0."""
UNVARYING = "all differences are equal, so they say nothing about how much they vary"


@dataclass(frozen=True)
class TestResult(Shown):
    """A difference (a minus b) with its interval, and the p value of "there is none".

    Parameters
    ----------
    p, value, low, high : float
        The p value, the difference and its limits; what does not apply is NaN.
    statistic : float
        What p was found from.
    df : float or pair of float
        Degrees of freedom.
    level : float
        The level of the interval.
    method : str
        The test in words.
    n, n_effective : float
        The pairs given, and those that bear on the test.
    notes : tuple of str
        Caveats.
    reason : str
        Why something that could apply is missing.
    test : str
        The name of the function that made it, such as `mcnemar`.
    flags : tuple of str
        What was found out on the way: `identical` if no pair differs.

    Examples
    --------
    >>> from heliast.comparisons import paired_t
    >>> paired_t([7, 8, 3, 12, 9], [6, 6, 5, 10, 7])
    TestResult(1 [-1.151, 3.151], p = 0.266, paired t)
    """

    __test__: ClassVar[bool] = False  # its name must not make pytest run it

    p: float = math.nan
    value: float = math.nan
    low: float = math.nan
    high: float = math.nan
    statistic: float = math.nan
    df: float | tuple[float, float] = math.nan
    level: float = 0.95
    method: str = ""
    n: float = math.nan
    n_effective: float = math.nan
    notes: tuple[str, ...] = ()
    reason: str = ""
    test: str = ""
    flags: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.identical and IDENTICAL not in self.notes:
            object.__setattr__(self, "notes", (IDENTICAL, *self.notes))

    @property
    def identical(self) -> bool:
        """Whether no difference at all was seen: p is 1, never 0."""
        return SAME in self.flags

    def _parts(self) -> list[str]:
        found = []
        if not math.isnan(self.value):
            limits = f" [{self.low:.4g}, {self.high:.4g}]" if not math.isnan(self.low) else ""
            found.append(f"{self.value:.4g}{limits}")
        if not math.isnan(self.p):
            found.append(f"p = {self.p:.3g}")
        return found

    def __repr__(self) -> str:
        parts = [*self._parts(), self.method]
        if math.isnan(self.p) and self.reason:
            parts.append(self.reason)
        return f"{type(self).__name__}({', '.join([*parts, *self.notes])})"


@dataclass(frozen=True, repr=False)
class RankResult(TestResult):
    """A test of several models over several data sets.

    Parameters
    ----------
    p, value, low, high : float
        The p value, the difference and its limits; what does not apply is NaN.
    statistic : float
        What p was found from.
    df : float or pair of float
        Degrees of freedom.
    level : float
        The level of the interval.
    method : str
        The test in words.
    n, n_effective : float
        The pairs given, and those that bear on the test.
    notes : tuple of str
        Caveats.
    reason : str
        Why something that could apply is missing.
    test : str
        The name of the function that made it, such as `mcnemar`.
    flags : tuple of str
        What was found out on the way: `identical` if no pair differs.
    ranks : tuple of float
        The mean ranks of the models, 1 is best.

    Examples
    --------
    >>> from heliast.comparisons import friedman
    >>> friedman([[0.9, 0.8], [0.8, 0.7], [0.7, 0.9]]).ranks
    (1.3333333333333333, 1.6666666666666667)
    """

    ranks: tuple[float, ...] = ()


@dataclass(frozen=True, repr=False)
class NemenyiResult(RankResult):
    """Every pair of models over several data sets.

    Parameters
    ----------
    p, value, low, high : float
        The p value, the difference and its limits; what does not apply is NaN.
    statistic : float
        What p was found from.
    df : float or pair of float
        Degrees of freedom.
    level : float
        The level of the interval.
    method : str
        The test in words.
    n, n_effective : float
        The pairs given, and those that bear on the test.
    notes : tuple of str
        Caveats.
    reason : str
        Why something that could apply is missing.
    test : str
        The name of the function that made it, such as `mcnemar`.
    flags : tuple of str
        What was found out on the way: `identical` if no pair differs.
    ranks : tuple of float
        The mean ranks of the models, 1 is best.
    critical_difference : float
        Mean ranks at least so far apart differ.
    pairs : tuple of tuples of float
        `pairs[i][j]` is the p value of models i and j.

    Examples
    --------
    >>> from heliast.comparisons import nemenyi
    >>> round(nemenyi([[0.9, 0.8], [0.8, 0.7], [0.7, 0.9]]).critical_difference, 3)
    1.132
    """

    critical_difference: float = math.nan
    pairs: tuple[tuple[float, ...], ...] = ()

    @property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """The largest sets of models, best rank first, that the test cannot tell apart."""
        order = sorted(range(len(self.ranks)), key=lambda j: self.ranks[j])
        found: list[tuple[int, ...]] = []
        reached = -1
        for start, first in enumerate(order):
            inside = [
                j for j in order[start:] if self.ranks[j] - self.ranks[first] < self._difference
            ]
            if start + len(inside) - 1 > reached:
                reached = start + len(inside) - 1
                found.append(tuple(inside))
        return tuple(found)

    @property
    def _difference(self) -> float:
        # A model belongs with itself even if nothing can be said of the others.
        return self.critical_difference if self.critical_difference > 0 else math.inf


@dataclass(frozen=True, repr=False)
class BayesResult(TestResult):
    """How probable it is that a is better, that they are equivalent, that b is better.

    The three add up to 1; `low` and `high` hold the difference with probability `level`.

    Parameters
    ----------
    p, value, low, high : float
        The p value, the difference and its limits; what does not apply is NaN.
    statistic : float
        What p was found from.
    df : float or pair of float
        Degrees of freedom.
    level : float
        The level of the interval.
    method : str
        The test in words.
    n, n_effective : float
        The pairs given, and those that bear on the test.
    notes : tuple of str
        Caveats.
    reason : str
        Why something that could apply is missing.
    test : str
        The name of the function that made it, such as `mcnemar`.
    flags : tuple of str
        What was found out on the way: `identical` if no pair differs.
    a_better, equivalent, b_better : float
        The three probabilities.
    margin : float
        Equivalent is a difference of at most this either way.

    Examples
    --------
    >>> from heliast.comparisons import bayes_correlated_t
    >>> round(bayes_correlated_t([0.8, 0.7, 0.9], [0.6, 0.6, 0.7], 80, 20).a_better, 2)
    0.96
    """

    a_better: float = math.nan
    equivalent: float = math.nan
    b_better: float = math.nan
    margin: float = 0.01

    def _parts(self) -> list[str]:
        words = "a better", "equivalent", "b better"
        shares = self.a_better, self.equivalent, self.b_better
        return [
            *super()._parts(),
            *(f"{word} {share:.3g}" for word, share in zip(words, shares, strict=True)),
        ]
