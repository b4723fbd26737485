"""The calibration curve: what happened against what was forecast."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._core.labels import Label
from heliast._core.proportions import clopper_pearson_limits
from heliast._core.times import long_run
from heliast._core.told import told
from heliast._kernels.ranking import curve, split_sorted
from heliast.curves._band import CalibrationBand, calibration_band
from heliast.curves._chosen import FIXED, Chosen, Source, check_prevalence, choose
from heliast.curves._record import ASKED, HELD, REFUSED, Record, kept
from heliast.measures.summaries import forecasts
from heliast.predictions import Rows
from heliast.predictions.scan import NEEDS, NeedsRows, ScannedRows

Bins = Literal["width", "count"]


@told(
    HELD
    | {
        "forecast": "array: The mean forecast of each bin.",
        "outcome": "array: The share of outcomes in each bin.",
        "edges": "array: The low and high edge of each bin.",
        "weight": "array: The rows of each bin.",
        "effective": "array: The independent rows they are worth.",
        "error": "float: The mean over rows of |outcome - forecast| by bin, noise included.",
        "bins": "{'width', 'count'}: Bins of equal width, or of about equal numbers.",
        "isotonic": "array, optional: Corners (forecast, fitted) of the best rising curve.",
        "band": "CalibrationBand, optional: Limits for the whole curve, or None.",
    }
)
@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Calibration(Record):
    """Per bin of the forecast that holds rows: mean forecast, share of outcomes, their limits.

    The measure `ece` takes the noise out of `error`.

    Examples
    --------
    >>> from heliast import Predictions
    >>> calibration(Predictions.of([1, 0, 1, 1], score=[0.9, 0.2, 0.8, 0.3])).method
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
        tail = f"{outside} of them beyond their {self.level:.0%} limits"
        return f"{self._head('Calibration', self.class_)}: {words}, {tail}>"


