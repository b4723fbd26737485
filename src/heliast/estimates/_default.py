"""The default interval of one test set: one table, read from the top."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from math import sqrt

from heliast.estimates._areas import ranked_classes
from heliast.estimates._means import allow_for_misses, beyond
from heliast.estimates._mover import of_two_classes
from heliast.estimates._registry import Case, Limits, method
from heliast.estimates._scales import FEW_OF_A_CLASS, clipped, mean_limits
from heliast.estimates._spread import (
    class_sizes,
    dominated,
    in_units,
    is_sampled,
    loss_skewness,
    skewness,
    spread,
)
from heliast.measures import CalibrationError
from heliast.measures.forms import (
    Area,
    Blend,
    Curved,
    CurvedMean,
    Form,
    Mean,
    Rate,
    Smooth,
    Statistic,
)

FEW_RATES = 3
"""A sum of more rates than this has limits about a centre."""
SKEWED = 2.0
MANY, MANY_DEAR, MANY_OF_A_CLASS = 200_000, 20_000, 1000
"""Rows from which the bootstrap costs more than it gives; weights and numbers make replicates dear.
From so many rows in each class on, the limits of average precision by the delta method are those
of BCa but for its replicates' noise (benchmarks/studies/many_rows.py)."""
NEVER = "a class is never labelled rightly, which no replicate can change"
WIDENED = "widened for groups or weights"


@dataclass(frozen=True)
class Rule:
    """The method of a form, where `when` holds.

    `drawn` says that it draws replicates, which have no tails for sequences; `otherwise` names
    what stands in where these show nothing, `why` it was not them that were asked. `closed` is the
    method of one model's limits within a comparison.
    """

    method: str
    forms: tuple[type, ...]
    when: Callable[[Case], bool] = lambda _: True
    drawn: bool = False
    otherwise: str = ""
    why: str = ""
    closed: str = ""


def _many(case: Case) -> bool:
    """A mean over classes works on the rows once a class, so its rows count as often."""
    form = case.form
    if isinstance(form, Smooth) and form.table.squares is None:
        return False
    classes = len(form.mix) if isinstance(form, Statistic) else 1
    return case.rows.n * max(1, classes) > (MANY_DEAR if is_sampled(case.rows) else MANY)


def _many_of_each_class(case: Case) -> bool:
    rows, codes = case.rows, ranked_classes(case)
    sizes = rows.class_sizes()[codes] if codes and not in_units(rows) else ()
    return len(sizes) > 0 and all(
        MANY_OF_A_CLASS <= size <= rows.n - MANY_OF_A_CLASS for size in sizes
    )


def _many_influences(case: Case) -> bool:
    return (_many(case) or _many_of_each_class(case)) and _influence_known(case)


def _never_right(case: Case) -> bool:
    """A class without a hit has none in any replicate, so the bootstrap believes it never will."""
    table = case.formed(Smooth).table
    return not (table.hits[table.actual > 0] > 0).all()


def _of_areas(case: Case) -> bool:
    mix = case.form.mix if isinstance(case.form, Statistic) else ()
    return bool(mix) and all(isinstance(part, Area) for _, part in mix)


def _influence_known(case: Case) -> bool:
    return isinstance(case.form, Statistic) and case.form.psi is not None


def _perfect(case: Case) -> bool:
    return bool(ranked_classes(case)) and case.form.value > 1 - 1e-12


def _long_tailed(case: Case) -> bool:
    """Costs of an answer and squared errors: a few of them do not show how much they may be."""
    return bool(case.measure.spends) or case.formed(Mean).squared


RULES: tuple[Rule, ...] = (
    Rule("mover_classes", (Rate, Curved, Blend, Smooth), lambda case: of_two_classes(case.form)),
    Rule("wilson_guarded", (Rate, Curved), closed="wilson"),
    Rule("mover", (Blend,), lambda case: len(case.formed(Blend).rates) <= FEW_RATES),
    # Of many rates the plain rule would make too much of what each is skewed.
    Rule("mover_centred", (Blend,)),
    Rule("delta_atanh", (Smooth,), lambda case: case.formed(Smooth).agreement),
    Rule("delta_smoothed", (Smooth,), _many),
    Rule("delta_smoothed", (Smooth,), _never_right, why=NEVER),
    Rule("bootstrap", (Smooth,), drawn=True, otherwise="delta_smoothed"),
    Rule("delta_smoothed", (Smooth,)),
    Rule("order_statistics", (Mean,), lambda case: case.formed(Mean).ranked),
    Rule("wilson_mean", (Mean,), lambda case: case.formed(Mean).bounds is not None),
    Rule("skewed_t", (Mean,), _long_tailed),
    Rule("student_t", (Mean,), lambda case: not abs(loss_skewness(case)) > SKEWED),
    Rule("hall", (Mean,)),
    Rule("score_auc", (Area,), lambda case: min(class_sizes(case)) < FEW_OF_A_CLASS),
    Rule("delong", (Area,)),
    Rule("calibration", (CalibrationError,), drawn=True),
    Rule("mover_auc", (Statistic,), _of_areas),
    Rule("wilson_positives", (Statistic,), _perfect),
    Rule("delta_scaled", (Statistic,), _many_influences),
    Rule(
        "delta_skewed",
        (Statistic,),
        lambda case: case.rows.task == "regression" and _influence_known(case),
    ),
    Rule("bootstrap", (Statistic,), lambda case: case.rows.task != "regression", drawn=True),
    Rule("bootstrap_percentile", (Statistic,), drawn=True),
    Rule("delta_scaled", (Statistic,), _influence_known),
)
"""The first rule that fits the form decides. A mean of few values is judged as the sum of rates
that it is, and a function of a mean by the limits of that mean."""


