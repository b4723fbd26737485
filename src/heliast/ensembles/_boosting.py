"""Boosting: AdaBoost in the variants that the literature has under one name, and AdaBoost.R2."""

import math
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import has_fit_parameter

from heliast._core.errors import InputError
from heliast._core.kinds import Array, RandomState
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
from heliast.learners.tree import Tree, TreeGrower, Trees, joined

# The last member has error 1/2 by the new weights: coming back it is weak, whatever the digits.
ROUNDING = 1e-10


def vote_weight(error: float, k: int = 2) -> float:
    """The weight of a member's vote: log((1 - e)/e), for SAMME + log(k - 1).

    Parameters
    ----------
    error : float
        The member's weighted error e, above 0 and below 1.
    k : int, default 2
        Number of classes for SAMME; 2 is AdaBoost.M1.

    Returns
    -------
    float
        The weight, negative where e is above 1 - 1/k.

    Examples
    --------
    >>> [round(vote_weight(e), 4) for e in (0.280, 0.305, 0.174, 0.282)]
    [0.9445, 0.8236, 1.5575, 0.9346]
    """
    return math.log((1 - error) / error) + math.log(k - 1)


@dataclass(eq=False)
class CopyBase:
    """What boosting asks of an estimator: members fitted to drawn or weighted rows.

    `classes` None means that the target is a number.
    """

    base: Any
    X: Any
    y: Array
    classes: Array | None = None

    def fit(self, weights: Array, rng: np.random.Generator) -> tuple[Any, Array]:
        """A member, and its answers on all rows; whole numbers are counts of drawn rows."""
        if weights.dtype.kind == "i":
            rows = np.repeat(np.arange(weights.size), weights)
            model = fit_copy(self.base, self.X[rows], self.y[rows], rng)
        else:
            model = fit_copy(self.base, self.X, self.y, rng, weights)
        member = self.members([model])
        if self.classes is None:
            return model, next(member.numbers(self.X))
        return model, member.labels(self.X)[:, 0]

    def members(self, models: Sequence[Any]) -> Members:
        return Members(models, self.classes)


@dataclass(eq=False)
class TreeBase:
    """The same of trees from one binned copy of the rows; `y` are codes of the classes, if any."""

    grower: TreeGrower
    X: Array
    y: Array
    classes: Array | None
    fits: int = 0

    def fit(self, weights: Array, rng: np.random.Generator) -> tuple[Trees, Array]:
        first, self.fits = self.fits, self.fits + 1
        if self.classes is None:
            trees = self.grower.grow_numbers(self.y, weights[None], first=first)
            return trees, trees.numbers(self.X)[:, 0]
        k = self.classes.size
        trees = self.grower.grow_classes(self.y, k, weights[None], keep_training=True, first=first)
        labels = trees.labels_on_training()[:, 0]
        not_drawn = np.flatnonzero(labels < 0)
        if not_drawn.size:
            labels[not_drawn] = trees.labels(self.X[not_drawn])[:, 0]
        trees.where = None
        return trees, labels

    def members(self, parts: Sequence[Trees]) -> GrownMembers:
        return GrownMembers(joined(parts), self.classes)


