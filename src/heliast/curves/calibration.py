"""The calibration curve: what happened against what was forecast."""

from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._core.labels import Label
from heliast._core.level import check_level
from heliast._core.proportions import clopper_pearson_limits
from heliast._core.times import long_run
from heliast._kernels.ranking import curve, split_sorted
from heliast.curves.bands import CalibrationBand, calibration_band
from heliast.curves.rows import Chosen, Record, Source, choose, kept
from heliast.measures.summaries import forecasts
from heliast.predictions import Rows

Bins = Literal["width", "count"]


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Calibration(Record):
    """Per bin of the forecast that holds rows: mean forecast, share of outcomes, their limits.

    The measure `ece` takes the noise out of `error`.

    Parameters
    ----------
    forecast : array
        The mean forecast of each bin.
    outcome : array
        The share of outcomes in each bin.
    low, high : array
        Limits of that share.
    edges : array
        The low and high edge of each bin.
    weight : array
        The rows of each bin.
    effective : array
        The independent rows they are worth.
    error : float
        The mean over rows of |outcome - forecast| by bin, noise included.
    level : float
        The confidence level.
    bins : {'width', 'count'}
        Bins of equal width, or of about equal numbers.
    isotonic : array, optional
        Corners (forecast, fitted) of the best rising curve.
    band : CalibrationBand, optional
        Limits for the whole curve, or None.
    method : str
        How limits were made.
    class_ : object
        The class against the rest.
    model : str
        The model.
    notes : tuple of str
        Caveats.

    Examples
    --------
    >>> from heliast import Predictions
    >>> calibration(Predictions.of([1, 0, 1, 1], y_score=[0.9, 0.2, 0.8, 0.3])).method
    'Clopper-Pearson'
    """

    forecast: Array
    outcome: Array
    low: Array
    high: Array
    edges: Array
    weight: Array
    effective: Array
    error: float
    level: float
    bins: Bins
    isotonic: Array | None = None
    band: CalibrationBand | None = None
    method: str = "Clopper-Pearson"
    class_: Label | None = None
    model: str = ""
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        outside = int(((self.forecast < self.low) | (self.forecast > self.high)).sum())
        words = f"mean |outcome - forecast| {self.error:.4g} in {self.forecast.size} bins"
        return self._said(f"{words}, {outside} of them beyond their {self.level:.0%} limits")


def calibration(
    predictions: Source,
    class_: Label | None = None,
    model: str | None = None,
    *,
    bins: int = 10,
    by: Bins = "width",
    level: float = 0.95,
    isotonic: bool = False,
    band: bool = False,
    split: int | str | None = None,
    pool: bool = False,
    prevalence: float | None = None,
) -> Calibration:
    """Whether a forecast of 70% comes true in 70% of the cases.

    Rows are put in bins of the forecast, of equal width or (`by="count"`) of about equal numbers;
    rows with equal forecasts share a bin. Limits are Clopper-Pearson's for the share of outcomes
    given the forecasts; each bin is covered at `level` on its own, so of 20 good bins one is
    expected outside. `isotonic` adds the best rising curve, which needs no bins (Dimitriadis,
    Gneiting and Jordan 2021). `band` adds limits for the whole curve at once, if it rises; rows
    must be independent and of one weight. With more than two classes and none named, the forecast
    is the largest probability and the outcome that its class is true. Needs probabilities.

    Parameters
    ----------
    predictions : Predictions or Rows
        The rows of one model, or of several with `model`.
    class_ : object, optional
        The class against the rest; of two the positive one.
    model : str, optional
        The model, where the table has several.
    bins : int
        How many bins.
    by : {'width', 'count'}
        Bins of equal width, or of about equal numbers.
    level : float
        The confidence level.
    isotonic : bool
        Whether the best rising curve is added.
    band : bool
        Whether limits for the whole curve are added.
    split : int or str, optional
        One split, where the table has several.
    pool : bool
        Whether the rows of several splits are taken as one test set.
    prevalence : float, optional
        The share of the class in the population; that of the rows if not given.

    Returns
    -------
    Calibration
        The curve.

    Examples
    --------
    >>> from heliast import Predictions
    >>> curve = calibration(Predictions.of([1, 0, 1, 1], y_score=[0.9, 0.2, 0.8, 0.3]), bins=2)
    >>> curve.forecast, curve.outcome
    (array([0.25, 0.85]), array([0.5, 1. ]))
    """
    if bins < 1 or by not in ("width", "count"):
        raise InputError(f"calibration: bins={bins} at least 1, by={by!r} 'width' or 'count'")
    check_level(level)
    chosen = choose("calibration", predictions, class_, model, split, pool)
    rows = _weighted(chosen, prevalence)
    chosen = replace(chosen, rows=rows)
    sampled = rows.weight_kind == "sampling"
    cut, place_of = np.arange(bins + 1) / bins, partial(_by_width, bins=bins)
    limits = corners = None
    if by == "count" or isotonic or band:
        value, total, hit = _distinct(rows, chosen.code)
        if by == "count":
            cut = _even_cuts(value, total, bins)
            place_of = partial(np.searchsorted, cut[1:-1], side="right")
        if band and (rows.group is not None or sampled or chosen.distinct < 1):
            raise InputError(
                "calibration: band= needs independent rows of one weight, and these come in "
                "groups, with sampling weights or prevalence=, or repeated over splits"
            )
        limits = calibration_band(value, total, hit, level) if band else None
        corners = _isotonic(value, total, hit) if isotonic else None
    sums = np.zeros((4, cut.size - 1))
    for part in rows.chunks():
        forecast, outcome, weight = _columns(part, chosen.code)
        place = place_of(forecast)
        values = weight, weight * forecast, weight * outcome, weight**2
        sums += [np.bincount(place, value, cut.size - 1) for value in values]
    some = sums[0] > 0
    total, forecast, hit, squares = sums[:, some]
    mean, share = forecast / total, hit / total
    effective = total**2 / squares if sampled else total
    if rows.group is not None:
        place = (np.cumsum(some) - 1).clip(0)[place]
        away = weight * (outcome - share[place])
        effective = np.minimum(effective, _of_groups(rows, rows.group, place, away, total, share))
    effective = effective * chosen.distinct
    low, high = clopper_pearson_limits(share, effective, level)
    return Calibration(
        forecast=mean, outcome=share, low=low, high=high,
        edges=np.column_stack([cut[:-1], cut[1:]])[some], weight=total, effective=effective,
        error=float((np.abs(mean - share) * total).sum() / total.sum()), level=level, bins=by,
        isotonic=corners, band=limits, class_=chosen.class_, model=chosen.model,
        notes=chosen.notes,
    )  # fmt: skip


