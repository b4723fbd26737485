"""`python -m benchmarks.studies.judges`: does the mean corrected for a judge that errs cover?

Skewed laws of grades without bounds, ratings, and grades with a spike at the best, 2,000 items, of
which people graded the first few. Printed: coverage of the corrected mean, of the human grades
alone, and the length of the first in that of the second.
"""

from collections.abc import Iterator

import numpy as np

from heliast.estimates import prediction_powered

ITEMS, TABLES = 2000, 600


def laws(rng: np.random.Generator, n: int) -> Iterator[tuple[str, np.ndarray, np.ndarray, float]]:
    """Name, human grades, the judge's grades, and the mean of the first."""
    e = rng.exponential(size=n)
    yield "exponential, judge nearly right", e, e + 0.3 * rng.normal(size=n), 1.0
    yield "exponential, judge half right", e, (rng.exponential(size=n) + e) / 2, 1.0
    heavy = rng.lognormal(0, 1, n)
    yield "log-normal, judge sees its log", heavy, np.log(heavy), float(np.exp(0.5))
    x = rng.normal(size=n)
    yield "normal", x, 0.7 * x + 0.5 * rng.normal(size=n), 0.0
    spike = np.where(rng.random(n) < 0.9, 1.0, rng.random(n))
    yield "nine in ten perfect", spike, np.clip(spike - 0.2 * (rng.random(n) < 0.2), 0, 1), 0.95


def main() -> None:
    for n in (30, 60, 150, 400):
        found: dict[str, list[tuple[bool, bool, float]]] = {}
        for table in range(TABLES):
            for name, y, f, mean in laws(np.random.default_rng([n, table]), ITEMS):
                one = prediction_powered(f, np.where(np.arange(ITEMS) < n, y, np.nan))
                alone = one.human_high - one.human_low
                covers = one.low <= mean <= one.high, one.human_low <= mean <= one.human_high
                found.setdefault(name, []).append((*covers, (one.high - one.low) / alone))
        for name, rows in found.items():
            own, human, _ = np.mean(rows, axis=0)
            print(f"{n:4d}  {name:32s} {own:.3f}  {human:.3f}  {np.median(rows, axis=0)[2]:.2f}")


if __name__ == "__main__":
    main()
