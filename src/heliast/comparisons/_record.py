"""TestResult and its kin: what a comparison of models found, and how."""

import math
from dataclasses import dataclass
from typing import ClassVar

from heliast._core.records import Shown, as_dict

IDENTICAL = "identical predictions"
"""The note of every test that sees no difference at all: p is 1, never 0."""
UNVARYING = "all differences are equal, so they say nothing about how much they vary"


@dataclass(frozen=True)
class TestResult(Shown):
    """A difference (a minus b) with its interval, and the p value of "there is none".

    What does not apply is NaN; `reason` says why something that could apply is missing, `notes`
    are caveats. `n` counts the pairs given, `n_effective` those that bear on the test.

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

    def to_dict(self) -> dict[str, object]:
        """The fields as plain values; what is undefined is None."""
        return as_dict(self)

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
    """A test of several models over several data sets; `ranks` are mean ranks, 1 is best."""

    ranks: tuple[float, ...] = ()


@dataclass(frozen=True, repr=False)
class NemenyiResult(RankResult):
    """Every pair of models: mean ranks further apart than `critical_difference` differ.

    `pairs[i][j]` is the p value of models i and j, `groups` the largest sets of models, best rank
    first, that the test cannot tell apart.
    """

    critical_difference: float = math.nan
    pairs: tuple[tuple[float, ...], ...] = ()

    @property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """Columns within the critical difference of each other, without sets inside others."""
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

    Equivalent means that the difference is at most `margin` either way. The three add up to 1;
    `low` and `high` hold the difference with probability `level`.
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
