"""A measure over splits made linear: what each test adds, what each split says, what that shows."""

from dataclasses import dataclass, replace
from math import isfinite, nan

import numpy as np

from heliast._core.kinds import Array
from heliast._core.level import quantile
from heliast.estimates._registry import Case as OneTestSet
from heliast.estimates._spread import row_influence, spread
from heliast.estimates.resampled._case import Case, Refused
from heliast.estimates.resampled._design import Names
from heliast.measures.forms import Curved, Form, Undefined
from heliast.measures.summaries import Counted
from heliast.predictions import Rows

UNSTABLE = (
    "the value changes more from split to split than its rows explain: the model depends much on "
    "its training rows, and the interval may be too narrow; five times two folds cover better"
)
PRIOR = 10.0
"""What rows say of the spread over splits counts as so many splits."""
DOUBT, SURE = 0.90, 0.999
"""Between these probabilities that chance alone varies less, the spread over splits takes over."""
SAID = 0.95


def influences(case: Case, fixed: bool = False) -> Array | None:
    """The first-order influence of every test on the value of its repeat (or split), mean zero.

    In the order of the rows of `parts.whole`; NaN where the value is undefined. None where the
    influence of a row is not known, or classes are weighed to given shares; with `fixed`, those
    of such shares too: what a row adds within its class.
    """
    parts = case.parts
    found = np.full(len(parts.whole), np.nan)
    code = _split_code(case)
    pieces = [(name,) for name in parts.alone] if case.measure.over == "splits" else parts.pools
    place = {name: at for at, name in enumerate(parts.whole.splits.names)}
    for names in pieces:
        form = case.form(*names)
        if isinstance(form, Undefined):
            continue
        psi = (row_influence if fixed else _influence)(form, parts.counted(names).rows)
        if psi is None:
            return None
        found[np.isin(code, [place[name] for name in names])] = psi
    return found


def _influence(form: Form, rows: Rows) -> Array | None:
    """None, too, where class counts were fixed: classes are then weighed to given shares."""
    return None if rows.design == "classes" else row_influence(form, rows)


def split_values(case: Case, rates: bool = False) -> Array:
    """What each split says of the measure; their mean over a repeat is the repeat's value.

    For a mean of row losses: the mean in the split. For a function of the counts of a repeat: the
    value of the repeat + the mean influence of the split's rows, which is defined even where a
    split lacks a class. With `rates`, for F the same of Q = TP/(TP+FP+FN). Where rows are grouped
    and splits differ in size, each split counts by its size, as in a ratio estimate.
    """
    found = [_of_repeat(case, names, rates) for names in case.parts.pools]
    values = np.concatenate([values for values in found if values is not None])
    if not np.isfinite(values).all():
        raise Refused("the influence of a row is not finite here")
    return values


def _of_repeat(case: Case, names: Names, rates: bool) -> Array | None:
    form = case.form(*names)
    if isinstance(form, Undefined):
        return None
    if rates and isinstance(form, Curved):
        form = form.rate
    sums, sizes = _influence_sums(case, names, form)
    scale = sizes.mean() if case.design.grouped else sizes
    values: Array = form.value + sums / scale
    return values


def _influence_sums(case: Case, names: Names, form: Form) -> tuple[Array, Array]:
    """Per split: the sum over its rows of their influence, and the sum of their weights."""
    table, rows = case.parts.table(names), case.parts.counted(names).rows
    psi = _influence(form, rows)
    if psi is None and rows.design == "classes":
        return _direct(case, names, form.value)
    if psi is None:
        raise Refused(
            f"the influence of a row on {case.measure.title} is not known, so neither is its spread"
        )
    code = np.zeros(rows.n, np.int64) if table.split_code is None else table.split_code
    weight = np.ones(rows.n) if rows.weight is None else rows.weight
    sums = np.bincount(code, weights=psi * weight, minlength=len(names))
    return sums, np.bincount(code, weights=weight, minlength=len(names))


def _direct(case: Case, names: Names, value: float) -> tuple[Array, Array]:
    """The measure on each split by itself, where classes are weighed to given shares."""
    forms = [case.form(name) for name in names]
    undefined = [form for form in forms if isinstance(form, Undefined)]
    if undefined:
        raise Refused(f"undefined in {len(undefined)} splits: {undefined[0].reason}")
    sizes = np.array([float(len(case.parts.alone[name])) for name in names])
    return (np.array([form.value for form in forms]) - value) * sizes, sizes


def _split_code(case: Case) -> Array:
    code = case.parts.whole.split_code
    return np.zeros(len(case.parts.whole), np.int64) if code is None else np.asarray(code)


def rows_of_variance(case: Case, variance: float) -> float:
    """The n at which independent rows would give this variance; at most n, NaN if not known."""
    found = []
    for piece in case.parts.pieces(case.measure.over):
        if piece.rows.group is not None:
            piece = Counted(replace(piece.rows, group=None), piece.prevalences)
        form = case.measure.form(piece, case.class_)
        if not isinstance(form, Undefined):
            one = spread(OneTestSet(form, case.level, piece.rows, case.measure))
            found.append(one.variance * piece.rows.n)
    plain = float(np.mean(found)) if found else nan
    return min(case.design.rows, plain / variance) if isfinite(plain) and plain > 0 else nan


@dataclass(frozen=True)
class Instability:
    """By which factor the variance grows, and whether the spread is more than chance (5%)."""

    factor: float = 1.0
    seen: bool = False


STABLE = Instability()


def instability(
    values: Array,
    *,
    plain: float,
    by_rows: float,
    ratio: float,
    level: float,
    kurtosis: float = 0.0,
) -> Instability:
    """How much more the splits' values vary than rows drawn at random would make them.

    `plain` is the variance of a split's value that its rows explain, `by_rows` the variance of the
    mean of all that is to be widened, `ratio` is n_test / n_train, `kurtosis` the excess of a
    split's value. With s^2 the variance over J splits, d = 2 / (2/(J-1) + kurtosis/J) are its
    degrees of freedom, and chi^2_d / d the law of s^2 / plain if rows explain it. Where that is
    doubtful, the variance moves from the rows' to that of the corrected t, s^2 (1/J + ratio), with
    s^2 shrunk towards `plain`, which counts as ten splits: three values alone tell hardly anything
    of a spread (as in G. K. Smyth 2004, Linear models and empirical Bayes methods, Statistical
    Applications in Genetics and Molecular Biology 3). The way is smooth, so that another seed of
    the splits gives much the same interval.

    >>> import numpy as np
    >>> steady = instability(np.array([0.2, 0.22, 0.18]), plain=4e-4, by_rows=2e-4, ratio=0.5,
    ...     level=0.95)
    >>> steady.factor
    1.0
    """
    from scipy.special import chdtr

    splits = values.size
    if splits < 2 or not (plain > 0 and by_rows > 0):
        return STABLE
    df = 2 / (2 / (splits - 1) + kurtosis / splits)
    excess = float(values.var(ddof=1)) / plain
    chance = float(chdtr(df, excess * df))
    weight = min(1.0, max(0.0, (chance - DOUBT) / (SURE - DOUBT)))
    if weight == 0:
        return STABLE
    shrunk = plain * (PRIOR + df * excess) / (PRIOR + df)
    longer = quantile(level, PRIOR + df) / quantile(level)
    wide = shrunk * (1 / splits + ratio) * longer**2
    return Instability(max(1.0, wide / by_rows) ** weight, chance > SAID)
