"""Functions of the contingency table: F, balanced accuracy, kappa, MCC, macro averages, cost."""

from benchmarks.coverage._cell import Cell
from benchmarks.coverage._populations import labels_only, several_classes, two_classes
from benchmarks.coverage._study import pool_task, smallest_share, study
from heliast.measures import Measure, get

DRAWS = ("bootstrap", "bootstrap_percentile", "bootstrap_basic")
COST = ((0.0, 1.0), (5.0, 0.0))
Asked = list[tuple[Measure, tuple[str, ...]]]


def cells(repetitions: int, seed: int) -> list[Cell]:
    return _two_classes(repetitions, seed) + _several_classes(repetitions, seed)


def _two_classes(repetitions: int, seed: int) -> list[Cell]:
    """Defaults everywhere; alternatives for the better model up to 200 rows, once at 1,000."""
    every: Asked = [
        (get("precision"), ("auto", "clopper_pearson", "jeffreys", "agresti_coull", "normal")),
        (get("f1"), ("auto", "delta", *DRAWS)),
        (get("fbeta", beta=2), ("auto", "delta", "delta_scaled", "delta_smoothed", *DRAWS[1:])),
        (get("balanced_accuracy"), ("auto", "delta", *DRAWS)),
        (get("kappa"), ("auto", "delta", *DRAWS)),
        (get("mcc"), ("auto", "delta", *DRAWS)),
        (get("f1.macro"), ("auto", "delta", *DRAWS)),
        (get("expected_cost", cost=COST), ("auto", "student_t", "hall", *DRAWS)),
    ]
    defaults: Asked = [(measure, ("auto",)) for measure, _ in every]
    found = []
    for share in (0.02, 0.1, 0.5):
        for area in (0.75, 0.95):
            rows = labels_only(two_classes(share, area, seed))
            task = pool_task(f"positives {share:g}, AUC {area:g}", rows, min(share, 1 - share))
            asked = every if area == 0.95 else defaults
            found += study("tables", task, (50, 200), asked, repetitions, seed)
            asked = every if (share, area) == (0.1, 0.95) else defaults
            found += study("tables", task, (1000,), asked, repetitions, seed)
    return found


def _several_classes(repetitions: int, seed: int) -> list[Cell]:
    asked: Asked = [
        (get("error"), ("auto",)),
        (get("recall.macro"), ("auto", "delta")),
        (get("precision.macro"), ("auto", "delta")),
        (get("f1.macro"), ("auto", "delta")),
        (get("f1.weighted"), ("auto", "delta_smoothed")),
        (get("kappa"), ("auto", "delta")),
        (get("mcc"), ("auto", "delta")),
    ]
    found = []
    for name, shares, gap in (
        ("3 classes", (0.6, 0.3, 0.1), 1.2),
        ("10 classes", (0.1,) * 10, 2.0),
    ):
        rows = labels_only(several_classes(shares, gap, seed))
        task = pool_task(name, rows, smallest_share(rows))
        # A weighted F of ten classes is a bootstrap of a hundred cells: the slowest of all.
        chosen = [pair for pair in asked if len(shares) < 10 or pair[0].name != "f1.weighted"]
        found += study("tables", task, (50, 200, 1000), chosen, repetitions, seed)
    return found + _many_classes(repetitions, seed)


def _many_classes(repetitions: int, seed: int) -> list[Cell]:
    """Good models of many classes: the rates of each are near 1, and so the limits skewed."""
    names = ("recall.macro", "precision.macro", "f1.macro", "specificity.macro", "kappa")
    asked: Asked = [
        (get(name), ("auto", "delta") if name == "kappa" else ("auto", "mover")) for name in names
    ]
    found = []
    for k, gap, sizes in ((5, 3.0, (200, 1000)), (26, 3.0, (1000, 5000)), (26, 4.0, (1000,))):
        rows = labels_only(several_classes((1 / k,) * k, gap, seed))
        task = pool_task(f"{k} classes, {gap:g} apart", rows, smallest_share(rows))
        found += study("tables", task, sizes, asked, repetitions, seed)
    return found
