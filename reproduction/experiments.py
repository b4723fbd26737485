"""What the documents' experiments share: samples, errors by number of members, tables, tasks."""

import re
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
from scipy import stats

from heliast.data import simulate
from reproduction.study import Printed, joint_errors, study

TEST_POINTS = 1040


@dataclass(frozen=True)
class Samples:
    """Training sets with so many rows of each class, and rows to test on, drawn again and again.

    Letter: 20 rows of each class to test on, from the rest. Vowel: the 462 rows set apart for it,
    training rows from the 528 others. A scikit-learn splitter, so `run` takes it as a plan.
    """

    times: int
    train: int
    seed: int
    test: int = 20
    apart: tuple[int, ...] = ()

    def split(self, X, y, groups=None):
        y = np.asarray(y)
        for time in range(self.times):
            rng = np.random.default_rng([self.seed, time])
            train, test = [], list(self.apart)
            for class_ in np.unique(y):
                rows = rng.permutation(np.setdiff1d(np.flatnonzero(y == class_), self.apart))
                train.extend(rows[: self.train])
                if not self.apart:
                    test.extend(rows[self.train : self.train + self.test])
            yield np.sort(train), np.sort(test)


def errors_by_split(table, model, unit=100):
    """The error of a model in each split, in per cent or another unit."""
    part = table.only(model=model)
    split = part.codes("split")
    rows = np.bincount(split)
    return (unit * np.bincount(split, part.y_true != part.y_pred) / np.maximum(rows, 1))[rows > 0]


def errors_at_stages(table, votes, single, stages):
    """Errors by (classifier, B): of votes, by the names of their models, and of single models."""
    errors = {
        (name, b): errors_by_split(table, f"{model}/B={b}")
        for name, model in votes.items()
        for b in stages
    }
    for name in single:
        errors |= dict.fromkeys([(name, b) for b in stages], errors_by_split(table, name))
    return errors


def parse_table(printed, stages):
    """A printed table: a line per classifier, its name and one number per stage, or for any.

    >>> parse_table("1NN  19.9", (2, 200))
    {('1NN', 200): 19.9}
    """
    table = {}
    for line in printed.strip().splitlines():
        name, text = re.fullmatch(r"(.+?)\s+([-\d. ]+)", line.strip()).groups()
        numbers = [float(number) for number in text.split()]
        columns = stages if len(numbers) > 1 else stages[-1:]
        table |= {(name, b): number for b, number in zip(columns, numbers, strict=True)}
    return table


def table_study(place, errors, numbers, se, least, after=None, nearest=False, **words):
    """Register the study of a printed table of errors, within `joint_errors(se, least)`.

    `errors` computes them; `after` takes them and yields what follows the numbers. `nearest`: both
    are relative to the mean error of 1NN.
    """

    def compute(settings):
        ours = errors(settings)
        unit = ours["1NN", max(b for _, b in numbers)].mean() if nearest else 1.0
        for key in numbers:
            yield ours[key] / unit, joint_errors(se, least / unit)
        if after:
            yield from after(ours)

    cells = {(name, f"B={b}"): number for (name, b), number in numbers.items()}
    study(f"thesis-{place}", printed=Printed(f"Table {place}", cells), **words)(compute)


@dataclass(frozen=True)
class Balanced:
    """A task whose samples have as many rows of every class."""

    task: Any

    def sample(self, n, seed):
        k = len(self.task.classes)
        return self.task.sample([n // k] * k, seed)


def sample_test_rows(task, seed):
    """1040 rows to test on, as many of every class; fresh training sets are so, too."""
    balanced = Balanced(task)
    return replace(balanced.sample(TEST_POINTS, seed), simulated=balanced)


@cache
def tasks_with_bayes_error(classes, spread, aim, times, seed):
    """Normal classes whose Bayes error is within 0.3 points of the aim: means drawn until it is."""
    tasks = []
    while len(tasks) < times:
        task = simulate.gaussian_classes(classes, spread, seed - 1)
        near = abs(task.bayes_error(n=20_000).value - aim) <= 0.015  # most are far off
        if near and abs(task.bayes_error(n=100_000).value - aim) <= 0.003:
            tasks.append(task)
        seed += 1
    return tasks


def next_task_limit(values, least, alone, entries=1):
    """How far one more draw of the task may lie from the mean of ours (95%, Student's t).

    `least` is added for rounding; with a single draw there is no spread, and it is `alone`. The
    limit holds for so many `entries` together (Bonferroni).
    """
    ours = np.asarray(values, float)
    n = ours.size
    if n < 2:
        return alone
    quantile = stats.t.ppf(1 - 0.025 / entries, n - 1)
    return quantile * ours.std(ddof=1) * np.sqrt(1 + 1 / n) + least
