"""Docstrings of a family: what its members share is told once, and stands in all of them."""

import inspect
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

T = TypeVar("T", bound=Callable[..., Any])


TO_PREDICT = {
    "X": "array-like or frame: Rows to predict, (n, inputs).",
    "y": "array-like: True class of each row.",
    "sample_weight": "array-like, optional: Weight of each row; None is 1 each.",
}
"""What methods of scikit-learn's kind take when they predict or judge."""
TO_FIT = {**TO_PREDICT, "X": "array-like or frame: Training rows, (n, inputs)."}
FITTED = "Self: The fitted model."


def told(
    words: Mapping[str, str], returns: str = "", raises: str = "", yields: str = ""
) -> Callable[[T], T]:
    """Put Parameters, Returns (Yields) and Raises before the examples of a docstring.

    `words` has `type: meaning` for each parameter by name, in which order they are declared does
    not matter; `returns` and `yields` likewise; `raises` says when InputError is raised.

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
        for title, given in (("Returns", returns), ("Yields", yields)):
            if given:
                sections.append(_section(title, _entry(given)))
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
