"""Rows that several splits predict, and the true posteriors of their classes."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from heliast._core.errors import InputError, NotEnoughData
from heliast._core.kinds import Array
from heliast._core.labels import column
from heliast.predictions import Predictions

# The model that holds the true posteriors of a simulated task.
BAYES = "bayes"
# How far probabilities of a row may differ from each other and their sum from 1.
ROUNDING = 1e-6


def out_of_sample(predictions: Predictions) -> Predictions:
    """Return the test rows that were not trained on, if all splits are of one condition."""
    table = predictions.only(role="test", in_train=0)
    if not len(table):
        raise NotEnoughData("no row of role 'test' with in_train = 0: nothing to decompose")
    if table.row is None:
        raise InputError(
            "the table has no row column, so a row cannot be found again in other splits; "
            "give row= (Predictions.of) or use a table made by run"
        )
    if len({(split.train_share, split.noise) for split in table.splits}) > 1:
        raise InputError(
            "the splits differ in training share or label noise: that is no variance; "
            "choose the splits of one condition with predictions.only(split=...)"
        )
    return table


def class_scores(part: Predictions) -> Array:
    """(rows, classes): the scores of a table of one model."""
    rows = part.rows()
    scores = [rows.score_of(code) for code in range(len(part.classes))]
    return np.stack(scores, axis=1).astype(np.float64)


# --- predictions, row by row -----------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Repeated:
    """One model's predictions; those of row i stand at start[i] to start[i + 1].

    Splits are 0, 1, ...; `single` counts the rows left out because they were predicted once only.
    """

    row: Array
    y_true: Array
    start: Array
    y_pred: Array
    split: Array
    splits: int
    weight: Array  # 1 each without weights
    weight_kind: str | None
    group: Array | None
    single: int

    @property
    def n(self) -> int:
        return int(self.row.size)

    @property
    def counts(self) -> Array:
        """How many predictions each row has."""
        return np.diff(self.start)


def repeated(table: Predictions) -> Repeated:
    """Order the predictions of a table of one model by row; leave out rows predicted once."""
    names, place = column(table.row, "row").coded()
    counts = np.bincount(place, minlength=len(names))
    keep = counts >= 2
    if not keep.any():
        raise NotEnoughData(
            f"model {table.models[0]!r}: no row is predicted by two splits or more, so there is no "
            "variance to see; run with Bootstrap(...), Fresh(...) or repeated folds"
        )
    order = np.argsort(place, kind="stable")
    order = order[keep[place[order]]]
    start = np.append(0, np.cumsum(counts[keep]))
    first = order[start[:-1]]
    splits, split = np.unique(table.codes("split")[order], return_inverse=True)
    return Repeated(
        row=np.asarray(names)[keep],
        y_true=table.y_true[first],
        start=start,
        y_pred=table.y_pred[order],
        split=split,
        splits=splits.size,
        weight=np.ones(first.size) if table.weight is None else table.weight[first].astype(float),
        weight_kind=table.meta.weight_kind,
        group=None if table.group is None else table.group[first],
        single=int((~keep).sum()),
    )


@dataclass(frozen=True, eq=False)
class RepeatedScores:
    """One model's predictions where every split predicts every row, ordered by row name."""

    scores: Array  # (splits, rows, classes)
    y_pred: Array  # (splits, rows)
    y_true: Array
    row: Array


def repeated_scores(table: Predictions, model: str) -> RepeatedScores:
    """Return the scores of a model by split, row and class."""
    part = table.only(model)
    if part.scores is None or part.score_kind_of(model) is None:
        raise InputError(f"model {model!r} has no scores")
    names, place = column(part.row, "row").coded()
    splits, split = np.unique(part.codes("split"), return_inverse=True)
    shape = splits.size, len(names)
    if len(part) != splits.size * len(names):
        raise NotEnoughData(
            f"model {model!r}: not every split predicts every row; this needs a table of Fresh(...)"
        )
    order = np.lexsort((place, split))
    return RepeatedScores(
        scores=class_scores(part)[order].reshape(*shape, -1),
        y_pred=part.y_pred[order].reshape(shape),
        y_true=part.y_true[order[: len(names)]],
        row=np.asarray(names),
    )


# --- true posteriors -------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Posteriors:
    """True posteriors, a line for each name of a row; for an array the names are 0, 1, ..."""

    values: Array
    place: Mapping[Any, int]
    model: str | None = None

    def at(self, row: Array) -> Array:
        """The posteriors of some rows of a table, by their names."""
        missing = [name for name in row.tolist() if name not in self.place]
        if missing:
            raise InputError(
                f"posteriors has {len(self.values)} rows but the table names row {missing[0]!r}: "
                "give one for each row number of the data, or put them in the table as the "
                "probabilities of a model and give its name"
            )
        return np.asarray(self.values[[self.place[name] for name in row.tolist()]])


def by_number(values: Array) -> Posteriors:
    """Return posteriors whose rows are named by their numbers."""
    return Posteriors(values, {number: number for number in range(len(values))})


def true_posteriors(
    table: Predictions, posteriors: Any
) -> tuple[Posteriors | None, tuple[str, ...]]:
    """Return the posteriors, if they are known, and notes.

    An array has a line for each row of the data; a name is a model of the table. None takes the
    model `bayes` if its probabilities are the same in every split, as nothing trained has them.
    """
    if posteriors is None:
        if BAYES not in table.models or len(table.models) == 1:
            return None, ()
        try:
            return true_posteriors(table, BAYES)
        except InputError:
            return None, ("the model 'bayes' was trained: it is not taken for the true posteriors",)
    if not isinstance(posteriors, str):
        return by_number(_checked(np.asarray(posteriors, np.float64), len(table.classes))), ()
    part = table.only(posteriors)
    if part.score_kind_of(posteriors) != "probability":
        raise InputError(f"posteriors={posteriors!r}: this model gives no probabilities")
    scores = _checked(class_scores(part), len(part.classes))
    names, place = column(part.row, "row").coded()
    first = np.unique(place, return_index=True)[1]
    differs = np.abs(scores - scores[first][place]).max(axis=1) > ROUNDING
    if differs.any():
        raise InputError(
            f"posteriors={posteriors!r}: its probabilities of row {names[place[differs][0]]!r} "
            "differ between splits, so they were trained and are not the true ones"
        )
    places = {name: at for at, name in enumerate(np.asarray(names).tolist())}
    note = f"true posteriors: those of the model {posteriors!r}"
    return Posteriors(scores[first], places, posteriors), (note,)


def _checked(posteriors: Array, k: int) -> Array:
    if posteriors.ndim != 2 or posteriors.shape[1] != k:
        raise InputError(
            f"posteriors has shape {posteriors.shape}; give one row a row of the data and one "
            f"column a class, {k} in all"
        )
    total = posteriors.sum(axis=1)
    wrong = ~(np.abs(total - 1) <= ROUNDING) | ~(posteriors >= 0).all(axis=1)
    if wrong.any():
        first = int(wrong.argmax())
        raise InputError(
            f"posteriors: row {first} is {posteriors[first].tolist()[:4]}, no probabilities that "
            f"add up to 1 ({int(wrong.sum())} such rows)"
        )
    return np.asarray(posteriors / total[:, None])
