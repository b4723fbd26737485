"""The checked settings of a coded vote that its decoders read."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from heliast import decoders
from heliast._core.errors import InputError
from heliast.decoders.least_squares import check_lam
from heliast.decoders.words import LOSSES
from heliast.ensembles._coded_columns import has_leaves

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
    if vote.honest == "out_of_bag" and vote.decoder == "ridge" and lam in RULES:
        raise InputError(
            "honest='out_of_bag' leaves gaps in the answers, from which no penalty is chosen: "
            "use honest='folds', or give lam a number"
        )
