"""A tree in words: one line a split, indented, or the questions on the way of one row."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from heliast.learners.tree._nodes import Nodes

Array = npt.NDArray[Any]
Shown = Callable[[int, float], str]

MOST_VALUES = 6
"""Nominal values that are listed before the rest is counted."""


class Words:
    """How the splits and leaves of a tree are written."""

    def __init__(
        self, nodes: Nodes, names: Sequence[str], classes: Sequence[Any], label: Array, shown: Shown
    ) -> None:
        self.nodes, self.names, self.classes = nodes, list(names), list(classes)
        self.label, self.shown = label, shown

    def question(self, i: int, right: bool) -> str:
        """What holds for the rows that go left (or right) from node i."""
        f = int(self.nodes.feature[i])
        name = self.names[f]
        subset = self.nodes.subset(i)
        if subset is not None:
            values = self._others(i, subset) if right else subset
            return f"{name} in {{{self._listed(f, values)}}}"
        threshold = self.nodes.threshold[i]
        if np.isinf(threshold):
            return f"{name} is {'missing' if right else 'known'}"
        return f"{name} {'>' if right else '<='} {threshold:.6g}"

    def _others(self, i: int, subset: Array) -> Array:
        values = self.nodes.values[self.nodes.feature[i]]
        return np.setdiff1d(np.empty(0) if values is None else values, subset)

    def _listed(self, f: int, values: Array) -> str:
        some = [self.shown(f, value) for value in values[:MOST_VALUES].tolist()]
        more = len(values) - len(some)
        return ", ".join(some) + (f", {more} more" if more > 0 else "")

    def leaf(self, i: int) -> str:
        """The class of a node, its share, and how many rows there are."""
        counts = self.nodes.counts[i]
        weight = counts.sum()
        c = int(self.label[i])
        share = counts[c] / weight if weight > 0 else 0.0
        return f"{self.classes[c]} ({share:.0%} of {self.nodes.rows[i]:g})"

    def text(self, max_depth: int | None = None) -> str:
        """The whole tree, depth first; what lies below `max_depth` is only counted."""
        lines: list[str] = []
        stack = [(0, "", 0)]
        while stack:
            i, said, depth = stack.pop()
            lead = "  " * max(depth - 1, 0) + said
            if self.nodes.feature[i] < 0 or (max_depth is not None and depth >= max_depth):
                cut = "" if self.nodes.feature[i] < 0 else ", and splits further"
                lines.append(f"{lead}{': ' if said else ''}{self.leaf(i)}{cut}")
                continue
            if said:
                lines.append(lead)
            for right in (True, False):
                child = self.nodes.right[i] if right else self.nodes.left[i]
                stack.append((int(child), self.question(i, right), depth + 1))
        return "\n".join(lines)

    def path(self, leaf: int) -> str:
        """The answers that lead from the root to a leaf, one a line, and the leaf."""
        parent = np.full(len(self.nodes), -1)
        inner = np.flatnonzero(~self.nodes.is_leaf)
        parent[self.nodes.left[inner]] = inner
        parent[self.nodes.right[inner]] = inner
        said, at = [f"-> {self.leaf(leaf)}"], leaf
        while parent[at] >= 0:
            above = int(parent[at])
            said.append(self.question(above, bool(self.nodes.right[above] == at)))
            at = above
        return "\n".join(reversed(said))
