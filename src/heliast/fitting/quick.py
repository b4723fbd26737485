"""Cells without fitting: where a shortcut gives exactly what refitting would."""

import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from heliast.data import Dataset
from heliast.fitting.store import Cell, Output
from heliast.plans import Piece


def has_shortcut(model: Any, data: Dataset) -> bool:
    """Whether some splits of this model may be answered without fitting."""
    return _found(model, data) is not None


def _found(model: Any, data: Dataset) -> Any:
    from heliast.fitting.shortcuts import find

    if data.nominal or data.dates or data.has_missing or data.frame is not None:
        return None
    return find(model, data.matrix, data.truth, data.classes)


def quick_cells(
    model: Any, data: Dataset, places: Sequence[int], pieces: Sequence[Piece]
) -> dict[int, Cell]:
    """The cells that a shortcut can answer, by place in the plan; the others must be fitted."""
    shortcut = _found(model, data)
    if shortcut is None:
        return {}
    start = time.perf_counter()
    guesses = list(shortcut.predict_many(pieces))
    share = (time.perf_counter() - start) / len(places)
    cells = {}
    for place, piece, guess in zip(places, pieces, guesses, strict=True):
        if guess is None:
            continue
        order = np.argsort(piece.test, kind="stable")
        row = piece.test[order]
        scores = None if guess.score is None else guess.score[order]
        kind = None if scores is None else "probability"
        cells[place] = Cell(
            place,
            row,
            piece.seen(data.n)[row].astype(np.int32),
            [Output("", guess.label[order], scores, kind)],
            predict_seconds=share,
        )
    return cells