def default(case: Case) -> str:
    """The name of the default method of a case."""
    return next(_fitting(_inner(case))).method


def default_limits(case: Case) -> Limits:
    """The default interval of a case."""
    return _limits(case, closed=False)


def closed_limits(case: Case) -> Limits | None:
    """The default interval that is not drawn; None where there is none."""
    if all(rule.drawn for rule in _fitting(_inner(case))):
        return None
    return _limits(case, closed=True)


def _fitting(case: Case) -> Iterator[Rule]:
    return (rule for rule in RULES if isinstance(case.form, rule.forms) and rule.when(case))


def _inner(case: Case) -> Case:
    """The case that decides: the rates of a loss of few values, the mean behind a function."""
    form: Form = case.form
    if isinstance(form, Statistic) and form.of_mean is not None:
        form = form.of_mean.mean
    if isinstance(form, Mean) and form.blend is not None:
        form = form.blend
    return case if form is case.form else replace(case, form=form)


def _limits(case: Case, closed: bool) -> Limits:
    form = case.form
    if isinstance(form, Statistic) and form.of_mean is not None:
        return _of_mean(case, form.of_mean, closed)
    case = _inner(case)
    rule = next(rule for rule in _fitting(case) if not (closed and rule.drawn))
    name = rule.closed if closed and rule.closed else rule.method
    limits = method(name).limits(case)
    why = rule.why
    if rule.otherwise and limits.reason:
        why, limits = limits.reason, method(rule.otherwise).limits(case)
    if why and not closed:
        limits = replace(limits, notes=(*limits.notes, f"not the bootstrap: {why}"))
    limits = _allow_for_skewness(case, limits)
    return allow_for_misses(case, limits) if isinstance(case.form, Mean) else limits


def _of_mean(case: Case, inner: CurvedMean, closed: bool) -> Limits:
    """Limits of an increasing function of a mean: the function of the mean's limits."""
    limits = _limits(replace(case, form=inner.mean), closed)
    if limits.reason:
        return limits
    low, high = float(inner.curve(limits.low)), float(inner.curve(limits.high))
    se, words = sqrt(spread(case).variance), f"{limits.method}, {inner.words}"
    notes = limits.notes + beyond(inner, limits, case.level)
    return replace(limits, low=low, high=high, se=se, method=words, notes=notes)


def _allow_for_skewness(case: Case, limits: Limits) -> Limits:
    """The limits of groups or sampling weights, on the side of the longer tail at least Hall's.

    Where large groups, or rows that weigh more, go with the errors, a few of them make most of an
    estimate, and limits as symmetric as Student's or as lopsided as binomial ones end too early on
    that side. Of 25 and 125 groups of log-normal size, 200 and 1,000 rows, the Brier score is
    covered .907 and .950 of the time, without this .877 and .923 (300 samples each).
    """
    rows, form = case.rows, case.form
    if limits.reason or not in_units(rows) or rows.design != "rows":
        return limits
    ranked = isinstance(form, Area) or (isinstance(form, Statistic) and rows.task != "regression")
    if ranked and rows.group is None:
        return limits
    found = spread(case)
    if not found.variance > 0:
        return limits
    tilt, se = skewness(case), sqrt(found.variance)
    low, high = mean_limits(form.value, se, case.level, found.df, tilt)
    if isinstance(form, Mean):  # both tails may be longer than they look
        plain = mean_limits(form.value, se, case.level, found.df)
        low, high = min(low, plain[0]), max(high, plain[1])
    low, high = clipped(low, high, case.measure.bounds)
    low = min(low, limits.low) if tilt < 0 or isinstance(form, Mean) else limits.low
    high = max(high, limits.high) if tilt > 0 or isinstance(form, Mean) else limits.high
    notes = tuple(note for note in dominated(tilt) if note not in limits.notes)
    moved = (low, high) != (limits.low, limits.high)
    words = f"{limits.method}, {WIDENED}" if moved else limits.method
    return replace(limits, low=low, high=high, method=words, notes=limits.notes + notes)
