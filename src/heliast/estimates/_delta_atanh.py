"""The delta method on a smoothed table: for kappa and MCC, and where the bootstrap is blind."""

from dataclasses import replace
from math import isnan, nan, sqrt
from typing import Any

import numpy.typing as npt

from heliast.estimates._notes import few_hits
from heliast.estimates._proportion import quantile
from heliast.estimates._registry import Case, Limits, interval
from heliast.estimates._scale import scaled
from heliast.measures.forms import Smooth
from heliast.measures.summaries import Contingency

Array = npt.NDArray[Any]


@interval("delta_atanh", "delta on the atanh scale", (Smooth,))
def _delta_atanh(case: Case) -> Limits:
    """tanh(atanh(v) +- q se / (1 - v^2)), once as it is and once with 2/k^2 more in each cell.

    The outer ends of both are taken. Two rows spread over the table keep perfect agreement from
    looking certain; without them the upper end of a good value would be too low. With groups or
    sampling weights the table is first shrunk to the independent rows it is worth.
    """
    if case.measure.bounds != (-1.0, 1.0):
        return Limits(reason=f"delta_atanh is for measures in [-1, 1], not {case.measure.name}")
    return smoothed_limits(case, "delta on the atanh scale")


@interval("delta_smoothed", "delta on a smoothed table", (Smooth,))
def _delta_smoothed(case: Case) -> Limits:
    """The same on the scale that the measure's bounds ask for: logit between 0 and 1."""
    return smoothed_limits(case, "delta on a smoothed table")


def smoothed_limits(case: Case, words: str) -> Limits:
    """The outer limits of the delta method on the table, and with 2/k^2 more in each cell."""
    form = case.form
    assert isinstance(form, Smooth)
    worth = form.table
    if worth.clusters is not None or worth.squares is not None:
        worth = independent(worth, form.gradient_at(worth.shares))
    if case.wider != 1.0:
        worth = replace(worth, counts=case.worth(1.0) * worth.counts)
    smooth = worth.smoothed(2 / worth.k**2)
    low, high, se = _ends(case, smooth)
    if isnan(se):
        return Limits(reason="too few rows to estimate a variance")
    plain_low, plain_high, plain_se = _ends(case, worth)
    if plain_se > 0:
        low, high = min(low, plain_low), max(high, plain_high)
    low, high = min(low, form.value), max(high, form.value)
    if worth is not form.table:
        words += f", effective n {worth.n:.0f}"
    notes = few_hits(form.table)
    return Limits(low, high, words, se / case.wider, form.table.n, worth.n, notes)


def _ends(case: Case, table: Contingency) -> tuple[float, float, float]:
    """Limits and standard error of the delta method on a table of independent rows."""
    form = case.form
    assert isinstance(form, Smooth)
    value = float(form.function(table.shares))
    variance = table.variance(form.gradient_at(table.shares))
    if not variance > 0:
        return value, value, sqrt(variance) if variance == 0 else nan
    q = quantile(case.level, form.table.df)
    low, high, _ = scaled(value, sqrt(variance), q, case.measure.bounds)
    return low, high, sqrt(variance)


def independent(table: Contingency, influence: Array) -> Contingency:
    """The table scaled to the number of independent rows that its groups or weights are worth.

    Scaled by the variance of independent rows over the variance of the design; without spread, to
    the number of groups, or to (sum w)^2 / sum w^2. Never to more rows than there are.
    """
    if table.clusters is None and table.squares is None:
        return table
    plain = replace(table, clusters=None, squares=None)
    most = 1.0 if table.squares is None else table.n / float(table.squares.sum())
    design, rows = table.variance(influence), plain.variance(influence)
    if design > 0 and rows > 0:
        scale = rows / design
    else:
        scale = most if table.clusters is None else table.clusters.groups / table.n
    return replace(plain, counts=table.counts * min(scale, most))
