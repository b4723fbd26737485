"""The models that need no introduction: short names, and the panel that is tried unasked."""

from collections.abc import Callable, Mapping
from typing import Any

Factory = Callable[..., Any]


def _majority(**settings: Any) -> Any:
    from sklearn.dummy import DummyClassifier

    return DummyClassifier(**{"strategy": "prior", **settings})


def _bayes(**settings: Any) -> Any:
    from sklearn.naive_bayes import GaussianNB

    return GaussianNB(**settings)


def _lda(**settings: Any) -> Any:
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

    return LinearDiscriminantAnalysis(**settings)


def _qda(**settings: Any) -> Any:
    from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis

    return QuadraticDiscriminantAnalysis(**settings)


def _knn(**settings: Any) -> Any:
    from sklearn.neighbors import KNeighborsClassifier

    return _scaled(KNeighborsClassifier(**settings))


def _logistic(**settings: Any) -> Any:
    from sklearn.linear_model import LogisticRegression

    return _scaled(LogisticRegression(**{"max_iter": 1000, **settings}))


def _tree(**settings: Any) -> Any:
    from sklearn.tree import DecisionTreeClassifier

    return DecisionTreeClassifier(**{"min_samples_leaf": 5, **settings})


def _forest(**settings: Any) -> Any:
    from sklearn.ensemble import RandomForestClassifier

    return RandomForestClassifier(**settings)


def _svm(**settings: Any) -> Any:
    from sklearn.svm import SVC

    return _scaled(SVC(**settings))


def _mean(**settings: Any) -> Any:
    from sklearn.dummy import DummyRegressor

    return DummyRegressor(**settings)


def _linear(**settings: Any) -> Any:
    from sklearn.linear_model import LinearRegression

    return LinearRegression(**settings)


def _ridge(**settings: Any) -> Any:
    from sklearn.linear_model import Ridge

    return _scaled(Ridge(**settings))


def _knn_number(**settings: Any) -> Any:
    from sklearn.neighbors import KNeighborsRegressor

    return _scaled(KNeighborsRegressor(**settings))


def _tree_number(**settings: Any) -> Any:
    from sklearn.tree import DecisionTreeRegressor

    return DecisionTreeRegressor(**{"min_samples_leaf": 5, **settings})


def _forest_number(**settings: Any) -> Any:
    from sklearn.ensemble import RandomForestRegressor

    return RandomForestRegressor(**settings)


def _scaled(model: Any) -> Any:
    """Models that live by distances or penalties see inputs on a common scale."""
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    return make_pipeline(StandardScaler(), model)


CLASSES: Mapping[str, Factory] = {
    "majority": _majority,
    "bayes": _bayes,
    "lda": _lda,
    "qda": _qda,
    "knn": _knn,
    "logistic": _logistic,
    "tree": _tree,
    "forest": _forest,
    "svm": _svm,
}
NUMBERS: Mapping[str, Factory] = {
    "mean": _mean,
    "linear": _linear,
    "ridge": _ridge,
    "knn": _knn_number,
    "tree": _tree_number,
    "forest": _forest_number,
}
_PANELS = {
    "classes": ("majority", "bayes", "lda", "knn", "logistic", "tree"),
    "number": ("mean", "linear", "knn", "tree"),
}


def panel(task: str) -> dict[str, Any]:
    """The models tried when none are named: a baseline and a few of different kinds.

    >>> list(panel("classes"))
    ['majority', 'bayes', 'lda', 'knn', 'logistic', 'tree']
    """
    known = CLASSES if task == "classes" else NUMBERS
    return {name: known[name]() for name in _PANELS[task]}
