"""The splits side table: which part of the plan each prediction belongs to."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from heliast._core.records import as_dict

Role = Literal["test", "validation", "full", "inner"]


@dataclass(frozen=True)
class Split:
    """One split of a plan: its role, where it stands in the plan, and what was varied."""

    split: int | str
    role: Role = "test"
    repeat: int = 0
    fold: int = 0
    outer: int | None = None
    n_train: int | None = None
    n_test: int | None = None
    train_share: float | None = None
    noise: float | None = None

    def to_dict(self) -> dict[str, object]:
        return as_dict(self)


@dataclass(frozen=True)
class Splits:
    """All splits of a table, in order.

    >>> Splits((Split(0), Split(1))).names
    (0, 1)
    """

    records: tuple[Split, ...] = (Split(0),)

    @cached_property
    def names(self) -> tuple[int | str, ...]:
        return tuple(record.split for record in self.records)

    @cached_property
    def places(self) -> dict[int | str, int]:
        """Where each split stands, by its name."""
        return {name: place for place, name in enumerate(self.names)}

    def __len__(self) -> int:
        return len(self.records)

    def __iter__(self) -> Iterator[Split]:
        return iter(self.records)

    def __getitem__(self, name: int | str) -> Split:
        return self.records[self.places[name]]

    def of_role(self, role: Role) -> tuple[Split, ...]:
        return tuple(record for record in self.records if record.role == role)

    def to_dict(self) -> list[dict[str, object]]:  # one record a split
        return [record.to_dict() for record in self.records]
