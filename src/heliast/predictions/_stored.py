"""A table we wrote as Parquet, back as it was: its metadata checked, its columns put in order."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

from heliast._core.columns import Column
from heliast._core.errors import InputError
from heliast._core.notes import UNFINISHED, key_of, with_keys
from heliast.predictions._names import Asked, Found, Source
from heliast.predictions._read import read_columns
from heliast.predictions.records import Role, ScoreKind
from heliast.tables.opened import parquet_file, parquet_table, short
from heliast.tables.records import inside, outermost, within

_NAME, _COUNT, _SHARE = (int, str), (int, type(None)), (int, float, type(None))
_TEXT = (str, type(None))
_SPLIT: Mapping[str, tuple[type, ...]] = {
    "split": _NAME, "role": (str,), "repeat": (int,), "fold": (int,), "outer": _COUNT,
    "n_train": _COUNT, "n_test": _COUNT, "train_share": _SHARE, "noise": _SHARE,
}  # fmt: skip
_CELL: Mapping[str, tuple[type, ...]] = {
    "model": (str,), "split": _NAME, "status": (str,), "fit_seconds": _SHARE,
    "predict_seconds": _SHARE, "size": _COUNT, "failure": (str,), "warnings": (list,),
}  # fmt: skip
_META: Mapping[str, tuple[type, ...]] = {
    "data_fingerprint": _TEXT, "plan_fingerprint": _TEXT, "seed": _COUNT, "versions": (dict,),
    "score_kinds": (dict,), "stages": (dict,),
}  # fmt: skip
_KINDS = (*get_args(ScoreKind), None)


def check_stored(stored: Mapping[str, Any]) -> None:
    """Raise ValueError or TypeError where a value is not what we write there.

    >>> check_stored({"splits": [{"split": 0, "role": "test", "n_train": "many"}]})
    Traceback (most recent call last):
        ...
    ValueError: n_train is 'many'
    """
    for record in _listed(stored, "splits"):
        _check(record, _SPLIT, "split", "role")
        if record["role"] not in get_args(Role):
            raise ValueError(f"role is {record['role']!r}")
    for record in _listed(stored, "cells"):
        _check(record, _CELL, "model", "split", "status")
    meta = stored.get("meta", {})
    _check(meta, _META)
    if any(kind not in _KINDS for kind in meta.get("score_kinds", {}).values()):
        raise ValueError(f"score_kinds is {meta['score_kinds']!r}")
    if not all(isinstance(model, str) for model in stages_in(stored).values()):
        raise ValueError(f"stages is {meta['stages']!r}")
    for name in ("notes", "models", "scores", "kept"):
        if not all(isinstance(one, str) for one in _listed(stored, name)):
            raise ValueError(f"{name} is {stored[name]!r}")
    bounds = stored.get("bounds")
    if bounds is not None and not (isinstance(bounds, list) and len(bounds) == 2):
        raise ValueError(f"bounds is {bounds!r}")
    if not isinstance(stored.get("ordinal", False), bool):
        raise ValueError(f"ordinal is {stored['ordinal']!r}")
    keys = stored.get("note_keys", {})
    if not isinstance(keys, dict) or not all(isinstance(one, str) for one in keys.values()):
        raise ValueError(f"note_keys is {keys!r}")
    for label in [*_listed(stored, "classes"), stored.get("positive")]:
        if not isinstance(label, (str, int, float, type(None))):
            raise ValueError(f"{label!r} is a class")


def _listed(stored: Mapping[str, Any], name: str) -> list[Any]:
    found = stored.get(name, [])
    if not isinstance(found, list):
        raise ValueError(f"{name} is {found!r}")
    return found


def _check(record: Any, types: Mapping[str, tuple[type, ...]], *needed: str) -> None:
    if not isinstance(record, dict) or any(name not in record for name in needed):
        raise ValueError(f"{record!r} lacks {', '.join(needed) or 'names'}")
    for name, value in record.items():
        wanted = types.get(name, (object,))
        odd = isinstance(value, bool) or (isinstance(value, int) and abs(value) >= 2**63)
        if odd or not isinstance(value, wanted):
            raise ValueError(f"{name} is {value!r}")


FORMAT = 1
OLD_NAMES = {"y_true": "truth", "y_pred": "label", "in_train": "seen"}
"""What files of the first versions call these columns."""
OLD_TASKS = {"classes": "classification", "number": "regression"}
_AS_OPTION = {"classes": "classes", "positive": "positive", "task": "task", "score_kind": "scores"}


def lasting(stored: Mapping[str, Any] | None) -> list[str]:
    """The notes in a file that stay true however it is read: that its run is unfinished."""
    notes = [] if stored is None else stored.get("notes")
    listed = notes if isinstance(notes, list) else []
    said = with_keys([note for note in listed if isinstance(note, str)], {})
    return [note for note in said if key_of(note) == UNFINISHED]


def stages_in(stored: Mapping[str, Any] | None) -> dict[str, str]:
    """Which models in a file of ours are stages of which, however it is read."""
    return {} if stored is None else dict(stored.get("meta", {}).get("stages", {}))


def filled(asked: Asked, stored: Mapping[str, Any]) -> Asked:
    """What the caller says, with what the file says where nothing else is said."""
    told = (asked.roles.get("y_true"), asked.roles.get("grade"), asked.score)
    if any(one is not None for one in told):
        return asked
    options = asked.options
    said: dict[str, Any] = {
        option: None if stored.get(name) == [] else stored.get(name)  # numbers have no classes
        for name, option in _AS_OPTION.items()
        if getattr(options, option) is None
    }
    if options.weights is None and asked.roles.get("weight") is None:
        said["weights"] = stored.get("weight_kind")
    if options.design == "rows":
        said["design"] = stored.get("design", "rows")
    if options.bounds is None:
        said["bounds"] = stored.get("bounds")
    if options.classes is None:
        said["ordinal"] = stored.get("ordinal", False)
    roles = dict(asked.roles)
    if said.get("design") == "time":
        roles["time"] = roles.get("time") or "time"
    keep = tuple(dict.fromkeys([*stored.get("kept", ()), *asked.keep]))
    return replace(asked, roles=roles, options=replace(options, **said), keep=keep)


KEY = b"heliast"
"""Where our metadata stands in the Parquet schema."""


def parquet_source(path: Path) -> tuple[Source, Mapping[str, Any] | None]:
    """Open a Parquet file; also its heliast metadata, if it carries any."""
    import pyarrow as pa

    file = parquet_file(path)
    schema = file.schema_arrow

    def fetch(found: Found) -> Mapping[str, Column]:
        if not file.metadata.num_rows:
            raise InputError("the file has columns but no row; nothing to assess")
        try:
            table = parquet_table(path, outermost(found.used(), schema.names))
            return read_columns({name: within(table, name) for name in found.used()}, found)
        except InputError:
            raise
        except (pa.ArrowException, ValueError) as error:
            raise InputError(f"the file is damaged ({short(error)}); write it again") from None

    source = Source(path.name, path.stem, list(schema.names), fetch, inside=inside(schema))
    return source, _metadata(schema.metadata or {}, path.name)


def _metadata(stored: Mapping[bytes, bytes], title: str) -> Mapping[str, Any] | None:
    if KEY not in stored:
        return None
    try:
        found = json.loads(stored[KEY])
        if not isinstance(found, dict):
            raise ValueError("no table of names")
        if found["format"] == 1:
            check_stored(found)
            found["task"] = OLD_TASKS.get(found["task"], found["task"])
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise InputError(
            f"{title}: its heliast metadata is damaged ({short(error)}); write the file again"
        ) from None
    return found
