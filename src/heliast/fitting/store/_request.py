"""What a command asked for, as data: no words of a command line, nothing that acts by itself."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

from heliast._core.records import as_dict
from heliast._core.told import told

Value = str | int | float | bool | tuple[str, ...]
MANY = 100_000
"""More entries than that are in no request: whoever reads a stranger's record stops there."""


@dataclass(frozen=True)
class Request:
    """What a command asked for: enough to ask it again, and nothing else.

    Where results are written, which machines do the work and which types are trusted is said
    anew by whoever asks again. Which options there are, and what they may say, is for the reader
    of a request to check: it may come from anywhere.

    Parameters
    ----------
    verb : str
        The verb, such as `run`.
    data : tuple of str
        The data: paths, or names of bundled sets.
    models : tuple of str
        The models in words.
    options : mapping
        Options of the question and of the fitting by name, as they were said.
    settings : mapping
        Options by name, as a file of settings gave them.
    section : tuple of str
        Those settings that stood in the section of the verb.
    files : mapping of str to str
        Size and checksum of each file that was read.
    anew : tuple of str
        What else was said, to be shown: outputs, engine, trust, jobs.
    folder : str
        The folder where it was asked; paths start from there.

    Examples
    --------
    >>> Request.of({"verb": "run", "data": ["iris.csv"], "options": {"seed": 3}}).options
    {'seed': 3}
    """

    verb: str
    data: tuple[str, ...]
    models: tuple[str, ...] = ()
    options: Mapping[str, Value] = field(default_factory=dict)
    settings: Mapping[str, Value] = field(default_factory=dict)
    section: tuple[str, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict)
    anew: tuple[str, ...] = ()
    folder: str = ""

    @told({}, returns="dict: Names and plain values, as `of` takes them.")
    def to_dict(self) -> dict[str, object]:
        """The fields as plain values."""
        return as_dict(self)

    @classmethod
    def of(cls, said: Mapping[str, object]) -> "Request":
        """The request that plain values, as in JSON, tell.

        Parameters
        ----------
        said : mapping
            The fields by name, as plain values.

        Returns
        -------
        Request
            The same as a record.

        Raises
        ------
        ValueError
            If a value is of another kind than it should be, or a field is unknown.
        """
        fields = _mapping(said)
        kinds = {
            "verb": text, "data": _texts, "models": _texts, "options": _values,
            "settings": _values, "section": _texts, "files": _marks, "anew": _texts,
            "folder": text,
        }  # fmt: skip
        if not set(fields) <= set(kinds) or not {"verb", "data"} <= set(fields):
            raise ValueError("no request")
        told: dict[str, Any] = {name: kinds[name](value) for name, value in fields.items()}
        return cls(**told)


def text(value: object) -> str:
    """The value, which has to be a text of a length that somebody may have typed."""
    if not isinstance(value, str) or len(value) > MANY:
        raise ValueError("not a text")
    return value


def whole(value: object, least: int = 0) -> int:
    """The value, which has to be a whole number of a size that somebody may have typed."""
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value < 10**40:
        raise ValueError("not a whole number")
    return value


def _mapping(value: object) -> dict[str, object]:
    if not isinstance(value, dict) or len(value) > MANY:
        raise ValueError("not a mapping")
    return {text(name): item for name, item in value.items()}


def _texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, (list, tuple)) or len(value) > MANY:
        raise ValueError("not a list")
    return tuple(text(item) for item in value)


def _marks(value: object) -> dict[str, str]:
    return {name: text(item) for name, item in _mapping(value).items()}


def _values(value: object) -> dict[str, Value]:
    return {name: _value(item) for name, item in _mapping(value).items()}


def _value(value: object) -> Value:
    if isinstance(value, (list, tuple)):
        return _texts(value)
    if isinstance(value, bool) or (isinstance(value, float) and isfinite(value)):
        return value
    return whole(value, -(10**40)) if isinstance(value, int) else text(value)
