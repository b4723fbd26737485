"""Replicates of a measure: tables, sums over units, or rows, drawn again with replacement."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from heliast.predictions import Rows

Array = npt.NDArray[Any]


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
    keys += [key for key in (rows.weight, rows.label, rows.truth) if key is not None]
    return rows.at(np.lexsort(keys))


def left_out(value: Callable[[Array], float], units: int) -> Array:
    """The mean of leave-one-out values less each: exact up to 300 units, else by 100 blocks."""
    if units <= 300:
        values = np.array([value(np.array([i])) for i in range(units)])
    else:
        blocks = np.array_split(np.random.default_rng(0).permutation(units), 100)
        values = np.array([value(block) for block in blocks])
    nudges: Array = np.nanmean(values) - values
    return nudges


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
    return [np.flatnonzero(rows.truth == code) for code in np.unique(rows.truth)]
