"""The variance of a measure to first order: from its influence per cell, per row, per group."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from heliast._core.clusters import adjusted, equal_groups
from heliast._kernels.ranking import delong_variance
from heliast.estimates._registry import Case
from heliast.estimates._scanned import area_squares, squares
from heliast.measures.forms import Area, Blend, Curved, Form, Mean, Rate, Smooth, Statistic
from heliast.predictions import Rows
from heliast.predictions.scan import ScannedRows

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
        return Spread(table.variance(form.gradient), table.df)
    if isinstance(form, Mean):
        return _mean_spread(form, rows)
    if isinstance(form, Area):
        return _area_spread(form, rows)
    if isinstance(form, Statistic) and form.influence is not None:
        if isinstance(rows, ScannedRows):
            return _scanned_spread(form, rows)
        return rows_spread(rows, form.influence(rows))
    return Spread(reason=f"the influence of a row on {case.measure.name} is not known")


def _area_spread(form: Area, rows: Rows) -> Spread:
    """DeLong's variance; with groups or sampling weights from each row's placement."""
    if rows.group is not None:
        return rows_spread(rows, form.influence(rows))
    if not form.sampling:
        return Spread(delong_variance(form.sums)[1])
    sums = form.sums
    sizes = sums.positive**2 / sums.positive2, sums.negative**2 / sums.negative2
    if min(sizes) <= 1:
        return Spread()
    factor = np.sqrt([size / (size - 1) for size in sizes])
    if isinstance(rows, ScannedRows):
        parts = area_squares(form, rows)
        heavy = sum(f**2 * part[1] for f, part in zip(factor, parts, strict=True))
        return Spread(float(heavy) / rows.weight_sum**2)
    own = rows.is_class(form.code) == 1
    return rows_spread(rows, form.influence(rows) * np.where(own, *factor))


def _mean_spread(form: Mean, rows: Rows) -> Spread:
    """By moments; from rows where groups cross classes, or weights may go with the losses."""
    sampling = rows.weight_kind == "sampling" and rows.group is None
    across = rows.group is not None and form.shares is not None
    if form.losses is None or not (sampling or across):
        return Spread(form.variance, form.df)
    if isinstance(rows, ScannedRows):
        found = _scanned_spread(form, rows)
    else:
        found = rows_spread(rows, mean_influence(form, rows))
    if across:
        return found
    # Such weights make the mean vary more than their own spread tells.
    least = form.n_effective / max(1.0, form.n_effective - 1) * found.variance
    return Spread(max(form.variance, least), form.df)


def _scanned_spread(form: Mean | Statistic, rows: ScannedRows) -> Spread:
    plain, heavy = squares(form, rows)
    return Spread((heavy if rows.weight_kind == "sampling" else plain) / rows.weight_sum**2)


def mean_influence(form: Mean, rows: Rows) -> Array:
    """The influence of each row on a mean; classes with given shares are scaled to those."""
    assert form.losses is not None
    losses = form.losses(rows)
    if form.shares is None:
        centred: Array = losses - form.value
        return centred
    weight = np.ones(rows.n) if rows.weight is None else rows.weight
    sizes = np.bincount(rows.truth, weights=weight, minlength=form.shares.size)
    scale = form.shares * weight.sum() / np.where(sizes > 0, sizes, 1.0)
    scaled: Array = scale[rows.truth] * _within_classes(rows, losses, weight)
    return scaled


def row_influence(form: Form, rows: Rows) -> Array | None:
    """The first-order influence of each row, with mean zero; None where it is not known.

    Class counts fixed by design: what a row adds within its class, scaled to given shares.
    """
    if isinstance(form, Mean):
        return None if form.losses is None else mean_influence(form, rows)
    scale = np.ones(1)
    if isinstance(form, (Rate, Curved, Blend, Smooth)):
        psi, table = form.gradient[rows.truth, rows.label], form.table
        if table.prevalence is not None:
            size = np.where(table.actual > 0, table.actual, 1.0)
            scale = (table.prevalence * table.n / size)[rows.truth]
    elif isinstance(form, (Area, Statistic)) and form.influence is not None:
        psi = form.influence(rows)
    else:
        return None
    weight = np.ones(rows.n) if rows.weight is None else rows.weight
    if rows.design == "classes":
        within: Array = scale * _within_classes(rows, psi, weight)
        return within
    centred: Array = psi - np.average(psi, weights=weight)
    return centred


def unit_sums(rows: Rows, influence: Array) -> Array:
    """The influence of each unit that varies on its own: a row times its weight, or a group."""
    heavy = influence if rows.weight is None else influence * rows.weight
    if rows.group is None:
        return heavy
    return np.bincount(np.unique(rows.group, return_inverse=True)[1], weights=heavy)


def rows_spread(rows: Rows, influence: Array) -> Spread:
    """The variance of an estimate whose first-order influence per row is given."""
    found, df = rows_covariance(rows, influence[None])
    return Spread(float(found[0, 0]), df)


def rows_covariance(rows: Rows, influences: Array) -> tuple[Array, float | None]:
    """Covariances of m estimates whose influences per row are given as (m, n), and their df.

    Sum over rows of w^2 psi psi' / n^2 (w psi psi' for counts); with groups their sums instead of
    rows (see `adjusted`); class counts fixed by design: psi less its mean in the class.
    """
    weight = np.ones(rows.n) if rows.weight is None else rows.weight
    by_class = rows.design == "classes"
    psi = np.stack([_within_classes(rows, p, weight) if by_class else p for p in influences])
    total = float(weight.sum())
    if rows.group is not None:
        place = np.unique(rows.group, return_inverse=True)[1]
        size = np.bincount(place, weights=weight)
        sums = np.stack([np.bincount(place, weights=weight * each) for each in psi])
        sums = adjusted(sums, size)
        return sums @ sums.T / total**2, equal_groups(size) - 1.0
    each = weight if rows.weight_kind == "sampling" else np.sqrt(weight)
    part = psi * each
    return part @ part.T / total**2, None


def _within_classes(rows: Rows, influence: Array, weight: Array) -> Array:
    sizes = np.bincount(rows.truth, weights=weight)
    sums = np.bincount(rows.truth, weights=weight * influence)
    centred: Array = influence - (sums / np.where(sizes > 0, sizes, 1.0))[rows.truth]
    return centred
