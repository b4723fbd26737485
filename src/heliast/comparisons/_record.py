"""The result of a test, and the verdict on a difference."""

import math
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

from heliast._core.errors import InputError
from heliast._core.level import quantile
from heliast._core.records import Shown
from heliast.comparisons._checks import Better, Floats, check_better, check_margin, is_constant
from heliast.comparisons._several import indistinct

# The note, and the flag, of every test that observes no difference at all: p is 1, never 0.
IDENTICAL, SAME = "identical predictions", "identical"
UNVARYING = "all differences are equal, so they say nothing about how much they vary"


@dataclass(frozen=True)
class TestResult(Shown):
    """A difference (a minus b) with its confidence interval, and the p value of no difference.

    Parameters
    ----------
    p, value, low, high : float
        The p value, the difference and its confidence limits; NaN where not applicable.
    statistic : float
        The test statistic.
    df : float or pair of float
        Degrees of freedom.
    level : float
        Confidence level of the interval.
    method : str
        The test in words.
    n, n_effective : float
        The number of pairs, and of those that bear on the test.
    notes : tuple of str
        Caveats.
    reason : str
        Why something that could apply is missing.
    test : str
        The name of the function that made it, such as `mcnemar`.
    flags : tuple of str
        `identical` if no pair differs.

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
        """Whether no difference at all was observed: p is 1, never 0."""
        return SAME in self.flags

    def _numbers(self) -> list[str]:
        texts = []
        if not math.isnan(self.value):
            limits = "" if math.isnan(self.low) else f" [{self.low:.4g}, {self.high:.4g}]"
            texts.append(f"{self.value:.4g}{limits}")
        if not math.isnan(self.p):
            texts.append(f"p = {self.p:.3g}")
        return texts

    def __repr__(self) -> str:
        texts = [*self._numbers(), self.method]
        if math.isnan(self.p) and self.reason:
            texts.append(self.reason)
        return f"{type(self).__name__}({', '.join([*texts, *self.notes])})"


def no_difference(**fields: Any) -> TestResult:
    """The result where no pair differs."""
    fields = {"statistic": 0.0, "reason": UNVARYING, **fields}
    return TestResult(1.0, 0.0, flags=(SAME,), **fields)


def student(
    value: float, difference: Floats, size: float, variance: float, df: float, level: float,
    **fields: Any,
) -> TestResult:  # fmt: skip
    """Student's t test of a mean difference with this variance, and value +- t se."""
    from scipy.special import stdtr

    if not difference.any() and not value:
        return no_difference(df=df, level=level, **fields)
    constant = is_constant(difference, size)
    if constant or not 0 < variance < math.inf:
        why = UNVARYING if constant else "the differences leave no finite variance above 0"
        return TestResult(value=value, df=df, level=level, reason=why, **fields)
    t, half = value / math.sqrt(variance), quantile(level, df) * math.sqrt(variance)
    p = float(2 * stdtr(df, -abs(t)))
    return TestResult(p, value, value - half, value + half, t, df, level, **fields)


@dataclass(frozen=True, repr=False)
class RankResult(TestResult):
    """A test of several models over several data sets.

    Parameters
    ----------
    p, value, low, high : float
        The p value, the difference and its confidence limits; NaN where not applicable.
    statistic : float
        The test statistic.
    df : float or pair of float
        Degrees of freedom.
    level : float
        Confidence level of the interval.
    method : str
        The test in words.
    n, n_effective : float
        The number of pairs, and of those that bear on the test.
    notes : tuple of str
        Caveats.
    reason : str
        Why something that could apply is missing.
    test : str
        The name of the function that made it, such as `mcnemar`.
    flags : tuple of str
        `identical` if no pair differs.
    ranks : tuple of float
        Mean ranks of the models, 1 is best.

    Examples
    --------
    >>> from heliast.comparisons import friedman
    >>> friedman([[0.9, 0.8], [0.8, 0.7], [0.7, 0.9]]).ranks
    (1.3333333333333333, 1.6666666666666667)
    """

    ranks: tuple[float, ...] = ()


