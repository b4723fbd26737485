"""The default over several splits: rates by Wilson, all else by row, with what tests are worth."""

from dataclasses import replace
from math import inf, isnan, nan, sqrt

import numpy as np

from heliast._core.kinds import Array
from heliast._core.level import quantile
from heliast._core.proportions import wilson_limits
from heliast.estimates._estimate import estimate
from heliast.estimates._in_order import said, worth
from heliast.estimates._record import Estimate
from heliast.estimates._scales import clipped, scaled, score_limits
from heliast.estimates._spread import rows_spread
from heliast.estimates.resampled._case import Case, without
from heliast.estimates.resampled._linear import UNSTABLE, influences, instability, split_values
from heliast.estimates.resampled._row_worth import Judged, count_rows, judged, worth_of_rows
from heliast.estimates.resampled._threshold import learned_threshold
from heliast.measures import CalibrationError
from heliast.measures.forms import Area, Curved, Form, Rate, Statistic, Undefined

FEW_CASES = 20
STABLE = (
    "leave-one-out shows nothing of how much the model changes with its training rows: for stable "
    "learners only"
)
ALIKE = (
    "few training rows a class, spread evenly over splits: new samples are less even, so the value "
    "is better than that of a recipe trained on them; splits with stratify=False show no such gain"
)
FEW = (
    "fewer than 20 of the cases that the rate counts, or that it does not: a few rows decide the "
    "limits"
)
GROUPS_ONCE = (
    "groups, each tested once, show nothing of how much the model changes with its training rows: "
    "the limits allow for models that do, and are wide for stable ones"
)
FEWEST_A_SPLIT, MOST_UNDEFINED = 5, 0.2
LACKING = (
    "undefined in {gone:.0%} of the splits, and the others are no fair sample; {hint} have all "
    "classes"
)
TIGHT = (
    "a split tests {least:g} groups only, so it compares scores mostly within groups, which is "
    "another quantity; larger splits (a holdout, fewer folds) of at least 5 groups show the area"
)
COUNTED = (
    "rows that stand for several lie in one split each, so the area of a split is that of few "
    "different rows, which is biased; one test set has an interval, or write each row as often as "
    "it was seen"
)
UNKNOWN = "the influence of a row on {measure} is not known, so neither is its spread over splits"
AGAINST = (
    "leave-one-out: the outcome left out moves its own forecast the other way, which looks like a "
    "calibration error; folds do so ever less the larger they are"
)
BY_DESIGN = (
    "class counts fixed by design: the spread over several splits is not known; one test set has "
    "an interval"
)
NOTHING = "no row moves the value here, so its spread cannot be seen"


def rate_of(form: Form) -> Rate | None:
    """The rate that decides the limits: itself, or the Q of an F."""
    if isinstance(form, Curved):
        return form.rate
    return form if isinstance(form, Rate) else None


def wilson_over_splits(case: Case, one: Estimate) -> Estimate:
    """W(p, n_eff, q): n_eff counts the rows tested, less what they share.

    n_eff = share / ((S + a/n) f), `share` that of the rate's denominator among all rows. S is the
    sum over rows of the squared share of the tests that fall on a row (1/n for folds), a stands for
    the training rows that splits have in common, f is below 1 where a row goes now right, now
    wrong, and above 1 where groups go wrong together (`effective_rows`). q is normal, with groups
    Student's with one degree of freedom less than there are groups.

    Where the splits' values vary more than chance allows, the model is unstable and counts as
    fewer rows (`instability`).
    """
    design = case.design
    forms = [case.form(*names) for names in case.parts.pools]
    of_repeats = [rate_of(form) for form in forms]
    rates = [rate for rate in of_repeats if rate is not None]
    p = float(np.mean([rate.value for rate in rates]))
    share = float(np.mean([rate.trials / rate.table.n for rate in rates]))
    most = design.rows * share
    counts = count_rows(case, of_repeats)
    effective = min(most, share * worth_of_rows(case, counts, forms[0]))
    group = case.parts.whole.group
    df = None if group is None else np.unique(group).size - 1.0
    notes = _said(case, one.notes, most * min(p, 1 - p)) + learned_threshold(case)
    if design.kind != "leave_one_out":
        found = instability(
            split_values(case, rates=True),
            plain=p * (1 - p) * max(1.0, counts.ratio) / (design.n_test * share),
            by_rows=p * (1 - p) / effective,
            ratio=design.ratio,
            level=case.level,
        )
        effective /= found.factor
        notes += (UNSTABLE,) if found.seen else ()
    low, high = wilson_limits(p, effective, case.level, df)
    se = sqrt(p * (1 - p) / effective)
    curved = next((form for form in forms if isinstance(form, Curved)), None)
    if curved is not None:
        low, high = float(curved.curve(low)), float(curved.curve(high))
        se *= float(np.imag(curved.curve(p + 1e-30j))) / 1e-30
    words = "Wilson on TP/(TP+FP+FN)" if curved is not None else "Wilson"
    return case.found(
        one.value,
        f"{words}, effective n {effective:.0f} from {design.splits} splits",
        low=min(low, one.value),
        high=max(high, one.value),
        se=se,
        n=design.n * share,
        n_effective=effective,
        notes=notes,
        key="wilson",
        scale="rate" if curved is None else "f",
    )


