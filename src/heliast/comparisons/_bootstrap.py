"""The bootstrap of any measure: quantiles of a difference, with fitted tails beyond them."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from math import nan
from typing import Any

import numpy as np

from heliast._core.clusters import equal_groups, sizes
from heliast._core.kinds import Array
from heliast._core.labels import Label
from heliast._core.level import quantile
from heliast.comparisons._paired import Paired
from heliast.comparisons._record import SAME, UNVARYING, TestResult
from heliast.comparisons._registry import ONE, Answer, Asked, comparison
from heliast.measures import Measure
from heliast.measures.forms import TableForm
from heliast.measures.summaries import Contingency, Counted
from heliast.predictions import Rows

REPLICATES = 2000
DENSE = 0.01
"""Beyond this share of replicates on either side a normal tail, scaled to reach it, goes on."""


def replicated_at(values: Array, z: float) -> float:
    """The point that lies z normal standard deviations out: a quantile, or on the fitted tail.

    The tail of each side has the scale at which it meets the 1% quantile, so that limits at high
    levels are not the few most extreme replicates (Hall 1988, Theoretical comparison of bootstrap
    confidence intervals, on why each side needs its own).

    >>> values = np.arange(1001.0)
    >>> replicated_at(values, 0.0), round(replicated_at(values, -4.0), 1)
    (500.0, -342.5)
    """
    from scipy.special import ndtr

    if abs(z) <= _edge():
        return float(np.quantile(values, ndtr(z)))
    middle, scale = _side(values, z < 0)
    return middle + scale * z


def replicated_z(values: Array, point: float) -> float:
    """How many normal standard deviations out a point lies: the inverse of `replicated_at`.

    Replicates equal to the point count half.

    >>> round(replicated_z(np.arange(1001.0), -342.6), 2)
    -4.0
    """
    from scipy.special import ndtri

    for below in (True, False):
        end = float(np.quantile(values, DENSE if below else 1 - DENSE))
        if point < end if below else point > end:
            middle, scale = _side(values, below)
            return (point - middle) / scale
    share = (np.count_nonzero(values < point) + np.count_nonzero(values <= point)) / 2
    return float(ndtri(np.clip(share / values.size, DENSE, 1 - DENSE)))


def _side(values: Array, below: bool) -> tuple[float, float]:
    """The middle, and the scale of one side; where half of the values are one, their spread."""
    middle, end = np.quantile(values, [0.5, DENSE if below else 1 - DENSE]).tolist()
    return middle, abs(end - middle) / _edge() or float(values.std())


def _edge() -> float:
    from scipy.special import ndtri

    return float(-ndtri(DENSE))


# --- as compare asks for it --------------------------------------------------------------------


@comparison("bootstrap", (ONE,), auto=5)
def _bootstrap(field: Paired, asked: Asked) -> Answer:
    drawn: dict[str, Array] = {}
    group = field.group
    equal = None if group is None else equal_groups(sizes(group))

    def pair(a: str, b: str, level: float, again: bool = False) -> TestResult:
        if not drawn:
            drawn.update(_replicates(field, asked.seed))
        n, value = float(field.rows[a].n), field.values[a] - field.values[b]
        found = drawn[a] - drawn[b]
        defined = found[np.isfinite(found)]
        said: dict[str, Any] = {
            "level": level, "n": n, "test": "bootstrap",
            "method": f"bootstrap, {found.size} replicates; percentile interval",
        }  # fmt: skip
        if defined.size < 0.99 * found.size:
            lost = 1 - defined.size / found.size
            why = f"{lost:.1%} of the bootstrap replicates are undefined"
            return TestResult(nan, value, reason=why, **said)
        if not defined.any() and value == 0:
            return TestResult(1.0, 0.0, reason=UNVARYING, flags=(SAME,), **said)
        if not np.ptp(defined):
            return TestResult(nan, value, reason=UNVARYING, **said)
        p, wide = _by_replicates(abs(replicated_z(defined, 0.0)), level, equal)
        low, high = replicated_at(defined, -wide), replicated_at(defined, wide)
        return TestResult(p, value, low, high, n_effective=n, **said)

    return Answer(pair, "no mean of row losses: bootstrap, the same rows drawn for all models")


def _by_replicates(z: float, level: float, equal: float | None) -> tuple[float, float]:
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
    draw = _drawn(field.rows[field.models[0]], field.strata)
    found: dict[str, list[float]] = {model: [] for model in field.models}
    value = {m: valued(field.measure, field.rows[m], field.prevalences) for m in field.models}
    for _ in range(REPLICATES):
        at = draw(rng)
        for model, values in found.items():
            values.append(value[model](field.rows[model].at(at)))
    return {model: np.array(values) for model, values in found.items()}


def _drawn(first: Rows, strata: Array | None) -> Callable[[np.random.Generator], Array]:
    """How rows are drawn: whole groups, where there are such; else within classes, if fixed."""
    if first.group is not None:
        whole = [np.flatnonzero(first.group == one) for one in np.unique(first.group)]
        return lambda rng: np.concatenate(
            [whole[at] for at in rng.integers(0, len(whole), len(whole))]
        )
    if strata is None:
        return lambda rng: rng.integers(0, first.n, first.n)
    parts = [np.flatnonzero(strata == one) for one in np.unique(strata)]
    return lambda rng: np.concatenate([rng.choice(part, part.size) for part in parts])


def valued(
    measure: Measure, rows: Rows, prevalences: Mapping[Label, float] | None = None
) -> Callable[[Rows], float]:
    """How to find the measure on rows drawn again: from their table alone, where that will do."""
    form = measure.form(Counted(rows, prevalences))
    if isinstance(form, TableForm) and rows.weight is None and rows.design == "rows":

        def of_table(drawn: Rows) -> float:
            with np.errstate(divide="ignore", invalid="ignore"):
                return form.of_table(Contingency.of(replace(drawn, group=None)))

        return of_table
    return lambda drawn: float(measure.form(Counted(drawn, prevalences)).value)
