"""AUC and average precision."""

from benchmarks.coverage._cell import Cell
from benchmarks.coverage._populations import several_classes, two_classes
from benchmarks.coverage._study import pool_task, smallest_share, study
from heliast.measures import get

DRAWS = ("bootstrap", "bootstrap_percentile", "bootstrap_basic")
RESAMPLED = {(0.02, 0.9), (0.1, 0.9), (0.5, 0.9), (0.1, 0.7), (0.1, 0.98)}
"""Where average precision and the bootstrap of AUC are studied: replicates of rows are slow."""


def cells(repetitions: int, seed: int) -> list[Cell]:
    area = (get("auc"), ("auto", "score_auc", "delong", "delong_plain"))
    precision = (get("average_precision"), ("bootstrap*", *DRAWS[1:], "delta_scaled", "delta"))
    found = []
    for share in (0.02, 0.1, 0.5):
        for level in (0.7, 0.9, 0.98):
            rows = two_classes(share, level, seed)
            task = pool_task(f"positives {share:g}, AUC {level:g}", rows, min(share, 1 - share))
            found += study("ranks", task, (50, 200, 1000), [area], repetitions, seed)
            if (share, level) in RESAMPLED:
                found += study("ranks", task, (50, 200), [precision], repetitions, seed)
            if (share, level) in RESAMPLED and level == 0.9:
                found += study("ranks", task, (1000,), [precision], repetitions, seed)
                drawn = [(get("auc"), DRAWS)]
                found += study("ranks", task, (200,), drawn, repetitions, seed)
    rows = several_classes((0.6, 0.3, 0.1), 1.2, seed)
    task = pool_task("3 classes", rows, smallest_share(rows))
    several = [(get("auc"), ("auto", "delta_scaled"))]
    found += study("ranks", task, (50, 200, 1000), several, repetitions, seed)
    mean = [(get("average_precision"), ("bootstrap*", "delta_scaled"))]
    return found + study("ranks", task, (200,), mean, repetitions, seed)
