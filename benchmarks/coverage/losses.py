"""Means of row losses: log loss, Brier score, absolute error; and RMSE, R2."""

from benchmarks.coverage._cell import Cell
from benchmarks.coverage._populations import numbers, two_classes
from benchmarks.coverage._study import pool_task, study
from heliast.measures import get

SIZES = (50, 200, 1000)
MEANS = ("auto", "student_t", "normal", "hall")
DRAWS = ("bootstrap", "bootstrap_percentile", "bootstrap_basic")


def cells(repetitions: int, seed: int) -> list[Cell]:
    found = []
    forecasts = [(get("log_loss"), MEANS), (get("brier"), MEANS)]
    drawn = [(get("log_loss"), DRAWS)]
    for share in (0.02, 0.1, 0.5):
        for sharpness in (1.0, 2.0):
            rows = two_classes(share, 0.9, seed, sharpness)
            bold = "calibrated" if sharpness == 1 else "too bold"
            task = pool_task(f"positives {share:g}, {bold}", rows, min(share, 1 - share))
            found += study("losses", task, SIZES, forecasts, repetitions, seed)
            if share == 0.1:
                found += study("losses", task, (50, 200), drawn, repetitions, seed)
    plain = [(get("mae"), MEANS), (get("rmse"), ("auto", "delta", "delta_scaled"))]
    drawn_ratio = ("bootstrap", "bootstrap_percentile*", "bootstrap_basic")
    ratio = [(get("r2"), (*drawn_ratio, "delta", "delta_scaled"))]
    root = [(get("rmse"), DRAWS)]
    for kind in ("normal", "heavy tails", "growing errors"):
        task = pool_task(kind, numbers(kind, seed))
        found += study("losses", task, SIZES, plain, repetitions, seed)
        found += study("losses", task, SIZES, ratio, repetitions, seed)
        found += study("losses", task, (200,), root, repetitions, seed)
    return found
