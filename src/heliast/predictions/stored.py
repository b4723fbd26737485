"""A Parquet file that heliast wrote, back as it was: its metadata checked, its columns in order."""

import json
from collections.abc import Mapping
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, get_args

import numpy as np

from heliast._core.columns import Column
from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._core.notes import UNFINISHED, key_of, with_keys
from heliast.predictions.aliases import GRADED
from heliast.predictions.columns import PREFIX, ROLES, Request
from heliast.predictions.graded import build_graded
from heliast.predictions.of import build
from heliast.predictions.records import Meta, Options, ScoreKind, Split, Splits
from heliast.tables.table import Table

if TYPE_CHECKING:
    from heliast.predictions.table import Predictions

KEY = "heliast"  # of our metadata in the Parquet file
FORMAT = 1
# What files of the first versions call columns and tasks.
OLD_NAMES = {"y_true": "truth", "y_pred": "label", "in_train": "seen"}
OLD_TASKS = {"classes": "classification", "number": "regression"}


# Fields of a split and their types, in JSON and in columns `split_<field>` of a CSV file.
SPLIT_FIELDS: dict[str, Any] = {
    "role": str, "repeat": int, "fold": int, "outer": int, "n_train": int, "n_test": int,
    "train_share": float, "noise": float,
}  # fmt: skip
DAMAGED = (
    ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError,
)  # fmt: skip


def stored_metadata(table: Table) -> dict[str, Any] | None:
    """Our metadata in a Parquet file; None if it carries none."""
    text = table.metadata.get(KEY)
    if text is None:
        return None
    try:
        stored = json.loads(text)
        if stored["format"] == FORMAT:
            stored["task"] = OLD_TASKS.get(stored["task"], stored["task"])
            kinds = {*stored["meta"].get("score_kinds", {}).values(), stored["score_kind"]}
            labels = [*stored["classes"], stored["positive"]]
            if not kinds <= {*get_args(ScoreKind), None} or any(
                isinstance(label, (list, dict)) for label in labels
            ):
                raise ValueError("a class or a kind of scores is not known")
            stages = stored["meta"].setdefault("stages", {})
            if not all(isinstance(model, str) for model in stages.values()):
                raise ValueError("stages must name models")
            stored["splits"] = [split_of(record["split"], record) for record in stored["splits"]]
            stored["notes"] = with_keys(
                [str(note) for note in stored["notes"]], stored.get("note_keys", {})
            )
    except DAMAGED as error:
        raise _damaged(table, error) from None
    return stored  # type: ignore[no-any-return]


def _damaged(table: Table, error: Exception) -> InputError:
    return InputError(
        f"{table.title}: its heliast metadata is damaged ({error!r:.200}); write the file again"
    )


def split_of(name: int | str, record: Mapping[str, Any]) -> Split:
    """A split from its fields by name; those without a value are left at their defaults."""
    known = {field: kind(record[field]) for field, kind in SPLIT_FIELDS.items()
             if record.get(field) is not None}  # fmt: skip
    return Split(name, **known)


def fill_request(request: Request, stored: Mapping[str, Any]) -> Request:
    """The request with what the file says, where the caller says nothing else."""
    if request.score is not None or {"y_true", "grade"} & request.roles.keys():
        return request
    options = request.options
    filled: dict[str, Any] = {}
    for name, key in (("classes", "classes"), ("positive", "positive"), ("task", "task"),
                      ("scores", "score_kind"), ("bounds", "bounds")):  # fmt: skip
        if getattr(options, name) is None:
            value = stored.get(key)
            filled[name] = None if value == [] else value
    if options.weights is None and "weight" not in request.roles:
        filled["weights"] = stored.get("weight_kind")
    if options.design == "rows":
        filled["design"] = stored.get("design", "rows")
    if options.classes is None:
        filled["ordinal"] = stored.get("ordinal", False)
    roles = dict(request.roles)
    if filled.get("design") == "time":
        roles.setdefault("time", "time")
    keep = tuple(dict.fromkeys([*stored.get("kept", ()), *request.keep]))
    return replace(request, roles=roles, options=replace(options, **filled), keep=keep)


