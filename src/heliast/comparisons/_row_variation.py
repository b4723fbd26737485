"""What rows say of differences over splits, beside the spread of the splits."""

from typing import Any

import numpy as np
import numpy.typing as npt

from heliast.comparisons._paired import Paired
from heliast.estimates.resampled import Case, influences

Array = npt.NDArray[Any]


class RowVariation:
    """What the rows themselves say of differences over splits, for measures pooled over rows.

    `moved` is what each split's value owes to its own shares of the classes: none where folds are
    dealt by class. Taken off, and the variance of shares drawn anew put on (`between`), the spread
    over splits is the same however they were dealt. `least` is the variance of models that do not
    depend on their training rows. Where class counts were fixed by design, shares are given and
    add nothing: `moved` and `between` are zero. With groups, for measures judged split by split
    and where influences are not known, all of this is zero.
    """

    def __init__(self, field: Paired) -> None:
        self._psi = dict[str, Array]()
        case, table = field.first, field.first.parts.whole
        if field.groups is not None or case.measure.over == "splits":
            return
        found = {model: influences(one, fixed=True) for model, one in field.cases.items()}
        if any(psi is None or not np.isfinite(psi).all() for psi in found.values()):
            return
        for model, one in field.cases.items():
            self._psi[model] = np.asarray(found[model])[_by_split_and_row(one)]
        order, weight = _by_split_and_row(case), _weight(case)
        self._rows = case.design.rows
        self._share = weight[order] / weight.sum()
        row = np.arange(len(table)) if table.row is None else np.asarray(table.row)
        self._row = np.unique(row, return_inverse=True)[1][order]
        self._class = np.zeros(len(table), np.int64)
        if table.task == "classes" and not field.fixed:
            self._class = np.asarray(table.truth, np.int64)[order]
        place = np.empty(len(table.splits), np.int64)
        names = [name for names in case.parts.repeats for name in names]
        place[[table.splits.places[name] for name in names]] = np.arange(len(names))
        self._split = place[np.asarray(table.split_code)[order]]

    def moved(self, model: str) -> Array | float:
        """What each split's value owes to its shares of the classes."""
        if not self._psi:
            return 0.0
        k, splits = int(self._class.max()) + 1, int(self._split.max()) + 1
        cells = np.bincount(self._split * k + self._class, self._share, minlength=splits * k)
        counts = cells.reshape(splits, k)
        shares = counts / counts.sum(axis=1, keepdims=True)
        moved: Array = (shares - counts.sum(axis=0)) @ self._means(self._psi[model])
        return moved

    def between(self, a: str, b: str) -> float:
        """The variance of a mean difference that the classes' shares make, if drawn anew."""
        if not self._psi:
            return 0.0
        gap = self._means(self._psi[a] - self._psi[b])[self._class]
        return float((self._share * (gap - self._share @ gap) ** 2).sum()) / self._rows

    def least(self, a: str, b: str) -> float:
        """The variance of the mean difference if every row had its own, whatever the training."""
        if not self._psi:
            return 0.0
        gap = self._psi[a] - self._psi[b]
        return float((np.bincount(self._row, self._share * gap) ** 2).sum())

    def _means(self, psi: Array) -> Array:
        size = np.bincount(self._class, self._share)
        return np.bincount(self._class, self._share * psi) / np.where(size > 0, size, 1.0)


def _by_split_and_row(case: Case) -> Array:
    table = case.parts.whole
    names = np.arange(len(table)) if table.row is None else np.asarray(table.row)
    order: Array = np.lexsort([names, np.asarray(table.split_code)])
    return order


def _weight(case: Case) -> Array:
    table = case.parts.whole
    return np.ones(len(table)) if table.weight is None else np.asarray(table.weight, np.float64)
