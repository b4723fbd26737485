"""The bootstrap of any measure on one test set, with fitted tails beyond the 1% quantiles."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from heliast._core.clusters import equal_groups, sizes
from heliast._core.kinds import Array
from heliast._core.labels import Label
from heliast._core.level import quantile
from heliast.comparisons._paired import Paired
from heliast.comparisons._record import UNVARYING, TestResult, no_difference
from heliast.comparisons._registry import ONE, Answer, Asked, comparison
from heliast.measures import Measure
from heliast.measures.forms import TableForm
from heliast.measures.summaries import Contingency, Counted
from heliast.predictions import Rows

REPLICATES = 2000
# Beyond this share of replicates on either side a normal tail, scaled to reach it, goes on.
DENSE = 0.01


class Replicates:
    """Replicates of a difference as a distribution whose tails are normal beyond 1%.

    The tail of each side has the scale at which it meets the 1% quantile, so that limits at high
    levels are not the few most extreme replicates (Hall 1988, Theoretical comparison of bootstrap
    confidence intervals, on why each side needs its own).

    >>> replicates = Replicates(np.arange(1001.0))
    >>> replicates.point(0.0), round(replicates.point(-4.0), 1), round(replicates.z(-342.5), 2)
    (500.0, -342.5, -4.0)
    """

    def __init__(self, values: Array) -> None:
        from scipy.special import ndtri

        self.values, self.edge = values, float(-ndtri(DENSE))
        quantiles = np.quantile(values, [DENSE, 0.5, 1 - DENSE])
        self.low, self.middle, self.high = quantiles.tolist()

    def _scale(self, below: bool) -> float:
        """The scale of one side; where half of the values are the same, their spread."""
        end = self.low if below else self.high
        return abs(end - self.middle) / self.edge or float(self.values.std())

    def point(self, z: float) -> float:
        """The point z normal standard deviations out: a quantile, or on the fitted tail."""
        from scipy.special import ndtr

        if abs(z) <= self.edge:
            return float(np.quantile(self.values, ndtr(z)))
        return float(self.middle + self._scale(z < 0) * z)

    def z(self, point: float) -> float:
        """The inverse of `point`; replicates equal to it count half."""
        from scipy.special import ndtri

        if not self.low <= point <= self.high:
            return float((point - self.middle) / self._scale(point < self.low))
        share = (np.mean(self.values < point) + np.mean(self.values <= point)) / 2
        return float(ndtri(np.clip(share, DENSE, 1 - DENSE)))


# --- for compare -------------------------------------------------------------------------------


@comparison("bootstrap", (ONE,), auto=5)
def _bootstrap(field: Paired, asked: Asked) -> Answer:
    drawn: dict[str, Array] = {}
    equal = None if field.group is None else equal_groups(sizes(field.group))

    def pair(a: str, b: str, level: float, again: bool = False) -> TestResult:
        if not drawn:
            drawn.update(_replicates(field, asked.seed))
        n, value = float(field.shared.n), field.values[a] - field.values[b]
        gaps = drawn[a] - drawn[b]
        defined = gaps[np.isfinite(gaps)]
        fields: dict[str, Any] = {
            "level": level, "n": n, "test": "bootstrap",
            "method": f"bootstrap, {gaps.size} replicates; percentile interval",
        }  # fmt: skip
        if defined.size < 0.99 * gaps.size:
            lost = 1 - defined.size / gaps.size
            why = f"{lost:.1%} of the bootstrap replicates are undefined"
            return TestResult(value=value, reason=why, **fields)
        if not defined.any() and value == 0:
            return no_difference(**fields)
        if not np.ptp(defined):
            return TestResult(value=value, reason=UNVARYING, **fields)
        replicates = Replicates(defined)
        p, wide = _p_and_reach(abs(replicates.z(0.0)), level, equal)
        low, high = replicates.point(-wide), replicates.point(wide)
        return TestResult(p, value, low, high, n_effective=n, **fields)

    return Answer(pair, "no mean of row losses: bootstrap, the same rows drawn for all models")


def _p_and_reach(z: float, level: float, equal: float | None) -> tuple[float, float]:
    """p of a point z out, and how far out the limits lie.

    Replicates of G equal groups vary (G-1)/G too little and know nothing of degrees of freedom.
    """
    from scipy.special import ndtr, stdtr

    if equal is None:
        return float(2 * ndtr(-z)), quantile(level)
    factor = (equal / (equal - 1)) ** 0.5
    return float(2 * stdtr(equal - 1, -z / factor)), factor * quantile(level, equal - 1)


def _replicates(field: Paired, seed: int) -> dict[str, Array]:
    """The measure of every model on the same rows drawn with replacement (groups, classes)."""
    rng = np.random.default_rng(seed)
    draw = _drawing(field.shared, field.strata)
    values = {
        model: value_of(field.measure, rows, field.cases[model].parts.prevalences)
        for model, rows in field.rows.items()
    }
    drawn = {model: np.empty(REPLICATES) for model in field.models}
    for replicate in range(REPLICATES):
        at = draw(rng)
        for model, rows in field.rows.items():
            drawn[model][replicate] = values[model](rows.at(at))
    return drawn


def _drawing(first: Rows, strata: Array | None) -> Callable[[np.random.Generator], Array]:
    """How rows are drawn: whole groups, where there are such; else within classes, if fixed."""
    if first.group is not None:
        rows_of = [np.flatnonzero(first.group == name) for name in np.unique(first.group)]
        count = len(rows_of)
        return lambda rng: np.concatenate([rows_of[at] for at in rng.integers(0, count, count)])
    if strata is None:
        return lambda rng: rng.integers(0, first.n, first.n)
    parts = [np.flatnonzero(strata == code) for code in np.unique(strata)]
    return lambda rng: np.concatenate([rng.choice(part, part.size) for part in parts])


def value_of(
    measure: Measure, rows: Rows, prevalences: Mapping[Label, float] | None = None
) -> Callable[[Rows], float]:
    """How to compute the measure on rows drawn again: from their table alone, where possible."""
    form = measure.form(Counted(rows, prevalences))
    if isinstance(form, TableForm) and rows.weight is None and rows.design == "rows":
        return lambda drawn: form.of_table(Contingency.of(replace(drawn, group=None)))
    return lambda drawn: float(measure.form(Counted(drawn, prevalences)).value)
