"""What a run is warned of: weights that no model takes, dates in shuffled folds, a leak."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._core.notes import Note
from heliast.data import Dataset, Input
from heliast.fitting.cell import Cell
from heliast.fitting.numbered import weight_name
from heliast.plans import FrozenPlan

_EXACT = 0.9999
"""An R squared above which a regressor is too good to be true."""


def check_weights(models: Mapping[str, Any], data: Dataset) -> None:
    """Refuse models that cannot be fitted with the weights of the data."""
    for name, model in models.items() if data.weight is not None else ():
        try:
            weight_name(model)
        except InputError as error:
            raise InputError(f"model {name!r}: {error}") from None


def dates_note(data: Dataset, plan: FrozenPlan) -> list[str]:
    """A warning if rows have dates, and folds train on later rows than they test."""
    dates = [data.names[at] for at in data.dates]
    if plan.walks or not (dates or data.ordered):
        return []
    when = dates[0] if dates else "time"
    words = (
        f"{when!r} says when rows were, and the plan trains on rows later than those it tests: if "
        f"new rows will be later, use time={when!r} and Rolling (command line: --time {when} "
        "--plan rolling)"
    )
    return [Note(words, "shuffled dates")]


def leak_notes(cells: Mapping[tuple[str, int], Cell], data: Dataset) -> list[str]:
    """A warning for models without any error: a feature may contain the target."""
    perfect = [
        name for name in dict.fromkeys(name for name, _ in cells) if _exact(name, cells, data)
    ]
    if not perfect:
        return []
    alone = [feature.name for feature in data.inputs if _predicts_alone(feature, data)]
    which = f": {alone[0]!r} alone predicts it" if alone else ""
    verb = "makes" if len(perfect) == 1 else "make"
    words = f"{', '.join(perfect)} {verb} no error: a feature may contain the target{which}"
    return [Note(words, "leak")]


def _exact(name: str, cells: Mapping[tuple[str, int], Cell], data: Dataset) -> bool:
    """Whether a model predicts all rows that it was not trained on without error."""
    truth, predicted = [], []
    for (model, _), cell in cells.items():
        output = next((each for each in cell.outputs if not each.suffix), None)
        if model == name and output is not None:
            outside = cell.seen == 0
            truth.append(data.y_true[cell.row[outside]])
            predicted.append(output.label[outside])
    if not truth or not sum(map(len, truth)):
        return False
    y_true, y_pred = np.concatenate(truth), np.concatenate(predicted)
    if data.task == "classification":
        return bool((y_true == y_pred).all())
    total = ((y_true - y_true.mean()) ** 2).sum()
    return bool(((y_true - y_pred) ** 2).sum() < (1 - _EXACT) * total)


def _predicts_alone(feature: Input, data: Dataset) -> bool:
    """Whether one feature tells the target: by its categories, by thresholds or by a line."""
    values, target = feature.values, data.y_true
    if feature.missing:
        return False
    if data.task == "regression":
        if feature.nominal or values.std() == 0:
            return False
        return bool(np.corrcoef(values, target)[0, 1] ** 2 > _EXACT)
    order = np.argsort(values, kind="stable")
    values, target = values[order], target[order]
    changes = values[1:] != values[:-1]
    if not _constant_between(changes, target):
        return False
    # One class for each category, or one stretch of the numbers for each class.
    if feature.nominal:
        return int(changes.sum()) + 1 <= len(target) // 2
    return int((target[1:] != target[:-1]).sum()) == len(np.unique(target)) - 1


def _constant_between(changes: Array, target: Array) -> bool:
    """Whether rows with the same value of the feature have the same target."""
    return not bool(((target[1:] != target[:-1]) & ~changes).any())
