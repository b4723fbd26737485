"""The variance of a measure to first order: from its influence per cell, per row, per group."""

from dataclasses import dataclass, replace

import numpy as np

from heliast._core.clusters import adjusted, equal_groups
from heliast._core.kinds import Array
from heliast._core.notes import Note
from heliast._core.times import long_run
from heliast._kernels.ranking import delong_variance
from heliast._kernels.streaming import StreamSums
from heliast.estimates._registry import Case
from heliast.measures.forms import Area, Form, Mean, Statistic, TableForm
from heliast.measures.summaries import Counted
from heliast.measures.summaries.ranking import ScannedRanking
from heliast.predictions import Rows
from heliast.predictions.scan import ScannedRows, refuse

Squares = tuple[float, float]
"""The sums over rows of w psi^2 and w^2 psi^2, psi the influence of a row."""
DOMINATED = 0.35


@dataclass(frozen=True)
class Spread:
    """A variance, the degrees of freedom of its t quantile (None: normal), or why there is none."""

    variance: float = float("nan")
    df: float | None = None
    reason: str = ""


def spread(case: Case) -> Spread:
    """The first-order variance of any form whose influence is known."""
    form, rows = case.form, case.rows
    if isinstance(form, TableForm):
        return Spread(form.table.variance(form.by_cell), form.table.df)
    if isinstance(form, Mean):
        return _mean_spread(form, rows)
    if isinstance(form, Area):
        return _area_spread(form, rows)
    if isinstance(form, Statistic) and form.psi is not None:
        if isinstance(rows, ScannedRows):
            return _scanned_spread(form, rows)
        return rows_spread(rows, form.psi(rows))
    return Spread(reason=f"the influence of a row on {case.measure.name} is not known")


def _area_spread(form: Area, rows: Rows) -> Spread:
    """DeLong's variance; with groups or sampling weights from each row's placement."""
    if rows.group is not None:
        return rows_spread(rows, form.psi(rows))
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
    return rows_spread(rows, form.psi(rows) * np.where(own, *factor))


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
    sizes = np.bincount(rows.y_true, weights=weight, minlength=form.shares.size)
    scale = form.shares * weight.sum() / np.where(sizes > 0, sizes, 1.0)
    scaled: Array = scale[rows.y_true] * _within_classes(rows, losses, weight)
    return scaled


def row_influence(form: Form, rows: Rows) -> Array | None:
    """The first-order influence of each row, with mean zero; None where it is not known.

    Class counts fixed by design: what a row adds within its class, scaled to given shares.
    """
    weight = np.ones(rows.n) if rows.weight is None else rows.weight
    if isinstance(form, TableForm):
        return form.influence(rows) / np.where(weight > 0, weight, 1.0)
    psi = _influence(form, rows)
    if psi is None or isinstance(form, Mean):
        return psi
    if rows.design == "classes":
        return _within_classes(rows, psi, weight)
    centred: Array = psi - np.average(psi, weights=weight)
    return centred


