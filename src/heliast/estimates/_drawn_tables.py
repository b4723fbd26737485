"""Replicates of functions of the contingency table: whole tables drawn at once."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from heliast._kernels.bootstrap import feature_replicates, table_replicates
from heliast.estimates._drawn import Drawn
from heliast.measures.forms import TableForm, TableFunction
from heliast.measures.summaries import Contingency
from heliast.predictions import Rows

Array = npt.NDArray[Any]

_NUMBERS = 1 << 23
"""Most numbers held at a time (64 MB)."""


def table_draws(form: TableForm, rows: Rows, replicates: int, seed: int) -> Drawn:
    """Replicates of a table function, without touching a row where rows are all alike."""
    table = form.table
    value = _on_tables(form.function, table)
    if table.clusters is not None:
        units = table.clusters.tables(table.k**2)
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
    pairs = np.column_stack([rows.truth.astype(np.float64) * k + rows.label, rows.weight])
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
