"""Rates over several splits: Wilson with the effective number of rows that the splits show."""

from math import sqrt

import numpy as np

from heliast.estimates._record import Estimate
from heliast.estimates._wilson import wilson_limits
from heliast.estimates.resampled._case import Case, Refused
from heliast.estimates.resampled._corrected_t import variance_of_mean
from heliast.estimates.resampled._linear import split_values
from heliast.estimates.resampled._point import point
from heliast.measures.forms import Curved, Form, Rate

STABLE = "leave-one-out: for stable learners only; it is too narrow for trees and their like"


def rate_of(form: Form) -> Rate | None:
    """The rate that decides the limits: itself, or the Q of an F."""
    if isinstance(form, Curved):
        return form.rate
    return form if isinstance(form, Rate) else None


def wilson_over_splits(case: Case) -> Estimate:
    """W(p, n_eff, q), n_eff = min(n, p(1-p)/v), v = s^2 (1/J + n_test/n_train) over J splits.

    q is normal for one repeat of folds, Student's with J - 1 degrees of freedom otherwise, and
    wherever groups leave the spread over splits as the only one known. n is the number of rows in
    the rate's denominator. Leave-one-out has no spread over splits: n_eff = n.
    """
    design = case.design
    one = point(case)
    forms = [case.form(*names) for names in case.parts.repeats]
    rates = [rate for form in forms if (rate := rate_of(form)) is not None]
    p = float(np.mean([rate.value for rate in rates]))
    share = float(np.mean([rate.trials / rate.table.n for rate in rates]))
    most = design.rows * share
    lone = design.kind == "leave_one_out"
    values = None if lone else split_values(case)
    if values is not None and values.size < 2:
        raise Refused("defined in 1 split only, which has no spread")
    v = 0.0 if values is None else variance_of_mean(values, design.ratio)
    effective = min(most, p * (1 - p) / v) if v > 0 else _unspread(case, most)
    df = None
    if values is not None and (not design.folds or design.repeats > 1 or design.grouped):
        df = values.size - 1.0
    low, high = wilson_limits(p, effective, case.level, df)
    se = sqrt(p * (1 - p) / effective)
    curved = next((form for form in forms if isinstance(form, Curved)), None)
    if curved is not None:
        low, high = float(curved.curve(low)), float(curved.curve(high))
        se *= float(np.imag(curved.curve(p + 1e-30j))) / 1e-30
    return case.found(
        one.value,
        _words(case, curved is not None, effective, effective < most),
        low=min(low, one.value),
        high=max(high, one.value),
        se=se,
        n=design.n * share,
        n_effective=effective,
        notes=(*one.notes, STABLE) if lone else one.notes,
    )


def _unspread(case: Case, most: float) -> float:
    """Without spread over splits: all rows, or as many as there are groups."""
    group = case.parts.whole.group
    return most if group is None else min(most, float(np.unique(group).size))


def _words(case: Case, curved: bool, effective: float, fewer: bool) -> str:
    words = "Wilson on TP/(TP+FP+FN)" if curved else "Wilson"
    if case.design.kind == "leave_one_out":
        return f"{words}, stable learners only"
    return (
        f"{words}, effective n {effective:.0f} from {case.design.splits} splits" if fewer else words
    )
