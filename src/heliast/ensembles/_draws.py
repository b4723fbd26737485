"""Randomness of the members: each has its own seed, which draws its rows and inputs."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils import check_random_state

from heliast._core.errors import InputError
from heliast._core.kinds import Array

LIMIT = np.iinfo(np.int32).max


def root_seed(random_state: Any) -> int:
    """One number from which all others follow.

    >>> root_seed(7) == root_seed(7)
    True
    """
    return int(check_random_state(random_state).randint(LIMIT))


def generator(root: int, *path: int) -> np.random.Generator:
    """The generator of one member (or round, or try): it depends on the path and the root only.

    >>> generator(7, 3).integers(1000) == generator(7, 3).integers(1000)
    np.True_
    """
    return np.random.default_rng(np.random.SeedSequence(root, spawn_key=path))


class Clones:
    """Fresh copies of a base, each with seeds of its own in every `random_state` inside.

    Copies must differ, so a seed that the base was given is replaced too, unless `only_open`.
    Without a generator a copy is the base as it is.
    """

    def __init__(self, base: Any, only_open: bool = False) -> None:
        self.base = base
        # Asked once: to list the parameters of a model takes as long as a small fit.
        self.seeds = sorted(
            name
            for name, value in base.get_params(deep=True).items()
            if (name == "random_state" or name.endswith("__random_state"))
            and (value is None or not only_open)
        )

    def fresh(self, rng: np.random.Generator | None) -> Any:
        copy = clone(self.base)
        if self.seeds and rng is not None:
            copy.set_params(**{name: int(rng.integers(LIMIT)) for name in self.seeds})
        return copy


def amount(value: float, n: int, name: str) -> int:
    """How many of n: a whole number is a count, a fraction (a float up to 1) a share of n.

    >>> amount(0.5, 10, "rows"), amount(4, 10, "rows")
    (5, 4)
    """
    whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    count = int(value) if whole else max(1, round(float(value) * n))
    if count < 1 or not (whole or 0 < value <= 1):
        raise InputError(f"{name}={value!r}: give a share above 0 and up to 1.0, or a count")
    return count


def drawn_for_nodes(features: float | str, inputs: int) -> int:
    """How many inputs each node of a tree draws; 0 where members draw theirs, or see all.

    >>> drawn_for_nodes("sqrt", 20), drawn_for_nodes("log2", 20), drawn_for_nodes(0.5, 20)
    (4, 4, 0)
    """
    if not isinstance(features, str):
        return 0
    if features not in ("sqrt", "log2"):
        raise InputError(f"features={features!r}: give 'sqrt', 'log2', a count or a share")
    return max(1, math.isqrt(inputs) if features == "sqrt" else inputs.bit_length() - 1)


def counts_from(shares: Array, size: int, rng: np.random.Generator) -> Array:
    """How often each row is drawn in `size` draws with replacement, row i with probability w_i.

    >>> counts_from(np.array([0.0, 1.0]), 3, np.random.default_rng(0))
    array([0, 3])
    """
    steps = np.cumsum(shares)
    place = np.searchsorted(steps, rng.random(size) * steps[-1], side="right")
    return np.bincount(place, minlength=shares.size)


@dataclass(frozen=True, eq=False)
class Draws:
    """The samples of all members of a bag, row by row and input by input.

    `shares` None draws rows evenly. A member's draw follows from the root seed and its number, so
    that members may be grown on any thread, later, or asked again which rows they left out.
    """

    root: int
    n: int
    size: int
    replace: bool = True
    shares: Array | None = None
    inputs: int = 0
    chosen_inputs: int = 0
    replace_inputs: bool = False

    def counts(self, member: int) -> Array:
        """How often each of the n rows is in the member's sample."""
        rng = generator(self.root, member, 0)
        if not self.replace:
            picked = rng.choice(self.n, self.size, replace=False, p=self.shares, shuffle=False)
            return np.bincount(picked, minlength=self.n)
        if self.shares is not None:
            return counts_from(self.shares, self.size, rng)
        return np.bincount(rng.integers(0, self.n, self.size), minlength=self.n)

    def left_out(self, members: int) -> Iterator[tuple[int, Array]]:
        """Each of the first members and the rows that it did not see, where there are any."""
        for member in range(members):
            rows = np.flatnonzero(self.counts(member) == 0)
            if rows.size:
                yield member, rows

    @property
    def all_inputs(self) -> bool:
        """Whether every member sees every input, each once."""
        return not self.replace_inputs and self.chosen_inputs == self.inputs

    def columns(self, member: int) -> Array | None:
        """The inputs that the member sees; None for all."""
        if self.all_inputs:
            return None
        rng = generator(self.root, member, 1)
        return np.sort(rng.choice(self.inputs, self.chosen_inputs, replace=self.replace_inputs))

    def rng(self, member: int) -> np.random.Generator:
        """The generator of what the member itself leaves to chance."""
        return generator(self.root, member, 2)


def repeated(counts: Array) -> Array:
    """The positions of the drawn rows, repeats beside each other.

    >>> repeated(np.array([0, 2, 1]))
    array([1, 1, 2])
    """
    return np.repeat(np.arange(counts.size), counts)
