"""The variance and skewness of a measure to first order, from what varies independently.

Groups, weights, class counts fixed by design, order of time and tables too large for memory enter
here (and in the forms of measures), so that no interval method asks for them.
"""

from dataclasses import dataclass, replace
from functools import partial
from math import isnan, nan, sqrt

import numpy as np

from heliast._core.clusters import adjusted, equal_groups, sizes
from heliast._core.kinds import Array
from heliast._core.notes import Note
from heliast._core.times import long_run
from heliast._kernels.ranking import delong_variance
from heliast._kernels.streaming import StreamSums
from heliast.estimates._registry import Case
from heliast.measures.forms import Area, Form, Mean, Statistic, TableForm
from heliast.measures.summaries import Counted, Moments
from heliast.measures.summaries.ranking import ScannedRanking
from heliast.predictions import Rows
from heliast.predictions.scan import ScannedRows, refuse

DOMINATED = 0.35
TOO_FEW = "too few rows to estimate a variance"
Squares = tuple[float, float]
"""Sums over rows of w psi^2 and w^2 psi^2, psi the influence of a row."""


@dataclass(frozen=True)
class Spread:
    """A variance, the degrees of freedom of its t quantile (None: normal), or why there is none."""

    variance: float = nan
    df: float | None = None
    reason: str = ""


def spread(case: Case) -> Spread:
    """The first-order variance of any form whose influence is known."""
    form, rows = case.form, case.rows
    if isinstance(form, TableForm):
        return Spread(form.table.variance(form.by_cell), form.table.df)
    if isinstance(form, Area):
        return _area_spread(form, rows)
    if isinstance(form, Mean):
        return _mean_spread(form, rows)
    if not isinstance(form, Statistic) or form.psi is None:
        return Spread(reason=f"the influence of a row on {case.measure.name} is not known")
    if isinstance(rows, ScannedRows):
        return Spread(squares(form, rows)[is_sampled(rows)] / rows.weight_sum**2)
    return rows_spread(rows, form.psi(rows))


def is_sampled(rows: Rows) -> bool:
    """Whether weights are inverse chances of being sampled, not counts of rows."""
    return rows.weight_kind == "sampling"


def in_units(rows: Rows) -> bool:
    """Whether what varies is groups, or rows of unequal weight."""
    return rows.group is not None or is_sampled(rows)


def _area_spread(form: Area, rows: Rows) -> Spread:
    """DeLong's variance; with groups or sampling weights from each row's placement."""
    if rows.group is not None:
        return rows_spread(rows, form.psi(rows))
    if not form.sampling:
        return Spread(delong_variance(form.sums)[1])
    sums = form.sums
    worth = sums.positive**2 / sums.positive2, sums.negative**2 / sums.negative2
    if min(worth) <= 1:
        return Spread()
    factor = [size / (size - 1) for size in worth]
    if isinstance(rows, ScannedRows):
        parts = _area_squares(form, rows)
        heavy = sum(f * part[1] for f, part in zip(factor, parts, strict=True))
        return Spread(float(heavy) / rows.weight_sum**2)
    own = rows.is_class(form.code) == 1
    return rows_spread(rows, form.psi(rows) * np.where(own, *np.sqrt(factor)))


def _mean_spread(form: Mean, rows: Rows) -> Spread:
    """By moments; from rows where groups cross classes, or weights may go with the losses."""
    across = rows.group is not None and form.shares is not None
    if form.losses is None or not (across or (rows.group is None and is_sampled(rows))):
        return Spread(form.variance, form.df)
    if across:
        return rows_spread(rows, form.psi(rows))
    # Such weights make the mean vary more than their own spread tells.
    heavy = squares(form, rows)[1] / rows.weight_sum**2
    least = heavy * form.n_effective / max(1.0, form.n_effective - 1)
    return Spread(max(form.variance, least), form.df)


def rows_spread(rows: Rows, influence: Array) -> Spread:
    """The variance of an estimate whose first-order influence per row is given."""
    covariance, df = rows_covariance(rows, influence[None])
    return Spread(float(covariance[0, 0]), df)


def rows_covariance(rows: Rows, influences: Array) -> tuple[Array, float | None]:
    """Covariances of m estimates whose influences per row are given as (m, n), and their df.

    Sum over rows of w^2 psi psi' / n^2 (w psi psi' for counts); with groups their sums instead of
    rows (see `adjusted`), in order of time `long_run` units of these; class counts fixed by design:
    psi less its mean in the class.
    """
    weight = weights_of(rows)
    psi = influences
    if rows.design == "classes":
        psi = np.stack([_within_classes(rows, part) for part in influences])
    total = float(weight.sum())
    if rows.group is None:
        part = psi * (weight if is_sampled(rows) else np.sqrt(weight))
        return part @ part.T / total**2, None
    sums = np.stack([unit_sums(rows, part) for part in psi])
    if rows.design == "time":
        units, df = long_run(sums)
        return units @ units.T / total**2, df
    size = sizes(rows.group, rows.weight)
    sums = adjusted(sums, size)
    return sums @ sums.T / total**2, equal_groups(size) - 1.0


