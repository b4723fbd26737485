"""Sums over a ranking that arrives as a stream, highest score first, in bounded memory.

Rows come in pieces; rows of one score never stand in two pieces: the lowest score of a piece waits
as a tally until a lower one has come. Without weights every sum but average precision is exact, as
in memory: pieces count in int64 from their own start, and Python's integers put them together.
"""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ._arrays import Floats
from ._jit import kernel
from ._merging import MergeSums

PIECE = 1 << 17
"""Rows in a piece: int64 holds the squares of its doubled ranks, summed (2**53)."""

Batch = tuple[npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any] | None]
"""Whether each row is of the class (uint8), its score (descending), its weight."""


class StreamSums(NamedTuple):
    """What a ranking's measures and their spread follow from."""

    merge: MergeSums
    rows: tuple[int, int]
    """Rows of the class and of the rest."""
    place2: tuple[float, float]
    """Σ w² (V - AUC)² over the class and over the rest."""
    precision: tuple[float, float]
    """Σ w ψ² and Σ w² ψ², ψ each row's influence on average precision."""


class Tally(NamedTuple):
    """The rows of one score: Σ w, Σ w² and rows of the class, then of the rest."""

    score: float
    p: float
    p2: float
    p_rows: int
    n: float
    n2: float
    n_rows: int


@kernel
def _count(own: Any, score: Any, floats: Any, above_p: Any, above_n: Any) -> Any:
    # Ranks are doubled, so that half a tie is an integer, and counted from this piece's start. u is
    # the doubled rank among the rest, v that among the class.
    i = j = pu = puu = nv = nvv = 0
    at, stop = 0, score.size
    while at < stop:
        value = score[at]
        p = n = 0
        while at < stop and score[at] == value:
            p += own[at]
            n += 1 - own[at]
            at += 1
        u = 2 * j + n
        v = 2 * i + p
        pu += p * u
        puu += p * u * u
        nv += n * v
        nvv += n * v * v
        i += p
        j += n
        _precise(floats, p, n, p, n, above_p + i, above_n + j)
    return i, j, pu, puu, nv, nvv


@kernel
def _precise(floats: Any, p: Any, n: Any, p2: Any, n2: Any, tp: Any, fp: Any) -> Any:
    # Average precision and the squares of its influences. With T and D the weight of the class and
    # of all at or above a score, a row of the class has T/D - AP + B1, another -B2, where B1 and B2
    # sum p (D - T)/D² and p T/D² from that score down: the sums of all less those above (c1, c2).
    total = np.float64(tp) + np.float64(fp)
    if total <= 0.0:
        return
    share = np.float64(tp) / total
    c1, c2 = floats[0], floats[1]
    x = share - c1
    floats[2] += p * share
    floats[3] += p * x
    floats[4] += p * x * x
    floats[5] += n * c2
    floats[6] += n * c2 * c2
    floats[7] += p2 * x
    floats[8] += p2 * x * x
    floats[9] += n2 * c2
    floats[10] += n2 * c2 * c2
    floats[0] = c1 + p * (1.0 - share) / total
    floats[1] = c2 + p * share / total


@kernel
def _weigh(
    own: Any, score: Any, weight: Any, floats: Any, sums: Any, total_p: Any, total_n: Any
) -> None:
    at, stop = 0, score.size
    while at < stop:
        value = score[at]
        p = n = p2 = n2 = 0.0
        while at < stop and score[at] == value:
            w = weight[at]
            if own[at]:
                p += w
                p2 += w * w
            else:
                n += w
                n2 += w * w
            at += 1
        _weigh_one(floats, sums, p, n, p2, n2, total_p, total_n)


