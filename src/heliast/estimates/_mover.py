"""MOVER: limits for a weighted sum of rates, from the limits of each and how they vary together."""

from collections.abc import Callable
from math import sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from heliast.estimates._notes import small_class
from heliast.estimates._registry import Case, Limits, interval
from heliast.estimates._scale import clipped
from heliast.estimates._wilson import wilson_limits
from heliast.measures.forms import Blend, Curved, Rate

Array = npt.NDArray[Any]

_TITLE = "MOVER of Wilson limits"


@interval("mover", _TITLE, (Blend,))
def _mover(case: Case) -> Limits:
    """Square and add the distances to each rate's Wilson limits (Zou and Donner 2008).

    low = est - sqrt(sum_ij r_ij d_i d_j), d_i = w_i (p_i - l_i), and high with u_i likewise; a
    rate with a negative weight swaps its limits. r_ij is the correlation of the rates, from their
    influence per cell: 0 between rates over different rows.
    """
    return of_rates(case, combined, _TITLE)


Rule = Callable[[Array, Array, Array, Array, bool], tuple[float, float]]
"""Weights, values, ends, covariances and whether groups were drawn, to distances down and up."""


def of_rates(case: Case, rule: Rule, title: str) -> Limits:
    """Limits of a weighted sum of rates, from the Wilson limits of each."""
    form = case.form
    assert isinstance(form, Blend)
    weights = np.array(form.weights)
    if not weights.size:
        return Limits(reason="it is the same in every cell, so there is nothing to vary")
    ends = np.array([_wilson(rate, case) for rate in form.rates])
    values = np.array([rate.value for rate in form.rates])
    covariance = form.table.covariance([rate.influence for rate in form.rates])
    grouped = form.table.clusters is not None
    below, above = rule(weights, values, ends, covariance, grouped)
    low, high = clipped(form.value - below, form.value + above, case.measure.bounds)
    se = sqrt(max(0.0, float(weights @ covariance @ weights)))
    notes = small_class(case) if form.table.k > 2 else ()
    return Limits(low, high, title, se, notes=notes)


def combined(
    weights: Array, values: Array, ends: Array, covariance: Array, grouped: bool = False
) -> tuple[float, float]:
    """How far the limits of a weighted sum lie below and above it."""
    related = correlation(covariance, grouped)
    up = weights > 0
    down = weights * np.where(up, values - ends[:, 0], values - ends[:, 1])
    rise = weights * np.where(up, ends[:, 1] - values, ends[:, 0] - values)
    signed = related * np.outer(np.sign(weights), np.sign(weights))
    return _length(signed, down), _length(signed, rise)


def correlation(covariance: Array, grouped: bool) -> Array:
    """Correlations, 1 on the diagonal.

    Rates without spread show none: over different rows they have none, but rows of the same groups
    may go wrong together, so with groups they are taken to.
    """
    spread = np.sqrt(np.diagonal(covariance))
    scale = np.outer(spread, spread)
    unknown = np.full(scale.shape, 1.0 if grouped else 0.0)
    related: Array = np.divide(covariance, scale, out=unknown, where=scale > 0)
    np.fill_diagonal(related, 1.0)
    return related


def _length(related: Array, distance: Array) -> float:
    return sqrt(max(0.0, float(distance @ related @ distance)))


def _rate(rate: Rate | Curved) -> Rate:
    return rate.rate if isinstance(rate, Curved) else rate


def _wilson(rate: Rate | Curved, case: Case) -> tuple[float, float]:
    plain = _rate(rate)
    low, high = wilson_limits(plain.value, case.worth(plain.effective), case.level, plain.df)
    if isinstance(rate, Curved):
        return float(rate.curve(low)), float(rate.curve(high))
    return low, high
