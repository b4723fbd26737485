"""Fitted models on the fixed tasks of the specification: one training set, the target is it."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.coverage._cell import Cell
from benchmarks.coverage._study import pool_task, smallest_share, study
from heliast.measures import get
from heliast.predictions import Rows

Array = npt.NDArray[Any]
Draw = Callable[[np.random.Generator, int], tuple[Array, Array]]
TRAIN = 200
POOL = 1_000_000


def _gaussian(gap: float, share: float = 0.5, noise: float = 0.0) -> Draw:
    def draw(rng: np.random.Generator, n: int) -> tuple[Array, Array]:
        truth = (rng.random(n) < share).astype(int)
        inputs = rng.normal(size=(n, 4))
        inputs[:, 0] += gap * truth
        flipped = rng.random(n) < noise
        return inputs, np.where(flipped, 1 - truth, truth)

    return draw


def _interaction(rng: np.random.Generator, n: int) -> tuple[Array, Array]:
    inputs = rng.normal(size=(n, 4))
    chance = 1 / (1 + np.exp(-3 * inputs[:, 0] * inputs[:, 1]))
    return inputs, (rng.random(n) < chance).astype(int)


def _ten_classes(rng: np.random.Generator, n: int) -> tuple[Array, Array]:
    truth = rng.integers(0, 10, n)
    angle = 2 * np.pi * truth / 10
    centre = 4 * np.column_stack([np.cos(angle), np.sin(angle)])
    return centre + rng.normal(size=(n, 2)), truth


TASKS: dict[str, Draw] = {
    "Gaussian": _gaussian(2.07),
    "near separable": _gaussian(4.65),
    "rare class": _gaussian(2.5, share=0.05),
    "interaction": _interaction,
    "label noise": _gaussian(3.0, noise=0.3),
    "10 classes": _ten_classes,
}


def _models() -> dict[str, Any]:
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    from sklearn.linear_model import LogisticRegression
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.tree import DecisionTreeClassifier

    return {
        "LDA": LinearDiscriminantAnalysis(),
        "1-NN": KNeighborsClassifier(1),
        "tree": DecisionTreeClassifier(random_state=0),
        "logistic": LogisticRegression(),
    }


def _rows(model: Any, inputs: Array, truth: Array) -> Rows:
    k = int(truth.max()) + 1
    score = np.zeros((truth.size, k))
    score[:, model.classes_] = model.predict_proba(inputs)
    label = model.classes_[score[:, model.classes_].argmax(axis=1)]
    return Rows(
        "classification",
        truth.astype(np.uint8),
        label.astype(np.uint8),
        score[:, 1].copy() if k == 2 else score,
        "probability",
        classes=tuple(range(k)),
        positive=1 if k == 2 else None,
    )


def cells(repetitions: int, seed: int) -> list[Cell]:
    asked = [
        (get(name), ("auto",)) for name in ("error", "f1.macro", "kappa", "mcc", "brier", "auc")
    ]
    found = []
    for name, draw in TASKS.items():
        rng = np.random.default_rng([seed, sum(map(ord, name))])
        train, pool = draw(rng, TRAIN), draw(rng, POOL)
        for model_name, model in _models().items():
            rows = _rows(model.fit(*train), *pool)
            task = pool_task(f"{name}, {model_name}", rows, smallest_share(rows))
            found += study("learners", task, (50, 200), asked, repetitions, seed)
    return found
