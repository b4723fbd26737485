"""The metadata of a table we wrote: checked before anything relies on it."""

from collections.abc import Mapping
from typing import Any, get_args

from heliast.predictions._rows import ScoreKind
from heliast.predictions._splits import Role

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
    "score_kinds": (dict,),
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
    for name in ("notes", "models", "scores"):
        if not all(isinstance(one, str) for one in _listed(stored, name)):
            raise ValueError(f"{name} is {stored[name]!r}")
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
