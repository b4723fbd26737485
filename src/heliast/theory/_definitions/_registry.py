"""Definitions of bias and variance: each declares its parts, which of them add up, and for what."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy.typing as npt

from heliast._core.errors import InputError
from heliast.theory._facts import Facts

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Part:
    """One quantity of a definition; those with `adds` add up to the expected loss at every row."""

    name: str
    adds: bool = True
    signed: bool = False
    """Whether it may be below 0."""

    @property
    def title(self) -> str:
        return self.name.replace("_", " ")


@dataclass(frozen=True)
class Definition:
    """How the expected loss at a row is told apart; `values` gives one array a part, in order."""

    name: str
    title: str
    parts: tuple[Part, ...]
    values: Callable[[Facts], tuple[Array, ...]]
    losses: tuple[str, ...] = ()
    """The losses it is defined for; without any, all."""

    def __getitem__(self, name: str) -> Part:
        return next(part for part in self.parts if part.name == name)

    @property
    def adding(self) -> tuple[str, ...]:
        """The names of the parts that add up to the expected loss."""
        return tuple(part.name for part in self.parts if part.adds)


_DEFINITIONS: dict[str, Definition] = {}


def define(
    name: str, title: str, *parts: Part, losses: tuple[str, ...] = ()
) -> Callable[[Callable[[Facts], tuple[Array, ...]]], Callable[[Facts], tuple[Array, ...]]]:
    """Enter the decorated function as the one that computes these parts."""

    def register(
        values: Callable[[Facts], tuple[Array, ...]],
    ) -> Callable[[Facts], tuple[Array, ...]]:
        _DEFINITIONS[name] = Definition(name, title, parts, values, losses)
        return values

    return register


def definitions(loss: str | None = None) -> tuple[str, ...]:
    """The names of the definitions there are (for one loss: `zero_one`, `squared`, ...).

    >>> definitions("squared")
    ('classical', 'james', 'tibshirani')
    """
    return tuple(
        name
        for name, one in _DEFINITIONS.items()
        if loss is None or not one.losses or loss in one.losses
    )


def definition_of(name: str, loss: str) -> Definition:
    """The definition of this name, if it holds for the loss."""
    if name not in _DEFINITIONS:
        raise InputError(f"definition={name!r}: choose one of {', '.join(_DEFINITIONS)}")
    found = _DEFINITIONS[name]
    if found.losses and loss not in found.losses:
        raise InputError(
            f"definition={name!r} is for {' or '.join(found.losses)} loss only, not {loss}; for "
            f"{loss} loss choose one of {', '.join(definitions(loss))}"
        )
    return found
