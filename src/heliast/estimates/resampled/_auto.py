"""The default interval over several splits: the variance model, on the scale of the form."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import inf, isfinite, isnan, nan, sqrt

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._core.level import check_level, quantile
from heliast._core.notes import Note
from heliast.estimates._estimate import estimate
from heliast.estimates._in_order import few_times, not_in_order
from heliast.estimates._mover import Matrix, centred, correlate
from heliast.estimates._record import Estimate, Scale
from heliast.estimates._registry import methods
from heliast.estimates._scales import (
    clipped,
    logit_limits,
    mean_limits,
    mover,
    rate_limits,
    scaled,
    score_limits,
)
from heliast.estimates.resampled._bootstraps import left_out_point
from heliast.estimates.resampled._case import (
    OF_ONE_SPLIT,
    Case,
    Refused,
    answer,
    by_group,
    loss_of,
    need_all_splits,
    point,
    resampled_methods,
    without,
)
from heliast.estimates.resampled._intercept import widened
from heliast.estimates.resampled._one_split import OPTIMISTIC, one_test_set
from heliast.estimates.resampled._variance import (
    ONE_REPEAT,
    Spread,
    added_by_tests,
    covariance_of,
    effective_rows,
    forms_of,
    spread_of,
    tests_of,
)
from heliast.measures.forms import (
    Area,
    Blend,
    Curved,
    Form,
    Mean,
    Rate,
    Smooth,
    Statistic,
    Undefined,
)

SKEWED = 2.0  # skewness of the rows from which Hall's t is used, as on one test set
FEW_RATES, MANY_RATES = 3, 60  # MOVER; more rates: about a centre; many: the scale of the bounds
MOST_UNDEFINED = 0.2
FEWEST_GROUPS_A_SPLIT = 5
NOTHING = "no row moves the value here, so its spread cannot be seen"
UNKNOWN = "the influence of a row on {measure} is not known, so neither is its spread over splits"
LACKING = "undefined in {share:.0%} of the splits, and the others are no fair sample"
TIGHT = (
    "a split tests {least} groups only, so it compares scores mostly within groups, which is "
    "another quantity; larger splits of at least 5 groups show the area"
)
BY_GROUP = Note(
    "rows come in groups: the spread is that of groups, and splits keep groups whole", "groups"
)
OF_RESAMPLES = Note(
    "models trained on resamples, which hold about 63% of the rows: one trained on all rows does a "
    "little better; bootstrap_632_plus by name weighs that",
    "resamples",
)
BY_WEIGHT = Note("rows have sampling weights, which leave fewer effective rows", "weights")


def over_splits(case: Case, interval: str = "auto") -> Estimate:
    """The measure over several splits, by the named method; refusals become reasons."""
    check_level(case.level)
    try:
        if interval == "none":
            return value_alone(case)
        if case.parts.whole.meta.design == "time" and (why := not_in_order(interval)):
            return without(value_alone(case), why)
        if interval in ("auto", "long_run"):
            return by_variance(case)
        if interval in resampled_methods():
            return answer(interval, case)
    except Refused as refusal:
        return without(value_alone(case), str(refusal))
    valid = ", ".join(resampled_methods())
    if interval not in methods():
        raise InputError(
            f"no interval method named {interval!r}; for several splits there are: auto, none, "
            f"{valid}; for one test set: {', '.join(methods())}"
        )
    reason = f"{interval} is valid for one test set, not for several splits ({valid})"
    return without(value_alone(case), reason)


def over_one(case: Case, interval: str) -> Estimate:
    """One split by a method of this registry: most need several, and say so.

    Out-of-bag rows (role `full`, out of sample) are always taken as such; rows that were trained
    on have no interval.
    """
    if interval == "auto" and case.parts.splits[0].role == "full":
        interval = "out_of_bag"
    try:
        if interval in OF_ONE_SPLIT:
            return answer(interval, case)
        test_set = one_test_set(case, case.parts)
        if interval == "auto":
            return test_set
        return without(test_set, f"{interval} needs several splits, here is 1")
    except Refused as refusal:
        assert case.parts.single is not None
        bare = estimate(case.measure, case.parts.single, case.class_, case.level, "none")
        return without(bare, str(refusal))


def value_alone(case: Case) -> Estimate:
    """The value without interval; of the bootstrap the left-out one, where rows have losses."""
    value = point(case)
    if case.design.kind != "bootstrap" or not isfinite(value.value):
        return value
    named = case.parts.whole.row is not None
    losses = loss_of(case.measure.form(case.parts.pooled, case.class_)) if named else None
    return value if losses is None else left_out_point(case)


def by_variance(case: Case) -> Estimate:
    """The value with limits from the variance model, the shared intercept and the form's scale."""
    value = value_alone(case)
    if not isfinite(value.value):
        return value
    need_all_splits(case)
    reason, notes = _beforehand(case)
    if reason:
        return without(value, reason)
    forms = forms_of(case)
    defined = [form for form in forms if not isinstance(form, Undefined)]
    added = added_by_tests(case, forms)
    if added is None:
        return _from_one_test_set(case, value, notes)
    if not np.isfinite(added).all():
        return without(value, "the influence of a row is not finite here")
    spread = spread_of(case, added)
    limits = limits_of(case, value.value, defined, forms, spread)
    if not limits.low <= limits.high:
        return without(value, NOTHING)
    below, above, more = widened(
        case, added, max(0.0, value.value - limits.low), max(0.0, limits.high - value.value)
    )
    low, high = value.value - below, value.value + above
    low, high = clipped(low, high, case.measure.range(case.table.classes))
    return case.found(
        value.value,
        _words(case, limits, spread.phi),
        low=min(low, value.value),
        high=max(high, value.value),
        se=sqrt(spread.variance),
        n=limits.n if limits.n > 0 else case.design.n,
        n_effective=limits.n_effective,
        notes=(*value.notes, *more, *notes),
        key="long_run" if case.design.kind == "in_order" else limits.key,
        scale=limits.scale,
    )


