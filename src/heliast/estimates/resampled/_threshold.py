"""Thresholds that were learned: every split decides by one of its own."""

import numpy as np

from heliast._core.notes import Note
from heliast.estimates.resampled._case import Case
from heliast.predictions import Predictions

LEARNED = Note(
    "every split decides by a threshold of its own, learned from its training rows: all splits "
    "share these, so that neither rows nor splits show how much it varies, and measures of labels "
    "hold less often than they say; judge the scores (AUC, Brier score), or fix the threshold",
    "threshold",
)


def learned_threshold(case: Case) -> tuple[str, ...]:
    """What to say of a measure of labels where no one threshold explains those of all splits."""
    if case.measure.needs != "label":
        return ()
    differ = case.parts.once("thresholds", lambda: _differ(case.parts.whole))
    return (LEARNED,) if differ else ()


def _differ(table: Predictions) -> bool:
    if table.scores is None or table.split_code is None or len(table.classes) != 2:
        return False
    score = np.asarray(table.scores)
    if score.ndim > 1:
        score = score[:, 1]
    if np.isnan(score).any():  # a model without scores among others that have them
        return False
    positive = 1 if table.positive is None else table.classes.index(table.positive)
    said = np.asarray(table.y_pred) == positive
    code, splits = np.asarray(table.split_code), len(table.splits)
    below, above = np.full(splits, -np.inf), np.full(splits, np.inf)
    np.maximum.at(below, code[~said], score[~said])
    np.minimum.at(above, code[said], score[said])
    by_score = bool((below <= above).all())
    return by_score and bool(below.max() > above.min())
