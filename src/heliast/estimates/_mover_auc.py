"""MOVER for a mean of areas: from the limits of each area and how the areas vary together."""

from dataclasses import replace
from math import isnan, sqrt

import numpy as np

from heliast.estimates._mover import combined
from heliast.estimates._notes import small_class
from heliast.estimates._registry import Case, Limits, interval, method
from heliast.estimates._scale import clipped
from heliast.estimates._spread import rows_covariance
from heliast.measures.forms import Area, Statistic


@interval("mover_auc", "MOVER of AUC limits", (Statistic,))
def _mover_auc(case: Case) -> Limits:
    """Square and add the distances to each area's default limits (Zou and Donner 2008).

    As for rates: low = est - sqrt(sum_ij r_ij d_i d_j); the correlations r_ij come from the
    influence of each row on each area.
    """
    form = case.form
    assert isinstance(form, Statistic)
    areas = [(weight, part) for weight, part in form.mix if isinstance(part, Area)]
    if not areas or len(areas) < len(form.mix):
        return Limits(reason="mover_auc is valid for a mean of areas")
    limits = [method("auc").limits(replace(case, form=area)) for _, area in areas]
    ends = np.array([(one.low, one.high) for one in limits])
    if np.isnan(ends).any():
        return Limits(reason=next(one.reason for one in limits if isnan(one.low)))
    weights = np.array([weight for weight, _ in areas])
    values = np.array([area.value for _, area in areas])
    influences = np.stack([area.influence(case.rows) for _, area in areas])
    covariance, _ = rows_covariance(case.rows, influences)
    grouped = case.rows.group is not None
    below, above = combined(weights, values, ends, covariance, grouped)
    low, high = clipped(form.value - below, form.value + above, case.measure.bounds)
    se = sqrt(max(0.0, float(weights @ covariance @ weights)))
    return Limits(low, high, "MOVER of AUC limits", se, notes=small_class(case))
