"""The default interval for any other statistic: the bootstrap, or delta when rows are many."""

from dataclasses import replace

from heliast.estimates._registry import Case, Limits, interval, method
from heliast.measures.forms import Area, Statistic

MANY = 200_000


@interval("statistic", "BCa bootstrap, or delta from 200,000 rows on", (Statistic,))
def _statistic(case: Case) -> Limits:
    """BCa; above 200,000 rows the delta method, if the influence of a row is known.

    A mean of areas takes the areas' own limits together (MOVER). A mean over classes works on the
    rows once a class, so its rows count as often.
    """
    form = case.form
    assert isinstance(form, Statistic)
    if form.mix and all(isinstance(part, Area) for _, part in form.mix):
        return method("mover_auc").limits(case)
    work = case.rows.n * max(1, len(form.mix))
    if work <= MANY or form.influence is None:
        return method("bootstrap").limits(case)
    limits = method("delta_scaled").limits(case)
    return replace(limits, method=f"{limits.method} (many rows)")
