"""Counted: every summary of one model's rows, each counted once, when first asked for."""

from collections.abc import Callable, Hashable, Mapping
from functools import cached_property
from typing import TypeVar

from heliast._core.labels import Label
from heliast._kernels.ranking import MergeSums, class_merges
from heliast.measures.summaries.contingency import Contingency
from heliast.measures.summaries.losses import Probabilities, Residuals
from heliast.measures.summaries.ranking import Ranking
from heliast.measures.summaries.reliability import Reliability
from heliast.predictions import Rows

S = TypeVar("S")


class Counted:
    """What measures read: the same names whether rows are in memory or scanned.

    `prevalences` are the class shares of the population, for rows whose class counts were fixed
    by design.
    """

    def __init__(self, rows: Rows, prevalences: Mapping[Label, float] | None = None) -> None:
        # Given the shares, how many rows of each class there happen to be says nothing more.
        self.rows = rows if prevalences is None else rows.by_design()
        self.prevalences = prevalences
        self.classes = rows.classes
        self.positive = rows.positive

    @property
    def codes(self) -> dict[Label, int]:
        """The place of each class."""
        return self._once("codes", lambda: {label: at for at, label in enumerate(self.classes)})

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
        return self._once(("ranking", code, rest), lambda: Ranking.of(self.rows, code, rest))

    def sums(self, code: int) -> MergeSums:
        """All that areas and average precision of one class against the rest follow from.

        With several classes the columns are sorted side by side, on all threads, and not kept.
        """
        rows = self.rows
        kept = rows.scanned or ("ranking", code, None) in rows.memo
        if kept or rows.scores is None or rows.scores.ndim == 1:
            return self.ranking(code).sums
        scores = rows.scores
        return self._once("merges", lambda: class_merges(rows.y_true, scores, rows.weight))[code]

    def reliability(self, bins: int) -> Reliability:
        return self._once(("reliability", bins), lambda: Reliability.of(self.rows, bins))

    def _once(self, key: Hashable, count: Callable[[], S]) -> S:
        """Kept with the rows, so that whoever counts the same rows again finds it."""
        memo = self.rows.memo
        if key not in memo:
            memo[key] = count()
        kept: S = memo[key]
        return kept
