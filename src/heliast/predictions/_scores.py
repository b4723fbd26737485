"""Scores: what they are (probability, decision, votes), checked, and turned into labels."""

from collections.abc import Mapping, Sequence

import numpy as np

from heliast._core.columns import column
from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._core.labels import Label
from heliast._core.places import Places
from heliast._kernels.deciding import at_least, excess, extremes, largest
from heliast.predictions._records import ScoreKind
from heliast.tables.table import frame_columns

_SUM_TOLERANCE = 1e-3
"""How far a row of probabilities may be from summing to 1: files written with 3 digits pass."""
_EXACT = 1e-6
"""A sum further from 1 than this is rounding on paper, not in the machine, and is stated."""
_TELLING = 30
"""Rows from which on scores that contradict every label are no chance."""
OVERSHOOT = 1e-9
"""Arithmetic may leave a probability this far outside [0, 1]; it is put back, and stated."""


def by_class(score: object, known: Sequence[Label], notes: list[str]) -> object:
    """Scores in a data frame whose columns are named as the classes, by name; others as they are.

    Without such names the columns are taken in the order of the classes, which is stated.
    """
    columns, frame = frame_columns(score)
    if columns is None or frame is None or len(columns) < 2:
        return score
    place = {str(label): label for label in known}
    named = [name for name in columns if name in place]
    if len(named) == len(columns):
        return {place[name]: columns[name].to_native() for name in columns}
    if named:
        odd = next(name for name in columns if name not in place)
        raise InputError(
            f"y_score: column {named[0]!r} is named as a class, {odd!r} is not: name every column "
            "as its class, or give an array with one column a class in their order"
        )
    order = ", ".join(map(repr, known[:8]))
    notes.append(f"y_score: columns taken in the order of the classes ({order})")
    return score


