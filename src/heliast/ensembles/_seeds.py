"""Randomness of the members: each has its own, whoever computes it and in whatever order."""

from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils import check_random_state

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

    def fresh(self, rng: np.random.Generator) -> Any:
        copy = clone(self.base)
        if self.seeds:
            copy.set_params(**{name: int(rng.integers(LIMIT)) for name in self.seeds})
        return copy
