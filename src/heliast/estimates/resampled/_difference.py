"""Differences of two models over the same splits: one variance, both intercepts move alike."""

from dataclasses import dataclass
from math import isfinite, sqrt
from typing import NamedTuple

import numpy as np

from heliast._core.kinds import Array
from heliast._core.level import check_level, quantile
from heliast.estimates.resampled._auto import value_alone
from heliast.estimates.resampled._case import Case, Refused, by_group, loss_of, need_all_splits
from heliast.estimates.resampled._intercept import (
    NO_SCORES,
    STEPS,
    along_classes,
    curves,
    learned_threshold,
    moved_classes,
    widen,
)
from heliast.estimates.resampled._variance import (
    OF_DIFFERENCE,
    added_by_tests,
    effective_rows,
    forms_of,
    spread_of,
    tests_of,
)
from heliast.measures.forms import Blend, Curved, Form, Rate, Undefined

OUT = 3  # the shared shift is followed so many times its confidence limit, for small p values
HALVINGS = 60
# The part of the shift's deviation that a model has to itself: nulls of discriminants with even
# priors at 2.5% positives are rejected in 26% (Brier score) without it, in 3 to 5% with it
# (tests/estimates/resampled/test_false_alarms.py).
OWN = 0.5


class DifferenceOverSplits(NamedTuple):
    """Value of a less value of b, with limits and the p value that agrees with them.

    >>> DifferenceOverSplits(0.1, 0.0, 0.2, 0.05, 99.0, 0.05, "rows", (), 100.0).value
    0.1
    """

    value: float
    low: float
    high: float
    se: float
    df: float
    p: float
    method: str
    notes: tuple[str, ...]
    n_effective: float
    reach: "_Reach | None" = None

    def at(self, level: float) -> "DifferenceOverSplits":
        """The same with the limits at another level."""
        assert self.reach is not None
        below, above = self.reach.distances(level)
        return self._replace(low=self.value - below, high=self.value + above)


def difference_over_splits(a: Case, b: Case, level: float = 0.95) -> DifferenceOverSplits:
    """How much two models differ over the same splits, by the variance model of their rows.

    value -+ sqrt((t se)^2 + r^2): se^2 = phi V(psi_a - psi_b), and r is how far the difference of a
    label measure moves while the shared intercept of both moves within its confidence limits. p is
    the level at which the interval touches 0; 1 for identical predictions. Refused where an
    estimate over these splits has no interval.
    """
    check_level(level)
    for case in (a, b):
        need_all_splits(case)
    if a.design.reason:
        raise Refused(a.design.reason)
    notes = by_group(a)
    value = value_alone(a).value - value_alone(b).value
    forms = forms_of(a), forms_of(b)
    of_a, of_b = added_by_tests(a, forms[0]), added_by_tests(b, forms[1])
    if of_a is None or of_b is None:
        raise Refused(f"the influence of a row on {a.measure.title} is not known")
    if not (isfinite(value) and np.isfinite(of_a).all() and np.isfinite(of_b).all()):
        raise Refused(f"{a.measure.title} is not finite for both models")
    of_b = of_b[_order(a, b)]
    spread = spread_of(a, of_a - of_b, OF_DIFFERENCE)
    doubt = (_one_row(a, forms[0]) + _one_row(b, forms[1])) / 2
    variance = spread.variance + spread.phi * doubt
    se = sqrt(variance)
    steps, more = _moved(a, b, level)
    notes = tuple(dict.fromkeys((*notes, *more)))
    along = along_classes(a, spread.added, 1.0) if steps.size else np.zeros(0)
    classes, along = along.size, np.resize(along, len(steps))
    reach = _Reach(value, se, spread.df, steps, along, level, classes)
    below, above = reach.distances(level)
    same = value == 0 and np.array_equal(of_a, of_b)
    words = f"paired rows over {a.design.splits} splits, phi {spread.phi:.3g}"
    return DifferenceOverSplits(
        value,
        value - below,
        value + above,
        se,
        spread.df,
        1.0 if same or value == 0 else reach.p,
        "identical predictions" if same else words,
        notes,
        effective_rows(a, spread.added, spread.variance),
        reach,
    )


def _order(a: Case, b: Case) -> Array:
    """Where the tests of a stand among those of b."""
    keys = [np.lexsort([tests_of(case).row, tests_of(case).split]) for case in (a, b)]
    pairs = zip((a, b), keys, strict=True)
    (row_a, split_a), (row_b, split_b) = (
        (tests_of(case).row[key], tests_of(case).split[key]) for case, key in pairs
    )
    if not (np.array_equal(row_a, row_b) and np.array_equal(split_a, split_b)):
        raise Refused("the two models were not tested on the same rows of the same splits")
    order = np.empty(row_a.size, np.int64)
    order[keys[0]] = keys[1]
    return order


def _one_row(case: Case, forms: list[Form]) -> float:
    """The variance of one row of doubt in the denominator of a rate, so that few discordant rows
    do not look certain (as Agresti and Min 2005 add half a row to each cell of the pair's table).
    """
    form = next(form for form in forms if not isinstance(form, Undefined))
    if isinstance(form, Blend):
        parts = zip(form.weights, form.rates, strict=True)
        return sum(weight**2 * _one_row(case, [rate]) for weight, rate in parts)
    slope = 1.0
    if isinstance(form, Curved):
        slope = float(np.imag(form.curve(form.rate.value + 1e-30j))) / 1e-30
        form = form.rate
    if not isinstance(form, Rate):
        return 0.0
    return (slope / max(1.0, case.design.rows * form.trials / form.table.n)) ** 2


def _moved(a: Case, b: Case, level: float) -> tuple[Array, tuple[str, ...]]:
    """How the difference moves with the shared shift: (classes, steps)."""
    codes = moved_classes(a), moved_classes(b)
    if not codes[0] or codes[0] != codes[1]:
        return np.zeros((0, 2 * STEPS * OUT + 1)), (NO_SCORES,) if None in codes else ()
    notes = learned_threshold(a) + learned_threshold(b)
    if loss_of(a.form(*a.parts.pools[0])) is None:
        return curves((a, b), (1.0, -1.0), level, OUT), notes
    # A loss hardly moves with the intercept unless a model weighs classes anew; then each model's
    # own mistakes hang on the few rows of a class, and the two do not move quite alike.
    alone = [curves((c,), (s,), level, OUT, OWN) for c, s in ((a, 1.0), (b, -1.0))]
    return np.concatenate(alone), notes


@dataclass(frozen=True, eq=False)
class _Reach:
    """How far the limits lie from the value at any level."""

    value: float
    se: float
    df: float
    steps: Array
    along: Array
    level: float
    classes: int

    def distances(self, at: float) -> tuple[float, float]:
        """Below and above the value, at level `at`."""
        half, z = quantile(at, self.df) * self.se, quantile(at)
        if not self.steps.size:
            return half, half
        middle = self.steps.shape[1] // 2
        end = min(z / quantile(self.level), float(OUT)) * STEPS
        places = np.arange(-middle, middle + 1)
        inner = np.unique(np.concatenate([places[np.abs(places) <= end], [-end, end]]))
        part = np.stack([np.interp(inner, places, line) for line in self.steps])
        return widen(half, half, part, z * self.along, self.classes)

    @property
    def p(self) -> float:
        """The level at which the interval touches 0, by halving."""
        # A level of 1 has no finite limits.
        low, high, side = 1e-15, 1.0, 0 if self.value > 0 else 1
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            outside = abs(self.value) > self.distances(1 - middle)[side]
            low, high = (low, middle) if outside else (middle, high)
        return high
