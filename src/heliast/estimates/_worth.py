"""How many independent rows the rows are worth, when they come in groups or with weights."""

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from heliast.estimates._registry import Case
from heliast.estimates._scanned import squares
from heliast.estimates._spread import mean_influence, rows_spread
from heliast.measures.forms import Area, Blend, Curved, Mean, Rate, Smooth, Statistic
from heliast.predictions.scan import ScannedRows

Array = npt.NDArray[Any]


def worth(case: Case) -> float:
    """n times the variance of independent rows over the variance of the design; at most n.

    Without spread, or where the influence of a row is not known: the number of groups, or
    (sum w)^2 / sum w^2 for sampling weights.
    """
    rows = case.rows
    sampling = rows.weight_kind == "sampling"
    if rows.group is None and not sampling:
        return _total(case)
    most = _total(case)
    if sampling:
        most = rows.weight_sum**2 / rows.weight_squares
    plain, design = _variances(case)
    if plain > 0 and design > 0:
        return min(most, _total(case) * plain / design)
    return most if rows.group is None else min(most, float(np.unique(rows.group).size))


def _total(case: Case) -> float:
    return case.rows.weight_sum


def _variances(case: Case) -> tuple[float, float]:
    """The variance as if rows were independent and of one weight, and that of the design."""
    form = case.form
    if isinstance(form, (Rate, Curved, Blend, Smooth)):
        gradient = form.gradient
        alike = replace(form.table, clusters=None, squares=None)
        return alike.variance(gradient), form.table.variance(gradient)
    if isinstance(case.rows, ScannedRows) and isinstance(form, (Mean, Area, Statistic)):
        plain, heavy = squares(form, case.rows)
        return plain / case.rows.weight_sum**2, heavy / case.rows.weight_sum**2
    influence = _influence(case)
    if influence is None:
        return 0.0, 0.0
    single = replace(case.rows, group=None, weight_kind="frequency")
    return rows_spread(single, influence).variance, rows_spread(case.rows, influence).variance


def _influence(case: Case) -> Array | None:
    form, rows = case.form, case.rows
    if isinstance(form, Mean):
        return None if form.losses is None else mean_influence(form, rows)
    if isinstance(form, Area) or (isinstance(form, Statistic) and form.influence is not None):
        assert form.influence is not None
        return form.influence(rows)
    return None
