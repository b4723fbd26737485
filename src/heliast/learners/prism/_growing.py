"""PRISM's rules, and how they grow from numbered values."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from heliast._core.kinds import Array


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


def rules_of_class(
    codes: Array,
    sizes: Sequence[int],
    right: Array,
    weight: Array,
    class_: Any,
    words: Callable[[int, int], str],
) -> list[Rule]:
    """Rules until every row of the class (`right`) is covered, each grown on what is left."""
    left = weight > 0
    rules = []
    while (left & right).any():
        rule = _one_rule(codes, sizes, right, np.where(left, weight, 0.0), class_, words)
        if rule is None:
            break  # the rows left have no known value to ask about
        rules.append(rule)
        left &= ~rule.covers(codes)
    return rules


def _one_rule(
    codes: Array,
    sizes: Sequence[int],
    right: Array,
    weight: Array,
    class_: Any,
    words: Callable[[int, int], str],
) -> Rule | None:
    """Add the condition with the largest share of the class until the rule is perfect.

    Equal shares: the condition that covers more of the class; then the first in column order.
    """
    inside = np.flatnonzero(weight)
    open_ = list(range(codes.shape[1]))
    conditions: list[Condition] = []
    while open_ and not right[inside].all():
        column, code = _best(codes, sizes, right, weight, inside, open_)
        if column < 0:
            break
        conditions.append(Condition(column, code, words(column, code)))
        open_.remove(column)
        inside = inside[codes[inside, column] == code]
    if not conditions and len(sizes) and not right[inside].all():
        return None
    found = weight[inside]
    return Rule(tuple(conditions), class_, float(found[right[inside]].sum()), float(found.sum()))


def _best(
    codes: Array,
    sizes: Sequence[int],
    right: Array,
    weight: Array,
    inside: Array,
    open_: Sequence[int],
) -> tuple[int, int]:
    best, found = (0.0, 0.0), (-1, -1)
    for column in open_:
        known = inside[codes[inside, column] >= 0]
        values, hits = codes[known, column], right[known]
        total = np.bincount(values, weight[known], sizes[column])
        good = np.bincount(values[hits], weight[known][hits], sizes[column])
        share = np.divide(good, total, out=np.zeros(sizes[column]), where=total > 0)
        order = np.lexsort((-np.arange(sizes[column]), good, share))
        if not len(order):
            continue
        code = int(order[-1])
        if (share[code], good[code]) > best:
            best, found = (float(share[code]), float(good[code])), (column, code)
    return found
