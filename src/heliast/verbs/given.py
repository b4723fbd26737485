"""Given: whatever users bring (tables, files, frames, arrays, models by name) as one table."""

import inspect
import os
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from itertools import takewhile
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, cast

import numpy as np
import numpy.typing as npt

from heliast import measures as registry
from heliast._core.errors import InputError, NotPredictions, ScoresAsLabels
from heliast._core.kinds import ArrayLike
from heliast.data import Dataset
from heliast.measures import Measure
from heliast.predictions import Predictions
from heliast.tables.table import as_names, frame_columns, other_order, refuse_other_index
from heliast.verbs.brought import (
    answers,
    are_records,
    dimensions,
    framed,
    from_one_hot,
    is_one_hot,
    plain,
    unpacked,
)
from heliast.verbs.sliced_by import to_keep

Given = Predictions | Mapping[Any, Any] | Sequence[Any] | ArrayLike | os.PathLike[str]
"""A table, several in a list or by name, a file, a data frame, or the true classes or numbers."""
P = ParamSpec("P")
R = TypeVar("R")

ENDINGS = {
    ".csv", ".tsv", ".txt", ".parquet", ".pq", ".json", ".jsonl", ".ndjson", ".arrow", ".feather",
    ".gz", ".zst", ".bz2", ".eval",
}  # fmt: skip
"""How the name of a file ends, where a word could also be a measure, or a file to write."""
SPELLINGS = {
    "y_prob": "y_score", "y_proba": "y_score",
    "sample_weight": "weight", "pos_label": "positive", "groups": "group",
}  # fmt: skip
"""What scikit-learn calls the parts of a table."""
MAKING = {
    *inspect.signature(Predictions.of).parameters, *inspect.signature(Predictions.read).parameters,
} - {"source", "in_train"}  # fmt: skip
"""What may be said of a table in the making; `in_train` is part of the question."""


def sliced_by(given: Sequence[Any], said: Mapping[str, Any]) -> tuple[str, ...]:
    """The columns that a verb slices by, which are kept."""
    return to_keep(said.get("by"))


