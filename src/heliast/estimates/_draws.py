"""Which replicates a form gets: the fastest way that gives the right law."""

from functools import partial

from heliast.estimates._drawn import Drawn, again_draws
from heliast.estimates._drawn_ranks import rank_draws
from heliast.estimates._drawn_sums import mean_draws, parts_draws
from heliast.estimates._drawn_tables import table_draws
from heliast.estimates._registry import Case
from heliast.estimates._spread import area_influence
from heliast.measures.forms import Area, Blend, Curved, Mean, Rate, Smooth, Statistic


def draws(case: Case) -> Drawn:
    """Replicates of the case's measure."""
    form, rows, replicates, seed = case.form, case.rows, case.replicates, case.seed
    if isinstance(form, (Rate, Curved, Blend, Smooth)):
        return table_draws(form, rows, replicates, seed)
    if isinstance(form, Mean):
        return mean_draws(form, rows, replicates, seed)
    if isinstance(form, Area):
        area = partial(area_influence, form)
        return rank_draws("auc", rows, form.code, area, replicates, seed)
    assert isinstance(form, Statistic)
    if form.precision_of is not None and form.influence is not None:
        code, influence = form.precision_of, form.influence
        return rank_draws("average_precision", rows, code, influence, replicates, seed)
    if form.parts is not None:
        return parts_draws(form, rows, replicates, seed)
    return again_draws(rows, form.again, replicates, seed)
