"""Brought: rows in whatever holds them, as frames, dicts of columns, arrays or lists."""

from collections.abc import Iterator, KeysView, Mapping, Sequence, ValuesView
from typing import Any

import numpy as np

from heliast._core.columns import MULTI
from heliast._core.errors import InputError


def plain(one: Any) -> Any:
    """What was brought, in a form that can be looked at more than once.

    Structured arrays are dicts of columns, sparse matrices and tensors arrays, lazy frames are
    collected, iterators lists; (n, 1), as a network gives it, is n values.

    >>> plain(value for value in "ab"), plain(np.array([[1], [2]]))
    (['a', 'b'], array([1, 2]))
    """
    if getattr(getattr(one, "dtype", None), "names", None):
        return {name: one[name] for name in one.dtype.names}
    if hasattr(one, "collect_schema") and hasattr(one, "collect"):  # else computed at each look
        return one.collect()
    if hasattr(one, "detach") and hasattr(
        one, "cpu"
    ):  # of torch: it may hang on a graph, or lie on another device
        one = one.detach().cpu().numpy()
    elif hasattr(one, "toarray"):
        one = one.toarray()
    elif isinstance(one, (Iterator, KeysView, ValuesView)) and not hasattr(one, "read"):
        one = list(one)
    if isinstance(one, list) and one and all(getattr(each, "shape", None) == () for each in one):
        return [each.item() for each in one]
    if isinstance(one, list) and one and all(_deep(each) and len(each) == 1 for each in one):
        return [each[0] for each in one]
    shape = getattr(one, "shape", ())
    if hasattr(one, "__array__") and shape == () and hasattr(one, "item"):
        return one.item()
    if hasattr(one, "__array__") and not hasattr(one, "columns") and [*shape[1:]] == [1]:
        return np.asarray(one)[:, 0]
    return one


def dimensions(one: Any) -> int:
    """How many values deep it is; rows of unequal lengths are refused."""
    if isinstance(one, (list, tuple)) and one and not _deep(one[0]):
        return 1
    try:
        return len(one.shape) if hasattr(one, "shape") else np.ndim(one)
    except ValueError:
        raise InputError(
            f"rows of unequal lengths: {MULTI}; batches are joined by np.concatenate(batches)"
        ) from None


def unpacked(given: tuple[Any, ...]) -> tuple[Any, ...]:
    """Truth and predictions apart, where a trainer of Hugging Face gives them in one.

    >>> unpacked(({"predictions": [[0.2, 1.3]], "label_ids": [1]}, "error"))
    ([1], [[0.2, 1.3]], 'error')
    """
    first, *rest = given
    held = first if isinstance(first, Mapping) else getattr(first, "_asdict", dict)()
    held = held or {name: getattr(first, name, None) for name in ("predictions", "label_ids")}
    if any(held.get(name) is None for name in ("predictions", "label_ids")):
        return given
    said = held["predictions"]
    return (held["label_ids"], said[0] if isinstance(said, tuple) else said, *rest)


def answers(one: Any) -> Any:
    """What a pipeline of Hugging Face says of rows: labels, or the score of each class by name.

    The score beside a label is that of whatever was decided, so it is none of a class.

    >>> answers([{"label": "a", "score": 0.9}, {"label": "b", "score": 0.6}])
    ['a', 'b']
    >>> answers([[{"label": "a", "score": 0.9}, {"label": "b", "score": 0.1}]])
    {'a': [0.9], 'b': [0.1]}
    """
    if not isinstance(one, list) or not one:
        return one
    if all(_is_answer(row) for row in one):
        return [row["label"] for row in one]
    if not all(isinstance(row, list) and row and all(map(_is_answer, row)) for row in one):
        return one
    rows = [{each["label"]: each["score"] for each in row} for row in one]
    return {name: [row.get(name) for row in rows] for name in sorted(rows[0])}


def _is_answer(row: Any) -> bool:
    return isinstance(row, Mapping) and {*row} == {"label", "score"}


def are_records(one: Any) -> bool:
    """Whether it is a list of rows, each a dict of its values by column."""
    return (
        isinstance(one, (list, tuple))
        and bool(one)
        and all(isinstance(row, Mapping) and not any(map(_deep, row.values())) for row in one)
    )


def _deep(value: Any) -> bool:
    return isinstance(value, (list, tuple)) or bool(getattr(value, "shape", ()))


def framed(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """Rows as columns."""
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: [row.get(name) for row in rows] for name in names}


def is_one_hot(one: Any) -> bool:
    """Whether every row has one 1 among zeros.

    >>> is_one_hot([[0, 1], [1, 0]]), is_one_hot([[1, 1], [1, 0]])
    (True, False)
    """
    if dimensions(one) != 2:
        return False
    matrix = np.asarray(one)
    ones = matrix == 1
    zeros = matrix == 0
    return bool((ones | zeros).all() and (ones.sum(axis=1) == 1).all())


def from_one_hot(one: Any, classes: Sequence[Any] | None, verb: str) -> Any:
    """The class of each row: by the place of its 1, or the one of `classes` in that place."""
    if not is_one_hot(one):
        raise InputError(
            f"y_true has {np.shape(one)[1]} values a row, not one 1 among zeros: {MULTI}; truth "
            f"and label are given apart, as in hl.{verb}(rows[:, 0], rows[:, 1])"
        )
    places = np.asarray(one).argmax(axis=1)
    return places if classes is None else np.asarray(classes)[places]
