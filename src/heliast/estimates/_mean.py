"""The default interval for a mean of row losses: by how skewed the losses are."""

from dataclasses import replace

import numpy as np

from heliast.estimates._hall import skewness
from heliast.estimates._registry import Case, Limits, interval, method
from heliast.measures.forms import Mean

SKEWED = 2.0
HEAVY, FEW = 0.9, 200
"""With more than this weight on one class of fewer rows than this, coverage was below the bar."""


@interval("mean", "Student t, corrected if the losses are skewed", (Mean,))
def _mean(case: Case) -> Limits:
    """Student's t; corrected for skewness when that exceeds 2; MOVER for a loss of few values."""
    form = case.form
    assert isinstance(form, Mean)
    if form.blend is not None:
        return method(form.blend.auto).limits(replace(case, form=form.blend))
    skew = skewness(case)
    found = method("student_t" if abs(skew) <= SKEWED else "hall").limits(case)
    if abs(skew) > SKEWED and found.method:
        found = replace(found, method=f"{found.method} (skewness {skew:.1f})")
    return replace(found, notes=found.notes + heavy_class(case))


def heavy_class(case: Case) -> tuple[str, ...]:
    """What to say when given prevalences make the mean that of few rows of one class."""
    form = case.form
    assert isinstance(form, Mean)
    if form.shares is None:
        return ()
    heaviest = int(np.argmax(form.shares))
    rows = int(case.rows.class_sizes()[heaviest])
    if form.shares[heaviest] <= HEAVY or rows >= FEW:
        return ()
    return (f"the class that weighs most has {rows} rows: the interval may be too short",)