def refuse_contradiction(
    scores: Array, kind: ScoreKind | None, label: Array, positive: int
) -> None:
    """Refuse one score column that cannot be that of the positive class, by the labels beside it.

    Looked at in up to 10,000 rows: whoever writes the score of the other class, or of whichever
    was decided, does so in every row.
    """
    step = max(1, scores.size // 10_000)
    some, yes = scores[::step], label[::step] == positive
    if some.size < _TELLING or not yes.any() or yes.all() or np.isnan(some).any():
        return
    high, low = some[yes], some[~yes]
    otherwise = "give the score of the positive class in every row, or leave the scores out"
    if kind == "probability" and some.min() >= 0.5 and low.max() > high.min():
        raise InputError(
            "y_score: at least 0.5 in every row, whatever the label: this looks like the "
            f"probability of the class that was decided; {otherwise}: 1 - score where the other "
            "was decided"
        )
    if high.mean() < low.mean() and high.max() <= low.min():
        raise InputError(
            "y_score: lower in every row that has the positive label than in the others: this "
            "looks like the score of the other class; say positive= (command line: --positive), "
            f"or {otherwise}"
        )


def refuse_reversed(scores: Array, own: Array, classes: tuple[Label, ...], positive: int) -> None:
    """Refuse scores that are lower for the positive class, which nobody named, than for the other.

    Looked at in up to 10,000 rows; by three standard errors of the difference of the means. That
    1 is the positive class of 0 and 1 needs no words.
    """
    if not isinstance(classes[positive], str):
        return
    step = max(1, scores.size // 10_000)
    some, yes = scores[::step], own[::step]
    high, low = some[yes], some[~yes]
    if min(high.size, low.size) < 2 or np.isnan(some).any():
        return
    se = np.sqrt(high.var(ddof=1) / high.size + low.var(ddof=1) / low.size)
    if low.mean() - high.mean() > 3 * se and some.size >= _TELLING:
        mine, other = classes[positive], classes[1 - positive]
        raise InputError(
            f"y_score: lower where the truth is {mine!r} than where it is {other!r}, and nobody "
            f"said of which class the scores are: say positive={other!r} (command line: --positive "
            f"{other}) if they are those of {other!r}, positive={mine!r} if the model is that bad"
        )


def score_matrix(score: object, n: int) -> tuple[tuple[Label, ...] | None, Array | None]:
    """The scores as one column or a matrix of float64, with class names if it is a mapping."""
    if score is None:
        return None, None
    if isinstance(score, Mapping):
        if not score:
            raise InputError("y_score: an empty mapping; give one column a class")
        columns = [_numbers(values, f"y_score of {name!r}", n) for name, values in score.items()]
        return tuple(score), columns[0] if len(columns) == 1 else np.column_stack(columns)
    matrix = _two_dimensional(score)
    if matrix is None:
        return None, _numbers(score, "y_score", n)
    if matrix.dtype.kind not in "biufO":
        raise InputError(f"y_score: expected numbers, got values of type {matrix.dtype}")
    try:
        matrix = matrix.astype(np.float64, copy=False)
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(f"y_score: expected numbers ({error})") from None
    if matrix.ndim != 2 or matrix.shape[1] == 0:
        raise InputError(f"y_score: expected one column, or one a class; got shape {matrix.shape}")
    if matrix.shape[0] != n:
        raise InputError(
            f"y_true has {n} rows but y_score has {matrix.shape[0]}; they must be aligned"
        )
    return None, np.ascontiguousarray(matrix[:, 0] if matrix.shape[1] == 1 else matrix)


def _two_dimensional(score: object) -> Array | None:
    if isinstance(score, (list, tuple)):
        if not score or not hasattr(score[0], "__len__") or isinstance(score[0], str):
            return None
        try:
            return np.array(score, dtype=np.float64)
        except (TypeError, ValueError, OverflowError) as error:
            raise InputError(
                f"y_score: expected numbers, one row after another ({error})"
            ) from None
    if len(getattr(score, "shape", (0,))) == 1:
        return None
    return np.asarray(score) if hasattr(score, "__array__") else None


def _numbers(values: object, name: str, n: int) -> Array:
    if isinstance(values, np.ndarray) and values.dtype == np.float64 and values.shape == (n,):
        return np.ascontiguousarray(values)  # NaN is looked for later, with the extremes
    one = column(values, name)
    if one.kind == "text":
        raise InputError(
            f"{one.name}: expected numbers, got text (such as {one.first()!r}); convert it, as "
            "astype(float) does where numbers have a point and no other sign"
        )
    if len(one) != n:
        many = f": {len(one) // n} a row are a matrix, with a column for each class"
        raise InputError(
            f"y_true has {n} rows but {one.name} has {len(one)}; they must be aligned"
            + (many if n and len(one) % n == 0 else "")
        )
    numbers = np.ascontiguousarray(one.values, dtype=np.float64)
    if one.missing.size and not np.isnan(numbers[one.missing]).all():
        numbers = numbers.copy()
        numbers[one.missing] = np.nan
    return numbers


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
    """Refuse scores that cannot be what they are said to be; infer and state what is not said.

    `bounds` are the least and greatest score, if known: a pass over the scores is not free.
    `decided` says that there are labels, so that none are to be made of the scores.
    """
    if matrix is None:
        return None, None
    _check_shape(matrix, classes)
    matrix = _in_order(matrix, names, classes)
    low, high = extremes(matrix) if bounds is None else bounds
    if not np.isfinite(low) or not np.isfinite(high):
        rows = np.flatnonzero(~np.isfinite(matrix).reshape(matrix.shape[0], -1).all(axis=1))
        raise InputError(
            f"y_score: infinite in {places.some(rows)}; scores must be finite numbers: "
            "replace infinities by a number beyond all others"
        )
    if kind is None:
        kind = "probability" if looks_like_probability(matrix, low, high) else "decision"
        if matrix.ndim == 1 and kind == "decision" and not decided:
            refuse_one_sided(low, high)
        notes.append(f"scores read as {kind} scores (say scores= otherwise)")
    if kind == "probability":
        matrix = _probabilities(matrix, low, high, places, notes)
    if kind == "votes" and low < 0:
        rows = np.flatnonzero((matrix < 0).reshape(matrix.shape[0], -1).any(axis=1))
        raise InputError(f"y_score: votes below 0 in {places.some(rows)}; say scores='decision'")
    if matrix.ndim == 2 and len(classes) == 2 and kind == "probability" and positive is not None:
        matrix = np.ascontiguousarray(matrix[:, positive])  # the other column adds nothing
    return matrix, kind


def refuse_two_models(names: Sequence[str], columns: Sequence[Array]) -> None:
    """Refuse two columns of probabilities that do not sum to 1, named without their classes."""
    if len(columns) != 2 or any(one.dtype.kind not in "iuf" for one in columns):
        return
    matrix = np.column_stack(columns).astype(np.float64)
    low, high = extremes(matrix)
    if not (low >= 0 and high <= 1) or excess(matrix) <= _SUM_TOLERANCE:  # NaN is refused later
        return
    raise InputError(
        f"y_score={list(names)}: fractions that do not sum to 1 in each row: if each column is a "
        f"model's, say y_pred={list(names)}; if each is a class's, y_score={{class: column, ...}}, "
        "and scores='decision' since they are no probabilities (command line: --y-score "
        "CLASS=COLUMN for each)"
    )


def refuse_one_sided(low: float, high: float) -> None:
    """Refuse to cut scores at 0 that nobody declared and that all lie on one side of it."""
    if low < 0 <= high:
        return
    cent = "divide them by 100 if they are per cent; " if low >= 0 and high <= 100 else ""
    raise InputError(
        f"y_score: every score is {'0 or more' if low >= 0 else 'below 0'} ({low:g} to {high:g}) "
        f"and no probability, so a cut at 0 would give every row the same label: {cent}give "
        f"y_pred= as "
        "well, or say scores='decision' (command line: --scores decision) if 0 is meant"
    )


def _in_order(matrix: Array, names: tuple[Label, ...] | None, classes: tuple[Label, ...]) -> Array:
    if names is None or names == classes or matrix.ndim == 1:
        return matrix
    return np.ascontiguousarray(matrix[:, order_of(names, classes)])


def order_of(names: tuple[Label, ...], classes: tuple[Label, ...]) -> list[int]:
    """The column of each class among columns that are named."""
    lacking = [name for name in classes if name not in names]
    if lacking:
        raise InputError(
            f"y_score has no column for class {lacking[0]!r}, only for "
            f"{', '.join(map(repr, names[:8]))}: give one column a class"
        )
    return [names.index(name) for name in classes]


def _check_shape(matrix: Array, classes: tuple[Label, ...]) -> None:
    columns = 1 if matrix.ndim == 1 else matrix.shape[1]
    if columns == 1 and len(classes) != 2:
        raise InputError(
            f"one score column but {len(classes)} classes: give one column a class "
            "(score_<class>), in the order of the classes"
        )
    if columns not in (1, len(classes)):
        raise InputError(
            f"y_score has {columns} columns but there are {len(classes)} classes "
            f"({', '.join(map(repr, classes[:8]))}{', ...' if len(classes) > 8 else ''}): "
            "give one column a class, or declare all classes with classes="
        )


def looks_like_probability(matrix: Array, low: float, high: float) -> bool:
    """Whether scores in [low, high] that nobody declared would be read as probabilities."""
    if low < -OVERSHOOT or high > 1 + OVERSHOOT:
        return False
    return matrix.ndim == 1 or excess(matrix) <= _SUM_TOLERANCE


def _probabilities(
    matrix: Array, low: float, high: float, places: Places, notes: list[str]
) -> Array:
    if low < -OVERSHOOT or high > 1 + OVERSHOOT:
        outside = ((matrix < 0) | (matrix > 1)).reshape(matrix.shape[0], -1)
        rows = np.flatnonzero(outside.any(axis=1))
        worst = matrix.reshape(outside.shape)[rows[0]][outside[rows[0]]][0]
        raise InputError(
            f"y_score: {worst:g} is not a probability, outside [0, 1] in {places.some(rows)}; "
            "divide by 100 if they are per cent, or say scores='decision' (command line: --scores "
            "decision) if they are not probabilities"
        )
    if low < 0 or high > 1:
        notes.append("probabilities outside [0, 1] by less than 1e-9 were set to 0 or 1")
        matrix = np.clip(matrix, 0.0, 1.0)
    if matrix.ndim == 2:
        away = excess(matrix)
        if away > _SUM_TOLERANCE:
            total = matrix.sum(axis=1)
            rows = np.flatnonzero(np.abs(total - 1) > _SUM_TOLERANCE)
            raise InputError(
                f"y_score: probabilities sum to {total[rows[0]]:g}, not 1, in {places.some(rows)}; "
                "normalise them, or say scores='decision' (command line: --scores decision)"
            )
        if away > _EXACT:
            notes.append(f"probabilities of a row sum to 1 within {away:.1g} (rounded)")
    return matrix


def rows_without(matrix: Array, codes: Array | None, decided: bool) -> Array | None:
    """The rows of models that have labels but no scores at all; None if there are no such models.

    Such a model simply has no scores; a model that lacks some of its scores has missing values.
    """
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
    scores: Array | None,
    kind: ScoreKind | None,
    positive: int | None,
    k: int,
    notes: list[str],
) -> Array:
    """Scores to classes: a threshold for one column, the largest (ties: first class) for more."""
    if scores is None:
        raise InputError("give y_pred=, y_score=, or both")
    if scores.ndim == 1:
        if kind == "votes" and scores.max() > 1:
            raise InputError(
                f"one column of votes up to {scores.max():g} does not say how many votes there "
                "were: give one column a class, shares of votes, or y_pred="
            )
        threshold = 0.0 if kind == "decision" else 0.5
        notes.append(f"y_pred: the positive class where its score is >= {threshold:g}")
        chosen = at_least(scores, threshold)
        return chosen.view(np.uint8) if positive == 1 else (~chosen).view(np.uint8)
    best, ties = largest(scores)
    also = f"; {ties} ties went to the first class in order" if ties else ""
    notes.append(f"y_pred: the class with the largest score{also}")
    return best
