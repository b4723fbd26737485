"""What experiments with votes share: samples, errors by number of members, printed tables."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from heliast._core.kinds import Array
from heliast.predictions import Predictions
from heliast.reproduce import Printed, Setting, study
from heliast.reproduce._study import Found, joint

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
    return np.asarray(unit * np.bincount(part.split_code, wrong)[total > 0] / total[total > 0])


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


def table_study(
    place: str, errors: Callable[[Setting], Errors], numbers: Mapping[tuple[str, int], float],
    se: float, slack: float, after: Callable[[Errors], Iterable[Found]] = lambda found: (),
    nearest: bool = False, **words: Any,
) -> None:  # fmt: skip
    """Register the study of a printed table: within 3 joint standard errors, or so much slack.

    `nearest`: errors relative to the mean of 1NN; `after` yields what follows the numbers.
    """

    def make(setting: Setting) -> Iterator[Found]:
        found = errors(setting)
        unit = float(next(e for (name, _), e in found.items() if name == "1NN").mean())
        unit = unit if nearest else 1.0
        yield from ((found[key] / unit, joint(se, slack / unit)) for key in numbers)
        yield from after(found)

    places = {(row, f"B={b}"): number for (row, b), number in numbers.items()}
    printed = Printed(f"Table {place}", places, joint(se, slack), se)
    study(f"thesis-{place}", printed=printed, **words)(make)
