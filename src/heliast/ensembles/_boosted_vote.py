"""Boosting for classes: AdaBoost in the variants that the literature has under one name."""

from typing import Any, Literal, Self

import numpy as np
from sklearn.utils.validation import has_fit_parameter

from heliast._core.errors import InputError
from heliast._core.kinds import Array, RandomState
from heliast._core.told import FITTED, told
from heliast.ensembles._ballots import codes_of
from heliast.ensembles._boosting import (
    TO_BOOST,
    Boosting,
    Draw,
    Error,
    OnWeak,
    Rule,
    Watching,
    boost,
    left_out,
)
from heliast.ensembles._draws import generator, root_seed
from heliast.ensembles._ensemble import SETTINGS
from heliast.ensembles._fitting import Fitting
from heliast.ensembles._grown import Growing, grows
from heliast.ensembles._voting import MemberVoting


@told(SETTINGS)
class BoostedVote(MemberVoting, Boosting):
    """The weighted vote of members grown one after the other, each on what is still hard.

    C(x) = argmax_c Σ_t a_t I(h_t(x) = c), a_t = log((1 - e_t)/e_t), e_t the error of h_t on rows
    weighted by w; w_i is multiplied by (1 - e_t)/e_t where h_t is wrong, and brought back to sum 1.
    A member without error is kept and ends the rounds.

    After `fit`: `members_` ([t] is a fitted base), `errors_` (e_t), `weights_` (a_t), `rounds_`
    (spent), `redrawn_`, `stopped_` (why before the last round, or "").

    Parameters
    ----------
    base : estimator, optional
        Any scikit-learn classifier; None is `Tree()`. A `Tree` of whose size nothing is said keeps
        at least 5 rows in every leaf, so that it errs and the rounds go on.
    rounds : int, default 100
        Number of members at most.
    draw : {'resample', 'reweight'}, optional
        `resample` trains on n rows drawn by weight, `reweight` on all rows with their weights.
        None is `reweight`, but `resample` if the base takes no weights or another setting speaks of
        rows drawn: `error` of "resample", `on_weak` of "redraw", "reset" or "skip", `stop` of
        "out_of_bag".
    error : {'weighted', 'resample'}, default 'weighted'
        `weighted` takes e on all rows by weight, `resample` on the rows drawn ('adapted').
    on_weak : {'redraw', 'reset', 'skip', 'invert', 'stop'}, optional
        What a member with e of 0.5 or more leads to: `redraw` another sample (Zaki and Meira,
        algorithm 22.5), `reset` to even weights and draw again, `skip` the round, `invert` the
        member (of two classes only: its weight a_t is negative, and it votes for the other class),
        or `stop`. None is `redraw` where samples are drawn, else `stop`.
    multiclass : {'samme', 'm1'}, default 'samme'
        `m1` is the rule above; `samme` adds log(k - 1) to a_t, so that a member need only be better
        than guessing among k classes. The same for two classes.
    learning_rate : float, default 1.0
        A factor to a_t, above 0.
    stop : {'out_of_bag', 'validation'}, optional
        `out_of_bag` follows the vote on rows that its members did not draw, `validation` on rows
        set aside; the vote is cut to where the error was least (`held_out_errors_`). None does all
        rounds.
    patience : int, default 10
        Rounds without less error after which `stop` ends them.
    validation : float, default 0.1
        Share of the rows set aside for `stop="validation"`, above 0 and below 1.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> vote = BoostedVote(rounds=50).fit(X[::2], y[::2])
    >>> vote.score(X[1::2], y[1::2]) > 0.94, vote.members_[0].min_cut
    (True, 5)

    References
    ----------
    Freund and Schapire (1997), *Journal of Computer and System Sciences* 55, 119-139; Zhu, Zou,
    Rosset and Hastie (2009), *Statistics and Its Interface* 2, 349-360.
    """

    def __init__(
        self,
        base: Any = None,
        rounds: int = 100,
        *,
        draw: Draw | None = None,
        error: Error = "weighted",
        on_weak: OnWeak | None = None,
        multiclass: Literal["samme", "m1"] = "samme",
        redraws: int = 100,
        learning_rate: float = 1.0,
        stop: Literal["out_of_bag", "validation"] | None = None,
        patience: int = 10,
        validation: float = 0.1,
        bins: int | None = 256,
        random_state: RandomState = None,
    ) -> None:
        self.base = base
        self.rounds = rounds
        self.draw = draw
        self.error = error
        self.on_weak = on_weak
        self.multiclass = multiclass
        self.redraws = redraws
        self.learning_rate = learning_rate
        self.stop = stop
        self.patience = patience
        self.validation = validation
        self.bins = bins
        self.random_state = random_state

    @told(TO_BOOST, returns=FITTED, raises="If a setting is unknown or out of range.")
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the members. Weights of the rows are where the first round begins."""
        base = self._base()
        X, y, weight = self._counting(*self._training(X, y), sample_weight)
        rule = self._rule(base)
        truth = codes_of(y, self.classes_).astype(np.int32)
        shares = self._row_weights(weight, X)
        root = root_seed(self.random_state)
        train, aside = self._set_aside(truth, root)
        if train is not None:
            held = X[aside], truth[aside]
            X, y, truth = X[train], y[train], truth[train]
            shares = None if shares is None else shares[train] / shares[train].sum()
            weight = None if weight is None else weight[train]
        else:
            held = None
        fitting = self._fitting(base, X, y, root, weight)
        watch = self._watch(fitting, truth, held)
        start = np.full(truth.size, 1 / truth.size) if shares is None else shares
        found = boost(
            fitting, lambda label: (label != truth) * 1.0, start, self.rounds, rule, root, watch
        )
        if watch is not None and watch.best:
            found.cut(watch.best)
            self.held_out_errors_ = np.array(watch.errors)
        so = "the vote is that of the last member tried; use another base"
        self._keep(found, fitting, f"error below {rule.limit:.3g}", so)
        self.redrawn_ = found.redrawn
        return self

    def _stages(self) -> int:
        return self.rounds

    def _rule(self, base: Any) -> Rule:
        self._check_rounds()
        if self.multiclass not in ("m1", "samme"):
            raise InputError(f"multiclass={self.multiclass!r}: choose 'm1' or 'samme'")
        if self.stop not in (None, "out_of_bag", "validation"):
            raise InputError(f"stop={self.stop!r}: choose 'out_of_bag', 'validation' or None")
        draw = self._draw(base)
        if self.stop == "out_of_bag" and draw != "resample":
            raise InputError(
                "stop='out_of_bag' needs draw='resample': by weights no row is left out"
            )
        k = max(self.classes_.size, 2) if self.multiclass == "samme" else 2
        default: OnWeak = "redraw" if draw == "resample" else "stop"
        on_weak = default if self.on_weak is None else self.on_weak
        if on_weak == "invert" and self.classes_.size > 2:
            raise InputError(
                f"on_weak='invert' is for two classes, y holds {self.classes_.size}: the opposite "
                "of one class is no class; choose 'redraw', 'reset', 'skip' or 'stop'"
            )
        rule = Rule(draw, self.error, on_weak, self.redraws, self.learning_rate, k)
        return self._checked(rule, base)

    def _draw(self, base: Any) -> Draw:
        """Whether rows are drawn, as said or as the other settings and the base ask."""
        if self.draw is not None:
            return self.draw
        speaks = self.error == "resample" or self.on_weak in ("redraw", "reset", "skip")
        if speaks or self.stop == "out_of_bag" or not has_fit_parameter(base, "sample_weight"):
            return "resample"
        return "reweight"

    def _fitting(
        self, base: Any, X: Any, y: Array, root: int, weight: Array | None
    ) -> Fitting | Growing:
        if grows(base):
            return Growing(base, X, y, self.classes_, root, self.bins, weight)
        return Fitting(base, X, y, self.classes_)

    def _set_aside(self, truth: Array, root: int) -> tuple[Array | None, Array | None]:
        """Rows to learn from and rows to validate on, a share of every class."""
        if self.stop != "validation":
            return None, None
        if not 0 < self.validation < 1:
            raise InputError(f"validation={self.validation!r}: give a share between 0 and 1")
        order = generator(root, LAST_ROUND).permutation(truth.size)
        order = order[np.argsort(truth[order], kind="stable")]
        # Evenly spaced among the rows sorted by class: each class gives its share, nearly.
        marks = np.floor((np.arange(order.size) + 0.5) * self.validation + 0.5)
        chosen = np.diff(marks, prepend=0) > 0
        if not chosen.any():
            raise InputError(f"validation={self.validation!r} of {truth.size} rows is no row")
        return np.sort(order[~chosen]), np.sort(order[chosen])

    def _watch(self, fitting: Fitting | Growing, truth: Array, held: Any) -> Watching | None:
        k = self.classes_.size
        if self.stop == "out_of_bag":
            return Watching(truth, k, self.patience, left_out)
        if held is None:
            return None
        rows = np.arange(held[1].size)
        return Watching(
            held[1], k, self.patience, lambda model, *_: (rows, fitting.answers(model, held[0]))
        )


LAST_ROUND = 2**31
"""No round has this number: the path of the seed that sets rows aside."""
