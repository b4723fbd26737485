"""reached: a model inside pipelines and searches that offers a method, and the rows it sees."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from heliast.fitting.numbered import Numbered


@dataclass(frozen=True)
class Reached:
    """The model, the rows as it sees them, and what transformed its target, outermost first."""

    model: Any
    X: Any
    targets: tuple[Any, ...] = ()

    def back(self, numbers: Any) -> Any:
        """Numbers on the scale of the model's target, on that of the data, or as its labels."""
        for transformer in reversed(self.targets):
            column = np.asarray(numbers, np.float64).reshape(-1, 1)
            numbers = np.asarray(transformer.inverse_transform(column)).reshape(-1)
        return numbers


def reached(fitted: Any, X: Any, name: str) -> Reached | None:
    """The fitted model that has `name`, behind pipelines, searches and transformed targets.

    None if none has: other wrappers (a threshold, costs, calibration) decide anew, so that what
    the model inside them says is not what they say.

    >>> import numpy as np
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from heliast.ensembles import BaggedVote
    >>> X = np.arange(8.0)[:, None]
    >>> vote = make_pipeline(StandardScaler(), BaggedVote(n_estimators=2)).fit(X, X[:, 0] > 3)
    >>> inner = reached(vote, X, "outputs")
    >>> type(inner.model).__name__, float(inner.X.mean())
    ('BaggedVote', 0.0)
    """
    steps: list[Any] = []
    targets: list[Any] = []
    while not hasattr(fitted, name):
        if hasattr(fitted, "steps"):
            steps += [step for _, step in fitted.steps[:-1]]
            fitted = fitted.steps[-1][1]
        elif hasattr(fitted, "best_estimator_"):
            fitted = fitted.best_estimator_
        elif hasattr(fitted, "regressor_") and hasattr(fitted, "transformer_"):
            targets.append(fitted.transformer_)
            fitted = fitted.regressor_
        elif isinstance(fitted, Numbered):
            targets.append(fitted)
            fitted = fitted.estimator_
        else:
            return None
    for step in steps:
        if hasattr(step, "transform"):  # not 'passthrough', None, or a step that draws rows
            X = step.transform(X)
    return Reached(fitted, X, tuple(targets))
