"""Coverage: how often such default intervals covered where the map of coverage looked nearest."""

import json
import math
import re
import statistics
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from heliast._core.records import Shown, as_dict

if TYPE_CHECKING:
    from heliast.estimates._record import Estimate
    from heliast.estimates.resampled._case import Case

LEVEL = 0.95
_ONE_RULE = {"skewness-corrected t": "Student t", "Wilson of the misses": "Student t"}
"""Branches of the default for means of losses: which one is taken depends on the losses."""
ONE = "one test set"
_KINDS = {"folds": "folds", "leave_one_out": "leave-one-out", "subsampling": "subsampling"}
Row = tuple[float, float | None, int, int, int, int]
"""Rows, rows of the rarest class, cells, and their lowest, median and highest per mille."""


@dataclass(frozen=True)
class Coverage(Shown):
    """What the map of coverage measured of 95% intervals like this one: same measure and design.

    `lowest`, `median` and `highest` are over `cells`, each a simulated world and learner, at the
    number of rows `n` (and of the rarest class, `rarest`) that is nearest to those at hand.

    >>> Coverage(0.93, 0.95, 0.97, 12, 200)
    Coverage(0.93 to 0.97, median 0.95, in 12 cells of 200 rows)
    """

    lowest: float
    median: float
    highest: float
    cells: int
    n: float
    rarest: float = math.nan

    def to_dict(self) -> dict[str, object]:
        """The fields as plain values."""
        return as_dict(self)

    def __repr__(self) -> str:
        ends = f"{self.lowest:g} to {self.highest:g}, median {self.median:g}"
        return f"Coverage({ends}, in {self.cells} cells of {self.n:g} rows)"


def method_key(method: str) -> str:
    """The method's own words, without the numbers of one table.

    >>> method_key("corrected t over 10 splits"), method_key("Wilson, effective n 34 of 50")
    ('corrected t', 'Wilson')
    """
    words = re.split(r"[,;]| \(| over |\d", method, maxsplit=1)[0].strip()
    return _ONE_RULE.get(words, words)


def design_key(case: "Case") -> str:
    """The kind of design in the words of the map: `one test set`, `folds`, `repeated folds`, ...

    Empty where the map has no such design.
    """
    rows = case.parts.pooled.rows
    kind = ONE if case.parts.single is not None else _KINDS.get(case.design.kind, "")
    if kind == "folds" and case.design.repeats > 1:
        kind = "repeated folds"
    groups = ", groups" if rows.group is not None else ""
    weights = f", {rows.weight_kind} weights" if rows.weight_kind is not None else ""
    return kind and kind + groups + weights


def placed(estimate: "Estimate", case: "Case") -> "Estimate":
    """The estimate with its design, so that it knows what was measured of such ones."""
    share = case.parts.once("rarest", lambda: _rarest(case))
    design = case.parts.once("design key", lambda: design_key(case))
    return replace(estimate, design=design, rarest=share * estimate.n)


def _rarest(case: "Case") -> float:
    rows = case.parts.pooled.rows
    if rows.task != "classes":
        return math.nan
    sizes = rows.class_sizes(weighted=rows.weight_kind == "frequency")
    return float(sizes[sizes > 0].min() / sizes.sum())


def of_estimate(estimate: "Estimate") -> Coverage | None:
    """What was measured of such an estimate; None where nothing was, or for another method."""
    if estimate.level != LEVEL or not estimate.low <= estimate.high:
        return None
    found = _found("assess", estimate.measure, [estimate.design], estimate.method)
    return _nearest(found, estimate.n, estimate.rarest)


def of_difference(measure: str, method: str, target: str, n: float) -> Coverage | None:
    """What was measured of such a difference, over all designs of its target."""
    kinds = [kind for kind in _map()["designs"] if kind.startswith(ONE) == (target == "model")]
    return _nearest(_found("compare", measure, kinds, method), n, math.nan)


def _found(verb: str, measure: str, designs: Iterable[str], method: str) -> list[Row]:
    """The rows of the map for a measure, whatever its parameters and average are."""
    of_measure = _map()[verb].get(re.split(r"[.(]", measure, maxsplit=1)[0], {})
    entries = [of_measure[design] for design in designs if design in of_measure]
    key = method_key(method)
    known = [entry for entry in entries if key in map(method_key, entry["methods"])]
    return [tuple(row) for entry in known for row in entry["cells"]]


def _nearest(rows: list[Row], n: float, rarest: float) -> Coverage | None:
    """The rows of the map nearest in log n and log of the rarest class, as one record."""
    if not rows or not n > 0:
        return None

    def away(row: Row) -> float:
        known = row[1] is not None and rarest > 0
        return abs(math.log(row[0] / n)) + (abs(math.log(row[1] / rarest)) if known else 0.0)  # type: ignore[operator]

    least = min(map(away, rows))
    near = [row for row in rows if away(row) <= least + 1e-9]
    cells = sum(row[2] for row in near)
    middle = statistics.median(row[4] for row in near for _ in range(row[2]))
    return Coverage(
        min(row[3] for row in near) / 1000,
        middle / 1000,
        max(row[5] for row in near) / 1000,
        cells,
        near[0][0],
        math.nan if near[0][1] is None else near[0][1],
    )


@cache
def _map() -> dict[str, Any]:
    """The measured map; read when first asked for."""
    found: dict[str, Any] = json.loads(
        files("heliast.estimates").joinpath("coverage.json").read_text(encoding="utf-8")
    )
    return found
