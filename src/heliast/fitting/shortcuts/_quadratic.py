"""Quadratic discriminants from the scatter of each class."""

from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from heliast._core.kinds import Counts, Floats
from heliast._kernels.posteriors import decide
from heliast.fitting.shortcuts._change import Change, gather
from heliast.fitting.shortcuts._shortcut import Batch, WithPriors
from heliast.fitting.shortcuts._whiten import ROUNDING, SMALL, Whitening, extremes, whiten

ROWS = 1024
"""Rows whose distances to all classes are computed at a time in leave-one-out."""


class _Whole(NamedTuple):
    """Each class in coordinates of its own, in which its covariance is the identity."""

    times: Floats
    mean: Floats
    turn: Floats
    """(class, input, coordinate)."""
    ridge: Floats
    logdet: Floats
    own: Floats
    """Every row about its class mean, in the coordinates of its class."""
    least: Floats
    """The smallest eigenvalue of each class's covariance, less what rounding may hide."""
    offset: Floats
    condition: Floats


@lru_cache(maxsize=1)
def lost_degrees() -> int:
    """What this scikit-learn's QDA subtracts from n in a covariance: 0, or 1 in older releases."""
    from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis

    probe = QuadraticDiscriminantAnalysis().fit([[0.0], [2.0], [8.0], [10.0]], [0, 0, 1, 1])
    return 0 if float(np.ravel(probe.scalings_[0])[0]) < 1.5 else 1


