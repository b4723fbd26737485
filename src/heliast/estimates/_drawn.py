"""Replicates of a measure: rows, groups or rows within classes, drawn again with replacement.

Confusion matrices are drawn whole, means as sums over what is drawn, ranks by how often a row is
drawn; everything else is computed again from the drawn rows.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

import numpy as np

from heliast._core.kinds import Array
from heliast._kernels.bootstrap import (
    feature_replicates,
    rank_rows,
    ranked_replicates,
    table_replicates,
)
from heliast.estimates._registry import Case
from heliast.estimates._spread import acceleration, is_sampled, skewness, units_of, weights_of
from heliast.measures.forms import Area, Mean, Statistic, TableForm
from heliast.measures.summaries import Contingency
from heliast.predictions import Rows

Combine = Callable[[Array], Array]
"""Means (..., m) to values (...)."""
BLOCK = 1 << 23  # most numbers held at a time (64 MB)
ALL_LEFT_OUT, BLOCKS = 300, 100


def draws(case: Case) -> Array:
    """Replicates of the case's measure."""
    form, rows = case.form, case.rows
    if isinstance(form, TableForm):
        return _table_draws(form, rows, case)
    if _is_ranked(form):
        return _rank_draws(case)
    if isinstance(form, Mean) and form.losses is not None:
        if form.shares is not None:
            return again_draws(rows, partial(_mean_of_classes, form), case.replicates, case.seed)
        return _sum_draws(form.losses(rows)[:, None], lambda means: means[..., 0], case)
    assert isinstance(form, Statistic)
    if form.parts is not None and form.of_parts is not None:
        return _sum_draws(form.parts(rows), form.of_parts, case)
    return again_draws(rows, form.again, case.replicates, case.seed)


def acceleration_of(case: Case) -> float:
    """The acceleration for BCa: from influences, or by leaving out rows where they are unknown."""
    form = case.form
    if isinstance(form, Statistic) and form.psi is None:
        return acceleration(left_out(case.rows, form.again))
    return skewness(case) / 6


def expanded(rows: Rows) -> Rows:
    """Rows of frequency weight w as w rows, in an order that does not depend on the file's.

    So a row of weight 2 and the row twice are the same to the bit, as are shuffled rows.
    """
    if rows.weight is not None and rows.weight_kind == "frequency":
        rows = rows.at(np.repeat(np.arange(rows.n), rows.weight.astype(np.intp)))
        rows = replace(rows, weight=None, weight_kind=None)
    keys = [] if rows.scores is None else list(np.atleast_2d(rows.scores.T))
    keys += [key for key in (rows.weight, rows.y_pred, rows.y_true) if key is not None]
    return rows.at(np.lexsort(keys))


def times_drawn(rows: Rows, replicates: int, seed: int) -> Iterator[Array]:
    """How often each row is drawn: rows, whole groups, or rows within classes of fixed counts."""
    rng = np.random.default_rng(seed)
    unit = (
        np.arange(rows.n) if rows.group is None else np.unique(rows.group, return_inverse=True)[1]
    )
    units = int(unit.max()) + 1
    strata = [np.arange(units)]
    if rows.design == "classes":
        strata = [np.flatnonzero(rows.y_true == code) for code in np.unique(rows.y_true)]
    for _ in range(replicates):
        drawn = [part[rng.integers(part.size, size=part.size)] for part in strata]
        yield np.bincount(np.concatenate(drawn), minlength=units)[unit]


# --- any statistic, from rows ---------------------------------------------------------------------


def again_draws(rows: Rows, again: Callable[[Rows], float], replicates: int, seed: int) -> Array:
    """Any statistic, computed again from the rows drawn."""
    rows = expanded(rows)
    every = np.arange(rows.n)
    with np.errstate(divide="ignore", invalid="ignore"):
        values = [
            float(again(rows.at(np.repeat(every, times))))
            for times in times_drawn(rows, replicates, seed)
        ]
    return np.array(values)


def left_out(rows: Rows, again: Callable[[Rows], float]) -> Array:
    """The mean of leave-one-out values less each: exact up to 300 units, else by 100 blocks."""
    rows = expanded(rows)
    unit = (
        np.arange(rows.n) if rows.group is None else np.unique(rows.group, return_inverse=True)[1]
    )
    units = int(unit.max()) + 1
    if units > ALL_LEFT_OUT:
        block = np.empty(units, np.intp)
        block[np.random.default_rng(0).permutation(units)] = np.arange(units) * BLOCKS // units
        unit, units = block[unit], BLOCKS
    with np.errstate(divide="ignore", invalid="ignore"):
        values = np.array([float(again(rows.at(unit != at))) for at in range(units)])
    defined = values[~np.isnan(values)]
    return np.asarray((defined.mean() if defined.size else np.nan) - values)


def _mean_of_classes(form: Mean, rows: Rows) -> float:
    assert form.losses is not None
    assert form.shares is not None
    weight = weights_of(rows)
    sizes = np.bincount(rows.y_true, weight, form.shares.size)
    sums = np.bincount(rows.y_true, weight * form.losses(rows), form.shares.size)
    held = form.shares > 0
    return float(form.shares[held] @ (sums[held] / sizes[held]))


