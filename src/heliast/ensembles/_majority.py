"""A vote of models that have predicted already: a table of predictions with the vote added."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._core.told import told
from heliast.ensembles._averages import average
from heliast.ensembles._ballots import Ballots
from heliast.ensembles._majority_vote import Kind, checked_kind, checked_weights_of
from heliast.predictions import Predictions


@told(returns="Predictions: The table and the vote.")
def majority(
    predictions: Predictions,
    models: Sequence[str] | None = None,
    *,
    weights: Sequence[float] | Mapping[str, float] | None = None,
    kind: Kind | None = None,
    name: str = "vote",
) -> Predictions:
    """The table with one more model: the vote of some models (of all, if none are named).

    `hard` counts the labels, each with the weight of its model (shares of votes are the scores);
    `soft` averages probabilities; of numbers the weighted `mean` or `median` is taken, as in
    `MajorityVote`. Every model must have predicted the same rows of the same splits. A row counts
    as seen if any of the models saw it.

    Parameters
    ----------
    predictions : Predictions
        A table with the models' predictions.
    models : sequence of str, optional
        Names of those that vote; None is all.
    weights : mapping or sequence, optional
        One a model, in their order or by name; None is even.
    kind : {'hard', 'soft', 'mean', 'median'}, optional
        Whether labels or probabilities are averaged; for numbers how they are. None is `hard` for
        classes and `mean` for numbers.
    name : str, default 'vote'
        What the vote is called in the table.

    Raises
    ------
    InputError
        If the models predicted different rows, the name is taken, or `kind` is for another task.

    Examples
    --------
    >>> truth, row = ["a", "b", "a"], [1, 2, 3]
    >>> rules = {"h1": ["a", "b", "b"], "h2": ["a", "a", "a"], "h3": ["b", "b", "a"]}
    >>> tables = [Predictions.of(truth, said, model=h, row=row) for h, said in rules.items()]
    >>> table = majority(tables[0].join(tables[1]).join(tables[2]))
    >>> table.only("vote").label == table.only("vote").truth
    array([ True,  True,  True])
    """
    how = checked_kind(kind, predictions.task)
    if name in predictions.models:
        raise InputError(f"name={name!r}: there is a model of that name; choose another name")
    names = tuple(predictions.models if models is None else models)
    if not names or len(set(names)) < len(names):
        raise InputError("models: name one or more, each once")
    weight = checked_weights_of(weights, names)
    parts = aligned(predictions.only(names), names)
    label, scores, score_kind = _voted(parts, weight, how)
    first = parts[0]
    seen = [np.zeros(len(part), np.int64) if part.seen is None else part.seen for part in parts]
    said = f"{name}: {how} vote of {', '.join(names)}"
    meta = replace(first.meta, score_kind=score_kind, score_kinds={}, notes=(said,))
    vote = replace(
        first,
        label=label,
        scores=scores,
        models=(name,),
        seen=None if first.seen is None else np.max(seen, axis=0).astype(first.seen.dtype),
        cells=(),
        meta=meta,
    )
    return predictions.join(vote)


def _voted(parts: list[Predictions], weight: Array, kind: str) -> tuple[Array, Array | None, Any]:
    first = parts[0]
    if first.task == "number":
        return average([part.label for part in parts], weight, kind), None, None
    if kind == "soft":
        scores = average([probabilities(part) for part in parts], weight)
    else:
        label = np.column_stack([part.label for part in parts]).astype(np.int64)
        scores = Ballots(label, weight, len(first.classes)).shares()
    decided = scores.argmax(axis=1).astype(first.label.dtype)
    return decided, np.asarray(scores), "probability" if kind == "soft" else "votes"


def probabilities(part: Predictions) -> Array:
    """One model's probabilities, a column a class."""
    model = part.models[0]
    if part.score_kind_of(model) != "probability" or part.scores is None:
        raise InputError(
            f"kind='soft' needs probabilities, and {model!r} has "
            f"{part.score_kind_of(model) or 'no'} scores: use kind='hard', or leave it out"
        )
    rows = part.rows()
    return np.column_stack([rows.score_of(code) for code in range(len(part.classes))])


def aligned(table: Predictions, names: tuple[str, ...]) -> list[Predictions]:
    """The part of each model, rows in the order of the first one's."""
    lacking = table.incomplete()
    if lacking:
        model, count = next(iter(lacking.items()))
        raise InputError(
            f"{model!r} lacks {count} predictions that others have: a vote needs every model on "
            "every row; leave it out by models=, or take the rows that all have: "
            "predictions.common_rows() (command line: --common-rows)"
        )
    parts = [table.only(model) for model in names]
    first = _order(parts[0])
    back = np.empty_like(first)
    back[first] = np.arange(first.size)
    aligned = [part._at(_order(part)[back]) for part in parts]
    for part in aligned[1:]:
        if not np.array_equal(part.truth, aligned[0].truth):
            raise InputError(
                f"{part.models[0]!r} and {names[0]!r} differ in truth when paired by position: "
                "give the table a row column that names each data row"
            )
    return aligned


def _order(part: Predictions) -> Array:
    """By split and row; by split and position where rows have no names."""
    split = np.zeros(len(part)) if part.split_code is None else part.split_code
    row = np.arange(len(part)) if part.row is None else part.row
    return np.lexsort((row, split))
