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
STARS = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
FIRST = ("Parameters", "Returns", "Yields", "Raises")
"""The sections that are told, in numpydoc's order; others keep their own behind these."""


def told(
    words: Mapping[str, str], returns: str = "", raises: str = "", yields: str = ""
) -> Callable[[T], T]:
    """Complete the Parameters, Returns (Yields) and Raises of a docstring.

    What the docstring itself tells of a parameter, of what is returned or raised, stays; `words`
    has `type: meaning` for the others, by name; `returns` and `yields` likewise; `raises` says when
    InputError is raised.

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

    def tell(thing: T) -> T:
        head, *rest = RULED.split(inspect.cleandoc(thing.__doc__ or ""))
        own = {title: text.rstrip() for title, text in zip(rest[::2], rest[1::2], strict=True)}
        both = {
            "Parameters": _parameters(thing, words, own.get("Parameters", "")),
            "Returns": _entry(returns) if returns else "",
            "Yields": _entry(yields) if yields else "",
            "Raises": _entry(f"InputError: {raises}") if raises else "",
            **{title: text for title, text in own.items() if title != "Parameters"},
        }
        order = [*FIRST, *(title for title in own if title not in FIRST)]
        sections = [f"{title}\n{'-' * len(title)}\n{both[title]}" for title in order
                    if both[title] or title in own]  # fmt: skip
        thing.__doc__ = "\n\n".join([head.rstrip(), *sections]).rstrip()
        return thing

    return tell


def _parameters(thing: Callable[..., Any], words: Mapping[str, str], own: str) -> str:
    """An entry for each parameter, in the order of the signature; own ones may name several."""
    entries: dict[str, str] = {}
    for entry in re.split(r"\n(?=\S)", own) if own else ():
        names = entry.partition("\n")[0].partition(" :")[0].split(", ")
        entries |= dict.fromkeys((name.lstrip("*") for name in names), entry)
    found: dict[str, None] = {}
    for name, one in inspect.signature(thing).parameters.items():
        if name not in ("self", "cls"):
            entry = entries.get(name) or f"{STARS.get(one.kind, '')}{name} : {_entry(words[name])}"
            found[entry] = None
    return "\n".join(found)


def _entry(words: str) -> str:
    kind, _, meaning = words.partition(": ")
    return f"{kind}\n" + textwrap.indent(textwrap.fill(meaning, 92), "    ")
