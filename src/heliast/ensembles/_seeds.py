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
    """Fresh copies of a base, each with seeds of its own in every `random_state` inside."""

    def __init__(self, base: Any) -> None:
        self.base = base
        # Asked once: to list the parameters of a model takes as long as a small fit.
        names = base.get_params(deep=True)
        self.seeds = sorted(
            name for name in names if name == "random_state" or name.endswith("__random_state")
        )

    def fresh(self, rng: np.random.Generator) -> Any:
        copy = clone(self.base)
        if self.seeds:
            copy.set_params(**{name: int(rng.integers(LIMIT)) for name in self.seeds})
        return copy
