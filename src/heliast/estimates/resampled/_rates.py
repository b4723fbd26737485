"""Rates over several splits: Wilson with an effective number of rows."""

from math import sqrt

import numpy as np

from heliast.estimates._record import Estimate
from heliast.estimates._wilson import wilson_limits
from heliast.estimates.resampled._case import Case
from heliast.estimates.resampled._linear import split_values
from heliast.estimates.resampled._point import point
from heliast.estimates.resampled._row_worth import count_rows, worth_of_rows
from heliast.estimates.resampled._unstable import NOTE, instability
from heliast.measures.forms import Curved, Form, Rate

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


def rate_of(form: Form) -> Rate | None:
    """The rate that decides the limits: itself, or the Q of an F."""
    if isinstance(form, Curved):
        return form.rate
    return form if isinstance(form, Rate) else None


def wilson_over_splits(case: Case) -> Estimate:
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
    one = point(case)
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
    notes = _said(case, one.notes, most * min(p, 1 - p))
    if design.kind != "leave_one_out":
        found = instability(
            split_values(case, rates=True),
            plain=p * (1 - p) * max(1.0, counts.ratio) / (design.n_test * share),
            by_rows=p * (1 - p) / effective,
            ratio=design.ratio,
            level=case.level,
        )
        effective /= found.factor
        notes += (NOTE,) if found.seen else ()
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
    tables = [np.asarray(part.truth) for part in case.parts.alone.values()]
    k = len(case.table.classes)
    counts = np.array([np.bincount(truth, minlength=k) for truth in tables])
    shares = counts.sum(axis=0) / counts.sum()
    away = np.abs(counts - counts.sum(axis=1, keepdims=True) * shares)
    return counts.shape[0] > 1 and bool((away <= 1.5).all())
