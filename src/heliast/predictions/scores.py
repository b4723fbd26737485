"""Scores: their kind (probability, decision, votes), checked, and turned into labels."""

from collections.abc import Mapping, Sequence

import numpy as np

from heliast._core.columns import column
from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._core.labels import Label
from heliast._core.places import Places
from heliast._core.syntax import option
from heliast._kernels.deciding import at_least, excess, extremes, largest
from heliast.predictions.records import ScoreKind
from heliast.tables.table import frame_columns

SUM_TOLERANCE = 1e-3  # probabilities written with 3 digits pass
OVERSHOOT = 1e-9  # arithmetic may leave a probability this far outside [0, 1]
FEWEST = 30  # rows from which on scores that contradict all labels are no chance


def score_matrix(scores: object, n: int) -> tuple[tuple[Label, ...] | None, Array | None]:
    """Scores as one column or a matrix of float64, with class names if they are a mapping."""
    if scores is None:
        return None, None
    if isinstance(scores, Mapping):
        if not scores:
            raise InputError("y_score: an empty mapping; give one column per class")
        columns = [_numbers(values, f"y_score of {name!r}", n) for name, values in scores.items()]
        return tuple(scores), columns[0] if len(columns) == 1 else np.column_stack(columns)
    shape = getattr(scores, "shape", None)
    nested = isinstance(scores, (list, tuple)) and bool(scores) and not isinstance(scores[0], str)
    if len(shape or (0,)) < 2 and not (nested and hasattr(scores[0], "__len__")):  # type: ignore[index]
        return None, _numbers(scores, "y_score", n)
    try:
        matrix = np.asarray(scores).astype(np.float64, copy=False)
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(f"y_score: expected numbers, one row after another ({error})") from None
    if matrix.ndim != 2 or matrix.shape[1] == 0:
        raise InputError(
            f"y_score: expected one column, or one per class; got shape {matrix.shape}"
        )
    if matrix.shape[0] != n:
        raise InputError(
            f"y_true has {n} rows but y_score has {matrix.shape[0]}; they must be aligned"
        )
    return None, np.ascontiguousarray(matrix[:, 0] if matrix.shape[1] == 1 else matrix)


def _numbers(values: object, name: str, n: int) -> Array:
    if isinstance(values, np.ndarray) and values.dtype == np.float64 and values.shape == (n,):
        return np.ascontiguousarray(values)  # NaN is looked for later, with the extremes
    numbers = column(values, name)
    if numbers.kind == "text":
        raise InputError(
            f"{numbers.name}: expected numbers, got text (such as {numbers.first()!r}); convert "
            "it, as astype(float) does"
        )
    if len(numbers) != n:
        many = f": {len(numbers) // n} a row are a matrix, with a column for each class"
        raise InputError(
            f"y_true has {n} rows but {numbers.name} has {len(numbers)}; they must be aligned"
            + (many if n and len(numbers) % n == 0 else "")
        )
    array = np.array(numbers.values, dtype=np.float64)
    array[numbers.missing] = np.nan
    return array


def scores_of_frame(scores: object, known: Sequence[Label], notes: list[str]) -> object:
    """Score columns of a data frame by class, if they have the names of the classes."""
    columns, frame = frame_columns(scores)
    if columns is None or frame is None or len(columns) < 2:
        return scores
    place = {str(label): label for label in known}
    named = [name for name in columns if name in place]
    if len(named) == len(columns):
        return {place[name]: columns[name].to_native() for name in columns}
    if named:
        odd = next(name for name in columns if name not in place)
        raise InputError(
            f"y_score: column {named[0]!r} is named as a class, {odd!r} is not: name every column "
            "as its class, or give an array with one column per class in their order"
        )
    order = ", ".join(map(repr, known[:8]))
    notes.append(f"y_score: columns taken in the order of the classes ({order})")
    return scores


