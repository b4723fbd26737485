"""MOVER: limits of a sum of rates or areas, from those of each and how they vary together."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import isnan, sqrt
from typing import Any, Protocol

import numpy as np

from heliast._core.kinds import Array
from heliast._core.proportions import wilson_limits
from heliast.estimates._registry import Case, Limits, interval
from heliast.estimates._scales import clipped
from heliast.estimates._spread import rows_covariance
from heliast.measures.forms import (
    Area,
    Blend,
    Curved,
    Form,
    Rate,
    Smooth,
    Statistic,
    TableForm,
    cells_of_class,
)
from heliast.measures.forms import covariance as together
from heliast.measures.summaries import Contingency

Rule = Callable[[Array, Array, Array, "Varying", bool], tuple[float, float]]
"""Weights, values, ends, covariances and whether groups were drawn, to distances down and up."""
ENOUGH = 3
"""Rates with spread from which on they show how groups relate others."""


@interval("mover", "MOVER of Wilson limits", (Blend,))
def _mover(case: Case) -> Limits:
    """Square and add the distances to each rate's Wilson limits (Zou and Donner 2008).

    low = est - sqrt(sum_ij r_ij d_i d_j), d_i = w_i (p_i - l_i), and high with u_i likewise; a
    rate with a negative weight swaps its limits. r_ij is the correlation of the rates, from their
    influence per cell: 0 between rates over different rows.

    References: G. Y. Zou and A. Donner (2008), Construction of confidence limits about effect
    measures: a general approach, Statistics in Medicine 27.
    """
    return _of_rates(case, combined)


def _of_rates(case: Case, rule: Rule) -> Limits:
    """Limits of a weighted sum of rates, from the Wilson limits of each."""
    form = case.formed(Blend)
    weights = np.array(form.weights)
    if not weights.size:
        return Limits(reason="it is the same in every cell, so there is nothing to vary")
    ends = _wilson(form.rates, case)
    values = np.array([rate.value for rate in form.rates])
    covariance = form.covariance
    grouped = form.table.groups is not None
    low, high = _moved(case, rule(weights, values, ends, covariance, grouped))
    notes = case.small_class if form.table.k > 2 else ()
    return Limits(low, high, _se(weights @ covariance.times(weights)), notes=notes)


def _moved(case: Case, away: tuple[float, float]) -> tuple[float, float]:
    """The limits so far below and above the value."""
    value = case.form.value
    return clipped(value - away[0], value + away[1], case.measure.bounds)


def _se(variance: Any) -> float:
    return sqrt(max(0.0, float(variance)))


class Varying(Protocol):
    """How estimates vary together: their variances, and covariances times a vector."""

    @property
    def variances(self) -> Array: ...

    def times(self, vector: Array) -> Array: ...


@dataclass(frozen=True, eq=False)
class Matrix:
    """The same from a matrix of covariances."""

    matrix: Array

    @property
    def variances(self) -> Array:
        return np.diagonal(self.matrix)

    def times(self, vector: Array) -> Array:
        product: Array = self.matrix @ vector
        return product


def combined(
    weights: Array, values: Array, ends: Array, covariance: Varying, grouped: bool = False
) -> tuple[float, float]:
    """How far the limits of a weighted sum lie below and above it."""
    up = weights > 0
    down = weights * np.where(up, values - ends[:, 0], values - ends[:, 1])
    rise = weights * np.where(up, ends[:, 1] - values, ends[:, 0] - values)
    unseen = 1.0 if grouped else 0.0
    signed = np.sign(weights) * down, np.sign(weights) * rise
    return _length(covariance, signed[0], unseen), _length(covariance, signed[1], unseen)


def correlated(covariance: Varying, vector: Array, unseen: float) -> Array:
    """The matrix of correlations, 1 on the diagonal, times a vector.

    Rates without spread show none: `unseen` is how they are taken to be correlated with others.
    Over different rows they have none, but rows of the same groups may go wrong together.
    """
    spread = np.sqrt(covariance.variances)
    seen = spread > 0
    scale = np.where(seen, spread, 1.0)
    found = covariance.times(np.where(seen, vector / scale, 0.0)) / scale
    still = float(vector[~seen].sum())
    related: Array = np.where(
        seen, found + unseen * still, vector + unseen * (vector.sum() - vector)
    )
    return related


def _length(covariance: Varying, distance: Array, unseen: float) -> float:
    return _se(distance @ correlated(covariance, distance, unseen))


def _wilson(rates: Sequence[Rate | Curved], case: Case) -> Array:
    """The limits of each rate of one table, (m, 2)."""
    plain = [rate.rate if isinstance(rate, Curved) else rate for rate in rates]
    values = np.array([rate.value for rate in plain])
    worth = np.array([case.narrowed(rate.effective) for rate in plain])
    ends = np.column_stack(wilson_limits(values, worth, case.level, plain[0].df))
    for at, rate in enumerate(rates):
        if isinstance(rate, Curved):
            ends[at] = rate.curve(ends[at])
    return ends


@interval("mover_centred", "centred MOVER of Wilson limits", (Blend,))
def _mover_centred(case: Case) -> Limits:
    """Square and add the half lengths of each rate's Wilson limits; average their centres.

    With h_i and m_i the half length and the middle of rate i's limits, s_i = sum_j r_ij w_j h_j
    and H^2 = sum_i w_i h_i s_i: est + sum_i (s_i / H)^2 w_i (m_i - p_i) +- H, where the half length
    is at least that of the delta method, q se: Wilson's limits of small classes with middling rates
    are short for their variance, as one rate near its limit varies less.

    Plain MOVER squares and adds what each rate's limits reach further down than up, as if all
    rates were off the same way. In a mean of many rates that evens out: for 26 classes of 50 rows
    with recall .97 MOVER covers 88% and this 98%. It is the score interval to first order: where
    (sum - x)^2 = z^2 V(x), V the variance if the sum were x, and rates move towards x by how much
    each varies, dp_i/dx = cov(p_i, sum) / V. For one rate it is Wilson's.

    References: G. Y. Zou and A. Donner (2008), Construction of confidence limits about effect
    measures: a general approach, Statistics in Medicine 27; for the score interval
    A. Martin Andres, M. Alvarez Hernandez and I. Herranz Tejedor (2011), Inferences about a linear
    combination of proportions, Statistical Methods in Medical Research 20.
    """
    q = case.quantile(case.formed(Blend).table.df)
    return _of_rates(case, partial(centred, q=q))


def centred(
    weights: Array,
    values: Array,
    ends: Array,
    covariance: Varying,
    grouped: bool = False,
    q: float = 0.0,
) -> tuple[float, float]:
    """How far the limits of a weighted sum lie below and above it; at least q standard errors."""
    reach = weights * (ends[:, 1] - ends[:, 0]) / 2
    pull = correlated(covariance, reach, _unseen(covariance, grouped))
    squared = float(reach @ pull)
    if not squared > 0:
        return 0.0, 0.0
    shift = float(weights * (ends.mean(axis=1) - values) @ pull**2) / squared
    half = sqrt(max(squared, q**2 * float(weights @ covariance.times(weights))))
    return max(0.0, half - shift), max(0.0, half + shift)


def _unseen(covariance: Varying, grouped: bool) -> float:
    """How rates without spread are correlated: with groups, as the others are, if these show it."""
    seen = covariance.variances > 0
    many = int(np.count_nonzero(seen))
    if not grouped or many == seen.size or many < ENOUGH:
        return 1.0 if grouped else 0.0
    ones = seen.astype(float)
    known = float(ones @ correlated(covariance, ones, 0.0))
    return max(0.0, (known - many) / (many * (many - 1)))


def of_two_classes(form: Form) -> bool:
    """Whether the form depends on both of two classes that were sampled each on its own.

    A blend of rates within one class each is left to plain MOVER, which is the same.
    """
    if not isinstance(form, TableForm):
        return False
    table = form.table
    apart = table.by_class and table.prevalence is not None and table.k == 2
    return apart and not _within_classes(form)


def _within_classes(form: TableForm) -> bool:
    if isinstance(form, Blend):
        return all(_within_classes(rate) for rate in form.rates)
    if isinstance(form, Curved):
        return form.rate.within_class
    return isinstance(form, Rate) and form.within_class


@interval("mover_classes", "MOVER over the classes' rates", (Rate, Curved, Blend, Smooth))
def _mover_classes(case: Case) -> Limits:
    """Move one class's rate at a time to its Wilson limits; square and add what that changes.

    With r_c the share of class c labelled positive, low = est - sqrt(sum_c d_c^2), d_c = est less
    the value with r_c at its worse limit (and the product of both d by the correlation of r_0 and
    r_1, which groups can cause). For a linear function this is MOVER. It sees that a rate of 0
    may be larger, which matters when a small share is weighed up.

    References: G. Y. Zou and A. Donner (2008), Construction of confidence limits about effect
    measures: a general approach, Statistics in Medicine 27.
    """
    form = case.form
    assert isinstance(form, TableForm)
    table = form.table
    if table.k != 2 or not table.by_class or table.prevalence is None:
        return Limits(reason="mover_classes is for two classes with given prevalences")
    rates = [_labelled(table, code) for code in (0, 1)]
    if any(not isinstance(rate, Rate) for rate in rates):
        return Limits(reason="a class has no rows")
    known = [rate for rate in rates if isinstance(rate, Rate)]
    values = np.array([rate.value for rate in known])
    ends = _wilson(known, case)
    moved = _one_at_a_time(form, table.prevalence, values, ends)
    covariance = together(known).matrix
    # Signed as effects on the measure: a rate that lowers it enters with weight -1.
    sign = np.where(moved[:, 1] >= moved[:, 0], 1.0, -1.0)
    reach = np.sort(moved, axis=1)
    middle = np.full(2, form.value)
    outer = np.column_stack([np.minimum(reach[:, 0], middle), np.maximum(reach[:, 1], middle)])
    effects = Matrix(covariance * np.outer(sign, sign))
    grouped = table.groups is not None
    low, high = _moved(case, combined(np.ones(2), middle, outer, effects, grouped))
    return Limits(low, high, _se(table.variance(form.by_cell)))


def _labelled(table: Contingency, code: int) -> Form:
    cells = cells_of_class(1)
    hits, base = ("TP", "actual") if code == 1 else ("FP", "other")
    return Rate.of(table, cells[hits], cells[base], "a class has no rows", within_class=True)


def _one_at_a_time(form: TableForm, prevalence: Array, values: Array, ends: Array) -> Array:
    """The measure with one class's rate at one of its limits: (class, limit)."""
    out = np.empty((2, 2))
    for code in (0, 1):
        for side in (0, 1):
            rates = values.copy()
            rates[code] = ends[code, side]
            table = np.column_stack([1 - rates, rates]) * prevalence[:, None]
            with np.errstate(divide="ignore", invalid="ignore"):
                out[code, side] = form.function(table)
    return np.where(np.isnan(out), form.value, out)