class Boosting(Combined, Ensemble):
    """The rounds of boosting, for classes and numbers: a loss from 0 to 1 of each row decides.

    e = Σ_i w_i L_i with w the weights of the rows (or the shares of the rows drawn) and L_i the
    loss of the member at row i: 0 or 1 for classes. The member votes with a = log((1 - e)/e); then
    w_i grows by exp(a L_i) and all are brought back to sum 1. A member with e = 0 votes as if half
    of the lightest row were wrong, as its weight would be infinite. With `invert` e above 1/2 gives
    a below 0: of two classes that is a vote for the other one.
    """

    n_estimators: int
    error, on_perfect, reweight = "weighted", "stop", True
    redraws, learning_rate = 0, 1.0
    bins: int | None
    _root: int
    _draw: str
    _on_weak: str
    # Boosted trees must err: one that is pure would end the rounds.
    _member_settings: ClassVar = {"min_samples_leaf": 5}

    def _most_stages(self) -> int:
        return self.n_estimators

    def _grower(self, base: Any, X: Array, weight: Array | None) -> TreeGrower:
        nominal = self._inputs.nominal
        return TreeGrower(base, X, nominal, self._root, self.bins, weight=weight)

    def _boost(
        self, base: "CopyBase | TreeBase", losses: Callable[[Array], Array], weight: Array | None,
        k: int = 2,
    ) -> Self:  # fmt: skip
        """Spend the rounds; `k` other than 2 is SAMME's correction."""
        check_count("n_estimators", self.n_estimators)
        if self.redraws < 0 or self.learning_rate <= 0:
            raise InputError("redraws must be 0 or more and learning_rate above 0")
        n = base.y.size
        start = np.full(n, 1 / n) if weight is None else weight / weight.sum()
        row_weights, tries = start, 0
        models, errors, votes = [], [], []
        self.n_iter_, self.redrawn_, self.stopped_ = 0, 0, ""
        while self.n_iter_ < self.n_estimators and not self.stopped_:
            rng = generator(self._root, self.n_iter_, tries)
            counts = row_weights * n
            if self._draw == "resample":
                even = weight is None and not self.reweight
                counts = bootstrap_counts(rng, n, None if even else row_weights)
            model, answers = base.fit(counts, rng)
            loss = losses(answers)
            shares = counts / n if self.error == "resample" else row_weights
            # Not as a matrix product: that would wake the threads of BLAS for a sum.
            error = float((shares * loss).sum())
            if self.reweight and self._is_weak(error, k):
                tries += 1
                row_weights = start if self._on_weak == "reset" else row_weights
                if self._tries_again(error, tries, k):
                    continue
            elif error or self.on_perfect == "stop":
                vote = self._weight_of(error, shares, k) if self.reweight else 1.0
                models.append(model)
                errors.append(error)
                votes.append(vote)
                if self.reweight:
                    row_weights = row_weights * np.exp(vote * loss)
                    row_weights /= row_weights.sum()
            self.n_iter_, tries = self.n_iter_ + 1, 0
        if not models:
            warnings.warn(
                f"no member with error below {1 - 1 / k:.3g} was found ({self.stopped_}): the last "
                "one tried stands alone; use another estimator",
                ConvergenceWarning,
                stacklevel=3,
            )
            models, errors, votes = [model], [error], [1.0]
        self.estimators_ = base.members(models)
        self.estimator_errors_, self.estimator_weights_ = np.array(errors), np.array(votes)
        return self

    def _is_weak(self, error: float, k: int) -> bool:
        """Whether the error is that of guessing among k classes, or more."""
        worse = error - (1 - 1 / k)
        # Guessing has no opposite.
        return abs(worse) <= ROUNDING if self._on_weak == "invert" else worse >= -ROUNDING

    def _tries_again(self, error: float, tries: int, k: int) -> bool:
        """Whether a weak member is followed by another sample; else the round, or all, ends."""
        # By weights the same member would come back.
        inverts = self._on_weak == "invert" and self._draw == "resample"
        again = inverts or self._on_weak in ("redraw", "reset")
        self.redrawn_ += again
        number = self.n_iter_ + 1
        if again and tries > self.redraws:
            self.stopped_ = (
                f"{tries} samples in round {number} gave no member with error below {1 - 1 / k:.3g}"
            )
        elif not again and self._on_weak != "skip":
            self.stopped_ = f"error {error:.3f} in round {number}, as bad as guessing"
        return again and not self.stopped_

    def _weight_of(self, error: float, shares: Array, k: int) -> float:
        """The weight of a member's vote."""
        if error in (0, 1):  # 1 only if it is inverted
            self.stopped_ = f"a member without error in round {self.n_iter_ + 1}"
        least = max(float(shares[shares > 0].min()) / 2, 1e-300)
        return self.learning_rate * vote_weight(min(max(error, least), 1 - least), k)


