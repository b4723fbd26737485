"""scorer: a measure as scikit-learn asks for one, so that its searches can use it."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from heliast._core.errors import InputError
from heliast._core.labels import Label
from heliast.measures import Measure, get
from heliast.predictions import Predictions
from heliast.verbs.options import Options


@dataclass(frozen=True)
class Scorer:
    """A measure as a function of a fitted estimator, features and target; more is better.

    `scorer` makes it, for `scoring=` of scikit-learn. A measure that is better when low changes its
    sign. It can be pickled.

    Parameters
    ----------
    measure : Measure
        What is measured.
    positive : label, optional
        The positive class of two; the last in sorted order if not given.
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
            Features.
        y : array-like
            True classes or numbers.
        sample_weight : array-like, optional
            A weight for each row.

        Returns
        -------
        float
            More is better; NaN where the measure is undefined.
        """
        from heliast.verbs.assess import assess_table

        table = self._table(estimator, X, y, sample_weight)
        options = Options(measures=self.measure, interval="none")
        value = assess_table(table, options).estimates[0].value
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
    """The scores of each class that the model knows, and their kind."""
    if hasattr(estimator, "predict_proba"):
        return estimator.predict_proba(X), "probability"
    if not hasattr(estimator, "decision_function"):
        return None, None  # the measure says what it lacks
    scores = np.asarray(estimator.decision_function(X), np.float64)
    return np.column_stack([-scores, scores]) if scores.ndim == 1 else scores, "decision"


def scorer(measure: str | Measure, *, positive: Label | None = None, **parameters: Any) -> Scorer:
    """Return a measure for `scoring=` of scikit-learn's searches and `cross_val_score`.

    Parameters
    ----------
    measure : str or Measure
        What is measured, by any name that `assess` knows.
    positive : label, optional
        The positive class of two; the last in sorted order if not given.
    **parameters : Any
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
    lacking = [name for name in chosen.required if chosen.parameters.get(name) is None]
    if lacking:
        raise InputError(f"scorer: {chosen.name} needs {lacking[0]}=")
    return Scorer(chosen, positive)
