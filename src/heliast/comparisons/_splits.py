"""Splits: the values of models over several splits, as tests of differences read them."""

from dataclasses import replace
from functools import cached_property
from math import nan
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from heliast._core.clusters import FEWEST
from heliast._core.errors import InputError, NotEnoughData
from heliast._core.level import quantile
from heliast._core.notes import Note
from heliast.comparisons._paired import Paired
from heliast.comparisons._record import TestResult
from heliast.comparisons._registry import SPLITS
from heliast.comparisons._row_variation import RowVariation
from heliast.estimates.resampled import Case, Design, Refused, split_values

Array = npt.NDArray[Any]
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
    def row_variation(self) -> RowVariation:
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
        """The test with the rows behind it, and the independent ones that would vary as much."""
        return replace(result, n=self.design.n, n_effective=self._worth(a, b, result))

    def _worth(self, a: str, b: str, result: TestResult) -> float:
        losses = self.field.losses
        if losses is None or np.isnan(result.low) or not isinstance(result.df, float):
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
