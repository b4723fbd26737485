"""How sure the mean of a part over rows is: rows and splits vary, both are accounted for.

The value is a mean over n rows of f_i, computed from the T splits. Rows are drawn from a
population and splits are training sets drawn by the plan, and all rows share the splits, so

    variance = (that of drawing rows, splits kept) + (that of drawing splits, rows kept).

The first is what resampling rows gives, in closed form: Σ (f_i - f)² / (n (n - 1)). The second is
the variance of the mean over R resamples of the splits, times T / (T - 1). The interplay of rows
and splits is counted twice, which errs on the safe side by a term of order 1 / (n T). Degrees of
freedom follow Satterthwaite, from n - 1 and T - 1.

Parts are no linear functions of the votes, so that T splits give them a bias; resampling shows how
large it is. The interval reaches to both the value and the value less that bias.

References: A. B. Owen (2007), The pigeonhole bootstrap, Annals of Applied Statistics 1;
B. Efron and R. J. Tibshirani (1993), An Introduction to the Bootstrap, chapters 10 and 11.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from heliast._core.kinds import Array
from heliast._kernels.crew import spread
from heliast.theory._repeated import Repeated

Values = Callable[[Array], list[tuple[Array, Array]]]
"""times (R x splits) -> R times (parts x rows) and how many predictions each row has."""
BATCH = 16
"""Resamples that are counted at once."""


@dataclass(frozen=True, eq=False)
class Scatter:
    """One entry a part: its variance from rows and from splits, and what few splits add to it."""

    rows: Array
    splits: Array
    excess: Array
    rows_df: float
    splits_df: float

    @property
    def se(self) -> Array:
        return np.asarray(np.sqrt(self.rows + self.splits))

    @property
    def df(self) -> Array:
        total = (self.rows + self.splits) ** 2
        parts = self.rows**2 / self.rows_df + self.splits**2 / self.splits_df
        return np.where(parts > 0, total / np.where(parts > 0, parts, 1.0), np.inf)


def mean_over(values: Array, weight: Array | None, there: Array | None = None) -> Array:
    """The (weighted) mean of each part over the rows that are there."""
    if there is not None and not there.all():
        values = values[:, there]
        weight = None if weight is None else weight[there]
    if weight is None:
        return np.asarray(values.mean(axis=1))
    return np.asarray(values @ weight / weight.sum())


def scatter(
    values: Values,
    found: Array,
    rows: Repeated,
    weight_kind: str | None,
    replicates: int,
    seed: int,
) -> Scatter:
    """The two variances of the means of `found` (parts x rows)."""
    by_rows, rows_df = _from_rows(found, rows, weight_kind)
    drawn = _drawn(values, rows, replicates, seed)
    T = rows.splits
    return Scatter(
        rows=_rounded(by_rows),
        splits=_rounded(drawn.var(axis=0, ddof=1) * T / max(T - 1, 1)),
        excess=drawn.mean(axis=0) - mean_over(found, rows.weight),
        rows_df=rows_df,
        splits_df=float(max(T - 1, 1)),
    )


def _rounded(variance: Array) -> Array:
    """0 for what is rounding only."""
    return np.where(variance < 1e-26, 0.0, variance)


def _from_rows(found: Array, rows: Repeated, weight_kind: str | None) -> tuple[Array, float]:
    weight = np.ones(rows.n) if rows.weight is None else rows.weight.astype(np.float64)
    far = found - mean_over(found, rows.weight)[:, None]
    total = float(weight.sum())
    if rows.group is not None:
        _, place = np.unique(rows.group, return_inverse=True)
        groups = int(place.max()) + 1
        sums = np.stack([np.bincount(place, weights=weight * one) for one in far])
        return (sums**2).sum(axis=1) / total**2 * groups / max(groups - 1, 1), max(groups - 1, 1)
    if weight_kind == "sampling":
        n = rows.n
        return ((weight * far) ** 2).sum(axis=1) / total**2 * n / max(n - 1, 1), max(n - 1, 1)
    least = max(total - 1, 1)
    return (far**2) @ weight / (total * least), least


def _drawn(values: Values, rows: Repeated, replicates: int, seed: int) -> Array:
    """(replicates, parts): means from splits drawn with replacement."""
    T = rows.splits
    times = np.random.default_rng(seed).multinomial(T, np.full(T, 1 / T), size=replicates)

    def some(first: int) -> list[Array]:
        found = values(times[first : first + BATCH])
        return [mean_over(parts, rows.weight, count > 0) for parts, count in found]

    batches = spread(some, [(first,) for first in range(0, replicates, BATCH)])
    return np.array([one for batch in batches for one in batch])
