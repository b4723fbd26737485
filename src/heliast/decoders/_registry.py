"""The decoders by name, with what each needs beside the answers and the code."""

from dataclasses import dataclass
from typing import Literal

from heliast._core.errors import InputError

Need = Literal["lam", "centroids", "leaves"]


@dataclass(frozen=True)
class Decoder:
    """A decoder's name, what it needs, and what it does in words.

    Parameters
    ----------
    name : str
        What `find` and `CodedVote(decoder=)` call it.
    words : str
        What it does, in words.
    needs : {'lam', 'centroids', 'leaves'}, optional
        What it needs beside answers and code, or None.

    Examples
    --------
    >>> from heliast.decoders import find
    >>> find("ridge").needs
    'lam'
    """

    name: str
    words: str
    needs: Need | None = None


_ALL = (
    Decoder("l1", "nearest word in L1 distance"),
    Decoder("regression", "least squares"),
    Decoder("ridge", "least squares with a penalty, in signs", "lam"),
    Decoder("centroid", "nearest centre of the training rows' answers", "centroids"),
    Decoder("substitution", "class shares in the leaves of the columns' trees", "leaves"),
    Decoder("hamming", "the word that agrees with most hard votes"),
    Decoder("loss_based", "least loss of the answers"),
)
DECODERS = {decoder.name: decoder for decoder in _ALL}


def names() -> tuple[str, ...]:
    """The names of the decoders.

    Returns
    -------
    tuple of str
        The names, the usual one first.

    Examples
    --------
    >>> names()
    ('l1', 'regression', 'ridge', 'centroid', 'substitution', 'hamming', 'loss_based')
    """
    return tuple(DECODERS)


def find(name: str) -> Decoder:
    """The decoder of that name.

    Parameters
    ----------
    name : str
        One of `names()`.

    Returns
    -------
    Decoder
        Its name, words and needs.

    Raises
    ------
    InputError
        If there is no decoder of that name.

    Examples
    --------
    >>> find("l1").words
    'nearest word in L1 distance'
    """
    if name not in DECODERS:
        raise InputError(f"decoder={name!r}: choose one of {', '.join(DECODERS)}")
    return DECODERS[name]