def weights_of(rows: Rows) -> Array:
    """The weight of each row, 1 without weights."""
    return np.ones(rows.n) if rows.weight is None else np.asarray(rows.weight, np.float64)


def units_of(rows: Rows) -> Array:
    """The number of the unit that varies on its own: of the row, or of its group."""
    if rows.group is None:
        return np.arange(rows.n)
    return np.asarray(np.unique(rows.group, return_inverse=True)[1])


def _within_classes(rows: Rows, influence: Array) -> Array:
    weight = weights_of(rows)
    size = np.bincount(rows.y_true, weights=weight)
    sums = np.bincount(rows.y_true, weights=weight * influence)
    return np.asarray(influence - (sums / np.where(size > 0, size, 1.0))[rows.y_true])


def row_influence(form: Form, rows: Rows) -> Array | None:
    """The first-order influence of each row, with mean zero; None where it is not known.

    Class counts fixed by design: what a row adds within its class, scaled to given shares.
    """
    if isinstance(form, TableForm):
        weight = weights_of(rows)
        return form.influence(rows) / np.where(weight > 0, weight, 1.0)
    psi = _psi(form, rows)
    if psi is None or isinstance(form, Mean):
        return psi
    if rows.design == "classes":
        return _within_classes(rows, psi)
    return np.asarray(psi - np.average(psi, weights=weights_of(rows)))


def _psi(form: Form, rows: Rows) -> Array | None:
    """The influence of each row as the form has it, up to a constant."""
    if isinstance(form, TableForm):
        return form.at(rows.y_true, rows.y_pred)
    if isinstance(form, Mean):
        return None if form.losses is None else form.psi(rows)
    if isinstance(form, (Area, Statistic)) and form.psi is not None:
        return form.psi(rows)
    return None


def unit_sums(rows: Rows, influence: Array) -> Array:
    """The influence of each unit that varies on its own: a row times its weight, or a group."""
    return np.bincount(units_of(rows), influence * weights_of(rows))


# --- skewness ----------------------------------------------------------------------------------


def acceleration(nudges: Array, times: Array | None = None) -> float:
    """Skewness of the influences over 6: sum d^3 / (6 (sum d^2)^1.5), each counted `times`.

    `nudges` are influence values, or the mean of the leave-one-out values less each of them.
    """
    known = np.isfinite(nudges)
    known = known if times is None else known & (times > 0)
    d = nudges[known]
    squared = d * d if times is None else times[known] * d * d
    square = float(squared.sum())
    return float((squared * d).sum()) / (6 * square**1.5) if square > 0 else 0.0


def dominated(skewness: float) -> tuple[str, ...]:
    """What to say when few rows (or groups) decide a value: r alone make its skewness 1/sqrt(r)."""
    if abs(skewness) <= DOMINATED:
        return ()
    text = "a few rows decide most of this value: the interval may be too short"
    return (Note(text, "few decide"),)


def skewness(case: Case) -> float:
    """The skewness of the estimate itself, sum u^3 / (sum u^2)^1.5 over rows or groups u.

    0 where the influence of a row is not known, or only from all rows of a scanned table together.
    With given class shares a scanned table is refused.
    """
    form, rows = case.form, case.rows
    if isinstance(form, Mean) and not in_units(rows) and form.shares is None:
        return loss_skewness(case) / sqrt(form.n_effective)
    if isinstance(form, TableForm) and not in_units(rows):
        table, by_cell = form.table, form.by_cell
        centred = (by_cell - table.centre(by_cell)[table.level]) * table.factor[table.rows]
        return 6 * acceleration(centred, table.count)
    if isinstance(rows, ScannedRows):
        return _skewness_of_parts(form, rows)
    psi = row_influence(form, rows)
    if psi is None:
        return 0.0
    if rows.group is None and not is_sampled(rows):
        return 6 * acceleration(psi, weights_of(rows))
    units = unit_sums(rows, psi)
    if rows.group is not None:
        units = adjusted(units, sizes(rows.group, rows.weight))
    return 6 * acceleration(units)


def loss_skewness(case: Case) -> float:
    """The skewness of what is averaged: row losses, or their sums by group."""
    form, rows = case.form, case.rows
    assert isinstance(form, Mean)
    if rows.group is not None and form.losses is not None:
        return skewness(case) * sqrt(np.unique(rows.group).size)
    if isnan(form.skewness) and form.losses is not None and not isinstance(rows, ScannedRows):
        losses = form.losses(rows)  # so large that their cubes overflow
        losses = losses / np.abs(losses).max()
        return Moments.of(losses, rows.weight, sampling=is_sampled(rows)).skewness
    return form.skewness


