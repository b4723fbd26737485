"""Bagging, for classes and numbers: members on bootstrap samples, and what they left out."""

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any, ClassVar, Literal, Self

import numpy as np
from scipy import sparse
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import column_or_1d

from heliast._core.errors import InputError
from heliast._core.frames import Listing
from heliast._core.kinds import Array, RandomState
from heliast._core.level import check_level, quantile
from heliast._core.records import Shown
from heliast._kernels.threads import threads
from heliast.ensembles._base import (
    Ensemble,
    bootstrap_counts,
    check_count,
    fit_copy,
    generator,
    root_seed,
)
from heliast.ensembles._voting import (
    Averaging,
    Combined,
    GrownMembers,
    Members,
    Output,
    Voting,
    class_codes,
)
from heliast.learners.tree import TreeGrower, Trees, joined

# Trees grown at a time, whose samples are held together: so many, or what fits into so many bytes.
BLOCK, ROOM = 64, 1 << 25


class Bagging(Combined, Ensemble):
    """What bags of classifiers and of regressors share."""

    estimators_: Members
    _left_out_name: str

    def __init__(
        self,
        estimator: Any = None,
        n_estimators: int = 100,
        *,
        features: Literal["sqrt", "log2"] | None = None,
        out_of_bag: bool = False,
        bins: int | None = 256,
        n_jobs: int | None = None,
        random_state: RandomState = None,
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.features = features
        self.out_of_bag = out_of_bag
        self.bins = bins
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit every member to its sample.

        Rows are drawn with probability in proportion to `sample_weight`.

        Parameters
        ----------
        X : array-like or frame
            Training rows, (n, features).
        y : array-like
            True class, or number, of each row.
        sample_weight : array-like, optional
            Weight of each row; None is 1 each.

        Returns
        -------
        Self
            The fitted model.

        Raises
        ------
        InputError
            If `n_estimators` is below 1, or rows and targets do not fit.
        """
        check_count("n_estimators", self.n_estimators)
        base, X, y, weight = self._check_training(X, y, sample_weight, drop_zero=False)
        self._root, self._n = root_seed(self.random_state), len(y)
        self._shares = None if weight is None else weight / weight.sum()
        self.estimators_ = (self._grow if self._grows(base) else self._fit_copies)(base, X, y)
        self.estimator_weights_ = np.ones(self.n_estimators)
        if self.out_of_bag:
            answers = self._left_out(X)
            setattr(self, self._left_out_name, answers)
            losses = self._losses(answers, y)
            known = np.isfinite(losses)
            self.out_of_bag_error_ = float(losses[known].mean()) if known.any() else float("nan")
        return self

    def drawn(self, member: int) -> Array:
        """How often each training row is in the sample of one member.

        Parameters
        ----------
        member : int
            Number of the member, from 0.

        Returns
        -------
        array
            Counts, one a training row.
        """
        return bootstrap_counts(generator(self._root, member, 0), self._n, self._shares)

    def _fit_copies(self, base: Any, X: Any, y: Array) -> Members:
        if self.features is not None:
            raise InputError(
                f"features={self.features!r} draws features for every node, which needs a Tree "
                "without pruning, class_weight and cost; give the estimator its own setting, such "
                "as max_features"
            )
        samples = (np.repeat(np.arange(self._n), counts) for counts in self._samples())
        models = Parallel(n_jobs=self.n_jobs)(
            delayed(fit_copy)(base, X[rows], y[rows], generator(self._root, member, 2))
            for member, rows in enumerate(samples)
        )
        return Members(models, getattr(self, "classes_", None), self.n_jobs)

    def _samples(self) -> Iterator[Array]:
        return map(self.drawn, range(self.n_estimators))

    def _grow(self, base: Any, X: Any, y: Array) -> GrownMembers:
        d, classes, per_node = X.shape[1], getattr(self, "classes_", None), 0
        if self.features is not None:
            per_node = max(1, math.isqrt(d) if self.features == "sqrt" else d.bit_length() - 1)
        grower = TreeGrower(base, X, self._inputs.nominal, self._root, self.bins, per_node)
        grow: Any = partial(grower.grow_numbers, y)
        if classes is not None:
            grow = partial(grower.grow_classes, class_codes(y, classes), classes.size)
        size, samples = min(max(ROOM // self._n, threads()), BLOCK), self._samples()
        parts: list[Trees] = []
        while block := list(islice(samples, size)):
            counts = np.stack(block).astype(np.min_scalar_type(np.max(block)))
            parts.append(grow(counts, first=len(parts) * size))
        return GrownMembers(joined(parts), classes)

    # --- out of bag ------------------------------------------------------------------------

    def _answers(self, X: Any) -> Iterable[Array]:
        """What the members say of the rows, one after the other."""
        return self.estimators_.numbers(X)

    def _left_out(self, X: Any) -> Array:
        """For each training row, the mean answer of the members that did not draw it, or NaN."""
        total, count = np.empty(0), np.zeros(self._n)
        for answer, counts in zip(self._answers(X), self._samples(), strict=True):
            left_out = counts == 0
            total = total if total.size else np.zeros(answer.shape)
            total[left_out] += answer[left_out]
            count += left_out
        with np.errstate(invalid="ignore"):
            return np.asarray((total.T / count).T)

    def _losses(self, answers: Array, y: Array) -> Array:
        """What each row loses by these answers; NaN where there is none."""
        return np.asarray((answers - y) ** 2)

    def importance(
        self, X: Any, y: Any, *, repeats: int = 5, level: float = 0.95, seed: int = 0
    ) -> "Importances":
        """How much the out-of-bag error rises when the values of one feature go to other rows.

        Every row is predicted by the members that did not see it, as it is and with another row's
        value of the feature; 0 is a feature that does not matter, given the others. Of features
        that say the same, none need matter alone. An interval allows for other rows and other
        donors, not for another fit.

        Parameters
        ----------
        X : array-like or frame
            The training rows in their order.
        y : array-like
            Their true classes, or numbers.
        repeats : int
            How often values are exchanged; more make intervals a little narrower.
        level : float
            The confidence level of each interval, for one feature.
        seed : int
            Seed of the exchange.

        Returns
        -------
        Importances
            An `Importance` for each feature: `input, value, low, high`.

        Raises
        ------
        InputError
            If these are not the training rows, or hardly any row was left out.

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from heliast.ensembles import BaggedVote
        >>> X, y = load_iris(return_X_y=True)
        >>> importances = BaggedVote(n_estimators=20, random_state=1).fit(X, y).importance(X, y)
        >>> importances.most_first[0].input in ("x2", "x3"), importances["x0"].low < 0.1
        (True, True)

        References
        ----------
        L. Breiman (2001), Random forests, Machine Learning 45, section 10; there the error of
        members is taken, here that of their vote.
        """
        X, y = self._check_rows(X), column_or_1d(y)
        if not X.shape[0] == y.size == self._n:
            raise InputError(
                f"give the {self._n} training rows in their order, got {X.shape[0]} and {y.size}"
            )
        names = getattr(self, "feature_names_in_", [f"x{at}" for at in range(X.shape[1])])
        return importances(
            lambda rows: self._losses(self._left_out(rows), y), X, list(map(str, names)),
            self._shares, repeats=repeats, level=level, rng=np.random.default_rng(seed),
        )  # fmt: skip


class BaggedVote(Voting, Bagging):
    """Bagging: the majority vote of copies of a classifier, each fitted to a bootstrap sample.

    C(x) = argmax_c Σ_b I(h_b(x) = c), h_b fitted to n rows drawn with replacement. Less variance,
    hardly less bias: for unstable classifiers, such as deep trees.

    After `fit`: `classes_`; `estimators_`, whose [b] is a fitted classifier; `drawn(b)`, how often
    each row was in its sample.

    Parameters
    ----------
    estimator : estimator, optional
        Any scikit-learn classifier; None is `Tree()`. A `Tree` of whose size nothing is said grows
        until its leaves are pure.
    n_estimators : int, default 100
        Number of copies B, at least 1.
    kind : {'hard', 'soft'}, default 'hard'
        `hard` counts each member's class, `soft` averages their probabilities. One fit serves
        both: see `outputs`.
    features : {'sqrt', 'log2'}, optional
        A random forest: every node of every tree draws so many features of its own to split on,
        the root of their number or its logarithm (Breiman 2001); the estimator must be a `Tree`.
        None is all.
    out_of_bag : bool, default False
        Whether to keep, for every training row, the vote of the members that did not see it, as
        `out_of_bag_votes_` (NaN where all saw it), and its error, `out_of_bag_error_`.
    bins : int, default 256
        Where the estimator is a `Tree`: a feature with more distinct values than this, 2 to 256, is
        put into so many bins of equally many rows and split between them, which is many times
        faster. None tries every split.
    n_jobs : int, optional
        Processes, as in scikit-learn; results are the same for any number.
    random_state : int, RandomState, optional
        Seed of the samples. That of a member depends on its number and this only.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> bag = BaggedVote(DecisionTreeClassifier(), 25, random_state=1, out_of_bag=True).fit(X, y)
    >>> bag.votes(X[70:71])
    array([[0.  , 0.56, 0.44]])
    >>> round(bag.out_of_bag_error_, 3)
    0.033

    References
    ----------
    Breiman (1996), *Machine Learning* 24, 123-140; Breiman (2001), *Machine Learning* 45, 5-32.
    """

    def __init__(
        self,
        estimator: Any = None,
        n_estimators: int = 100,
        *,
        kind: Literal["hard", "soft"] = "hard",
        features: Literal["sqrt", "log2"] | None = None,
        out_of_bag: bool = False,
        bins: int | None = 256,
        n_jobs: int | None = None,
        random_state: RandomState = None,
    ) -> None:
        super().__init__(
            estimator, n_estimators, features=features, out_of_bag=out_of_bag, bins=bins,
            n_jobs=n_jobs, random_state=random_state,
        )  # fmt: skip
        self.kind = kind

    _left_out_name = "out_of_bag_votes_"

    def _kind(self) -> str:
        return self.kind

    def outputs(self, X: Any) -> Iterator[Output]:
        """(suffix, labels, scores): `hard/B=...` and, if there are probabilities, `soft/B=...`.

        Parameters
        ----------
        X : array-like or frame
            Rows to predict, (n, features).

        Yields
        ------
        tuple[str, array, array]
            Suffix, labels (n,) and scores (n, k).
        """
        for kind in ("hard", "soft") if self.estimators_.has_probabilities else ("hard",):
            yield from self._at_stages(X, kind, f"{kind}/")

    def _answers(self, X: Any) -> Iterable[Array]:
        if self.kind == "soft":
            return self.estimators_.probabilities(X)
        one_hot = np.eye(self.classes_.size, dtype=bool)
        return (one_hot[labels] for labels in self.estimators_.labels(X).T)

    def _losses(self, answers: Array, y: Array) -> Array:
        wrong = answers.argmax(axis=1) != class_codes(y, self.classes_)
        return np.where(np.isfinite(answers[:, 0]), wrong, np.nan)


class BaggedMean(Averaging, Bagging):
    """Bagging for numbers: the mean of copies of a regressor, each fitted to a bootstrap sample.

    f(x) = (1/B) Σ_b f_b(x). With `out_of_bag`, `out_of_bag_prediction_` (NaN where all members saw
    the row) and the mean squared error `out_of_bag_error_`.

    Parameters
    ----------
    estimator : estimator, optional
        Any scikit-learn regressor; None is `Tree("squared_error")`. Such a `Tree` of whose size
        nothing is said grows until its leaves are pure.
    n_estimators : int, default 100
        Number of copies B, at least 1.
    features : {'sqrt', 'log2'}, optional
        Features that every node of every tree draws, as in `BaggedVote`; None is all.
    out_of_bag : bool, default False
        Whether to keep, for every training row, the mean of the members that did not see it.
    bins : int, default 256
        Bins of a feature where the estimator is a `Tree`, as in `BaggedVote`.
    n_jobs : int, optional
        Processes, as in scikit-learn; results are the same for any number.
    random_state : int, RandomState, optional
        Seed of what is drawn; None differs from fit to fit.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> X, y = load_diabetes(return_X_y=True)
    >>> bag = BaggedMean(n_estimators=20, random_state=1, out_of_bag=True).fit(X, y)
    >>> bool(bag.out_of_bag_error_ < np.var(y))
    True

    References
    ----------
    Breiman (1996), *Machine Learning* 24, 123-140.
    """

    _regression = True
    _left_out_name = "out_of_bag_prediction_"


# --- importance of features ----------------------------------------------------------------------


@dataclass(frozen=True)
class Importance(Shown):
    """One feature: how much the error rises when its values are exchanged between rows.

    Parameters
    ----------
    input : str
        Its name, or x0, x1, ... where features have none.
    value : float
        The mean rise of the error (of numbers, of the squared error) on rows left out.
    low, high : float
        Its confidence limits.
    se : float
        Its standard error.
    level : float
        The confidence level of the interval, of each feature by itself.
    n : int
        Rows that some member left out.

    Examples
    --------
    >>> Importance("width", 0.2, 0.15, 0.25).input
    'width'
    """

    input: str
    value: float
    low: float
    high: float
    se: float = float("nan")
    level: float = 0.95
    n: int = 0


@dataclass(frozen=True, eq=False)
class Importances(Listing[Importance]):
    """The importance of every feature, in the order of the features; `most_first` sorts them.

    Parameters
    ----------
    inputs : tuple of Importance
        One a feature.

    Examples
    --------
    >>> table = Importances((Importance("a", 0.0, -0.1, 0.1), Importance("b", 0.2, 0.1, 0.3)))
    >>> table["b"].value, [importance.input for importance in table.most_first]
    (0.2, ['b', 'a'])
    """

    _listed: ClassVar[str] = "inputs"
    inputs: tuple[Importance, ...]

    def __getitem__(self, name: str) -> Importance:
        by_name = {importance.input: importance for importance in self.inputs}
        if name not in by_name:
            raise KeyError(f"no feature {name!r}; there are: {', '.join(by_name)}")
        return by_name[name]

    @property
    def most_first(self) -> tuple[Importance, ...]:
        """The same, the most important first."""
        return tuple(sorted(self.inputs, key=lambda importance: -importance.value))


def importances(
    losses: Callable[[Any], Array],
    X: Any,
    names: list[str],
    weight: Array | None,
    *,
    repeats: int,
    level: float,
    rng: np.random.Generator,
) -> Importances:
    """From the losses of rows out of bag (NaN where there are none) to the importance of features.

    The value is a mean over pairs: a row, and the donor whose value it gets. Both are drawn anew in
    another sample, so both count: with main effects a of rows and b of donors the variance is
    (var a + var b)/n, and the noise that is left shrinks with the repeats. Means over repeats have
    a little of that noise, so that the interval is rather too wide.
    """
    check_count("repeats", repeats)
    check_level(level)
    before = losses(X)
    n = before.size
    mass = np.where(np.isfinite(before), 1.0 if weight is None else weight, 0.0)
    judged = int(np.count_nonzero(mass))
    if judged < 2:
        raise InputError("no two rows were left out by a member: grow more members")
    share = mass / mass.sum()
    orders = [rng.permutation(n) for _ in range(repeats)]  # the same for every feature
    stack = sparse.hstack if sparse.issparse(X) else np.hstack
    records = []
    for at, name in enumerate(names):
        by_row, by_donor = np.zeros(n), np.zeros(n)
        for order in orders:
            exchanged = stack([X[:, :at], X[order][:, [at]], X[:, at + 1 :]])
            rise = np.where(mass > 0, losses(exchanged) - before, 0.0)
            by_row += rise / repeats
            by_donor[order] += share * rise * n / repeats
        value = float(share @ by_row)
        of_rows = share**2 @ np.where(mass > 0, by_row - value, 0.0) ** 2
        of_donors = np.mean((by_donor - value) ** 2) / n
        se = float(np.sqrt((of_rows + of_donors) * judged / (judged - 1)))
        half = quantile(level, judged - 1) * se
        records.append(Importance(name, value, value - half, value + half, se, level, judged))
    return Importances(tuple(records))
