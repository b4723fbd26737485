"""Rankings that arrive as a stream, highest score first, in bounded memory.

Rows come in batches; those of the lowest score of a batch wait until a lower one has come, so that
the rows of one score are always taken together.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from .ranking import StreamSums as StreamSums
from .ranking import first_of_equals, rank_sums

Floats = npt.NDArray[np.float64]
# Whether each row is of the class (uint8), its score (descending), its weight.
Batch = tuple[npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any] | None]


def stream_sums(
    batches: Iterable[Batch], totals: tuple[float, float], weighted: bool
) -> StreamSums:
    """All sums over a ranking; `totals` are the weights of the class and of the rest.

    Takes rows in descending order of score.
    """
    columns = 4 if weighted else 2
    return rank_sums((tuple(cells[:columns]) for _, cells in by_score(batches)), totals)


def by_score(batches: Iterable[Batch]) -> Iterator[tuple[Floats, Floats]]:
    """Distinct scores, descending, in pieces; for each Σ w and Σ w² of the class and of the rest.

    The second array has four lines: Σ w of the class, of the rest, Σ w² of the class, of the rest.
    """
    scores, cells = np.empty(0), np.empty((4, 0))
    for own, score, weight in batches:
        if not score.size:
            continue
        w = np.ones(score.size) if weight is None else np.asarray(weight, np.float64)
        each = np.stack([w * own, w * (1.0 - own), w * w * own, w * w * (1.0 - own)])
        start = np.flatnonzero(first_of_equals(score))
        sums = np.add.reduceat(each, start, axis=1)
        if scores.size and scores[0] == score[0]:
            sums[:, :1] += cells
            scores, cells = score[start], sums
        else:
            scores, cells = np.append(scores, score[start]), np.hstack([cells, sums])
        if scores.size > 1:
            yield scores[:-1], cells[:, :-1]
        scores, cells = scores[-1:], cells[:, -1:]
    if scores.size:
        yield scores, cells
