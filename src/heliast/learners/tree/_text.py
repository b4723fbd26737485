"""A tree in words, one line a split, or the questions on the way of one row; and as a picture."""

from collections.abc import Callable, Sequence
from html import escape
from typing import Any

import numpy as np

from heliast._core.kinds import Array
from heliast._core.plotted import Svg
from heliast.learners.tree._local import LocalError
from heliast.learners.tree._nodes import Nodes

Shown = Callable[[int, float], str]

MOST_VALUES = 6
"""Nominal values that are listed before the rest is counted."""


class Words:
    """How the splits and leaves of a tree are written."""

    def __init__(
        self,
        nodes: Nodes,
        names: Sequence[str],
        classes: Sequence[Any],
        label: Array,
        shown: Shown,
        local: Sequence[LocalError] = (),
        pessimistic: Array | None = None,
    ) -> None:
        self.nodes, self.names, self.classes = nodes, list(names), list(classes)
        self.label, self.shown, self.local = label, shown, local
        self.pessimistic = pessimistic

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
        """The class of a node, its share, and how many rows there are; or the mean of numbers."""
        if not self.classes:
            return f"{self.nodes.mean[i]:.6g} (mean of {self.nodes.rows[i]:g})"
        counts = self.nodes.counts[i]
        weight = counts.sum()
        c = int(self.label[i])
        share = counts[c] / weight if weight > 0 else 0.0
        return f"{self.classes[c]} ({share:.0%} of {self.nodes.rows[i]:g})"

    def errors(self, i: int) -> str:
        """N, the observed error f and the pessimistic error e of a node; nothing if not wanted."""
        if self.pessimistic is None:
            return ""
        counts = self.nodes.counts[i]
        observed = 1 - counts.max() / counts.sum()
        return f"N={self.nodes.rows[i]:g} f={observed:.3f} e={self.pessimistic[i]:.3f}"

    def about(self, i: int) -> str:
        """What stands beside node i: its errors, those on new rows."""
        return "; ".join(filter(None, (self.errors(i), self.held_out(i))))

    def held_out(self, i: int) -> str:
        """How the tree does on new rows that pass node i; nothing if none were given."""
        return str(self.local[i]) if self.local else ""

    def text(self, max_depth: int | None = None) -> str:
        """The whole tree, depth first; what lies below `max_depth` is only counted."""
        lines: list[str] = [self.about(0)] if self.about(0) and self.nodes.feature[0] >= 0 else []
        stack = [(0, "", 0)]
        while stack:
            i, said, depth = stack.pop()
            lead = "  " * max(depth - 1, 0) + said
            new = f"; {self.about(i)}" if self.about(i) else ""
            if self.nodes.feature[i] < 0 or (max_depth is not None and depth >= max_depth):
                cut = "" if self.nodes.feature[i] < 0 else ", and splits further"
                lines.append(f"{lead}{': ' if said else ''}{self.leaf(i)}{cut}{new}")
                continue
            if said:
                lines.append(f"{lead}{new}")
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


WIDTH, HEIGHT, GAP, DROP, LINE = 130, 40, 14, 44, 16
STYLE = (
    ".tree{font:12px system-ui,sans-serif;color:currentColor}"
    ".tree rect{fill:none;stroke:currentColor;rx:4}.tree path{fill:none;stroke:currentColor}"
    ".tree text{fill:currentColor;text-anchor:middle}.tree .leaf rect{stroke-width:2}"
)


def picture(words: Words, max_depth: int | None = None) -> str:
    """The SVG text; nodes deeper than `max_depth` are left out, their ancestors say so.

    Names and classes are escaped, whatever they hold.
    """
    nodes = words.nodes
    shown = np.ones(len(nodes), bool) if max_depth is None else nodes.depth <= max_depth
    ends = [i for i in _in_order(words) if shown[i] and _ends(words, i, shown)]
    place = {i: number * (WIDTH + GAP) + WIDTH / 2 for number, i in enumerate(ends)}
    for i in sorted(np.flatnonzero(shown), key=lambda i: -nodes.depth[i]):
        if i not in place:
            place[int(i)] = (place[int(nodes.left[i])] + place[int(nodes.right[i])]) / 2
    parts = [_node(words, int(i), place, shown) for i in np.flatnonzero(shown)]
    width = len(ends) * (WIDTH + GAP)
    height = (int(nodes.depth[shown].max()) + 1) * (_height(words) + DROP)
    return Svg(
        f'<svg xmlns="http://www.w3.org/2000/svg" class="tree" role="img" width="{width}" '
        f'height="{height}" viewBox="-1 -1 {width + 2} {height}"><title>Tree with {nodes.leaves} '
        f"leaves</title><style>{STYLE}</style>{''.join(parts)}</svg>"
    )


def _height(words: Words) -> int:
    """A node's box: one line more for its errors, and one where new rows were given."""
    return HEIGHT + LINE * (bool(words.local) + (words.pessimistic is not None))


def _in_order(words: Words) -> list[int]:
    """All nodes, left before right."""
    order, stack = [], [0]
    while stack:
        i = stack.pop()
        order.append(i)
        if words.nodes.feature[i] >= 0:
            stack += [int(words.nodes.right[i]), int(words.nodes.left[i])]
    return order


def _ends(words: Words, i: int, shown: np.ndarray) -> bool:
    return bool(words.nodes.feature[i] < 0 or not shown[words.nodes.left[i]])


def _node(words: Words, i: int, place: dict[int, float], shown: np.ndarray) -> str:
    nodes = words.nodes
    height = _height(words)
    x, y = place[i], int(nodes.depth[i]) * (height + DROP)
    end = _ends(words, i, shown)
    split = nodes.feature[i] >= 0
    question = words.question(i, right=False) if split else ""
    lines = [words.leaf(i), "..." if split else ""] if end else [question, words.leaf(i)]
    if words.pessimistic is not None:
        lines.append(words.errors(i))
    if words.local:
        new = words.local[i]
        lines.append(f"new: {new.wrong} of {new.rows} wrong" if new.rows else "new: no row")
    texts = "".join(
        f'<text x="{x:g}" y="{y + LINE + LINE * row}">{escape(_short(line))}</text>'
        for row, line in enumerate(lines)
        if line
    )
    edges = ""
    if not end:
        for child in (int(nodes.left[i]), int(nodes.right[i])):
            edges += f'<path d="M{x:g} {y + height}L{place[child]:g} {y + height + DROP}"/>'
    title = escape("\n".join(filter(None, (question, words.leaf(i), words.held_out(i)))))
    return (
        f'<g class="{"leaf" if end else "split"}"><title>{title}</title>'
        f'<rect x="{x - WIDTH / 2:g}" y="{y}" width="{WIDTH}" height="{height}"/>{texts}{edges}</g>'
    )


def _short(line: str) -> str:
    return line if len(line) <= 20 else line[:19] + "…"
