"""The checked settings of a coded vote, and what its decoders need of the training rows."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from heliast import decoders
from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast.decoders.least_squares import check_lam
from heliast.decoders.words import LOSSES
from heliast.ensembles._coded_columns import Columns, has_leaves
from heliast.ensembles._fitting import needs_weights

RULES = ("honest", "closed", "gcv")
"""Penalties that are chosen from honest answers."""
USUAL = "2k"
"""The penalty that is best or nearly so at all numbers of columns: see docs/codes.md."""


@dataclass(frozen=True)
class Settings:
    """How to decode, once it is known to make sense."""

    lam: float | str
    honest: str | None
    centre: Literal["mean", "median"]
    loss: str
    base: str
    """The name of the base's class."""
    has_leaves: bool

    def needs_leaves(self) -> None:
        """Refuse a base without leaves."""
        if not self.has_leaves:
            raise InputError(
                f"decoder='substitution': {self.base} has no leaves; use heliast's Tree or a "
                "scikit-learn tree as base, or another decoder"
            )


def settings_of(vote: Any) -> Settings:
    """The settings of a `CodedVote`, checked."""
    _one_of(vote, "honest", (None, "folds", "out_of_bag"))
    _one_of(vote, "loss", tuple(LOSSES))
    _one_of(vote, "centre", ("mean", "median"))
    decoders.find(vote.decoder)
    _check_penalty(vote)
    if not isinstance(vote.folds, (int, np.integer)) or vote.folds < 2:
        raise InputError(f"folds={vote.folds!r}: give a whole number of at least 2")
    base = vote._base()
    found = Settings(
        vote.lam, vote.honest, vote.centre, vote.loss, type(base).__name__, has_leaves(base)
    )
    if vote.decoder == "substitution":
        found.needs_leaves()
    return found


def refuse_weights(vote: Any) -> None:
    """Refuse row weights where the base, or a rule of decoding, has no use for them."""
    needs_weights(vote._base())
    if vote.centre == "median" or vote.lam in RULES:
        said = "centre='median'" if vote.centre == "median" else f"lam={vote.lam!r}"
        raise InputError(
            f"sample_weight: {said} does not weigh rows; use centre='mean' and a number for lam"
        )


def _one_of(vote: Any, name: str, known: tuple[Any, ...]) -> None:
    value = getattr(vote, name)
    if value not in known:
        raise InputError(f"{name}={value!r}: choose one of {', '.join(map(repr, known))}")


def _check_penalty(vote: Any) -> None:
    lam = vote.lam
    if isinstance(lam, str) and lam not in (USUAL, *RULES):
        raise InputError(f"lam={lam!r}: give a number or one of {', '.join((USUAL, *RULES))}")
    if not isinstance(lam, str):
        check_lam(lam)
    if vote.honest == "out_of_bag" and chooses(vote):
        raise InputError(
            "honest='out_of_bag' leaves gaps in the answers, from which no penalty is chosen: "
            "use honest='folds', or give lam a number"
        )


def chooses(vote: Any) -> bool:
    """Whether the vote's own decoder has a penalty that a rule chooses."""
    return decoders.find(vote.decoder).needs == "lam" and vote.lam in RULES


class Needs:
    """Each is computed when first asked for, from a copy of the rows that is not stored.

    `honest` (n, B) are answers of columns that did not see the row (NaN where there are none).
    """

    def __init__(
        self, settings: Settings, columns: Columns, code: Array, X: Any, truth: Array, honest: Any,
        weight: Array | None = None,
    ) -> None:  # fmt: skip
        self.settings, self.columns, self.code = settings, columns, code
        self.X, self.truth, self.honest = X.copy(), truth, honest
        self.weight = weight
        self.k = code.shape[0]
        self._centroids: Array | None = None
        self._shares: list[Array] | None = None
        self._penalties: dict[tuple[str, int], decoders.Penalty] = {}

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "X": None}

    def prepare(self, decoder: str) -> None:
        """Compute what this decoder needs."""
        need = decoders.find(decoder).needs
        if need == "centroids":
            self.centroids()
        elif need == "leaves":
            self.shares()
        elif need == "lam":
            self.lam(decoder, len(self.columns))

    def has(self, decoder: str) -> bool:
        """Whether what this decoder needs is there, or can be computed."""
        need = decoders.find(decoder).needs
        if need == "centroids":
            return self.X is not None or self._centroids is not None
        if need == "leaves":
            there = self.X is not None or self._shares is not None
            return there and self.settings.has_leaves
        return need is None or self.settings.lam not in RULES or self._full()

    def centroids(self) -> Array:
        """(k, B): the mean or median answers of the rows of each class."""
        if self._centroids is None:
            p = self.honest if self.settings.honest else None
            if p is None:
                p = self.columns.answers(self._rows("centroid"))
            self._centroids = decoders.centroids_of(
                p, self.truth, self.k, self.settings.centre, self.weight
            )
        return self._centroids

    def shares(self) -> list[Array]:
        """For each column (leaves, k): the class shares of the rows in its leaves."""
        if self._shares is None:
            self.settings.needs_leaves()
            rows = self._rows("substitution")
            self._shares = self.columns.shares(rows, self.truth, self.k, self.weight)
        return self._shares

    def lam(self, decoder: str, columns: int) -> float:
        """The penalty for so many columns: given, or chosen by the rule, once."""
        given = self.settings.lam
        if given == USUAL:  # in 0 and 1 all squares are a quarter of those in signs
            return float(2 * self.k) / (4 if decoders.find(decoder).coding == "binary" else 1)
        return float(self.penalty(decoder, columns).lam if given in RULES else given)

    def penalty(self, decoder: str, columns: int) -> decoders.Penalty:
        """What the rule chooses for so many columns."""
        rule: Any = self.settings.lam
        if not self._full():
            raise InputError(
                f"decoder={decoder!r}, lam={rule!r} needs honest answers: fit with "
                f"decoder={decoder!r} or honest='folds', or give lam a number"
            )
        key = (decoder, columns)
        if key not in self._penalties:
            coding: Any = decoders.find(decoder).coding
            self._penalties[key] = decoders.choose_lam(
                self.honest[:, :columns], self.truth, self.code[:, :columns], rule, coding
            )
        return self._penalties[key]

    def _full(self) -> bool:
        """Whether there are honest answers without gaps."""
        return self.honest is not None and self.settings.honest != "out_of_bag"

    def _rows(self, decoder: str) -> Any:
        if self.X is None:
            raise InputError(
                f"decoder={decoder!r}: the training rows were not stored with this model; fit it "
                f"with decoder={decoder!r}, or call prepare({decoder!r}) before storing it"
            )
        return self.X
