"""Docstrings of a family: what its members share is told once, and stands in all of them."""

import inspect
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

T = TypeVar("T", bound=Callable[..., Any])


def told(words: Mapping[str, str], returns: str = "", raises: str = "") -> Callable[[T], T]:
    """Put Parameters, Returns and Raises before the examples of a function's or class's docstring.

    `words` has `type: meaning` for each parameter by name, in which order they are declared does
    not matter; `returns` likewise; `raises` says when InputError is raised.

    >>> @told({"x": "float: What is doubled."}, returns="float: Twice that.")
    ... def twice(x):
    ...     '''Twice x.
    ...
    ...     Examples
    ...     --------
    ...     '''
    >>> print(twice.__doc__)
    Twice x.
    <BLANKLINE>
    Parameters
    ----------
    x : float
        What is doubled.
    <BLANKLINE>
    Returns
    -------
    float
        Twice that.
    <BLANKLINE>
    Examples
    --------
    """

    def tell(thing: T) -> T:
        names = [name for name in inspect.signature(thing).parameters if name != "self"]
        entries = [f"{name} : {_entry(words[name])}" for name in names]
        sections = [_section("Parameters", *entries)] if entries else []
        if returns:
            sections.append(_section("Returns", _entry(returns)))
        if raises:
            sections.append(_section("Raises", f"InputError\n    {raises}"))
        text = inspect.cleandoc(thing.__doc__ or "")
        head, mark, tail = text.partition("Examples\n--------")
        thing.__doc__ = "\n\n".join([head.rstrip(), *sections, mark + tail]).rstrip()
        return thing

    return tell


def _section(title: str, *entries: str) -> str:
    return "\n".join([title, "-" * len(title), *entries])


def _entry(words: str) -> str:
    kind, _, meaning = words.partition(": ")
    return f"{kind}\n    {meaning}"
