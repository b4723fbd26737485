"""PRISM's rules, and how they grow from numbered values."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from heliast._core.kinds import Array
from heliast.learners.prism._nominal import NominalColumn


@dataclass(frozen=True)
class Condition:
    """`column` (a position) takes the value with number `code`; `words` say it to a reader."""

    column: int
    code: int
    words: str


@dataclass(frozen=True)
class Rule:
    """If all conditions hold, then the class; `right` of the `covered` training rows agree.

    Rows count as they did when the rule was grown: without those that earlier rules of the class
    had covered. A rule that is not perfect (right < covered) ran out of inputs to ask about.
    """

    conditions: tuple[Condition, ...]
    class_: Any
    right: float
    covered: float

    def covers(self, codes: Array) -> Array:
        """Which rows satisfy every condition."""
        holds = np.ones(len(codes), bool)
        for condition in self.conditions:
            holds &= codes[:, condition.column] == condition.code
        return holds

    def __str__(self) -> str:
        asked = "\n   and ".join(condition.words for condition in self.conditions)
        then = f"then {self.class_}"
        mistaken = "" if self.right == self.covered else f"  ({self.right:g} of {self.covered:g})"
        return (f"If {asked} {then}" if asked else f"In any case {self.class_}") + mistaken


@dataclass(frozen=True, eq=False)
class Growing:
    """Rules of one class, grown from numbered values of rows; `right` are those of the class."""

    codes: Array
    columns: Sequence[NominalColumn]
    right: Array
    class_: Any

    def rules(self, weight: Array) -> list[Rule]:
        """Rules until every row of the class is covered, each grown on what is left."""
        left = weight > 0
        rules = []
        while (left & self.right).any():
            rule = self._rule(np.where(left, weight, 0.0))
            if rule is None:
                break  # the rows left have no known value to ask about
            rules.append(rule)
            left &= ~rule.covers(self.codes)
        return rules

    def _rule(self, weight: Array) -> Rule | None:
        """Add the condition with the largest share of the class until the rule is perfect.

        Equal shares: the condition that covers more of the class; then the first in column order.
        """
        inside = np.flatnonzero(weight)
        open_ = list(range(self.codes.shape[1]))
        conditions: list[Condition] = []
        while open_ and not self.right[inside].all():
            column, code = self._best(weight, inside, open_)
            if column < 0:
                break
            conditions.append(Condition(column, code, self.columns[column].words(code)))
            open_.remove(column)
            inside = inside[self.codes[inside, column] == code]
        if not conditions and len(self.columns) and not self.right[inside].all():
            return None
        found, right = weight[inside], self.right[inside]
        return Rule(tuple(conditions), self.class_, float(found[right].sum()), float(found.sum()))

    def _best(self, weight: Array, inside: Array, open_: Sequence[int]) -> tuple[int, int]:
        best, found = (0.0, 0.0), (-1, -1)
        for column in open_:
            size = self.columns[column].size
            known = inside[self.codes[inside, column] >= 0]
            values, hits = self.codes[known, column], self.right[known]
            total = np.bincount(values, weight[known], size)
            good = np.bincount(values[hits], weight[known][hits], size)
            share = np.divide(good, total, out=np.zeros(size), where=total > 0)
            order = np.lexsort((-np.arange(size), good, share))
            if not len(order):
                continue
            code = int(order[-1])
            if (share[code], good[code]) > best:
                best, found = (float(share[code]), float(good[code])), (column, code)
        return found
