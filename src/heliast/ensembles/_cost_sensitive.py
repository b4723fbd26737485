"""Any classifier, made to mind what its errors cost."""

from collections.abc import Mapping
from typing import Any, Literal, Self

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils.metaestimators import available_if

from heliast._core.costs import Costs, cheapest, cost_matrix
from heliast._core.errors import InputError
from heliast._core.kinds import Array, RandomState
from heliast._core.told import FITTED, TO_FIT, TO_PREDICT, told
from heliast.ensembles._ballots import codes_of
from heliast.ensembles._draws import Clones, generator, repeated, root_seed
from heliast.ensembles._ensemble import Ensemble
from heliast.ensembles._fitting import by, needs_weights
from heliast.ensembles._members import spread_out


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
        matrix = np.repeat((mass.sum() / (k * mass))[:, None], k, axis=1)
        np.fill_diagonal(matrix, 0.0)
    else:
        matrix = cost_matrix(costs, tuple(classes.tolist()))
    value = matrix.sum(axis=1) if k > 1 else np.ones(1)
    if (matrix < 0).any() or not (value * mass).any():
        raise InputError("costs: none may be below 0, and some error must cost something")
    return value * mass.sum() / (mass * value).sum(), matrix


def _has_probabilities(model: "CostSensitive") -> bool:
    return hasattr(getattr(model, "model_", model.base), "predict_proba")


class CostSensitive(ClassifierMixin, Ensemble):  # type: ignore[misc]
    """A classifier that learns, or decides, by what each error costs.

    Weights stand for costs exactly with two classes; with more they sum what errors on a class cost
    (`class_weights`), and `threshold` uses the whole matrix.

    Parameters
    ----------
    base : estimator, optional
        Any scikit-learn classifier; None is `Tree()`, pruned as it is alone.
    costs : array-like, mapping or str, default 'balanced'
        A matrix (rows = true class, columns = label, in sorted order of the classes), a mapping
        {(true class, label): cost}, or `balanced`: as if all classes were equally frequent.
    how : {'weights', 'resample', 'threshold'}, default 'weights'
        `weights` gives the rows of dear classes more weight in the fit; `resample` repeats them
        (each row as often as its weight, fractions by lot) for bases that take no weights;
        `threshold` leaves the fit alone and chooses the label with the least expected cost.
    random_state : int, RandomState, optional
        Seed of `resample`, and of the base; None leaves the base its own.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> dear = {(0, 1): 50, (1, 0): 1}            # a tumour (0) overlooked costs 50
    >>> plain = GaussianNB().fit(X, y).predict(X)
    >>> careful = CostSensitive(GaussianNB(), dear, how="threshold").fit(X, y).predict(X)
    >>> int((plain[y == 0] == 1).sum()), int((careful[y == 0] == 1).sum())
    (23, 17)

    References
    ----------
    Elkan (2001), *Proceedings of IJCAI* 17, 973-978; Ting (1998).
    """

    _of_members: Mapping[str, Any] = {}
    """It is one model: a tree in it stands alone."""

    def __init__(
        self,
        base: Any = None,
        costs: Costs | str = "balanced",
        *,
        how: Literal["weights", "resample", "threshold"] = "weights",
        random_state: RandomState = None,
    ) -> None:
        self.base = base
        self.costs = costs
        self.how = how
        self.random_state = random_state

    @told(TO_FIT, returns=FITTED, raises="If costs do not fit the classes, or `how` is unknown.")
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the base, by weight, by repeats, or as it is."""
        base = self._base()
        if self.how not in ("weights", "resample", "threshold"):
            raise InputError(f"how={self.how!r}: choose 'weights', 'resample' or 'threshold'")
        X, y, weight = self._counting(*self._training(X, y), sample_weight)
        truth = codes_of(y, self.classes_)
        rows = np.ones(truth.size) if weight is None else weight
        mass = np.bincount(truth, rows, self.classes_.size)
        if (mass == 0).any():
            absent = self.classes_[mass == 0][0]
            raise InputError(f"sample_weight: every row of class {absent!r} has weight 0")
        self.class_weights_, self.costs_ = class_weights(self.costs, self.classes_, mass)
        rng = generator(root_seed(self.random_state))
        model = Clones(base).fresh(None if self.random_state is None else rng)
        if self.how == "threshold":
            self._check_threshold(model)
            self.model_ = model.fit(X, y, **by(weight))
        elif self.how == "weights":
            needs_weights(base, "how='weights'", "use how='resample', which any base can do")
            self.model_ = self._weighed(model, X, y, truth, weight)
        else:
            drawn = by_lot(rows * self.class_weights_[truth], rng)
            drawn = repeated(drawn)
            self.model_ = model.fit(X[drawn], y[drawn])
        return self

    def _weighed(self, model: Any, X: Any, y: Array, truth: Array, weight: Array | None) -> Any:
        """The model fitted by weight: of classes where it knows them, so that rows keep theirs.

        To a tree, whole weights of rows are copies, and real ones are not.
        """
        if "class_weight" in model.get_params(deep=False) and model.class_weight is None:
            by_class = dict(zip(self.classes_.tolist(), self.class_weights_.tolist(), strict=True))
            model.set_params(class_weight=by_class)
            return model.fit(X, y, **by(weight))
        of_class = self.class_weights_[truth]
        return model.fit(X, y, sample_weight=of_class if weight is None else weight * of_class)

    def _check_threshold(self, model: Any) -> None:
        if not hasattr(model, "predict_proba"):
            raise InputError(
                f"how='threshold': {type(model).__name__} gives no probabilities; use "
                "how='weights' or 'resample', or calibrate it (CalibratedClassifierCV)"
            )

    @told(TO_PREDICT, returns="array: A label a row, (n,).")
    def predict(self, X: Any) -> Array:
        """The label of the base, or that with the least expected cost."""
        X = self._testing(X)
        if self.how != "threshold":
            return np.asarray(self.model_.predict(X))
        return np.asarray(self.classes_[cheapest(self._probabilities(X), self.costs_)])

    @available_if(_has_probabilities)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Array:
        """The base's probabilities: by weight or repeats, of the population so changed."""
        return self._probabilities(self._testing(X))

    def _probabilities(self, X: Any) -> Array:
        return spread_out(self.model_.predict_proba(X), self.model_.classes_, self.classes_)


def by_lot(weights: Array, rng: np.random.Generator) -> Array:
    """How often each row is repeated: its weight on average, never off by 1 or more.

    >>> by_lot(np.array([2.0, 0.0, 1.5]), np.random.default_rng(0))
    array([2, 0, 2])
    """
    whole = np.floor(weights)
    found = (whole + (rng.random(weights.size) < weights - whole)).astype(np.int64)
    if not found.any():
        found[weights.argmax()] = 1
    return np.asarray(found)
