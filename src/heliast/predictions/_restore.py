"""A table we wrote as Parquet, back as it was: checked like any other, then put in its order."""

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from heliast._core.columns import Column
from heliast._core.errors import InputError
from heliast.predictions._names import Found
from heliast.predictions._of import build
from heliast.predictions._source import ROLES, Source
from heliast.predictions._splits import Split, Splits
from heliast.predictions._table import UNFINISHED, Meta, Predictions

Array = npt.NDArray[Any]

FORMAT = 1
_AS_OPTION = {"classes": "classes", "positive": "positive", "task": "task", "score_kind": "scores"}


def lasting(stored: Mapping[str, Any] | None) -> list[str]:
    """The notes in a file that stay true however it is read: that its run is unfinished."""
    notes = [] if stored is None else stored.get("notes")
    listed = notes if isinstance(notes, list) else []
    return [note for note in listed if isinstance(note, str) and note.startswith(UNFINISHED)]


def with_defaults(options: Mapping[str, Any], stored: Mapping[str, Any]) -> dict[str, Any]:
    """The reader's options, with what the file says where nothing else is said."""
    full = dict(options)
    if options.get("truth") is None and options.get("score") is None:
        for name, option in _AS_OPTION.items():
            if full.get(option) is None:
                full[option] = stored.get(name) or None
        if full.get("weights") is None and options.get("weight") is None:
            full["weights"] = stored.get("weight_kind")
        if full.get("design", "rows") == "rows":
            full["design"] = stored.get("design", "rows")
    return full


def restore(cls: type[Predictions], source: Source, stored: Mapping[str, Any]) -> Predictions:
    """The table that was written, field by field."""
    if stored["format"] != FORMAT:
        raise InputError(
            f"{source.title}: written by a newer heliast (format {stored['format']!r}); upgrade it"
        )
    try:
        return _restored(cls, source, stored)
    except InputError as error:
        raise InputError(f"{source.title}: {error}") from None
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InputError(
            f"{source.title}: its heliast metadata does not fit its columns ({error!r}); "
            "write the file again"
        ) from None


def _restored(cls: type[Predictions], source: Source, stored: Mapping[str, Any]) -> Predictions:
    columns = {role: role for role in ROLES if role in source.names}
    read = source.fetch(Found(columns=dict(columns), score=list(stored["scores"])))
    parts = {role: read[role] for role in columns}
    splits = Splits(tuple(Split(**record) for record in stored["splits"]))
    split_code = _placed(parts.pop("split"), [str(name) for name in splits.names], "split")
    scores = _matrix([read[name].values for name in stored["scores"]])
    # Where models differ in their scores there is no one kind to check them by.
    differ = bool(stored["meta"].get("score_kinds"))
    if differ and scores is not None and np.isinf(scores).any():
        raise InputError("score: infinite; scores must be finite numbers")
    checked = build(
        cls,
        score=None if differ else scores,
        classes=stored["classes"] or None,
        positive=stored["positive"],
        task=stored["task"],
        scores=stored["score_kind"],
        weights=stored["weight_kind"],
        design=stored["design"],
        split=split_code,
        **parts,  # type: ignore[arg-type]
    )
    models = tuple(stored["models"])
    model_code = _placed(parts["model"], list(models), "model")
    known = {field.name for field in fields(Meta)}
    said = {name: value for name, value in stored["meta"].items() if name in known}
    group = parts.get("group")
    return replace(
        checked,
        meta=replace(
            checked.meta, **said, score_kind=stored["score_kind"], notes=tuple(stored["notes"])
        ),
        models=models,
        splits=splits,
        scores=scores,
        model_code=None if len(models) == 1 else model_code,
        split_code=None if len(splits) == 1 else split_code,
        group=None if group is None else group.values.astype(np.int32),
        cells=tuple(stored["cells"]),
    )


def _matrix(columns: list[Array]) -> Array | None:
    if not columns:
        return None
    return columns[0] if len(columns) == 1 else np.column_stack(columns)


def _placed(one: Column, names: list[str], role: str) -> Array:
    """Each row's place in the stored order of names."""
    if len(set(names)) < len(names):
        raise ValueError(f"a {role} is named twice")
    values, codes = one.coded()
    return np.array([names.index(str(value)) for value in values], np.int32)[codes]