def _said(case: Case, notes: tuple[str, ...], cases: float) -> tuple[str, ...]:
    """What to know of the limits; `cases` of the rarer outcome were seen."""
    design, classes = case.design, len(case.table.classes)
    if design.kind == "leave_one_out":
        notes += (STABLE,)
    elif design.grouped and design.folds and design.repeats == 1:
        notes += (GROUPS_ONCE,)
    if cases < FEW_CASES:
        notes += (FEW,)
    few = classes > 1 and (design.n_train or np.inf) < enough_to_train(classes)
    return (*notes, ALIKE) if few and _even(case) else notes


def enough_to_train(classes: int) -> int:
    """Training rows from which it matters little that splits spread classes evenly.

    Ten classes against the rest still gain 2 points by it with 50 rows of each (docs/coverage.md).

    >>> enough_to_train(2), enough_to_train(10)
    (30, 600)
    """
    return max(15, 6 * classes) * classes


def _even(case: Case) -> bool:
    """Whether classes are spread over the splits of a size as evenly as counts allow."""
    tables = [np.asarray(part.y_true) for part in case.parts.alone.values()]
    k = len(case.table.classes)
    counts = np.array([np.bincount(truth, minlength=k) for truth in tables])
    shares = counts.sum(axis=0) / counts.sum()
    away = np.abs(counts - counts.sum(axis=1, keepdims=True) * shares)
    return counts.shape[0] > 1 and bool((away <= 1.5).all())


def by_row(case: Case, one: Estimate) -> Estimate:
    """The limits that one test set of all tests would have, stretched to what the tests are worth.

    Each test has a first-order influence psi on the value (for a mean its loss less the mean). If
    tests were independent the variance would be s^2 T, T the sum of the squared shares of tests
    and s^2 the mean of psi^2. It is taken to be s^2 f (S + a/n): S sums squared shares by row, as
    repeats test the same rows again; a stands for the training rows that splits have in common;
    f is below 1 where a row is now right, now wrong (`effective_rows`; docs/coverage.md). The
    default interval of one test set is then made with a standard error sqrt(f (S + a/n) / T) times
    as large, on its own scale and with its own corrections and warnings. Rows, and not a handful
    of splits, tell the spread: so dealing folds by class hides nothing, and three folds are as
    good as ten. Where splits vary more than rows explain, it is wider still (`instability`).
    """
    psi = influences(case)
    form = case.form(*case.parts.pools[0])
    if psi is None and isinstance(form, Statistic):
        reason = _unknown(case, form)
        if reason:
            return without(one, reason)
    in_order = case.design.kind == "in_order"
    if in_order:  # the long-run variance is that of all tests, models that change included
        stretch, notes, effective = 1.0, _growing(case), nan
    else:
        weighed = judged(case, psi)
        stretch, notes = _stretch(case, psi, weighed)
        effective = weighed.rows
    notes += learned_threshold(case)
    limits = _areas if case.measure.over == "splits" else _one_test_set
    found = limits(case, one, psi, stretch)
    if found.reason or isnan(found.low):
        return without(one, found.reason or NOTHING)
    if case.design.kind == "leave_one_out":
        notes += (STABLE,)
    return case.found(
        one.value,
        f"{found.method}, by row over {case.design.splits} splits",
        low=found.low,
        high=found.high,
        se=found.se,
        n_effective=found.n_effective if in_order else effective,
        notes=(*one.notes, *found.notes, *notes),
        key=found.key,
        scale=found.scale,
    )


def _unknown(case: Case, form: Statistic) -> str:
    """Why there can be no interval where the influence of a row is not known.

    Of a calibration error the noise of each bin is known, and grows as any standard error does.
    """
    if not isinstance(form, CalibrationError):
        return UNKNOWN.format(measure=case.measure.title)
    return form.why or (AGAINST if case.design.kind == "leave_one_out" else "")


