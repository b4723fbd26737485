"""Where replicates add nothing to the delta method: average precision and R2 of many rows.

    python -m benchmarks.studies.many_rows [TABLES] [REPLICATED]

Coverage of both intervals, and how far their limits lie apart as shares of the width; TABLES tables
a line (1,000), of which the first REPLICATED (60) have the bootstrap as well. Limits read off 2,000
replicates move by about 1.5% of the width from seed to seed.
"""

import sys
import warnings
from collections.abc import Callable

import numpy as np
from scipy.stats import norm

import heliast as hl

LEVEL = 0.95
Draw = Callable[[np.random.Generator], hl.Predictions]


def true_average_precision(share: float, gap: float) -> float:
    """Of two normal classes, by integration over the threshold."""
    at = np.linspace(-12, 18, 600_001)
    tpr, fpr = norm.sf(at - gap), norm.sf(at)
    precision = share * tpr / np.maximum(share * tpr + (1 - share) * fpr, 1e-300)
    return float(-np.trapezoid(precision, tpr))


def two_classes(n: int, share: float, gap: float) -> Draw:
    def draw(rng: np.random.Generator) -> hl.Predictions:
        y = (rng.random(n) < share).astype(np.uint8)
        return hl.Predictions.of(y, y_score=rng.normal(size=n) + gap * y, scores="decision")

    return draw


def numbers(n: int, noise: Callable[[np.random.Generator, int], np.ndarray]) -> Draw:
    def draw(rng: np.random.Generator) -> hl.Predictions:
        x = 3 * rng.normal(size=n)
        return hl.Predictions.of(x + noise(rng, n), x, task="regression")

    return draw


def line(
    what: str, measure: str, draw: Draw, true: float, bootstrap: str, tables: int, replicated: int
) -> None:
    rng = np.random.default_rng(7)
    plain, drawn = [], []
    for number in range(tables):
        table = draw(rng)
        for limits, method in ((plain, "delta_scaled"), (drawn, bootstrap)):
            if method == "delta_scaled" or number < replicated:
                found = hl.assess(table, measure, interval=method)["model", measure]
                limits.append((found.low, found.high))
    ours, twin = np.array(plain), np.array(drawn)
    apart = np.abs(ours[: len(twin)] - twin) / np.diff(twin, axis=1)
    covers = [np.mean((one[:, 0] <= true) & (true <= one[:, 1])) for one in (ours, twin)]
    print(
        f"{what:<44} true {true:.3f}  delta covers {covers[0]:.3f}  bootstrap {covers[1]:.3f}  "
        f"apart, median: low {np.median(apart[:, 0]):.3f}, high {np.median(apart[:, 1]):.3f}",
        flush=True,
    )


def main(tables: int = 1000, replicated: int = 60) -> None:
    warnings.simplefilter("ignore")
    sizes = ((10_000, 20), (10_000, 200), (1_100, 1_000), (2_000, 1_000), (5_000, 1_000))
    for gap in (0.3, 1.0, 2.0, 3.5):
        for n, positives in sizes:
            share = positives / n
            what = f"average precision, {positives} of {n} rows, gap {gap:g}"
            draw, true = two_classes(n, share, gap), true_average_precision(share, gap)
            line(what, "average_precision", draw, true, "bootstrap", tables, replicated)
    noises = {
        "normal": (lambda rng, n: rng.normal(size=n), 1.0),
        "Laplace": (lambda rng, n: rng.laplace(size=n), 2.0),
        "t4": (lambda rng, n: rng.standard_t(4, n), 2.0),
    }
    for name, (noise, variance) in noises.items():
        draw, true = numbers(20_000, noise), 9 / (9 + variance)
        what = f"R2, 20,000 rows, {name} noise"
        line(what, "r2", draw, true, "bootstrap_percentile", tables, replicated)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
