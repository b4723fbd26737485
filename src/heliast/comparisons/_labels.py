"""Measures of labels, and means within bounds, on one test set: from the limits of each model."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache, lru_cache
from math import isnan, nan, sqrt

import numpy as np

from heliast._core.kinds import Array
from heliast.comparisons._mover import Mover, Pair
from heliast.comparisons._paired import Paired
from heliast.comparisons._record import SAME, TestResult
from heliast.comparisons._registry import ONE, Answer, Asked, comparison
from heliast.comparisons._row_losses import independent_units, skewed_t_of
from heliast.estimates import Case, closed_limits
from heliast.measures import Measure
from heliast.measures.forms import Form, Mean, Smooth, TableForm
from heliast.predictions import Rows

MOST_CLASSES = 64
# Where fewer rows differ, the limits of each model take part beside the t test.
FEW_DIFFER = 20


class Own:
    """The limits of one model's measure, by the closed form that `assess` has for it."""

    def __init__(self, form: TableForm | Mean, rows: Rows, measure: Measure) -> None:
        self.form, self.rows, self.measure = form, rows, measure
        self.limits = lru_cache(maxsize=64)(self._limits)

    @classmethod
    def of(cls, form: Form, rows: Rows, measure: Measure) -> "Own | None":
        """None for what is neither a function of the table, a mean within bounds nor a cost."""
        if isinstance(form, Mean) and (form.bounds is not None or measure.spends):
            return cls(form, rows, measure)
        table = form.blend if isinstance(form, Mean) else form
        return cls(table, rows, measure) if isinstance(table, TableForm) else None

    def _limits(self, level: float) -> Pair:
        value = self.form.value
        # Replicates would be drawn again at every level.
        limits = closed_limits(Case(self.form, level, self.rows, self.measure))
        if limits is None or isnan(limits.low):
            return value, value
        return min(limits.low, value), max(limits.high, value)

    @property
    def sharp(self) -> bool:
        """Whether these limits are hardly wider than they need: those of a smoothed table are,
        and of a mean those of each model say little of how two vary together.
        """
        return not isinstance(self.form, (Smooth, Mean))

    @property
    def reach(self) -> float:
        """How far one row can move the value, times the number of rows."""
        if isinstance(self.form, Mean):
            low, high = self.form.bounds or (0.0, 0.0)
            return high - low
        codes = np.arange(self.form.table.k)
        gradient = self.form.at(*np.meshgrid(codes, codes, indexing="ij"))
        if not self.form.table.by_class:
            return float(np.ptp(gradient))
        return float((self.form.table.factor * np.ptp(gradient, axis=1)).max())


def table_mover(pair: tuple[Own, Own], influences: tuple[Array, Array]) -> Mover:
    """Square-and-add of two models' own limits.

    The correlation is that of their influences, less half a row of full reach where it is
    positive, as few rows on which models differ make it look too large (Newcombe 1998, method 10,
    whose rule this is where both are rates of the same rows).
    """
    (a, b), rows, units = pair, pair[0].rows, np.stack(influences)
    if rows.group is not None:
        units = independent_units(units, rows.group)[0]
    covariance = units @ units.T / rows.n**2
    both = sqrt(float(covariance[0, 0] * covariance[1, 1]))
    correlation = float(covariance[0, 1]) / both if both > 0 else 0.0
    if correlation > 0:
        half = a.reach * b.reach / (2 * rows.n**2 * both)
        correlation = max(0.0, correlation - half)
    values, limits = (a.form.value, b.form.value), (a.limits, b.limits)
    return Mover(values, lambda which, level: limits[which](level), correlation)


# --- for compare -------------------------------------------------------------------------------


def _own_limits(field: Paired) -> Mapping[str, Own] | None:
    """The limits of each model by itself, where all have such."""
    owns = {m: Own.of(form, field.rows[m], field.measure) for m, form in field.forms.items()}
    known = {model: own for model, own in owns.items() if own is not None}
    small = len(field.table.classes) <= MOST_CLASSES
    return known if small and len(known) == len(owns) else None


