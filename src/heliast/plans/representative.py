"""Are the splits representative? Class shares and features of each test set against all rows.

The test rows of each split are compared with a random sample, without replacement, of as many rows
(with groups: of as many groups) of the data. Everything is a sum over the sampled rows, so one pass
per column serves all splits.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from heliast._core.frames import to_frame
from heliast._core.kinds import Array, Floats
from heliast._core.labels import Label
from heliast._core.notes import Note
from heliast._core.records import plain
from heliast.data import Dataset
from heliast.plans.dealing import unit_codes
from heliast.plans.piece import Piece, Positions

_CATEGORIES = 50  # the most common ones that are compared
_NAMED = 3  # splits that are named in the notes


@dataclass(frozen=True)
class Likeness:
    """How one split's test rows compare with all rows.

    `shares` are its class shares. `target_distance` is half the summed differences of class shares
    (or the difference of means of a number target in standard deviations), `p_target` the
    probability that a random sample lies as far out. `input` is the feature that is furthest out,
    `input_distance` its distance (nominal: of shares) and `p_inputs` its p value, times the number
    of features compared.
    """

    split: int | str
    role: str
    n_test: int
    shares: tuple[float, ...]
    target_distance: float
    p_target: float
    input: str | None = None
    input_distance: float = float("nan")
    p_inputs: float = 1.0

    @property
    def p(self) -> float:
        """The smaller p value of the two, target and features, Bonferroni-adjusted."""
        return min(1.0, 2 * min(self.p_target, self.p_inputs))


@dataclass(frozen=True)
class Representativeness:
    """One record per split: its class shares and features beside those of all rows.

    A random split is unrepresentative at 5% once in twenty, so with J splits the smallest p value
    is multiplied by J: `p` is the probability that random splits of such data show one as extreme
    as the most extreme here. Stratified splits are closer to all rows than random ones, so it errs
    on the conservative side.

    Parameters
    ----------
    records : tuple of Likeness
        Shares, distances and p values of each split.
    classes : tuple of Label
        The classes in order; none for a number.
    whole : tuple of float
        Class shares of all rows.

    Examples
    --------
    >>> from heliast.data import simulate
    >>> from heliast.plans import KFold
    >>> data = simulate.two_gaussians().sample(40, seed=1)
    >>> table = KFold(4).on(data, seed=1).representativeness()
    >>> len(table.records), table.unlike()
    (4, ())
    """

    records: tuple[Likeness, ...]
    classes: tuple[Label, ...] = ()
    whole: tuple[float, ...] = ()

    def __len__(self) -> int:
        return len(self.records)

    def __iter__(self) -> Iterator[Likeness]:
        return iter(self.records)

    @property
    def p(self) -> float:
        """The p value of the most extreme split, adjusted for the number of splits."""
        return min(1.0, len(self) * min((record.p for record in self), default=1.0))

    def unlike(self, level: float = 0.95) -> tuple[Likeness, ...]:
        """The splits that are not representative at this family-wise level.

        Parameters
        ----------
        level : float, default 0.95
            Confidence level; 1 minus it is divided among the splits.

        Returns
        -------
        tuple of Likeness
            The splits that are too extreme.
        """
        return tuple(record for record in self if record.p * len(self) < 1 - level)

    def to_dict(self) -> list[dict[str, object]]:
        """One dict per split, class shares as `share_<class>`.

        Returns
        -------
        list of dict
            A dict per split.
        """
        return [
            {name: plain(value) for name, value in vars(record).items() if name != "shares"}
            | {f"share_{label}": at for label, at in zip(self.classes, record.shares, strict=True)}
            for record in self
        ]

    def to_frame(self, backend: str = "pyarrow") -> Any:
        """A table with one row per split: pyarrow, pandas or polars.

        Parameters
        ----------
        backend : str
            `pyarrow`, `pandas` or `polars`: what kind of table.

        Returns
        -------
        table
            Of the chosen kind.
        """
        return to_frame(self.to_dict(), backend)


def compare_splits(
    data: Dataset, pieces: Sequence[Piece], budget: int | None = None
) -> Representativeness:
    """Every test and validation set against all rows; `budget` bounds the values looked at.

    Within a budget not all features of wide data are compared, but evenly spaced ones.
    """
    distinct: dict[int, Piece] = {}  # a learning curve tests the same rows at every share
    for piece in pieces:
        if piece.record.role in ("test", "validation"):
            distinct.setdefault(id(piece.test), piece)
    if not distinct:
        return Representativeness(())
    samples = Samples([piece.test for piece in distinct.values()], unit_codes(data))
    inputs = data.inputs
    if budget is not None and inputs:
        most = max(1, budget // (data.n + samples.rows.size))
        inputs = inputs[:: -(-len(inputs) // most)]
    columns = [(data.y_true, data.task == "classification")]
    columns += [(column.values, column.nominal) for column in inputs]
    compared = np.array(
        [
            samples.compare_codes(values) if nominal else samples.compare_numbers(values)
            for values, nominal in columns
        ]
    )
    by_split = compared.transpose(2, 1, 0).tolist()  # distances and p values, the target first
    k = len(data.classes) if data.task == "classification" else 0
    records = []
    for piece, (distance, p) in zip(distinct.values(), by_split, strict=True):
        size, shares = int(piece.test.size), _shares(data.y_true[piece.test], k)
        target = (piece.record.split, piece.record.role, size, shares, distance[0], p[0])
        feature: Any = ()
        if inputs:
            odd = min(range(1, len(p)), key=p.__getitem__)
            feature = (inputs[odd - 1].name, distance[odd], min(1.0, len(inputs) * p[odd]))
        records.append(Likeness(*target, *feature))
    return Representativeness(tuple(records), data.classes[:k], _shares(data.y_true, k))


def notes_on_splits(table: Representativeness, draws: int) -> Iterator[str]:
    """Which splits are not representative, and how often others were drawn."""
    unlike = table.unlike()
    if draws:
        end = "the most representative splits are kept" if unlike else "now representative"
        yield f"splits drawn again {draws} time{'s' * (draws > 1)}: {end}"
    for record in sorted(unlike, key=lambda record: record.p)[:_NAMED]:
        by_target = record.p_target <= record.p_inputs
        what = "the target" if by_target else f"feature {record.input!r}"
        p = min(1.0, record.p * len(table))
        yield Note(
            f"split {record.split} is not representative: {what} differs from that of all rows "
            f"(p = {p:.2g}, adjusted for {len(table)} splits); redraw= selects new splits",
            "unlike",
        )
    if len(unlike) > _NAMED:
        more = f"not representative either: {len(unlike) - _NAMED} more; see representativeness()"
        yield Note(more, "unlike")


class Samples:
    """The test rows of several splits, as samples of n rows (with groups: of groups)."""

    def __init__(self, tests: Sequence[Positions], unit: Positions) -> None:
        self.rows = np.concatenate(tests)
        self.sizes = np.array([test.size for test in tests], np.int64)
        self.starts = np.cumsum(self.sizes) - self.sizes
        sizes = np.bincount(unit)
        self.unit, self.units = unit, sizes.size
        self.drawn = np.rint(self.sums(1 / sizes[unit]))

    def sums(self, values: Floats) -> Floats:
        """The sum of the values over each split's rows."""
        return np.asarray(np.add.reduceat(values[self.rows], self.starts))

    def z(self, sums: Floats, values: Floats) -> Floats:
        """Sums of centred values over their standard error when rows (groups) are random.

        The variance of the sum of m of n values is m (1 - m/n) S^2, S^2 with n - 1.
        """
        square = float((np.bincount(self.unit, values) ** 2).sum())
        variance = self.drawn * (1 - self.drawn / self.units) * square / max(self.units - 1, 1)
        return np.divide(sums, np.sqrt(variance), out=np.zeros(sums.size), where=variance > 0)

    def compare_numbers(self, values: Floats) -> tuple[Floats, Floats]:
        """Differences of means in standard deviations; p values of the mean ranks.

        Ranks, because their mean is nearly normal whatever the column's tails: an outlier in a
        small fold does not matter. Missing values count as the middle rank.
        """
        from scipy.special import ndtr
        from scipy.stats import rankdata

        known = np.isfinite(values)
        if not known.any():
            return np.zeros(self.sizes.size), np.ones(self.sizes.size)
        ranks = np.zeros(values.size)
        ranks[known] = rankdata(values[known]) - (known.sum() + 1) / 2
        centred = np.where(known, values - values[known].mean(), 0.0)
        counts = np.maximum(self.sums(known.astype(np.float64)), 1)
        distance = self.sums(centred) / counts / (float(values[known].std()) or 1.0)
        return distance, 2 * ndtr(-np.abs(self.z(self.sums(ranks), ranks)))

    def compare_codes(self, codes: Positions) -> tuple[Floats, Floats]:
        """Half the summed differences of shares; p values of the most extreme category's count.

        The count of a category in a random sample is hypergeometric; the smallest two-sided p
        value is multiplied by the number of categories (two categories are one question).
        """
        from scipy.special import ndtr
        from scipy.stats import hypergeom

        codes, n = np.unique(codes, return_inverse=True)[1], codes.size
        totals = np.bincount(codes)
        common = np.argsort(-totals, kind="stable")[:_CATEGORIES]
        distance, smallest = np.zeros(self.sizes.size), np.ones(self.sizes.size)
        for code in common:
            total = totals[code]
            is_code, share = (codes == code).astype(np.float64), total / n
            counts = self.sums(is_code)
            distance += np.abs(counts / self.sizes - share) / 2
            z = self.z(counts - self.sizes * share, is_code - share)
            p = 2 * ndtr(-np.abs(z))
            # The exact p value is slow: only where it could matter among so many splits.
            exact = (p * z.size < 1) & (z != 0) & (self.units == n)
            if exact.any():
                count, law = counts[exact], (n, total, self.sizes[exact])
                upper, lower = hypergeom.sf(count - 1, *law), hypergeom.cdf(count, *law)
                p[exact] = np.minimum(2 * np.where(z[exact] > 0, upper, lower), 1.0)
            smallest = np.minimum(smallest, p)
        return distance, np.minimum(smallest * (common.size if common.size > 2 else 1), 1.0)


def _shares(codes: Array, k: int) -> tuple[float, ...]:
    """The share of each of k classes; none for a number."""
    return tuple((np.bincount(codes, minlength=k) / codes.size).tolist()) if k else ()