def read_stored(
    cls: "type[Predictions]", table: Table, stored: Mapping[str, Any], request: Request
) -> "Predictions":
    """The table that was written; with other columns or options where the caller says so."""
    from heliast.predictions.read import from_table

    if stored["format"] != FORMAT:
        raise InputError(
            f"{table.title}: written by a newer heliast (format {stored['format']!r}); upgrade it"
        )
    try:
        if request:
            predictions = from_table(cls, table, fill_request(request, stored))
            lasting = [note for note in stored["notes"] if key_of(note) == UNFINISHED]
            meta = replace(predictions.meta, stages=stored["meta"]["stages"])
            return replace(predictions, meta=meta).noted(*lasting)
        graded = stored["task"] == "graded"
        predictions = (_restored_grades if graded else _restored)(cls, table, stored)
    except InputError as error:
        raise InputError(f"{table.title}: {str(error).removeprefix(f'{table.title}: ')}") from None
    except DAMAGED as error:
        raise _damaged(table, error) from None
    lacking = [name for name in request.keep if name not in predictions.columns]
    if lacking:
        raise InputError(
            f"{table.title}: there is no column {lacking[0]!r}, to keep or to slice by; it has "
            f"{', '.join(map(repr, predictions.columns)) or 'none'}"
        )
    return predictions


def _restored_grades(
    cls: "type[Predictions]", table: Table, stored: Mapping[str, Any]
) -> "Predictions":
    known = {"item": "row", "grade": "grade", **{role: role for role in GRADED if role != "row"}}
    kept = list(stored.get("kept", ()))
    names = [name for name in table.names if name in known and name not in kept]
    table.prepare([*names, *kept])
    columns: dict[str, Any] = {known[name]: table.fetch(name) for name in names}
    columns["columns"] = {name.removeprefix(PREFIX): table.fetch(name) for name in kept}
    options = Options(task="graded", weights=stored["weight_kind"], bounds=stored["bounds"])
    graded = build_graded(cls, columns, options)
    if graded.models != tuple(stored["models"]):
        raise ValueError(f"the models are {graded.models}, not {stored['models']}")
    meta = replace(graded.meta, notes=stored["notes"])
    return replace(graded, meta=meta, cells=tuple(stored["cells"]))


def _restored(cls: "type[Predictions]", table: Table, stored: Mapping[str, Any]) -> "Predictions":
    in_order = stored["design"] == "time"
    kept, score_names = list(stored.get("kept", ())), list(stored["scores"])
    columns = {role: name for role in ROLES for name in (OLD_NAMES.get(role, role), role)
               if name in table.names and (role != "time" or in_order)}  # fmt: skip
    lacking = {*score_names, *kept} - {*table.names}
    if lacking:
        raise KeyError(sorted(lacking)[0])
    table.prepare([*columns.values(), *score_names, *kept])
    parts: dict[str, Any] = {role: table.fetch(name) for role, name in columns.items()}
    splits, models = Splits(tuple(stored["splits"])), tuple(stored["models"])
    split_code = _places(parts.pop("split"), [str(name) for name in splits.names], "split")
    model_code = _places(parts["model"], list(models), "model")
    values = [table.fetch(name).values for name in score_names]
    scores = values[0] if len(values) == 1 else np.column_stack(values) if values else None
    # Where models differ in their scores there is no one kind to check them by.
    differ = bool(stored["meta"].get("score_kinds"))
    if differ and scores is not None and np.isinf(scores).any():
        raise InputError("y_score: infinite; scores must be finite numbers")
    options = Options(
        classes=stored["classes"] or None, positive=stored["positive"], task=stored["task"],
        scores=stored["score_kind"], weights=stored["weight_kind"], design=stored["design"],
        ordinal=stored.get("ordinal", False),
    )  # fmt: skip
    parts |= {"split": split_code, "y_score": None if differ else scores}
    parts["columns"] = {name.removeprefix(PREFIX): table.fetch(name) for name in kept}
    checked = build(cls, parts, options)
    known = {field.name for field in fields(Meta)}
    meta = {name: value for name, value in stored["meta"].items() if name in known}
    group = parts.get("time" if in_order else "group")
    return replace(
        checked,
        meta=replace(checked.meta, **meta, score_kind=stored["score_kind"], notes=stored["notes"]),
        models=models,
        splits=splits,
        scores=scores,
        model_code=None if len(models) == 1 else model_code,
        split_code=None if len(splits) == 1 else split_code,
        group=None if group is None else group.values.astype(np.int32),
        cells=tuple(stored["cells"]),
    )


def _places(part: Column, names: list[str], role: str) -> Array:
    """Each row's place in the stored order of names."""
    if len(set(names)) < len(names):
        raise ValueError(f"a {role} is named twice")
    values, codes = part.coded()
    return np.array([names.index(str(value)) for value in values], np.int32)[codes]
