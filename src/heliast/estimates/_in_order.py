"""Rows in order of time: limits that allow for neighbours that are alike."""

from dataclasses import replace
from math import nan, sqrt

import numpy as np

from heliast._core.kinds import Array
from heliast._core.level import quantile
from heliast._core.notes import Note
from heliast._core.proportions import wilson_limits
from heliast._core.times import FEWEST
from heliast.estimates._record import Scale
from heliast.estimates._registry import Case, Limits, interval
from heliast.estimates._scales import scaled
from heliast.estimates._spread import Spread, row_influence, rows_spread
from heliast.measures.forms import Area, Blend, Curved, Mean, Rate, Smooth, Statistic
from heliast.predictions import Rows

STRONG = 0.2
"""Where rows are worth a smaller share of independent ones than this, limits are rough."""
NO_TIME = "long_run is for rows in order of time: say when they were with time= (--time)"
UNKNOWN = "the influence of a row on {name} is not known, so neither is how far neighbours go along"
NOTHING = "no row moves the value here, so its spread cannot be seen"
UNSEEN = Note(f"{NOTHING}: rows count as independent", "time")


def not_in_order(name: str) -> str:
    """Why a method that takes rows as independent is not valid for rows in order of time."""
    if name in ("auto", "long_run"):
        return ""
    return f"{name} takes rows as independent, but these are in order of time: auto allows for it"


def few_times(rows: Rows, what: str) -> str:
    """Why there are too few times for `what`; nothing if there are enough."""
    times = np.unique(np.asarray(rows.group)).size
    return f"only {times} times: {what} needs at least {FEWEST}" if times < FEWEST else ""


def worth(rows: Rows, psi: Array) -> tuple[Spread, float]:
    """The long-run spread, and how many independent rows would vary as much; at most those there.

    NaN where nothing varies.
    """
    found = rows_spread(rows, psi)
    alone = rows_spread(replace(rows, group=None, design="rows"), psi).variance
    n = rows.weight_sum if rows.weight_kind == "frequency" else float(rows.n)
    return found, n * min(1.0, alone / found.variance) if found.variance > 0 else nan


@interval("long_run", "long-run variance", (Rate, Curved, Blend, Smooth, Mean, Area, Statistic))
def long_run(case: Case) -> Limits:
    """Limits from the long-run variance of what each time adds to the value.

    A rate has Wilson's limits with as many rows as would vary so much if they were independent, a
    function of a rate that of these limits, and all else lies on the scale of its bounds; the
    quantile is Student's (`_core.times.long_run`).
    """
    rows = case.rows
    form = case.form.rate if isinstance(case.form, Curved) else case.form
    if rows.design != "time":
        return Limits(reason=NO_TIME)
    if why := few_times(rows, "an interval"):
        return Limits(reason=why)
    psi = row_influence(form, rows)
    if psi is None or not np.isfinite(psi).all():
        return Limits(reason=UNKNOWN.format(name=case.measure.name))
    found, effective = worth(rows, psi)
    if isinstance(form, Rate):
        return _of_rate(case, form, found, effective)
    if not found.variance > 0:
        return Limits(reason=NOTHING)
    se = sqrt(found.variance)
    low, high, scale = scaled(form.value, se, quantile(case.level, found.df), case.measure.bounds)
    notes = said(effective, rows)
    return Limits(low, high, se, n_effective=effective, notes=notes, scale=scale)


def _of_rate(case: Case, form: Rate, found: Spread, effective: float) -> Limits:
    """Wilson's limits; n is p (1 - p) over the variance, which may exceed the rows there are."""
    p, trials = form.value, float(form.trials)
    varies = found.variance > 0 and 0 < p < 1
    n = p * (1 - p) / found.variance if varies else trials
    low, high = wilson_limits(p, n, case.level, found.df if varies else None)
    scale: Scale = "rate"
    se = sqrt(p * (1 - p) / n)
    if isinstance(case.form, Curved):
        se, scale = se * case.form.slope, "f"
        low, high = float(case.form.curve(low)), float(case.form.curve(high))
    notes = said(effective, case.rows) if varies else (UNSEEN,)
    n = min(n, trials)
    words = f"Wilson, effective n {n:.0f} by long-run variance"
    return Limits(low, high, se, trials, n, notes, method=words, scale=scale)


def said(effective: float, rows: Rows) -> tuple[str, ...]:
    """What to know where neighbours are very much alike."""
    if not effective < STRONG * rows.n:
        return ()
    words = (
        f"neighbours in time are much alike: {rows.n:,} rows are worth {max(1.0, effective):,.0f} "
        "independent ones, and the limits are rough; rows of a longer time would tell more"
    )
    return (Note(words, "time"),)
