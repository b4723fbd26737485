"""scorer: a measure as scikit-learn asks for one, so that its searches can go by it."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from heliast._core.labels import Label
from heliast.measures import Measure, get
from heliast.predictions import Predictions
from heliast.verbs.question import Question


@dataclass(frozen=True)
class Scorer:
    """A measure as a function of a fitted estimator, inputs and truth; more is better.

    `scorer` makes it, and scikit-learn takes it wherever there is `scoring=`. What is better when
    low changes its sign, as in scikit-learn's `neg_...`. It can be pickled, so that a search may
    use several processes.

    Parameters
    ----------
    measure : Measure
        What is measured.
    positive : label, optional
        The positive class of two; if not given, the last in sorted order.
    """

    measure: Measure
    positive: Label | None = None

    def __call__(self, estimator: Any, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The value on these rows, with its sign changed where less is better.

        Parameters
        ----------
        estimator : estimator
            A fitted model.
        X : array-like or frame
            Inputs.
        y : array-like
            True classes or numbers.
        sample_weight : array-like, optional
            A weight for each row.

        Returns
        -------
        float
            More is better; NaN where the measure is undefined on these rows.
        """
        from heliast.verbs.assess import assessed

        table = self._table(estimator, X, y, sample_weight)
        value = assessed(table, Question(measures=self.measure, interval="none")).estimates[0].value
        return value if self.measure.better == "high" else -value

    def _table(self, estimator: Any, X: Any, y: Any, weight: Any) -> Predictions:
        label = estimator.predict(X)
        if self.measure.task == "regression":
            return Predictions.of(y, label, task="regression", weight=weight)
        known = np.asarray(estimator.classes_).tolist()
        score, kind = (None, None) if self.measure.needs == "label" else _scores(estimator, X)
        return Predictions.of(
            y, label, score, classes=known, scores=kind, positive=self.positive, weight=weight
        )

    def __repr__(self) -> str:
        return f"<Scorer: {'' if self.measure.better == 'high' else '-'}{self.measure.title}>"


def _scores(estimator: Any, X: Any) -> tuple[Any, Any]:
    """What the model says of each class it knows, and what kind of number that is."""
    if hasattr(estimator, "predict_proba"):
        return estimator.predict_proba(X), "probability"
    if not hasattr(estimator, "decision_function"):
        return None, None  # the measure says what it lacks
    found = np.asarray(estimator.decision_function(X), np.float64)
    return np.column_stack([-found, found]) if found.ndim == 1 else found, "decision"


def scorer(measure: str | Measure, *, positive: Label | None = None, **parameters: Any) -> Scorer:
    """A measure for `scoring=` of scikit-learn's searches and `cross_val_score`.

    Parameters
    ----------
    measure : str or Measure
        What is measured, by any name that `assess` knows.
    positive : label, optional
        The positive class of two; if not given, the last in sorted order.
    **parameters : keywords
        Parameters of the measure, such as `beta=2` of `fbeta` or `cost=` of `expected_cost`.

    Returns
    -------
    Scorer
        A function of (estimator, X, y): more is better.

    Raises
    ------
    InputError
        If there is no such measure, or it lacks a parameter.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import GridSearchCV
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> grid = {"var_smoothing": [1e-9, 1e-3]}
    >>> search = GridSearchCV(GaussianNB(), grid, scoring=scorer("auc"), cv=3).fit(X, y)
    >>> search.best_params_
    {'var_smoothing': 1e-09}
    >>> scorer("log_loss")
    <Scorer: -log_loss>
    """
    chosen = get(measure, **parameters)
    lacks = [name for name in chosen.required if chosen.parameters.get(name) is None]
    if lacks:
        from heliast._core.errors import InputError

        raise InputError(f"scorer: {chosen.name} needs {lacks[0]}=")
    return Scorer(chosen, positive)