def check_scores(
    matrix: Array | None,
    names: tuple[Label, ...] | None,
    classes: tuple[Label, ...],
    positive: int | None,
    kind: ScoreKind | None,
    places: Places,
    notes: list[str],
    bounds: tuple[float, float] | None = None,
    decided: bool = True,
) -> tuple[Array | None, ScoreKind | None]:
    """Check that scores can be what they are declared to be; infer and state what is not declared.

    `bounds` are the least and the largest score, if known. `decided` says that there are labels.
    """
    if matrix is None:
        return None, None
    _check_shape(matrix, classes)
    if names is not None and names != classes and matrix.ndim == 2:
        matrix = np.ascontiguousarray(matrix[:, order_of(names, classes)])
    low, high = extremes(matrix) if bounds is None else bounds
    if not np.isfinite(low) or not np.isfinite(high):
        rows = np.flatnonzero(~np.isfinite(matrix).reshape(matrix.shape[0], -1).all(axis=1))
        raise InputError(
            f"y_score: infinite in {places.some(rows)}; scores must be finite: replace infinities "
            "by a number beyond all others"
        )
    if kind is None:
        kind = "probability" if looks_like_probability(matrix, low, high) else "decision"
        if matrix.ndim == 1 and kind == "decision" and not decided:
            _refuse_one_sided(low, high)
        notes.append(f"scores read as {kind} scores (say scores= otherwise)")
    if kind == "probability":
        matrix = _probabilities(matrix, low, high, places)
    if kind == "votes" and low < 0:
        rows = np.flatnonzero((matrix < 0).reshape(matrix.shape[0], -1).any(axis=1))
        raise InputError(
            f"y_score: votes below 0 in {places.some(rows)}; say {option('scores', 'decision')}"
        )
    if matrix.ndim == 2 and len(classes) == 2 and kind == "probability" and positive is not None:
        matrix = np.ascontiguousarray(matrix[:, positive])  # the other column adds nothing
    return matrix, kind


def order_of(names: tuple[Label, ...], classes: tuple[Label, ...]) -> list[int]:
    """The column of each class among columns that are named."""
    lacking = [name for name in classes if name not in names]
    if lacking:
        raise InputError(
            f"y_score has no column for class {lacking[0]!r}, only for "
            f"{', '.join(map(repr, names[:8]))}: give one column per class"
        )
    return [names.index(name) for name in classes]


def _check_shape(matrix: Array, classes: tuple[Label, ...]) -> None:
    columns = 1 if matrix.ndim == 1 else matrix.shape[1]
    if columns == len(classes) or (columns == 1 and len(classes) == 2):
        return
    raise InputError(
        f"y_score has {columns} {'column' if columns == 1 else 'columns'} but there are "
        f"{len(classes)} classes ({', '.join(map(repr, classes[:8]))}"
        f"{', ...' if len(classes) > 8 else ''}): give one column per class, or declare all "
        f"classes with {option('classes')}"
    )


def looks_like_probability(matrix: Array, low: float, high: float) -> bool:
    """Whether scores in [low, high] of no declared kind are read as probabilities."""
    if low < -OVERSHOOT or high > 1 + OVERSHOOT:
        return False
    return matrix.ndim == 1 or excess(matrix) <= SUM_TOLERANCE


def _refuse_one_sided(low: float, high: float) -> None:
    """Refuse to cut scores at 0 that nobody declared and that all lie on one side of it."""
    if low < 0 <= high:
        return
    cent = "divide them by 100 if they are per cent; " if low >= 0 and high <= 100 else ""
    raise InputError(
        f"y_score: every score is {'0 or more' if low >= 0 else 'below 0'} ({low:g} to {high:g}) "
        f"and no probability, so a cut at 0 would give every row the same label: {cent}give "
        f"{option('y_pred')} as well, or {option('scores', 'decision')} if 0 is meant"
    )


def _probabilities(matrix: Array, low: float, high: float, places: Places) -> Array:
    instead = f"or say {option('scores', 'decision')} if they are no probabilities"
    if low < -OVERSHOOT or high > 1 + OVERSHOOT:
        outside = ((matrix < 0) | (matrix > 1)).reshape(matrix.shape[0], -1)
        rows = np.flatnonzero(outside.any(axis=1))
        worst = matrix.reshape(outside.shape)[rows[0]][outside[rows[0]]][0]
        raise InputError(
            f"y_score: {worst:g} is not a probability, outside [0, 1] in {places.some(rows)}; "
            f"divide by 100 if they are per cent, {instead}"
        )
    if low < 0 or high > 1:
        matrix = np.clip(matrix, 0.0, 1.0)
    if matrix.ndim == 2 and excess(matrix) > SUM_TOLERANCE:
        total = matrix.sum(axis=1)
        rows = np.flatnonzero(np.abs(total - 1) > SUM_TOLERANCE)
        raise InputError(
            f"y_score: probabilities sum to {total[rows[0]]:g}, not 1, in "
            f"{places.some(rows)}; normalize them, {instead}"
        )
    return matrix


