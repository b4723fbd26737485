"""Any classifier, made to mind what its errors cost."""

from typing import Any, ClassVar, Literal, Self

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from heliast._core.costs import Costs, cheapest, cost_matrix
from heliast._core.errors import InputError
from heliast._core.kinds import Array, RandomState
from heliast.ensembles._base import (
    Ensemble,
    fit_options,
    fresh_copy,
    generator,
    root_seed,
)
from heliast.ensembles._voting import class_codes, spread_out


def class_weights(costs: Any, classes: Array, mass: Array) -> tuple[Array, Array]:
    """Weights of the classes that stand for costs, and the cost matrix itself.

    w_i = n V_i / Σ_j n_j V_j, V_i = Σ_j C_ij the sum of what errors on class i cost, n_i its rows:
    the weights average 1 over the rows. `balanced` costs are n/(k n_i) for any error on class i.
    Exact for two classes; with more a matrix has more to say than k weights can hold.

    >>> class_weights([[0, 1], [3, 0]], np.array(["a", "b"]), np.array([3.0, 1.0]))[0]
    array([0.66666667, 2.        ])

    Reference: Ting (1998), *Proceedings of PKDD*, 139-147, after Breiman and others (1984).
    """
    k = classes.size
    if isinstance(costs, str):
        if costs != "balanced":
            raise InputError(f"costs={costs!r}: give a matrix, a mapping or 'balanced'")
        matrix = (1 - np.eye(k)) * (mass.sum() / (k * mass))[:, None]
    else:
        matrix = cost_matrix(costs, tuple(classes.tolist()))
    value = matrix.sum(axis=1) if k > 1 else np.ones(1)
    if (matrix < 0).any() or not value.any():
        raise InputError("costs: none may be below 0, and some error must cost something")
    return value * mass.sum() / (mass * value).sum(), matrix


def _has_probabilities(model: "CostSensitive") -> bool:
    return hasattr(getattr(model, "model_", model.estimator), "predict_proba")


class CostSensitive(ClassifierMixin, Ensemble):  # type: ignore[misc]
    """A classifier that learns, or decides, by what each error costs.

    Weights stand for costs exactly with two classes; with more they sum what errors on a class cost
    (`class_weights`), and `threshold` uses the whole matrix.

    Parameters
    ----------
    estimator : estimator, optional
        Any scikit-learn classifier; None is `Tree()`, pruned as it is alone.
    costs : array-like, mapping or str, default 'balanced'
        A matrix (rows = true class, columns = predicted class, in sorted order of the classes), a
        mapping {(true class, predicted class): cost}, or `balanced`: as if all classes were equally
        frequent.
    how : {'weights', 'resample', 'threshold'}, default 'weights'
        `weights` gives the rows of expensive classes more weight in the fit; `resample` repeats
        them (each row as often as its weight, fractions by lot) for estimators that take no
        weights; `threshold` leaves the fit alone and chooses the class with the least expected
        cost.
    random_state : int, optional
        Seed of `resample`, and of the estimator; None leaves the estimator its own.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> costs = {(0, 1): 50, (1, 0): 1}            # a tumour (0) overlooked costs 50
    >>> plain = GaussianNB().fit(X, y).predict(X)
    >>> careful = CostSensitive(GaussianNB(), costs, how="threshold").fit(X, y).predict(X)
    >>> int((plain[y == 0] == 1).sum()), int((careful[y == 0] == 1).sum())
    (23, 17)

    References
    ----------
    Elkan (2001), *Proceedings of IJCAI* 17, 973-978; Ting (1998).
    """

    _member_settings: ClassVar = {}  # it is one model: a tree in it stands alone

    def __init__(
        self,
        estimator: Any = None,
        costs: Costs | str = "balanced",
        *,
        how: Literal["weights", "resample", "threshold"] = "weights",
        random_state: RandomState = None,
    ) -> None:
        self.estimator = estimator
        self.costs = costs
        self.how = how
        self.random_state = random_state

    def _grows(self, base: Any) -> bool:
        return False

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the estimator, by weight, by repeats, or as it is.

        Parameters
        ----------
        X : array-like or frame
            Training rows, (n, features).
        y : array-like
            True class of each row.
        sample_weight : array-like, optional
            Weight of each row; None is 1 each.

        Returns
        -------
        Self
            The fitted model.

        Raises
        ------
        InputError
            If costs do not fit the classes, or `how` is unknown.
        """
        base, X, y, weight = self._check_training(X, y, sample_weight)
        codes = class_codes(y, self.classes_)
        mass = np.bincount(codes, weight, self.classes_.size)
        self.class_weights_, self.costs_ = class_weights(self.costs, self.classes_, mass)
        weights = self.class_weights_[codes] * (1.0 if weight is None else weight)
        rng = generator(root_seed(self.random_state))
        model = fresh_copy(base, None if self.random_state is None else rng)
        if self.how == "resample":
            rows = np.repeat(np.arange(codes.size), counts_by_lot(weights, rng))
            X, y, weight = X[rows], y[rows], None
        elif self.how == "threshold" and not hasattr(model, "predict_proba"):
            raise InputError(
                f"how='threshold': {type(model).__name__} gives no probabilities; use "
                "how='weights' or 'resample', or calibrate it (CalibratedClassifierCV)"
            )
        elif self.how == "weights" and getattr(model, "class_weight", "none") is None:
            # To a tree, whole weights of rows are copies: they stay as they are.
            by_class = zip(self.classes_.tolist(), self.class_weights_.tolist(), strict=True)
            model.set_params(class_weight=dict(by_class))
        elif self.how == "weights":
            weight = weights
        self.model_ = model.fit(X, y, **fit_options(weight))
        return self

    def predict(self, X: Any) -> Array:
        """The class that the estimator predicts, or that with the least expected cost.

        Parameters
        ----------
        X : array-like or frame
            Rows to predict, (n, features).

        Returns
        -------
        array
            A label a row, (n,).
        """
        check_is_fitted(self)
        if self.how == "threshold":
            return np.asarray(self.classes_[cheapest(self.predict_proba(X), self.costs_)])
        return np.asarray(self.model_.predict(self._check_rows(X)))

    @available_if(_has_probabilities)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Array:
        """The estimator's probabilities: by weight or repeats, of the population so changed."""
        X = self._check_rows(X)
        return spread_out(self.model_.predict_proba(X), self.model_.classes_, self.classes_)


def counts_by_lot(weights: Array, rng: np.random.Generator) -> Array:
    """How often each row is repeated: its weight on average, never off by 1 or more.

    >>> counts_by_lot(np.array([2.0, 0.0, 1.5]), np.random.default_rng(0))
    array([2, 0, 2])
    """
    lower = np.floor(weights)
    counts = (lower + (rng.random(weights.size) < weights - lower)).astype(np.int64)
    if not counts.any():
        counts[weights.argmax()] = 1
    return np.asarray(counts)
