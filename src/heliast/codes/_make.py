"""A code by its name."""

from collections.abc import Callable
from typing import Any

import numpy.typing as npt

from heliast._core.errors import InputError
from heliast._core.kinds import Seed
from heliast._core.told import told
from heliast.codes._designed import designed
from heliast.codes._fixed import exhaustive, hadamard, identity
from heliast.codes._random import random
from heliast.codes._trained import trained
from heliast.codes.matrix import Code, as_code, dichotomies

USUAL = 200
"""Columns where the code leaves their number open: the most that the thesis uses."""

FIXED: dict[str, Callable[[int], Code]] = {
    "identity": identity,
    "exhaustive": exhaustive,
    "hadamard": hadamard,
}
"""Codes whose number of columns follows from the number of classes."""
OPEN: dict[str, Callable[..., Code]] = {"random": random, "designed": designed, "trained": trained}


@told(returns="tuple of str: The names, those of fixed size first.")
def names() -> tuple[str, ...]:
    """The names that `make` knows.

    Examples
    --------
    >>> names()
    ('identity', 'exhaustive', 'hadamard', 'random', 'designed', 'trained')
    """
    return (*FIXED, *OPEN)


@told(
    random,
    returns="array: The code, (k, columns).",
    raises="If there is no such name, or the code cannot have so many columns.",
)
def make(
    code: npt.ArrayLike,
    k: int,
    columns: int | None = None,
    seed: Seed = None,
    confusion: Callable[[], Any] | None = None,
) -> Code:
    """The code of that name for k classes, or the given array after a check.

    `columns=None` means the number that the code has, and where it is open 200, but no more than
    there are different questions. `confusion` is called for the counts that `trained` needs.

    Parameters
    ----------
    code : str or array-like
        One of `names()`, or the code itself.
    columns : int, optional
        Number of columns; None is what the code has, or what is usual.
    seed : Seed, optional
        Seed or generator, for the codes that are drawn or searched.
    confusion : callable, optional
        Gives the (k, k) counts that `trained` needs; called for that code only.

    Examples
    --------
    >>> make("random", 3, seed=0).shape
    (3, 3)
    """
    if not isinstance(code, str):
        return _of_size(as_code(code, k), columns, "the given code")
    if code in FIXED:
        return _of_size(FIXED[code](k), columns, f"code {code!r}")
    if code not in OPEN:
        raise InputError(f"code={code!r}: choose one of {', '.join(names())}, or give an array")
    size = min(USUAL, dichotomies(k)) if columns is None else columns
    if code != "trained":
        return OPEN[code](k, size, seed)
    if confusion is None:
        raise InputError("code='trained' needs the confusions of a first model")
    return trained(confusion(), size, seed)


def _of_size(code: Code, columns: int | None, what: str) -> Code:
    if columns is not None and columns != code.shape[1]:
        raise InputError(
            f"columns={columns}: {what} has {code.shape[1]} columns for {code.shape[0]} classes; "
            "leave columns open (None)"
        )
    return code
