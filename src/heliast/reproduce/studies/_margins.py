"""The experiment of sections 4.2 and 4.3: AdaBoost on Letter, and models of its error."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import clone

from heliast.ensembles import BoostedVote
from heliast.learners import Tree
from heliast.reproduce._setting import Setting
from heliast.reproduce.studies._votes import DEEP, Samples
from heliast.theory import NormalModel, SchapireModel, TrainingModel, nearest_rows

Array = npt.NDArray[Any]
ROUNDS = 100
PER_CLASS, TEST = 50, 150
MODELS = ("Training", "Schapire", "Normal")


@dataclass(frozen=True)
class Fitted:
    """One repetition: the test error at B = 1 to 100, and what each model makes of it."""

    error: Array
    predicted: dict[str, Array]
    squared: dict[str, float]


def fitted(setting: Setting, tree: Tree = DEEP) -> list[Fitted]:
    """All repetitions."""
    data = setting.data("letter")
    X, y = data.matrix, np.asarray(data.y)
    plan = Samples(setting.repetitions, PER_CLASS, setting.seed, TEST)
    return [
        _repetition(X[train], y[train], X[test], y[test], tree, setting.seed + at)
        for at, (train, test) in enumerate(plan.split(X, y))
    ]


def _repetition(X: Array, y: Array, new: Array, truth: Array, tree: Tree, seed: int) -> Fitted:
    vote = BoostedVote(clone(tree), ROUNDS, on_weak="reset", random_state=seed).fit(X, y)
    margins = np.array(list(vote.staged_margins(X, y)))
    error = np.array([np.mean(label != truth) for label in vote.staged_predict(new)])
    models = {
        "Training": TrainingModel().fit(margins, error),
        "Schapire": SchapireModel().fit(margins, error),
        "Normal": NormalModel().fit(margins, error, *nearest_rows(X, new)),
    }
    return Fitted(
        error,
        {name: model.predicted_ for name, model in models.items()},
        {name: model.squared_error_ for name, model in models.items()},
    )


def smoothed(values: Array, width: int = 9) -> Array:
    """A running mean; near the ends of what there is."""
    half = width // 2
    return np.array([values[max(0, at - half) : at + half + 1].mean() for at in range(len(values))])
