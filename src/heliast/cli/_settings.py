"""Settings from a file: `heliast.toml`, or `[tool.heliast]` in `pyproject.toml`.

Keys are options of the commands: at the top level for every command that has them, in `[assess]`,
`[gate]`, ... for one. The command line comes before the section, the section before the top level.
"""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from heliast._core.errors import InputError

OWN, SHARED = "heliast.toml", "pyproject.toml"
MOST_BYTES = 1_000_000

# What a file may say. It lies in a folder that may be a stranger's, so it never names processes,
# engines, outputs, models or code. `model` is the column of model names, not a model to fit.
COLUMNS = """y_true y_pred y_score model split row weight group time grade attempt keep
             target ignore positive classes order bounds task scores weights fixed_classes
             drop_missing common_rows by
             model_column separator decimal_separator"""
QUESTION = """measure level interval test margin correction cost prevalence threshold role in_train
              seed stages plan nested n_estimators times method require looks to what spread pool"""
KEYS = frozenset(f"{COLUMNS} {QUESTION}".split())


def read_settings(
    command: str, commands: Mapping[str, Any], path: str | None = None, folder: str | Path = "."
) -> tuple[str, dict[str, Any]]:
    """What a file says for one of the commands: the file's name, and values by option.

    A named file has to exist. Otherwise the folder is searched, and nothing above it.
    """
    known = {name: _options(one) for name, one in commands.items()}
    for name in [path] if path is not None else (OWN, SHARED):
        file = Path(folder) / name
        if path is not None or file.is_file():
            content = _content(file)
            if content or path is not None:
                return str(name), _values(command, content, known, file)
    return "", {}


def _options(command: Any) -> dict[str, bool]:
    """The options that a file may give to a command, and whether they may be repeated."""
    options = {param.name: getattr(param, "multiple", False) for param in command.params}
    banned = {"level"} if command.name == "gate" else set()
    if "target" in options:  # it fits models
        banned.add("model")
    return {name: options[name] for name in options if name in KEYS - banned}


def _content(path: Path) -> dict[str, Any]:
    import tomllib

    from heliast._core.files import read_plain

    try:
        content = tomllib.loads(read_plain(path, MOST_BYTES).decode("utf-8"))
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error})") from None
    except (ValueError, RecursionError) as error:  # also numbers too long, lists too deep
        raise InputError(f"{path}: not a TOML file: {error}") from None
    if path.name == SHARED or {*content} == {"tool"}:
        for name in ("tool", "heliast"):
            content = _table(content.get(name, {}), name, path)
    return content


def _values(
    command: str, content: dict[str, Any], known: Mapping[str, Mapping[str, bool]], file: Path
) -> dict[str, Any]:
    """The top-level keys that the command has, and over them those of its section."""
    sections = {name: _table(content.pop(name), name, file) for name in known if name in content}
    options = {option: None for one in known.values() for option in one}
    for key, value in content.items():
        if key not in options:
            kind = "section" if isinstance(value, dict) else "setting"
            names = [f"[{name}]" for name in known] if isinstance(value, dict) else known[command]
            near = _near(key, known if isinstance(value, dict) else options)
            raise InputError(f"{file}: no {kind} {key!r}{near}; there are {', '.join(names)}")
    for section, keys in sections.items():
        for key in keys:
            if key not in known[section]:
                near = _near(key, known[section])
                raise InputError(
                    f"{file}: [{section}] has no {key!r}{near}; it has {', '.join(known[section])}"
                )
    mine = {**content, **sections.get(command, {})}
    return {
        key: _as_words(key, value, known[command][key], file)
        for key, value in mine.items()
        if key in known[command]
    }


def _near(word: str, known: Iterable[str]) -> str:
    near = get_close_matches(word, known, 1)
    return f" (did you mean {near[0]!r}?)" if near else ""


def _table(value: Any, name: str, file: Path) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise InputError(f"{file}: [{name}] has to be a table")
    return value


def _as_words(key: str, value: Any, repeated: bool, file: Path) -> Any:
    """A value as the command line has it: rows of numbers, tables and lists become one word.

    >>> file = Path("heliast.toml")
    >>> _as_words("cost", [[0, 1], [40, 0]], False, file)
    '0,1;40,0'
    """
    if repeated:
        return [str(part) for part in (value if isinstance(value, list) else [value])]
    if key == "cost" and isinstance(value, str) and value.endswith(".csv"):
        return _path_inside(value, file)
    if isinstance(value, list) and all(isinstance(row, list) for row in value):
        return ";".join(_as_words(key, row, False, file) for row in value)
    if isinstance(value, (dict, list)):
        parts = [f"{k}={v}" for k, v in value.items()] if isinstance(value, dict) else value
        if any("," in str(part) or ";" in str(part) for part in parts):
            raise InputError(f"{file}: {key} = {value!r}: a part holds , or ;")
        return ",".join(map(str, parts))
    return value


def _path_inside(value: str, file: Path) -> str:
    """A path in a settings file starts from its folder, and does not leave it."""
    path = (file.parent / value).resolve()
    if not path.is_relative_to(file.parent.resolve()):
        raise InputError(f"{file}: {value!r} is not in the folder of this file")
    return str(path)
