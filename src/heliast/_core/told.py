"""Docstrings of a family: what its members share is told once, and stands in all of them."""

import inspect
import re
import textwrap
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, TypeVar, cast

T = TypeVar("T", bound=Callable[..., Any])


TO_PREDICT = {
    "X": "array-like or frame: Rows to predict, (n, inputs).",
    "y": "array-like: True class of each row.",
    "sample_weight": "array-like, optional: Weight of each row; None is 1 each.",
}
"""What methods of scikit-learn's kind take when they predict or judge."""
TO_FIT = {**TO_PREDICT, "X": "array-like or frame: Training rows, (n, inputs)."}
FITTED = "Self: The fitted model."

RULE = re.compile(r"\n-{3,}(?:\n|\Z)")
PARAMETERS, WIDE = "Parameters", 92
NOTHING: Mapping[str, str] = {}


def told(
    words: Mapping[str, str] | Callable[..., Any] = NOTHING,
    returns: str = "",
    raises: str = "",
    yields: str = "",
) -> Callable[[T], T]:
    """Complete the Parameters, Returns (Yields) and Raises of a docstring.

    What the docstring itself tells of a parameter, of what is returned or raised, stays; `words`
    has `type: meaning` for the others, by name, or is a function or class whose docstring tells
    them; `returns` and `yields` are likewise; `raises` says when InputError is raised.

    >>> @told({"x": "float: What is multiplied."}, returns="float: The product.")
    ... def times(x, by=2):
    ...     '''x by a number.
    ...
    ...     Parameters
    ...     ----------
    ...     by : float, default 2
    ...         How often.
    ...
    ...     Examples
    ...     --------
    ...     '''
    >>> print(times.__doc__)
    x by a number.
    <BLANKLINE>
    Parameters
    ----------
    x : float
        What is multiplied.
    by : float, default 2
        How often.
    <BLANKLINE>
    Returns
    -------
    float
        The product.
    <BLANKLINE>
    Examples
    --------
    """

    shared = words if isinstance(words, Mapping) else _told_by(words)

    def tell(thing: T) -> T:
        own = _sections(thing)
        if not own[""]:  # python -OO
            return thing
        entries = _entries(own.get(PARAMETERS, ""))
        found: dict[str, None] = {}  # as they are declared; one entry may name several
        for starred in _parameters(thing):
            name = starred.lstrip("*")
            found[entries.get(name) or _named(starred, shared[name])] = None
        more = {
            "": "",
            PARAMETERS: "\n".join(found),
            "Returns": returns and _entry(returns),
            "Yields": yields and _entry(yields),
            "Raises": raises and _entry(f"InputError: {raises}"),
        }
        sections = {**more, **own, PARAMETERS: more[PARAMETERS]}
        thing.__doc__ = "\n\n".join(
            f"{title}\n{'-' * len(title)}\n{text}" if title else text
            for title, text in sections.items()
            if text or title in own
        ).rstrip()
        return thing

    return tell


def _parameters(thing: Callable[..., Any]) -> list[str]:
    """The names, with their stars; by the code, as `inspect.signature` takes long at import."""
    code = (cast("Any", thing).__init__ if isinstance(thing, type) else thing).__code__
    names, n = code.co_varnames, code.co_argcount
    end = n + code.co_kwonlyargcount
    rest = names[end:]
    more = [f"*{rest[0]}"] if code.co_flags & inspect.CO_VARARGS else []
    last = [f"**{rest[len(more)]}"] if code.co_flags & inspect.CO_VARKEYWORDS else []
    every = [*names[:n], *more, *names[n:end], *last]
    return [name for name in every if name not in ("self", "cls")]


def _sections(thing: Callable[..., Any]) -> dict[str, str]:
    """The sections of a docstring by title; what stands before the first under ''."""
    *parts, last = RULE.split(inspect.cleandoc(thing.__doc__ or ""))
    title, found = "", {}
    for part in parts:
        text, _, following = part.rpartition("\n")
        found[title] = text.rstrip()
        title = following
    return {**found, title: last.rstrip()}


@cache
def _told_by(thing: Callable[..., Any]) -> dict[str, str]:
    return _entries(_sections(thing).get(PARAMETERS, ""))


def _entries(text: str) -> dict[str, str]:
    """The entry of each parameter in a section, whole."""
    found: dict[str, str] = {}
    for entry in re.split(r"\n(?=\S)", text) if text else ():
        names = entry.partition("\n")[0].partition(" :")[0].split(", ")
        found |= {name.lstrip("*"): entry for name in names}
    return found


def _named(name: str, words: str) -> str:
    """The entry of a parameter: of words, or whole already."""
    return words if "\n" in words else f"{name} : {_entry(words)}"


def _entry(words: str) -> str:
    kind, _, meaning = words.partition(": ")
    lines = [meaning] if len(meaning) <= WIDE else textwrap.wrap(meaning, WIDE)
    return "\n    ".join([kind, *lines])