def takes_a_table(
    *others: type,
    sets: bool = False,
    keeps: Callable[[Sequence[Any], Mapping[str, Any]], tuple[str, ...]] = sliced_by,
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """A verb that takes one table takes whatever can become one, in its place or in two.

    `others` are records that the verb takes as they are, `sets` says that it takes several data
    sets by name as well. `keeps` tells which columns of files and frames it needs beside.
    """

    def taking(verb: Callable[P, R]) -> Callable[P, R]:
        own = inspect.signature(verb).parameters
        door = Door(verb.__name__, sets)

        @wraps(verb)
        def asked(*given: Any, **said: Any) -> R:
            if "predictions" in said:
                given = (said.pop("predictions"), *given)
            if given and isinstance(given[0], others):
                return verb(*given, **said)
            for name in [one for one in said if one in SPELLINGS]:
                said.setdefault(SPELLINGS[name], said.pop(name))
            if "requirements" in own and "require" in said:
                said.setdefault("requirements", said.pop("require"))
            making = {name: said.pop(name) for name in [*said] if name in MAKING - {*own}}
            common = bool(said.pop("common_rows", False))
            door.keep = keeps(given, said)
            table, rest = door.opened(given, making, common)
            return verb(table, *rest, **said)

        return cast("Callable[P, R]", asked)

    return taking


class Door:
    """What one verb is given, as one table or as data sets by name, and the rest of the call."""

    def __init__(self, verb: str, sets: bool = False) -> None:
        self.verb, self.sets = verb, sets
        self.keep: tuple[str, ...] = ()

    def opened(
        self, given: tuple[Any, ...], making: dict[str, Any], common: bool = False
    ) -> tuple[Any, tuple[Any, ...]]:
        """The table, and what was said after it.

        >>> table, rest = Door("assess").opened((["a", "b"], ["a", "a"], "error"), {})
        >>> table.models, rest
        (('model',), ('error',))
        """
        if "y_true" in making and not given:
            given = (making.pop("y_true"),)
        if not given:
            raise InputError(f"{self.verb}: nothing is given; {self.lines}")
        given = tuple(map(plain, unpacked(given)))
        if are_records(given[0]):
            given = (framed(given[0]), *given[1:])
        given = (given[0], *map(answers, given[1:]))
        making |= {name: plain(making[name]) for name in ("y_pred", "y_score") if name in making}
        self._refuse_models(given)
        first = given[0]
        if _is_frame(first) and len(_names(first)) == 1 and len(given) > 1 and _pairs(given[1]):
            given = (_only_column(first), _only_column(given[1]), *given[2:])
            return self._of_columns(*given, making=making)
        if _is_table(first) or isinstance(first, (str, os.PathLike)):
            # After a table a name is a measure or a file to write; after a file it may be a file.
            alike = _is_file if isinstance(first, (str, os.PathLike)) else _in_memory
            count = next((at for at, one in enumerate(given) if at and not alike(one)), len(given))
            return self._all(given[:count], making, common), given[count:]
        if isinstance(first, (list, tuple)) and first and all(map(_is_table, first)):
            return self._all(first, making, common), given[1:]
        if isinstance(first, Mapping) and first and all(map(_is_table, first.values())):
            return self._by_name(first, making, common), given[1:]
        if isinstance(first, Mapping) and "fit_time" in first:
            say = f"hl.{self.verb}(hl.Predictions.from_cv(result, X, y))"
            raise InputError(f"{self.verb}: this is what cross_validate gives; say {say}")
        if isinstance(first, Mapping) and first:
            return self._table(first, making), given[1:]
        if not _is_column(first):
            raise InputError(f"{self.verb}: expected predictions, got {self._instead(first)}")
        if "y_true" in making:
            raise InputError(f"{self.verb}: the truth is given twice; {self.lines}")
        return self._of_columns(*given, making=making)

    @property
    def lines(self) -> str:
        """How to call the verb."""
        if self.verb == "compare":
            return "say hl.compare(y_true, {'a': a_pred, 'b': b_pred}), or hl.compare(p1, p2)"
        more = ", 'error.high <= 0.1'" if self.verb == "gate" else ""
        one = f"hl.{self.verb}(y_true, y_pred{more}), hl.{self.verb}(y_true, y_score=p{more})"
        return f"say {one}, or give a table, as hl.Predictions.read('preds.csv') makes one"

    def _refuse_models(self, given: tuple[Any, ...]) -> None:
        """Refuse a model where what it predicts belongs: which rows it is asked for is not said."""
        first = given[0]
        places = [*given[1:3], *(one for part in given[:2] if isinstance(part, Mapping)
                                 for one in part.values())]  # fmt: skip
        model = next((one for one in places if _is_model(one)), None)
        if model is not None and not _is_model(first):
            say = f"hl.{self.verb}(y_test, model.predict(X_test))"
            if self.verb == "compare":
                say = f"hl.{self.verb}(y_test, {{'name': model.predict(X_test), ...}})"
            raise InputError(
                f"{self.verb}: expected predictions, got a model ({_shown(model)}); say {say} if "
                f"it is fitted, hl.{self.verb}(hl.run(model, (X, y))) if not"
            )

    def _instead(self, one: Any) -> str:
        """What was given that is no table, and the line to type."""
        if hasattr(one, "predict"):
            say = f"hl.{self.verb}(hl.predict(model, (X_test, y_test)))"
            return (
                f"a model ({_shown(one)}); say {say} if it is fitted, hl.run(model, (X, y)) if not"
            )
        if isinstance(one, Dataset):
            return f"data; say hl.{self.verb}(hl.run(models, data))"
        return f"{_shown(one)}; {self.lines}"

    # --- tables ------------------------------------------------------------------------------

    def _table(self, source: Any, making: Mapping[str, Any]) -> Predictions:
        if not isinstance(source, Predictions):
            try:
                keep = as_names(making.get("keep"), "keep")
                keep = tuple(dict.fromkeys([*keep, *self.keep]))
                return Predictions.read(source, **{**making, "keep": keep})
            except NotPredictions as error:
                fit = "hl.run(models, hl.read(...)) fits models on data and gives such a table"
                raise InputError(f"{self.verb}: {error}. In Python {fit}") from None
        if making:
            name = next(iter(making))
            how = f"hl.Predictions.of(..., {name}=...)"
            raise InputError(f"{self.verb}: {name}= is said when the table is made, as in {how}")
        return source

    def _all(self, sources: Sequence[Any], making: Mapping[str, Any], common: bool) -> Predictions:
        tables = [self._table(one, making) for one in sources]
        self._refuse_other_index(sources, tables)
        return together(named_apart(sources, tables), common)

    def _refuse_other_index(self, sources: Sequence[Any], tables: Sequence[Predictions]) -> None:
        """Refuse frames of pandas whose rows have the same names in another order."""
        first = sources[0]
        for at, (one, table) in enumerate(zip(sources, tables, strict=True), 1):
            named = table.row is not None and tables[0].row is not None
            if not named and other_order(first, one):
                raise InputError(
                    f"{self.verb}: table 1 and table {at} have the same index in another order: "
                    "say df2.loc[df1.index] to pair rows by it, or df2.reset_index(drop=True) to "
                    "pair them by their place"
                )

    def _by_name(self, tables: Mapping[Any, Any], making: dict[str, Any], common: bool) -> Any:
        """Models by name if each table is of one model, else data sets by name."""
        made = {str(name): self._table(one, making) for name, one in tables.items()}
        self._refuse_other_index([*tables.values()], [*made.values()])
        if all(len(one.models) == 1 for one in made.values()):
            return together([one.renamed(name) for name, one in made.items()], common)
        if self.sets:
            return {name: one.common_rows() if common else one for name, one in made.items()}
        each = f"{{name: hl.{self.verb}(table) for name, table in tables.items()}}"
        raise InputError(f"{self.verb}: one table, got {len(made)} of several models; say {each}")

    # --- columns -----------------------------------------------------------------------------

    def _of_columns(
        self, truth: Any, *rest: Any, making: dict[str, Any]
    ) -> tuple[Predictions, tuple[Any, ...]]:
        """Truth, then labels, scores or models by name."""
        if dimensions(truth) == 2 and (rest or {"y_pred", "y_score"} & {*making}):
            return self._of_one_hot(truth, *rest, making=making)
        if rest and (isinstance(rest[0], Mapping) or _is_frame(rest[0])):
            return self._of_models(truth, rest[0], making), rest[1:]
        size = len(truth) if hasattr(truth, "__len__") else -1
        if self.verb == "compare":
            listed = isinstance(rest[:1][0], (list, tuple)) if rest else False
            several = list(takewhile(lambda one: _is_of(one, size), rest[0] if listed else rest))
            if len(several) > 1:
                named = {f"model {at}": one for at, one in enumerate(several, 1)}
                note = "models are numbered as they were given; to name them: {'old': p1, ...}"
                table = self._of_models(truth, named, making).noted(note)
                return table, rest[1 if listed else len(several) :]
        for role in ("y_pred", "y_score"):
            if not rest or role in making or not _is_column(rest[0]):
                continue
            if _are_words(rest[0]) and (role == "y_score" or len(rest[0]) != size):
                continue
            scores = role == "y_pred" and dimensions(rest[0]) == 2
            if scores:
                self._refuse_labels(truth, np.asarray(rest[0]))
            making["y_score" if scores else role], rest = rest[0], rest[1:]
        if making.get("y_pred") is None and making.get("y_score") is None:
            if dimensions(truth) == 2:
                from_one_hot(truth, None, self.verb)  # which says what else it may be
            raise InputError(f"{self.verb}: only the truth is given; {self.lines}")
        try:
            return Predictions.of(truth, **making), rest
        except ScoresAsLabels as error:
            say = f"say hl.{self.verb}(y_true, y_score=p)"
            raise InputError(f"{self.verb}: {error.what}; {say}{error.otherwise}") from None

    def _of_one_hot(
        self, truth: Any, *rest: Any, making: dict[str, Any]
    ) -> tuple[Predictions, tuple[Any, ...]]:
        """As columns, the truth being a column for each class with a 1 in one of them."""
        told = making.get("classes", making.get("order"))
        columns = [truth, *rest[:1]] if rest and is_one_hot(rest[0]) else [truth]
        found = [from_one_hot(one, told, self.verb) for one in columns]
        if told is None:
            making["classes"] = [*range(np.shape(truth)[1])]
        table, left = self._of_columns(*found, *rest[len(found) - 1 :], making=making)
        return table.noted("y_true: the class of a row is the column that holds its 1"), left

    def _refuse_labels(self, truth: Any, matrix: npt.NDArray[Any]) -> None:
        """Refuse several columns of true classes as scores: they are labels of several models.

        Rows of 0 and 1 that sum to 1 are scores of a model that is sure each time.
        """
        if matrix.shape[1] == len(truth) != len(matrix):
            raise InputError(
                f"{self.verb}: {len(matrix)} times {len(truth)} values look like several models; "
                "say hl.compare(y_true, {'a': a_pred, 'b': b_pred})"
            )
        known = {*np.asarray(truth).tolist()}
        if len(known) > 20 or not {*np.unique(matrix).tolist()} <= known:
            return
        if matrix.dtype.kind in "biuf" and bool((matrix.sum(axis=1) == 1).all()):
            return
        raise InputError(
            f"{self.verb}: {matrix.shape[1]} columns of true classes are labels of several models, "
            "not scores; say hl.compare(y_true, {'a': y_pred[:, 0], 'b': y_pred[:, 1]}), or give "
            f"one column: hl.{self.verb}(y_true, y_pred[:, 0])"
        )

    def _of_models(self, truth: Any, models: Any, making: dict[str, Any]) -> Predictions:
        """One table of models by name, each with its labels, its scores or both in a table."""
        refuse_other_index({"y_true": truth, "table": models})
        columns, frame = frame_columns(models)
        by_name = columns or {}
        if frame is not None:
            by_name = {name: one.to_native() for name, one in by_name.items()}
        if not by_name:
            raise InputError(f"{self.verb}: no model is given; say {{'name': y_pred}}")
        by_class: Any = _by_class(by_name, truth)
        if by_class:
            return Predictions.of(truth, y_score=by_class, **making)
        made = []
        for name, one in by_name.items():
            if not _is_column(one) and not _by_class_named(one):
                raise InputError(
                    f"{self.verb}: model {name!r}: expected labels or scores, one a row, got "
                    f"{_shown(one)}"
                )
            try:
                made.append(self._of_model(truth, one, {**making, "model": str(name)}))
            except InputError as error:
                raise InputError(f"{self.verb}: model {name!r}: {error}") from None
        return together(made)

    def _of_model(self, truth: Any, one: Any, making: dict[str, Any]) -> Predictions:
        making.setdefault("row", np.arange(len(truth)))
        if isinstance(one, Mapping) or _is_frame(one) or dimensions(one) == 2:
            return Predictions.of(truth, y_score=one, **making)
        try:
            return Predictions.of(truth, one, **making)
        except ScoresAsLabels:
            note = f"{making['model']}: numbers that are no classes are read as scores"
            return Predictions.of(truth, y_score=one, **making).noted(note)


def named_apart(sources: Sequence[Any], tables: Sequence[Predictions]) -> list[Predictions]:
    """Several tables, their models named apart: after their files, or else by number.

    Files of one name in different folders are models named after both.
    """
    if len(tables) == 1:
        return [*tables]
    files = {at: Path(one) for at, one in enumerate(sources) if isinstance(one, (str, os.PathLike))}
    paths, stems = [*files.values()], [path.stem for path in files.values()]
    twice = next((path for at, path in enumerate(paths) if path in paths[:at]), None)
    if twice is not None:
        raise InputError(f"{twice} is given twice: a comparison needs files of different models")
    found = list(tables)
    for at, path in files.items():
        if tables[at].models in ((path.stem,), ("model",)):
            folder = f"{path.resolve().parent.name}/" if stems.count(path.stem) > 1 else ""
            found[at] = tables[at].renamed(f"{folder}{path.stem}")
    if all(one.models == ("model",) for one in found):
        note = "models are numbered as they were given; to name them give a dict: {'old': p1, ...}"
        found = [one.renamed(f"model {at}").noted(note) for at, one in enumerate(found, 1)]
    return found


def together(tables: Sequence[Predictions], common: bool = False) -> Predictions:
    """All models in one table; with `common` on the rows that all have."""
    return tables[0].join(*tables[1:], common_rows=common)


# --- what it is ----------------------------------------------------------------------------------


def _is_table(one: Any) -> bool:
    """Whether it is a table by itself: predictions, a data frame, or the name of a file."""
    return _in_memory(one) or _is_file(one)


def _in_memory(one: Any) -> bool:
    return isinstance(one, Predictions) or _is_frame(one)


def _is_file(one: Any) -> bool:
    if not isinstance(one, (str, os.PathLike)):
        return False
    path = Path(os.fspath(one))
    if "\n" in os.fspath(one):
        raise InputError(f"{str(one)[:30]!r}... is text, not the name of a file: write it to one")
    return not ENDINGS.isdisjoint(map(str.lower, path.suffixes)) or path.is_dir()


def _is_frame(one: Any) -> bool:
    if isinstance(one, (Mapping, Predictions, str, np.ndarray, list, tuple)):
        return False
    return hasattr(one, "columns") or hasattr(one, "column_names") or hasattr(one, "__dataframe__")


def _is_column(one: Any) -> bool:
    """Whether it holds values, one a row, or several a row."""
    if isinstance(one, (str, bytes, Mapping, Predictions, type)) or _is_frame(one):
        return False
    arrays = ("__array__", "__arrow_c_array__", "__arrow_c_stream__")
    return isinstance(one, Sequence) or any(hasattr(one, name) for name in arrays)


def _is_of(one: Any, size: int) -> bool:
    """Whether it holds a value for each of so many rows."""
    return _is_column(one) and hasattr(one, "__len__") and len(one) == size


def _is_model(one: Any) -> bool:
    return hasattr(one, "predict") and hasattr(one, "fit")


def _names(frame: Any) -> list[Any]:
    return list(frame.columns if hasattr(frame, "columns") else frame.column_names)


def _pairs(one: Any) -> bool:
    """Whether it can stand beside a truth: values, or a frame of one column."""
    return _is_column(one) or (_is_frame(one) and len(_names(one)) == 1)


def _only_column(one: Any) -> Any:
    if not _is_frame(one):
        return one
    columns, table = frame_columns(one)
    first = next(iter((columns or {}).values()))
    return first if table is None else first.to_native()


def _are_words(one: Any) -> bool:
    """Whether these are names of measures, or requirements, rather than labels."""
    if not isinstance(one, (list, tuple)) or not one:
        return False
    return all(isinstance(word, (str, Measure)) and _asks(word) for word in one)


def _asks(word: str | Measure) -> bool:
    if isinstance(word, Measure) or "<" in word or ">" in word:
        return True
    try:
        registry.get(word)
    except InputError:
        return False
    return True


def _by_class(columns: Mapping[str, Any], truth: Any) -> dict[Any, Any]:
    """Probabilities by class, if that is what these are; empty if they are models by name."""
    classes = {str(one): one for one in set(np.asarray(truth).tolist())}
    if len(columns) < 2 or {*columns} != {*classes}:
        return {}
    try:
        total = np.sum([np.asarray(one, np.float64) for one in columns.values()], axis=0)
    except (TypeError, ValueError):
        return {}
    found = {classes[name]: columns[name] for name in sorted(classes)}
    return found if np.allclose(total, 1, atol=1e-3) else {}


def _by_class_named(one: Any) -> bool:
    """Whether it may hold the scores of each class, by name."""
    return bool(one) if isinstance(one, Mapping) else _is_frame(one)


def _shown(one: Any) -> str:
    if one is None or isinstance(one, (str, int, float)):
        return f"{one!r:.60}"
    return f"{type(one).__name__}"