class BoostedVote(Voting, Boosting):
    """AdaBoost: the weighted vote of members grown one after the other, each on what is still hard.

    C(x) = argmax_c Σ_t a_t I(h_t(x) = c), a_t = log((1 - e_t)/e_t), e_t the error of h_t on rows
    weighted by w; w_i is multiplied by (1 - e_t)/e_t where h_t is wrong, and brought back to sum 1.

    After `fit`: `estimators_` ([t] is a fitted classifier), `estimator_errors_` (e_t),
    `estimator_weights_` (a_t), `n_iter_` (rounds spent), `redrawn_`, `stopped_` (why before the
    last round, or "").

    Parameters
    ----------
    estimator : estimator, optional
        Any scikit-learn classifier; None is `Tree()`. A `Tree` of whose size nothing is said keeps
        at least 5 rows in every leaf, so that it errs and the rounds go on.
    n_estimators : int, default 100
        Number of members at most.
    draw : {'resample', 'weights'}, optional
        `resample` trains on n rows drawn by weight, `weights` on all rows with their weights.
        None is `weights`, but `resample` if the estimator takes no weights or another setting
        speaks of rows drawn: `error` of "resample", `on_weak` of "redraw", "reset" or "skip",
        `on_perfect` of "skip", `reweight=False`.
    error : {'weighted', 'resample'}, default 'weighted'
        `weighted` takes e on all rows by weight, `resample` on the rows drawn ('adapted').
    on_weak : {'redraw', 'reset', 'skip', 'invert', 'stop'}, optional
        What a member with e of 0.5 or more leads to: `redraw` another sample (Zaki and Meira,
        algorithm 22.5), `reset` to even weights and draw again, `skip` the round, `invert` the
        member (of two classes only: its weight a_t is negative, and it votes for the other class),
        or `stop`. None is `redraw` where samples are drawn, else `stop`.
    on_perfect : {'stop', 'skip'}, default 'stop'
        What a member with e of 0 leads to: `stop` keeps it and ends the rounds; `skip` spends the
        round without it.
    reweight : bool, default True
        False leaves all weights as they begin and keeps every member with one vote: bagging, as the
        special case of boosting that it is.
    multiclass : {'samme', 'm1'}, default 'samme'
        `m1` is the rule above; `samme` adds log(k - 1) to a_t, so that a member need only be better
        than guessing among k classes. The same for two classes.
    redraws : int, default 100
        Samples more that a round may try, for `redraw` and `reset`; then the rounds end.
    learning_rate : float, default 1.0
        A factor to a_t, above 0.
    bins : int, default 256
        Where the estimator is a `Tree`: a feature with more distinct values than this, 2 to 256, is
        put into so many bins of equally many rows and split between them, which is many times
        faster. None tries every split.
    random_state : int, RandomState, optional
        Seed of what is drawn; None differs from fit to fit.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> vote = BoostedVote(n_estimators=50).fit(X[::2], y[::2])
    >>> vote.score(X[1::2], y[1::2]) > 0.94, vote.estimators_[0].min_samples_leaf
    (True, 5)

    References
    ----------
    Freund and Schapire (1997), *Journal of Computer and System Sciences* 55, 119-139; Zhu, Zou,
    Rosset and Hastie (2009), *Statistics and Its Interface* 2, 349-360.
    """

    def __init__(
        self,
        estimator: Any = None,
        n_estimators: int = 100,
        *,
        draw: Literal["resample", "weights"] | None = None,
        error: Literal["weighted", "resample"] = "weighted",
        on_weak: Literal["redraw", "reset", "skip", "invert", "stop"] | None = None,
        on_perfect: Literal["stop", "skip"] = "stop",
        reweight: bool = True,
        multiclass: Literal["samme", "m1"] = "samme",
        redraws: int = 100,
        learning_rate: float = 1.0,
        bins: int | None = 256,
        random_state: RandomState = None,
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.draw = draw
        self.error = error
        self.on_weak = on_weak
        self.on_perfect = on_perfect
        self.reweight = reweight
        self.multiclass = multiclass
        self.redraws = redraws
        self.learning_rate = learning_rate
        self.bins = bins
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the members. Weights of the rows are where the first round begins.

        Parameters
        ----------
        X : array-like or frame
            Training rows, (n, features).
        y : array-like
            True class of each row.
        sample_weight : array-like, optional
            Weights that the first round begins with; None is even.

        Returns
        -------
        Self
            The fitted model.

        Raises
        ------
        InputError
            If a setting is unknown or out of range.
        """
        base, X, y, weight = self._check_training(X, y, sample_weight)
        k, self._root = self.classes_.size, root_seed(self.random_state)
        if self.on_weak == "invert" and k > 2:
            raise InputError(
                f"on_weak='invert' is for two classes, y holds {k}: choose 'redraw', 'reset', "
                "'skip' or 'stop'"
            )
        of_samples = (
            self.error == "resample"
            or self.on_weak in ("redraw", "reset", "skip")
            or self.on_perfect == "skip"
            or not self.reweight
            or not has_fit_parameter(base, "sample_weight")
        )
        self._draw = self.draw or ("resample" if of_samples else "weights")
        self._on_weak = self.on_weak or ("redraw" if self._draw == "resample" else "stop")
        if self._draw == "weights" and (self.error == "resample" or self._on_weak == "redraw"):
            raise InputError(
                "on_weak='redraw' and error='resample' need draw='resample': by weights no row is "
                "drawn, and the same member would come back for ever"
            )
        codes = class_codes(y, self.classes_)
        members: CopyBase | TreeBase = CopyBase(base, X, y, self.classes_)
        if self._grows(base):
            members = TreeBase(self._grower(base, X, weight), X, codes, self.classes_)

        def losses(labels: Array) -> Array:
            return np.asarray(labels != codes, np.float64)

        return self._boost(
            members, losses, weight, k if self.multiclass == "samme" and k > 1 else 2
        )


class BoostedMedian(Averaging, Boosting):
    """AdaBoost.R2: the weighted median (or mean) of regressors grown one after the other.

    The median is Drucker's; the mean Σ a_t f_t(x) / Σ a_t is the weighted average that textbooks
    have for numbers.

    With D the largest absolute error of a member, the loss of row i is L_i = |error|/D (`linear`),
    its square (`square`) or 1 - exp(-|error|/D) (`exponential`). e = Σ w_i L_i; the member's weight
    is log((1 - e)/e), and w_i is multiplied by (e/(1 - e))^(1 - L_i).

    After `fit`: `estimators_`, `estimator_errors_`, `estimator_weights_`, `n_iter_`, `stopped_`.

    Parameters
    ----------
    estimator : estimator, optional
        Any scikit-learn regressor; None is `Tree("squared_error", max_depth=6)`.
    n_estimators : int, default 50
        Number of members at most.
    loss : {'linear', 'square', 'exponential'}, default 'linear'
        The loss of a row, as above.
    combine : {'median', 'mean'}, default 'median'
        How the members' numbers become one, by their weights. `outputs` has both.
    bins : int, default 256
        Bins of a feature where the estimator is a `Tree`, as in `BoostedVote`.
    random_state : int, RandomState, optional
        Seed of what is drawn; None differs from fit to fit.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> X, y = load_diabetes(return_X_y=True)
    >>> vote = BoostedMedian(n_estimators=20, random_state=1).fit(X[::2], y[::2])
    >>> vote.score(X[1::2], y[1::2]) > 0.2
    True

    References
    ----------
    Drucker (1997), *Proceedings of the 14th International Conference on Machine Learning*, 107-115.
    """

    _regression = True

    def __init__(
        self,
        estimator: Any = None,
        n_estimators: int = 50,
        *,
        loss: Literal["linear", "square", "exponential"] = "linear",
        combine: Literal["median", "mean"] = "median",
        bins: int | None = 256,
        random_state: RandomState = None,
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.loss = loss
        self.combine = combine
        self.bins = bins
        self.random_state = random_state

    def _default_base(self) -> Any:
        return Tree("squared_error", max_depth=6)

    def _kind(self) -> str:
        return self.combine

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the members. Weights of the rows are where the first round begins.

        Parameters
        ----------
        X : array-like or frame
            Training rows, (n, features).
        y : array-like
            True number of each row.
        sample_weight : array-like, optional
            Weights that the first round begins with; None is even.

        Returns
        -------
        Self
            The fitted model.

        Raises
        ------
        InputError
            If a setting is unknown or out of range.
        """
        base, X, y, weight = self._check_training(X, y, sample_weight)

        def losses(numbers: Array) -> Array:
            return relative_losses(np.abs(numbers - y), self.loss)

        self._root, self._draw, self._on_weak = root_seed(self.random_state), "resample", "stop"
        members: CopyBase | TreeBase = CopyBase(base, X, y)
        if self._grows(base):
            members = TreeBase(self._grower(base, X, weight), X, y, None)
        return self._boost(members, losses, weight)

    def outputs(self, X: Any) -> Iterator[Output]:
        """(suffix, numbers, None) at the stages 1, 2, 5, ...: as `combine` says, and the other way.

        Parameters
        ----------
        X : array-like or frame
            Rows to predict, (n, features).

        Yields
        ------
        tuple[str, array, None]
            The suffix `B=stage` (or `mean/B=stage`), numbers (n,), and None in the place of scores.
        """
        other = "mean" if self.combine == "median" else "median"
        yield from self._at_stages(X)
        yield from self._at_stages(X, other, f"{other}/")


def relative_losses(errors: Array, loss: str) -> Array:
    """Absolute errors relative to the largest, as losses from 0 to 1; see `BoostedMedian`.

    >>> relative_losses(np.array([1.0, 2.0]), "square")
    array([0.25, 1.  ])
    """
    relative = errors / max(errors.max(), 1e-300)
    if loss == "square":
        return np.asarray(relative**2)
    return np.asarray(1 - np.exp(-relative)) if loss == "exponential" else relative
