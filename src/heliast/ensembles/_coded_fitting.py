"""Growing the columns of a code: all rows, some rows, or bootstrap samples; honest answers."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils import get_tags

from heliast._core.kinds import Array
from heliast.ensembles._coded_columns import Columns, GrownColumns, refit_columns
from heliast.ensembles._draws import LIMIT, counts_from, generator
from heliast.ensembles._fitting import by
from heliast.ensembles._grown import grows
from heliast.learners.tree import Grove

CODE, COLUMNS, FOLDS, BAGS, FIRST = range(5)
"""Branches of the random numbers: what each use draws does not depend on the others."""


@dataclass(eq=False)
class Fitting:
    """One base, one set of rows, any number of columns."""

    base: Any
    X: Any
    truth: Array
    """The class number of each row."""
    k: int
    seed: int
    n_jobs: int | None = None
    nominal: Array | None = None
    """Which inputs are nominal, where the base is a tree of the engine."""
    weight: Array | None = None
    """The weight of each row, none of them 0; None is 1 each."""
    bins: int | None = None
    """Bins of an input of a tree; None tries every split."""

    @cached_property
    def grove(self) -> Grove:
        """The binned copy of the rows that all trees share."""
        seed = int(generator(self.seed, COLUMNS).integers(LIMIT))
        return Grove(self.base, self.X, self.nominal, seed, self.bins, weight=self.weight)

    def columns(self, code: Array) -> Columns:
        """All columns on all rows."""
        if grows(self.base):
            return GrownColumns(self.grove.dichotomies(self.truth, code, self.weight))
        return self._refitted(code, None, self.weight)

    def _refitted(
        self, code: Array, rows: list[Array] | None, weight: Array | None, *path: int
    ) -> Columns:
        sides, seeds = code[self.truth], (self.seed, COLUMNS, *path)
        return refit_columns(self.base, self.X, sides, rows, weight, seeds, self.n_jobs)

    def bagged(self, code: Array) -> tuple[Columns, Array]:
        """Each column on a bootstrap sample of its own; its answers where a row was left out.

        Elsewhere the answers are NaN. Rows are drawn in proportion to their weight.
        """
        n, size = self.truth.size, code.shape[1]
        counts = np.empty((size, n), np.int64)
        for b in range(size):
            rng = generator(self.seed, BAGS, b)
            if self.weight is not None:
                counts[b] = counts_from(self.weight, n, rng)
            else:
                counts[b] = np.bincount(rng.integers(n, size=n), minlength=n)
        if grows(self.base):
            columns: Columns = GrownColumns(self.grove.dichotomies(self.truth, code, counts))
        else:
            rows = [np.repeat(np.arange(n), count) for count in counts]
            columns = self._refitted(code, rows, None)
        return columns, np.where(counts.T == 0, columns.answers(self.X), np.nan)

    def honest(self, code: Array, folds: int) -> Array:
        """(n, B): answers for each row from columns that were fitted without its fold."""
        found = np.empty((self.truth.size, code.shape[1]))
        for number, (train, test) in enumerate(self._folds(folds)):
            found[test] = self._without(code, train, number).answers(self.X[test])
        return found

    def _without(self, code: Array, train: Array, number: int) -> Columns:
        if grows(self.base):
            weights = np.zeros(self.truth.size, np.int64 if self.weight is None else np.float64)
            weights[train] = 1 if self.weight is None else self.weight[train]
            return GrownColumns(self.grove.dichotomies(self.truth, code, weights))
        return self._refitted(code, [train] * code.shape[1], self.weight, number)

    def _folds(self, folds: int) -> Iterator[tuple[Array, Array]]:
        """(train, test): each class is dealt out in turn, so that all folds have its share."""
        n = self.truth.size
        order = generator(self.seed, FOLDS).permutation(n)
        order = order[np.argsort(self.truth[order], kind="stable")]
        fold = np.empty(n, np.int64)
        fold[order] = np.arange(n) % folds
        for number in range(folds):
            test = np.flatnonzero(fold == number)
            if 0 < test.size < n:
                yield np.flatnonzero(fold != number), test

    def confusion(self, folds: int) -> Array:
        """(k, k) counts: how the base itself, on all classes, confuses them out of its folds."""
        base = self.base
        if self.nominal is not None:
            base = clone(base).set_params(nominal=self.nominal)
        if not get_tags(base).classifier_tags.multi_class:
            from sklearn.multiclass import OneVsRestClassifier  # slow to import, rarely needed

            base = OneVsRestClassifier(base)
        label = np.empty(self.truth.size, np.int64)
        for train, test in self._folds(folds):
            weight = None if self.weight is None else self.weight[train]
            model = clone(base).fit(self.X[train], self.truth[train], **by(weight))
            label[test] = model.predict(self.X[test])
        cell = self.truth * self.k + label
        return np.bincount(cell, self.weight, self.k**2).reshape(self.k, self.k)