def _influence(form: Form, rows: Rows) -> Array | None:
    """The influence of each row as the form has it."""
    if isinstance(form, Mean):
        return None if form.losses is None else mean_influence(form, rows)
    if isinstance(form, TableForm):
        return form.at(rows.y_true, rows.y_pred)
    if isinstance(form, (Area, Statistic)) and form.psi is not None:
        return form.psi(rows)
    return None


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
    rows (see `adjusted`), in order of time `long_run` units of these; class counts fixed by design:
    psi less its mean in the class.
    """
    weight = np.ones(rows.n) if rows.weight is None else rows.weight
    by_class = rows.design == "classes"
    psi = np.stack([_within_classes(rows, p, weight) if by_class else p for p in influences])
    total = float(weight.sum())
    if rows.group is not None:
        place = np.unique(rows.group, return_inverse=True)[1]
        size = np.bincount(place, weights=weight)
        sums = np.stack([np.bincount(place, weights=weight * each) for each in psi])
        if rows.design == "time":
            units, df = long_run(sums)
            return units @ units.T / total**2, df
        sums = adjusted(sums, size)
        return sums @ sums.T / total**2, equal_groups(size) - 1.0
    each = weight if rows.weight_kind == "sampling" else np.sqrt(weight)
    part = psi * each
    return part @ part.T / total**2, None


def _within_classes(rows: Rows, influence: Array, weight: Array) -> Array:
    sizes = np.bincount(rows.y_true, weights=weight)
    sums = np.bincount(rows.y_true, weights=weight * influence)
    centred: Array = influence - (sums / np.where(sizes > 0, sizes, 1.0))[rows.y_true]
    return centred


def acceleration(nudges: Array, times: Array | None = None) -> float:
    """Skewness of the influences over 6: sum d^3 / (6 (sum d^2)^1.5), each counted `times`.

    `nudges` are influence values, or the mean of the leave-one-out values less each of them.
    """
    known = np.isfinite(nudges)
    known = known if times is None else known & (times > 0)
    d = nudges[known]
    squares = d * d if times is None else times[known] * d * d
    square = float(squares.sum())
    return float((squares * d).sum()) / (6 * square**1.5) if square > 0 else 0.0


def dominated(lean: float) -> tuple[str, ...]:
    """What to say when few rows (or groups) decide a value: r alone make its lean 1/sqrt(r).

    The lean is the skewness of the value itself, six times the acceleration.
    """
    if abs(lean) <= DOMINATED:
        return ()
    said = "a few rows decide most of this value: the interval may be too short"
    return (Note(said, "few decide"),)


# --- what rows are worth ----------------------------------------------------------------------


def rows_of_worth(case: Case) -> float:
    """n times the variance of independent rows over the variance of the design; at most n.

    Without spread, or where the influence of a row is not known: the number of groups, or
    (sum w)^2 / sum w^2 for sampling weights.
    """
    rows = case.rows
    sampling = rows.weight_kind == "sampling"
    if rows.group is None and not sampling:
        return rows.weight_sum
    most = rows.weight_sum
    if sampling:
        most = rows.weight_sum**2 / rows.weight_squares
    plain, design = _variances(case)
    if plain > 0 and design > 0:
        return min(most, rows.weight_sum * plain / design)
    return most if rows.group is None else min(most, float(np.unique(rows.group).size))


def _variances(case: Case) -> tuple[float, float]:
    """The variance as if rows were independent and of one weight, and that of the design."""
    form = case.form
    if isinstance(form, TableForm):
        alike = form.table.as_independent()
        return alike.variance(form.by_cell), form.table.variance(form.by_cell)
    if isinstance(case.rows, ScannedRows) and isinstance(form, (Mean, Area, Statistic)):
        plain, heavy = squares(form, case.rows)
        return plain / case.rows.weight_sum**2, heavy / case.rows.weight_sum**2
    influence = _influence(form, case.rows)
    if influence is None:
        return 0.0, 0.0
    single = replace(case.rows, group=None, weight_kind="frequency")
    return rows_spread(single, influence).variance, rows_spread(case.rows, influence).variance


# --- scanned tables: sums of squared influences, without the rows -----------------------------


def squares(form: Mean | Area | Statistic, rows: ScannedRows) -> Squares:
    """The squared influences of all rows, where a pass over chunks or sorted scores gives them."""
    if isinstance(form, Area):
        parts = area_squares(form, rows)
        return sum(part[0] for part in parts), sum(part[1] for part in parts)
    if isinstance(form, Statistic) and form.precision_of is not None:
        return _streamed(rows, form.precision_of).precision
    return rows.once(("squares", form.value, type(form)), lambda: _of_chunks(form, rows))


def area_squares(form: Area, rows: ScannedRows) -> tuple[Squares, Squares]:
    """Of the class and of the rest: (V - AUC)^2, over the squared share of their rows."""
    found = _streamed(rows, form.code)
    sums = found.merge
    total = sums.positive + sums.negative
    own, rest = (total / sums.positive) ** 2, (total / sums.negative) ** 2
    return (
        (own * sums.spread_positive, own * found.place2[0]),
        (rest * sums.spread_negative, rest * found.place2[1]),
    )


def _streamed(rows: ScannedRows, code: int) -> StreamSums:
    ranking = Counted(rows).ranking(code)
    assert isinstance(ranking, ScannedRanking)
    return ranking.streamed


def _of_chunks(form: Mean | Statistic, rows: ScannedRows) -> Squares:
    if rows.design == "classes" or (isinstance(form, Mean) and form.shares is not None):
        refuse()
    if isinstance(form, Statistic) and (form.mix or rows.task != "regression"):
        refuse()  # such influences need the order of all rows
    plain = heavy = 0.0
    for chunk in rows.chunks():
        psi = chunk_influence(form, chunk, rows)
        weight = np.ones(chunk.n) if chunk.weight is None else chunk.weight
        plain += float((weight * psi**2).sum())
        heavy += float((weight**2 * psi**2).sum())
    return plain, heavy


def chunk_influence(form: Form, chunk: Rows, rows: Rows) -> Array:
    """The influence of the rows of a chunk of these rows, as the form has it."""
    if isinstance(form, Statistic) and form.psi is None:
        refuse()
    if isinstance(form, Mean):
        if form.losses is None:
            refuse()
        centred: Array = form.losses(chunk) - form.value
        return centred
    found = _influence(form, chunk)
    assert found is not None
    return found
