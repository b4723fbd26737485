"""Boosting for numbers: AdaBoost.R2."""

from typing import Any, Literal, Self

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Array, RandomState
from heliast._core.told import FITTED, told
from heliast.ensembles._boosting import TO_BOOST, Boosting, Draw, OnWeak, Rule, boost
from heliast.ensembles._draws import root_seed
from heliast.ensembles._ensemble import SETTINGS
from heliast.ensembles._fitting import Fitting
from heliast.ensembles._voting import Averaging

Loss = Literal["linear", "square", "exponential"]


@told(SETTINGS)
class BoostedMedian(Averaging, Boosting):
    """The weighted median (or mean) of predictors of numbers grown one after the other.

    AdaBoost.R2: the median is Drucker's; the mean Σ a_t f_t(x) / Σ a_t is the weighted average that
    textbooks have for numbers.

    With D the largest absolute error of a member, the loss of row i is L_i = |error|/D (`linear`),
    its square (`square`) or 1 - exp(-|error|/D) (`exponential`). e = Σ w_i L_i; the member's weight
    is log((1 - e)/e), and w_i is multiplied by (e/(1 - e))^(1 - L_i).

    After `fit`: `members_`, `errors_`, `weights_`, `rounds_`, `stopped_`.

    Parameters
    ----------
    base : estimator, optional
        Any scikit-learn predictor of numbers; None is scikit-learn's tree of depth 6.
    rounds : int, default 50
        Number of members at most.
    loss : {'linear', 'square', 'exponential'}, default 'linear'
        The loss of a row, as above.
    combine : {'median', 'mean'}, default 'median'
        How the members' numbers become one, by their weights. `outputs` has both.
    draw : {'resample', 'reweight'}, default 'resample'
        `resample` trains on n rows drawn by weight (Drucker's), `reweight` on all by weight.
    on_weak : {'redraw', 'reset', 'skip', 'stop'}, default 'stop'
        What e of 0.5 or more leads to: `stop` (Drucker's), `redraw`, `reset` or `skip`, as in
        `BoostedVote`.
    learning_rate : float, default 1.0
        A factor to the members' weights, above 0.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> X, y = load_diabetes(return_X_y=True)
    >>> vote = BoostedMedian(rounds=20, random_state=1).fit(X[::2], y[::2])
    >>> vote.score(X[1::2], y[1::2]) > 0.2
    True

    References
    ----------
    Drucker (1997), *Proceedings of the 14th International Conference on Machine Learning*, 107-115.
    """

    _numbers = True
    _offered = ("median", "mean")

    def __init__(
        self,
        base: Any = None,
        rounds: int = 50,
        *,
        loss: Loss = "linear",
        combine: Literal["median", "mean"] = "median",
        draw: Draw = "resample",
        on_weak: OnWeak = "stop",
        redraws: int = 100,
        learning_rate: float = 1.0,
        random_state: RandomState = None,
    ) -> None:
        self.base = base
        self.rounds = rounds
        self.loss = loss
        self.combine = combine
        self.draw = draw
        self.on_weak = on_weak
        self.redraws = redraws
        self.learning_rate = learning_rate
        self.random_state = random_state

    @told(
        TO_BOOST | {"y": "array-like: True number of each row."},
        returns=FITTED,
        raises="If a setting is unknown or out of range.",
    )
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the members. Weights of the rows are where the first round begins."""
        base = self._base()
        X, y, weight = self._counting(*self._training(X, y), sample_weight)
        rule = self._rule(base)
        shares = self._row_weights(weight, X)
        start = np.full(y.size, 1 / y.size) if shares is None else shares
        fitting = Fitting(base, X, y)
        judge = relative_losses(y, start > 0, self.loss)
        found = boost(fitting, judge, start, self.rounds, rule, root_seed(self.random_state))
        so = "the median is that of the last member tried; use another base or loss"
        self._keep(found, fitting, "average loss below 0.5", so)
        return self

    def _base(self) -> Any:
        if self.base is None:
            from sklearn.tree import DecisionTreeRegressor

            return DecisionTreeRegressor(max_depth=6)
        return super()._base()

    def _rule(self, base: Any) -> Rule:
        self._check_rounds()
        if self.loss not in ("linear", "square", "exponential"):
            raise InputError(f"loss={self.loss!r}: choose 'linear', 'square' or 'exponential'")
        if self.combine not in self._offered:
            raise InputError(f"combine={self.combine!r}: choose 'median' or 'mean'")
        if self.on_weak == "invert":
            raise InputError("on_weak='invert' is for two classes: a number has no opposite")
        rule = Rule(self.draw, "weighted", self.on_weak, self.redraws, self.learning_rate)
        return self._checked(rule, base)

    def _member_weights(self) -> Array:
        return self.weights_

    def _stages(self) -> int:
        return self.rounds


def relative_losses(truth: Array, counted: Array, loss: Loss) -> Any:
    """The losses of a member from its numbers, relative to its largest error; see `BoostedMedian`.

    >>> losses = relative_losses(np.zeros(2), np.array([True, True]), "square")
    >>> losses(np.array([1.0, 2.0]))
    array([0.25, 1.  ])
    """

    def losses(numbers: Array) -> Array:
        error = np.abs(numbers - truth)
        largest = error[counted].max()
        # A row that does not count may err more than all that do: its loss stays within 1.
        share = np.minimum(error / largest, 1.0) if largest > 0 else np.zeros_like(error)
        if loss == "square":
            return np.asarray(share**2)
        return np.asarray(1 - np.exp(-share)) if loss == "exponential" else share

    return losses
