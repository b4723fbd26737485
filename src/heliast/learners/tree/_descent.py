"""Nodes made ready for rows to run down them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._kernels.binning import encode
from heliast._kernels.descending import Forest, answer, leaves, packed


@dataclass(frozen=True)
class Splits:
    """The splits of any number of trees, as far as rows need them on their way down."""

    first: Array
    """Where each tree's nodes begin; one more at the end."""
    feature: Array
    threshold: Array
    child: Array
    """The left child, beside which the right one stands; in a leaf, the answer."""
    right: Array
    """1 where missing and unseen values go right."""
    set_at: Array
    sets: Array
    values: tuple[Array | None, ...]
    """The values of each nominal input; None for numeric ones."""


class Descent:
    """Rows run down as they are; values of nominal inputs are looked up once for all trees."""

    def __init__(self, splits: Splits) -> None:
        self.values = splits.values
        self.nominal = np.array([values is not None for values in splits.values], bool)
        nodes, base, bits = packed(
            splits.first, splits.feature, splits.threshold, splits.child, self.nominal.size
        )
        self.forest = Forest(
            first=splits.first,
            feature=splits.feature,
            threshold=splits.threshold,
            child=splits.child,
            right=splits.right,
            set_at=splits.set_at,
            sets=splits.sets,
            nominal=self.nominal.astype(np.uint8),
            missing=np.array([0 if one is None else one.size for one in splits.values], np.int64),
            nodes=nodes,
            base=base,
            bits=bits,
        )

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
