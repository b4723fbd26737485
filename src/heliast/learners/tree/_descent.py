"""Nodes made ready for rows to run down them."""

from dataclasses import dataclass

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._kernels.binning import encode
from heliast._kernels.descending import Forest, leaves


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
    """Splits on ranks: borders of every input are sorted once, rows are ranked among them once."""

    def __init__(self, splits: Splits) -> None:
        nominal = np.array([values is not None for values in splits.values], np.uint8)
        rank, borders = _ranked(splits, nominal)
        missing = np.array(
            [
                np.iinfo(rank.dtype).max if values is None else values.size
                for values in splits.values
            ],
            np.int64,
        )
        self.features = len(splits.values)
        self.upper = np.concatenate([*borders, np.empty(0)])
        self.first = np.concatenate([[0], np.cumsum([one.size for one in borders])]).astype(
            np.int64
        )
        self.forest = Forest(
            first=splits.first,
            feature=splits.feature,
            rank=rank,
            child=splits.child,
            right=splits.right,
            set_at=splits.set_at,
            sets=splits.sets,
            nominal=nominal,
            missing=missing,
        )

    def leaves(self, X: Array) -> Array:
        """The answer of the leaf that each row reaches in each tree, (n, B)."""
        X = np.ascontiguousarray(X, dtype=np.float64)
        if X.ndim != 2 or X.shape[1] != self.features:
            raise InputError(
                f"X has shape {X.shape}; the trees were grown on {self.features} columns"
            )
        forest = self.forest
        ranks = np.empty(X.shape, forest.rank.dtype)
        encode(X, self.upper, self.first, forest.missing, forest.nominal, ranks)
        plain = not forest.nominal.any() and not np.isnan(X).any()
        return leaves(ranks, forest, plain)


def _ranked(splits: Splits, nominal: Array) -> tuple[Array, list[Array]]:
    """The ranks of all nodes' thresholds, and the borders of each input."""
    feature = splits.feature
    at = np.flatnonzero((feature >= 0) & (np.append(nominal, 0)[feature] == 0))
    order = at[np.lexsort((splits.threshold[at], feature[at]))]
    column, threshold = feature[order], splits.threshold[order]
    new = np.ones(order.size, bool)
    new[1:] = (column[1:] != column[:-1]) | (threshold[1:] != threshold[:-1])
    sizes = np.bincount(column[new], minlength=nominal.size)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    dtype = np.uint16 if sizes.max(initial=0) < np.iinfo(np.uint16).max else np.uint32
    rank = np.zeros(feature.size, dtype)
    rank[order] = np.cumsum(new) - 1 - starts[column]
    numeric = threshold[new]
    borders = [
        numeric[starts[f] : starts[f + 1]] if values is None else values
        for f, values in enumerate(splits.values)
    ]
    return rank, borders
