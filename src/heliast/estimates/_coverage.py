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

from heliast._core.records import Shown

if TYPE_CHECKING:
    from heliast.estimates._record import Estimate
    from heliast.estimates.resampled import Case

LEVEL = 0.95
_ONE_RULE = {
    "hall": "student_t",
    "misses": "student_t",
    "skewed_t": "student_t",
    "wilson_guarded": "wilson",
    "wilson_positives": "bootstrap",
    "delta_skewed": "bootstrap_percentile",
}
"""Branches of one default: which one is taken depends on the rows."""
_SAME = {"fbeta": "f1"}
"""Measures that are another one with a parameter, and have no cells of their own."""
ONE = "one test set"
UNMEASURED = (
    "whether an interval of {measure} covers on such splits was not measured; folds of single rows "
    "without weights have one"
)
_KINDS = {
    "folds": "folds",
    "leave_one_out": "leave-one-out",
    "subsampling": "subsampling",
    "bootstrap": "bootstrap",
}
Row = tuple[float, float | None, int, int, int, int]
"""Rows, rows of the rarest class, cells, and their lowest, median and highest per mille."""


@dataclass(frozen=True)
class Coverage(Shown):
    """What the map of coverage measured of 95% intervals like this one: same measure and design.

    Parameters
    ----------
    lowest, median, highest : float
        Of the shares of intervals that covered, over `cells`.
    cells : int
        How many simulated worlds and learners were asked.
    n : float
        The number of rows there, the nearest to those at hand.
    rarest : float
        The rows of the rarest class there, likewise.

    Examples
    --------
    >>> Coverage(0.93, 0.95, 0.97, 12, 200)
    Coverage(0.93 to 0.97, median 0.95, in 12 cells of 200 rows)
    """

    lowest: float
    median: float
    highest: float
    cells: int
    n: float
    rarest: float = math.nan

    def __repr__(self) -> str:
        ends = f"{self.lowest:g} to {self.highest:g}, median {self.median:g}"
        return f"Coverage({ends}, in {self.cells} cells of {self.n:g} rows)"


# For measures that the map has no cells of yet.
NOT_MEASURED = "how often the interval of this measure covers has not been measured yet"


def design_key(case: "Case") -> str:
    """The kind of design in the words of the map: `one test set`, `folds`, `repeated folds`, ...

    Empty where the map has no such design.
    """
    rows = case.parts.pooled.rows
    if rows.design == "time":
        return "in order of time"
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
    notes = estimate.notes
    if not _is_mapped(estimate.measure) and estimate.low <= estimate.high:
        notes += (NOT_MEASURED,)
    return replace(estimate, design=design, rarest=share * estimate.n, notes=notes)


def proven(estimate: "Estimate", case: "Case") -> "Estimate":
    """A default over several splits; of resamples, and of calibration errors, only if measured.

    Cells of the same measure, design and method must have shown that such an interval covers.
    """
    doubted = case.design.kind == "bootstrap" or estimate.key == "calibration"
    if not doubted or math.isnan(estimate.low):
        return estimate
    if of_estimate(replace(placed(estimate, case), level=LEVEL)) is not None:
        return estimate
    reason = UNMEASURED.format(measure=estimate.measure)
    return replace(estimate, low=math.nan, high=math.nan, se=math.nan, reason=reason)


def _rarest(case: "Case") -> float:
    rows = case.parts.pooled.rows
    if rows.task != "classification":
        return math.nan
    sizes = rows.class_sizes(weighted=rows.weight_kind == "frequency")
    return float(sizes[sizes > 0].min() / sizes.sum())


def of_estimate(estimate: "Estimate") -> Coverage | None:
    """What was measured of such an estimate; None where nothing was, or for another method."""
    if estimate.level != LEVEL or not estimate.low <= estimate.high:
        return None
    from heliast.estimates.resampled import resampled_methods

    # Over several splits there is one default; on one test set it depends on the rows.
    over_splits = not estimate.design.startswith((ONE, "in order", "slices"))
    key = "" if over_splits and estimate.key not in resampled_methods() else estimate.key
    found = _found("assess", estimate.measure, [estimate.design], key)
    return _nearest(found, estimate.n, estimate.rarest)


def of_slices(measure: str, grouped: bool = False) -> Coverage | None:
    """How often all intervals of a measure in the slices of a table held together; None if that was
    not measured.
    """
    design = "slices, groups" if grouped else "slices"
    rows = _found("assess", measure, [design], "slices")
    return _nearest(rows, rows[0][0], math.nan) if rows else None


def of_difference(measure: str, test: str, design: str, n: float) -> Coverage | None:
    """What was measured of such a difference: on one test set with or without groups, or over
    all designs of several splits.
    """

    def like(kind: str) -> tuple[bool, bool]:
        one = kind.startswith(ONE)
        return one, one and "groups" in kind

    kinds = [kind for kind in _map()["designs"] if design and like(kind) == like(design)]
    # Over several splits there is one default, too.
    key = "" if test == "paired_rows" else test
    return _nearest(_found("compare", measure, kinds, key), n, math.nan)


def _found(verb: str, measure: str, designs: Iterable[str], key: str) -> list[Row]:
    """The rows of the map for a measure, whatever its parameters and average are.

    Without a `key` those of any method.
    """
    of_measure = _of_measure(verb, measure)
    entries = [of_measure[design] for design in designs if design in of_measure]
    same = _ONE_RULE if verb == "assess" else {}
    known = [
        entry
        for entry in entries
        if not key or same.get(key, key) in {same.get(name, name) for name in entry["methods"]}
    ]
    return [tuple(row) for entry in known for row in entry["cells"]]


def _of_measure(verb: str, measure: str) -> dict[str, Any]:
    """The entries of the map for a measure, by design; empty if it has none."""
    name = re.sub(r"(?<=[@^])\d+$", "k", re.split(r"[.(]", measure, maxsplit=1)[0])
    of_verb = _map()[verb]
    entries: dict[str, Any] = of_verb.get(name) or of_verb.get(_SAME.get(name, ""), {})
    return entries


def _is_mapped(measure: str) -> bool:
    return bool(_of_measure("assess", measure))


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
    """The measured map, and over it what was measured after it; read when first asked for."""
    first, more = (
        json.loads(files("heliast.estimates").joinpath(name).read_text(encoding="utf-8"))
        for name in ("coverage.json", "coverage_more.json")
    )
    for verb in ("assess", "compare"):
        for measure, designs in more[verb].items():
            first[verb].setdefault(measure, {}).update(designs)
    return {**first, "designs": sorted({*first["designs"], *more["designs"]})}
