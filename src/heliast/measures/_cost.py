"""What decisions cost, and what they are worth."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from heliast._core.costs import cost_matrix
from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._core.labels import Label
from heliast.measures._registry import measure
from heliast.measures.forms import BEYOND_PREVALENCES, FIXED, Blend, Form, Mean, Rate, Undefined
from heliast.measures.summaries import Cells, Contingency, Counted, GroupSums, Moments
from heliast.predictions import Rows

MANY_COSTS = 12


def _unlike(cost: object, classes: Sequence[Label]) -> Array:
    """The cost matrix, if decisions differ in what they cost."""
    matrix = cost_matrix(cost, classes)
    if not np.ptp(matrix):
        raise InputError(f"cost: every decision costs {matrix[0, 0]:g}: there is nothing to choose")
    return matrix


def _between_costs(classes: Sequence[Label], cost: object) -> tuple[float, float]:
    matrix = _unlike(cost, classes)
    return float(matrix.min()), float(matrix.max())


@measure(
    "expected_cost",
    better="low",
    bounds=(-np.inf, np.inf),
    within=_between_costs,
    panel=True,
    required=("cost",),
)
def expected_cost(counted: Counted, cost: object = None) -> Form:
    """Mean cost of a decision under a cost matrix, rows = true class, columns = label.

    >>> from heliast import Predictions, measures
    >>> table = Predictions.of([0, 1, 1], [1, 1, 0])
    >>> round(measures.get("expected_cost", cost=[[0, 1], [5, 0]]).of(table), 3)
    2.0
    """
    return priced(counted.contingency, _unlike(cost, counted.classes))


def priced(table: Contingency, matrix: Array) -> Form:
    """The mean of what each row costs, rows = true class, columns = label."""

    def losses(rows: Rows) -> Array:
        cost: Array = matrix[rows.truth, rows.label]
        return cost

    if table.by_class:
        form = _by_class(table, matrix, losses)
    else:
        form = Mean.of(table_moments(table, matrix), losses)
    return replace(form, blend=_blend(table, matrix)) if isinstance(form, Mean) else form


def _blend(table: Contingency, cost: Array) -> Blend | None:
    """The mean cost as a mix of rates: how often each cost is paid, but for the usual one.

    With class counts fixed by design: how often in each class. None for a row that costs many
    different amounts, as the limits of that many rates would add up to too much.
    """
    k = table.k
    parts = list(np.eye(k, dtype=bool)) if table.by_class else [np.ones(k, bool)]
    shares = [1.0] if table.prevalence is None else table.prevalence.tolist()
    weights: list[float] = []
    rates: list[Rate] = []
    constant = 0.0
    for share, rows in zip(shares, parts, strict=True):
        base = np.repeat(rows[:, None], k, axis=1)
        paid, place = np.unique(cost[base], return_inverse=True)
        usual = paid[np.argmax(np.bincount(place, weights=table.counts[base]))]
        constant += share * usual
        for amount in paid[paid != usual]:
            hits = Cells.of(base & (cost == amount))
            rate = Rate.of(table, hits, Cells.of(base), "no rows")
            if isinstance(rate, Rate) and share > 0:
                weights.append(share * float(amount - usual))
                rates.append(rate)
    return Blend(tuple(weights), tuple(rates), constant) if len(rates) <= MANY_COSTS else None


def table_moments(table: Contingency, value: Array) -> Moments:
    """The moments of a per-row value that depends on the cell only."""
    found = Moments.of(value.ravel(), table.counts.ravel())
    squares = table.n if table.heavy is None else float(table.heavy.sum())
    groups = None
    if table.clusters is not None:
        names, each = np.unique(table.clusters.group), value.ravel()[table.clusters.cell]
        groups = GroupSums(names, table.clusters.size, table.clusters.sums(each))
    return replace(found, weight_squares=squares, sampling=table.heavy is not None, groups=groups)


def _by_class(table: Contingency, value: Array, losses: Callable[[Rows], Array]) -> Form:
    if table.prevalence is None:
        return Undefined(FIXED)
    parts = [Moments.of(value[code], table.counts[code]) for code in range(table.k)]
    return Mean.of_strata(table.prevalence, parts, losses)


def _between_benefits(classes: Sequence[Label], threshold: object) -> tuple[float, float]:
    return -_price(threshold), 1.0


@measure(
    "net_benefit",
    better="high",
    bounds=(-np.inf, 1.0),
    within=_between_benefits,
    needs="probability",
    two_classes=True,
    required=("threshold",),
)
def net_benefit(counted: Counted, threshold: float | None = None) -> Form:
    """True positives less false positives at the exchange rate the threshold implies, per row.

    NB = TP/n - FP/n * t/(1-t) with positive where p >= t (Vickers and Elkin 2006).
    """
    price = _price(threshold)

    def values(rows: Rows) -> Array:
        code = 1 if rows.positive is None else rows.positive
        chosen = rows.score_of(code) >= threshold
        return np.where(chosen, np.where(rows.is_class(code) == 1, 1.0, -price), 0.0)

    rows = counted.rows
    if rows.design == "classes":
        return Undefined(BEYOND_PREVALENCES)
    # Two amounts are paid: as rates they have limits that hold with few positives, too.
    code = 1 if rows.positive is None else rows.positive
    decided = np.where(rows.score_of(code) >= threshold, code, 1 - code)
    table = Contingency.of(replace(rows, label=decided.astype(rows.label.dtype)))
    paid = np.zeros((2, 2))
    paid[code, code], paid[1 - code, code] = 1.0, -price
    return replace(Mean.of(table_moments(table, paid), values), blend=_blend(table, paid))


def _price(threshold: object) -> float:
    """What a false positive costs, in true positives."""
    if not isinstance(threshold, (int, float)) or not 0 < threshold < 1:
        raise InputError(f"net_benefit: threshold={threshold} must lie between 0 and 1")
    return threshold / (1 - threshold)
