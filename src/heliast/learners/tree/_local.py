"""The error of each node of a tree on rows that it was not grown from."""

from dataclasses import dataclass

import numpy as np

from heliast._core.kinds import Array
from heliast._core.proportions import wilson_limits
from heliast.learners.tree._nodes import Nodes


@dataclass(frozen=True)
class LocalError:
    """How a tree does on the rows that pass one of its nodes.

    Parameters
    ----------
    node : int
        The node's number among `nodes_`.
    rows : int
        Rows that pass it.
    wrong : int
        How many of them the tree gets wrong.
    low, high : float
        Wilson's limits of the error among such rows; 0 and 1 where none passes.

    Examples
    --------
    >>> print(LocalError(3, 20, 3, 0.052, 0.36))
    3 of 20 new rows wrong [5%, 36%]
    """

    node: int
    rows: int
    wrong: int
    low: float
    high: float

    def __str__(self) -> str:
        if not self.rows:
            return "no new row"
        limits = f"[{self.low:.0%}, {self.high:.0%}]"
        return f"{self.wrong} of {self.rows} new rows wrong {limits}"


def local_errors(
    nodes: Nodes, leaf: Array, wrong: Array, level: float = 0.95
) -> tuple[LocalError, ...]:
    """The local error of every node, from the leaf that each row reaches and whether it is wrong.

    The rows of a node are those of its children together. Each interval is for its node alone.
    """
    rows = np.bincount(leaf, minlength=len(nodes))
    missed = np.bincount(leaf[wrong], minlength=len(nodes))
    for i in np.flatnonzero(~nodes.is_leaf)[::-1]:  # children come after their parents
        for tally in (rows, missed):
            tally[i] = tally[nodes.left[i]] + tally[nodes.right[i]]
    share = missed / np.maximum(rows, 1)
    low, high = wilson_limits(share, rows, level)
    found = zip(rows, missed, low, high, strict=True)
    return tuple(
        LocalError(i, int(n), int(bad), float(least), float(most))
        for i, (n, bad, least, most) in enumerate(found)
    )
