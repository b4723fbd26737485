"""Counted: every summary of one model's rows, each counted once, when first asked for."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property

from heliast._core.labels import Label
from heliast.predictions import Rows
from heliast.summaries._contingency import Contingency
from heliast.summaries._probabilities import Probabilities
from heliast.summaries._ranking import Ranking
from heliast.summaries._reliability import Reliability
from heliast.summaries._residuals import Residuals


class Counted:
    """What measures read: the same names whether rows are in memory or counted elsewhere.

    `prevalences` are the class shares of the population, for rows whose class counts were fixed
    by design.
    """

    def __init__(self, rows: Rows, prevalences: Mapping[Label, float] | None = None) -> None:
        # Given the shares, how many rows of each class there happen to be says nothing more.
        self.rows = rows if prevalences is None else replace(rows, design="classes")
        self.prevalences = prevalences
        self._rankings: dict[tuple[int, int | None], Ranking] = {}
        self._reliabilities: dict[int, Reliability] = {}

    @property
    def classes(self) -> tuple[Label, ...]:
        return self.rows.classes

    @property
    def positive(self) -> int | None:
        return self.rows.positive

    @cached_property
    def empty(self) -> bool:
        """Whether there is no row, or none that weighs anything."""
        return self.rows.n == 0 or (self.rows.weight is not None and not self.rows.weight.any())

    @cached_property
    def contingency(self) -> Contingency:
        return Contingency.of(self.rows, self.prevalences)

    @cached_property
    def probabilities(self) -> Probabilities:
        return Probabilities.of(self.rows)

    @cached_property
    def residuals(self) -> Residuals:
        return Residuals.of(self.rows)

    def ranking(self, code: int, rest: int | None = None) -> Ranking:
        """The scores for one class, among its rows and all others (or those of one other)."""
        key = (code, rest)
        if key not in self._rankings:
            self._rankings[key] = (
                Ranking.of(self.rows, code)
                if rest is None
                else Ranking.of_pair(self.rows, code, rest)
            )
        return self._rankings[key]

    def reliability(self, bins: int) -> Reliability:
        if bins not in self._reliabilities:
            self._reliabilities[bins] = Reliability.of(self.rows, bins)
        return self._reliabilities[bins]
