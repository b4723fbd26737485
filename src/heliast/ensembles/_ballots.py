"""Ballots: which class each member chose on each row, and what is counted from them."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Array


@dataclass(frozen=True, eq=False)
class Ballots:
    """The chosen classes (n, B) as codes, the members' weights (B,), the number of classes.

    >>> two_to_one = Ballots(np.array([[0, 0, 1]]), np.ones(3), 2)
    >>> two_to_one.shares().round(3)
    array([[0.667, 0.333]])
    """

    label: Array
    weight: Array
    k: int

    def shares(self) -> Array:
        """Each class's share of the vote, Σ_t w_t I(h_t(x) = c) / Σ_t w_t."""
        label, weight = self.label, self.weight
        n = label.shape[0]
        cell = (label + np.arange(n)[:, None] * self.k).ravel()
        even = bool((weight == weight[0]).all()) if weight.size else True
        values = None if even else np.broadcast_to(weight, label.shape).ravel()
        tally = np.bincount(cell, values, minlength=n * self.k).reshape(n, self.k)
        total = label.shape[1] if even else weight.sum()
        return np.asarray(tally / total, np.float64)

    def staged(self) -> Iterator[Array]:
        """The shares after 1, 2, ... members."""
        n, members = self.label.shape
        tally = np.zeros((n, self.k))
        rows, total = np.arange(n), 0.0
        for at in range(members):
            tally[rows, self.label[:, at]] += self.weight[at]
            total += self.weight[at]
            yield tally / total


def margins_of(shares: Array, truth: Array) -> Array:
    """Share of the true class less the largest share of another: above 0 where the vote is right.

    >>> margins_of(np.array([[0.5, 0.3, 0.2]]), np.array([2])).round(3)
    array([-0.3])

    Reference: Schapire, Freund, Bartlett and Lee (1998), *Annals of Statistics* 26, 1651-1686.
    """
    rows = np.arange(truth.size)
    rest = shares.copy()
    own = rest[rows, truth]
    rest[rows, truth] = -np.inf
    if shares.shape[1] == 1:
        return own
    return np.asarray(own - rest.max(axis=1), np.float64)


def codes_of(label: Any, classes: Array, name: str = "y") -> Array:
    """The position of each label in the sorted classes; refuses labels that are none of them.

    >>> codes_of(["b", "a"], np.array(["a", "b"]))
    array([1, 0])
    """
    label = np.asarray(label)
    try:
        place = np.minimum(np.searchsorted(classes, label), classes.size - 1)
        strange = np.asarray(classes[place] != label)
    except TypeError:  # numbers among texts
        place, strange = np.zeros(label.shape, np.intp), np.ones(label.shape, bool)
    if strange.any():
        known = ", ".join(map(repr, classes[:8].tolist()))
        raise InputError(
            f"{name}: {label[strange].tolist()[0]!r} is none of the classes of the fit ({known})"
        )
    return np.asarray(place)


def grid(members: int) -> list[int]:
    """The stages that stand for all: 1, 2, 5, 10, 20, 50, ... and the last.

    >>> grid(30)
    [1, 2, 5, 10, 20, 30]
    """
    steps = [digit * 10**power for power in range(9) for digit in (1, 2, 5)]
    return [step for step in steps if step < members] + [members]