def _words(case: Case, limits: "FormLimits", phi: float) -> str:
    """The method in words; it names phi."""
    rows = f", effective n {limits.n_effective:.0f}" if limits.key == "wilson" else ""
    if case.design.kind == "in_order":
        return f"{limits.words}{rows} by long-run variance"
    return f"{limits.words}{rows}, by row over {case.design.splits} splits, phi {phi:.3g}"


def _beforehand(case: Case) -> tuple[str, tuple[str, ...]]:
    """Why there can be no interval, and what to say if there is."""
    design, table = case.design, case.parts.whole
    if table.in_train is not None and table.in_train.any():
        return OPTIMISTIC, ()
    if design.reason:
        return design.reason, ()
    if design.kind == "in_order":
        return few_times(case.parts.pooled.rows, "an interval"), ()
    if case.measure.over == "splits":
        undefined = float(np.isnan(case.values()).mean())
        if undefined > MOST_UNDEFINED:
            return LACKING.format(share=undefined), ()
        if table.group is not None:
            least = min(
                np.unique(np.asarray(part.group)).size for part in case.parts.alone.values()
            )
            if least < FEWEST_GROUPS_A_SPLIT:
                return TIGHT.format(least=least), ()
    notes: tuple[str, ...] = (OF_RESAMPLES,) if design.kind == "bootstrap" else ()
    notes += (BY_WEIGHT,) if table.meta.weight_kind == "sampling" else ()
    return "", notes if table.group is None else (*notes, BY_GROUP, *by_group(case))


