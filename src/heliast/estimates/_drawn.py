"""Replicates of a measure: tables, sums over units, ranks or rows, drawn again with replacement."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from heliast._core.kinds import Array
from heliast._kernels.bootstrap import (
    feature_replicates,
    rank_rows,
    ranked_replicates,
    table_replicates,
)
from heliast.estimates._registry import Case
from heliast.estimates._spread import unit_sums
from heliast.measures.forms import Area, Mean, Statistic, TableForm, TableFunction
from heliast.measures.summaries import Contingency
from heliast.predictions import Rows

Combine = Callable[[Array], Array]
"""Means (..., m) to values (...)."""
Which = Literal["auc", "average_precision"]
_NUMBERS = 1 << 23
"""Most numbers held at a time (64 MB)."""


@dataclass(frozen=True, eq=False)
class Drawn:
    """Replicate values, and the influences (each counted `times`) that give the acceleration."""

    values: Array
    nudges: Array
    times: Array | None = None


def expanded(rows: Rows) -> Rows:
    """Rows of frequency weight w as w rows, in an order that does not depend on the file's.

    So a row of weight 2 and the row twice are the same to the bit, as are shuffled rows.
    """
    if rows.weight is not None and rows.weight_kind == "frequency":
        rows = replace(rows.at(np.repeat(np.arange(rows.n), rows.weight.astype(np.intp))))
        rows = replace(rows, weight=None, weight_kind=None)
    keys = [] if rows.scores is None else list(np.atleast_2d(rows.scores.T))
    keys += [key for key in (rows.weight, rows.y_pred, rows.y_true) if key is not None]
    return rows.at(np.lexsort(keys))


def left_out(value: Callable[[Array], float], units: int) -> Array:
    """The mean of leave-one-out values less each: exact up to 300 units, else by 100 blocks."""
    if units <= 300:
        values = np.array([value(np.array([i])) for i in range(units)])
    else:
        blocks = np.array_split(np.random.default_rng(0).permutation(units), 100)
        values = np.array([value(block) for block in blocks])
    defined = values[~np.isnan(values)]
    nudges: Array = (defined.mean() if defined.size else np.nan) - values
    return nudges


def draws(case: Case) -> Drawn:
    """Replicates of the case's measure."""
    form, rows, replicates, seed = case.form, case.rows, case.replicates, case.seed
    if isinstance(form, TableForm):
        return table_draws(form, rows, replicates, seed)
    if isinstance(form, Mean):
        return mean_draws(form, rows, replicates, seed)
    ranks = _rank_draws(case)
    if ranks is not None:
        return ranks
    assert isinstance(form, Statistic)
    if form.parts is not None:
        return parts_draws(form, rows, replicates, seed)
    return again_draws(rows, form.again, replicates, seed)


def _rank_draws(case: Case) -> Drawn | None:
    """Replicates of AUC, average precision, or a mean of them over classes, drawn together."""
    form, rest = case.form, (case.replicates, case.seed)
    if isinstance(form, Area):
        return rank_draws("auc", case.rows, form.code, form.psi, *rest)
    assert isinstance(form, Statistic)
    if form.precision_of is not None and form.psi is not None:
        code, influence = form.precision_of, form.psi
        return rank_draws("average_precision", case.rows, code, influence, *rest)
    parts = []
    for weight, part in form.mix:
        if not isinstance(part, Area) and part.precision_of is None:
            return None
        found = _rank_draws(replace(case, form=part))
        assert found is not None
        parts.append((weight, found))
    if not parts:
        return None
    # The same seed draws the same rows for each class.
    values = np.sum([weight * found.values for weight, found in parts], axis=0)
    return Drawn(values, np.sum([weight * found.nudges for weight, found in parts], axis=0))


# --- any statistic, from rows ---------------------------------------------------------------------


