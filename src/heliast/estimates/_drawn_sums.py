"""Replicates of means and of functions of means: sums over units drawn with replacement."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from heliast._kernels.bootstrap import feature_replicates
from heliast.estimates._drawn import Drawn
from heliast.measures.forms import Mean, Statistic
from heliast.predictions import Rows

Array = npt.NDArray[Any]
Combine = Callable[[Array], Array]
"""Means (..., m) to values (...)."""


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
        own = rows.truth == code
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
    own = rows.truth[:, None] == codes

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