def _from_one_test_set(case: Case, value: Estimate, notes: tuple[str, ...]) -> Estimate:
    """Where the influence of a row is not known: the interval of the rows of one repeat, sqrt(phi)
    times as long.
    """
    if case.measure.over == "splits":
        return without(value, UNKNOWN.format(measure=case.measure.title))
    rows = case.parts.counted(case.parts.pools[0])
    single = estimate(case.measure, rows, case.class_, case.level, "auto", case.seed)
    if isnan(single.low):
        return without(value, single.reason)
    phi = 1.0 if case.design.kind == "in_order" else ONE_REPEAT
    times = sqrt(phi * max(1.0, rows.rows.weight_sum / case.design.n))
    low = value.value - times * max(0.0, single.value - single.low)
    high = value.value + times * max(0.0, single.high - single.value)
    low, high = clipped(low, high, case.measure.range(case.table.classes))
    return replace(
        value,
        low=low,
        high=high,
        se=single.se * times,
        n_effective=case.design.rows / phi,
        reason="",
        method=f"{single.method}, over {case.design.splits} splits, phi {phi:g}",
        key=single.key,
        scale=single.scale,
        notes=(*value.notes, *single.notes, *notes),
    )


# --- the scale of each form -----------------------------------------------------------------------


@dataclass(frozen=True)
class FormLimits:
    """Limits on the scale of a form; the method's key, words and scale, and the rows it counts."""

    low: float
    high: float
    key: str
    words: str
    scale: Scale = ""
    n_effective: float = nan
    n: float = nan


def limits_of(
    case: Case, value: float, defined: Sequence[Form], forms: Sequence[Form], spread: Spread
) -> FormLimits:
    """Limits on the scale of the form; NaN where nothing varies."""
    form = defined[0]
    effective = effective_rows(case, spread.added, spread.variance)
    if isnan(effective):
        effective = case.design.rows / spread.phi
    if isinstance(form, (Rate, Curved)):
        return _of_rate(case, value, defined, spread)
    if isinstance(form, Smooth):
        limits = _of_smooth(case, value, defined, spread)
    elif isinstance(form, Blend):
        limits = _of_blend(case, value, forms, spread)
    elif isinstance(form, Mean) and form.blend is not None:
        blends = [part.blend or part if isinstance(part, Mean) else part for part in forms]
        limits = _of_blend(case, value, blends, spread)
    elif isinstance(form, Mean):
        limits = _of_mean(case, value, form, spread)
    elif isinstance(form, Area):
        limits = _of_area(case, value, defined, spread)
    elif isinstance(form, Statistic) and form.of_mean is not None:
        limits = _of_curved_mean(case, value, forms, spread)
    else:
        limits = _of_bounds(case, value, spread)
    return replace(limits, n_effective=effective)


def _of_rate(case: Case, value: float, forms: Sequence[Form], spread: Spread) -> FormLimits:
    """Wilson at the effective number of rows, of F through Q = TP/(TP+FP+FN)."""
    rates = [form.rate if isinstance(form, Curved) else form for form in forms]
    curve = forms[0].curve if isinstance(forms[0], Curved) else None
    rate = float(np.mean([part.value for part in rates])) if curve is not None else value
    slope = 1.0 if curve is None else float(np.imag(curve(rate + 1e-30j))) / 1e-30
    worth, most = rate_worth(case, rates, rate, spread.variance / slope**2, spread.phi)
    low, high = rate_limits(rate, worth, case.level, spread.df)
    if curve is not None:
        move = value - float(curve(rate))
        low, high = float(curve(low)) + move, float(curve(high)) + move
    words = "Wilson" if curve is None else "Wilson on TP/(TP+FP+FN)"
    return FormLimits(low, high, "wilson", words, "rate" if curve is None else "f", worth, most)


def rate_worth(
    case: Case, rates: Sequence[Form], rate: float, variance: float, phi: float
) -> tuple[float, float]:
    """The rows that a rate is worth, and those in its denominator.

    p (1 - p) / variance, at most the denominator; where all or none are hits, the denominator (or
    its groups) over phi.
    """
    known = [part for part in rates if isinstance(part, Rate)]
    most = case.design.rows * float(np.mean([part.trials / part.table.n for part in known]))
    if 0 < rate < 1 and variance > 0:
        return min(most, rate * (1 - rate) / variance), most
    return min(most, float(np.mean([part.effective for part in known]))) / phi, most


