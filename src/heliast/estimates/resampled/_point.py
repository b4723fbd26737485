"""The value of a measure over several splits, before any interval."""

import numpy as np

from heliast.estimates._record import Estimate
from heliast.estimates.resampled._case import Case
from heliast.measures.forms import Undefined

ONE_ROW = "each split tests one row, and scores of different fits are not comparable"
NO_INTERVAL = "no interval asked for"


def point(case: Case) -> Estimate:
    """The mean over repeats of the pooled folds, or over splits, of what is defined there."""
    over = case.measure.over
    if case.measure.needs == "score" and case.parts.one_row_each:
        return case.found(float("nan"), "", reason=ONE_ROW)
    pieces = case.parts.pieces(over)
    forms = [case.measure.form(piece, case.class_) for piece in pieces]
    values = np.array([form.value for form in forms])
    defined = values[~np.isnan(values)]
    notes = case.design.notes
    reason = NO_INTERVAL
    if not np.isfinite(defined).all() or defined.size == 0:
        reason = next(form.reason for form in forms if isinstance(form, Undefined))
    elif defined.size < values.size:
        where = "splits" if over == "splits" else "repeats"
        notes += (f"undefined in {values.size - defined.size} of {values.size} {where}",)
    return case.found(
        float(defined.mean()) if defined.size else float("nan"),
        f"mean over {defined.size} {'splits' if over == 'splits' else 'repeats'}",
        reason=reason,
        notes=notes,
    )
