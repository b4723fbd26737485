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
from heliast.ensembles._draws import LIMIT, generator
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

    @cached_property
    def grove(self) -> Grove:
        """The binned copy of the rows that all trees share."""
        seed = int(generator(self.seed, COLUMNS).integers(LIMIT))
        return Grove(self.base, self.X, self.nominal, seed)

    def columns(self, code: Array) -> Columns:
        """All columns on all rows."""
        if grows(self.base):
            return GrownColumns(self.grove.dichotomies(self.truth, code))
        path = (self.seed, COLUMNS)
        return refit_columns(self.base, self.X, code[self.truth], None, path, self.n_jobs)

    def bagged(self, code: Array) -> tuple[Columns, Array]:
        """Each column on a bootstrap sample of its own; its answers where a row was left out.

        Elsewhere the answers are NaN.
        """
        n, size = self.truth.size, code.shape[1]
        counts = np.empty((size, n), np.int64)
        for b in range(size):
            drawn = generator(self.seed, BAGS, b).integers(n, size=n)
            counts[b] = np.bincount(drawn, minlength=n)
        if grows(self.base):
            columns: Columns = GrownColumns(self.grove.dichotomies(self.truth, code, counts))
        else:
            rows = [np.repeat(np.arange(n), count) for count in counts]
            path = (self.seed, COLUMNS)
            columns = refit_columns(self.base, self.X, code[self.truth], rows, path, self.n_jobs)
        return columns, np.where(counts.T == 0, columns.answers(self.X), np.nan)

    def honest(self, code: Array, folds: int) -> Array:
        """(n, B): answers for each row from columns that were fitted without its fold."""
        found = np.empty((self.truth.size, code.shape[1]))
        for number, (train, test) in enumerate(self._folds(folds)):
            found[test] = self._without(code, train, number).answers(self.X[test])
        return found

    def _without(self, code: Array, train: Array, number: int) -> Columns:
        if grows(self.base):
            weights = np.zeros(self.truth.size, np.int64)
            weights[train] = 1
            return GrownColumns(self.grove.dichotomies(self.truth, code, weights))
        path = (self.seed, COLUMNS, number)
        rows = [train] * code.shape[1]
        return refit_columns(self.base, self.X, code[self.truth], rows, path, self.n_jobs)

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
            label[test] = clone(base).fit(self.X[train], self.truth[train]).predict(self.X[test])
        cell = self.truth * self.k + label
        return np.bincount(cell, minlength=self.k**2).reshape(self.k, self.k)
