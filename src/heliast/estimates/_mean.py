"""The default interval for a mean of row losses: by how skewed the losses are."""

from dataclasses import replace

from heliast.estimates._registry import Case, Limits, interval, method
from heliast.measures.forms import Mean

SKEWED = 2.0
MANY = 200_000
"""From so many rows on the mean is normal however skewed its terms."""


@interval("mean", "Student t, or BCa if the losses are skewed", (Mean,))
def _mean(case: Case) -> Limits:
    """Student's t, but BCa when the skewness exceeds 2, and MOVER for a loss of few values."""
    form = case.form
    assert isinstance(form, Mean)
    if form.blend is not None:
        return method("mover").limits(replace(case, form=form.blend))
    plain = method("student_t").limits(case)
    if abs(form.skewness) <= SKEWED or form.losses is None or case.rows.n > MANY:
        return plain
    found = method("bootstrap").limits(case)
    if found.reason:
        return replace(plain, notes=(*plain.notes, f"skewed losses; {found.reason}"))
    return replace(found, method=f"{found.method} (skewness {form.skewness:.1f})")
