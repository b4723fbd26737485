"""The classification tree as an estimator."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import compute_class_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from heliast._core.costs import cheapest, cost_matrix
from heliast._core.errors import InputError
from heliast._kernels.growing import Rules
from heliast.learners._sample_weight import checked_weights
from heliast.learners.tree._grove import Grove
from heliast.learners.tree._nodes import Nodes
from heliast.learners.tree._smoothing import Smoothing

Array = npt.NDArray[Any]

NO_LIMIT = 1 << 30


class Tree(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classification tree with binary splits."""

    def __init__(
        self,
        criterion: str = "deviance",
        *,
        min_cut: float = 5,
        min_size: float = 10,
        min_deviance: float = 0.01,
        max_depth: int | None = None,
        max_leaves: int | None = None,
        min_decrease: float = 0.0,
        prune: str | None = None,
        confidence: float = 0.25,
        smoothing: str | float | None = None,
        class_weight: Mapping[Any, float] | str | None = None,
        cost: object = None,
        nominal: Sequence[int] | Array | None = None,
        random_state: int | None = None,
    ) -> None:
        self.criterion = criterion
        self.min_cut = min_cut
        self.min_size = min_size
        self.min_deviance = min_deviance
        self.max_depth = max_depth
        self.max_leaves = max_leaves
        self.min_decrease = min_decrease
        self.prune = prune
        self.confidence = confidence
        self.smoothing = smoothing
        self.class_weight = class_weight
        self.cost = cost
        self.nominal = nominal
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the tree. Whole weights are copies of rows, real weights are not."""
        X, y = validate_data(self, X, y, dtype=np.float64, ensure_all_finite="allow-nan", order="C")
        check_classification_targets(y)
        classes, truth = np.unique(y, return_inverse=True)
        weight = None if sample_weight is None else checked_weights(sample_weight, len(X))
        grove = Grove(self, X, self.nominal, self.random_state)
        trees = grove.classes(
            truth, classes.size, weight, class_weights=self._class_weights(classes, y, weight)
        )
        return self._take(trees.nodes(0), classes)

    def _class_weights(self, classes: Array, y: Array, weight: Array | None) -> Array | None:
        """What each class's rows weigh while growing; None if all weigh one."""
        if self.cost is not None and self.class_weight is not None:
            raise InputError("give class_weight or cost, not both: costs are weights of classes")
        if self.cost is not None:
            lost = cost_matrix(self.cost, classes.tolist())
            total: Array = lost.sum(axis=1) - np.diag(lost)
            if (total <= 0).any():
                raise InputError("cost: every class needs an error that costs more than nothing")
            scaled: Array = total * classes.size / total.sum()
            return scaled
        if self.class_weight is None:
            return None
        given: Array = compute_class_weight(
            self.class_weight, classes=classes, y=y, sample_weight=weight
        )
        return given

    def _take(self, nodes: Nodes, classes: Array) -> Self:
        """Become the fitted tree with these nodes."""
        self.classes_ = classes
        self.nodes_ = nodes
        self.n_features_in_ = len(nodes.values)
        self._descent = nodes.descent()
        return self

    def _rules(self) -> Rules:
        """The checked settings, as the kernels read them."""
        if self.criterion not in ("deviance", "gini"):
            raise InputError(f"criterion must be 'deviance' or 'gini', got {self.criterion!r}")
        if self.prune is not None:
            raise InputError(f"prune must be None, got {self.prune!r}")
        Smoothing.of(self.smoothing, 2)
        for name, least in (
            ("min_cut", 0),
            ("min_size", 0),
            ("min_deviance", 0),
            ("min_decrease", 0),
        ):
            value = getattr(self, name)
            if (
                not isinstance(value, (int, float, np.number))
                or not value >= least
                or math.isinf(value)
            ):
                raise InputError(f"{name} must be a number of at least {least}, got {value!r}")
        for name, least in (("max_depth", 0), ("max_leaves", 1)):
            value = getattr(self, name)
            if value is not None and (not isinstance(value, (int, np.integer)) or value < least):
                raise InputError(f"{name} must be None or a whole number >= {least}, got {value!r}")
        return Rules(
            gini=self.criterion == "gini",
            min_cut=max(float(self.min_cut), 1e-300),
            min_size=float(self.min_size),
            min_deviance=float(self.min_deviance),
            min_decrease=float(self.min_decrease),
            max_depth=NO_LIMIT if self.max_depth is None else int(self.max_depth),
            max_leaves=0 if self.max_leaves is None else int(self.max_leaves),
            turn=-1,
        )

    def apply(self, X: Any) -> Array:
        """The number of the leaf, among `nodes_`, that each row reaches."""
        check_is_fitted(self)
        X = validate_data(
            self, X, dtype=np.float64, ensure_all_finite="allow-nan", order="C", reset=False
        )
        number: Array = self._descent.leaves(X)[:, 0]
        return number

    def predict_proba(self, X: Any) -> Array:
        """Share of each class in the leaf, smoothed if `smoothing` says so."""
        at = self.apply(X)
        return self._shares()[at]

    def _shares(self) -> Array:
        counts = self.nodes_.counts
        smoothing = Smoothing.of(self.smoothing, counts.shape[1])
        prior = np.full(counts.shape[1], 1.0 / counts.shape[1])
        if not smoothing.even:
            prior = counts[0] / counts[0].sum()
        weight = counts.sum(axis=1, keepdims=True)
        shares: Array = (counts + smoothing.amount * prior) / (weight + smoothing.amount)
        return shares

    def predict(self, X: Any) -> Array:
        """The class with the largest share (with `cost`: the least expected cost) in the leaf."""
        at = self.apply(X)
        label: Array = self.classes_[self._labels()[at]]
        return label

    def _labels(self) -> Array:
        shares = self._shares()
        if self.cost is None:
            largest: Array = shares.argmax(axis=1)
            return largest
        matrix = cost_matrix(self.cost, self.classes_.tolist())
        return cheapest(shares, matrix)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags
