"""A mark for a model that changes whenever its results could: its code, its state, its packages."""

from dataclasses import dataclass
from typing import Any

from heliast.fitting.store._walk import Walk

VERSION = 3
"""Of what a mark covers. The first covered the text of a model's own class, and nothing it uses;
the second was of votes whose members, where no base is given, were other trees."""


class NotReused(UserWarning):
    """Finished work that is not used, since it cannot be known whether it is still true.

    Examples
    --------
    >>> issubclass(NotReused, Warning)
    True
    """


@dataclass(frozen=True)
class Fingerprint:
    """A mark of a model, and what of the model it does not cover.

    Parameters
    ----------
    mark : str
        Equal for models that do the same, as far as can be known.
    unknown : tuple of str
        What cannot be known, in words; results of such a model are not to be used again.

    Examples
    --------
    >>> Fingerprint("2-0123456789abcdef").unknown
    ()
    """

    mark: str
    unknown: tuple[str, ...] = ()


def is_current(mark: str) -> bool:
    """Whether a mark covers what marks cover now.

    >>> is_current(f"{VERSION}-0123456789abcdef"), is_current("0123456789abcdef")
    (True, False)
    """
    return mark.startswith(f"{VERSION}-")


def fingerprint(model: Any) -> Fingerprint:
    """The mark of a model: parameters, classes and their bases, and the functions these use.

    Of the user's own modules the compiled code counts, with constants, default arguments, closures
    and the globals that it names; of installed packages their versions. Nothing is run for it but
    `get_params`.

    Code that reads files or the clock, and the like, leaves something unknown. Whoever knows better
    may vouch for it: where the model, or its class, has an attribute `vouched`, a text such as
    "weights of May", nothing is unknown, and the text is part of the mark.

    Parameters
    ----------
    model : estimator
        A scikit-learn estimator.

    Returns
    -------
    Fingerprint
        The mark, and what it does not cover.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> fingerprint(GaussianNB()) == fingerprint(GaussianNB(var_smoothing=1e-9))
    True
    """
    walk = Walk()
    word = getattr(model, "vouched", None)
    vouched = isinstance(word, str)
    digest = walk.digest((model, word if vouched else None), type(model).__name__)
    return Fingerprint(f"{VERSION}-{digest[:16]}", () if vouched else tuple(walk.unknown))
