"""What every ensemble of one base shares: its base, its checks at the edge, its tags."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, clone, is_classifier, is_regressor
from sklearn.utils import get_tags
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast.learners.sample_weight import checked_weights
from heliast.learners.tree import Tree, is_open

SETTINGS = {
    "members": "int, default 100: Number of copies B, at least 1.",
    "rows": "float, default 1.0: Rows that a member sees, as a count, or as a share if it is a "
    "float.",
    "replace": "bool, default True: Whether rows are drawn with replacement.",
    "replace_features": "bool, default False: Whether inputs are drawn with replacement.",
    "warm_start": "bool, default False: Whether a second `fit` adds members up to `members`; the "
    "result is that of one fit.",
    "redraws": "int, default 100: Samples more that a round may try, for `redraw` and `reset`; "
    "then the rounds end.",
    "bins": "int, default 256: Where the base is a `Tree`: an input with more distinct values than "
    "this, 2 to 256, is put into so many bins of equally many rows and split between them, which "
    "is many times faster. None tries every split.",
    "n_jobs": "int, optional: Processes, as in scikit-learn; results are the same for any number.",
    "random_state": "int, RandomState, optional: Seed of what is drawn; None differs from fit to "
    "fit.",
}
"""What settings mean that several ensembles have."""


class Ensemble(BaseEstimator):  # type: ignore[misc]
    """An ensemble of copies of `base`. Inputs stay as they are: the base judges them."""

    base: Any
    _numbers = False
    _of_members: Mapping[str, Any] = {"limits": "pure"}
    """What trees are told of whose size nothing is said."""

    def _base(self) -> Any:
        """The base, or the tree that stands for None; refuses one of the other kind."""
        base = _default(self._numbers) if self.base is None else self.base
        right = is_regressor(base) if self._numbers else is_classifier(base)
        if not right:
            wanted = "a predictor of numbers (regressor)" if self._numbers else "a classifier"
            raise InputError(f"base={base!r}: {type(self).__name__} needs {wanted}")
        return as_member(base, self._of_members)

    def _training(self, X: Any, y: Any) -> tuple[Any, Array]:
        """Checked inputs and targets; sets `n_features_in_` and, for classes, `classes_`."""
        X, y = validate_data(self, X, y, y_numeric=self._numbers, **self._leave())
        if not self._numbers:
            check_classification_targets(y)
            self.classes_ = np.unique(y)
        return X, y

    def _testing(self, X: Any) -> Any:
        check_is_fitted(self)
        return validate_data(self, X, reset=False, **self._leave())

    def _leave(self) -> dict[str, Any]:
        sparse = get_tags(self._base()).input_tags.sparse
        return {
            "dtype": None,
            "ensure_all_finite": False,
            "accept_sparse": "csr" if sparse else False,
        }

    def _counting(self, X: Any, y: Array, sample_weight: Any) -> tuple[Any, Array, Array | None]:
        """Inputs, targets and weights of the rows that weigh anything; None for even weights.

        Rows of weight 0 go before anything is drawn, summed or divided by their number, so that
        they are left out to the last digit.
        """
        if sample_weight is None:
            return X, y, None
        weight = checked_weights(sample_weight, X.shape[0])
        if weight.all():
            return X, y, weight
        rows = np.flatnonzero(weight)
        return X[rows], y[rows], weight[rows]

    def _row_weights(self, sample_weight: Any, X: Any) -> Array | None:
        """Weights of the rows as shares that sum to 1; None for even ones."""
        if sample_weight is None:
            return None
        weight = checked_weights(sample_weight, X.shape[0])
        return np.asarray(weight / weight.sum())

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inner = get_tags(self._base()).input_tags
        tags.input_tags.sparse = inner.sparse
        tags.input_tags.allow_nan = inner.allow_nan
        return tags


def as_member(base: Any, told: Mapping[str, Any]) -> Any:
    """The base, where trees inside it of whose size nothing is said are told what members are.

    A tree in a vote within the base is that vote's.

    >>> from heliast.learners import Tree
    >>> as_member(Tree("gini"), {"limits": "pure"}), as_member(Tree(max_depth=2), {"max_depth": 1})
    (Tree(criterion='gini', limits='pure'), Tree(max_depth=2))
    """
    parts = {"": base, **base.get_params(deep=True)}
    votes = [name for name, part in parts.items() if isinstance(part, Ensemble)]
    chosen = [
        f"{name}__" if name else ""
        for name, part in parts.items()
        if isinstance(part, Tree)
        and is_open(part)
        and not any(name.startswith(f"{vote}__" if vote else "") for vote in votes)
    ]
    if not chosen or not told:
        return base
    copy = clone(base)
    return copy.set_params(**{at + name: value for at in chosen for name, value in told.items()})


def _default(numbers: bool) -> Any:
    if numbers:
        from sklearn.tree import DecisionTreeRegressor

        return DecisionTreeRegressor()
    return Tree()