@told(
    ASKED
    | {
        "bins": "int: How many bins.",
        "by": "{'width', 'count'}: Bins of equal width, or of about equal numbers.",
        "isotonic": "bool: Whether the best rising curve is added.",
        "band": "bool: Whether limits for the whole curve are added.",
    },
    returns="Calibration: The curve.",
    raises=REFUSED,
)
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

    Examples
    --------
    >>> from heliast import Predictions
    >>> found = calibration(Predictions.of([1, 0, 1, 1], score=[0.9, 0.2, 0.8, 0.3]), bins=2)
    >>> found.forecast, found.outcome
    (array([0.25, 0.85]), array([0.5, 1. ]))
    """
    _check(bins, by, level)
    chosen = choose("calibration", predictions, class_, model, split, pool)
    rows = _Forecasts.of(chosen, prevalence, bins, by, isotonic or band)
    fields = _binned(chosen, rows, bins, by, level)
    return Calibration(
        **fields,
        isotonic=_isotonic(rows) if isotonic else None,
        band=_band(chosen, rows, level) if band else None,
    )


def _band(chosen: Chosen, rows: "_Forecasts", level: float) -> CalibrationBand:
    if chosen.rows.group is not None or rows.sampled or chosen.worth < 1:
        raise InputError(
            "calibration: band= needs independent rows of one weight, and these come in groups, "
            "with sampling weights or prevalence=, or repeated over splits"
        )
    return calibration_band(*rows.distinct, level)


def _check(bins: int, by: Bins, level: float) -> None:
    if bins < 1:
        raise InputError(f"calibration: bins={bins} must be at least 1")
    if by not in ("width", "count"):
        raise InputError(f"calibration: by={by!r}: choose 'width' or 'count'")
    if not 0 < level < 1:
        raise InputError(f"level={level}: a confidence level lies between 0 and 1")


def _binned(
    chosen: Chosen, rows: "_Forecasts", bins: int, by: Bins, level: float
) -> dict[str, Any]:
    """All fields of the record that come from bins."""
    place, edges = _places(rows, bins, by)
    total = np.bincount(place, weights=rows.weight, minlength=len(edges))
    there = total > 0
    mean = rows.mean(rows.forecast, place, total)[there]
    share = rows.mean(rows.outcome, place, total)
    worth = rows.worth(chosen, place, total, share)[there]
    share, total = share[there], total[there]
    low, high = clopper_pearson_limits(share, worth, level)
    return {
        "forecast": mean,
        "outcome": share,
        "low": low,
        "high": high,
        "edges": edges[there],
        "weight": total,
        "effective": worth,
        "error": float((np.abs(mean - share) * total).sum() / total.sum()),
        "level": level,
        "bins": by,
        "class_": chosen.class_,
        "model": chosen.model,
        "notes": chosen.notes,
    }


@dataclass(frozen=True, eq=False)
class _Forecasts:
    """Forecast, outcome (0 or 1) and weight of each row.

    `even` if all rows weigh one; `sampled` if weights make them worth less than their number.
    """

    forecast: Array
    outcome: Array
    weight: Array
    sampled: bool
    even: bool
    place: Array | None = None
    squares: Array | None = None

    @classmethod
    def of(
        cls, chosen: Chosen, prevalence: float | None, bins: int, by: Bins, ordered: bool
    ) -> "_Forecasts":
        if isinstance(chosen.rows, ScannedRows):
            for what, asked in (
                ("by='count'", by == "count"),
                ("isotonic= or band=", ordered),
                ("prevalence=", prevalence is not None),
            ):
                if asked:
                    raise NeedsRows(f"calibration: {what} {NEEDS}")
            return cls._summed(chosen, chosen.rows, bins)
        even = chosen.rows.weight is None and prevalence is None
        return cls(*_forecasts(chosen), *_weights(chosen, prevalence), even)

    @classmethod
    def _summed(cls, chosen: Chosen, rows: ScannedRows, bins: int) -> "_Forecasts":
        """One row for each bin and outcome, with the mean forecast and the weight of all in it."""
        sums = np.zeros((3, 2 * bins))
        for chunk in rows.chunks():
            forecast, outcome = _forecasts(replace(chosen, rows=chunk))
            weight, _ = _weights(replace(chosen, rows=chunk), None)
            place = 2 * _width_places(forecast, bins) + outcome.astype(np.intp)
            sums += [
                np.bincount(place, weights=value, minlength=2 * bins)
                for value in (weight, weight * forecast, weight**2)
            ]
        total, forecast, squares = sums[:, sums[0] > 0]
        place = np.flatnonzero(sums[0] > 0)
        sampled = rows.weight_kind == "sampling"
        means = forecast / total
        return cls(means, place % 2 * 1.0, total, sampled, False, place // 2, squares)

    @cached_property
    def distinct(self) -> tuple[Array, Array, Array]:
        """The distinct forecasts, rising, with the weight of all rows and of those come true."""
        weight = None if self.even else self.weight
        streams = split_sorted(self.outcome.astype(np.uint8), self.forecast, weight)
        threshold, hits, misses = curve(*streams)
        value, hit = threshold[:0:-1], np.diff(hits)[::-1]
        total = hit + np.diff(misses)[::-1]
        some = total > 0
        return value[some], total[some], hit[some]

    def mean(self, value: Array, place: Array, total: Array) -> Array:
        """The weighted mean of a value in each bin; 0 where there is no row."""
        sums = np.bincount(place, weights=self.weight * value, minlength=total.size)
        return np.divide(sums, total, out=np.zeros(total.size), where=total > 0)

    def worth(self, chosen: Chosen, place: Array, total: Array, share: Array) -> Array:
        """Independent rows that each bin is worth."""
        rows = total
        if self.sampled:
            each = self.weight**2 if self.squares is None else self.squares
            squares = np.bincount(place, weights=each, minlength=total.size)
            rows = np.divide(total**2, squares, out=np.zeros(total.size), where=total > 0)
        if chosen.rows.group is not None:
            part = self.weight * (self.outcome - share[place])
            ordered = chosen.rows.design == "time"
            worth = _by_group(chosen.rows.group, place, part, total, share, ordered)
            rows = np.minimum(rows, worth)
        return rows * chosen.worth


def _forecasts(chosen: Chosen) -> tuple[Array, Array]:
    rows = chosen.rows
    if rows.score_kind != "probability":
        raise InputError(
            f"calibration: the scores of model {chosen.model!r} are {rows.score_kind} scores, not "
            "probabilities, so they forecast no share; give probabilities, or say scores="
            "'probability' if they are"
        )
    if not rows.n:
        raise InputError("calibration: there are no rows; nothing was forecast")
    if chosen.code is None:
        return forecasts(rows)
    return rows.score_of(chosen.code), rows.is_class(chosen.code).astype(np.float64)


def _weights(chosen: Chosen, prevalence: float | None) -> tuple[Array, bool]:
    """The weight of each row, and whether weights make rows worth less than their number."""
    rows = chosen.rows
    weight = np.ones(rows.n) if rows.weight is None else rows.weight.astype(np.float64)
    sampled = rows.weight_kind == "sampling"
    if prevalence is None:
        if rows.design == "classes":
            name = chosen.class_ if chosen.class_ is not None else rows.classes[-1]
            raise InputError(FIXED.format(curve="calibration", class_=name))
        return weight, sampled
    check_prevalence("calibration", prevalence)
    if chosen.code is None:
        raise InputError("calibration: prevalence= is the share of one class: name it with class_=")
    return _reweighted(rows, chosen.code, weight, prevalence), True


def _reweighted(rows: Rows, code: int, weight: Array, prevalence: float) -> Array:
    inside = rows.is_class(code) == 1
    positives, negatives = weight[inside].sum(), weight[~inside].sum()
    if not positives or not negatives:
        raise InputError("calibration: prevalence= needs rows of the class and of the rest")
    n = positives + negatives
    scale = np.where(inside, prevalence * n / positives, (1 - prevalence) * n / negatives)
    return np.asarray(weight * scale)


def _places(rows: _Forecasts, bins: int, by: Bins) -> tuple[Array, Array]:
    """The bin of each row, and the (low, high) edges of the bins."""
    if by == "width":
        place = _width_places(rows.forecast, bins) if rows.place is None else rows.place
        cut = np.arange(bins + 1) / bins
    else:
        value, total, _ = rows.distinct
        upto = np.cumsum(total)
        # A bin begins at the first forecast that has its share of the weight before it; rows with
        # equal forecasts stay together, so a cut is a value, not a rank.
        first = np.searchsorted(upto, upto[-1] * (np.arange(1, bins) / bins - 1e-12)) + 1
        inner = np.unique(value[np.minimum(first, value.size - 1)])
        inner = inner[inner > value[0]]
        place = np.searchsorted(inner, rows.forecast, "right")
        cut = np.concatenate([value[:1], inner, value[-1:]])
    return place, np.column_stack([cut[:-1], cut[1:]])


def _width_places(forecast: Array, bins: int) -> Array:
    return np.minimum((forecast * bins).astype(np.intp), bins - 1)


def _by_group(
    group: Array, place: Array, part: Array, total: Array, share: Array, ordered: bool
) -> Array:
    """Rows that each bin is worth when rows of one group resemble each other.

    n_eff = p (1 - p) / V, V = G/(G-1) sum over groups of (sum of w (y - p))² / n²; without any
    spread, the groups in the bin are counted. `part` is w (y - p) of each row. In order of time V
    is the long-run variance of these sums.
    """
    names, member = np.unique(group, return_inverse=True)
    pair, where = np.unique(place * names.size + member, return_inverse=True)
    sums = np.bincount(where, weights=part)
    groups = np.bincount(pair // names.size, minlength=total.size).astype(np.float64)
    square = np.bincount(pair // names.size, weights=sums**2, minlength=total.size)
    with np.errstate(divide="ignore", invalid="ignore"):
        variance = groups / (groups - 1) * square / total**2
        if ordered:
            each = np.zeros((total.size, names.size))
            each[pair // names.size, pair % names.size] = sums
            units = [long_run(one[None])[0] for one in each]
            variance = np.array([float((one**2).sum()) for one in units]) / total**2
        effective = np.where(variance > 0, share * (1 - share) / variance, groups)
    return np.where(groups > 1, effective, groups)


def _isotonic(rows: _Forecasts) -> Array:
    """Corners (forecast, fitted) of the rising step curve nearest to the outcomes."""
    from scipy.optimize import isotonic_regression

    value, total, hit = rows.distinct
    found = isotonic_regression(hit / total, weights=total)
    start, stop = found.blocks[:-1], found.blocks[1:] - 1
    corner = np.unique(np.concatenate([start, stop]))
    corner = corner[kept(value[corner], found.x[corner], True)]
    return np.column_stack([value[corner], found.x[corner]])
