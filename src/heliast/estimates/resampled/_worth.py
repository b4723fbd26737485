"""How many independent test rows of one model the splits are worth."""

from dataclasses import replace
from math import isfinite, nan

import numpy as np

from heliast.estimates import _registry
from heliast.estimates._spread import spread
from heliast.estimates.resampled._case import Case
from heliast.measures.forms import Undefined
from heliast.measures.summaries import Counted


def worth(case: Case, variance: float) -> float:
    """The n at which independent rows would give this variance; at most n, NaN if not known."""
    found = []
    for piece in case.parts.pieces(case.measure.over):
        if piece.rows.group is not None:
            piece = Counted(replace(piece.rows, group=None), piece.prevalences)
        form = case.measure.form(piece, case.class_)
        if not isinstance(form, Undefined):
            one = spread(_registry.Case(form, case.level, piece.rows, case.measure))
            found.append(one.variance * piece.rows.n)
    plain = float(np.mean(found)) if found else nan
    return min(case.design.rows, plain / variance) if isfinite(plain) and plain > 0 else nan