@kernel
def _weigh_one(
    floats: Any, sums: Any, p: Any, n: Any, p2: Any, n2: Any, total_p: Any, total_n: Any
) -> None:
    # Squares are taken about 0 and about 1, so that the spread does not cancel where AUC is near 1.
    tp, fp = sums[0], sums[1]
    above_n = fp + 0.5 * n
    above_p = tp + 0.5 * p
    sums[2] += n * above_p
    sums[3] += p * (total_n - above_n) ** 2
    sums[4] += p * above_n
    sums[5] += p * above_n * above_n
    sums[6] += n * above_p * above_p
    sums[7] += n * (total_p - above_p)
    sums[8] += n * (total_p - above_p) ** 2
    sums[9] += p2 * above_n
    sums[10] += p2 * above_n * above_n
    sums[11] += n2 * (total_p - above_p)
    sums[12] += n2 * (total_p - above_p) ** 2
    sums[13] += p2
    sums[14] += n2
    sums[0] = tp + p
    sums[1] = fp + n
    _precise(floats, p, n, p2, n2, sums[0], sums[1])


def whole_scores(batches: Iterable[Batch]) -> Iterator[Batch | Tally]:
    """The rows in pieces that no score crosses, and the scores at their ends as tallies."""
    waiting: Tally | None = None
    for batch in batches:
        for start in range(0, batch[1].size, PIECE):
            piece = _part(batch, start, start + PIECE)
            if waiting is not None:
                first = _run(piece[1], waiting.score)
                waiting = _joined(waiting, _part(piece, 0, first))
                piece = _part(piece, first, PIECE)
                if not piece[1].size:
                    continue
                yield waiting
            last = float(piece[1][-1])
            cut = int(np.searchsorted(-piece[1], -last))
            if cut:
                yield _part(piece, 0, cut)
            waiting = _joined(Tally(last, 0, 0, 0, 0, 0, 0), _part(piece, cut, PIECE))
    if waiting is not None:
        yield waiting


def _part(batch: Batch, start: int, stop: int) -> Batch:
    own, score, weight = batch
    return own[start:stop], score[start:stop], None if weight is None else weight[start:stop]


def _run(score: npt.NDArray[Any], value: float) -> int:
    """How many rows at the start have this score."""
    if not score.size or score[0] != value:
        return 0
    return int(np.searchsorted(-score, -value, "right"))


def _joined(tally: Tally, batch: Batch) -> Tally:
    own, _, weight = batch
    hits = int(np.count_nonzero(own))
    rest = int(own.size) - hits
    p: float = hits
    n: float = rest
    p2, n2 = p, n
    if weight is not None:
        mine, others = weight[own == 1], weight[own == 0]
        p, n = float(mine.sum()), float(others.sum())
        p2, n2 = float((mine**2).sum()), float((others**2).sum())
    return Tally(
        tally.score,
        tally.p + p,
        tally.p2 + p2,
        tally.p_rows + hits,
        tally.n + n,
        tally.n2 + n2,
        tally.n_rows + rest,
    )


def stream_sums(
    batches: Iterable[Batch], totals: tuple[float, float], weighted: bool
) -> StreamSums:
    """All sums over a ranking; `totals` are the weights of the class and of the rest.

    Takes rows in descending order of score.
    """
    return _weighted(batches, totals) if weighted else _exact(batches, totals)


