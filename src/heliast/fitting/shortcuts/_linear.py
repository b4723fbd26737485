"""Linear discriminants from the pooled scatter within classes."""

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from heliast._core.kinds import Counts, Floats
from heliast._kernels.posteriors import decide
from heliast.fitting.shortcuts._change import Change, gather
from heliast.fitting.shortcuts._shortcut import Batch, WithPriors
from heliast.fitting.shortcuts._whiten import ROUNDING, SMALL, extremes, is_short, whiten


class _Whole(NamedTuple):
    """All rows in coordinates in which the covariance within classes is the identity."""

    times: Floats
    mean: Floats
    table: Floats
    """A column of 0 and 1 for each class, then the coordinates about the class mean."""
    row: Floats
    smallest: float
    offset: float
    """What rounding of the inputs is multiplied by in these coordinates."""


class LinearDiscriminant(WithPriors):
    """log p(c | x) = log π_c - ½ (x - m_c)' Σ⁻¹ (x - m_c) + constant, Σ pooled, divided by n.

    Everything is done in coordinates z in which Σ of all rows is the identity, so that Σ of a
    split's training rows is nearly that. Without row i of class c (n_c rows),
    n' Σ' = n I - a z z', a = n_c / (n_c - 1), and Sherman and Morrison (1950) give the inverse.
    Directions that scikit-learn would drop (`tol`) are looked for, and make the split unsure.
    """

    def __init__(
        self,
        X: Floats,
        truth: npt.NDArray[Any],
        order: Counts,
        *,
        priors: Floats | None,
        tol: float,
        components: int | None,
    ) -> None:
        super().__init__(X, truth, order)
        self.priors, self.tol, self.components = priors, tol, components

    @cached_property
    def _whole(self) -> _Whole | None:
        X = self.X
        varied = np.ptp(X, axis=0) > 0
        # The mean of a constant must come out exact, or scikit-learn scales up its rounding.
        if not varied.any() or not is_short(X[0, ~varied], self.n).all():
            return None
        X = X[:, varied]
        indicator = np.eye(self.k)[self.truth]
        count = indicator.sum(axis=0)
        middle = X.mean(axis=0)
        means = middle + indicator.T @ (X - middle) / np.maximum(count, 1.0)[:, None]
        centred = X - means[self.truth]
        largest = np.abs(X).max(axis=0)
        white = whiten(centred, largest, self.n)
        if white is None or white.smallest < 4 * self.tol**2:
            return None
        if white.null.size:
            stray = ((X - middle) / white.deviation) @ white.null
            if np.abs(stray).max() > 1e-10:
                return None
        own = centred @ white.turn
        mean = (means - middle) @ white.turn
        table = np.ascontiguousarray(np.hstack([indicator, own]))
        offset = float(np.linalg.norm(largest[:, None] * white.turn))
        return _Whole(count, mean, table, own + mean[self.truth], white.smallest, offset)

    def batch(self, changes: list[Change], tests: list[Counts]) -> Batch:
        borders = np.cumsum([0, *(test.size for test in tests)])
        whole = self._whole
        if whole is None:
            return self._unknown(borders[-1], len(changes))
        sums = self._sums(whole, changes)
        count, means, scatter = self._statistics(whole, changes, sums)
        total = count.sum(axis=1)
        low, high = extremes(scatter)
        sure = self._allowed(count) & (low > SMALL)
        scatter[~sure] = np.eye(scatter.shape[-1])
        share = self._shares(count)
        middle = (share[:, None, :] @ means)[:, 0]
        inverse = np.linalg.inv(np.linalg.cholesky(scatter))
        gaps = (means - middle[:, None, :]) @ inverse.swapaxes(1, 2)
        sure &= self._full_rank(whole, share, gaps, count, low, high)
        slope = gaps @ inverse
        logs = self._log_priors(count)
        constant = logs - 0.5 * (gaps**2).sum(axis=2) - (slope @ middle[..., None])[..., 0]
        score = np.empty((borders[-1], self.k))

        def work(p: int, rows: Floats, _: Floats) -> None:
            into = score[borders[p] : borders[p + 1]]
            np.matmul(rows, slope[p].T, out=into)
            into += constant[p]

        gather(whole.row, tests, work)
        limits = self._limits(whole, total, np.linalg.norm(gaps, axis=2).max(axis=1), low)
        label, doubt = decide(score, borders, limits)
        return Batch(label, score, sure & ~doubt)

    def _sums(self, whole: _Whole, changes: list[Change]) -> Floats:
        """Class counts, class sums and squares of the changed rows, all in one product each."""
        width = whole.table.shape[1]
        sums = np.empty((len(changes), width, width))

        def work(p: int, rows: Floats, _: Floats) -> None:
            weight = changes[p].weight
            left = rows if weight is None else rows * weight[:, None]
            np.matmul(left.T, rows, out=sums[p])
            if changes[p].base > 0:
                np.negative(sums[p], out=sums[p])

        gather(whole.table, [change.rows for change in changes], work)
        return sums

    def _statistics(
        self, whole: _Whole, changes: list[Change], sums: Floats
    ) -> tuple[Floats, Floats, Floats]:
        """Counts, means and the covariance within classes of each split's training rows."""
        base = np.array([change.base for change in changes])
        count = base[:, None] * whole.times + np.diagonal(sums, axis1=1, axis2=2)[:, : self.k]
        first = sums[:, : self.k, self.k :]
        shift = first / np.maximum(count, 1.0)[..., None]
        scatter = sums[:, self.k :, self.k :] - first.swapaxes(1, 2) @ shift
        scatter += (base * self.n)[:, None, None] * np.eye(scatter.shape[-1])
        scatter /= np.maximum(count.sum(axis=1), 1.0)[:, None, None]
        return count, whole.mean + shift, scatter

    def _allowed(self, count: Floats) -> npt.NDArray[np.bool_]:
        """Splits that scikit-learn fits, and as more than one class."""
        present = (count > 0).sum(axis=1)
        fits = (present > 1) & (count.sum(axis=1) > present)
        if self.priors is not None:
            fits &= present == self.k
        if self.components is not None:
            fits &= self.components <= np.minimum(present - 1, self.d)
        return np.asarray(fits)

    def _full_rank(
        self, whole: _Whole, share: Floats, gaps: Floats, count: Floats, low: Floats, high: Floats
    ) -> npt.NDArray[np.bool_]:
        """Whether no direction within or between classes falls below scikit-learn's threshold."""
        within = low * whole.smallest > 2 * self.tol**2 * high
        between = np.sqrt(share)[..., None] * gaps
        values = np.linalg.eigvalsh(between @ between.swapaxes(1, 2))
        rank = np.minimum((count > 0).sum(axis=1) - 1, gaps.shape[2]).clip(1)
        least = np.take_along_axis(values, (self.k - rank)[:, None], axis=1)[:, 0]
        return np.asarray(within & (least > (2 * self.tol) ** 2 * values[:, -1]) & (least > 0))

    def _limits(self, whole: _Whole, total: Floats, gap: Floats, low: Floats) -> Floats:
        """The error of a score: means of inputs far from 0, rounded, then divided by deviations."""
        unit = ROUNDING * (1.0 + 0.5 * np.sqrt(total))
        reach = np.sqrt((whole.row**2).sum(axis=1).max())
        keep = np.maximum(low, SMALL)
        still = unit * whole.offset * (reach + gap) + ROUNDING * (reach + gap) ** 2 / keep
        still += ROUNDING * reach * gap / np.sqrt(whole.smallest)
        nil = np.zeros_like(still)
        return np.stack([still / np.sqrt(keep), nil, nil, nil], axis=1)

    def each_left_out(self) -> Batch:
        whole = self._whole
        if whole is None:
            return self._unknown(self.n, self.n)
        n, truth = float(self.n), self.truth
        own = whole.table[:, self.k :]
        times = whole.times[truth]
        grow = times / np.maximum(times - 1.0, 1.0)
        square = np.einsum("ij,ij->i", own, own)
        left = 1.0 - grow * square / n
        # Distances to the other classes' means, and to the own one as it is without the row.
        gap_square = np.einsum("ij,ij->i", whole.row, whole.row)[:, None]
        gap_square = gap_square - 2 * whole.row @ whole.mean.T + (whole.mean**2).sum(axis=1)
        along = np.einsum("ij,ij->i", own, whole.row)[:, None] - own @ whole.mean.T
        rows = np.arange(self.n)
        gap_square[rows, truth] = grow**2 * square
        along[rows, truth] = grow * square
        safe = np.maximum(left, SMALL)
        score = -0.5 * (n - 1) / n * (gap_square + (grow / n / safe)[:, None] * along**2)
        counts = whole.times - np.eye(self.k)
        share = np.maximum(self._shares(counts), 0.0)
        score += self._log_priors(counts)[truth]
        sure = self._allowed(counts)[truth] & (times > 1) & (left > 1e-3)
        sure &= self._keeps_rank(whole, counts, share, np.sqrt(square), left)
        far = np.sqrt((whole.mean**2).sum(axis=1).max()) * np.ones(self.n)
        limits = self._limits(whole, np.full(self.n, n), far, safe)
        label, doubt = decide(score, np.arange(self.n + 1), limits)
        return Batch(label, score, sure & ~doubt)

    def _keeps_rank(
        self, whole: _Whole, counts: Floats, share: Floats, length: Floats, left: Floats
    ) -> npt.NDArray[np.bool_]:
        """`_full_rank` without each row, by bounds: a singular value moves by at most ‖change‖."""
        low, high = np.empty(self.k), np.empty(self.k)
        for c in range(self.k):
            gaps = whole.mean - share[c] @ whole.mean
            values = np.linalg.svd(np.sqrt(share[c])[:, None] * gaps, compute_uv=False)
            rank = min(int((counts[c] > 0).sum()) - 1, whole.mean.shape[1])
            low[c], high[c] = values[max(rank, 1) - 1], values[0]
        own = self.truth
        moved = length / np.maximum(counts[own, own], 1.0)
        moved = moved * (np.sqrt(share[own, own]) + share[own, own])
        safe = np.maximum(left, SMALL)
        between = (low[own] - moved) * np.sqrt(safe) > 2 * self.tol * (high[own] + moved)
        return np.asarray(between & (safe * whole.smallest > 2 * self.tol**2))
