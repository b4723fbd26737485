"""A tree as SVG: splits as questions, leaves as boxes with their class and size."""

from html import escape

import numpy as np

from heliast.learners.tree._text import Words

WIDTH, HEIGHT, GAP, DROP = 130, 40, 14, 44
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
    height = (int(nodes.depth[shown].max()) + 1) * (HEIGHT + DROP)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="tree" role="img" width="{width}" '
        f'height="{height}" viewBox="-1 -1 {width + 2} {height}"><title>Tree with {nodes.leaves} '
        f"leaves</title><style>{STYLE}</style>{''.join(parts)}</svg>"
    )


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
    x, y = place[i], int(nodes.depth[i]) * (HEIGHT + DROP)
    end = _ends(words, i, shown)
    split = nodes.feature[i] >= 0
    question = words.question(i, right=False) if split else ""
    lines = [words.leaf(i), "..." if split else ""] if end else [question, words.leaf(i)]
    texts = "".join(
        f'<text x="{x:g}" y="{y + 16 + 16 * row}">{escape(_short(line))}</text>'
        for row, line in enumerate(lines)
        if line
    )
    edges = ""
    if not end:
        for child in (int(nodes.left[i]), int(nodes.right[i])):
            edges += f'<path d="M{x:g} {y + HEIGHT}L{place[child]:g} {y + HEIGHT + DROP}"/>'
    title = escape(f"{question}\n{words.leaf(i)}" if split else words.leaf(i))
    return (
        f'<g class="{"leaf" if end else "split"}"><title>{title}</title>'
        f'<rect x="{x - WIDTH / 2:g}" y="{y}" width="{WIDTH}" height="{HEIGHT}"/>{texts}{edges}</g>'
    )


def _short(line: str) -> str:
    return line if len(line) <= 20 else line[:19] + "…"