def _growing(case: Case) -> tuple[str, ...]:
    """What to say where training windows grow with time."""
    sizes = [one.n_train for one in case.parts.splits if one.n_train is not None]
    if not sizes or max(sizes) <= 1.1 * min(sizes):
        return ()
    return (
        f"training windows of {min(sizes)} to {max(sizes)} rows: the value is that of the recipe "
        "while its window grows",
    )


def _stretch(case: Case, psi: Array | None, worth: Judged) -> tuple[float, tuple[str, ...]]:
    """The standard error relative to that of independent tests, and what to say of it."""
    factor = worth.factor
    if psi is None or case.design.kind == "leave_one_out":
        return sqrt(factor), ()
    known = psi[np.isfinite(psi)]
    square = float((known**2).mean()) if known.size else 0.0
    if not square > 0:
        return sqrt(factor), ()
    size = case.design.n_test
    found = instability(
        _means(case, psi),
        plain=square * max(1.0, worth.ratio) / size,
        by_rows=square * worth.variance,
        ratio=case.design.ratio,
        level=case.level,
        kurtosis=max(0.0, float((known**4).mean()) / square**2 - 3) / size,
    )
    return sqrt(factor * found.factor), (UNSTABLE,) if found.seen else ()


def _means(case: Case, psi: Array) -> Array:
    """What each split says: the value, and for pooled measures its rows' mean influence."""
    if case.measure.over == "splits":
        values = case.values()
        return values[np.isfinite(values)]
    code = case.parts.whole.split_code
    sizes = np.bincount(np.asarray(code))
    return np.bincount(np.asarray(code), weights=psi) / np.where(sizes > 0, sizes, 1)


def _one_test_set(case: Case, one: Estimate, psi: Array | None, stretch: float) -> Estimate:
    """All tests as one test set, moved to the value of the repeats."""
    copies = 1.0 if case.design.grouped else max(1.0, len(case.parts.whole) / case.design.n)
    found = estimate(
        case.measure,
        case.parts.pooled,
        case.class_,
        case.level,
        "auto",
        case.seed,
        stretch=stretch / sqrt(copies),
        copies=copies,
    )
    # The limits of a calibration error come from gaps and noise, not from the value.
    move = 0.0 if found.key == "calibration" else one.value - found.value
    low, high = clipped(found.low + move, found.high + move, case.measure.bounds)
    return replace(found, low=min(low, one.value), high=max(high, one.value), se=found.se * stretch)


def _areas(case: Case, one: Estimate, psi: Array | None, stretch: float) -> Estimate:
    """A mean over splits: score limits of an area, else the scale of the measure's bounds."""
    if psi is None:
        return without(one, BY_DESIGN)
    in_order = case.design.kind == "in_order"
    gone = float(np.isnan(case.values()).mean())
    if gone > MOST_UNDEFINED:
        hint = "tests of a longer time" if in_order else "larger splits, or folds dealt by class,"
        return without(one, LACKING.format(gone=gone, hint=hint))
    least = inf if in_order else _groups_a_split(case)
    if least < FEWEST_A_SPLIT:
        return without(one, TIGHT.format(least=least))
    weight = case.parts.whole.weight
    if case.parts.whole.meta.weight_kind == "frequency" and weight is not None and weight.max() > 1:
        return without(one, COUNTED)
    rows, psi = case.parts.pooled.rows, np.where(np.isfinite(psi), psi, 0.0)
    found = rows_spread(rows, psi)
    if in_order:
        effective = worth(rows, psi)[1]
        one = replace(one, n_effective=effective, notes=said(effective, rows))
    se = sqrt(found.variance)
    q = quantile(case.level, found.df) * stretch
    forms = [case.form(name) for name in case.parts.alone]
    areas = [form for form in forms if isinstance(form, Area)]
    defined = [form for form in forms if not isinstance(form, Undefined)]
    if len(areas) == len(defined):
        sizes = sum(f.sums.positive for f in areas), sum(f.sums.negative for f in areas)
        low, high = score_limits(one.value, se**2, sizes, q)
        one = replace(one, method="score interval", key="score_auc", scale="area")
        return replace(one, low=low, high=high, se=se * stretch, reason="")
    if not se > 0:
        return without(one, NOTHING)
    low, high, scale = scaled(one.value, se, q, case.measure.bounds)
    one = replace(one, method=f"delta on the {scale} scale", key="delta_scaled", scale=scale)
    return replace(one, low=low, high=high, se=se * stretch, reason="")


def _groups_a_split(case: Case) -> float:
    """The fewest groups that a split tests; infinite without groups."""
    if not case.design.grouped:
        return inf
    return min(float(np.unique(np.asarray(part.group)).size) for part in case.parts.alone.values())
