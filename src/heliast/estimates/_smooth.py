"""The default interval for other smooth functions of the table: BCa, or delta where it is blind."""

from dataclasses import replace

from heliast.estimates._registry import Case, Limits, interval, method
from heliast.estimates._statistic import many_rows
from heliast.measures.forms import Smooth


@interval("smooth", "BCa bootstrap, or delta on a smoothed table", (Smooth,))
def _smooth(case: Case) -> Limits:
    """BCa; where its replicates show no spread or are undefined, delta on a smoothed table.

    A class without a hit has none in any replicate, so the bootstrap believes that it never will.
    """
    form = case.form
    assert isinstance(form, Smooth)
    table = form.table
    if table.squares is not None and case.rows.n > many_rows(case):
        limits = method("delta_smoothed").limits(case)
        return replace(limits, method=f"{limits.method} (many rows)")
    if (table.hits[table.actual > 0] > 0).all():
        found = method("bootstrap").limits(case)
        if not found.reason:
            return found
        why = found.reason
    else:
        why = "a class is never labelled rightly, which no replicate can change"
    limits = method("delta_smoothed").limits(case)
    return replace(limits, notes=(*limits.notes, f"not the bootstrap: {why}"))