def _exact(batches: Iterable[Batch], totals: tuple[float, float]) -> StreamSums:
    p, n = int(totals[0]), int(totals[1])
    floats = np.zeros(11)
    above_p = above_n = wins = p2 = n2 = 0
    for piece in whole_scores(batches):
        if isinstance(piece, Tally):
            hits, rest = piece.p_rows, piece.n_rows
            found = hits, rest, hits * rest, hits * rest**2, rest * hits, rest * hits**2
            _precise(floats, hits, rest, hits, rest, above_p + hits, above_n + rest)
        else:
            own, score, _ = piece
            found = _count(own, score, floats, above_p, above_n)
        i, j, pu, puu, nv, nvv = (int(value) for value in found)
        # A doubled placement is 2 (n - above_n) - u in the class, 2 above_p + v in the rest.
        top, turn = 2 * (n - above_n), 2 * above_p
        wins += turn * j + nv
        p2 += i * top**2 - 2 * top * pu + puu
        n2 += j * turn**2 + 2 * turn * nv + nvv
        above_p += i
        above_n += j
    nan = float("nan")
    both = p > 0 and n > 0
    spread_p = (p * p2 - wins * wins) / (4 * n * n * p) if both else nan
    spread_n = (n * n2 - wins * wins) / (4 * p * p * n) if both else nan
    merge = MergeSums(
        positive=float(p),
        negative=float(n),
        positive2=float(p),
        negative2=float(n),
        wins=wins / 2,
        average_precision=float(floats[2]) / p if p else nan,
        square_positive=p2 / (4 * n * n) if both else nan,
        square_negative=n2 / (4 * p * p) if both else nan,
        spread_positive=spread_p,
        spread_negative=spread_n,
    )
    sizes = float(p), float(n), float(p), float(n)
    return StreamSums(merge, (above_p, above_n), (spread_p, spread_n), _influences(floats, *sizes))


def _weighted(batches: Iterable[Batch], totals: tuple[float, float]) -> StreamSums:
    p, n = totals
    floats, sums = np.zeros(11), np.zeros(15)
    rows_p = rows_n = 0
    for piece in whole_scores(batches):
        if isinstance(piece, Tally):
            _weigh_one(floats, sums, *(piece.p, piece.n, piece.p2, piece.n2), p, n)
            rows_p, rows_n = rows_p + piece.p_rows, rows_n + piece.n_rows
        else:
            own, score, weight = piece
            _weigh(own, score, weight, floats, sums, p, n)
            hits = int(np.count_nonzero(own))
            rows_p, rows_n = rows_p + hits, rows_n + own.size - hits
    _, _, wins, sp, p_miss, p_miss2, sn, n_miss, n_miss2, *squares, p2, n2 = sums.tolist()
    nan = float("nan")
    both = p > 0 and n > 0
    auc = wins / (p * n) if both else nan

    def spread_of(square: float, miss: float, miss2: float, own: float, other: float) -> float:
        # About whichever end is nearer to AUC.
        if auc < 0.5:
            return max(0.0, square / other**2 - own * auc**2)
        return max(0.0, (miss2 - miss * miss / own) / other**2)

    merge = MergeSums(
        positive=p,
        negative=n,
        positive2=p2,
        negative2=n2,
        wins=wins,
        average_precision=float(floats[2]) / p if p > 0 else nan,
        square_positive=sp / n**2 if both else nan,
        square_negative=sn / p**2 if both else nan,
        spread_positive=spread_of(sp, p_miss, p_miss2, p, n) if both else nan,
        spread_negative=spread_of(sn, n_miss, n_miss2, n, p) if both else nan,
    )
    place2 = (
        _about(1 - auc, p2, squares[0] / n, squares[1] / n**2) if both else nan,
        _about(1 - auc, n2, squares[2] / p, squares[3] / p**2) if both else nan,
    )
    return StreamSums(merge, (rows_p, rows_n), place2, _influences(floats, p, n, p2, n2))


def _about(centre: float, size: float, first: float, second: float) -> float:
    """Σ w (x - centre)² from Σ w, Σ w x and Σ w x²."""
    return max(0.0, second - 2 * centre * first + centre**2 * size)


def _influences(floats: Floats, p: float, n: float, p2: float, n2: float) -> tuple[float, float]:
    """Σ w ψ² and Σ w² ψ² of average precision."""
    if not p > 0:
        return float("nan"), float("nan")
    c1, c2, area, x1, x2, y1, y2, q1, q2, r1, r2 = floats.tolist()
    scale = ((p + n) / p) ** 2
    centre = area / p - c1
    plain = _about(centre, p, x1, x2) + _about(c2, n, y1, y2)
    heavy = _about(centre, p2, q1, q2) + _about(c2, n2, r1, r2)
    return scale * plain, scale * heavy
