"""A contingency table as every view shows it: its margins, what chance would give, kappa's word."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from heliast._core.kinds import Array
from heliast._core.numbers import count, number, percent
from heliast.estimates import Estimate
from heliast.measures import kappa_word
from heliast.measures.summaries import Contingency

if TYPE_CHECKING:
    from heliast.verbs.assess import Assessment


class Entry(NamedTuple):
    """What stands in a table: its text, its value, and the per cent of row, column and all."""

    text: str = ""
    value: float | None = None
    tip: str = ""


Line = tuple[object, list[Entry]]
TOTAL, SHARE, RIGHT = "total", "of all", "right"
MARGINS = (TOTAL, SHARE, RIGHT)
"""Rows, their share of all, and the share labelled right: down the recall, across the precision."""
MOST_CLASSES = 12
"""So few classes that the whole table is shown with its margins, wherever there is room."""
FEW_CLASSES = 5
"""So few that what chance would give stands open beside it."""


def margined(table: Contingency, margins: Sequence[str] = MARGINS) -> tuple[list[str], list[Line]]:
    """Which margins there are, and each line: a class or margin, its entries as text and value.

    Where class counts were fixed by design and prevalences are not given, what would need the
    shares of the classes is left out.

    >>> _, lines = margined(Contingency.of_counts([[7, 3], [5, 15]], ("c1", "c2")))
    >>> for name, entries in lines:
    ...     print(name, *(entry.text for entry in entries if entry.text))
    c1 7 3 10 33.3% 70.0%
    c2 5 15 20 66.7% 75.0%
    total 12 18 30
    of all 40.0% 60.0% 100.0%
    right 58.3% 83.3% 73.3%
    """
    hits, actual, decided = _shares(table)
    fixed = table.by_class and table.prevalence is None
    shown = [name for name in margins if not (fixed and name == SHARE)]
    side = {TOTAL: _counts(table.actual), SHARE: _parts(actual), RIGHT: _parts(_of(hits, actual))}
    foot = {
        TOTAL: _counts(table.decided),
        SHARE: _parts(decided),
        RIGHT: _parts(_of(hits, decided)),
    }
    corner = {TOTAL: _counts([table.n]), SHARE: _parts([1.0]), RIGHT: _parts([float(hits.sum())])}
    told = RIGHT in margins
    lines: list[Line] = [
        (class_, [*_cells(table, at, told, fixed), *(side[name][at] for name in shown)])
        for at, class_ in enumerate(table.classes)
    ]
    lines += [
        (name, [*foot[name], *(corner[name][0] if name == other else Entry() for other in shown)])
        for name in (shown[:1] if fixed else shown)
    ]
    return shown, lines


def by_chance(table: Contingency) -> list[Line]:
    """What a random classifier with the same margins would give, class by class."""
    return [
        (class_, [Entry(f"{value:,.1f}", value) for value in row])
        for class_, row in zip(table.classes, table.chance.tolist(), strict=True)
    ]


def kappa_of(found: "Assessment", model: str) -> Estimate | None:
    """The model's kappa, where it was asked for and has a value."""
    if "kappa" not in found.measures:
        return None
    one = found[model, "kappa"]
    return one if one.defined else None


def agreement(one: Estimate, table: Contingency) -> str:
    """Kappa in words: its place on the scale, and what is right beside what chance would give.

    >>> table = Contingency.of_counts([[88, 14, 18], [10, 40, 10], [2, 6, 12]], ("a", "b", "c"))
    >>> print(agreement(Estimate(58 / 118, 0.39, 0.61, measure="kappa"), table))
    kappa 0.492 is moderate on the scale of Landis and Koch (its interval: fair to substantial): \
70.0% are labelled right, by chance it would be 41.0%.
    """
    hits, actual, decided = _shares(table)
    ends = dict.fromkeys(kappa_word(end) for end in (one.low, one.high) if end == end)
    sure = f" (its interval: {' to '.join(ends)})" if ends else ""
    return (
        f"kappa {number(one.value)} is {kappa_word(one.value)} on the scale of Landis and Koch"
        f"{sure}: {percent(float(hits.sum()))} are labelled right, by chance it would be "
        f"{percent(float(actual @ decided))}."
    )


def _shares(table: Contingency) -> tuple[Array, Array, Array]:
    with np.errstate(invalid="ignore"):  # a table without rows
        hits, actual, decided = (part / table.n for part in table.margins[:3])
        return hits, actual, decided


def _of(part: Array, whole: Array) -> Array:
    with np.errstate(divide="ignore", invalid="ignore"):
        share: Array = part / whole
    return share


def _cells(table: Contingency, at: int, told: bool, fixed: bool) -> list[Entry]:
    """The counts of one true class; `told` with per cent of it, of the label, and of all."""
    if not told:
        return _counts(table.counts[at])
    shares = table.shares[at]
    whole = {"the true class": shares.sum()}
    if not fixed:
        whole |= {"the label": _shares(table)[2], "all": 1.0}
    parts = {name: _parts(_of(shares, of)) for name, of in whole.items()}
    return [
        entry._replace(tip=", ".join(f"{part[to].text} of {name}" for name, part in parts.items()))
        for to, entry in enumerate(_counts(table.counts[at]))
    ]


def _counts(values: Sequence[float] | Array) -> list[Entry]:
    return [Entry(count(value), float(value)) for value in values]


def _parts(values: Sequence[float] | Array) -> list[Entry]:
    return [
        Entry("-") if np.isnan(value) else Entry(percent(value), float(value)) for value in values
    ]
