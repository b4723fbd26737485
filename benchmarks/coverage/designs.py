"""Rows that are not simply drawn: groups, sampling weights, class counts fixed by design."""

from dataclasses import replace

import numpy as np

from benchmarks.coverage._cell import Cell
from benchmarks.coverage._populations import two_classes
from benchmarks.coverage._study import Task, study
from heliast.measures import Measure, get
from heliast.predictions import Rows

COST = ((0.0, 1.0), (5.0, 0.0))
Asked = list[tuple[Measure, tuple[str, ...]]]
NAMES = ("error", "recall", "precision", "f1", "balanced_accuracy", "kappa", "mcc", "f1.macro")


def cells(repetitions: int, seed: int) -> list[Cell]:
    cheap: Asked = [(get(name), ("auto",)) for name in NAMES]
    cheap += [
        (get("expected_cost", cost=COST), ("auto",)),
        (get("auc"), ("auto", "delong")),
        (get("log_loss"), ("auto", "student_t")),
        (get("brier"), ("auto", "student_t")),
    ]
    slow: Asked = [(get("fbeta", beta=2), ("auto",)), (get("average_precision"), ("auto",))]
    found = []
    for share, rows_each, sizes in ((0.1, 5, (200, 1000)), (0.5, 5, (200,)), (0.5, 20, (1000,))):
        task = grouped(share, rows_each, seed)
        found += study("groups", task, sizes, cheap, repetitions, seed)
        found += study("groups", task, sizes[:1], slow, repetitions, seed)
    for share, hard in ((0.1, "more"), (0.1, "less"), (0.5, "less")):
        task = weighted(share, hard, seed)
        found += study("weights", task, (200, 1000), cheap, repetitions, seed)
    found += study("weights", task, (200,), slow, repetitions, seed)
    for share in (0.02, 0.1):
        task = fixed(share, seed)
        found += study("fixed classes", task, (200, 1000), cheap + slow[:1], repetitions, seed)
    return found


def grouped(share: float, rows_each: int, seed: int) -> Task:
    """Groups that differ in their share of positives and in how hard their rows are."""
    from scipy.special import expit, logit

    rng = np.random.default_rng(seed)
    groups = 1_000_000 // rows_each
    lean = logit(share) + rng.normal(scale=0.8, size=groups)[:, None]
    truth = rng.random((groups, rows_each)) < expit(lean)
    noise = rng.normal(scale=np.sqrt(0.3), size=groups)[:, None]
    score = 1.8 * truth + noise + rng.normal(scale=np.sqrt(0.7), size=truth.shape)
    cut = np.quantile(score, 1 - share)
    odds = logit(share) + 1.8 * (score - 0.9)
    population = Rows(
        "classification",
        truth.ravel().astype(np.uint8),
        (score > cut).ravel().astype(np.uint8),
        expit(odds).ravel(),
        "probability",
        classes=(0, 1),
        positive=1,
    )

    def draw(rng: np.random.Generator, n: int) -> Rows:
        chosen = rng.integers(groups, size=n // rows_each)
        place = (chosen[:, None] * rows_each + np.arange(rows_each)).ravel()
        return replace(population.at(place), group=np.repeat(np.arange(chosen.size), rows_each))

    name = f"positives {share:g}, groups of {rows_each}"
    return Task(name, draw, population, smallest=float(truth.mean()))


def weighted(share: float, hard: str, seed: int) -> Task:
    """Rows near the threshold, where errors are, drawn more or less often and weighed for it."""
    population = two_classes(share, 0.9, seed)
    assert population.scores is not None
    cut = float(population.scores[population.y_pred == 1].min())
    near = np.exp(-np.abs(np.log(population.scores / (1 - population.scores)) - _odds(cut)))
    chance = 0.25 + near if hard == "more" else 1 / (0.25 + near)
    reached = np.cumsum(chance)
    smallest = float(chance[population.y_true == 1].sum() / chance.sum())

    def draw(rng: np.random.Generator, n: int) -> Rows:
        place = np.searchsorted(reached, rng.random(n) * reached[-1])
        return replace(population.at(place), weight=1 / chance[place], weight_kind="sampling")

    name = f"positives {share:g}, hard rows {hard} often"
    return Task(name, draw, population, min(smallest, 1 - smallest))


def _odds(p: float) -> float:
    return float(np.log(p / (1 - p)))


def fixed(share: float, seed: int) -> Task:
    """Half the rows of each class by design, in a population where one class is rare."""
    population = two_classes(share, 0.9, seed)
    classes = [np.flatnonzero(population.y_true == code) for code in (0, 1)]
    own = float(population.y_true.mean())

    def draw(rng: np.random.Generator, n: int) -> Rows:
        place = np.concatenate([rng.choice(rows, n // 2) for rows in classes])
        return replace(population.at(place), design="classes")

    prevalences = {0: 1 - own, 1: own}
    return Task(f"positives {share:g}, half drawn", draw, population, 0.5, prevalences)
