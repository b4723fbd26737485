"""How many independent rows the tests of a rate are worth, counted by row."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from heliast.estimates.resampled._case import Case
from heliast.measures.forms import Rate
from heliast.summaries import Influence

Array = npt.NDArray[Any]
SHARED, ONCE, APART = 0.5, 0.2, 0.2
"""What common training rows add: SHARED, ONCE more over the times a row is tested, APART more for
leave-one-out and its like, and for groups. Chosen on simulated tasks and checked on others:
docs/coverage.md."""
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

    a = 0.5 + 0.2/m, m the tests a row has on average, 0.2 more for leave-one-out and for
    groups (once, if both). f = min(1, (1 + ratio)/2), with groups max(1, ratio).

    >>> round(effective_rows(RowCounts(1 / 200, 1.0), 200, tests=1, lone=False, grouped=False), 1)
    117.6
    """
    shared = SHARED + ONCE / max(1.0, tests) + APART * (lone or grouped)
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
    used = [rate for rate in rates if rate is not None]
    if table.row is None or any(rate.table.by_class for rate in used):
        return _unnamed(case)
    tests = case.parts.once("tests by row", lambda: _tests(case))
    p = float(np.mean([rate.value for rate in used]))
    share = tests.share * np.array([rate is not None for rate in rates])[tests.repeat] / len(used)
    squares = float((np.bincount(tests.row, share) ** 2 / tests.times).sum())
    outcome = share * _outcomes(case, rates, p, tests.repeat)
    units, times = case.design.n, tests.times
    if tests.group is not None:
        times = np.ones(int(tests.group.max()) + 1)
        units = float(times.size)
    sums = np.bincount(tests.row if tests.group is None else tests.group, outcome)
    variance = float((sums**2 / times).sum()) * units / max(1.0, units - 1)
    plain = p * (1 - p) * squares / float(np.mean([rate.trials / rate.table.n for rate in used]))
    if plain > 0:
        return RowCounts(squares, variance / plain)
    return RowCounts(squares, 1.0 if tests.group is None else tests.times.size / units)


@dataclass(frozen=True, eq=False)
class _Tests:
    """Per test: code of its row, repeat, share of the repeat's tests, group; per row: times.

    `times` is how many rows a row stands for: its weight, where weights are counts.
    """

    row: Array
    repeat: Array
    share: Array
    group: Array | None
    times: Array


def _tests(case: Case) -> _Tests:
    table = case.parts.whole
    first, row = _placed(np.asarray(table.row))
    names = sorted({one.repeat for one in case.parts.splits})
    place = {name: at for at, name in enumerate(names)}
    of_split = np.array([place.get(one.repeat, 0) for one in table.splits])
    repeat = np.zeros(len(table), np.int64)
    if table.split_code is not None:
        repeat = of_split[table.split_code]
    weight = np.ones(len(table)) if table.weight is None else np.asarray(table.weight, np.float64)
    counts = table.weight is not None and table.meta.weight_kind != "sampling"
    times = weight[first] if counts else np.ones(first.size)
    share = weight / np.bincount(repeat, weight)[repeat]
    group = None if table.group is None else np.unique(table.group, return_inverse=True)[1]
    return _Tests(row, repeat, share, group, times)


def _placed(names: Array) -> tuple[Array, Array]:
    """Where each different name stands first, and the number of each name among them."""
    if names.dtype.kind in "iu" and names.size:
        away = names.astype(np.int64) - int(names.min())
        if int(away.max()) < 4 * names.size:  # rows are mostly numbered: no need to sort
            first = np.full(int(away.max()) + 1, -1)
            first[away[::-1]] = np.arange(names.size)[::-1]
            there = first >= 0
            return first[there], (np.cumsum(there) - 1)[away]
    _, first, place = np.unique(names, return_index=True, return_inverse=True)
    return first, place


def _outcomes(case: Case, rates: list[Rate | None], p: float, repeat: Array) -> Array:
    """The influence of each test on its repeat's rate, around the value of all."""
    table = case.parts.whole
    one = next(rate for rate in rates if rate is not None)
    base = [1.0 if rate is None else float(rate.base.total(rate.table.shares)) for rate in rates]
    influence = Influence.of_share(one.hits, one.base, p, 1.0).table(one.base.k)
    found: Array = influence[table.truth, table.label] / np.array(base)[repeat]
    return found


def _unnamed(case: Case) -> RowCounts:
    """Rows without names: as many tests of each as the design deals, on average."""
    design = case.design
    squares = 1 / design.rows
    if not design.folds:
        share = design.n_test / design.n
        squares *= 1 + (1 - share) / (design.splits * share)
    return RowCounts(squares, 1.0)
