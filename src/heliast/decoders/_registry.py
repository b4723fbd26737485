"""The decoders by name, with what each needs beside the answers and the code."""

from dataclasses import dataclass
from math import inf
from typing import Literal

from heliast._core.errors import InputError
from heliast._core.told import told
from heliast.decoders.least_squares import Coding

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
    needs: Need | None = None
    coding: Coding | None = None
    penalty: float | None = None


_ALL = (
    Decoder("l1", "nearest word in L1 distance", coding="signs", penalty=inf),
    Decoder("regression", "least squares, in 0 and 1", coding="binary", penalty=0.0),
    Decoder("ridge", "least squares with a penalty, in signs", "lam", "signs"),
    Decoder("ridge_binary", "least squares with a penalty, in 0 and 1", "lam", "binary"),
    Decoder("centroid", "nearest centre of the training rows' answers", "centroids"),
    Decoder("substitution", "class shares in the leaves of the columns' trees", "leaves"),
    Decoder("hamming", "the word that agrees with most hard votes"),
    Decoder("loss_based", "least loss of the answers"),
)
DECODERS = {decoder.name: decoder for decoder in _ALL}


@told(returns="tuple of str: The names, the usual one first.")
def names() -> tuple[str, ...]:
    """The names of the decoders.

    Examples
    --------
    >>> names()
    ('l1', 'regression', 'ridge', 'ridge_binary', 'centroid', 'substitution', 'hamming',
     'loss_based')
    """
    return tuple(DECODERS)


@told(returns="Decoder: Its name, words and needs.", raises="If there is no decoder of that name.")
def find(name: str) -> Decoder:
    """The decoder of that name.

    Parameters
    ----------
    name : str
        One of `names()`.

    Examples
    --------
    >>> find("l1").words
    'nearest word in L1 distance'
    """
    if name not in DECODERS:
        raise InputError(f"decoder={name!r}: choose one of {', '.join(DECODERS)}")
    return DECODERS[name]
