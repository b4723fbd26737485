"""Scores: what they are (probability, decision, votes), checked, and turned into labels."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from heliast._core.errors import InputError
from heliast._core.labels import Label
from heliast.predictions._rows import ScoreKind

Array = npt.NDArray[Any]

_SUM_TOLERANCE = 1e-6
"""How far a row of probabilities may be from summing to 1: files written with 6 digits pass."""


def score_matrix(score: object, n: int) -> tuple[tuple[Label, ...] | None, Array | None]:
    """The scores as one column or a matrix of float64, with class names if it is a mapping."""
    if score is None:
        return None, None
    names = None
    if isinstance(score, Mapping):
        names = tuple(score)
        score = np.column_stack([np.asarray(score[name], np.float64) for name in names])
    try:
        matrix = np.asarray(score, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"score: expected numbers ({error})") from None
    if matrix.ndim == 2 and matrix.shape[1] == 1:
        matrix = matrix[:, 0]
    if matrix.ndim not in (1, 2):
        raise InputError(f"score: expected one column, or one a class; got shape {matrix.shape}")
    if matrix.shape[0] != n:
        raise InputError(f"truth has {n} rows but score has {matrix.shape[0]}")
    return names, np.ascontiguousarray(matrix)


def check_scores(
    matrix: Array | None,
    names: tuple[Label, ...] | None,
    classes: tuple[Label, ...],
    positive: int | None,
    kind: ScoreKind | None,
    row: Array | None,
    notes: list[str],
) -> tuple[Array | None, ScoreKind | None]:
    """Refuse scores that cannot be what they are said to be; infer and state what is not said."""
    if matrix is None:
        return None, None
    if kind not in (None, "probability", "decision", "votes"):
        raise InputError(f"scores={kind!r}: choose 'probability', 'decision' or 'votes'")
    _check_shape(matrix, classes)
    if names is not None and names != classes:
        matrix = np.ascontiguousarray(matrix[:, [names.index(name) for name in classes]])
    low, high = float(matrix.min()), float(matrix.max())
    if not np.isfinite(low) or not np.isfinite(high):
        at = int(np.argmax(~np.isfinite(matrix).reshape(matrix.shape[0], -1).all(axis=1)))
        raise InputError(f"score: infinite in row {at}; scores must be finite numbers")
    if kind is None:
        kind = "probability" if _looks_like_probability(matrix, low, high) else "decision"
        notes.append(f"scores read as {kind} scores (say scores= otherwise)")
    elif kind == "probability":
        _check_probabilities(matrix, low, high)
    if matrix.ndim == 2 and len(classes) == 2 and kind == "probability" and positive is not None:
        matrix = np.ascontiguousarray(matrix[:, positive])  # the other column adds nothing
    return matrix, kind


def _check_shape(matrix: Array, classes: tuple[Label, ...]) -> None:
    columns = 1 if matrix.ndim == 1 else matrix.shape[1]
    if columns == 1 and len(classes) != 2:
        raise InputError(
            f"one score column but {len(classes)} classes: give one column a class "
            "(score_<class>), in the order of the classes"
        )
    if columns not in (1, len(classes)):
        raise InputError(
            f"score has {columns} columns but there are {len(classes)} classes "
            f"({', '.join(map(repr, classes[:8]))}): declare all classes with classes="
        )


def _looks_like_probability(matrix: Array, low: float, high: float) -> bool:
    if low < 0 or high > 1:
        return False
    return matrix.ndim == 1 or bool(np.all(np.abs(matrix.sum(axis=1) - 1) <= _SUM_TOLERANCE))


def _check_probabilities(matrix: Array, low: float, high: float) -> None:
    if low < 0 or high > 1:
        outside = (matrix < 0) | (matrix > 1)
        at = int(np.argmax(outside.reshape(matrix.shape[0], -1).any(axis=1)))
        worst = matrix[at][outside[at]].flat[0] if matrix.ndim == 2 else matrix[at]
        raise InputError(
            f"score: {worst:g} in row {at} is not a probability ({int(outside.sum())} outside "
            "[0, 1]); say scores='decision' if they are not probabilities"
        )
    if matrix.ndim == 2:
        total = matrix.sum(axis=1)
        off = np.abs(total - 1) > _SUM_TOLERANCE
        if off.any():
            at = int(np.argmax(off))
            raise InputError(
                f"score: the probabilities of row {at} sum to {total[at]:g}, not 1 "
                f"({int(off.sum())} such rows); normalise them, or say scores='decision'"
            )


def decide(
    scores: Array | None,
    kind: ScoreKind | None,
    positive: int | None,
    k: int,
    notes: list[str],
) -> Array:
    """Scores to classes: a threshold for one column, the largest (ties: first class) for more."""
    if scores is None:
        raise InputError("give label=, score=, or both")
    dtype = np.uint8 if k <= 256 else np.int32
    if scores.ndim == 1:
        threshold = 0.0 if kind == "decision" else 0.5
        notes.append(f"label: the positive class where its score is >= {threshold:g}")
        chosen: Array = scores >= threshold
        return chosen.view(np.uint8) if positive == 1 else (~chosen).view(np.uint8)
    best = scores.argmax(axis=1)
    ties = int(((scores == scores.max(axis=1, keepdims=True)).sum(axis=1) > 1).sum())
    also = f"; {ties} ties went to the first class in order" if ties else ""
    notes.append(f"label: the class with the largest score{also}")
    return best.astype(dtype)
