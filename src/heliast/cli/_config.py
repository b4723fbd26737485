"""Settings from a file: `heliast.toml`, or `[tool.heliast]` in `pyproject.toml`.

Keys are the options of the verbs: at the top level for every verb that has them, in `[assess]`,
`[gate]`, ... for one. The command line comes before the section, the section before the top level.
"""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path
from types import UnionType
from typing import Any, NamedTuple, get_args, get_origin

from heliast._core.errors import InputError

OWN, SHARED = "heliast.toml", "pyproject.toml"
VERBS: dict[str, Mapping[str, Any]] = {}
"""What each verb may be told by a file, with its type; filled as verbs join the app."""
MOST = 1_000_000
"""Bytes of a file of settings; one that is larger is something else."""
WORDS = {list: "list of strings", float: "number", int: "whole number", str: "string",
         bool: "true or false"}  # fmt: skip


WORDED = ("cost", "prevalence", "classes", "order")
"""Texts that a file may hold as rows of numbers, a table or a list."""


class Settings(NamedTuple):
    """What a file says for a verb, the file's name ('' if there is none), the keys of its section.

    The other keys are of the top level, meant for whoever has a use for them.
    """

    told: Mapping[str, Any] = {}
    file: str = ""
    own: frozenset[str] = frozenset()


def settings(verb: str, file: str | None = None, folder: str | Path = ".") -> Settings:
    """What a file says for this verb.

    A named file has to be there. Otherwise the folder is looked into, and nothing above it.

    >>> settings("gate", folder="/nowhere").told
    {}
    """
    if file is not None:
        return _of_verb(verb, _content(Path(file)), file)
    for name in (OWN, SHARED):
        path = Path(folder) / name
        content = _content(path) if path.is_file() else {}
        if content:
            return _of_verb(verb, content, name)
    return Settings()


def _content(path: Path) -> dict[str, Any]:
    import tomllib

    from heliast._core.files import read_plain
    from heliast.tables.opened import refuse_pipes

    try:
        refuse_pipes(path)
        content = tomllib.loads(read_plain(path, MOST).decode("utf-8"))
    except InputError:
        raise
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error})") from None
    except (ValueError, RecursionError) as error:  # also numbers too long, lists too deep
        raise InputError(f"{path}: not a TOML file: {error}") from None
    # A file of our own may be written like the other.
    for name in ("tool", "heliast") if path.name == SHARED or {*content} == {"tool"} else ():
        content = _table(content.get(name, {}), name, path.name)
    return content


def _of_verb(verb: str, content: Mapping[str, Any], file: str) -> Settings:
    """The shared keys that the verb has, and over them those of its section; all are checked."""
    known = VERBS[verb]
    shared = {key: value for key, value in content.items() if key not in VERBS}
    sections = {name: _section(name, content[name], file) for name in VERBS if name in content}
    own = sections.get(verb, {})
    every = dict.fromkeys(key for keys in VERBS.values() for key in keys)
    for key, value in shared.items():
        if isinstance(value, dict) and key not in every:
            sections_are = ", ".join(f"[{one}]" for one in VERBS)
            raise InputError(
                f"{file}: no verb is called {key!r}{_near(key, VERBS)}; sections are {sections_are}"
            )
        if key not in every:
            said = f"no verb knows {key!r}{_near(key, every)}; {verb} knows {', '.join(known)}"
            raise InputError(f"{file}: {said}")
    told = {
        key: checked(key, value, known[key], file) for key, value in shared.items() if key in known
    }
    return Settings(told | own, file, frozenset(own))


def _near(word: str, known: Iterable[str]) -> str:
    near = get_close_matches(word, known, 1)
    return f" (did you mean {near[0]!r}?)" if near else ""


def _section(verb: str, content: Any, file: str) -> dict[str, Any]:
    """What a section says, if its verb has all these options."""
    known, section = VERBS[verb], _table(content, verb, file)
    for key in section:
        if key not in known:
            near = _near(key, known)
            raise InputError(
                f"{file}: [{verb}] does not know {key!r}{near}; it knows {', '.join(known)}"
            )
    return {key: checked(key, value, known[key], file) for key, value in section.items()}


def _table(value: Any, name: str, file: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise InputError(f"{file}: [{name}] has to be a table")
    return value


def _in_words(value: Any) -> Any:
    """Rows of numbers, names or shares as the command line has them; others as they are.

    >>> _in_words([[0, 1], [40, 0]]), _in_words({"a": 0.9, "b": 0.1}), _in_words(["a", "b"])
    ('0,1;40,0', 'a=0.9,b=0.1', 'a,b')
    """
    if isinstance(value, list) and value and all(isinstance(row, list) for row in value):
        rows = [_in_words(row) for row in value]
        return ";".join(rows) if all(isinstance(row, str) for row in rows) else value
    parts = [*value, *value.values()] if isinstance(value, dict) else value
    plain = all(type(one) in (str, int, float) and not {*",;="} & {*str(one)} for one in parts)
    if not plain:
        return value
    if isinstance(value, dict):
        return ",".join(f"{name}={share}" for name, share in value.items())
    return ",".join(map(str, value))


def checked(key: str, value: Any, hint: Any, file: str) -> Any:
    """The value as the option of this name takes it: one string may stand for a list of one, and
    numbers in rows (`cost`), a table (`prevalence`) or a list (`classes`) for their words.
    """
    first = get_args(hint)[0] if isinstance(hint, UnionType) else hint
    wanted = get_origin(first) or first
    if wanted is list and isinstance(value, str):
        value = [value]
    elif key in WORDED and isinstance(value, (list, dict)):
        value = _in_words(value)
    kinds: Any = {float: (int, float), str: (str, int, float)}.get(wanted, wanted)
    if not isinstance(value, kinds) or isinstance(value, bool) != (wanted is bool):
        raise InputError(f"{file}: {key} = {value!r} has to be a {WORDS[wanted]}")
    if wanted is int and value < 0:
        raise InputError(f"{file}: {key} = {value} has to be 0 or more")
    for word in value if wanted is list else ():
        if not isinstance(word, str):
            raise InputError(f"{file}: {key} holds {word!r}, which is not a string")
    return str(value) if wanted is str else value