def again_draws(rows: Rows, again: Callable[[Rows], float], replicates: int, seed: int) -> Drawn:
    """Any statistic, computed again from rows (or whole groups) drawn with replacement."""
    rows = expanded(rows)
    rng = np.random.default_rng(seed)
    members = _members(rows)
    strata = _strata(rows)
    values = np.empty(replicates)
    for number in range(replicates):
        if members is None:
            drawn = np.concatenate(
                [part[rng.integers(part.size, size=part.size)] for part in strata]
            )
        else:
            drawn = np.concatenate(
                [members[i] for i in rng.integers(len(members), size=len(members))]
            )
        values[number] = _defined(again, rows.at(drawn))

    def without(units: Array) -> float:
        keep = np.ones(rows.n, bool)
        keep[units if members is None else np.concatenate([members[i] for i in units])] = False
        return _defined(again, rows.at(keep))

    return Drawn(values, left_out(without, rows.n if members is None else len(members)))


def _defined(again: Callable[[Rows], float], rows: Rows) -> float:
    with np.errstate(divide="ignore", invalid="ignore"):
        return float(again(rows))


def _members(rows: Rows) -> list[Array] | None:
    if rows.group is None:
        return None
    order = np.argsort(rows.group, kind="stable")
    borders = np.flatnonzero(np.diff(rows.group[order])) + 1
    return np.split(order, borders)


def _strata(rows: Rows) -> list[Array]:
    if rows.design != "classes":
        return [np.arange(rows.n)]
    return [np.flatnonzero(rows.y_true == code) for code in np.unique(rows.y_true)]


# --- functions of the contingency table: whole tables drawn at once -------------------------------


def table_draws(form: TableForm, rows: Rows, replicates: int, seed: int) -> Drawn:
    """Replicates of a table function, without touching a row where rows are all alike."""
    table = form.table
    value = _on_tables(form.function, table)
    if table.groups is not None:
        units = np.zeros((table.groups.shape[0], table.k**2))
        units[:, table.rows * table.k + table.columns] = table.groups.toarray()
        sums = feature_replicates(units, replicates, seed)
        return Drawn(value(sums), _nudges(value, table, units))
    if table.squares is not None:
        return _weighted_draws(value, table, rows, replicates, seed)
    values = value(multinomial_tables(table.counts, table.by_class, replicates, seed))
    cells = np.flatnonzero(table.counts)
    return Drawn(
        values, _nudges(value, table, _one_hot(cells, table.k)), table.counts.ravel()[cells]
    )


def multinomial_tables(counts: Array, by_class: bool, replicates: int, seed: int) -> Array:
    """Tables (replicates, k*k) with the given total, or with the given total in each class."""
    if not by_class:
        return _tables(counts, replicates, seed)
    parts = [_tables(row, replicates, seed + code) for code, row in enumerate(counts)]
    return np.concatenate(parts, axis=1)


def _tables(counts: Array, replicates: int, seed: int) -> Array:
    return table_replicates(counts, replicates, seed).astype(np.float64)