@dataclass(frozen=True, repr=False)
class NemenyiResult(RankResult):
    """All pairs of models over several data sets.

    Parameters
    ----------
    p, value, low, high : float
        The p value, the difference and its confidence limits; NaN where not applicable.
    statistic : float
        The test statistic.
    df : float or pair of float
        Degrees of freedom.
    level : float
        Confidence level of the interval.
    method : str
        The test in words.
    n, n_effective : float
        The number of pairs, and of those that bear on the test.
    notes : tuple of str
        Caveats.
    reason : str
        Why something that could apply is missing.
    test : str
        The name of the function that made it, such as `mcnemar`.
    flags : tuple of str
        `identical` if no pair differs.
    ranks : tuple of float
        Mean ranks of the models, 1 is best.
    critical_difference : float
        Mean ranks at least this far apart differ significantly.
    pairs : tuple of tuples of float
        `pairs[i][j]` is the p value of models i and j.
    differing : tuple of pairs of int, optional
        Pairs of models that differ significantly by another test, such as Wilcoxon with Holm; None
        if the critical difference decides.

    Examples
    --------
    >>> from heliast.comparisons import nemenyi
    >>> round(nemenyi([[0.9, 0.8], [0.8, 0.7], [0.7, 0.9]]).critical_difference, 3)
    1.132
    """

    critical_difference: float = math.nan
    pairs: tuple[tuple[float, ...], ...] = ()
    differing: tuple[tuple[int, int], ...] | None = None

    @property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """The largest sets of models, best rank first, without a significant difference."""
        order = sorted(range(len(self.ranks)), key=lambda model: self.ranks[model])
        if self.differing is not None:
            significant = {frozenset(pair) for pair in self.differing}
            return indistinct(order, lambda i, j: frozenset((i, j)) in significant)
        critical = self.critical_difference
        return indistinct(order, lambda i, j: abs(self.ranks[i] - self.ranks[j]) >= critical)


