"""How many independent rows the tests of a rate are worth, counted by row."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from heliast.estimates.resampled._case import Case
from heliast.measures.forms import Rate

Array = npt.NDArray[Any]
SHARED, ONCE, ALONE, GROUPED = 0.5, 0.2, 0.2, 0.2
"""What common training rows add: SHARED, ONCE more over the times a row is tested, ALONE more for
leave-one-out and its like, GROUPED more where rows come in groups. Chosen on simulated tasks and
checked on others: docs/coverage.md."""
MANY_FOLDS = 20
"""One repeat of more folds than this counts as leave-one-out: its models are all but the same."""


@dataclass(frozen=True)
class RowCounts:
    """What the tests of a rate show, row by row.

    `squares` is the sum over rows of the squared share of the tests that fall on a row, 1/n if all
    are tested alike. `ratio` is the variance of the rate that the rows' (or groups') mean outcomes
    show, relative to the binomial one: below 1 where a row goes now right, now wrong.
    """

    squares: float
    ratio: float


def effective_rows(
    counts: RowCounts, rows: float, tests: float, lone: bool, grouped: bool
) -> float:
    """1 / ((squares + a/n) f): a for common training rows, f for the spread over rows.

    a = 0.5 + 0.2/m, m the tests a row has on average, 0.2 more for leave-one-out and 0.2 more for
    groups. f = min(1, (1 + ratio)/2), with groups max(1, ratio).

    >>> round(effective_rows(RowCounts(1 / 200, 1.0), 200, tests=1, lone=False, grouped=False), 1)
    117.6
    """
    shared = SHARED + ONCE / max(1.0, tests) + ALONE * lone + GROUPED * grouped
    f = max(1.0, counts.ratio) if grouped else min(1.0, (1 + counts.ratio) / 2)
    return 1 / ((counts.squares + shared / rows) * f)


def worth_of_rows(case: Case, counts: RowCounts) -> float:
    """The rows that the tests of this design are worth."""
    design = case.design
    table = case.parts.whole
    counts_rows = table.weight is None or table.meta.weight_kind == "sampling"
    weight = np.ones(len(table)) if counts_rows else np.asarray(table.weight)
    tests = float(weight.sum()) / design.n
    single = design.folds and design.repeats == 1
    lone = single and design.splits > MANY_FOLDS
    return effective_rows(counts, design.rows, tests, lone, design.grouped)


def count_rows(case: Case, rates: list[Rate | None]) -> RowCounts:
    """Shares and outcomes of all rows; None among the rates is a repeat without one."""
    table = case.parts.whole
    used = [(names, rate) for names, rate in zip(case.parts.repeats, rates, strict=True) if rate]
    if table.row is None or any(rate.hits is None or rate.table.by_class for _, rate in used):
        return _unnamed(case)
    p = float(np.mean([rate.value for _, rate in used]))
    row, share, outcome, weight = (np.concatenate(part) for part in zip(*[
        _of_repeat(case, names, rate, p) for names, rate in used
    ], strict=True))  # fmt: skip
    _, first, place = np.unique(row, return_index=True, return_inverse=True)
    times = np.ones(first.size)
    if table.weight is not None and table.meta.weight_kind != "sampling":
        times = weight[first]  # a row of weight 2 is two rows
    squares = float((np.bincount(place, share) ** 2 / times).sum()) / len(used) ** 2
    sums = np.bincount(place, share * outcome) / len(used)
    if table.group is not None:
        group = np.concatenate([np.asarray(case.parts.table(names).group) for names, _ in used])
        code = np.unique(group, return_inverse=True)[1]
        sums, times = np.bincount(code, share * outcome) / len(used), np.ones(code.max() + 1)
    units = case.design.n if table.group is None else float(times.size)
    variance = float((sums**2 / times).sum()) * units / max(1.0, units - 1)
    trials = float(np.mean([rate.trials / rate.table.n for _, rate in used]))
    plain = p * (1 - p) * squares / trials
    if plain > 0:
        return RowCounts(squares, variance / plain)
    return RowCounts(squares, 1.0 if table.group is None else table.row.size / len(used) / units)


def _of_repeat(case: Case, names: Any, rate: Rate, p: float) -> tuple[Array, Array, Array, Array]:
    """Row names, share of the repeat's tests, influence on the rate, and weight of each test."""
    table = case.parts.table(names)
    weight = np.ones(len(table)) if table.weight is None else np.asarray(table.weight)
    assert rate.hits is not None
    assert rate.base is not None
    away = (rate.hits - p * rate.base) / rate.table.shares[rate.base].sum()
    outcome = away[table.truth, table.label]
    return np.asarray(table.row), weight / weight.sum(), outcome, weight


def _unnamed(case: Case) -> RowCounts:
    """Rows without names: as many tests of each as the design deals, on average."""
    design = case.design
    squares = 1 / design.rows
    if not design.folds:
        share = design.n_test / design.n
        squares *= 1 + (1 - share) / (design.splits * share)
    return RowCounts(squares, 1.0)
