"""The default interval for a mean of row losses: by how skewed the losses are."""

from dataclasses import replace

from heliast.estimates._hall import skewness
from heliast.estimates._registry import Case, Limits, interval, method
from heliast.measures.forms import Mean

SKEWED = 2.0


@interval("mean", "Student t, corrected if the losses are skewed", (Mean,))
def _mean(case: Case) -> Limits:
    """Student's t; corrected for skewness when that exceeds 2; MOVER for a loss of few values."""
    form = case.form
    assert isinstance(form, Mean)
    if form.blend is not None:
        return method("mover").limits(replace(case, form=form.blend))
    skew = skewness(case)
    if abs(skew) <= SKEWED:
        return method("student_t").limits(case)
    found = method("hall").limits(case)
    return replace(found, method=f"{found.method} (skewness {skew:.1f})") if found.method else found
