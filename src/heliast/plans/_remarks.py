"""What a reader should know about the splits, found by counting."""

from collections.abc import Iterator, Sequence

import numpy as np

from heliast._core.notes import MIXED, Note
from heliast.data import Dataset
from heliast.plans._piece import Piece
from heliast.plans._representative import Representativeness

_NAMED = 3


def missing_classes(data: Dataset, pieces: Sequence[Piece]) -> Iterator[str]:
    """Classes that some training sets lack: no model can learn them there."""
    if data.task != "classes":
        return
    k = len(data.classes)
    whole = np.bincount(data.truth, minlength=k)
    lacking = np.zeros(k, np.int64)
    for piece in pieces:
        if piece.fresh is None:
            lacking += (_train_counts(piece, data, whole) == 0) & (whole > 0)
    for code in np.flatnonzero(lacking):
        rows = f"{whole[code]} row{'' if whole[code] == 1 else 's'}"
        yield Note(
            f"class {data.classes[code]!r} ({rows}) is missing from the training rows of "
            f"{lacking[code]} of {len(pieces)} splits: no model can learn it there",
            "incomplete",
        )


def _train_counts(
    piece: Piece, data: Dataset, whole: np.ndarray[tuple[int, ...], np.dtype[np.int64]]
) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    """Training rows of each class, from the few rows a piece holds."""
    if piece.left_out is not None:
        return whole - np.bincount(data.truth[piece.left_out], minlength=whole.size)
    return np.bincount(data.truth[piece.train], minlength=whole.size)


def walks_forward(data: Dataset, pieces: Sequence[Piece]) -> bool:
    """Whether every split trains on times before all that it tests, one split after the other."""
    times, before = data.times, -1
    for piece in pieces:
        start = int(times[piece.test].min())
        if piece.fresh is not None or start <= max(before, int(times[piece.train].max())):
            return False
        before = start
    return True


def mixed_times(data: Dataset, walks: bool) -> Iterator[str]:
    """What to say where rows are in order of time and models are trained on the future."""
    if data.ordered and not walks:
        yield Note(
            "rows are in order of time, but models are trained on rows later than some that they "
            "predict: rolling(...) and expanding(...) train on the past alone",
            MIXED,
        )


def small_classes(data: Dataset, k: int) -> Iterator[str]:
    """Classes with fewer rows than folds: some folds cannot test them."""
    if data.task != "classes":
        return
    whole = np.bincount(data.truth, minlength=len(data.classes))
    few = [
        f"{data.classes[code]!r} ({whole[code]})"
        for code in range(whole.size)
        if 0 < whole[code] < k
    ]
    if few:
        yield Note(
            f"fewer rows than the {k} folds: class {', '.join(few)}; some folds have no row of it "
            "to test, so measures by class are undefined there",
            "few",
        )


def unlike_splits(table: Representativeness, tries: int) -> Iterator[str]:
    """Splits that are not representative, and how often others were drawn."""
    odd = table.unlike()
    if tries:
        drawn = f"drawn again {tries} time{'' if tries == 1 else 's'}"
        end = "the most representative splits are kept" if odd else "now representative"
        yield f"splits {drawn}: {end}"
    for one in sorted(odd, key=lambda one: one.p)[:_NAMED]:
        by_target = one.p_target <= one.p_inputs
        what = "the target" if by_target else f"input {one.input!r}"
        chance = min(1.0, one.p * len(table))
        yield Note(
            f"split {one.split} is not representative: {what} differs from that of all rows "
            f"(chance {chance:.2g} in {len(table)} random splits); redraw= selects new splits",
            "unlike",
        )
    if len(odd) > _NAMED:
        more = f"not representative either: {len(odd) - _NAMED} more; see representativeness()"
        yield Note(more, "unlike")
