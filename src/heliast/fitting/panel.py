"""The models that need no introduction: short names, and the panel that is tried unasked."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

Factory = Callable[..., Any]


@dataclass(frozen=True)
class Known:
    """A class of scikit-learn, loaded when it is first called for, with settings of our own.

    Models that live by distances or penalties are `scaled`: they see inputs on a common scale.

    >>> Known("tree", "DecisionTreeClassifier", {"min_samples_leaf": 5})(max_depth=2)
    DecisionTreeClassifier(max_depth=2, min_samples_leaf=5)
    """

    module: str
    name: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    scaled: bool = False

    def __call__(self, **settings: Any) -> Any:
        model = getattr(import_module(f"sklearn.{self.module}"), self.name)
        made = model(**{**self.settings, **settings})
        if not self.scaled:
            return made
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler

        return make_pipeline(StandardScaler(), made)


CLASSES: Mapping[str, Factory] = {
    "majority": Known("dummy", "DummyClassifier", {"strategy": "prior"}),
    "bayes": Known("naive_bayes", "GaussianNB"),
    "lda": Known("discriminant_analysis", "LinearDiscriminantAnalysis"),
    "qda": Known("discriminant_analysis", "QuadraticDiscriminantAnalysis"),
    "knn": Known("neighbors", "KNeighborsClassifier", scaled=True),
    "logistic": Known("linear_model", "LogisticRegression", {"max_iter": 1000}, scaled=True),
    "tree": Known("tree", "DecisionTreeClassifier", {"min_samples_leaf": 5}),
    "forest": Known("ensemble", "RandomForestClassifier"),
    "gradient": Known("ensemble", "HistGradientBoostingClassifier"),
    "svm": Known("svm", "SVC", scaled=True),
}
NUMBERS: Mapping[str, Factory] = {
    "mean": Known("dummy", "DummyRegressor"),
    "linear": Known("linear_model", "LinearRegression"),
    "ridge": Known("linear_model", "Ridge", scaled=True),
    "knn": Known("neighbors", "KNeighborsRegressor", scaled=True),
    "tree": Known("tree", "DecisionTreeRegressor", {"min_samples_leaf": 5}),
    "forest": Known("ensemble", "RandomForestRegressor"),
    "gradient": Known("ensemble", "HistGradientBoostingRegressor"),
}
_PANELS = {
    "classes": ("majority", "bayes", "lda", "knn", "logistic", "tree"),
    "number": ("mean", "linear", "knn", "tree"),
}


def panel(task: str) -> dict[str, Any]:
    """The models tried when none are named: a baseline and a few of different kinds.

    Parameters
    ----------
    task : str
        `classes` or `number`.

    Returns
    -------
    dict
        Estimators by name.

    Examples
    --------
    >>> list(panel("classes"))
    ['majority', 'bayes', 'lda', 'knn', 'logistic', 'tree']
    """
    known = CLASSES if task == "classes" else NUMBERS
    return {name: known[name]() for name in _PANELS[task]}
