"""Nodes made ready for rows to run down them."""

from collections.abc import Callable
from typing import Any

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._kernels.binning import encode
from heliast._kernels.descent import answer, forest_of, leaves_of


class Descent:
    """Rows run down as they are; values of nominal features are looked up once for all trees.

    `first` says where each tree's nodes begin, and one more at the end; `child` is the left child,
    beside which the right one stands, in a leaf the answer; `right` is 1 where missing and unseen
    values go right; `values` are those of each nominal feature, None for numeric ones.
    """

    def __init__(
        self, *, first: Array, feature: Array, threshold: Array, child: Array, right: Array,
        set_at: Array, sets: Array, values: tuple[Array | None, ...],
    ) -> None:  # fmt: skip
        self.values = values
        codes = np.array([-1 if known is None else known.size for known in values], np.int64)
        self.nominal = codes >= 0
        self.forest = forest_of(first, feature, threshold, child, right, set_at, sets, codes)

    def leaves(self, X: Array) -> Array:
        """The answer of the leaf that each row reaches in each tree, (n, B)."""
        return leaves_of(self._rows(X), self.forest)

    def answer(
        self, X: Array, of_leaves: Callable[..., None], arguments: tuple[Any, ...], out: Array
    ) -> Array:
        """What `of_leaves` says of the leaves, some rows and trees at a time, put into `out`."""
        return answer(self._rows(X), self.forest, of_leaves, arguments, out)

    def _rows(self, X: Array) -> Array:
        X = np.asarray(X)
        if X.ndim != 2 or X.shape[1] != self.nominal.size:
            raise InputError(
                f"X has shape {X.shape}; the trees were grown on {self.nominal.size} columns"
            )
        if not self.nominal.any():
            return X
        known = [values for values in self.values if values is not None]
        first = np.append(0, np.cumsum([values.size for values in known]))
        codes = np.empty((X.shape[0], first.size - 1), np.uint16)
        every = np.ones(first.size - 1, np.bool_)
        encode(
            X[:, self.nominal], np.concatenate(known), first, every, np.arange(every.size), codes
        )
        X = np.array(X, dtype=np.float64, order="C")
        X[:, self.nominal] = codes
        return X
