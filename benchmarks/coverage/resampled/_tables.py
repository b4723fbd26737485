"""What one data set gives under every plan: the losses of all splits, and their summary."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.coverage.resampled._learners import Job
from heliast import Bootstrap, FiveByTwo, KFold, LeaveOneOut, Subsampling
from heliast.data import Dataset
from heliast.plans import Piece, Plan
from heliast.plans.plan import number_pieces
from heliast.predictions import Meta, Predictions, Splits

Array = npt.NDArray[Any]

PLANS: dict[str, Plan] = {
    "KFold(10)": KFold(10),
    "KFold(10, repeats=5)": KFold(10, repeats=5),
    "Subsampling()": Subsampling(),
    "Subsampling(15, train=0.9)": Subsampling(15, train=0.9),
    "FiveByTwo()": FiveByTwo(),
    "Bootstrap(50)": Bootstrap(50),
    "LeaveOneOut()": LeaveOneOut(),
}
FOLDS = ("KFold(10)", "KFold(10, repeats=5)", "FiveByTwo()", "LeaveOneOut()")


@dataclass(frozen=True, eq=False)
class Cut:
    """A data set under a plan: splits with the rows they train on and test."""

    data: Dataset
    X: Array
    pieces: tuple[Piece, ...]

    @classmethod
    def of(
        cls, plan: Plan, data: Dataset, X: Array, rng: np.random.Generator, named: bool = True
    ) -> "Cut":
        """Splits are numbered only where a table is to be made of them."""
        pieces = plan.pieces(data, rng)
        return cls(data, X, number_pieces(pieces) if named else tuple(pieces))

    def first(self, count: int) -> "Cut":
        return replace(self, pieces=self.pieces[:count])

    @property
    def y(self) -> Array:
        return np.asarray(self.data.y_true)

    def job(self, sorted_: dict[str, Array] | None = None) -> Job:
        weight = np.ones((len(self.pieces), self.data.n))
        for j, piece in enumerate(self.pieces):
            if piece.left_out is not None:
                weight[j, piece.left_out] = 0
            else:
                weight[j] = piece.in_train(self.data.n)
        sizes = [piece.test.size for piece in self.pieces]
        split = np.repeat(np.arange(len(sizes)), sizes)
        row = np.concatenate([piece.test for piece in self.pieces])
        return Job(self.X, self.y, len(self.data.classes), weight, split, row, sorted_)

    def table(self, job: Job, label: Array) -> Predictions:
        """The labels as the library's own table."""
        truth = self.y[job.row].astype(np.uint8)
        data = self.data
        positive = data.classes[-1] if len(data.classes) == 2 else None
        seen = job.weight[job.split, job.row].astype(np.int64)
        return Predictions(
            truth,
            label.astype(np.uint8),
            Meta("classification", data.classes, positive),
            splits=Splits(tuple(piece.record for piece in self.pieces)),
            split_code=job.split.astype(np.int32),
            row=job.row,
            in_train=seen,
            group=None if data.group is None else np.asarray(data.group)[job.row],
        )


def dataset(X: Array, y: Array, k: int, group: Array | None) -> Dataset:
    """A data set without inputs: plans look at classes and groups only."""
    return Dataset((), y, "classification", tuple(range(k)), group=group)


NAMES = (
    "p", "s2", "j", "repeats", "ratio", "n", "n_train", "rows", "within", "between", "plain", "own"
)  # fmt: skip
"""What is kept of a table.

p: the value. s2: variance over splits, as `split_values` gives them. j: splits. ratio: n_test /
n_train. rows: 1 / sum of squared row weights, the distinct rows that the tests are worth. within:
mean over rows of the variance of a row's loss over splits (NaN if tested once). between: variance
of the mean that the row (or group) means show. plain: sample variance of the splits' raw errors.
own: the rows or groups tested; for the bootstrap the training error of the fit on all rows, and
`n_train` is then the no-information rate.
"""


def summary(cut: Cut, job: Job, label: Array, folds: bool) -> Array:
    """The numbers of NAMES for one table of test rows."""
    wrong = (label != job.y[job.row]).astype(np.float64)
    splits = len(cut.pieces)
    sizes = np.bincount(job.split, minlength=splits)
    errors = np.bincount(job.split, weights=wrong, minlength=splits)
    repeat = np.array([piece.record.repeat for piece in cut.pieces])
    repeats = int(repeat.max()) + 1
    grouped = cut.data.group is not None
    pool = repeat if folds else np.zeros_like(repeat)  # single splits are counted together
    per = np.bincount(pool, errors) / np.bincount(pool, sizes)
    p = float(per.mean())
    scale = np.bincount(pool, sizes)[pool] / np.bincount(pool)[pool]
    scale = scale if grouped else sizes
    values = per[pool] + (errors - per[pool] * sizes) / scale
    weight = np.full(wrong.size, 1 / wrong.size)
    n = cut.data.n
    trained = float(np.mean([piece.n_train for piece in cut.pieces]))
    row_weight = np.bincount(job.row, weights=weight, minlength=n)
    times = np.bincount(job.row, minlength=n)
    bad = np.bincount(job.row, weights=wrong, minlength=n)
    again = times > 1
    within = np.nan
    if again.any():
        m, e = times[again], bad[again]
        within = float((e * (m - e) / (m * (m - 1))).mean())
    away = np.bincount(job.row, weights=weight * (wrong - p), minlength=n)
    if grouped:
        away = np.bincount(np.asarray(cut.data.group), weights=away)
    units = away.size if not grouped else np.unique(np.asarray(cut.data.group)[job.row]).size
    between = float((away**2).sum() * units / (units - 1))
    var = float(values.var(ddof=1)) if splits > 1 else np.nan
    plain = float((errors / sizes).var(ddof=1))
    return np.array([
        p, var, splits, repeats, float(sizes.mean()) / trained, n, trained,
        1 / (row_weight**2).sum(), within, between, plain, units,
    ])  # fmt: skip


def left_out_summary(cut: Cut, job: Job, label: Array) -> Array:
    """The bootstrap: `p` left-out error, `own` training error, `n_train` no-information rate."""
    full = job.split == len(cut.pieces) - 1
    rest = Job(job.X, job.y, job.k, job.weight[:-1], job.split[~full], job.row[~full])
    found = summary(replace(cut, pieces=cut.pieces[:-1]), rest, label[~full], folds=False)
    wrong = (label != job.y[job.row]).astype(np.float64)
    times = np.bincount(rest.row, minlength=cut.data.n)
    bad = np.bincount(rest.row, weights=wrong[~full], minlength=cut.data.n)
    found[0] = float((bad[times > 0] / times[times > 0]).mean())
    shares = np.bincount(job.y, minlength=job.k) / job.y.size
    given = np.bincount(label[full], minlength=job.k) / full.sum()
    found[NAMES.index("own")] = wrong[full].mean()
    found[NAMES.index("n_train")] = float((shares * (1 - given)).sum())
    return found
