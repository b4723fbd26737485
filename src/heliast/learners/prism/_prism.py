"""PRISM as a scikit-learn classifier."""

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._core.told import FITTED, TO_FIT, TO_PREDICT, told
from heliast.learners.prism._growing import Growing, Rule
from heliast.learners.prism._nominal import NominalColumn
from heliast.learners.sample_weight import checked_weights


class Prism(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Rules for nominal inputs: for each class, perfect rules until its rows are covered.

    A rule starts empty and takes the condition `input = value` with the largest share of the
    class among the rows it covers (equal shares: the condition with more rows of the class; then
    the first input, and of its values the smallest number or the name that comes first), until
    it covers no row of another class or has asked about every input. Its rows are put aside and
    the next rule is grown on the rest.

    Rules are tried in order, classes in sorted order, and the first that covers a row decides. A
    row that no rule covers (`covers` tells) gets the most frequent class of the training rows.
    Probabilities are the class shares of the training rows that the deciding rule decided; where
    equal inputs have different classes, the largest share decides. A missing value satisfies no
    condition. Numbers are taken as names of values, unless `bins` asks
    for that many bins with about equal numbers of rows.

    Parameters
    ----------
    bins : int, optional
        Bins of equal numbers of rows for numbers, at least 2; None takes numbers as names.

    Examples
    --------
    >>> X = np.array([["sunny", "high"], ["sunny", "normal"], ["rainy", "high"]])
    >>> prism = Prism().fit(X, ["no", "yes", "yes"])
    >>> print(prism.text())
    If x0 = sunny
       and x1 = high then no
    If x0 = rainy then yes
    If x1 = normal then yes
    >>> prism.predict([["rainy", "normal"]])
    array(['yes'], dtype='<U3')

    References
    ----------
    J. Cendrowska (1987). PRISM: an algorithm for inducing modular rules. International Journal of
    Man-Machine Studies 27, 349-370.
    """

    raw_inputs = True
    """`run` hands over nominal inputs as they are, one number a value, missing ones as NaN."""

    def __init__(self, bins: int | None = None) -> None:
        self.bins = bins

    @told(
        TO_FIT | {"X": "array-like or frame: Training rows, (n, inputs), names or numbers."},
        returns=FITTED,
        raises="If `bins` is below 2.",
    )
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the rules."""
        if self.bins is not None and self.bins < 2:
            raise InputError(f"argument bins: at least 2 bins are needed, not {self.bins}")
        X, y = validate_data(self, X, y, dtype=None, ensure_all_finite="allow-nan")
        check_classification_targets(y)
        weight = checked_weights(sample_weight, len(y))
        self.classes_, truth = np.unique(y, return_inverse=True)
        names = getattr(self, "feature_names_in_", [f"x{j}" for j in range(X.shape[1])])
        self.columns_ = [
            NominalColumn(X[:, j], weight, str(names[j]), self.bins) for j in range(X.shape[1])
        ]
        codes = self._codes(X)
        self.rules_ = self._grow(codes, truth, weight)
        self._count(codes, truth, weight)
        return self

    def _codes(self, X: Array) -> Array:
        return np.column_stack([c.codes(X[:, j]) for j, c in enumerate(self.columns_)])

    def _grow(self, codes: Array, truth: Array, weight: Array) -> tuple[Rule, ...]:
        rules: list[Rule] = []
        for number, class_ in enumerate(self.classes_.tolist()):
            rules += Growing(codes, self.columns_, truth == number, class_).rules(weight)
        return tuple(rules)

    def _count(self, codes: Array, truth: Array, weight: Array) -> None:
        """Class shares of the rows each rule decides; the last line is for uncovered rows."""
        k = len(self.classes_)
        decides = self._deciding(codes)
        counts = np.zeros((len(self.rules_) + 1, k))
        np.add.at(counts, (decides, truth), weight)
        counts[-1] = np.bincount(truth, weight, k)
        # A rule that earlier rules leave no rows speaks for its class alone.
        order = self.classes_.tolist()
        for number, rule in enumerate(self.rules_):
            if not counts[number].any():
                counts[number, order.index(rule.class_)] = 1.0
        self.shares_ = counts / counts.sum(axis=1, keepdims=True)

    def _deciding(self, codes: Array) -> Array:
        """The number of the first rule that covers each row; their number where none does."""
        decides = np.full(len(codes), len(self.rules_))
        for number in range(len(self.rules_) - 1, -1, -1):
            decides[self.rules_[number].covers(codes)] = number
        return decides

    def _decided(self, X: Any) -> Array:
        X = validate_data(self, X, dtype=None, ensure_all_finite="allow-nan", reset=False)
        return self._deciding(self._codes(X))

    @told(TO_PREDICT, returns="array: A label a row, (n,).")
    def predict(self, X: Any) -> Array:
        """The class of the first rule that covers each row, else the most frequent class."""
        shares = self.predict_proba(X)
        return np.asarray(self.classes_[np.argmax(shares, axis=1)])

    @told(
        TO_PREDICT,
        returns="array: Probabilities, (n, k), rows summing to 1, in the order of `classes_`.",
    )
    def predict_proba(self, X: Any) -> Array:
        """Class shares of the training rows that the same rule decided."""
        check_is_fitted(self)
        return np.asarray(self.shares_[self._decided(X)])

    @told(TO_PREDICT, returns="array: Truths, (n,).")
    def covers(self, X: Any) -> Array:
        """Which rows some rule covers."""
        check_is_fitted(self)
        return np.asarray(self._decided(X) < len(self.rules_))

    @told(returns="str: A rule a line, or more where it has several conditions.")
    def text(self) -> str:
        """The rules, in the order in which they are tried."""
        check_is_fitted(self)
        return "\n".join(str(rule) for rule in self.rules_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags
