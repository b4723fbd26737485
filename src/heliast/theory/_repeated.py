"""A model's predictions row by row: each row as often as splits left it out of training."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from heliast._core.errors import InputError, NotEnoughData
from heliast._core.labels import column
from heliast._kernels.repeated import MOST, by_row, codes
from heliast.predictions import Predictions

Array = npt.NDArray[Any]
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
