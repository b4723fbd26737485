"""Docstrings of a family: what its members share is told once, and stands in all of them."""

import inspect
import re
import textwrap
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

RULED = re.compile(r"^([A-Z][\w ]*)\n-{3,}(?:\n|\Z)", re.MULTILINE)
PARAMETERS = "Parameters"
STARS: dict[Any, str] = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}


def told(
    words: Mapping[str, str] | Callable[..., Any],
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

    shared = words if isinstance(words, Mapping) else _entries(_sections(words).get(PARAMETERS, ""))

    def tell(thing: T) -> T:
        own = _sections(thing)
        if not own[""]:  # python -OO
            return thing
        entries = _entries(own.get(PARAMETERS, ""))
        found: dict[str, None] = {}  # in the order of the signature; one entry may name several
        for name, one in inspect.signature(thing).parameters.items():
            if name not in ("self", "cls"):
                found[entries.get(name) or _named(one, shared[name])] = None
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


def _sections(thing: Callable[..., Any]) -> dict[str, str]:
    """The sections of a docstring by title; what stands before the first under ''."""
    head, *rest = RULED.split(inspect.cleandoc(thing.__doc__ or ""))
    titled = zip(rest[::2], rest[1::2], strict=True)
    return {"": head.rstrip(), **{title: text.rstrip() for title, text in titled}}


def _entries(text: str) -> dict[str, str]:
    """The entry of each parameter in a section, whole."""
    found: dict[str, str] = {}
    for entry in re.split(r"\n(?=\S)", text) if text else ():
        names = entry.partition("\n")[0].partition(" :")[0].split(", ")
        found |= {name.lstrip("*"): entry for name in names}
    return found


def _named(one: inspect.Parameter, words: str) -> str:
    """The entry of a parameter: of words, or whole already."""
    if "\n" in words:
        return words
    return f"{STARS.get(one.kind, '')}{one.name} : {_entry(words)}"


def _entry(words: str) -> str:
    kind, _, meaning = words.partition(": ")
    return f"{kind}\n" + textwrap.indent(textwrap.fill(meaning, 92), "    ")
