"""Nodes made ready for rows to run down them."""

from collections.abc import Callable
from typing import Any

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._kernels.binning import encode
from heliast._kernels.descending import Forest, answer, leaves, packed


class Descent:
    """Rows run down as they are; values of nominal inputs are looked up once for all trees.

    `first` says where each tree's nodes begin, and one more at the end; `child` is the left child,
    beside which the right one stands, in a leaf the answer; `right` is 1 where missing and unseen
    values go right; `values` are those of each nominal input, None for numeric ones.
    """

    def __init__(
        self, *, first: Array, feature: Array, threshold: Array, child: Array, right: Array,
        set_at: Array, sets: Array, values: tuple[Array | None, ...],
    ) -> None:  # fmt: skip
        self.values = values
        self.nominal = np.array([one is not None for one in values], bool)
        missing = np.array([0 if one is None else one.size for one in values], np.int64)
        nodes = packed(first, feature, threshold, child, self.nominal.size)
        self.forest = Forest(
            first, feature, threshold, child, right, set_at, sets, self.nominal.astype(np.uint8),
            missing, *nodes,
        )  # fmt: skip

    def leaves(self, X: Array) -> Array:
        """The answer of the leaf that each row reaches in each tree, (n, B)."""
        return leaves(self._rows(X), self.forest)

    def answer(
        self, X: Array, of_leaves: Callable[..., None], given: tuple[Any, ...], out: Array
    ) -> Array:
        """What `of_leaves` says of the leaves, some rows and trees at a time, put into `out`."""
        return answer(self._rows(X), self.forest, of_leaves, given, out)

    def _rows(self, X: Array) -> Array:
        X = np.asarray(X)
        if X.ndim != 2 or X.shape[1] != self.nominal.size:
            raise InputError(
                f"X has shape {X.shape}; the trees were grown on {self.nominal.size} columns"
            )
        if not self.nominal.any():
            return X
        known = [values for values in self.values if values is not None]
        first = np.concatenate([[0], np.cumsum([values.size for values in known])])
        sizes = self.forest.missing[self.nominal]
        asked = np.ascontiguousarray(X[:, self.nominal], dtype=np.float64)
        codes = np.empty(asked.shape[::-1], np.uint16).T  # as `Binned` has them
        exact = np.ones(sizes.size, np.uint8)
        encode(asked, np.concatenate(known), first.astype(np.int64), sizes, exact, codes)
        X = np.array(X, dtype=np.float64, order="C")
        X[:, self.nominal] = codes
        return X