@interval("mover_auc", "MOVER of AUC limits", (Statistic,))
def _mover_auc(case: Case) -> Limits:
    """Square and add the distances to each area's default limits (Zou and Donner 2008).

    As for rates: low = est - sqrt(sum_ij r_ij d_i d_j); the correlations r_ij come from the
    influence of each row on each area.

    References: G. Y. Zou and A. Donner (2008), Construction of confidence limits about effect
    measures: a general approach, Statistics in Medicine 27.
    """
    from heliast.estimates._default import default_limits

    form = case.formed(Statistic)
    areas = [(weight, part) for weight, part in form.mix if isinstance(part, Area)]
    if not areas or len(areas) < len(form.mix):
        return Limits(reason="mover_auc is valid for a mean of areas")
    limits = [default_limits(replace(case, form=area)) for _, area in areas]
    ends = np.array([(area.low, area.high) for area in limits])
    if np.isnan(ends).any():
        return Limits(reason=next(area.reason for area in limits if isnan(area.low)))
    weights = np.array([weight for weight, _ in areas])
    values = np.array([area.value for _, area in areas])
    influences = np.stack([area.psi(case.rows) for _, area in areas])
    covariance, _ = rows_covariance(case.rows, influences)
    grouped = case.rows.group is not None
    low, high = _moved(case, combined(weights, values, ends, Matrix(covariance), grouped))
    return Limits(low, high, _se(weights @ covariance @ weights), notes=case.small_class)