def _weighted(chosen: Chosen, prevalence: float | None) -> Rows:
    """The rows, weighted so that the class has this share; or why they have no calibration."""
    rows = chosen.rows
    if rows.score_kind != "probability":
        raise InputError(
            f"calibration: the scores of model {chosen.model!r} are {rows.score_kind} scores, not "
            "probabilities, so they forecast no share; give probabilities, or say "
            "scores='probability' if they are"
        )
    if not rows.n:
        raise InputError("calibration: there are no rows; nothing was forecast")
    chosen.check_share(prevalence)
    if prevalence is None:
        return rows
    if chosen.code is None:
        raise InputError("calibration: prevalence= is the share of one class: name it with class_=")
    _, outcome, weight = _columns(rows, chosen.code)
    positives, n = float(weight @ outcome), float(weight.sum())
    if not 0 < positives < n:
        raise InputError("calibration: prevalence= needs rows of the class and of the rest")
    inside, outside = prevalence * n / positives, (1 - prevalence) * n / (n - positives)
    weight = weight * np.where(outcome == 1, inside, outside)
    return replace(rows, weight=weight, weight_kind="sampling")


def _columns(rows: Rows, code: int | None) -> tuple[Array, Array, Array]:
    """Forecast, outcome (0 or 1) and weight of each row."""
    weight = np.ones(rows.n) if rows.weight is None else rows.weight.astype(np.float64)
    if code is None:
        return *forecasts(rows), weight
    return rows.score_of(code), rows.is_class(code).astype(np.float64), weight


def _distinct(rows: Rows, code: int | None) -> tuple[Array, Array, Array]:
    """The distinct forecasts, rising, with the weight of all rows and of those come true."""
    forecast, outcome, weight = _columns(rows, code)
    streams = split_sorted(
        outcome.astype(np.uint8), forecast, None if rows.weight is None else weight
    )
    threshold, hits, misses = curve(*streams)
    value, hit = threshold[:0:-1], np.diff(hits)[::-1]
    total = hit + np.diff(misses)[::-1]
    some = total > 0
    return value[some], total[some], hit[some]


def _by_width(forecast: Array, bins: int) -> Array:
    return np.minimum((forecast * bins).astype(np.intp), bins - 1)


def _even_cuts(value: Array, total: Array, bins: int) -> Array:
    """The edges of bins of about equal weight; rows with equal forecasts stay together."""
    upto = np.cumsum(total)
    # A bin begins at the first forecast that has its share of the weight before it.
    first = np.searchsorted(upto, upto[-1] * (np.arange(1, bins) / bins - 1e-12)) + 1
    inner = np.unique(value[np.minimum(first, value.size - 1)])
    return np.concatenate([value[:1], inner[inner > value[0]], value[-1:]])


def _of_groups(
    rows: Rows, group: Array, place: Array, away: Array, total: Array, share: Array
) -> Array:
    """Independent rows that bins are worth where rows of one group resemble each other.

    p (1 - p) / V, V = G/(G-1) sum over groups of (sum of w (y - p))² / n², in order of time the
    long-run variance of these sums; without any spread, the groups in the bin.
    """
    names, member = np.unique(group, return_inverse=True)
    cell, cells = place * names.size + member, (total.size, names.size)
    sums = np.bincount(cell, away, total.size * names.size).reshape(cells)
    groups = np.bincount(np.unique(cell) // names.size, minlength=total.size).astype(np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        variance = groups / (groups - 1) * (sums**2).sum(axis=1) / total**2
        if rows.design == "time":
            units = [long_run(part[None])[0] for part in sums]
            variance = np.array([float((part**2).sum()) for part in units]) / total**2
        n = np.where(variance > 0, share * (1 - share) / variance, groups)
    return np.where(groups > 1, n, groups)


def _isotonic(value: Array, total: Array, hit: Array) -> Array:
    """Corners (forecast, fitted) of the rising step curve nearest to the outcomes."""
    from scipy.optimize import isotonic_regression

    fit = isotonic_regression(hit / total, weights=total)
    corner = np.unique(np.concatenate([fit.blocks[:-1], fit.blocks[1:] - 1]))
    corner = corner[kept(value[corner], fit.x[corner], True)]
    return np.column_stack([value[corner], fit.x[corner]])
