"""Normal classes with random means: the tasks of sections 2.4.2, 3.4 and 3.6."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import stats

from heliast._core.kinds import Array
from heliast.data import Dataset, simulate
from heliast.reproduce import Setting

TEST = 1040


@dataclass(frozen=True)
class Balanced:
    """A task whose samples have as many rows of every class."""

    task: Any

    def sample(self, n: int, seed: int) -> Dataset:
        k = len(self.task.classes)
        found: Dataset = self.task.sample([n // k] * k, seed)
        return found


def tested(task: Any, seed: int) -> Dataset:
    """1040 rows to test on, as many of every class; fresh training sets are so, too."""
    k = len(task.classes)
    found: Dataset = task.sample([TEST // k] * k, seed=seed)
    return replace(found, simulated=Balanced(task))


def with_bayes_error(
    setting: Setting, classes: int, spread: float, aim: float, times: int
) -> list[Any]:
    """Tasks whose Bayes error is within 0.3 points of the aim: means are drawn until it is."""

    def search() -> list[Any]:
        found: list[Any] = []
        seed = setting.seed - 1
        while len(found) < times:
            task = simulate.gaussian_classes(classes, spread, seed)
            near = abs(task.bayes_error(n=20_000).value - aim) <= 0.015  # most are far off
            if near and abs(task.bayes_error(n=100_000).value - aim) <= 0.003:
                found.append(task)
            seed += 1
        return found

    return setting.once(("normals", classes, spread, aim, times, setting.seed), search)


def another(values: Sequence[float] | Array, least: float, alone: float, entries: int = 1) -> float:
    """How far one more draw of the task may lie from the mean of ours (95%, Student's t).

    `least` is added for rounding; with a single draw there is no spread, and it is `alone`. The
    limit holds for so many `entries` together (Bonferroni).
    """
    ours = np.asarray(values, float)
    if ours.size < 2:
        return alone
    far = (
        stats.t.ppf(1 - 0.025 / entries, ours.size - 1)
        * ours.std(ddof=1)
        * np.sqrt(1 + 1 / ours.size)
    )
    return float(far) + least