def _weighted_draws(
    value: Callable[[Array], Array], table: Contingency, rows: Rows, replicates: int, seed: int
) -> Drawn:
    """Rows of equal cell and equal weight are alike: draw how many of each kind."""
    assert rows.weight is not None
    k = table.k
    pairs = np.column_stack([rows.y_true.astype(np.float64) * k + rows.y_pred, rows.weight])
    kinds, times = np.unique(pairs, axis=0, return_counts=True)
    cell, weight = kinds[:, 0].astype(np.intp), kinds[:, 1]
    strata = (cell // k) if table.by_class else np.zeros(cell.size, np.intp)
    starts = np.flatnonzero(np.diff(cell, prepend=-1))
    tables = np.zeros((replicates, k * k))
    block = max(1, _NUMBERS // cell.size)
    for start in range(0, replicates, block):
        stop = min(start + block, replicates)
        parts = [
            _tables(times[strata == code], stop - start, seed + start * k + int(code))
            for code in np.unique(strata)
        ]
        sums = np.add.reduceat(np.concatenate(parts, axis=1) * weight, starts, axis=1)
        tables[start:stop, cell[starts]] = sums
    nudges = _nudges(value, table, _one_hot(cell, k) * weight[:, None])
    return Drawn(value(tables), nudges, times.astype(np.float64))


def _one_hot(cells: Array, k: int) -> Array:
    units = np.zeros((cells.size, k * k))
    units[np.arange(cells.size), cells] = 1.0
    return units


def _on_tables(function: TableFunction, table: Contingency) -> Callable[[Array], Array]:
    """The function of flattened tables, reweighted to the given prevalences if there are any."""
    k = table.k

    def value(flat: Array) -> Array:
        out = np.empty(len(flat))
        block = max(1, _NUMBERS // flat.shape[1])
        for start in range(0, len(flat), block):
            tables = flat[start : start + block].reshape(-1, k, k)
            with np.errstate(divide="ignore", invalid="ignore"):
                if table.prevalence is not None:
                    tables = tables / tables.sum(axis=2, keepdims=True)
                    tables = tables * table.prevalence[:, None]
                out[start : start + block] = function(tables)
        return out

    return value


def _nudges(value: Callable[[Array], Array], table: Contingency, units: Array) -> Array:
    """The full value less the values without one unit: what the unit adds."""
    total = table.counts.ravel()
    out = np.empty(len(units))
    block = max(1, _NUMBERS // total.size)
    for start in range(0, len(units), block):
        out[start : start + block] = value(total - units[start : start + block])
    nudges: Array = value(total[None, :])[0] - out
    return nudges


# --- ranks: sort once, then only count how often a row is drawn -----------------------------------


def rank_draws(
    which: Which,
    rows: Rows,
    code: int,
    influence: Callable[[Rows], Array],
    replicates: int,
    seed: int,
) -> Drawn:
    """Replicates of a rank measure of one class; rows, groups or classes are what is drawn."""
    rows = expanded(rows)
    nudges = unit_sums(rows, influence(rows))
    if rows.weight is not None or rows.design == "classes":
        return Drawn(_ranked_in_numpy(which, rows, code, replicates, seed), nudges)
    group = None if rows.group is None else np.unique(rows.group, return_inverse=True)[1]
    ranked = rank_rows(rows.is_class(code), rows.score_of(code), group=group)
    found = ranked_replicates(ranked, replicates, seed, which == "average_precision")
    if which == "average_precision":
        return Drawn(found.average_precision, nudges)
    with np.errstate(divide="ignore", invalid="ignore"):
        return Drawn(found.wins / (found.positive * found.negative), nudges)


def _ranked_in_numpy(which: Which, rows: Rows, code: int, replicates: int, seed: int) -> Array:
    """Replicates when rows have weights, or classes are drawn each on its own."""
    rows = rows.at(np.argsort(-rows.score_of(code), kind="stable"))
    own = rows.is_class(code).astype(bool)
    ends = np.flatnonzero(np.diff(rows.score_of(code), append=np.inf))
    values = np.empty(replicates)
    block = max(1, _NUMBERS // (2 * rows.n))
    times = _drawn_times(rows, np.random.default_rng(seed))
    for start in range(0, replicates, block):
        stop = min(start + block, replicates)
        drawn = times(stop - start)
        if rows.weight is not None:
            drawn = drawn * rows.weight
        values[start:stop] = _rank_values(which, drawn, own, ends)
    return values


def _drawn_times(rows: Rows, rng: np.random.Generator) -> Callable[[int], Array]:
    """How often each row is drawn in each of some replicates: (replicates, n)."""
    if rows.group is not None:
        place = np.unique(rows.group, return_inverse=True)[1]
        groups = int(place.max()) + 1
        return lambda count: _counts(rng, groups, count)[:, place]
    if rows.design != "classes":
        return lambda count: _counts(rng, rows.n, count)
    strata = [np.flatnonzero(rows.y_true == code) for code in np.unique(rows.y_true)]

    def by_class(count: int) -> Array:
        drawn = np.empty((count, rows.n))
        for part in strata:
            drawn[:, part] = _counts(rng, part.size, count)
        return drawn

    return by_class


def _counts(rng: np.random.Generator, units: int, replicates: int) -> Array:
    """Multiplicities (replicates, units) of units drawn with replacement."""
    drawn = rng.integers(units, size=(replicates, units))
    drawn += np.arange(replicates)[:, None] * units
    flat = np.bincount(drawn.ravel(), minlength=replicates * units)
    return flat.reshape(replicates, units).astype(np.float64)


def _rank_values(which: Which, drawn: Array, own: Array, ends: Array) -> Array:
    """The measure of replicates given as weights of rows in descending order of score."""
    tp = np.cumsum(drawn * own, axis=1)[:, ends]
    fp = np.cumsum(drawn * ~own, axis=1)[:, ends]
    gain = np.diff(tp, axis=1, prepend=0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        if which == "auc":
            wins = (np.diff(fp, axis=1, prepend=0.0) * (tp - gain / 2)).sum(axis=1)
            area: Array = wins / (tp[:, -1] * fp[:, -1])
            return area
        precision = np.where(gain > 0, tp / (tp + fp), 0.0)
        mean: Array = (gain * precision).sum(axis=1) / tp[:, -1]
        return mean


# --- means and functions of means: sums over units ------------------------------------------------


def mean_draws(form: Mean, rows: Rows, replicates: int, seed: int) -> Drawn:
    """Replicates of a mean of row losses; each class on its own when its shares are given."""
    assert form.losses is not None
    losses = form.losses(rows)[:, None]
    if form.shares is None:
        return sum_draws(losses, lambda means: means[..., 0], rows, replicates, seed)
    if rows.group is not None:
        return _grouped_strata(losses, form.shares, rows, replicates, seed)
    value, nudges = np.zeros(replicates), []
    for code, share in enumerate(form.shares):
        own = rows.y_true == code
        if share > 0:
            part = sum_draws(
                losses[own], lambda means: means[..., 0], rows.at(own), replicates, seed + code
            )
            value += share * part.values
            nudges.append(share * part.nudges)
    return Drawn(value, np.concatenate(nudges))


def _grouped_strata(losses: Array, shares: Array, rows: Rows, replicates: int, seed: int) -> Drawn:
    """Groups hold rows of several classes, so the classes' means are drawn together."""
    codes = np.flatnonzero(shares > 0)
    own = rows.y_true[:, None] == codes

    def combine(means: Array) -> Array:
        share: Array = means[..., : codes.size] / means[..., codes.size :]
        return share @ shares[codes]

    return sum_draws(np.hstack([losses * own, own]), combine, rows, replicates, seed)


def parts_draws(form: Statistic, rows: Rows, replicates: int, seed: int) -> Drawn:
    """Replicates of a statistic that is a function of means over rows."""
    assert form.parts is not None
    assert form.of_parts is not None
    return sum_draws(form.parts(rows), form.of_parts, rows, replicates, seed)


def sum_draws(columns: Array, combine: Combine, rows: Rows, replicates: int, seed: int) -> Drawn:
    """Replicates of a function of weighted means of columns (n, m)."""
    units = _units(columns, rows)

    def value(sums: Array) -> Array:
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(combine(sums[..., :-1] / sums[..., -1:]))

    values = value(feature_replicates(units, replicates, seed))
    return Drawn(values, value(units.sum(axis=0)) - value(units.sum(axis=0) - units))


def _units(columns: Array, rows: Rows) -> Array:
    """What is drawn: rows (of weight w: w rows, or one row with that weight), or whole groups.

    The last column is the weight. Sorted, so that the order of the rows does not matter.
    """
    weight = np.ones(rows.n) if rows.weight is None else rows.weight
    counted = rows.weight_kind == "frequency"
    units = np.column_stack([columns, np.ones(rows.n) if counted else weight])
    if rows.group is not None:
        place = np.unique(rows.group, return_inverse=True)[1]
        heavy = np.column_stack([columns, np.ones(rows.n)]) * weight[:, None]
        return np.column_stack([np.bincount(place, weights=column) for column in heavy.T])
    if counted:
        units = np.repeat(units, weight.astype(np.intp), axis=0)
    else:
        units[:, :-1] *= weight[:, None]
    return units[np.lexsort(units.T)]
