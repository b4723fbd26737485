"""Models by short names, the panel that is tried when none are named, and searches unfolded."""

from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from typing import Any


def build(path: str, *, scaled: bool = False, **parameters: Any) -> Any:
    """A model of scikit-learn, which is imported now; behind a scaler if it lives by distances.

    >>> build("tree.DecisionTreeClassifier", max_depth=2)
    DecisionTreeClassifier(max_depth=2)
    """
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    module, _, name = path.partition(".")
    model = getattr(import_module(f"sklearn.{module}"), name)(**parameters)
    return make_pipeline(StandardScaler(), model) if scaled else model


def build_ensemble(name: str, **parameters: Any) -> Any:
    """A model of heliast's own, which is imported now.

    >>> build_ensemble("ensembles.CodedVote", code_length=15)
    CodedVote(code_length=15)
    """
    module, _, kind = name.partition(".")
    return getattr(import_module(f"heliast.{module}"), kind)(**parameters)


Factory = Callable[..., Any]
CLASSES: Mapping[str, Factory] = {
    "majority": partial(build, "dummy.DummyClassifier", strategy="prior"),
    "bayes": partial(build, "naive_bayes.GaussianNB"),
    "lda": partial(build, "discriminant_analysis.LinearDiscriminantAnalysis"),
    "qda": partial(build, "discriminant_analysis.QuadraticDiscriminantAnalysis"),
    "knn": partial(build, "neighbors.KNeighborsClassifier", scaled=True),
    "logistic": partial(build, "linear_model.LogisticRegression", scaled=True, max_iter=1000),
    "tree": partial(build, "tree.DecisionTreeClassifier", min_samples_leaf=5),
    "forest": partial(build, "ensemble.RandomForestClassifier"),
    "gradient": partial(build, "ensemble.HistGradientBoostingClassifier"),
    "svm": partial(build, "svm.SVC", scaled=True),
    "1nn": partial(build, "neighbors.KNeighborsClassifier", scaled=True, n_neighbors=1),
    "fullbayes": partial(build_ensemble, "learners.FullBayes"),
    "prism": partial(build_ensemble, "learners.Prism"),
    "bagging": partial(build_ensemble, "ensembles.BaggedVote"),
    "boosting": partial(build_ensemble, "ensembles.BoostedVote"),
    "adaboost": partial(build_ensemble, "ensembles.BoostedVote"),
    "ecoc": partial(build_ensemble, "ensembles.CodedVote"),
    "substitution": partial(build_ensemble, "ensembles.CodedVote", decoder="substitution"),
    "pairwise": partial(build_ensemble, "ensembles.PairwiseVote"),
}
NUMBERS: Mapping[str, Factory] = {
    "mean": partial(build, "dummy.DummyRegressor"),
    "linear": partial(build, "linear_model.LinearRegression"),
    "ridge": partial(build, "linear_model.Ridge", scaled=True),
    "knn": partial(build, "neighbors.KNeighborsRegressor", scaled=True),
    "tree": partial(build, "tree.DecisionTreeRegressor", min_samples_leaf=5),
    "forest": partial(build, "ensemble.RandomForestRegressor"),
    "gradient": partial(build, "ensemble.HistGradientBoostingRegressor"),
    "1nn": partial(build, "neighbors.KNeighborsRegressor", scaled=True, n_neighbors=1),
    "bagging": partial(build_ensemble, "ensembles.BaggedMean"),
    "boosting": partial(build_ensemble, "ensembles.BoostedMedian"),
}


def panel(task: str) -> dict[str, Any]:
    """The models tried when none are named: a baseline and a few of different kinds.

    Parameters
    ----------
    task : str
        `classification` or `regression`.

    Returns
    -------
    dict
        Estimators by name.

    Examples
    --------
    >>> list(panel("regression"))
    ['mean', 'linear', 'knn', 'tree']
    """
    if task == "regression":
        return {name: NUMBERS[name]() for name in ("mean", "linear", "knn", "tree")}
    names = ("majority", "bayes", "lda", "knn", "logistic", "tree")
    return {name: CLASSES[name]() for name in names}


def candidates(models: Mapping[str, Any], seed: int = 0) -> dict[str, Any]:
    """Each grid or random search as the models that it tries, for validation rows to choose among.

    >>> from sklearn.model_selection import GridSearchCV
    >>> from sklearn.svm import SVC
    >>> list(candidates({"svm": GridSearchCV(SVC(), {"C": [1, 10]})}))
    ['svm(C=1)', 'svm(C=10)']
    """
    from sklearn.base import clone
    from sklearn.model_selection import (
        GridSearchCV,
        ParameterGrid,
        ParameterSampler,
        RandomizedSearchCV,
    )

    unfolded: dict[str, Any] = {}
    for name, model in models.items():
        if isinstance(model, GridSearchCV):
            settings = list(ParameterGrid(model.param_grid))
        elif isinstance(model, RandomizedSearchCV):
            state = seed if model.random_state is None else model.random_state
            settings = list(ParameterSampler(model.param_distributions, model.n_iter,
                                             random_state=state))  # fmt: skip
        else:
            unfolded[name] = model
            continue
        for setting in settings:
            words = ", ".join(f"{key}={value!r}" for key, value in sorted(setting.items()))
            values = {key: clone(value, safe=False) for key, value in setting.items()}
            unfolded[f"{name}({words})"] = clone(model.estimator).set_params(**values)
    return unfolded
