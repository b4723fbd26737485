"""The decoders by name, with what each needs beside the answers and the code."""

from dataclasses import dataclass
from math import inf
from typing import Literal

from heliast._core.errors import InputError
from heliast.decoders.least_squares import Coding


@dataclass(frozen=True)
class Decoder:
    """Name and needs of a decoder.

    Parameters
    ----------
    name : str
        Its name in `find` and `CodedVote(decoder=)`.
    words : str
        What it does, in words.
    needs : {'lam', 'centroids', 'leaves'}, optional
        What it needs beside answers and code, or None.
    coding : {'signs', 'binary'}, optional
        The coding of a decoder that is linear in the answers; None for the others.
    penalty : float, optional
        The penalty of a linear decoder; None if `lam` gives it, or there is none.

    Examples
    --------
    >>> from heliast.decoders import find
    >>> find("ridge").needs
    'lam'
    """

    name: str
    words: str
    needs: Literal["lam", "centroids", "leaves"] | None = None
    coding: Coding | None = None
    penalty: float | None = None


DECODERS = (
    Decoder("l1", "nearest word in L1 distance", coding="signs", penalty=inf),
    Decoder("regression", "least squares, in 0 and 1", coding="binary", penalty=0.0),
    Decoder("ridge", "least squares with a penalty, in signs", "lam", "signs"),
    Decoder("ridge_binary", "least squares with a penalty, in 0 and 1", "lam", "binary"),
    Decoder("centroid", "nearest centroid of the training rows' answers", "centroids"),
    Decoder("substitution", "class shares in the leaves of the columns' trees", "leaves"),
    Decoder("hamming", "the word that agrees with most hard votes"),
    Decoder("loss_based", "least loss of the answers"),
)


def names() -> tuple[str, ...]:
    """Names of the decoders.

    Returns
    -------
    tuple of str
        The names, the usual one first.

    Examples
    --------
    >>> names()
    ('l1', 'regression', 'ridge', 'ridge_binary', 'centroid', 'substitution', 'hamming',
     'loss_based')
    """
    return tuple(decoder.name for decoder in DECODERS)


def find(name: str) -> Decoder:
    """Find the decoder of that name.

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
    for decoder in DECODERS:
        if decoder.name == name:
            return decoder
    raise InputError(f"decoder={name!r}: choose one of {', '.join(names())}")
