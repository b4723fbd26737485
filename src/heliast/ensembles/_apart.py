"""Who may choose for whom: folds of a table whose rows are judged by a choice of other rows."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from heliast._core.columns import column
from heliast._core.errors import InputError, NotEnoughData
from heliast._core.kinds import Array
from heliast.data import Dataset
from heliast.plans import KFold
from heliast.predictions import Predictions, Split, Splits


class Apart:
    """The rows of one model's table in folds, each with the rows that choose for it.

    Validation rows choose, where there are some. Else the splits of the table are the folds, if
    none tests more than half of the rows; of one test set (or rows that are tested in nearly every
    split) folds are dealt, by class. A row, or a group, never chooses for itself, also not by its
    predictions in another split. In order of time earlier rows choose for later ones.
    """

    def __init__(self, table: Predictions, folds: int, seed: int) -> None:
        validating = np.array([split.role == "validation" for split in table.splits])
        chooses = validating[table.codes("split")]
        self.table, self.validated = table, bool(chooses.any())
        self.judged = ~chooses
        self.chooses = chooses if self.validated else self.judged
        self.unit = _units(table)
        self.in_order = table.meta.design == "time"
        self.by_split = self.validated or self._splits_apart()
        self.fold = table.codes("split") if self.by_split else self._dealt(folds, seed)

    def __iter__(self) -> Iterator[tuple[Array, Array]]:
        """(positions of judged rows, positions of the rows that choose for them)."""
        for fold in np.unique(self.fold[self.judged]):
            judged = np.flatnonzero(self.judged & (self.fold == fold))
            own = np.zeros(int(self.unit.max()) + 1, bool)
            own[self.unit[judged]] = True
            if self.in_order and not self.validated:
                own[self.unit[judged].min() :] = True
            chooses = np.flatnonzero(self.chooses & ~own[self.unit])
            if self.validated and not chooses.size:
                raise InputError("validation rows choose, but all of them are test rows as well")
            yield judged, chooses

    @property
    def words(self) -> str:
        """How it was done."""
        if self.validated:
            return "weights were chosen on the validation rows, which do not judge"
        unit = "rows" if self.table.group is None or self.in_order else "groups"
        count = np.unique(self.fold[self.judged]).size
        where = f"the rows of each of {count} {'splits' if self.by_split else 'folds'}"
        if self.in_order:
            return f"for {where} weights were chosen on earlier rows, and are even without any"
        return (
            f"for {where} weights were chosen on other {unit}, so that none judges a vote that it "
            "helped to choose"
        )

    def judged_part(self, table: Predictions) -> Predictions:
        """What is judged of a table of these rows; of one test set, folds become its splits."""
        tested = [split.split for split in table.splits if split.role == "test"]
        part = table._at(np.flatnonzero(self.judged)).only(split=tested)
        if self.by_split or self.in_order or len(tested) > 1:
            return part
        sizes = np.bincount(self.fold)
        splits = [
            Split(at, fold=at, n_train=int(part.truth.size - size), n_test=int(size))
            for at, size in enumerate(sizes)
        ]
        return replace(part, splits=Splits(tuple(splits)), split_code=self.fold.astype(np.int32))

    def _splits_apart(self) -> bool:
        """Whether each split leaves half of the rows, or more, to choose for it."""
        table = self.table
        if len(table.splits) < 2:
            return False
        pairs = np.unique(np.column_stack([table.codes("split"), self.unit]), axis=0)
        return bool(np.bincount(pairs[:, 0]).max() <= (self.unit.max() + 1) / 2)

    def _dealt(self, folds: int, seed: int) -> Array:
        units, first, unit = np.unique(self.unit, return_index=True, return_inverse=True)
        count = min(folds, units.size)
        if count < 2:
            what = "row" if self.table.group is None else "group"
            raise NotEnoughData(f"one {what}: a vote is judged by others than those that chose it")
        if self.in_order:
            return np.asarray(unit * count // units.size)
        truth = self.table.truth
        rows = np.arange(truth.size) if self.table.group is not None else first
        group = None if self.table.group is None else unit
        data = Dataset((), truth[rows], self.table.task, self.table.classes, group=group)
        fold = np.empty(rows.size, np.int64)
        for number, piece in enumerate(KFold(count).on(data, seed)):
            fold[piece.test] = number
        return fold if group is not None else fold[unit]


def _units(table: Predictions) -> Array:
    """A number for what must stay together: the group, or else the row of the data."""
    if table.group is not None:
        return np.unique(table.group, return_inverse=True)[1]
    if table.row is not None:
        return column(table.row, "row").coded(ordered=False)[1].astype(np.int64)
    if len({split.repeat for split in table.splits}) > 1:
        raise InputError(
            "rows have no names, and splits are repeated: a row could choose for itself in another "
            "repeat; give the table a row column that names each data row (--row)"
        )
    return np.arange(len(table))
