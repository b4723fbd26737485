"""Plans that vary one thing: every split of another plan, once per share."""

from abc import abstractmethod
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import ClassVar, Generic, TypeVar

import numpy as np

from heliast.data import Dataset
from heliast.plans._checks import check_rising
from heliast.plans._from_sklearn import as_plan
from heliast.plans._piece import Piece
from heliast.plans._plan import Plan

Choice = TypeVar("Choice")
VARYING = {
    "plan": "Plan: The plan whose splits are varied.",
    "piece": "Piece: A split of the plan inside.",
    "data": "Dataset: The data to split.",
    "rng": "np.random.Generator: Where chance comes from.",
}
"""What plans are given that vary others."""


@dataclass(frozen=True)
class Varied(Plan, Generic[Choice]):
    """Splits of `plan`, each varied by every share; random choices are made once per fit.

    One choice for all shares makes the variations nested; one for all pieces of a fit keeps the
    training sets of those pieces equal, so that one fit still serves them.
    """

    plan: Plan
    shares: tuple[float, ...]
    _varies: ClassVar[str]
    """What is varied, in words with {shares}."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "plan", as_plan(self.plan))
        object.__setattr__(self, "shares", check_rising(self.shares))

    def words(self, task: str = "classes") -> str:
        *most, last = (f"{share:.3g}%" for share in 100 * np.array(self.shares))
        shares = f"{', '.join(most)} and {last}" if most else last
        return f"{self.plan.words(task)}, {self._varies.format(shares=shares)}"

    @property
    def judged(self) -> bool:
        return self.plan.judged

    def remarks(self, data: Dataset) -> Iterator[str]:
        return self.plan.remarks(data)

    def pieces(self, data: Dataset, rng: np.random.Generator) -> Iterator[Piece]:
        chosen: dict[Hashable, Choice] = {}
        for at, piece in enumerate(self.plan.pieces(data, rng)):
            if piece.fit is None:
                key: Hashable = at
                choice = self.choose(piece, data, rng)
            else:
                key = piece.fit
                choice = chosen[key] if key in chosen else self.choose(piece, data, rng)
                chosen[key] = choice
            for share in self.shares:
                yield self.vary(piece, data, choice, share).but(fit=(key, share))

    @abstractmethod
    def choose(self, piece: Piece, data: Dataset, rng: np.random.Generator) -> Choice:
        """The random choice behind all shares of one fit."""

    @abstractmethod
    def vary(self, piece: Piece, data: Dataset, choice: Choice, share: float) -> Piece:
        """The piece with this share varied."""
