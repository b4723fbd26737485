"""Members that were grown at different times put together; each member's own answers."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from heliast._core.kinds import Array
from heliast._kernels.descending import add_shares
from heliast.learners.tree._trees import Trees


def joined(parts: Sequence[Trees]) -> Trees:
    """The members of all parts, one part after the other. All must come from the same bins.

    >>> from heliast.learners.tree import Grove, Tree
    >>> grove = Grove(Tree(min_cut=1, min_size=2), np.array([[1.0], [2.0], [3.0], [4.0]]))
    >>> parts = [grove.classes(np.array(truth), 2) for truth in ([0, 0, 0, 1], [0, 1, 1, 1])]
    >>> joined(parts).labels(np.array([[1.2], [2.2], [3.9]]))
    array([[0, 0],
           [0, 1],
           [1, 1]], dtype=int32)
    """
    if len(parts) == 1:
        return parts[0]
    nodes = _ends([part.feature.size for part in parts])
    leaves = _ends([part.start.size - 1 for part in parts])
    entries = _ends([part.class_.size for part in parts])
    sets = _ends([part.sets.size for part in parts])
    child, set_at = [], []
    for part, node, leaf, bits in zip(parts, nodes, leaves, sets, strict=False):
        child.append(part.child + np.where(part.feature >= 0, node, leaf).astype(np.int32))
        set_at.append(np.where(part.set_at >= 0, part.set_at + np.int32(bits), part.set_at))

    def put(name: str) -> Array:
        return np.concatenate([getattr(part, name) for part in parts])

    def shifted(name: str, by: Array) -> Array:
        """Positions of each part moved by what stands before it, and the end of all."""
        moved = [
            getattr(part, name)[:-1] + at for part, at in zip(parts, by.tolist(), strict=False)
        ]
        return np.append(np.concatenate(moved), by[-1])

    return replace(
        parts[0],
        first=shifted("first", nodes),
        first_leaf=shifted("first_leaf", leaves),
        feature=put("feature"),
        low=put("low"),
        high=put("high"),
        child=np.concatenate(child),
        right=put("right"),
        set_at=np.concatenate(set_at),
        sets=put("sets"),
        start=shifted("start", entries),
        class_=put("class_"),
        weight=put("weight"),
        count=put("count"),
        where=None,
    )


def _ends(sizes: list[int]) -> Array:
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)


def each_probabilities(trees: Trees, X: Array) -> Iterator[Array]:
    """The class probabilities (n, k) of one member after the other; rows run down once."""
    numbered = trees._numbered(X)
    for b in range(trees.members):
        out = np.zeros((numbered.shape[0], trees.k))
        add_shares(np.ascontiguousarray(numbered[None, :, b]), b, *trees._given, out)
        yield out
