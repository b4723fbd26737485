"""How far the rows of some splits lie from all rows, and how likely chance is to put them there.

Each split's test rows are compared with a random draw, without replacement, of as many rows (with
groups: of as many groups) from the data. Everything is a sum over the drawn rows, so one pass per
column serves all splits.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from heliast._core.kinds import Floats
from heliast.plans._piece import Positions

_CATEGORIES = 50  # rarer ones are taken together


@dataclass(frozen=True, eq=False)
class Draws:
    """The test rows of several splits, laid end to end."""

    n: int
    rows: Positions
    starts: Positions
    sizes: Positions
    group: Positions | None

    @classmethod
    def of(cls, n: int, tests: Sequence[Positions], group: Positions | None) -> "Draws":
        sizes = np.array([test.size for test in tests], np.int64)
        return cls(n, np.concatenate(tests), np.cumsum(sizes) - sizes, sizes, group)

    def sums(self, values: Floats) -> Floats:
        """The sum of the values over each split's rows."""
        return np.asarray(np.add.reduceat(values[self.rows], self.starts))

    def table(self, codes: npt.NDArray[np.int64], k: int) -> Floats:
        """How often each split's rows have each code."""
        split = np.repeat(np.arange(self.sizes.size), self.sizes)
        cells = np.bincount(split * k + codes[self.rows], minlength=self.sizes.size * k)
        return cells.reshape(-1, k).astype(np.float64)

    @cached_property
    def drawn(self) -> tuple[Floats, int]:
        """What each split draws, rows or groups, and out of how many."""
        if self.group is None:
            return self.sizes.astype(np.float64), self.n
        size = np.bincount(self.group).astype(np.float64)
        return np.rint(self.sums(1 / size[self.group])), size.size

    def z(self, sums: Floats, values: Floats) -> Floats:
        """Sums of centred values over their standard error when rows (groups) are drawn at random.

        The variance of the sum of m of n values is m (1 - m/n) S^2, S^2 with n - 1.
        """
        drawn, units = self.drawn
        totals = values if self.group is None else np.bincount(self.group, values)
        square = float((totals**2).sum())
        spread = drawn * (1 - drawn / units) * square / max(units - 1, 1)
        z = np.zeros(sums.size)
        np.divide(sums, np.sqrt(spread), out=z, where=spread > 0)
        return z


def of_numbers(values: Floats, draws: Draws) -> tuple[Floats, Floats]:
    """Distance: mean difference in standard deviations. Chance: the z of mean ranks.

    Ranks, because their mean is nearly normal whatever the column's tails; an outlier in a small
    fold is not a finding. Missing values count as the middle rank.
    """
    from scipy.special import ndtr
    from scipy.stats import rankdata

    there = np.isfinite(values)
    if not there.any():
        return np.zeros(draws.sizes.size), np.ones(draws.sizes.size)
    ranks = np.zeros(values.size)
    ranks[there] = rankdata(values[there]) - (there.sum() + 1) / 2
    spread = float(values[there].std())
    centred = np.where(there, values - values[there].mean(), 0.0)
    count = np.maximum(draws.sums(there.astype(np.float64)), 1)
    distance = draws.sums(centred) / count / (spread if spread > 0 else 1.0)
    return distance, 2 * ndtr(-np.abs(draws.z(draws.sums(ranks), ranks)))


def of_codes(codes: npt.NDArray[np.int64], draws: Draws) -> tuple[Floats, Floats]:
    """Distance: half the summed differences of shares. Chance: of the oddest category's count.

    The count of a category in a random draw is hypergeometric; the smallest two-sided probability
    is multiplied by the number of categories (two categories are one question).
    """
    from scipy.special import ndtr

    codes = _pooled(codes)
    whole = np.bincount(codes)
    share = whole / draws.n
    counts = draws.table(codes, whole.size)
    distance = np.abs(counts / draws.sizes[:, None] - share).sum(axis=1) / 2
    chances = np.ones_like(counts)
    for code in range(whole.size):
        mine = counts[:, code]
        z = draws.z(mine - draws.sizes * share[code], (codes == code) - share[code])
        chances[:, code] = 2 * ndtr(-np.abs(z))
        if draws.group is None:
            # The exact chance is slow: only where it could matter among so many splits.
            odd = (chances[:, code] * z.size < 1) & (z != 0)
            chances[odd, code] = _tail(mine[odd], draws, int(whole[code]), odd, z[odd])
    many = whole.size if whole.size > 2 else 1
    return distance, np.minimum(chances.min(axis=1) * many, 1.0)


def _tail(
    counts: Floats, draws: Draws, whole: int, odd: npt.NDArray[np.bool_], z: Floats
) -> Floats:
    """Twice the hypergeometric probability of a count as far out as this on its side."""
    from scipy.stats import hypergeom

    if not counts.size:
        return counts
    above = hypergeom.sf(counts - 1, draws.n, whole, draws.sizes[odd])
    below = hypergeom.cdf(counts, draws.n, whole, draws.sizes[odd])
    return np.asarray(np.minimum(2 * np.where(z > 0, above, below), 1.0))


def _pooled(codes: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Codes from 0 without gaps (missing is a category); rare ones beyond the limit are one."""
    codes = np.unique(codes, return_inverse=True)[1].astype(np.int64)
    whole = np.bincount(codes)
    if whole.size <= _CATEGORIES:
        return codes
    place = np.empty(whole.size, np.int64)
    place[np.argsort(-whole, kind="stable")] = np.arange(whole.size)
    return np.minimum(place[codes], _CATEGORIES - 1)
