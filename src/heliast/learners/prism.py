"""PRISM: classification rules for nominal features, grown one perfect rule at a time."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast.learners.sample_weight import checked_weights


@dataclass(frozen=True)
class Condition:
    """Feature `column` takes the value with this number; `words` say so."""

    column: int
    number: int
    words: str


@dataclass(frozen=True)
class Rule:
    """If all conditions hold, then the class; `right` of the `covered` training rows agree.

    Rows count as they did when the rule was grown: without those that earlier rules of the class
    had covered. A rule that is not perfect (right < covered) ran out of features.
    """

    conditions: tuple[Condition, ...]
    class_: Any
    right: float
    covered: float

    def covers(self, numbers: Array) -> Array:
        """Return which rows satisfy each condition."""
        covered = np.ones(len(numbers), bool)
        for condition in self.conditions:
            covered &= numbers[:, condition.column] == condition.number
        return covered

    def __str__(self) -> str:
        conditions = "\n   and ".join(condition.words for condition in self.conditions)
        text = f"If {conditions} then {self.class_}" if conditions else f"In any case {self.class_}"
        return (
            text if self.right == self.covered else f"{text}  ({self.right:g} of {self.covered:g})"
        )


class Prism(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Rules for nominal features: for each class, perfect rules until its rows are covered.

    A rule starts empty and takes the condition `feature = value` with the largest share of the
    class among the rows it covers (equal shares: the condition with more rows of the class; then
    the first feature, and of its values the smallest number or the name that comes first), until
    it covers no row of another class or has asked about every feature. Its rows are put aside and
    the next rule is grown on the rest.

    Rules are tried in order, classes in sorted order, and the first that covers a row decides. A
    row that no rule covers (`covers` tells) gets the most frequent class of the training rows.
    Probabilities are the class shares of the training rows that the deciding rule decided; where
    equal rows have different classes, the largest share decides. A missing value satisfies no
    condition. Numbers are taken as names of values, unless `bins` asks for that many bins with
    about equal numbers of rows.

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

    # `run` hands over nominal features as they are, one number a value, missing ones as NaN.
    raw_inputs = True

    def __init__(self, bins: int | None = None) -> None:
        self.bins = bins

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the rules.

        Parameters
        ----------
        X : array-like or frame
            Training rows, (n, features), names or numbers.
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
            If `bins` is below 2.
        """
        if self.bins is not None and self.bins < 2:
            raise InputError(f"bins={self.bins}: give 2 or more")
        X, y = validate_data(self, X, y, dtype=None, ensure_all_finite="allow-nan")
        check_classification_targets(y)
        weight = checked_weights(sample_weight, len(y))
        self.classes_, y = np.unique(y, return_inverse=True)
        names = getattr(self, "feature_names_in_", [f"x{j}" for j in range(X.shape[1])])
        conditions = [Condition(-1, 0, "none")]  # what a missing or new value satisfies
        self.features_ = []
        for column, name in enumerate(names):
            feature = Feature(X[:, column], weight, str(name), self.bins, len(conditions))
            for number, words in enumerate(feature.words, len(conditions)):
                conditions.append(Condition(column, number, words))
            self.features_.append(feature)
        numbers = self._numbers(X)
        rules = [
            rule
            for number, class_ in enumerate(self.classes_)
            for rule in grow_rules(numbers, conditions, y == number, weight, class_)
        ]
        self.rules_ = tuple(rules)
        counts = np.zeros((len(rules) + 1, len(self.classes_)))
        np.add.at(counts, (self._deciding_rule(numbers), y), weight)
        for count, rule in zip(counts, rules, strict=False):
            if not count.any():  # earlier rules leave it no rows: its own class is certain
                count[self.classes_ == rule.class_] = 1.0
        counts[-1] = np.bincount(y, weight)  # for rows that no rule covers
        self.shares_ = counts / counts.sum(axis=1, keepdims=True)
        return self

    def _numbers(self, X: Array) -> Array:
        """Return the number of the condition that each value satisfies, 0 for none."""
        return np.column_stack([f.numbers(X[:, j]) for j, f in enumerate(self.features_)])

    def _deciding_rule(self, numbers: Array) -> Array:
        """Return the place of the first rule that covers each row; behind the last if none does."""
        places = np.full(len(numbers), len(self.rules_))
        for place in reversed(range(len(self.rules_))):
            places[self.rules_[place].covers(numbers)] = place
        return places

    def _decide(self, X: Any) -> Array:
        check_is_fitted(self)
        X = validate_data(self, X, dtype=None, ensure_all_finite="allow-nan", reset=False)
        return self._deciding_rule(self._numbers(X))

    def predict(self, X: Any) -> Array:
        """Predict the class of the first rule that covers each row, else the most frequent class.

        Parameters
        ----------
        X : array-like or frame
            Rows to predict, (n, features).

        Returns
        -------
        array
            Predicted class of each row, (n,).
        """
        shares = self.predict_proba(X)
        return np.asarray(self.classes_[shares.argmax(axis=1)])

    def predict_proba(self, X: Any) -> Array:
        """Return the class shares of the training rows that the same rule decided.

        Parameters
        ----------
        X : array-like or frame
            Rows to predict, (n, features).

        Returns
        -------
        array
            Probabilities, (n, k), rows summing to 1, in the order of `classes_`.
        """
        places = self._decide(X)
        return np.asarray(self.shares_[places])

    def covers(self, X: Any) -> Array:
        """Return which rows some rule covers.

        Parameters
        ----------
        X : array-like or frame
            Rows to predict, (n, features).

        Returns
        -------
        array
            Booleans, (n,).
        """
        return np.asarray(self._decide(X) < len(self.rules_))

    def text(self) -> str:
        """Return the rules as text, in the order in which they are tried.

        Returns
        -------
        str
            A rule a line, or more where it has several conditions.
        """
        check_is_fitted(self)
        return "\n".join(str(rule) for rule in self.rules_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags


class Feature:
    """The values of one feature, or its bins, numbered from `start`; `words` are its conditions."""

    def __init__(
        self, values: Array, weight: Array, name: str, bins: int | None, start: int
    ) -> None:
        self.start = start
        counted = ~is_missing(values) & (weight > 0)
        values, weight = values[counted], weight[counted]
        numeric = values.dtype.kind in "iuf"
        self.edges: Array | None = None
        if bins is None or not numeric:
            known = sorted(set(values.tolist())) if numeric else dict.fromkeys(values.tolist())
            self.number_of = {value: number for number, value in enumerate(known, start)}
            self.words = [f"{name} = {value}" for value in known]
            return
        self.edges, self.words = np.empty(0), [f"{name} is known"]
        if len(values):
            shares = np.arange(1, bins) / bins
            edges = np.quantile(values.astype(float), shares, method="inverted_cdf", weights=weight)
            self.edges = np.unique(edges[edges < values.max()])
        if len(self.edges):
            inner = [f"{low:g} < {name} <= {high:g}" for low, high in pairwise(self.edges)]
            first, last = self.edges[[0, -1]]
            self.words = [f"{name} <= {first:g}", *inner, f"{name} > {last:g}"]

    def numbers(self, values: Array) -> Array:
        """Return the number of each value, 0 where it is missing or was never seen."""
        if self.edges is None:
            return np.array([self.number_of.get(value, 0) for value in values.tolist()], int)
        places = np.searchsorted(self.edges, values.astype(float))
        return np.where(is_missing(values), 0, self.start + places)


def is_missing(values: Array) -> Array:
    """Return which values are None or NaN."""
    return np.array([value is None or value != value for value in values.tolist()], bool)


def grow_rules(
    numbers: Array, conditions: Sequence[Condition], right: Array, weight: Array, class_: Any
) -> Iterator[Rule]:
    """Grow rules for one class, whose rows are `right`, until each of these is covered."""
    while weight[right].any():
        chosen, inside = grow_rule(numbers, conditions, right, weight)
        hits = inside & right
        if not chosen and not np.array_equal(hits, inside):
            return  # the rows left have no known value to ask about
        yield Rule(tuple(chosen), class_, float(weight[hits].sum()), float(weight[inside].sum()))
        weight = np.where(inside, 0.0, weight)


def grow_rule(
    numbers: Array, conditions: Sequence[Condition], right: Array, weight: Array
) -> tuple[list[Condition], Array]:
    """Add the condition with the largest share of the class until the rule is perfect.

    Returns the conditions and which rows they cover.
    """
    column_of = np.array([condition.column for condition in conditions])
    is_open = column_of >= 0
    chosen: list[Condition] = []
    inside = weight > 0
    while not right[inside].all():
        at, weights = numbers[inside], weight[inside]
        total, good = (
            np.bincount(at.ravel(), np.repeat(counted, at.shape[1]), len(conditions))
            for counted in (weights, weights * right[inside])
        )
        share = np.divide(good, total, out=np.zeros_like(total), where=is_open & (total > 0))
        if not share.any():
            break
        best = np.flatnonzero(share == share.max())
        condition = conditions[best[good[best].argmax()]]
        chosen.append(condition)
        is_open &= column_of != condition.column
        inside &= numbers[:, condition.column] == condition.number
    return chosen, inside
