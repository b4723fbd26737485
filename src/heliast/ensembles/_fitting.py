"""Fitting any scikit-learn base to a sample of the rows, or to weights."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.dummy import DummyClassifier
from sklearn.utils.validation import has_fit_parameter

from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast.ensembles._ballots import codes_of
from heliast.ensembles._draws import Clones, repeated
from heliast.ensembles._members import Refitted


def fit_rows(
    clones: Clones, X: Any, y: Array, rows: Array | None, rng: np.random.Generator | None,
    several: bool, weight: Array | None = None,
) -> Any:  # fmt: skip
    """A fresh copy of the base, fitted to some rows (None is all), repeats meant.

    Where the task has `several` classes and the sample only one, the member is that constant: many
    bases refuse to learn from one class.
    """
    if rows is not None:
        X, y, weight = X[rows], y[rows], None if weight is None else weight[rows]
    if several and (y == y[0]).all():
        return DummyClassifier(strategy="most_frequent").fit(X, y)
    return clones.fresh(rng).fit(X, y, **by(weight))


def by(weight: Any) -> dict[str, Any]:
    """What `fit` is told of weights: nothing where there are none."""
    return {} if weight is None else {"sample_weight": weight}


class Fitting:
    """One base on one set of rows: boosting asks for a member a round, and what it then predicts.

    `classes` None means that the target is a number.
    """

    leaves_to_chance = True

    def __init__(self, base: Any, X: Any, y: Array, classes: Array | None = None) -> None:
        self.clones = Clones(base)
        self.X = X
        self.y = y
        self.classes = classes

    def drawn(self, counts: Array, rng: Any) -> tuple[Any, Array]:
        """A member fitted to the rows as often as they were drawn, and its answers on all rows."""
        several = self.classes is not None and self.classes.size > 1
        model = fit_rows(self.clones, self.X, self.y, repeated(counts), rng, several)
        return model, self.answers(model, self.X)

    def weighted(self, weights: Array, rng: Any) -> tuple[Any, Array]:
        """A member fitted to all rows by weight, and its answers on them."""
        model = self.clones.fresh(rng).fit(self.X, self.y, sample_weight=weights)
        return model, self.answers(model, self.X)

    def answers(self, model: Any, X: Any) -> Array:
        """What a member says: class codes, or numbers."""
        found = model.predict(X)
        if self.classes is None:
            return np.asarray(found, np.float64)
        return codes_of(found, self.classes, "predicted")

    def gathered(self, models: Sequence[Any]) -> Refitted:
        return Refitted(models, self.classes)


def needs_weights(
    base: Any, asked: str = "sample_weight", otherwise: str = "leave it out, or use another base"
) -> None:
    """Refuses a base that cannot learn by weight: what asked for it, and what to do."""
    if not has_fit_parameter(base, "sample_weight"):
        raise InputError(f"{asked}: {type(base).__name__}.fit takes no sample_weight; {otherwise}")