def _of_smooth(case: Case, value: float, forms: Sequence[Form], spread: Spread) -> FormLimits:
    """Kappa, MCC and the like: on the scale of the bounds, also with 2/k^2 more in each cell.

    The table is first scaled to the independent rows that would vary as much.
    """
    tables = [form for form in forms if isinstance(form, Smooth)]
    alone = [form.table.as_independent() for form in tables]
    plain = float(np.mean([t.variance(f.by_cell) for t, f in zip(alone, tables, strict=True)]))
    size = case.design.rows / float(np.mean([table.n for table in alone]))
    seen = plain > 0 and spread.variance > 0
    factor = min(size, plain / spread.variance) if seen else size / spread.phi
    smoothed = []
    for form, table in zip(tables, alone, strict=True):
        full = replace(form, table=table.scaled(factor).smoothed(2 / table.k**2))
        smoothed.append((full.value, full.table.variance(full.by_cell)))
    centre, variance = np.mean(smoothed, axis=0).tolist()
    se, q = sqrt(spread.variance), quantile(case.level, spread.df)
    bounds, errors = case.measure.bounds, ((value, se), (centre, sqrt(variance)))
    ends = [scaled(middle, error, q, bounds)[:2] for middle, error in errors if error > 0]
    low = min((value, *(end[0] for end in ends)))
    high = max((value, *(end[1] for end in ends)))
    if bounds == (-1.0, 1.0):
        return FormLimits(low, high, "delta_atanh", "delta on the atanh scale", "atanh")
    return FormLimits(low, high, "delta_smoothed", "delta on a smoothed table", "plain")


def _of_blend(case: Case, value: float, forms: Sequence[Form], spread: Spread) -> FormLimits:
    """MOVER of the Wilson limits of the rates that a measure is the weighted sum of."""
    blends = [form if isinstance(form, Blend) else None for form in forms]
    known = [blend for blend in blends if blend is not None]
    weights = np.array(known[0].weights) if known else np.zeros(0)
    alike = all(blend.weights == known[0].weights for blend in known)
    if not alike or not 0 < weights.size <= MANY_RATES:
        return _of_bounds(case, value, spread)
    blank = Undefined("no such rate in this repeat")
    lines = [[blank if b is None else b.rates[at] for b in blends] for at in range(weights.size)]
    added = [added_by_tests(case, line) for line in lines]
    covariance = covariance_of(case, [part for part in added if part is not None], spread.phi)
    rates, ends = np.empty(weights.size), np.empty((weights.size, 2))
    for at, line in enumerate(lines):
        plain = [part for part in line if not isinstance(part, Undefined)]
        rates[at] = np.mean([part.value for part in plain])
        part = replace(spread, variance=float(covariance[at, at]))
        limits = _of_rate(case, float(rates[at]), plain, part)
        ends[at] = limits.low, limits.high
    total = float(weights @ rates)
    low, high = _summed(rates, weights, ends, covariance, case.design.grouped)
    key = "mover" if weights.size <= FEW_RATES else "mover_centred"
    words = (
        "MOVER of Wilson limits" if weights.size <= FEW_RATES else "centred MOVER of Wilson limits"
    )
    return FormLimits(low + value - total, high + value - total, key, words)


def _summed(
    rates: Array, weights: Array, ends: Array, covariance: Array, grouped: bool
) -> tuple[float, float]:
    """Limits of a weighted sum of rates from those of each and their covariances.

    Rates without spread are independent of others, with groups as correlated as can be. Of more
    than three rates half lengths are squared and added about the mean of the centres, as in a mean
    of many the asymmetries even out (see `mover_centred`).
    """
    together = Matrix(covariance)
    if rates.size <= FEW_RATES:
        return mover(rates, weights, ends, partial(correlate, together, grouped))
    total = float(weights @ rates)
    below, above = centred(weights, rates, ends, together, grouped)
    return total - below, total + above


