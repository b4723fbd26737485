"""Searches over parameters as the models that they try, for validation rows to choose among."""

from collections.abc import Mapping
from typing import Any


def candidates(models: Mapping[str, Any], seed: int = 0) -> dict[str, Any]:
    """Every grid or random search as its candidates, each a model by itself; others as they are.

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

    found: dict[str, Any] = {}
    for name, model in models.items():
        if isinstance(model, GridSearchCV):
            tried = list(ParameterGrid(model.param_grid))
        elif isinstance(model, RandomizedSearchCV):
            drawn = seed if model.random_state is None else model.random_state
            tried = list(ParameterSampler(model.param_distributions, model.n_iter,
                                          random_state=drawn))  # fmt: skip
        else:
            found[name] = model
            continue
        for one in tried:
            said = ", ".join(f"{key}={value!r}" for key, value in sorted(one.items()))
            given = {key: clone(value, safe=False) for key, value in one.items()}
            found[f"{name}({said})"] = clone(model.estimator).set_params(**given)
    return found
