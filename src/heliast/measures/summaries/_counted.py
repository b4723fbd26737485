"""Counted: every summary of one model's rows, each counted once, when first asked for."""

from collections.abc import Callable, Hashable, Mapping
from functools import cached_property
from typing import TypeVar

from heliast._core.labels import Label
from heliast._kernels.ranking import MergeSums, class_merges
from heliast.measures.summaries._contingency import Contingency
from heliast.measures.summaries._probabilities import Probabilities
from heliast.measures.summaries._ranking import Ranking
from heliast.measures.summaries._reliability import Reliability
from heliast.measures.summaries._residuals import Residuals
from heliast.predictions import Rows
from heliast.predictions.scan import ScannedRows

S = TypeVar("S")


class Counted:
    """What measures read: the same names whether rows are in memory or counted elsewhere.

    `prevalences` are the class shares of the population, for rows whose class counts were fixed
    by design.
    """

    def __init__(self, rows: Rows, prevalences: Mapping[Label, float] | None = None) -> None:
        # Given the shares, how many rows of each class there happen to be says nothing more.
        self.rows = rows if prevalences is None else rows.by_design()
        self.prevalences = prevalences

    @property
    def classes(self) -> tuple[Label, ...]:
        return self.rows.classes

    @property
    def codes(self) -> dict[Label, int]:
        """The place of each class."""
        return self._once("codes", lambda: {label: at for at, label in enumerate(self.classes)})

    @property
    def positive(self) -> int | None:
        return self.rows.positive

    @cached_property
    def empty(self) -> bool:
        """Whether there is no row, or none that weighs anything."""
        return self.rows.n == 0 or not self.rows.weight_sum

    @property
    def contingency(self) -> Contingency:
        return self._once("contingency", lambda: Contingency.of(self.rows, self.prevalences))

    @property
    def probabilities(self) -> Probabilities:
        return self._once("probabilities", lambda: Probabilities.of(self.rows))

    @property
    def residuals(self) -> Residuals:
        return self._once("residuals", lambda: Residuals.of(self.rows))

    def ranking(self, code: int, rest: int | None = None) -> Ranking:
        """The scores for one class, among its rows and all others (or those of one other)."""
        if rest is None:
            return self._once(("ranking", code), lambda: Ranking.of(self.rows, code))
        return self._once(("ranking", code, rest), lambda: Ranking.of_pair(self.rows, code, rest))

    def sums(self, code: int) -> MergeSums:
        """All that areas and average precision of one class against the rest follow from.

        With several classes the columns are sorted side by side, on all threads, and not kept.
        """
        if isinstance(self.rows, ScannedRows):
            return self.ranking(code).sums
        scores = self.rows.scores
        if scores is None or scores.ndim == 1 or ("ranking", code) in self.rows.memo:
            return self.ranking(code).sums
        merges = self._once(
            "merges", lambda: class_merges(self.rows.truth, scores, self.rows.weight)
        )
        return merges[code]

    def reliability(self, bins: int) -> Reliability:
        return self._once(("reliability", bins), lambda: Reliability.of(self.rows, bins))

    def _once(self, key: Hashable, count: Callable[[], S]) -> S:
        """Kept with the rows, so that whoever counts the same rows again finds it."""
        memo = self.rows.memo
        if key not in memo:
            memo[key] = count()
        found: S = memo[key]
        return found
