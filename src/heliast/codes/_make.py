"""Codes by name."""

from collections.abc import Callable
from typing import Any

from heliast._core.errors import InputError
from heliast._core.kinds import ArrayLike, Seed
from heliast.codes._constructed import exhaustive, hadamard, identity, random
from heliast.codes._searched import designed, trained
from heliast.codes.matrix import Code, as_code, dichotomies

# Codes whose number of columns follows from the number of classes, and the others.
FIXED = {"identity": identity, "exhaustive": exhaustive, "hadamard": hadamard}
OPEN: dict[str, Callable[..., Code]] = {"random": random, "designed": designed, "trained": trained}
ALIASES = {"ovr": "identity", "one-vs-rest": "identity", "ecoc": "random"}
USUAL = 200  # columns where the code leaves their number open: the most that the thesis uses


def names() -> tuple[str, ...]:
    """Names of the codes that `make` knows.

    Returns
    -------
    tuple of str
        The names, those of fixed size first.

    Examples
    --------
    >>> names()
    ('identity', 'exhaustive', 'hadamard', 'random', 'designed', 'trained')
    """
    return (*FIXED, *OPEN)


def make(
    code: ArrayLike,
    k: int,
    columns: int | None = None,
    seed: Seed = None,
    confusion: Callable[[], Any] | None = None,
) -> Code:
    """Code of that name for k classes, or the given array after a check.

    Parameters
    ----------
    code : str or array-like
        One of `names()`, also `ovr` or `one-vs-rest` (identity) and `ecoc` (random); or the code
        itself, (k, B).
    k : int
        Number of classes, at least 2.
    columns : int, optional
        Number of columns. None means what the code has, and where it is open 200, but no more than
        there are different binary problems.
    seed : Seed, optional
        Seed or generator, for codes that are random or searched.
    confusion : callable, optional
        Returns the (k, k) confusion matrix that `trained` needs; called for that code only.

    Returns
    -------
    array
        The code, (k, columns).

    Raises
    ------
    InputError
        If there is no such name, or the code cannot have so many columns.

    Examples
    --------
    >>> make("random", 3, seed=0).shape
    (3, 3)
    >>> make("ovr", 4).shape
    (4, 4)
    """
    name = ALIASES.get(code, code) if isinstance(code, str) else "the given code"
    if name in OPEN:
        size = min(USUAL, dichotomies(k)) if columns is None else columns
        if name != "trained":
            return OPEN[name](k, size, seed)
        if confusion is None:
            raise InputError("code='trained' needs the confusion matrix of a first model")
        return trained(confusion(), size, seed)
    if isinstance(code, str) and name not in FIXED:
        raise InputError(f"code={code!r}: choose one of {', '.join(names())}, or give an array")
    matrix = FIXED[name](k) if name in FIXED else as_code(code, k)
    if columns is not None and columns != matrix.shape[1]:
        raise InputError(
            f"columns={columns}: {name} has {matrix.shape[1]} columns for {k} classes; "
            "leave columns open (None)"
        )
    return matrix
