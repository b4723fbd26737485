"""The tree as an estimator, for classes and for numbers."""

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin, is_regressor
from sklearn.utils import ClassifierTags, RegressorTags, compute_class_weight
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from heliast._core.errors import InputError
from heliast._core.kinds import Array, ArrayLike
from heliast._core.pessimistic import Form
from heliast.learners.sample_weight import checked_weights
from heliast.learners.tree._grower import TreeGrower
from heliast.learners.tree._inputs import Inputs
from heliast.learners.tree._nodes import Nodes, pessimistic, pessimistic_share
from heliast.learners.tree._settings import AS_IN_C45, Limits, pruning_of, smoothing_of
from heliast.learners.tree._text import Words, picture


def _has_classes(tree: "Tree") -> bool:
    return not is_regressor(tree)


class Tree(BaseEstimator):  # type: ignore[misc]
    """A decision tree with binary splits, for classes or, by squared error, for numbers.

    A node is split if it has at least `min_samples_split` rows, its deviance is at least
    `min_deviance` of the root's, and a split exists that leaves `min_samples_leaf` rows on each
    side; the split that lessens the impurity most is taken. Deviance is -2 Σ n_c log(n_c / n),
    Gini's index 1 - Σ p_c². Thresholds lie in the middle of the gap between the node's own rows.

    How large it gets, if you do not say, depends on where it stands. Alone it grows until its
    leaves are pure and is pruned by pessimistic errors; as a member of a vote it grows until its
    leaves are pure; boosting keeps its leaves larger (see `BoostedVote`). If you say anything about
    its size, by `limits`, `pruning` or any limit, then that alone holds, wherever it stands.

    Missing values go to the side where they lessen the impurity more; where a node saw none, to
    the heavier side. The same holds for nominal values that a node never saw.

    Parameters
    ----------
    criterion : {'deviance', 'gini', 'squared_error'}, default 'deviance'
        The impurity that splits lessen. With "squared_error" the tree is a regressor: it predicts
        the mean of a leaf's numbers, and is not pruned.
    limits : {'pure', 's-plus'}, optional
        What the next three are where they are None. `pure`: 1, 2 and 0, so that the tree grows
        until its leaves are pure. `s-plus`: 5, 10 and 0.01, the limits of S-Plus. None: as `pure`,
        and the place where the tree stands decides on pruning and depth, as above.
    min_samples_leaf : float, optional
        Least rows of a child; below 1 it is a share of the training rows. Whole weights are copies
        and count as such; real weights count every row once.
    min_samples_split : float, optional
        Least rows of a node that is split, counted alike; below 1 a share as well.
    min_deviance : float, optional
        Least deviance of a node that is split, as a share of the root's.
    max_depth : int, optional
        Most levels of questions; None is no limit.
    max_leaf_nodes : int, optional
        Most leaves; the split that lessens the impurity most comes first. None is no limit.
    min_impurity_decrease : float, default 0.0
        Least decrease of the impurity by a split, as a share of the root's impurity.
    pruning : str, optional
        "pessimistic" (C4.5). None does not prune, but a tree that stands alone and of whose size
        nothing is said; `limits="pure"` leaves that one whole, too.
    confidence : float, optional
        Level of the upper limit of pessimistic pruning, above 0 and below 1; less prunes more.
        None is 0.25, as in C4.5, where `pruning` is given, and 0.05, which a study over data sets
        found better (docs/tree.md), where it is not.
    errors : {'c4.5', 'binomial', 'wilson'}, default 'c4.5'
        Form of that limit.
    smoothing : str or float, optional
        None; "laplace": (n_c + 1) / (n + k); or the number m of the m-estimate (n_c + m q_c) / (n +
        m) with q the shares in the root.
    class_weight : mapping of Any to float or str, optional
        None, "balanced" or {class: weight}: what rows of a class weigh, as if they were there so
        many times.
    nominal : sequence, optional
        Nominal columns: numbers, names or a mask. Columns of text always are. Values go left or
        right by subset: for two classes the best subset of all, for more the best one in the order
        of any one class's share.
    random_state : int, optional
        None: ties between inputs go to the first. A number: to the first from a place that is drawn
        for each node.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> print(Tree().fit(X, y).text())
    x2 <= 2.45: 0 (100% of 50)
    x2 > 2.45
      x3 <= 1.75
        x2 <= 4.95
          x3 <= 1.65: 1 (100% of 47)
          x3 > 1.65: 2 (100% of 1)
        x2 > 4.95: 2 (67% of 6)
      x3 > 1.75: 2 (98% of 46)

    References
    ----------
    L. Breiman, J. Friedman, R. Olshen, C. Stone (1984). Classification and regression trees; L.
    Clark, D. Pregibon (1992). Tree-based models, in: Statistical models in S; J. R. Quinlan (1993).
    C4.5: programs for machine learning.
    """

    def __init__(
        self,
        criterion: str = "deviance",
        *,
        limits: Limits | None = None,
        min_samples_leaf: float | None = None,
        min_samples_split: float | None = None,
        min_deviance: float | None = None,
        max_depth: int | None = None,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        pruning: str | None = None,
        confidence: float | None = None,
        errors: Form = "c4.5",
        smoothing: str | float | None = None,
        class_weight: Mapping[Any, float] | str | None = None,
        nominal: ArrayLike | None = None,
        random_state: int | None = None,
    ) -> None:
        self.criterion = criterion
        self.limits = limits
        self.min_samples_leaf = min_samples_leaf
        self.min_samples_split = min_samples_split
        self.min_deviance = min_deviance
        self.max_depth = max_depth
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.pruning = pruning
        self.confidence = confidence
        self.errors = errors
        self.smoothing = smoothing
        self.class_weight = class_weight
        self.nominal = nominal
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the tree and prune it. Whole weights are copies of rows, real weights are not.

        Parameters
        ----------
        X : array-like or frame
            Training rows, (n, inputs); NaN is missing, text is nominal.
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
            If a setting is unknown or out of range.
        """
        numbers = is_regressor(self)
        X, y = validate_data(
            self, X, y, dtype=None, ensure_all_finite="allow-nan", y_numeric=numbers
        )
        weight = None if sample_weight is None else checked_weights(sample_weight, len(X))
        self._inputs = Inputs(X, self.nominal, getattr(self, "feature_names_in_", None))
        prune, confidence = pruning_of(self)
        grower = TreeGrower(
            self, self._inputs.matrix(X), self._inputs.nominal, _seed(self.random_state)
        )
        if numbers:
            self._refuse_class_settings()
            return self._take(grower.grow_numbers(y, weight).nodes(0), None)
        check_classification_targets(y)
        classes, codes = np.unique(y, return_inverse=True)
        factor = self._class_weights(classes, codes, weight)
        nodes = grower.grow_classes(codes, classes.size, weight, class_weights=factor).nodes(0)
        self.unpruned_ = nodes
        if prune is not None:
            nodes = pessimistic(nodes, confidence, self.errors)
        return self._take(nodes, classes)

    def _refuse_class_settings(self) -> None:
        for name in ("pruning", "smoothing", "class_weight"):
            if getattr(self, name) is not None:
                raise InputError(f"{name} is for classes: leave it out for squared_error")

    def _class_weights(self, classes: Array, codes: Array, weight: Array | None) -> Array | None:
        """What each class's rows weigh while growing; None if all weigh one."""
        if self.class_weight is None:
            return None
        if self.class_weight == "balanced":
            held = np.bincount(codes, weight, classes.size)
            return np.asarray(held.sum() / (classes.size * np.maximum(held, 1e-300)))
        return np.asarray(
            compute_class_weight(self.class_weight, classes=classes, y=classes[codes])
        )

    def _take(self, nodes: Nodes, classes: Array | None) -> Self:
        """Become the fitted tree with these nodes; no classes for numbers."""
        if classes is not None:
            self.classes_ = classes
        self.nodes_ = nodes
        self.n_features_in_ = len(nodes.values)
        return self

    @property
    def n_leaves_(self) -> int:
        """How many leaves there are."""
        check_is_fitted(self, "nodes_")
        return self.nodes_.leaves

    @property
    def depth_(self) -> int:
        """The length of the longest way from the root to a leaf."""
        check_is_fitted(self, "nodes_")
        return int(self.nodes_.depth.max())

    def apply(self, X: Any) -> Array:
        """The number of the leaf, among `nodes_`, that each row reaches.

        Parameters
        ----------
        X : array-like or frame
            Rows to predict, (n, inputs).

        Returns
        -------
        array
            Numbers of leaves, (n,).
        """
        check_is_fitted(self, "nodes_")
        X = validate_data(self, X, dtype=None, ensure_all_finite="allow-nan", reset=False)
        matrix = self._inputs.matrix(X) if hasattr(self, "_inputs") else X
        return np.asarray(self.nodes_.forest.leaves(matrix)[:, 0])

    @available_if(_has_classes)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Array:
        """Share of each class in the leaf, smoothed if `smoothing` says so.

        Parameters
        ----------
        X : array-like or frame
            Rows to predict, (n, inputs).

        Returns
        -------
        array
            Probabilities, (n, k), rows summing to 1, in the order of `classes_`.
        """
        at = self.apply(X)
        return np.asarray(self._shares()[at])

    def _shares(self) -> Array:
        counts = self.nodes_.counts
        k = counts.shape[1]
        amount, is_even = smoothing_of(self.smoothing, k)
        prior = np.full(k, 1.0 / k) if is_even else counts[0] / counts[0].sum()
        return np.asarray((counts + amount * prior) / (counts.sum(axis=1, keepdims=True) + amount))

    def predict(self, X: Any) -> Array:
        """The class with the largest share in the leaf, or the mean of its numbers.

        Ties go to the first class.

        Parameters
        ----------
        X : array-like or frame
            Rows to predict, (n, inputs).

        Returns
        -------
        array
            A label, or number, a row, (n,).
        """
        at = self.apply(X)
        if is_regressor(self):
            return np.asarray(self.nodes_.mean[at])
        return np.asarray(self.classes_[self._shares().argmax(axis=1)[at]])

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The accuracy; of numbers R².

        Parameters
        ----------
        X : array-like or frame
            Rows to predict, (n, inputs).
        y : array-like
            True class, or number, of each row.
        sample_weight : array-like, optional
            Weight of each row; None is 1 each.

        Returns
        -------
        float
            Accuracy, or R².
        """
        mixin = RegressorMixin if is_regressor(self) else ClassifierMixin
        return float(mixin.score(self, X, y, sample_weight))

    def _words(self, errors: bool = False, pruned: bool = True) -> Words:
        check_is_fitted(self, "nodes_")
        names = getattr(self, "feature_names_in_", [f"x{f}" for f in range(self.n_features_in_)])
        written = self._inputs.written if hasattr(self, "_inputs") else _number
        if is_regressor(self):
            return Words(self.nodes_, names, [], np.empty(0), written)
        nodes = self.nodes_ if pruned else self.unpruned_
        label = self._shares().argmax(axis=1) if pruned else nodes.counts.argmax(axis=1)
        confidence = AS_IN_C45 if self.confidence is None else self.confidence
        upper = pessimistic_share(nodes, confidence, self.errors) if errors else None
        return Words(nodes, names, self.classes_.tolist(), label, written, upper)

    def text(
        self,
        max_depth: int | None = None,
        *,
        errors: bool = False,
        pruned: bool = True,
    ) -> str:
        """The tree as indented lines: questions; in leaves the class, its share and the rows.

        Parameters
        ----------
        max_depth : int, optional
            So many levels at most; None shows all.
        errors : bool, default False
            Whether every node shows N, its observed error f and its pessimistic error e, which
            C4.5 compares with those of its children.
        pruned : bool, default True
            False shows the tree as it was before it was pruned.

        Returns
        -------
        str
            The lines.
        """
        return self._words(errors, pruned).text(max_depth)

    def path(self, X: Any) -> list[str]:
        """For each row, the answers that lead it to its leaf, one a line, and what that says.

        Parameters
        ----------
        X : array-like or frame
            Rows to predict, (n, inputs).

        Returns
        -------
        list of str
            A text a row.
        """
        words = self._words()
        return [words.path(int(leaf)) for leaf in self.apply(X)]

    def svg(
        self,
        max_depth: int | None = None,
        *,
        errors: bool = False,
        pruned: bool = True,
    ) -> str:
        """The tree as a figure, the text of an SVG file.

        Parameters
        ----------
        max_depth : int, optional
            So many levels at most; None shows all.
        errors, pruned : bool
            As in `text`.

        Returns
        -------
        str
            An SVG, which a notebook shows.
        """
        return picture(self._words(errors, pruned), max_depth)

    plot = svg

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        if self.criterion == "squared_error":
            tags.estimator_type, tags.regressor_tags = "regressor", RegressorTags()
        else:
            tags.estimator_type, tags.classifier_tags = "classifier", ClassifierTags()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags


def _number(f: int, value: float) -> str:
    return f"{value:g}"


def _seed(random_state: Any) -> int | None:
    """A whole number from what scikit-learn allows; None stays None."""
    if random_state is None or isinstance(random_state, (int, np.integer)):
        return None if random_state is None else int(random_state)
    return int(random_state.randint(0, 1 << 31))