class QuadraticDiscriminant(WithPriors):
    """log p(c | x) = log π_c - ½ log|M_c| - ½ (x - m_c)' M_c⁻¹ (x - m_c) + constant.

    M_c = (1 - r) Σ_c + r I with r = `ridge`. In class coordinates M_c of all rows is the identity.
    Leaving out a row z of n_c changes it by a rank of one: with h = z'B⁻¹z, B diagonal,
    |M'| = |B| (1 - β h) and the quadratic form is h / (1 - β h) times (n_c / (n_c - 1))²
    (Sherman and Morrison 1950; matrix determinant lemma).
    """

    def __init__(
        self,
        X: Floats,
        truth: npt.NDArray[Any],
        order: Counts,
        *,
        priors: Floats | None,
        ridge: float,
        tol: float,
    ) -> None:
        super().__init__(X, truth, order)
        self.priors, self.ridge, self.tol = priors, ridge, tol

    @cached_property
    def _whole(self) -> _Whole | None:
        count = np.bincount(self.truth, minlength=self.k).astype(np.float64)
        own, mean = np.empty_like(self.X), np.zeros((self.k, self.d))
        turns: list[Whitening] = []
        least, condition, offset = np.empty(self.k), np.empty(self.k), np.empty(self.k)
        largest = np.abs(self.X).max(axis=0)
        # With fewer rows than inputs scikit-learn refuses, whatever the ridge.
        if (count < max(2, self.d)).any():
            return None
        for c in range(self.k):
            rows = self.truth == c
            mean[c] = self.X[rows].mean(axis=0)
            centred = self.X[rows] - mean[c]
            divisor = count[c] - lost_degrees()
            white = whiten(centred, largest, divisor, self.ridge)
            if white is None or white.null.size:
                return None
            own[rows] = centred @ white.turn
            matrix = (1 - self.ridge) * centred.T @ centred / divisor
            values = np.linalg.eigvalsh(matrix + self.ridge * np.eye(self.d))
            least[c] = values[0] - 100 * ROUNDING * values[-1]
            condition[c] = values[-1] / max(least[c], ROUNDING**2 * values[-1])
            offset[c] = np.linalg.norm(largest[:, None] * white.turn)
            turns.append(white)
        turn = np.stack([white.turn for white in turns])
        ridge = np.stack([white.ridge for white in turns])
        logdet = -2 * np.linalg.slogdet(turn)[1]
        return _Whole(count, mean, turn, ridge, logdet, own, least, offset, condition)

    def batch(self, changes: list[Change], tests: list[Counts]) -> Batch:
        borders = np.cumsum([0, *(test.size for test in tests)])
        whole = self._whole
        if whole is None:
            return self._unknown(borders[-1], len(changes))
        count, shift, matrix = self._statistics(whole, changes)
        low = extremes(matrix.reshape(-1, self.d, self.d))[0].reshape(count.shape)
        fits = (low > SMALL) & (count >= max(2, self.d))
        fits &= self._above(whole, matrix, low, fits)
        sure = (fits | (count == 0)).all(axis=1) & self._allowed(count)
        matrix[~fits] = np.eye(self.d)
        root = np.linalg.cholesky(matrix)
        back = np.linalg.inv(root).swapaxes(2, 3)
        logdet = whole.logdet + 2 * np.log(np.diagonal(root, axis1=2, axis2=3)).sum(axis=2)
        constant = self._log_priors(count) - 0.5 * logdet
        score = np.empty((borders[-1], self.k))

        def work(p: int, rows: Floats, scratch: Floats) -> None:
            moved = (shift[p][:, None, :] @ back[p])[:, 0]
            into = score[borders[p] : borders[p + 1]]
            self._quadratics(rows, whole.mean, whole.turn @ back[p], moved, scratch, into)
            into *= -0.5
            into += constant[p]

        gather(self.X, tests, work, self.k * self.d)
        limits = self._limits(whole, constant, np.where(fits, low, 1.0).min(axis=1))
        label, doubt = decide(score, borders, limits)
        return Batch(label, score, sure & ~doubt)

    def _above(
        self, whole: _Whole, matrix: Floats, low: Floats, fits: npt.NDArray[np.bool_]
    ) -> npt.NDArray[np.bool_]:
        """Whether all eigenvalues of M exceed `tol`, by the bound λ(M') λ(M), else computed."""
        bar = self.tol * (1 + 1e-6)
        above = np.asarray(low * whole.least > bar)
        for p, c in zip(*np.nonzero(fits & ~above), strict=True):
            back = np.linalg.inv(whole.turn[c])
            values = np.linalg.eigvalsh(back.T @ matrix[p, c] @ back)
            above[p, c] = values[0] - 100 * ROUNDING * values[-1] > bar
        return above

    def _quadratics(
        self, X: Floats, mean: Floats, turn: Floats, moved: Floats, turned: Floats, out: Floats
    ) -> None:
        """Squared lengths of (x - m_c) T_c - moved_c, for all classes in one product."""
        middle = mean.mean(axis=0)
        flat = np.ascontiguousarray(turn.transpose(1, 0, 2)).reshape(self.d, -1)
        np.matmul(X - middle, flat, out=turned)
        turned -= (((mean - middle)[:, None, :] @ turn)[:, 0] + moved).ravel()
        turned *= turned
        turned.reshape(len(X), self.k, self.d).sum(axis=2, out=out)

    def _statistics(self, whole: _Whole, changes: list[Change]) -> tuple[Floats, Floats, Floats]:
        """Counts, moves of the means and matrices M in class coordinates, of each split."""
        shape = (len(changes), self.k, self.d)
        count, first = np.zeros(shape[:2]), np.zeros(shape)
        matrix = np.empty((*shape, self.d))
        share = 1.0 - self.ridge
        degrees = whole.times - lost_degrees()
        full = (degrees[:, None] * (1.0 - whole.ridge) / max(share, 1e-300))[:, :, None]
        full = full * np.eye(self.d)

        sorted_ = [change.by_class(self.truth) for change in changes]

        def work(p: int, rows: Floats, _: Floats) -> None:
            at, weight, base = sorted_[p]
            sign = -1.0 if base > 0 else 1.0
            ends = np.searchsorted(self.truth[at], np.arange(self.k + 1))
            for c in range(self.k):
                part = slice(ends[c], ends[c + 1])
                own = rows[part]
                left = own if weight is None else own * weight[part, None]
                mass = own.shape[0] if weight is None else weight[part].sum()
                count[p, c] = base * whole.times[c] + sign * mass
                first[p, c] = sign * left.sum(axis=0)
                matrix[p, c] = base * full[c] + sign * (left.T @ own)

        gather(whole.own, [change.rows for change in sorted_], work)
        shift = first / np.maximum(count, 1.0)[..., None]
        matrix -= first[..., :, None] * shift[..., None, :]
        matrix *= (share / np.maximum(count - lost_degrees(), 1.0))[..., None, None]
        matrix += whole.ridge[:, :, None] * np.eye(self.d)
        return count, shift, matrix

    def _allowed(self, count: Floats) -> npt.NDArray[np.bool_]:
        present = (count > 0).sum(axis=1)
        return np.asarray((present > 1) & ((self.priors is None) | (present == self.k)))

    def _limits(self, whole: _Whole, constant: Floats, low: Floats) -> Floats:
        """Errors of a score: means far from 0; rotations as good as the condition allows."""
        keep = np.maximum(low, SMALL)
        unit = ROUNDING * (1.0 + 0.5 * np.sqrt(self.n))
        slope = unit + 0.1 * ROUNDING * np.sqrt(whole.condition.max()) / keep
        height = np.abs(np.where(np.isfinite(constant), constant, 0.0)).max(axis=1)
        root = unit * whole.offset.max() / np.sqrt(keep)
        return np.stack([slope * self.d + unit * height, root, slope, height], axis=1)

    def each_left_out(self) -> Batch:
        whole = self._whole
        if whole is None:
            return self._unknown(self.n, self.n)
        truth, rows = self.truth, np.arange(self.n)
        score = np.empty((self.n, self.k))
        nowhere = np.zeros((self.k, self.d))
        scratch = np.empty((min(ROWS, self.n), self.k * self.d))
        for start in range(0, self.n, ROWS):
            part = slice(start, min(start + ROWS, self.n))
            some = scratch[: part.stop - start]
            self._quadratics(self.X[part], whole.mean, whole.turn, nowhere, some, score[part])
        times = whole.times
        degrees = times - lost_degrees()
        fewer = np.maximum(degrees - 1, 1.0)
        grow = times / np.maximum(times - 1, 1.0)
        base = (degrees / fewer)[:, None] * (1.0 - whole.ridge) + whole.ridge
        h = np.einsum("ij,ij,ij->i", whole.own, whole.own, (1.0 / base)[truth])
        beta = ((1.0 - self.ridge) / fewer * grow)[truth]
        left = 1.0 - beta * h
        safe = np.maximum(left, SMALL)
        counts = times - np.eye(self.k)
        score[rows, truth] = grow[truth] ** 2 * h / safe
        constant = np.broadcast_to(self._log_priors(counts) - 0.5 * whole.logdet, counts.shape)
        constant = constant[truth]
        constant[rows, truth] -= 0.5 * (np.log(base).sum(axis=1)[truth] + np.log(safe))
        score *= -0.5
        score += constant
        label, doubt = decide(score, np.arange(self.n + 1), self._limits(whole, constant, safe))
        sure = ~doubt & (left > 1e-3) & (degrees[truth] > 1) & (times[truth] > max(2, self.d))
        sure &= safe * base.min(axis=1)[truth] * whole.least[truth] > self.tol * (1 + 1e-6)
        others = whole.least > self.tol * (1 + 1e-6)
        sure &= (others.sum() - others[truth]) == self.k - 1
        return Batch(label, score, sure & self._allowed(counts)[truth])