def refuse_contradiction(
    scores: Array, kind: ScoreKind | None, label: Array, positive: int
) -> None:
    """Refuse one score column that cannot be that of the positive class, by the labels beside it.

    Up to 10,000 rows are looked at: whoever writes the score of another class does so in all.
    """
    step = max(1, scores.size // 10_000)
    some, yes = scores[::step], label[::step] == positive
    if some.size < FEWEST or not yes.any() or yes.all() or np.isnan(some).any():
        return
    high, low = some[yes], some[~yes]
    advice = "give the score of the positive class in every row, or leave the scores out"
    if kind == "probability" and some.min() >= 0.5 and low.max() > high.min():
        raise InputError(
            "y_score: at least 0.5 in every row, whatever the label: this looks like the "
            f"probability of the predicted class; {advice}"
        )
    if high.mean() < low.mean() and high.max() <= low.min():
        raise InputError(
            "y_score: lower in every row with the positive label than in the others: this looks "
            f"like the score of the other class; say {option('positive')}, or {advice}"
        )


def refuse_reversed(scores: Array, own: Array, classes: tuple[Label, ...], positive: int) -> None:
    """Refuse scores that are lower for the positive class, which nobody declared.

    Looked at in up to 10,000 rows, by three standard errors of the difference of the means. That
    1 is the positive class of 0 and 1 needs no words.
    """
    step = max(1, scores.size // 10_000)
    some, yes = scores[::step], own[::step]
    high, low = some[yes], some[~yes]
    few = min(high.size, low.size) < 2 or some.size < FEWEST
    if not isinstance(classes[positive], str) or few or np.isnan(some).any():
        return
    error = np.sqrt(high.var(ddof=1) / high.size + low.var(ddof=1) / low.size)
    if low.mean() - high.mean() > 3 * error:
        mine, other = classes[positive], classes[1 - positive]
        raise InputError(
            f"y_score: lower where y_true is {mine!r} than where it is {other!r}: say "
            f"{option('positive', other)} if these are scores of {other!r}, "
            f"{option('positive', mine)} if the model is that bad"
        )


def rows_without(matrix: Array, codes: Array | None, decided: bool) -> Array | None:
    """The rows of models that have labels but no scores at all, while others have scores."""
    if codes is None or not decided:
        return None
    absent = np.isnan(matrix).reshape(matrix.shape[0], -1).all(axis=1)
    totals = np.bincount(codes)
    bare = np.bincount(codes, weights=absent) == totals
    if not bare.any() or bare[np.unique(codes)].all():
        return None
    rows: Array = bare[codes]
    return rows


def kinds_by_model(
    models: tuple[str, ...], bare: set[str], kind: ScoreKind | None, notes: list[str]
) -> dict[str, ScoreKind | None]:
    """What each model's scores are, where some models have none; which is stated."""
    if not bare:
        return {}
    notes.append(f"no scores for {', '.join(repr(name) for name in models if name in bare)}")
    return {name: None if name in bare else kind for name in models}


def decide(
    scores: Array | None, kind: ScoreKind | None, positive: int | None, notes: list[str]
) -> Array:
    """Scores to labels: a threshold for one column, the largest (ties: first class) for more."""
    if scores is None:
        raise InputError("give y_pred=, y_score=, or both")
    if scores.ndim == 1:
        if kind == "votes" and scores.max() > 1:
            raise InputError(
                f"one column of votes up to {scores.max():g} does not say how many votes there "
                "were: give one column per class, shares of votes, or y_pred="
            )
        threshold = 0.0 if kind == "decision" else 0.5
        notes.append(f"y_pred: the positive class where its score is >= {threshold:g}")
        chosen = at_least(scores, threshold)
        return chosen.view(np.uint8) if positive == 1 else (~chosen).view(np.uint8)
    best, ties = largest(scores)
    also = f"; {ties} ties went to the first class in order" if ties else ""
    notes.append(f"y_pred: the class with the largest score{also}")
    return best
