"""A tree in words, one line a split, or the questions on the way of one row; and as a figure."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np

from heliast._core.kinds import Array
from heliast._core.plotted import Svg
from heliast.learners.tree._nodes import Nodes

MOST_VALUES = 6  # nominal values that are listed before the rest is counted


@dataclass(frozen=True)
class Words:
    """How the splits and leaves of a tree are written."""

    nodes: Nodes
    names: Sequence[str]
    classes: Sequence[Any]  # empty for numbers
    label: Array
    written: Callable[[int, float], str]  # a nominal value of a feature
    pessimistic: Array | None = None

    def question(self, i: int, right: bool) -> str:
        """What holds for the rows that go left (or right) from node i."""
        nodes, f = self.nodes, int(self.nodes.feature[i])
        values, threshold = nodes.subset(i), nodes.threshold[i]
        if values is not None:
            values = np.setdiff1d(nodes.values[f], values) if right else values  # type: ignore[arg-type]
            listed = [self.written(f, value) for value in values[:MOST_VALUES].tolist()]
            if len(values) > MOST_VALUES:
                listed.append(f"{len(values) - MOST_VALUES} more")
            return f"{self.names[f]} in {{{', '.join(listed)}}}"
        if np.isinf(threshold):
            return f"{self.names[f]} is {'missing' if right else 'known'}"
        return f"{self.names[f]} {'>' if right else '<='} {threshold:.6g}"

    def answer(self, i: int) -> str:
        """The class of a node, its share, and how many rows there are; or the mean of numbers."""
        rows, counts = self.nodes.rows[i], self.nodes.counts[i]
        if not len(self.classes):
            return f"{self.nodes.mean[i]:.6g} (mean of {rows:g})"
        share = counts[self.label[i]] / (counts.sum() or 1.0)
        return f"{self.classes[self.label[i]]} ({share:.0%} of {rows:g})"

    def errors(self, i: int) -> str:
        """N, the observed error f and the pessimistic error e of a node; empty if not wanted."""
        if self.pessimistic is None:
            return ""
        counts = self.nodes.counts[i]
        observed = 1 - counts.max() / counts.sum()
        return f"N={self.nodes.rows[i]:g} f={observed:.3f} e={self.pessimistic[i]:.3f}"

    def text(self, max_depth: int | None = None) -> str:
        """The tree, depth first; what lies below `max_depth` is only mentioned."""
        nodes, lines = self.nodes, []
        stack = [(0, "", 0)]
        while stack:
            i, question, depth = stack.pop()
            errors, is_leaf = self.errors(i), nodes.feature[i] < 0
            parts = [question] if question else []
            if is_leaf or depth == max_depth:
                parts.append(self.answer(i) + ("" if is_leaf else ", and splits further"))
            else:
                for right in (True, False):
                    child = int(nodes.left[i]) + right
                    stack.append((child, self.question(i, right), depth + 1))
            line = "; ".join(filter(None, (": ".join(parts), errors)))
            if line:
                lines.append("  " * max(depth - 1, 0) + line)
        return "\n".join(lines)

    def path(self, leaf: int) -> str:
        """The answers that lead from the root to a leaf, one a line, and the leaf."""
        lines, i = [f"-> {self.answer(leaf)}"], leaf
        while i > 0:
            right = int(not (self.nodes.left == i).any())
            parent = int(np.flatnonzero(self.nodes.left == i - right)[0])
            lines.append(self.question(parent, bool(right)))
            i = parent
        return "\n".join(reversed(lines))


WIDTH, HEIGHT, GAP, DROP, LINE, LETTERS = 130, 40, 14, 44, 16, 20
STYLE = (
    ".tree{font:12px system-ui,sans-serif;color:currentColor}"
    ".tree rect{fill:none;stroke:currentColor;rx:4}.tree path{fill:none;stroke:currentColor}"
    ".tree text{fill:currentColor;text-anchor:middle}.tree .leaf rect{stroke-width:2}"
)


def picture(words: Words, max_depth: int | None = None) -> str:
    """The SVG text; nodes deeper than `max_depth` are left out, their ancestors say so.

    Names and classes are escaped, whatever they hold.
    """
    nodes, depth = words.nodes, words.nodes.depth
    deepest = int(depth.max()) if max_depth is None else min(max_depth, int(depth.max()))
    ends = nodes.is_leaf | (depth == deepest)
    place, number, stack = np.zeros(len(nodes)), 0, [0]
    while stack:
        i = stack.pop()
        if ends[i]:
            place[i] = number * (WIDTH + GAP) + WIDTH / 2
            number += 1
        else:
            stack += [int(nodes.left[i]) + 1, int(nodes.left[i])]
    shown = np.flatnonzero(depth <= deepest)
    for i in reversed(shown):  # children have larger numbers
        if not ends[i]:
            place[i] = (place[nodes.left[i]] + place[nodes.left[i] + 1]) / 2
    height = HEIGHT + LINE * (words.pessimistic is not None)
    step = height + DROP
    boxes = [_box(words, int(i), place, int(depth[i]) * step, height, bool(ends[i])) for i in shown]
    width, total = number * (WIDTH + GAP), (deepest + 1) * step
    return Svg(
        f'<svg xmlns="http://www.w3.org/2000/svg" class="tree" role="img" width="{width}" '
        f'height="{total}" viewBox="-1 -1 {width + 2} {total}"><title>Tree with {nodes.leaves} '
        f"leaves</title><style>{STYLE}</style>{''.join(boxes)}</svg>"
    )


def _box(words: Words, i: int, place: Array, y: int, height: int, is_end: bool) -> str:
    """One node, and the lines to its children."""
    nodes, x = words.nodes, place[i]
    question = "" if nodes.feature[i] < 0 else words.question(i, right=False)
    lines = [question, words.answer(i)]
    if is_end:
        lines = [words.answer(i), "..." if question else ""]
    short = (line if len(line) <= LETTERS else line[: LETTERS - 1] + "…" for line in lines)
    texts = [(LINE * row, line) for row, line in enumerate(short, 1)]
    if words.pessimistic is not None:
        texts.append((LINE * 3, words.errors(i)))
    parts = [
        f'<text x="{x:g}" y="{y + down}">{escape(line)}</text>' for down, line in texts if line
    ]
    if not is_end:
        parts += [
            f'<path d="M{x:g} {y + height}L{place[child]:g} {y + height + DROP}"/>'
            for child in (nodes.left[i], nodes.left[i] + 1)
        ]
    title = escape("\n".join(filter(None, (question, words.answer(i)))))
    return (
        f'<g class="{"leaf" if is_end else "split"}"><title>{title}</title>'
        f'<rect x="{x - WIDTH / 2:g}" y="{y}" width="{WIDTH}" height="{height}"/>{"".join(parts)}'
        "</g>"
    )
