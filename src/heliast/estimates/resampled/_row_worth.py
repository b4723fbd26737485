"""How many independent rows the tests of a rate are worth, counted by row."""

from dataclasses import dataclass

import numpy as np

from heliast._core.kinds import Array
from heliast.estimates.resampled._case import Case
from heliast.measures.forms import (
    ALL,
    Area,
    Form,
    Mean,
    Rate,
    Statistic,
    Undefined,
)

SHARED, ONCE, APART = 0.5, 0.2, 0.2
"""What common training rows add: SHARED, ONCE more over the times a row is tested, APART more for
leave-one-out and its like, and for groups. Chosen on simulated tasks and checked on others:
docs/coverage.md."""
DECIDED, ORDER, ALARMS = 0.8, 0.3, 2.0
"""What a class of hardly any rows adds to measures of labels, of the order of scores, and to the
error and losses where that class is said twice as often as it occurs, or more."""
RARE = 0.16
"""What the last adds where that class is rare: so much of away / (share (1 - share)), as the false
alarms of a class of n_1 rows vary like 1/n_1, and no longer like 1/n (docs/coverage.md)."""
REDRAWN = 0.8
"""How much measures lean on a class where models train on resamples, however even classes are: what
one class loses the other wins, the more the models vary; rates within a class as much as false
alarms (docs/coverage.md)."""
OFTEN, VALUES = 1.25, 20
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


@dataclass(frozen=True)
class Lean:
    """How much a measure leans on a class that has few rows, from 0 (none) to 1.

    Where a threshold is learned, it moves with the rows of the smaller class. The error hardly
    notices, as what one class loses the other wins, but recall, F, kappa and the like do, and in
    every split alike, so that no repeat evens it out. `weight` is how much that adds.
    """

    share: float = 0.0
    weight: float = 0.0


BALANCED = Lean()


def lean_of(case: Case, form: Form) -> Lean:
    """1 - k share of the smallest class (for a rate within a class: of that class), at least 0.

    The error, and losses of forecasts, lean only as far as the smallest class is said more often
    than it occurs, as models do that were trained to weigh classes alike: their mistakes are then
    mostly false alarms, and how many there are hangs on the few rows of that class.
    """
    rows = case.parts.pooled.rows
    if rows.task != "classification" or isinstance(form, Undefined):
        return BALANCED
    sizes = rows.class_sizes(weighted=rows.weight is not None)
    there = np.flatnonzero(sizes > 0)
    rarest = int(there[sizes[there].argmin()])

    least = REDRAWN if case.design.kind == "bootstrap" else 0.0

    def away(code: int) -> float:
        return max(least, 1 - there.size * float(sizes[code] / sizes.sum()))

    share = float(sizes[rarest] / sizes.sum())
    said = _said(case, rarest)
    often = said / share if said < 1 else 0.0  # who says it always has learned nothing
    alarms = away(rarest) * min(1.0, max(0.0, (often - OFTEN) / (2 - OFTEN)))
    of_alarms = Lean(alarms, max(ALARMS, RARE * away(rarest) / (share * (1 - share or 1.0))))
    if isinstance(form, (Area, Statistic)):
        return Lean(away(rarest), ORDER)
    if isinstance(form, Rate) and form.within_class:
        code = form.base.code or 0
        own = away(code if form.base.row > 0 else 1 - code)
        return Lean(own, ALARMS if least else DECIDED) if own > 0 else of_alarms
    if isinstance(form, Rate) and form.base is not ALL:
        return BALANCED  # a share of what was said, as precision: it hardly moves
    if isinstance(form, (Rate, Mean)):
        return of_alarms
    return Lean(away(rarest), DECIDED)


def _said(case: Case, code: int) -> float:
    """The share of tests said to be of a class: by forecasts, where losses are judged by these."""
    rows = case.parts.pooled.rows
    if case.measure.needs != "probability":
        return float(np.mean(rows.y_pred == code))
    scores = np.asarray(rows.scores)
    if scores.ndim > 1:
        return float(scores[:, code].mean())
    positive = 1 if rows.positive is None else rows.positive
    return float(np.mean(scores if code == positive else 1 - scores))


def effective_rows(
    counts: RowCounts, rows: float, tests: float, lone: bool, grouped: bool, lean: Lean = BALANCED
) -> float:
    """1 / ((squares + a/n) f): a for common training rows, f for the spread over rows.

    a = 0.5 + 0.2/m, m the tests a row has on average, 0.2 more for leave-one-out and for
    groups (once, if both), and more for measures that lean on a small class (`lean_of`).
    f = min(1, (1 + ratio)/2), nearer to 1 the more it leans, with groups max(1, ratio).

    >>> round(effective_rows(RowCounts(1 / 200, 1.0), 200, tests=1, lone=False, grouped=False), 1)
    117.6
    """
    shared = SHARED + ONCE / max(1.0, tests) + APART * (lone or grouped)
    shared += lean.weight * lean.share
    even = min(1.0, (1 + counts.ratio) / 2)
    f = max(1.0, counts.ratio) if grouped else even + (1 - even) * lean.share
    return 1 / ((counts.squares + shared / rows) * f)


def worth_of_rows(case: Case, counts: RowCounts, form: Form) -> float:
    """The rows that the tests of this design are worth."""
    design = case.design
    table = case.parts.whole
    if untrained(case):
        return 1 / (counts.squares * (max(1.0, counts.ratio) if design.grouped else 1.0))
    counts_rows = table.weight is None or table.meta.weight_kind == "sampling"
    weight = np.ones(len(table)) if counts_rows else np.asarray(table.weight)
    tests = float(weight.sum()) / design.n
    single = design.folds and design.repeats == 1
    lone = single and design.splits > MANY_FOLDS
    return effective_rows(counts, design.rows, tests, lone, design.grouped, lean_of(case, form))


