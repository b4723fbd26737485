"""What experiments with votes share: samples, errors by number of members, printed tables."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from heliast.predictions import Predictions
from heliast.reproduce._study import Array, Printed, joint

Errors = Mapping[tuple[str, int], Array]
"""Errors in per cent of each (classifier, B), one a repetition."""


@dataclass(frozen=True)
class Samples:
    """Training sets with so many rows of each class, and rows to test on, drawn again and again.

    Letter: 20 rows of each class to test on, from the rest. Vowel: the 462 rows set apart for it,
    training rows from the 528 others. A scikit-learn splitter, so `run` takes it as a plan.
    """

    times: int
    train: int
    seed: int
    test: int | None = 20
    apart: tuple[int, ...] = ()

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        return self.times

    def split(self, X: Any, y: Any, groups: Any = None) -> Iterator[tuple[Array, Array]]:
        y = np.asarray(y)
        for time in range(self.times):
            rng = np.random.default_rng([self.seed, time])
            train, test = [], []
            for class_ in np.unique(y):
                rows = np.setdiff1d(np.flatnonzero(y == class_), self.apart)
                rows = rng.permutation(rows)
                train.append(rows[: self.train])
                if self.test is not None:
                    test.append(rows[self.train : self.train + self.test])
            held = np.concatenate(test) if test else np.array(self.apart)
            yield np.sort(np.concatenate(train)), np.sort(held)


def by_split(table: Predictions, model: str, unit: float = 100) -> Array:
    """The error of a model in each split, in per cent or another unit."""
    part = table.only(model=model)
    wrong = part.truth != part.label
    if part.split_code is None:  # a single split
        return np.array([unit * float(wrong.mean())])
    total = np.bincount(part.split_code)
    shares: Array = unit * np.bincount(part.split_code, wrong)[total > 0] / total[total > 0]
    return shares


def at_stages(
    table: Predictions, staged: Mapping[str, str], alone: Sequence[str], stages: Sequence[int]
) -> dict[tuple[str, int], Array]:
    """Errors by classifier and B: of votes, by the names of their models, and of single models."""
    by = {
        (name, b): by_split(table, f"{model}/B={b}") for name, model in staged.items()
        for b in stages
    }  # fmt: skip
    for name in alone:
        error = by_split(table, name)
        by.update({(name, b): error for b in stages})
    return by


def parsed(text: str, stages: Sequence[int]) -> dict[tuple[str, int], float]:
    """A printed table: a line a classifier, its name and one number for each B, or for any.

    >>> parsed("1NN  19.9", (2, 200))
    {('1NN', 200): 19.9}
    """
    table = {}
    for line in text.strip().splitlines():
        cells = line.split()
        width = len(cells) - sum(cell.replace(".", "", 1).isdigit() for cell in cells)
        numbers = [float(cell) for cell in cells[width:]]
        columns = stages if len(numbers) > 1 else stages[-1:]
        table.update(
            {(" ".join(cells[:width]), b): n for b, n in zip(columns, numbers, strict=True)}
        )
    return table


def printed_errors(
    group: str, numbers: Mapping[tuple[str, int], float], se: float, slack: float
) -> Printed:
    """A printed table of errors: within three joint standard errors, or so much slack."""
    places = {(row, f"B={b}"): number for (row, b), number in numbers.items()}
    return Printed(group, places, joint(se, slack), se)
