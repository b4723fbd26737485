"""Which replicates a form gets: the fastest way that gives the right law."""

from dataclasses import replace

import numpy as np

from heliast.estimates._drawn import Drawn, again_draws
from heliast.estimates._drawn_ranks import rank_draws
from heliast.estimates._drawn_sums import mean_draws, parts_draws
from heliast.estimates._drawn_tables import table_draws
from heliast.estimates._registry import Case
from heliast.measures.forms import Area, Blend, Curved, Mean, Rate, Smooth, Statistic


def draws(case: Case) -> Drawn:
    """Replicates of the case's measure."""
    form, rows, replicates, seed = case.form, case.rows, case.replicates, case.seed
    if isinstance(form, (Rate, Curved, Blend, Smooth)):
        return table_draws(form, rows, replicates, seed)
    if isinstance(form, Mean):
        return mean_draws(form, rows, replicates, seed)
    ranks = _rank_draws(case)
    if ranks is not None:
        return ranks
    assert isinstance(form, Statistic)
    if form.parts is not None:
        return parts_draws(form, rows, replicates, seed)
    return again_draws(rows, form.again, replicates, seed)


def _rank_draws(case: Case) -> Drawn | None:
    """Replicates of AUC, average precision, or a mean of them over classes, drawn together."""
    form, rest = case.form, (case.replicates, case.seed)
    if isinstance(form, Area):
        return rank_draws("auc", case.rows, form.code, form.influence, *rest)
    assert isinstance(form, Statistic)
    if form.precision_of is not None and form.influence is not None:
        code, influence = form.precision_of, form.influence
        return rank_draws("average_precision", case.rows, code, influence, *rest)
    parts = []
    for weight, part in form.mix:
        if not isinstance(part, Area) and part.precision_of is None:
            return None
        found = _rank_draws(_with(case, part))
        assert found is not None
        parts.append((weight, found))
    if not parts:
        return None
    # The same seed draws the same rows for each class.
    values = np.sum([weight * found.values for weight, found in parts], axis=0)
    return Drawn(values, np.sum([weight * found.nudges for weight, found in parts], axis=0))


def _with(case: Case, form: Area | Statistic) -> Case:
    return replace(case, form=form)
