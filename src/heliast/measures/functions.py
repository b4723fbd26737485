"""A function f(y_true, y_pred) or f(y_true, y_score) as a measure; its interval is by bootstrap."""

import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast.measures.forms import Form, Statistic, Undefined
from heliast.measures.summaries import Counted
from heliast.measures.summaries.losses import positive_code
from heliast.predictions import Rows

if TYPE_CHECKING:
    from heliast.measures.registry import Measure

SCORES = ("y_score", "y_scores", "y_prob", "y_proba", "score", "scores", "probabilities")
LOW = ("error", "loss", "cost", "risk", "deviance", "distance")


def measure_of(function: Callable[..., float]) -> "Measure":
    """The measure that a function of two arrays is.

    The name of the second parameter says what it gets: `y_score` (or `y_prob`, `scores`, ...)
    scores, of two classes those of the positive one; else predicted labels. Weights are given as
    `sample_weight`, if it has that parameter. Low values are good if its name has error, loss,
    cost, risk, deviance or distance in it.
    """
    from heliast.measures.registry import Better, Measure, names

    if not callable(function):
        raise InputError(f"measure {function!r}: give a name, or a function f(y_true, y_pred)")
    name = getattr(function, "__name__", type(function).__name__)
    listed = [*inspect.signature(function).parameters]
    if len(listed) < 2:
        raise InputError(f"measure {name!r}: a function takes y_true and y_pred (or y_score)")
    if name in names():
        raise InputError(f"the function {name!r} bears the name of a measure of ours: rename it")
    scored, weighted = listed[1].lower() in SCORES, "sample_weight" in listed
    better: Better = "low" if any(word in name.lower() for word in LOW) else "high"
    meaning = (inspect.getdoc(function) or f"The function {name}.").split("\n")[0]

    def value(rows: Rows) -> float:
        weights: dict[str, Any] = {}
        if weighted and rows.weight is not None:
            weights = {"sample_weight": rows.weight}
        return float(function(*_arguments(rows, scored), **weights))

    def compute(counted: Counted) -> Form:
        if counted.rows.weight is not None and not weighted:
            return Undefined(f"{name} takes no sample_weight, and these rows have weights")
        result = value(counted.rows)
        return Statistic(result, value) if np.isfinite(result) else Undefined(f"{name}: {result}")

    return Measure(
        name, meaning, compute, better, (-np.inf, np.inf), task="any",
        needs="score" if scored else "label", over="splits" if scored else "rows", mixture="beyond",
    )  # fmt: skip


def _arguments(rows: Rows, scored: bool) -> tuple[Array, Array]:
    """y_true, and y_pred or y_score, as the user knows them: labels, not codes."""
    labels = np.asarray(rows.classes)
    y_true, y_pred = rows.y_true, rows.y_pred
    if rows.task == "classification":
        y_true, y_pred = labels[rows.y_true], labels[rows.y_pred]
    if not scored:
        return y_true, y_pred
    assert rows.scores is not None
    two = len(rows.classes) == 2
    return y_true, rows.score_of(positive_code(rows)) if two else rows.scores
