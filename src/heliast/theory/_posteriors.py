"""True posteriors for the rows of a table: given, or those of the model `bayes`."""

from typing import Any

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast.predictions import Predictions

BAYES = "bayes"
"""The model that holds the true posteriors of a simulated task."""
SUM = 1e-6
ASKED = {
    "predictions": "Predictions: A table of `Fresh`: every split predicts every row.",
    "posteriors": "array-like or str, optional: The true posteriors: an array (rows of the data, "
    "classes), or the name of a model that holds them; None finds a model `bayes`.",
    "level": "float, default 0.95: Confidence level of the intervals.",
}
"""What is asked for where posteriors matter."""


def true_posteriors(
    table: Predictions, posteriors: Any
) -> tuple[dict[Any, Array] | Array | None, str | None, tuple[str, ...]]:
    """What is known of the posteriors, the model that held them if one did, and what to say.

    An array has one row a row of the data, found by the table's row numbers; a name is a model of
    the table. With None the model `bayes` is taken if it says the same of a row in every split,
    which nothing that was trained does.
    """
    if posteriors is None:
        if BAYES not in table.models or len(table.models) == 1:
            return None, None, ()
        try:
            return of_model(table, BAYES), BAYES, ("true posteriors: those of the model 'bayes'",)
        except InputError:
            said = "the model 'bayes' was trained: it is not taken for the true posteriors"
            return None, None, (said,)
    if isinstance(posteriors, str):
        said = f"true posteriors: those of the model {posteriors!r}"
        return of_model(table, posteriors), posteriors, (said,)
    return _checked(np.asarray(posteriors, np.float64), len(table.classes)), None, ()


def of_model(table: Predictions, model: str) -> dict[Any, Array]:
    """The probabilities of a model by row, if they are the same in every split."""
    part = table.only(model)
    if part.score_kind_of(model) != "probability" or part.scores is None:
        raise InputError(f"posteriors={model!r}: this model gives no probabilities")
    scores = part.scores
    if scores.ndim == 1:
        at = part.classes.index(part.positive) if part.positive is not None else 1
        scores = np.stack([1 - scores, scores] if at == 1 else [scores, 1 - scores], axis=1)
    scores = _checked(np.asarray(scores, np.float64), len(part.classes))
    rows = np.asarray(part.row).tolist()
    found: dict[Any, Array] = {}
    for name, score in zip(rows, scores, strict=True):
        first = found.setdefault(name, score)
        if first is not score and np.abs(first - score).max() > SUM:
            raise InputError(
                f"posteriors={model!r}: its probabilities of row {name!r} differ between splits, "
                "so they were trained and are not the true ones"
            )
    return found


def at_rows(known: dict[Any, Array] | Array, row: Array) -> Array:
    """The posteriors of some rows, by their names in the table."""
    if isinstance(known, dict):
        missing = [name for name in row.tolist() if name not in known]
        if missing:
            raise InputError(f"posteriors: none for row {missing[0]!r} ({len(missing)} rows lack)")
        return np.array([known[name] for name in row.tolist()])
    if row.dtype.kind not in "iu":
        raise InputError(
            "posteriors as an array are found by row numbers, but the rows have names; put them in "
            "the table as the probabilities of a model and give its name"
        )
    if row.size and (row.min() < 0 or row.max() >= len(known)):
        raise InputError(
            f"posteriors has {len(known)} rows but the table names row {int(row.max())}; give one "
            "a row of the data"
        )
    return np.asarray(known[row])


def _checked(posteriors: Array, k: int) -> Array:
    if posteriors.ndim != 2 or posteriors.shape[1] != k:
        raise InputError(
            f"posteriors has shape {posteriors.shape}; give one row a row of the data and one "
            f"column a class, {k} in all"
        )
    total = posteriors.sum(axis=1)
    wrong = ~(np.abs(total - 1) <= SUM) | ~(posteriors >= 0).all(axis=1)
    if wrong.any():
        first = int(wrong.argmax())
        raise InputError(
            f"posteriors: row {first} is {posteriors[first].tolist()[:4]}, no probabilities that "
            f"add up to 1 ({int(wrong.sum())} such rows)"
        )
    return np.asarray(posteriors / total[:, None])