def _of_mean(case: Case, value: float, form: Mean, spread: Spread) -> FormLimits:
    """Student's t, of skewed losses Hall's; between known bounds Wilson at the effective rows."""
    if form.bounds is not None:
        least, most = form.bounds
        rate, width = (value - least) / (most - least), most - least
        variance, rows = spread.variance / width**2, case.design.rows
        worth = min(rows, rate * (1 - rate) / variance) if variance > 0 else rows / spread.phi
        low, high = rate_limits(rate, worth, case.level, spread.df)
        return FormLimits(least + width * low, least + width * high, "wilson_mean", "Wilson")
    if not spread.variance > (1e-12 * value) ** 2:
        return FormLimits(nan, nan, "student_t", "")
    lean, rows = tests_of(case).skewness(spread.added)
    se = sqrt(spread.variance * (rows / (rows - 1) if case.parts.whole.group is None else 1.0))
    skewed = abs(lean) * sqrt(rows) > SKEWED
    low, high = mean_limits(value, se, case.level, spread.df, lean if skewed else 0.0)
    if skewed:
        return FormLimits(low, high, "hall", "skewness-corrected t", "plain")
    return FormLimits(low, high, "student_t", "Student t", "student")


def _of_curved_mean(case: Case, value: float, forms: Sequence[Form], spread: Spread) -> FormLimits:
    """An increasing function of a mean, such as RMSE: the function of the mean's limits."""
    inner = [
        form.of_mean.mean if isinstance(form, Statistic) and form.of_mean is not None else form
        for form in forms
    ]
    means = [form for form in inner if isinstance(form, Mean)]
    added = added_by_tests(case, inner)
    assert added is not None
    mean = float(np.mean([form.value for form in means]))
    limits = _of_mean(case, mean, means[0], replace(spread_of(case, added), phi=spread.phi))
    outer = next(form.of_mean for form in forms if isinstance(form, Statistic))
    assert outer is not None
    move = value - outer.curve(mean)
    low = outer.curve(max(0.0, limits.low)) + move
    high = outer.curve(limits.high) + move
    return FormLimits(low, high, limits.key, f"{limits.words}, {outer.words}", "")


def _of_area(case: Case, value: float, forms: Sequence[Form], spread: Spread) -> FormLimits:
    """The logit scale; at an area of 0 or 1, or without spread, score limits."""
    if 0 < value < 1 and spread.variance > 0:
        low, high = logit_limits(value, sqrt(spread.variance), case.level, spread.df)
        return FormLimits(low, high, "delong", "DeLong, logit scale", "logit")
    areas = [form for form in forms if isinstance(form, Area)]
    tests = tests_of(case)
    times = spread.phi * tests.weight.sum() / case.design.rows
    sizes = (
        max(1.0, sum(area.sums.positive for area in areas) / times),
        max(1.0, sum(area.sums.negative for area in areas) / times),
    )
    low, high = score_limits(value, spread.variance, sizes, quantile(case.level, spread.df))
    return FormLimits(low, high, "score_auc", "score interval for AUC", "area")


def _of_bounds(case: Case, value: float, spread: Spread) -> FormLimits:
    """The delta method where the measure's bounds lie at infinity; at a bound Wilson's limits."""
    least, most = case.measure.range(case.table.classes)
    if spread.variance > 0 and least < value < most:
        q = quantile(case.level, spread.df)
        low, high, scale = scaled(value, sqrt(spread.variance), q, (least, most))
        return FormLimits(low, high, "delta_scaled", f"delta on the {scale} scale", scale)
    if max(abs(least), abs(most)) == inf or case.table.task != "classification":
        return FormLimits(nan, nan, "delta_scaled", "")
    sizes = case.parts.counted(case.parts.pools[0]).rows.class_sizes()
    rate = (value - least) / (most - least)
    low, high = rate_limits(rate, float(sizes[sizes > 0].min()) / spread.phi, case.level)
    ends = least + (most - least) * low, least + (most - least) * high
    return FormLimits(*ends, "delta_scaled", "Wilson of the smallest class")
