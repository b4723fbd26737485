"""Models over several splits as tests of differences read them, and what their rows say."""

from dataclasses import replace
from functools import cached_property
from math import nan
from typing import Literal

import numpy as np

from heliast._core.clusters import FEWEST
from heliast._core.errors import InputError, NotEnoughData
from heliast._core.kinds import Array
from heliast._core.level import quantile
from heliast._core.notes import Note
from heliast.comparisons._paired import Paired
from heliast.comparisons._record import TestResult
from heliast.comparisons._registry import SPLITS
from heliast.estimates.resampled import (
    Case,
    Design,
    Refused,
    influences,
    learned_threshold,
    split_values,
)

NO_SPREAD = {
    "leave_one_out": "leave-one-out tests one row a split, so splits show no spread to judge by",
    "bootstrap": "resamples share rows, so the spread over them is not that of a difference",
}
"""Designs whose splits no test of differences can read."""


class Splits:
    """Models on the same splits of one data set: a value each a split, where all have one."""

    here = SPLITS

    def __init__(self, field: Paired) -> None:
        field.check_pairs()
        self.field, self.design = field, field.first.design
        if why := NO_SPREAD.get(self.design.kind):
            raise InputError(f"{why}; run KFold(10, repeats=10), or Holdout, instead")
        self.groups = field.groups
        if self.design.grouped:
            self.ratio()
        if self.groups is not None and self.groups < FEWEST:
            raise NotEnoughData(f"only {self.groups} groups: a test needs at least {FEWEST}")
        found = {model: _of_splits(case) for model, case in field.cases.items()}
        keep = np.isfinite(np.stack(list(found.values()))).all(axis=0)
        self.count, lost = int(keep.sum()), int((~keep).sum())
        if self.count < 2:
            raise NotEnoughData(f"{field.measure.title} is defined in {self.count} splits only")
        self.by_model = {model: values[keep] for model, values in found.items()}
        self.notes: tuple[str, ...] = ()
        if lost:
            said = f"undefined in {lost} of {keep.size} splits, left out for all models"
            self.notes += (Note(said, "undefined"),)
        self.notes += next(filter(None, map(learned_threshold, field.cases.values())), ())
        if self.design.folds and self.df == 1:
            self.notes += ("2 folds leave 1 degree of freedom: 10 folds tell much more",)

    def ratio(self) -> Design:
        """The design, if it says how large test sets are beside training sets."""
        if self.design.reason:
            raise InputError(f"no test over these splits: {self.design.reason}")
        return self.design

    @property
    def better(self) -> Literal["high", "low"]:
        return self.field.better

    @cached_property
    def row_variation(self) -> "RowVariation":
        return RowVariation(self.field)

    @property
    def df(self) -> float:
        """K - 1 for folds; fewer than the splits have, because splits are not independent.

        Measured (docs/coverage.md): halves, repeated, correct so much that 9 are safe, and over
        random subsamples 5 are.
        """
        k = self.design.splits / self.design.repeats
        freedom = 5.0 if not self.design.folds else 9.0 if k == 2 else k - 1
        return min(self.count - 1.0, freedom)

    @property
    def words(self) -> str:
        """The design in words."""
        if not self.design.folds:
            return f"{self.design.splits} splits"
        k = self.design.splits // self.design.repeats
        return f"{self.design.repeats} x {k} folds" if self.design.repeats > 1 else f"{k} folds"

    def told(self, a: str, b: str, result: TestResult) -> TestResult:
        """The test with the rows behind it, and the independent ones that would vary as much.

        Where splits differ in size, the difference is that of the models' own values, in which
        rows count alike.
        """
        worth = self._worth(a, b, result)
        if self.field.measure.over == "rows" and result.test == "corrected_t":
            gap = self.field.values[a] - self.field.values[b]
            move = gap - result.value
            result = replace(result, value=gap, low=result.low + move, high=result.high + move)
        return replace(result, n=self.design.n, n_effective=worth)

    def _worth(self, a: str, b: str, result: TestResult) -> float:
        losses = self.field.losses
        if losses is None or not result.low < result.high or not isinstance(result.df, float):
            return nan
        se = (result.high - result.low) / 2 / quantile(result.level, result.df)
        spread = float((losses[a] - losses[b]).std(ddof=1))
        return min(self.design.n, (spread / se) ** 2)


def _of_splits(case: Case) -> Array:
    """The measure on each split, in the order of the repeats; NaN where it is undefined."""
    names = [name for names in case.parts.repeats for name in names]
    if case.measure.over == "rows":
        try:
            values = split_values(case)
            if values.size == len(names):
                return values
        except Refused:
            pass
    return np.array([case.form(name).value for name in names])


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
        if table.task == "classification" and not field.fixed:
            self._class = np.asarray(table.y_true, np.int64)[order]
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
        return np.asarray((shares - counts.sum(axis=0)) @ self._means(self._psi[model]))

    def between(self, a: str, b: str) -> float:
        """The variance of a mean difference that the classes' shares make, if drawn anew."""
        if not self._psi:
            return 0.0
        gap = self._means(self._psi[a] - self._psi[b])[self._class]
        return float((self._share * (gap - self._share @ gap) ** 2).sum()) / self._rows

    def least(self, a: str, b: str) -> float:
        """The variance of the mean difference if every row had its own."""
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
    return np.asarray(np.lexsort([names, np.asarray(table.split_code)]))


def _weight(case: Case) -> Array:
    table = case.parts.whole
    return np.ones(len(table)) if table.weight is None else np.asarray(table.weight, np.float64)