def _skewness_of_parts(form: Form, rows: ScannedRows) -> float:
    """In one pass over the parts of a scanned table, from sums of w^i psi^j."""
    if isinstance(form, Area) or (isinstance(form, Statistic) and rows.task != "regression"):
        return 0.0
    if isinstance(form, Mean) and form.shares is not None:
        refuse()  # a part does not know the class sizes of all rows
    sums = np.zeros((4, 4))
    for part in rows.chunks():
        psi, weight = _psi(form, part), weights_of(part)
        if psi is None:
            return 0.0
        counts = weight > 0
        powers = np.vander(psi[counts], 4, increasing=True)
        sums += np.vander(weight[counts], 4, increasing=True).T @ powers
    centre = sums[1, 1] / sums[1, 0]
    second, third = (sums[2], sums[3]) if is_sampled(rows) else (sums[1], sums[1])
    square = second @ [centre**2, -2 * centre, 1.0, 0.0]
    cube = third @ [-(centre**3), 3 * centre**2, -3 * centre, 1.0]
    return float(cube / square**1.5) if square > 0 else 0.0


# --- how many independent rows -----------------------------------------------------------------


def effective_rows(case: Case) -> float:
    """n times the variance of independent rows over the variance of the design; at most n.

    Without spread, or where the influence of a row is not known: the number of groups, or
    (sum w)^2 / sum w^2 for sampling weights.
    """
    rows = case.rows
    if not in_units(rows):
        return rows.weight_sum
    most = rows.weight_sum**2 / rows.weight_squares if is_sampled(rows) else rows.weight_sum
    plain, design = _variances(case)
    if plain > 0 and design > 0:
        return min(most, rows.weight_sum * plain / design)
    return most if rows.group is None else min(most, float(np.unique(rows.group).size))


def class_sizes(case: Case) -> tuple[float, float]:
    """Positives and negatives behind an area: rows, or (sum w)^2 / sum w^2 of sampling weights."""
    form = case.formed(Area)
    sums = form.sums
    if form.sampling:
        return sums.positive**2 / sums.positive2, sums.negative**2 / sums.negative2
    return sums.positive, sums.negative


def _variances(case: Case) -> tuple[float, float]:
    """The variance as if rows were independent and of one weight, and that of the design."""
    form, rows = case.form, case.rows
    if isinstance(form, TableForm):
        alike = form.table.as_independent()
        return alike.variance(form.by_cell), form.table.variance(form.by_cell)
    if isinstance(rows, ScannedRows) and isinstance(form, (Mean, Area, Statistic)):
        plain, heavy = squares(form, rows)
        return plain / rows.weight_sum**2, heavy / rows.weight_sum**2
    psi = _psi(form, rows)
    if psi is None:
        return 0.0, 0.0
    single = replace(rows, group=None, weight_kind="frequency")
    return rows_spread(single, psi).variance, rows_spread(rows, psi).variance


# --- sums of squared influences, without all rows at once ----------------------------------------


def squares(form: Mean | Area | Statistic, rows: Rows) -> Squares:
    """The squared influences of all rows, where a pass over parts or sorted scores gives them."""
    if not isinstance(rows, ScannedRows):
        return _squares_of_parts(form, rows)
    if isinstance(form, Area):
        parts = _area_squares(form, rows)
        return sum(part[0] for part in parts), sum(part[1] for part in parts)
    if isinstance(form, Statistic) and form.precision_of is not None:
        return _streamed(rows, form.precision_of).precision
    if rows.design == "classes" or (isinstance(form, Mean) and form.losses is None):
        refuse()
    if isinstance(form, Statistic) and (form.mix or rows.task != "regression"):
        refuse()  # such influences need the order of all rows
    key = ("squares", form.value, type(form))
    return rows.once(key, partial(_squares_of_parts, form, rows))


def _squares_of_parts(form: Mean | Area | Statistic, rows: Rows) -> Squares:
    plain = heavy = 0.0
    for part in rows.chunks():
        psi = _psi(form, part)
        if psi is None:
            refuse()
        weight = weights_of(part)
        plain += float(weight @ psi**2)
        heavy += float(weight**2 @ psi**2)
    return plain, heavy


def _area_squares(form: Area, rows: ScannedRows) -> tuple[Squares, Squares]:
    """Of the class and of the rest: (V - AUC)^2, over the squared share of their rows."""
    stream = _streamed(rows, form.code)
    sums = stream.merge
    total = sums.positive + sums.negative
    own, rest = (total / sums.positive) ** 2, (total / sums.negative) ** 2
    return (
        (own * sums.spread_positive, own * stream.place2[0]),
        (rest * sums.spread_negative, rest * stream.place2[1]),
    )


def _streamed(rows: ScannedRows, code: int) -> StreamSums:
    ranking = Counted(rows).ranking(code)
    assert isinstance(ranking, ScannedRanking)
    return ranking.streamed
