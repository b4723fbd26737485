"""Nearest neighbours from one search among all rows, masked by each split's training rows."""

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from heliast._core.kinds import Counts, Floats
from heliast._kernels import neighbours as kernels
from heliast._kernels.nearest import nearest
from heliast.fitting.shortcuts._change import Change
from heliast.fitting.shortcuts._shortcut import Batch, Shortcut

ROUNDING = float(np.finfo(np.float64).eps)
MANY = 4096
"""The longest list of neighbours worth having: beyond, refitting is cheaper."""


class _Lists(NamedTuple):
    """Sorted neighbours of some rows among all rows."""

    place: Counts
    """The line in which a row of the data stands, -1 if it has none."""
    near: Counts
    far: Floats
    slack: Floats


class Neighbours(Shortcut):
    """The k nearest training rows of each test row, from lists that are a little longer than k.

    Rows that are not in the training sample are passed over, rows drawn twice count twice. A tie
    at the border of the k nearest is broken by scikit-learn in an order that depends on its
    search; where tied rows would vote differently, the split is left to refitting.
    """

    def __init__(
        self,
        X: Floats,
        truth: npt.NDArray[Any],
        order: Counts | None,
        *,
        neighbours: int,
        inverse: bool,
        power: float,
        algorithm: str,
    ) -> None:
        super().__init__(X, truth, order)
        if order is None:
            self.truth = self.truth.astype(np.float64)
        self.neighbours, self.inverse, self.power = neighbours, inverse, power
        self.algorithm = algorithm
        self._lists: _Lists | None = None

    def batch(self, changes: list[Change], tests: list[Counts]) -> Batch:
        rows = np.concatenate(tests)
        borders = np.cumsum([0, *(test.size for test in tests)])
        sizes = np.array([self._size(change) for change in changes])
        lengths = np.array([self._length(self._distinct(change)) for change in changes])
        # Long lists cost more than refitting.
        sure = (sizes >= self.neighbours) & ((lengths <= MANY) | (lengths >= self.n))
        label = np.zeros(rows.size, np.int64 if self.k else np.float64)
        score = np.zeros((rows.size, self.k))
        if sure.any():
            wanted = [test for test, yes in zip(tests, sure, strict=True) if yes]
            lists = self._search(np.unique(np.concatenate(wanted)), int(lengths[sure].max()))
        for p in np.flatnonzero(sure):
            part = slice(borders[p], borders[p + 1])
            brute = self._is_brute(int(sizes[p]))
            times = changes[p].times(self.n)
            sure[p] = self._vote(lists, tests[p], times, brute, label[part], score[part])
        return Batch(label, score if self.k else None, sure)

    def _vote(
        self,
        lists: _Lists,
        test: Counts,
        times: Counts | None,
        brute: bool,
        label: npt.NDArray[Any],
        score: Floats,
    ) -> bool:
        """Fill in one split; False if it must be refitted."""
        states = self._votes(lists, test, times, brute, label, score)
        short = np.flatnonzero(states == kernels.SHORT)
        length = lists.near.shape[1]
        while short.size and not (states == kernels.DOUBTFUL).any():
            length = min(4 * length, self.n)
            if length > MANY and length < self.n:
                return False
            longer = self._find(np.unique(test[short]), length)
            some_label, some_score = label[short], score[short]
            again = self._votes(longer, test[short], times, brute, some_label, some_score)
            label[short], score[short], states[short] = some_label, some_score, again
            short = np.flatnonzero(states == kernels.SHORT)
        return not states.any()

    def _votes(
        self,
        lists: _Lists,
        test: Counts,
        times: Counts | None,
        brute: bool,
        label: npt.NDArray[Any],
        score: Floats,
    ) -> npt.NDArray[np.uint8]:
        slack = lists.slack if brute else self._exact(lists.slack)
        found = kernels.votes(
            self.truth, lists.near, lists.far, slack, times, test, lists.place[test],
            self.neighbours, self.inverse, self.k,
        )  # fmt: skip
        label[:], score[:] = found[0], found[1]
        states: npt.NDArray[np.uint8] = found[2]
        return states

    def _exact(self, slack: Floats) -> Floats:
        sharp = slack.copy()
        sharp[:, 0] = 0.0
        return sharp

    def each_left_out(self) -> Batch:
        label = np.zeros(self.n, np.int64 if self.k else np.float64)
        score = np.zeros((self.n, self.k))
        rows = np.arange(self.n)
        sure = np.zeros(self.n, np.bool_)
        if self.n - 1 >= self.neighbours:
            # Itself, and two more to see a tie at the border.
            lists = self._search(rows, min(self.neighbours + 3, self.n))
            brute = self._is_brute(self.n - 1)
            states = self._votes(lists, rows, None, brute, label, score)
            sure = states == kernels.SURE
        return Batch(label, score if self.k else None, sure)

    def _size(self, change: Change) -> int:
        moved = change.rows.size if change.weight is None else change.weight.sum()
        left = self.n - moved if change.base > 0 else moved
        return int(left)

    def _distinct(self, change: Change) -> int:
        left = self.n - change.rows.size if change.base > 0 else change.rows.size
        return int(left)

    def _length(self, distinct: int) -> int:
        """List length with which few rows run short when so many rows are in training."""
        k, share = self.neighbours + 1, max(distinct, 1) / self.n
        wanted = math.ceil((k + 4 * math.sqrt(k * (1 - share)) + 2) / share) + 1
        return int(min(self.n, wanted))

    def _is_brute(self, size: int) -> bool:
        """Whether scikit-learn expands |x - y|² = |x|² - 2xy + |y|², and so loses digits."""
        if self.power != 2.0 or self.algorithm in ("kd_tree", "ball_tree"):
            return False
        return self.algorithm == "brute" or self.d > 15 or self.neighbours >= size // 2

    def _search(self, rows: Counts, length: int) -> _Lists:
        """Lists of at least this length, kept for the next call."""
        kept = self._lists
        enough = kept is not None and kept.near.shape[1] >= length
        if kept is None or not enough or (kept.place[rows] < 0).any():
            if kept is not None and 4 * rows.size < kept.near.shape[0]:
                return self._find(rows, length)
            if kept is not None:
                rows = np.union1d(rows, np.flatnonzero(kept.place >= 0))
                length = max(length, kept.near.shape[1])
            self._lists = kept = self._find(rows, length)
        return kept

    def _find(self, rows: Counts, length: int) -> _Lists:
        near, beyond = self._candidates(rows, length)
        far = kernels.distances(self.X, rows, near, self.power)
        place = np.full(self.n, -1, np.int64)
        place[rows] = np.arange(rows.size)
        norm = np.einsum("ij,ij->i", self.X, self.X)
        whole = bool((self.X % 1 == 0).all()) and norm.max() < 2.0**50
        blur = 0.0 if whole else (self.d + 4) * ROUNDING
        power = self.power if math.isfinite(self.power) else 1.0
        slack = np.empty((rows.size, 3))
        slack[:, 0] = blur * (norm[rows] + norm[near].max(axis=1))
        slack[:, 1] = (self.d + 2) * ROUNDING * power
        slack[:, 2] = np.inf if length >= self.n else beyond
        if length < self.n and beyond is None:
            slack[:, 2] = np.sqrt(np.maximum(far[:, -1] ** 2 - slack[:, 0], 0.0))
            slack[:, 2] *= 1 - slack[:, 1]
        return _Lists(place, near, far, slack)

    def _candidates(self, rows: Counts, length: int) -> tuple[Counts, Floats | None]:
        """Lists of nearest rows; trees where inputs are few, as scikit-learn does, else all pairs.

        All pairs come with the distance beyond which rows may be missing.
        """
        if self.power == 2.0 and self.d > 15 and length < self.n:
            return nearest(self.X, rows, length)
        from sklearn.neighbors import NearestNeighbors

        search = NearestNeighbors(n_neighbors=length, p=self.power).fit(self.X)
        near = search.kneighbors(self.X[rows], return_distance=False)
        return np.ascontiguousarray(near, np.int64), None
