"""A model's predictions row by row, as often as splits left it out, and the facts of each row."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from heliast._core.errors import InputError, NotEnoughData
from heliast._core.kinds import Array
from heliast._core.labels import column
from heliast._kernels.repeated import MOST, by_row, codes
from heliast.predictions import Predictions


@dataclass(frozen=True, eq=False)
class Votes:
    """Zero-one loss at each row: posteriors PY of the classes, shares PC of the votes.

    y* is the class of largest posterior, m the class of most votes.
    """

    best_posterior: Array
    """PY(y*)."""
    main_posterior: Array
    """PY(m)."""
    main: Array
    """PC(m)."""
    best: Array
    """PC(y*)."""
    hit: Array
    """Σ PY PC: how often vote and class agree."""
    posterior_squares: Array
    """Σ PY²."""
    squares: Array
    """Σ PC²."""
    agrees: Array
    """Whether m = y*."""


@dataclass(frozen=True, eq=False)
class Facts:
    """What a loss L makes of the class or number Y at each row and of its predictions C.

    S denotes the systematic part of either: the fixed answer of least expected loss.
    """

    count: Array
    """How many predictions the row has (NaN elsewhere if none)."""
    loss: Array
    """E L(Y, C), with Y and C independent."""
    noise: Array
    """E L(Y, SY): what the best possible answer loses."""
    systematic: Array
    """E L(Y, SC): what the systematic part of the predictions loses."""
    bias: Array
    """L(SY, SC)."""
    variance: Array
    """E L(C, SC)."""
    votes: Votes | None = None
    unbiased: bool = True
    """Whether definitions that can are to undo what a finite number of splits adds to the bias."""


FEWEST = 2
"""Predictions a row needs to show any variance."""


@dataclass(frozen=True, eq=False)
class Repeated:
    """The predictions of row i stand at start[i] to start[i + 1]; splits are 0, 1, ...

    `row` names the rows as the table does; `alone` counts the rows left out because they were
    predicted only once.
    """

    row: Array
    truth: Array
    start: Array
    label: Array
    split: Array
    splits: int
    weight: Array | None
    group: Array | None
    alone: int

    @property
    def n(self) -> int:
        return int(self.row.size)

    @property
    def counts(self) -> Array:
        """How many predictions each row has."""
        return np.diff(self.start)


def out_of_sample(predictions: Predictions) -> Predictions:
    """The part of the table that can speak: test splits of one condition, rows not trained on."""
    table = predictions.only(role="test", seen=0)
    if not len(table):
        raise NotEnoughData("no row of role 'test' with seen = 0: nothing to decompose")
    if table.row is None:
        raise InputError(
            "the table has no row column, so a row cannot be found again in other splits; "
            "give row= (Predictions.of) or use a table made by run"
        )
    varied = {(split.train_share, split.noise) for split in table.splits}
    if len(varied) > 1:
        raise InputError(
            "the splits differ in training share or label noise: that is no variance; "
            "choose the splits of one condition with predictions.only(split=...)"
        )
    return table


def repeated(table: Predictions) -> Repeated:
    """One model's rows, each with all its predictions; rows predicted once are left out."""
    place, row, first = _places(table.row)
    start, order = by_row(place, row.size)
    split = np.zeros(len(table), np.int32) if table.split_code is None else table.split_code
    counts = np.diff(start)
    keep = counts >= FEWEST
    if not keep.any():
        raise NotEnoughData(
            f"model {table.models[0]!r}: no row is predicted by two splits or more, so there is no "
            "variance to see; run with Bootstrap(...), Fresh(...) or repeated folds"
        )
    if not keep.all():
        order = order[np.repeat(keep, counts)]
        row, first = row[keep], first[keep]
        start = np.concatenate([[0], np.cumsum(counts[keep])])
    if len(table.splits) > MOST:
        raise InputError(f"{len(table.splits):,} splits: at most {MOST:,} can be decomposed")
    split, label = split[order], table.label[order]
    there = np.bincount(split, minlength=len(table.splits)) > 0
    return Repeated(
        row=row,
        truth=table.truth[first],
        start=start,
        label=codes(label) if table.task == "classes" else label,
        split=(np.cumsum(there, dtype=np.int32) - 1)[split].astype(np.int32, copy=False),
        splits=int(there.sum()),
        weight=None if table.weight is None else table.weight[first],
        group=None if table.group is None else table.group[first],
        alone=int((~keep).sum()),
    )


def _places(row: Any) -> tuple[Array, Array, Array]:
    """Each prediction's row as 0, 1, ...; the rows' names; where each first stands."""
    names, place = column(row, "row").coded()
    first = np.empty(len(names), np.int64)
    first[place[::-1]] = np.arange(place.size - 1, -1, -1)
    return place, np.asarray(names), first


def repeated_scores(table: Predictions, model: str) -> tuple[Array, Array, Array, Array]:
    """Scores (splits x rows x classes), labels (splits x rows), truth and names of the rows."""
    part = table.only(model)
    if part.scores is None or part.score_kind_of(model) is None:
        raise InputError(f"model {model!r} has no scores")
    scores = part.scores
    if scores.ndim == 1:
        scores = np.stack([part.rows().score_of(code) for code in (0, 1)], axis=1)
    names, place = column(part.row, "row").coded()
    split = np.zeros(len(part), np.int64) if part.split_code is None else part.split_code
    there, at = np.unique(split, return_inverse=True)
    if len(part) != there.size * len(names):
        raise NotEnoughData(
            f"model {model!r}: not every split predicts every row; this needs a table of Fresh(...)"
        )
    order = np.lexsort((place, at))
    shape = there.size, len(names)
    truth = part.truth[order].reshape(shape)[0]
    return (
        np.asarray(scores, np.float64)[order].reshape(*shape, -1),
        part.label[order].reshape(shape),
        truth,
        np.asarray(names),
    )
