"""Settings from a file: `heliast.toml`, or `[tool.heliast]` in `pyproject.toml`."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from heliast._core.errors import InputError
from heliast.tables.opened import refuse_pipes

OWN, SHARED = "heliast.toml", "pyproject.toml"
KEYS: Mapping[str, type | tuple[type, ...]] = {
    "require": list,
    "level": float,
    "seed": int,
    "positive": str,
    "truth": str,
    "label": str,
    "score": str,
    "model": str,
    "split": str,
    "row": str,
    "weight": str,
    "group": str,
    "cost": str,
    "prevalence": str,
}
"""What `[gate]` may hold: the options of the same name."""


def gate_settings(file: str | None = None, folder: str | Path = ".") -> tuple[dict[str, Any], str]:
    """The settings of the gate and the file they come from ('' if there is none).

    A named file has to be there. Otherwise the folder is looked into, and nothing above it.

    >>> gate_settings(folder="/nowhere")
    ({}, '')
    """
    if file is not None:
        path = Path(file)
        return _checked(_section(path, path.name == SHARED), file), file
    for name in (OWN, SHARED):
        path = Path(folder) / name
        if path.is_file():
            found = _section(path, name == SHARED)
            if found:
                return _checked(found, name), name
    return {}, ""


def _section(path: Path, shared: bool) -> Mapping[str, Any]:
    try:
        refuse_pipes(path)
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except InputError:
        raise
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error})") from None
    except (ValueError, RecursionError) as error:  # also numbers too long, lists too deep
        raise InputError(f"{path}: not a TOML file: {error}") from None
    for name in ("tool", "heliast") if shared else ():
        content = _table(content.get(name, {}), name, path)
    return _table(content.get("gate", {}), "gate", path)


def _table(value: Any, name: str, path: Path) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise InputError(f"{path}: [{name}] has to be a table")
    return value


def _checked(found: Mapping[str, Any], file: str) -> dict[str, Any]:
    for key, value in found.items():
        if key not in KEYS:
            raise InputError(f"{file}: [gate] does not know {key!r}; it knows {', '.join(KEYS)}")
        wanted = KEYS[key]
        fits = isinstance(value, (int, float) if wanted is float else wanted)
        if not fits or isinstance(value, bool):
            raise InputError(f"{file}: {key} = {value!r} has to be a {_word(wanted)}")
    if found.get("seed", 0) < 0:
        raise InputError(f"{file}: seed = {found['seed']} has to be 0 or more")
    for words in found.get("require", ()):
        if not isinstance(words, str):
            raise InputError(f"{file}: require holds {words!r}, which is not a string")
    return dict(found)


def _word(wanted: Any) -> str:
    return {list: "list of strings", float: "number", int: "whole number", str: "string"}[wanted]
