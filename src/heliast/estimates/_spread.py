"""The variance of a measure to first order: from its influence per cell, per row, per group."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from heliast._core.derivative import table_gradient
from heliast._kernels.ranking import delong_variance, placements
from heliast.estimates._registry import Case
from heliast.measures.forms import Area, Blend, Curved, Mean, Rate, Smooth, Statistic
from heliast.predictions import Rows

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Spread:
    """A variance, the degrees of freedom of its t quantile (None: normal), or why there is none."""

    variance: float = float("nan")
    df: float | None = None
    reason: str = ""


def spread(case: Case) -> Spread:
    """The first-order variance of any form whose influence is known."""
    form, rows = case.form, case.rows
    if isinstance(form, (Rate, Curved, Blend, Smooth)):
        table = form.table
        return Spread(table.variance(table_gradient(form.function, table.shares)), table.df)
    if isinstance(form, Mean):
        return _mean_spread(form, rows)
    if isinstance(form, Area):
        if rows.group is None:
            return Spread(delong_variance(form.ranking.sums, form.ranking.sampling)[1])
        return rows_spread(rows, area_influence(form, rows))
    if isinstance(form, Statistic) and form.influence is not None:
        return rows_spread(rows, form.influence(rows))
    return Spread(reason=f"the influence of a row on {case.measure.name} is not known")


def _mean_spread(form: Mean, rows: Rows) -> Spread:
    if form.shares is None or form.losses is None or rows.group is None:
        return Spread(form.variance, form.df)
    # Groups hold rows of several classes: scale each class to its share, then sum by group.
    weight = np.ones(rows.n) if rows.weight is None else rows.weight
    sizes = np.bincount(rows.truth, weights=weight, minlength=form.shares.size)
    scale = form.shares * weight.sum() / np.where(sizes > 0, sizes, 1.0)
    centred = _within_classes(rows, form.losses(rows), weight)
    return rows_spread(rows, scale[rows.truth] * centred)


def area_influence(form: Area, rows: Rows) -> Array:
    """The influence of each row on AUC: its placement less AUC, over the share of its class."""
    own = rows.is_class(form.code)
    positive, negative = form.ranking.weights
    share = np.where(own == 1, positive, negative) / (positive + negative)
    influence: Array = placements(own, rows.score_of(form.code), rows.weight) - form.value
    return influence / share


def rows_spread(rows: Rows, influence: Array) -> Spread:
    """The variance of an estimate whose first-order influence per row is given.

    Sum over rows of w^2 psi^2 / n^2 (w psi^2 for counts); with groups their sums instead of rows,
    times G/(G-1); class counts fixed by design: psi less its mean in the class.
    """
    weight = np.ones(rows.n) if rows.weight is None else rows.weight
    psi = _within_classes(rows, influence, weight) if rows.design == "classes" else influence
    total = float(weight.sum())
    if rows.group is not None:
        place = np.unique(rows.group, return_inverse=True)[1]
        sums = np.bincount(place, weights=weight * psi)
        if sums.size < 2:
            return Spread(reason="one group has no spread")
        return Spread(
            sums.size / (sums.size - 1) * float((sums**2).sum()) / total**2, sums.size - 1.0
        )
    each = weight**2 if rows.weight_kind == "sampling" else weight
    return Spread(float((each * psi**2).sum()) / total**2)


def _within_classes(rows: Rows, influence: Array, weight: Array) -> Array:
    sizes = np.bincount(rows.truth, weights=weight)
    sums = np.bincount(rows.truth, weights=weight * influence)
    centred: Array = influence - (sums / np.where(sizes > 0, sizes, 1.0))[rows.truth]
    return centred