@dataclass(frozen=True, repr=False)
class BayesResult(TestResult):
    """The probabilities that a is better, that the two are equivalent, that b is better.

    The three add up to 1; `low` and `high` are a credible interval of the difference.

    Parameters
    ----------
    p, value, low, high : float
        The p value, the difference and its limits; NaN where not applicable.
    statistic : float
        The test statistic.
    df : float or pair of float
        Degrees of freedom.
    level : float
        Probability of the credible interval.
    method : str
        The test in words.
    n, n_effective : float
        The number of pairs, and of those that bear on the test.
    notes : tuple of str
        Caveats.
    reason : str
        Why something that could apply is missing.
    test : str
        The name of the function that made it, such as `mcnemar`.
    flags : tuple of str
        `identical` if no pair differs.
    a_better, equivalent, b_better : float
        The three probabilities.
    margin : float
        The equivalence margin.

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

    def _numbers(self) -> list[str]:
        return [
            *super()._numbers(),
            f"a better {self.a_better:.3g}",
            f"equivalent {self.equivalent:.3g}",
            f"b better {self.b_better:.3g}",
        ]


# --- verdicts ----------------------------------------------------------------------------------

Kind = Literal["better", "worse", "equivalent", "identical", "undecided"]
_MIRRORED: dict[Kind, Kind] = {"better": "worse", "worse": "better"}


@dataclass(frozen=True)
class Finding:
    """The verdict on a against b; `str` gives the words.

    Parameters
    ----------
    kind : {"better", "worse", "equivalent", "identical", "undecided"}
        The verdict on a.
    margin : float
        The equivalence margin.
    beyond : bool
        Whether the interval of a better or worse model excludes the margin too, and not 0 only.

    Examples
    --------
    >>> str(Finding("worse", 0.01, beyond=False))
    'worse, perhaps by less than 0.01'
    """

    kind: Kind = "undecided"
    margin: float = 0.0
    beyond: bool = True

    @property
    def significant(self) -> bool:
        """Whether the difference is significant."""
        return self.kind in _MIRRORED

    @property
    def reversed(self) -> "Finding":
        """The verdict on b."""
        return replace(self, kind=_MIRRORED.get(self.kind, self.kind))

    def __str__(self) -> str:
        if self.kind == "identical":
            return IDENTICAL
        if self.kind == "equivalent":
            return f"equivalent within {self.margin:g}"
        near = self.significant and not self.beyond
        return f"{self.kind}, perhaps by less than {self.margin:g}" if near else self.kind


def finding(
    value: float,
    low: float,
    high: float,
    low90: float,
    high90: float,
    margin: float,
    better: Better = "high",
    *,
    p: float | None = None,
    level: float = 0.95,
) -> Finding:
    """The verdict on a against b as a record; `verdict` gives its words.

    Parameters
    ----------
    value : float
        The difference a minus b.
    low, high : float
        Its confidence interval.
    low90, high90 : float
        The interval by which equivalence is judged.
    margin : float
        The equivalence margin.
    better : {"high", "low"}
        Which values of the measure are better.
    p : float, optional
        The (adjusted) p value: the difference is significant only if it is below 1 - `level` too.
    level : float
        Confidence level of the interval.

    Returns
    -------
    Finding
        The verdict, and whether it is beyond the margin.

    Raises
    ------
    InputError
        If a lower limit is above its upper one, or `margin` or `better` is invalid.

    Examples
    --------
    >>> finding(0.03, 0.015, 0.045, 0.018, 0.042, margin=0.01, better="low").kind
    'worse'
    """
    check_better(better)
    check_margin(margin)
    for name, limits in (("low, high", (low, high)), ("low90, high90", (low90, high90))):
        if limits[0] > limits[1]:
            raise InputError(f"{name}={limits}: the lower limit comes first")
    significant = (low > 0 or high < 0) and (p is None or p < 1 - level)
    if significant and not math.isnan(value):
        kind: Kind = "better" if (low > 0) == (better == "high") else "worse"
        return Finding(kind, margin, low > margin or high < -margin)
    inside = -margin < low90 and high90 < margin
    return Finding("equivalent" if inside else "undecided", margin)


def verdict(
    value: float,
    low: float,
    high: float,
    low90: float,
    high90: float,
    margin: float,
    better: Better = "high",
    *,
    p: float | None = None,
    level: float = 0.95,
) -> str:
    """The verdict on a against b in words, from the interval of a minus b and a margin d.

    The interval beyond d: "better" (or "worse"); it excludes 0 only: "better, perhaps by less
    than d"; the 90% interval inside (-d, d): "equivalent within d", which is two one-sided tests
    at 5%; otherwise "inconclusive", and never "equal".

    Parameters
    ----------
    value : float
        The difference a minus b.
    low, high : float
        Its confidence interval.
    low90, high90 : float
        The interval by which equivalence is judged.
    margin : float
        The equivalence margin.
    better : {"high", "low"}
        Which values of the measure are better.
    p : float, optional
        The (adjusted) p value: the difference is significant only if it is below 1 - `level` too.
    level : float
        Confidence level of the interval.

    Returns
    -------
    str
        The verdict on a.

    Raises
    ------
    InputError
        If a lower limit is above its upper one, or `margin` or `better` is invalid.

    Examples
    --------
    >>> verdict(0.03, 0.015, 0.045, 0.018, 0.042, margin=0.01, better="low")
    'worse'
    >>> verdict(0.001, -0.006, 0.008, -0.005, 0.007, margin=0.01)
    'equivalent within 0.01'
    """
    judged = finding(value, low, high, low90, high90, margin, better, p=p, level=level)
    return "inconclusive" if judged.kind == "undecided" else str(judged)
