"""Rates: coverage computed exactly, by summing the binomial."""

from collections.abc import Callable

import numpy as np

from benchmarks.coverage._cell import Cell, tally
from heliast._core.proportions import (
    agresti_coull_limits,
    clopper_pearson_limits,
    jeffreys_limits,
    wilson_limits,
)

Limits = Callable[[float, float, float], tuple[float, float]]
SIZES = (50, 200, 1000)
RATES = (0.02, 0.1, 0.5)
SHARES = (0.02, 0.1, 0.5)


def _wald(rate: float, n: float, level: float) -> tuple[float, float]:
    from heliast._core.level import quantile

    half = quantile(level) * np.sqrt(rate * (1 - rate) / n)
    return max(0.0, rate - half), min(1.0, rate + half)


METHODS: dict[str, Limits] = {
    "wilson": wilson_limits,
    "clopper_pearson": clopper_pearson_limits,
    "agresti_coull": agresti_coull_limits,
    "jeffreys": jeffreys_limits,
    "normal": _wald,
}


def ends(limits: Limits, n: int) -> np.ndarray:
    """The limits for every number of successes out of n."""
    return np.array([limits(x / n, n, 0.95) for x in range(n + 1)])


def cells(repetitions: int, seed: int) -> list[Cell]:
    """Error with n rows; recall, whose rows of the class are themselves random."""
    from scipy.stats import binom

    found = []
    for name, limits in METHODS.items():
        table = {m: ends(limits, m) for m in range(1, max(SIZES) + 1) if _needed(m)}
        for n in SIZES:
            for rate in RATES:
                both = table[n]
                share = binom.pmf(np.arange(n + 1), n, rate)
                numbers = tally(both[:, 0], both[:, 1], rate, share)
                found.append(_cell(f"rate {rate:g}", "error", name, n, numbers, n))
            for part in SHARES:
                for rate in (0.5, 0.9):
                    numbers = _of_a_class(table, n, part, rate)
                    task = f"class share {part:g}, recall {rate:g}"
                    found.append(_cell(task, "recall", name, n, numbers, n * min(part, 1 - part)))
    return found


def _needed(m: int) -> bool:
    return m <= 650 or m in SIZES


def _of_a_class(
    table: dict[int, np.ndarray], n: int, share: float, rate: float
) -> dict[str, float]:
    """Recall: the class has m rows with the binomial's probability; none is a miss."""
    from scipy.stats import binom

    low, high, weight = [np.nan], [np.nan], [binom.pmf(0, n, share)]
    for m in range(1, n + 1):
        chance = float(binom.pmf(m, n, share))
        if chance > 1e-12 and m in table:
            low += table[m][:, 0].tolist()
            high += table[m][:, 1].tolist()
            weight += (chance * binom.pmf(np.arange(m + 1), m, rate)).tolist()
    return tally(np.array(low), np.array(high), rate, np.array(weight))


def _cell(
    task: str, measure: str, name: str, n: int, numbers: dict[str, float], smallest: float
) -> Cell:
    method = "auto" if name == "wilson" else name
    return Cell(
        "proportions", task, measure, method, name == "wilson", n, smallest, 0, **numbers, warned=0
    )