def _no_limits(field: Paired) -> str:
    if field.influences is not None and _own_limits(field) is not None:
        return ""
    return (
        f"is for measures of labels, with up to {MOST_CLASSES} classes, and for grades; "
        "test='bootstrap' takes any measure"
    )


@comparison("square_and_add", (ONE,), auto=3, refuses=_no_limits)
def _square_and_add(field: Paired, asked: Asked) -> Answer:
    values, owns = field.influences or {}, _own_limits(field) or {}
    skewed, spends = skewed_t_of(field), bool(field.measure.spends)

    @cache
    def mover(a: str, b: str) -> Mover:
        psi = values[a] - field.values[a], values[b] - field.values[b]
        return table_mover((owns[a], owns[b]), psi)

    @cache
    def differing(a: str, b: str) -> int:
        return int(np.count_nonzero(field.rows[a].y_pred != field.rows[b].y_pred))

    def pair(a: str, b: str, level: float, again: bool = False) -> TestResult:
        differ, sharp = differing(a, b), owns[a].sharp
        if sharp and field.group is None:
            both = mover(a, b)
            return TestResult(
                nan if again else both.p, both.value, *both.limits(level), level=level,
                method="square-and-add of the models' own limits", n=float(field.shared.n),
                n_effective=float(differ), test="square_and_add", flags=() if differ else (SAME,),
            )  # fmt: skip
        result, wide = skewed(a, b).at(level), sharp or spends or differ < FEW_DIFFER
        if result.reason and (spends or not wide):
            bounded = field.graded and field.group is None and not spends
            return _all_equal(result, owns[a].reach) if bounded else result
        return _at_least(result, mover(a, b), again) if wide else result

    if field.graded:
        by = "items" if field.group is None else "groups of items"
        few = f"{'' if spends else 'with few of them '}at least by each model's own limits"
        return Answer(pair, f"paired by item: t of the differences of {by}; {few}")
    why = "a measure of labels: each model's own limits, with their correlation"
    also = "" if field.group is None else ", and t of the differences of groups"
    return Answer(pair, why + also)


def _at_least(result: TestResult, mover: Mover, again: bool) -> TestResult:
    """The outer limits of both, and the larger p: near the ends of a range t sees too little."""
    low, high = mover.limits(result.level)
    p = result.p if again else float(np.fmax(result.p, mover.p))
    low, high = float(np.fmin(result.low, low)), float(np.fmax(result.high, high))
    reason = result.reason if isnan(p) else ""
    words = f"{result.method}; at least square-and-add"
    return replace(result, p=p, low=low, high=high, method=words, reason=reason)


def _all_equal(result: TestResult, reach: float) -> TestResult:
    """Where all n differences are d, not 0: what their bounds -B and B say of the mean m.

    Whoever stakes all on differences above m wins (B + d)/(B + m) a row, n times, where no stakes
    gain on average if m is the mean: so this happens with probability ((B + m)/(B + d))^n at most,
    and the same from above (Waudby-Smith and Ramdas 2024, Estimating means of bounded random
    variables by betting, JRSS B 86). Not below m = 0: p = 2 (B/(B + |d|))^n.

    >>> result = _all_equal(TestResult(value=0.25, n=40, level=0.95), 1.0)
    >>> round(result.p, 5), round(result.low, 3), round(result.high, 3)
    (0.00027, 0.14, 0.316)
    """
    least = ((1 - result.level) / 2) ** (1 / result.n)
    low, high = ((reach + side * result.value) * least - reach for side in (1, -1))
    p = min(1.0, 2 * (reach / (reach + abs(result.value))) ** result.n)
    words = f"all differences are equal: betting between their bounds, {-reach:g} and {reach:g}"
    return replace(result, p=p, low=low, high=-high, reason="", method=words)
