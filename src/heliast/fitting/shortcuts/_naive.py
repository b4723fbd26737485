"""Gaussian naive Bayes from the sums and squares of each class."""

from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from heliast._core.kinds import Counts, Floats
from heliast._kernels import bayes
from heliast._kernels.posteriors import decide
from heliast.fitting.shortcuts._change import Change
from heliast.fitting.shortcuts._shortcut import Batch, WithPriors

ROUNDING = float(np.finfo(np.float64).eps)
LOSS = 1e3
"""A sum of squares that shrinks by more than this when rows leave is computed afresh."""


class NaiveBayes(WithPriors):
    """Class means and variances of all rows, less those of the rows left out.

    log p(c | x) = log π_c - ½ Σ_j [log v_cj + (x_j - m_cj)² / v_cj] + constant, where v_cj is the
    class variance plus `smoothing` times the largest variance of an input over all training rows.
    Sums are kept about the class means of all rows (Chan, Golub and LeVeque 1983), so that
    squares of what is left out can be subtracted without losing digits.
    """

    def __init__(
        self,
        X: Floats,
        truth: npt.NDArray[Any],
        order: Counts,
        *,
        priors: Floats | None,
        smoothing: float,
    ) -> None:
        super().__init__(X, truth, order)
        self.priors, self.smoothing = priors, smoothing
        varied = np.ptp(self.X, axis=0) > 0
        spread = self.X.var(axis=0).max(initial=0.0)
        # A constant input adds the same to every class, unless rounding of its mean shows.
        harmless = np.abs(self.X[0]) ** 2 * self.n < 1e21 * smoothing * spread
        self.X = np.ascontiguousarray(self.X[:, varied | ~harmless])
        self.d = self.X.shape[1]

    @cached_property
    def _whole(self) -> tuple[Floats, Floats, Floats]:
        """Class means; inputs about them; Σ 1, Σ z, Σ z² of each class."""
        means = np.zeros((self.k, self.d))
        for c in range(self.k):
            rows = self.X[self.truth == c]
            means[c] = rows.mean(axis=0) if len(rows) else 0.0
        centred = self.X - means[self.truth]
        sums = np.zeros((self.k, 1 + 2 * self.d))
        bayes.class_sums(centred, self.truth, np.arange(self.n), None, sums)
        return means, centred, sums

    def batch(self, changes: list[Change], tests: list[Counts]) -> Batch:
        rows = np.concatenate(tests)
        borders = np.cumsum([0, *(test.size for test in tests)])
        count, mean, var, loss = self._statistics(changes)
        total = count.sum(axis=1)
        added = self.smoothing * self._largest_variance(count, mean, var)
        var = np.where(count[..., None] > 0, var + added[:, None, None], 1.0)
        # A variance that is but the rounding of a mean comes out differently each time.
        real = (var > 0) & (var > (1e3 * ROUNDING * mean) ** 2)
        sure = self._allowed(count) & (real | (count == 0)[..., None]).all(axis=(1, 2))
        var[~sure] = 1.0
        constant = self._log_priors(count) - 0.5 * np.log(var).sum(axis=2)
        score = np.empty((rows.size, self.k))
        bayes.quadratics(self.X, rows, borders, mean, 1.0 / var, score)
        score *= -0.5
        score += np.repeat(constant, np.diff(borders), axis=0)
        limits = self._limits(total, mean, var, constant, loss)
        label, doubt = decide(score, borders, limits)
        return Batch(label, score, sure & ~doubt)

    def _statistics(self, changes: list[Change]) -> tuple[Floats, Floats, Floats, Floats]:
        """Counts, means and variances of each split's classes, and the digits lost at worst."""
        means, centred, whole = self._whole
        sums = np.zeros((len(changes), *whole.shape))
        for change, out in zip(changes, sums, strict=True):
            bayes.class_sums(centred, self.truth, change.rows, change.weight, out)
        base = np.array([change.base for change in changes])[:, None, None]
        sums = base * whole + np.where(base > 0, -sums, sums)
        count, first, second = np.split(sums, [1, 1 + self.d], axis=2)
        present = np.maximum(count, 1.0)
        shift = first / present
        var = np.maximum(second / present - shift**2, 0.0)
        mean = means + shift
        before = np.where(base > 0, whole[:, 1 + self.d :], second) / present
        floor = self.smoothing * self._largest_variance(count[..., 0], mean, var)
        with np.errstate(divide="ignore", invalid="ignore"):
            loss = np.nan_to_num(before / (var + floor[:, None, None]), nan=1.0)
        loss[(count <= 0)[..., 0]] = 1.0
        for p, c in zip(*np.nonzero((loss > LOSS).any(axis=2)), strict=True):
            inputs = np.flatnonzero(loss[p, c] > LOSS)
            mean[p, c, inputs], var[p, c, inputs] = self._afresh(changes[p], c, inputs)
            loss[p, c, inputs] = 1.0
        return count[..., 0], mean, var, loss.max(axis=(1, 2), initial=1.0)

    def _afresh(self, change: Change, c: int, inputs: Counts) -> tuple[Floats, Floats]:
        """Mean and variance in two passes over the class's training rows."""
        times = change.times(self.n)
        rows = np.flatnonzero((self.truth == c) & (times > 0))
        values, weight = self.X[np.ix_(rows, inputs)], times[rows]
        mean = np.average(values, axis=0, weights=weight)
        return mean, np.average((values - mean) ** 2, axis=0, weights=weight)

    def _largest_variance(self, count: Floats, mean: Floats, var: Floats) -> Floats:
        weight = (count / np.maximum(count.sum(axis=1, keepdims=True), 1.0))[..., None]
        middle = (weight * mean).sum(axis=1, keepdims=True)
        total = (weight * (var + (mean - middle) ** 2)).sum(axis=1)
        largest: Floats = total.max(axis=1, initial=0.0)
        return largest

    def _allowed(self, count: Floats) -> npt.NDArray[np.bool_]:
        """Splits that fit: some rows, and as many classes as there are priors."""
        some = np.asarray(count.sum(axis=1) > 0)
        return some if self.priors is None else np.asarray(some & (count > 0).all(axis=1))

    def _limits(
        self, total: Floats, mean: Floats, var: Floats, constant: Floats, loss: Floats
    ) -> Floats:
        """Errors of a score: a mean is summed over n rows, squares lose as many digits as told."""
        unit = ROUNDING * (1.0 + 0.5 * np.sqrt(total))
        offset = np.sqrt((mean**2 / var).sum(axis=2)).max(axis=1)
        height = np.abs(np.where(np.isfinite(constant), constant, 0.0)).max(axis=1)
        slope = unit + ROUNDING * loss
        parts = (slope * self.d + unit * height, unit * offset, slope, height)
        return np.stack(np.broadcast_arrays(*parts), axis=1)

    def each_left_out(self) -> Batch:
        means, _, whole = self._whole
        count, second = whole[:, 0], whole[:, 1 + self.d :]
        middle = self.X.mean(axis=0)
        squares = ((self.X - middle) ** 2).sum(axis=0)
        added = self.smoothing * squares.max(initial=0.0) / self.n
        typical = second.sum(axis=0) / self.n + added
        every = np.stack([middle, squares, 1.0 / np.where(typical > 0, typical, 1.0)])
        filled = np.maximum(count, 1.0)
        quadratic, logdet, loss = bayes.left_out(
            self.X, self.truth, filled, means, second, every, self.smoothing
        )
        left = count - np.eye(self.k)[self.truth]
        constant = self._log_priors(left)
        with np.errstate(invalid="ignore"):
            constant -= 0.5 * logdet
            score = constant - 0.5 * quadratic
        var = second / filled[:, None] + added
        var[var <= 0] = 1.0
        total = np.array([float(self.n)])
        limits = self._limits(total, means[None], var[None], constant, np.fmin(loss, LOSS))
        label, doubt = decide(score, np.arange(self.n + 1), limits)
        sure = ~doubt & (loss <= LOSS) & (count[self.truth] > 1) & self._allowed(left)
        return Batch(label, score, sure)