def shared_training(case: Case) -> float:
    """What common training rows add to the variance of a difference, relative to that of its rows.

    Only where false alarms decide (`lean_of`): elsewhere the spread over splits shows enough.
    """
    lean = lean_of(case, case.form(*case.parts.pools[0]))
    if lean.weight < ALARMS or untrained(case):
        return 0.0
    return lean.share * (lean.weight + SHARED + ONCE)


def untrained(case: Case) -> bool:
    """Whether rows tested several times had the same scores each time: the model learns nothing.

    Needs scores of many values, as a few values may agree by chance.
    """
    return case.parts.once("untrained", lambda: _untrained(case))


def _untrained(case: Case) -> bool:
    table = case.parts.whole
    if table.row is None or table.scores is None or case.design.repeats < 2:
        return False
    first, place = _placed(np.asarray(table.row))
    scores = np.asarray(table.scores)
    many = np.unique(scores[:1000]).size >= VALUES
    return many and first.size < len(table) and bool((scores == scores[first][place]).all())


@dataclass(frozen=True)
class Judged:
    """What all tests are worth: `variance` for a unit spread, and that over independent tests'.

    `ratio` as in `RowCounts`, `rows` the independent rows that would have that variance.
    """

    variance: float
    factor: float
    ratio: float

    @property
    def rows(self) -> float:
        return 1 / self.variance


def judged(case: Case, psi: Array | None) -> Judged:
    """f (S + a/n), and the same over T, the sum of the squared shares of all tests.

    With groups the interval of one test set knows their spread already, so f is that of groups in
    both and falls out.
    """
    tests = case.parts.once("tests by row", lambda: _tests(case))
    counts = _unnamed(case) if tests is None else _row_counts(case, psi, tests)
    pieces = case.parts.alone if case.measure.over == "splits" else [case.parts.pools[0]]
    forms = (case.form(*((one,) if isinstance(one, (int, str)) else one)) for one in pieces)
    form = next((form for form in forms if not isinstance(form, Undefined)), Undefined("nowhere"))
    variance = 1 / min(case.design.rows, worth_of_rows(case, counts, form))
    if case.design.grouped:
        return Judged(variance, variance / (counts.squares * max(1.0, counts.ratio)), counts.ratio)
    if tests is None:
        apart = 1 / sum(len(part) for part in case.parts.alone.values())
    else:
        share = tests.share / tests.repeats
        apart = float((share**2 / tests.times[tests.row]).sum())
    return Judged(variance, variance / apart, counts.ratio)


def _row_counts(case: Case, psi: Array | None, tests: "_Tests") -> RowCounts:
    share = tests.share / tests.repeats
    squares = float((np.bincount(tests.row, share) ** 2 / tests.times).sum())
    if psi is None:
        return RowCounts(squares, 1.0)
    known = np.where(np.isfinite(psi), psi, 0.0)
    square = float((share * known**2).sum())
    if not square > 0:
        return RowCounts(squares, 1.0)
    units, times = tests.row, tests.times
    if tests.group is not None:
        units, times = tests.group, np.ones(int(tests.group.max()) + 1)
    sums = np.bincount(units, share * known)
    return RowCounts(squares, float((sums**2 / times).sum()) / (square * squares))


def count_rows(case: Case, rates: list[Rate | None]) -> RowCounts:
    """Shares and outcomes of all rows; None among the rates is a repeat without one."""
    used = [rate for rate in rates if rate is not None]
    tests = case.parts.once("tests by row", lambda: _tests(case))
    if tests is None or any(rate.table.by_class for rate in used):
        return _unnamed(case)
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
    repeats: int


def _tests(case: Case) -> _Tests | None:
    """None where rows have no names."""
    table = case.parts.whole
    if table.row is None:
        return None
    first, row = _placed(np.asarray(table.row))
    pools = case.parts.pools
    place = {name: at for at, names in enumerate(pools) for name in names}
    of_split = np.array([place.get(name, 0) for name in table.splits.names])
    repeat = np.zeros(len(table), np.int64)
    if table.split_code is not None:
        repeat = of_split[table.split_code]
    weight = np.ones(len(table)) if table.weight is None else np.asarray(table.weight, np.float64)
    counts = table.weight is not None and table.meta.weight_kind != "sampling"
    # A weight of 0 is no row: it has no share either, so that it counts nowhere.
    times = np.where(weight[first] > 0, weight[first], 1.0) if counts else np.ones(first.size)
    share = weight / np.bincount(repeat, weight)[repeat]
    group = None if table.group is None else np.unique(table.group, return_inverse=True)[1]
    return _Tests(row, repeat, share, group, times, len(pools))


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
    base = [1.0 if rate is None else rate.trials / rate.table.n for rate in rates]
    hits, among = (
        cells.at(table.y_true, table.y_pred) + cells.all for cells in (one.hits, one.base)
    )
    found: Array = (hits.astype(float) - p * among) / np.array(base)[repeat]
    return found


def _unnamed(case: Case) -> RowCounts:
    """Rows without names: as many tests of each as the design deals, on average."""
    design = case.design
    squares = 1 / design.rows
    if not design.folds:
        share = design.n_test / design.n
        squares *= 1 + (1 - share) / (design.splits * share)
    return RowCounts(squares, 1.0)
