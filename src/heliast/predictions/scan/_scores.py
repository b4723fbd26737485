"""Scores checked by their extremes, and turned into labels, in the engine."""

from dataclasses import dataclass, field

import numpy as np

from heliast._core.errors import InputError
from heliast._core.labels import Label
from heliast.predictions.records import ScoreKind
from heliast.predictions.scan._columns import SOME
from heliast.predictions.scan._engine import Engine
from heliast.predictions.scores import OVERSHOOT, check_scores, order_of


@dataclass
class Scores:
    """The score columns as SQL, in the order of the classes, and what they are."""

    columns: list[str] = field(default_factory=list)
    kind: ScoreKind | None = None
    most: float = 0.0


def checked_scores(
    engine: Engine,
    source: str,
    columns: list[str],
    names: tuple[Label, ...] | None,
    classes: tuple[Label, ...],
    positive: int | None,
    kind: ScoreKind | None,
    notes: list[str],
    decided: bool = True,
) -> Scores:
    """Refuse scores that cannot be what they are said to be, from sums over all rows.

    The reader in memory judges by the least and the greatest score and by the row whose
    probabilities are furthest from 1 in sum; here the engine finds these.
    """
    numbers = [f"CAST({name} AS DOUBLE)" for name in columns]
    low, high = engine.rows(
        f"SELECT least({_each('min', numbers)}), greatest({_each('max', numbers)}) FROM {source}"
    )[0]
    outside = low < -OVERSHOOT or high > 1 + OVERSHOOT
    if len(columns) == 1:
        matrix = np.array([low, high])
    elif not np.isfinite(high - low) or (kind is not None and outside):  # refused by its extremes
        matrix = np.array([[low] * len(columns), [high] * len(columns)])
    else:
        total = " + ".join(numbers)
        row = engine.rows(
            f"SELECT {', '.join(numbers)} FROM {source} ORDER BY abs({total} - 1) DESC LIMIT 1"
        )[0]
        matrix = np.array([row])
    _, kind = check_scores(
        matrix, names, classes, positive, kind, SOME, notes, bounds=(low, high), decided=decided
    )
    ordered = numbers
    if names is not None and len(numbers) > 1:
        ordered = [numbers[at] for at in order_of(names, classes)]
    if kind == "probability" and (low < 0 or high > 1):
        ordered = [f"least(greatest({sql}, 0.0), 1.0)" for sql in ordered]
    if len(ordered) == 2 and kind == "probability" and positive is not None:
        ordered = [ordered[positive]]  # the other column adds nothing
    return Scores(ordered, kind, high)


def _each(function: str, numbers: list[str]) -> str:
    return ", ".join(f"{function}({sql})" for sql in numbers)


def label_of(
    engine: Engine, source: str, scores: Scores, positive: int | None, notes: list[str]
) -> str:
    """Scores to classes as SQL: a threshold for one column, the largest (ties: first) for more."""
    if len(scores.columns) == 1:
        if scores.kind == "votes" and scores.most > 1:
            raise InputError(
                f"one column of votes up to {scores.most:g} does not say how many votes there "
                "were: give one column a class, shares of votes, or y_pred="
            )
        threshold = 0.0 if scores.kind == "decision" else 0.5
        notes.append(f"y_pred: the positive class where its score is >= {threshold:g}")
        yes, no = (1, 0) if positive == 1 else (0, 1)
        return f"CASE WHEN {scores.columns[0]} >= {threshold} THEN {yes} ELSE {no} END"
    best = f"greatest({', '.join(scores.columns)})"
    hits = " + ".join(f"CAST({sql} = {best} AS INTEGER)" for sql in scores.columns)
    ties = engine.rows(f"SELECT count(*) FROM {source} WHERE {hits} > 1")[0][0]
    also = f"; {ties} ties went to the first class in order" if ties else ""
    notes.append(f"y_pred: the class with the largest score{also}")
    cases = " ".join(f"WHEN {sql} = {best} THEN {at}" for at, sql in enumerate(scores.columns))
    return f"CASE {cases} END"