# --- functions of the confusion matrix: whole matrices drawn at once ------------------------------


def _table_draws(form: TableForm, rows: Rows, case: Case) -> Array:
    """Replicates of a table function, without touching a row where rows are all alike."""
    table, replicates, seed = form.table, case.replicates, case.seed
    k = table.k
    if table.groups is not None:
        units = np.zeros((table.groups.shape[0], k * k))
        units[:, table.rows * k + table.columns] = table.groups.toarray()
        return _on_tables(form, feature_replicates(units, replicates, seed))
    if table.squares is not None:
        cell = rows.y_true.astype(np.intp) * k + rows.y_pred
        drawn = times_drawn(rows, replicates, seed)
        tables = [np.bincount(cell, times * rows.weight, k * k) for times in drawn]
        return _on_tables(form, np.array(tables))
    return _on_tables(form, multinomial_tables(table, replicates, seed))


def multinomial_tables(table: Contingency, replicates: int, seed: int) -> Array:
    """Tables (replicates, k*k) with the given total, or with the given total in each class."""
    parts = list(table.counts) if table.by_class else [table.counts]
    drawn = [table_replicates(part, replicates, seed + code) for code, part in enumerate(parts)]
    return np.concatenate(drawn, axis=1).astype(np.float64)


def _on_tables(form: TableForm, flat: Array) -> Array:
    """The values of flattened tables, reweighted to the given prevalences if there are any."""
    table = form.table
    values = np.empty(len(flat))
    block = max(1, BLOCK // flat.shape[1])
    for start in range(0, len(flat), block):
        tables = flat[start : start + block].reshape(-1, table.k, table.k)
        with np.errstate(divide="ignore", invalid="ignore"):
            if table.prevalence is not None:
                tables = tables / tables.sum(axis=2, keepdims=True) * table.prevalence[:, None]
            values[start : start + block] = form.function(tables)
    return values


# --- ranks: sort once, then only count how often a row is drawn -----------------------------------


def _is_ranked(form: object) -> bool:
    """Whether this is an AUC or average precision, or a mean of them over classes."""
    if isinstance(form, Statistic) and form.mix:
        return all(_is_ranked(part) for _, part in form.mix)
    return isinstance(form, Area) or (isinstance(form, Statistic) and form.precision_of is not None)


def _rank_draws(case: Case) -> Array:
    form = case.form
    if isinstance(form, Statistic) and form.mix:
        # The same seed draws the same rows for each class.
        parts = [weight * _rank_draws(replace(case, form=part)) for weight, part in form.mix]
        return np.asarray(np.sum(parts, axis=0))
    rows, of_area = expanded(case.rows), isinstance(form, Area)
    code = form.code if isinstance(form, Area) else case.formed(Statistic).precision_of
    assert code is not None
    if rows.weight is not None or rows.design == "classes":
        return _ranked_by_row(rows, code, of_area, case)
    group = None if rows.group is None else units_of(rows)
    ranked = rank_rows(rows.is_class(code), rows.score_of(code), group=group)
    drawn = ranked_replicates(ranked, case.replicates, case.seed, not of_area)
    if not of_area:
        return np.asarray(drawn.average_precision)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(drawn.wins / (drawn.positive * drawn.negative))


def _ranked_by_row(rows: Rows, code: int, of_area: bool, case: Case) -> Array:
    """Replicates where rows have weights, or classes are drawn each on its own."""
    rows = rows.at(np.argsort(-rows.score_of(code), kind="stable"))
    own = rows.is_class(code).astype(bool)
    ends = np.flatnonzero(np.diff(rows.score_of(code), append=np.inf))
    weight = 1.0 if rows.weight is None else rows.weight
    values = []
    for times in times_drawn(rows, case.replicates, case.seed):
        tp = np.cumsum(times * weight * own)[ends]
        fp = np.cumsum(times * weight * ~own)[ends]
        gain = np.diff(tp, prepend=0.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            if of_area:
                wins = np.diff(fp, prepend=0.0) @ (tp - gain / 2)
                values.append(wins / (tp[-1] * fp[-1]))
            else:
                precision = np.where(gain > 0, tp / (tp + fp), 0.0)
                values.append(gain @ precision / tp[-1])
    return np.array(values)


# --- functions of means: sums over what is drawn --------------------------------------------------


def _sum_draws(columns: Array, combine: Combine, case: Case) -> Array:
    """Replicates of a function of weighted means of columns (n, m)."""
    sums = feature_replicates(_units(columns, case.rows), case.replicates, case.seed)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(combine(sums[..., :-1] / sums[..., -1:]))


def _units(columns: Array, rows: Rows) -> Array:
    """What is drawn: rows (of weight w: w rows, or one row with that weight), or whole groups.

    The last column is the weight. Sorted, so that the order of the rows does not matter.
    """
    weight, units = weights_of(rows), np.column_stack([columns, np.ones(rows.n)])
    if rows.group is not None:
        place = units_of(rows)
        return np.column_stack([np.bincount(place, weight * column) for column in units.T])
    if is_sampled(rows):
        units = units * weight[:, None]
    else:
        units = np.repeat(units, weight.astype(np.intp), axis=0)
    return units[np.lexsort(units.T)]
