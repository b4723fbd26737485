"""Scores of a model as splits x rows x classes, for rows that every split predicts."""

from typing import Any

import numpy as np
import numpy.typing as npt

from heliast._core.errors import InputError, NotEnoughData
from heliast._core.labels import column
from heliast.predictions import Predictions

Array = npt.NDArray[Any]


def repeated_scores(table: Predictions, model: str) -> tuple[Array, Array, Array, Array]:
    """Scores (splits x rows x classes), labels (splits x rows), truth and names of the rows."""
    part = table.only(model)
    if part.scores is None or part.score_kind_of(model) is None:
        raise InputError(f"model {model!r} has no scores")
    scores = part.scores
    if scores.ndim == 1:
        scores = np.stack([part.rows().score_of(code) for code in (0, 1)], axis=1)
    names, place = column(part.row, "row").coded()
    split = np.zeros(len(part), np.int64) if part.split_code is None else part.split_code
    there, at = np.unique(split, return_inverse=True)
    if len(part) != there.size * len(names):
        raise NotEnoughData(
            f"model {model!r}: not every split predicts every row; this needs a table of Fresh(...)"
        )
    order = np.lexsort((place, at))
    shape = there.size, len(names)
    truth = part.truth[order].reshape(shape)[0]
    return (
        np.asarray(scores, np.float64)[order].reshape(*shape, -1),
        part.label[order].reshape(shape),
        truth,
        np.asarray(names),
    )
