"""What a command asks for as data, and the command again from data, by a closed list.

A record may come from anywhere. Of what it says only this reaches a command: a verb that fits
models, names of data and of models, and options that a file of settings may give, too (they name
columns, measures, plans and numbers: `_config.VERBS`), each checked for its type.
"""

import hashlib
import os
import re
import stat
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args, get_origin

import typer

from heliast._core.errors import InputError
from heliast.cli import _config, _words
from heliast.cli._app import app
from heliast.cli._verb import said, settings_of

if TYPE_CHECKING:
    from heliast.fitting.store import Request

VERBS = ("run", "benchmark", "assess", "compare", "combine", "explain", "fit")
"""The verbs that fit models."""
SWITCHES = ("in_sample", "shortcuts", "as_json")
"""Options that no file of settings gives, and that act on nothing but the answer."""
MODELS = ("model", "base")
ANEW = ("output", "report", "engine", "trust", "jobs")
"""Options that write, reach other machines, run code or load this one: they are never recorded
to be given again, only to be shown."""
UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Signs that steer a terminal, break a line or are none."""


def kinds(verb: str) -> dict[str, Any]:
    """The options that a record may hold for this verb, with their types: the closed list."""
    names = {str(option.name) for option in _parameters(verb)}
    told = {
        name: hint
        for name, hint in _config.VERBS[verb].items()
        if name not in (*MODELS, *ANEW)
    }  # fmt: skip
    return told | {name: bool for name in SWITCHES if name in names}


def _parameters(verb: str) -> Sequence[Any]:
    group: Any = typer.main.get_command(app)
    return list(group.commands[verb].params)


def _data(verb: str) -> str:
    """What the verb calls its data."""
    every = _parameters(verb)
    return next(str(one.name) for one in every if one.param_type_name == "argument")


# --- from a command to data --------------------------------------------------------------------


def request_of(context: typer.Context) -> "Request":
    """What this command asks for, with the content of the files that it reads."""
    line = {
        str(option.name): context.params[str(option.name)]
        for option in context.command.params
        if said(context, str(option.name))
    }
    request = _sorted(str(context.info_name), line, os.getcwd())
    settings = settings_of(context)
    known = kinds(request.verb)
    told = {name: _frozen(value) for name, value in settings.told.items() if name in known}
    section = tuple(sorted(settings.own & set(told)))
    request = replace(request, settings=told, section=section)
    return replace(request, files={name: _mark(path) for name, path in Places(request).files()})


def request_of_words(words: Sequence[str], folder: str) -> "Request":
    """What the words of a command asked for, in records of old: nothing but the closed list."""
    verb, line = _read(words)
    return _sorted(verb, line, folder)


def _sorted(verb: str, line: Mapping[str, Any], folder: str) -> "Request":
    """What stands on a command line: data, models, options, and what is to be said anew."""
    from heliast.fitting.store import Request

    known, options = kinds(verb), {str(option.name): option for option in _parameters(verb)}
    models = [word for name in MODELS for word in _listed(line.get(name) or ())]
    if verb == "benchmark":
        models = [part for word in models for part in _words.parted(word)]
    return Request(
        verb,
        tuple(_listed(line.get(_data(verb)) or ())),
        tuple(str(_words.Spoken.of(word)) for word in models),
        {name: _frozen(line[name]) for name in sorted(line) if name in known},
        anew=tuple(
            f"{options[name].opts[0]} {word}"
            for name in ANEW
            for word in _listed(line.get(name) or ())
        ),
        folder=folder,
    )


def _listed(value: Any) -> list[str]:
    return [str(word) for word in value] if isinstance(value, (list, tuple)) else [str(value)]


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _read(words: Sequence[str]) -> tuple[str, dict[str, Any]]:
    """Verb and options of recorded words: whole names only, and each must be known."""
    left = [word for word in words if word not in ("--quiet", "-q", "--no-color")]
    verb = left.pop(0) if left else ""
    if verb not in VERBS:
        raise InputError(f"its command is no command that fits models: {verb!r:.60}")
    options = {name: one for one in _parameters(verb) for name in (*one.opts, *one.secondary_opts)}
    hints = kinds(verb)
    line: dict[str, Any] = {}
    while left:
        word = left.pop(0)
        spoken, equals, value = word.partition("=")
        option = options.get(spoken)
        if not word.startswith("-"):
            line.setdefault(_data(verb), []).append(word)
        elif option is None:
            raise InputError(f"its command says {word!r:.60}, which is no option of {verb}")
        elif option.is_flag:
            line[str(option.name)] = spoken in option.opts
        elif not equals and not left:
            raise InputError(f"its command ends with {word!r:.60}, without a value")
        else:
            name, text = str(option.name), value if equals else left.pop(0)
            _add(line, name, text, hints.get(name, str), option.multiple)
    return verb, line


def _add(line: dict[str, Any], name: str, text: str, hint: Any, multiple: bool) -> None:
    if multiple:
        line.setdefault(name, []).append(text)
        return
    kind = get_args(hint)[0] if get_args(hint) and get_origin(hint) is not list else hint
    try:
        line[name] = kind(text) if kind in (int, float) else text
    except ValueError:
        raise InputError(f"its command says --{name} {text!r:.60}, which is no number") from None


# --- from data to a command --------------------------------------------------------------------


def checked(request: "Request") -> "Request":
    """The request, if it keeps to the closed list; what is checked is what is given again."""
    if request.verb not in VERBS:
        raise InputError(f"its verb is {request.verb!r:.60}, which fits no models")
    known = kinds(request.verb)
    for text in _texts(request):
        if UNSEEN.search(text):
            raise InputError(f"it says {text!r:.60}: signs that cannot be seen are not given again")
    if not request.data:
        raise InputError("it names no data")
    if request.verb != "benchmark" and len(request.data) > 1:
        raise InputError(f"it names {len(request.data)}, where {request.verb} has one file of data")
    if request.verb == "combine" and len(request.models) > 1:
        raise InputError(f"it names {len(request.models)} models, where combine has one")
    for name in (*request.options, *request.settings):
        if name not in known:
            raise InputError(f"it gives the option {name!r:.60}, which no record may give")
    return replace(
        request,
        models=tuple(_model(word, request.verb) for word in request.models),
        options=_typed(request.options, known),
        settings=_typed(request.settings, known),
    )


def _model(word: str, verb: str) -> str:
    again = str(_words.Spoken.of(word))
    if verb == "benchmark" and _words.parted(again) != [again]:
        raise InputError(f"its model {word!r:.60} cannot be told from several")
    return again


def _typed(values: Mapping[str, Any], known: Mapping[str, Any]) -> dict[str, Any]:
    plain = {name: list(v) if isinstance(v, tuple) else v for name, v in values.items()}
    return {
        name: _frozen(_config.checked(name, value, known[name], "its record"))
        for name, value in plain.items()
    }


def _texts(request: "Request") -> Iterator[str]:
    yield from (*request.data, *request.models, request.folder)
    for values in (request.options, request.settings):
        for name, value in values.items():
            yield name
            yield from _listed(value)


def words_of(request: "Request", store: str, given: Mapping[str, Any] | None = None) -> list[str]:
    """The words after `heliast` that ask for it again, with what is given anew."""
    options = {str(option.name): option for option in _parameters(request.verb)}
    words = [request.verb, *(f"./{word}" if word[:1] == "-" else word for word in request.data)]
    name = next(name for name in MODELS if name in options)
    for word in request.models:
        words += _said(options[name].opts[0], word)
    for name, value in request.options.items():
        option = options[name]
        if isinstance(value, bool):
            words += (option.opts if value else option.secondary_opts)[:1]
        else:
            for word in _listed(value):
                words += _said(option.opts[0], word)
    words += _said("--store", store)
    for name, value in (given or {}).items():
        if value is not None and name not in options:
            raise InputError(f"{request.verb}, which goes on here, has no --{name}")
        for word in [] if value is None else _listed(value):
            words += _said(options[name].opts[0], word)
    return words


def _said(option: str, value: str) -> list[str]:
    """An option with its value, which is no option even if it looks like one."""
    return [f"{option}={value}"] if value.startswith("-") else [option, value]


# --- files -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Places:
    """Where the files are that a request names."""

    request: "Request"

    @property
    def base(self) -> Path:
        """The folder that names start from: where it was asked, or here if that is gone."""
        folder = Path(self.request.folder or ".")
        return folder if folder.is_absolute() and folder.is_dir() else Path.cwd()

    def here(self) -> "Request":
        """The request with names that start from where we are."""
        if _real(self.base) == _real(Path.cwd()):
            return self.request
        return replace(
            self.request,
            data=tuple(one if _is_bundled(one) else self._there(one) for one in self.request.data),
            models=tuple(self._model_there(word) for word in self.request.models),
            options=self._costs_there(self.request.options),
            settings=self._costs_there(self.request.settings),
        )

    def _there(self, word: str) -> str:
        return str(self._at(word))

    def _model_there(self, word: str) -> str:
        spoken = _words.Spoken.of(word)
        return str(replace(spoken, path=self._there(spoken.path)) if spoken.is_file else spoken)

    def _costs_there(self, values: Mapping[str, Any]) -> dict[str, Any]:
        return {k: self._there(v) if _is_costs(k, v) else v for k, v in values.items()}

    def files(self) -> Iterator[tuple[str, Path]]:
        """Every file that is read, by the name that the request has for it."""
        from heliast.verbs.sources import inside

        for word in self.named():
            path = self._at(word)
            if self.request.verb == "benchmark" and path.is_dir():
                yield from ((str(Path(word) / file.name), file) for file in inside(path))
            else:
                yield word, path

    def named(self) -> Iterator[str]:
        """The names of files and folders in the request."""
        yield from (word for word in self.request.data if not _is_bundled(word))
        for word in self.request.models:
            spoken = _words.Spoken.of(word)
            if spoken.is_file:
                yield spoken.path
        for values in (self.request.options, self.request.settings):
            yield from (str(value) for name, value in values.items() if _is_costs(name, value))

    def outside(self, store: Path) -> list[str]:
        """What lies neither in the folder where we are nor in the store, or is hidden there."""
        homes = [_real(Path.cwd()), _real(store)]
        named = [self._at(word) for word in self.named()]
        every = dict.fromkeys(_real(path) for path in (*named, *dict(self.files()).values()))
        return [str(path) for path in every if not any(_lies(path, home) for home in homes)]

    def changed(self) -> str:
        """Which file is not what it was, in words; empty if all are, or it is not on record."""
        there = dict(self.files())
        for name, path in there.items():
            _refuse_no_file(path, name)
        before = self.request.files
        if not before:
            return ""
        for name in before:
            if name not in there:
                return f"{name} is gone"
        for name, path in there.items():
            if name not in before:
                return f"{name} is new"
            if _mark(path, before[name]) != before[name]:
                return f"{name} has changed"
        return ""

    def _at(self, word: str) -> Path:
        try:
            return self.base / Path(word).expanduser()
        except RuntimeError as error:  # ~nobody
            raise InputError(f"{word}: cannot be found ({error})") from None


def _is_bundled(word: str) -> bool:
    from heliast.data import BUNDLED

    return word.startswith(BUNDLED)


def _is_costs(name: str, value: object) -> bool:
    return name == "cost" and Path(str(value)).suffix == ".csv"


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))  # links that go round are no error here


def _lies(path: Path, home: Path) -> bool:
    """Whether a path is in a folder, and in none that is hidden there."""
    try:
        return not any(part.startswith(".") for part in path.relative_to(home).parts)
    except ValueError:
        return False


def _refuse_no_file(path: Path, name: str) -> None:
    from heliast.tables.opened import refuse_pipes

    try:
        refuse_pipes(path)
        there = path.exists()
    except (OSError, ValueError) as error:
        raise InputError(f"{name}: cannot be read ({error})") from None
    if not there:
        raise InputError(f"{name} is gone: there is no file {path}")


HOLES = 1000
"""A file whose size is so many times what the disk holds of it is not read to its end."""


def _mark(path: Path, before: str = "") -> str:
    """Size and checksum of a file; the size alone if it is another than before."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    with open(handle, "rb") as file:
        size = os.fstat(handle).st_size
        if size > HOLES * max(getattr(os.fstat(handle), "st_blocks", size) * 512, 1 << 20):
            raise InputError(f"{path}: a file of {size:,} bytes that holds next to nothing")
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            return "no file"
        if before and not before.startswith(f"{size}-"):
            return f"{size}"
        return f"{size}-{hashlib.file_digest(file, 'sha256').hexdigest()[:32]}"
