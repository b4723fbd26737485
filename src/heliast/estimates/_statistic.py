"""The default interval for any other statistic: the bootstrap, or delta when rows are many."""

from dataclasses import replace

from heliast.estimates._registry import Case, Limits, interval, method
from heliast.measures.forms import Statistic

MANY = 200_000


@interval("statistic", "BCa bootstrap, or delta from 200,000 rows on", (Statistic,))
def _statistic(case: Case) -> Limits:
    """BCa; above 200,000 rows the delta method, if the influence of a row is known."""
    form = case.form
    assert isinstance(form, Statistic)
    if case.rows.n <= MANY or form.influence is None:
        return method("bootstrap").limits(case)
    limits = method("delta_scaled").limits(case)
    return replace(limits, method=f"{limits.method} (many rows)")
