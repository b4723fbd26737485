"""The loop of boosting, for classes and numbers: a loss in [0, 1] a row decides; when to stop."""

import math
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._core.told import TO_FIT, told
from heliast.ensembles._draws import counts_from, generator
from heliast.ensembles._ensemble import Ensemble
from heliast.ensembles._fitting import needs_weights

Draw = Literal["resample", "reweight"]
Error = Literal["weighted", "resample"]
OnWeak = Literal["redraw", "reset", "skip", "invert", "stop"]
TO_BOOST = TO_FIT | {
    "sample_weight": "array-like, optional: Weights that the first round begins with; None is even."
}


@told(returns="float: The weight, negative where e is above 1 - 1/k.")
def vote_weight(error: float, k: int = 2) -> float:
    """The weight of a member's vote: log((1 - e)/e), for SAMME + log(k - 1).

    Parameters
    ----------
    error : float
        The member's weighted error e, above 0 and below 1.
    k : int, default 2
        Number of classes for SAMME; 2 is AdaBoost.M1.

    Examples
    --------
    >>> [round(vote_weight(e), 4) for e in (0.280, 0.305, 0.174, 0.282)]
    [0.9445, 0.8236, 1.5575, 0.9346]
    """
    return math.log((1 - error) / error) + math.log(k - 1)


class Base(Protocol):
    """What boosting asks of a base: members, and their answers on the training rows."""

    leaves_to_chance: bool
    """Whether fitting by weight draws from the generator that it is given."""

    def drawn(self, counts: Array, rng: Any) -> tuple[Any, Array]: ...

    def weighted(self, weights: Array, rng: Any) -> tuple[Any, Array]: ...


ROUNDING = 1e-10
"""The last member has error 1/2 by the new weights: found again it is weak, whatever the digits."""


@dataclass(frozen=True)
class Rule:
    """How rounds draw, judge and answer a weak member. `k` other than 2 is SAMME's correction."""

    draw: Draw = "resample"
    error: Error = "weighted"
    on_weak: OnWeak = "redraw"
    redraws: int = 100
    learning_rate: float = 1.0
    k: int = 2

    @property
    def limit(self) -> float:
        """The error from which a member is weak: that of guessing among k classes."""
        return 1 - 1 / self.k

    def check(self) -> None:
        _choose("draw", self.draw, ("resample", "reweight"))
        _choose("error", self.error, ("weighted", "resample"))
        _choose("on_weak", self.on_weak, ("redraw", "reset", "skip", "invert", "stop"))
        if self.draw == "reweight" and self.error == "resample":
            raise InputError("error='resample' needs draw='resample': by weights nothing is drawn")
        if self.draw == "reweight" and self.on_weak == "redraw":
            raise InputError(
                "on_weak='redraw' needs draw='resample': by weights the same member would come "
                "back for ever; choose on_weak='stop', 'reset', 'skip' or 'invert'"
            )
        if self.redraws < 0 or self.learning_rate <= 0:
            raise InputError("redraws must be 0 or more and learning_rate above 0")


def _choose(name: str, value: object, known: tuple[str, ...]) -> None:
    if value not in known:
        raise InputError(f"{name}={value!r}: choose {', '.join(map(repr, known))}")


@dataclass
class Boosted:
    """What the rounds gave: members with their errors and vote weights, and why they ended."""

    models: list[Any] = field(default_factory=list)
    errors: list[float] = field(default_factory=list)
    weights: list[float] = field(default_factory=list)
    rounds: int = 0
    redrawn: int = 0
    stopped: str = ""
    last: tuple[Any, float] | None = None

    def add(self, model: Any, error: float, weight: float) -> None:
        self.models.append(model)
        self.errors.append(error)
        self.weights.append(weight)

    def cut(self, count: int) -> None:
        """Keep the first members only."""
        del self.models[count:], self.errors[count:], self.weights[count:]


@dataclass
class _Try:
    model: Any
    answers: Array
    loss: Array
    error: float
    counts: Array | None


def boost(
    base: Base,
    losses: Callable[[Array], Array],
    start: Array,
    rounds: int,
    rule: Rule,
    root: int,
    watch: "Watching | None" = None,
) -> Boosted:
    """Members one after the other, each on the rows where those before were wrong.

    e = Σ_i w_i L_i with w the weights of the rows (or the mean of L over the drawn rows), L_i the
    loss of the member at row i: 0 or 1 for classes. The member votes with a = log((1-e)/e); then
    w_i grows by exp(a L_i) and all are brought back to sum 1. At e = 0 the member is kept and the
    rounds end: it votes as if half of the lightest row were wrong, as its weight would be infinite.
    With `invert` e above 1/2 gives a below 0: of two classes that is a vote for the other one.
    """
    found = Boosted()
    weights = start
    for number in range(rounds):
        found.rounds = number + 1
        tried, weights = _round(base, losses, weights, start, rule, root, number, found)
        if found.stopped:
            break
        if tried is None:
            continue
        floor = _half_of_lightest(weights, tried.counts if rule.error == "resample" else None)
        error = min(max(tried.error, floor), 1 - floor)
        weight = rule.learning_rate * vote_weight(error, rule.k)
        found.add(tried.model, tried.error, weight)
        if tried.error in (0, 1):  # 1 only if it is inverted
            found.stopped = f"a member without error in round {number + 1}"
        elif watch and watch.enough(tried.model, weight, tried.answers, tried.counts):
            found.stopped = f"no better since, at round {number + 1}"
        if found.stopped:
            break
        grown = weights * np.exp(weight * tried.loss)
        weights = grown / grown.sum()
    return found


def _half_of_lightest(weights: Array, counts: Array | None) -> float:
    """Below any error that a member could have: half of the smallest share of a row."""
    if counts is not None:
        return float(0.5 / counts.sum())
    lightest = float(weights.min())
    return max((lightest or float(weights[weights > 0].min())) / 2, 1e-300)


def _round(
    base: Base,
    losses: Callable[[Array], Array],
    weights: Array,
    start: Array,
    rule: Rule,
    root: int,
    number: int,
    found: Boosted,
) -> tuple[_Try | None, Array]:
    """One round: a member that is not weak, or None; and the weights it was judged by."""
    chance = rule.draw == "resample" or base.leaves_to_chance  # a generator costs as a small tree
    for attempt in range(rule.redraws + 1):
        rng = generator(root, number, attempt) if chance else None
        tried = _attempt(base, losses, weights, rule, rng)
        if tried.error < rule.limit - ROUNDING:
            return tried, weights
        if rule.on_weak == "invert" and tried.error > rule.limit + ROUNDING:
            return tried, weights
        found.last = (tried.model, tried.error)
        # Of two classes guessing has no opposite; by weights the same member would come back.
        if rule.on_weak == "stop" or (rule.on_weak == "invert" and rule.draw == "reweight"):
            found.stopped = f"error {tried.error:.3f} in round {number + 1}, as bad as guessing"
            return None, weights
        if rule.on_weak == "skip":
            return None, weights
        if rule.on_weak == "reset":
            weights = start
        found.redrawn += 1
    found.stopped = (
        f"{rule.redraws + 1} samples in round {number + 1} gave no member with error below "
        f"{rule.limit:.3g}"
    )
    return None, weights


def _attempt(
    base: Base, losses: Callable[[Array], Array], weights: Array, rule: Rule, rng: Any
) -> _Try:
    counts = None
    if rule.draw == "resample":
        counts = counts_from(weights, weights.size, rng)
        model, answers = base.drawn(counts, rng)
    else:
        model, answers = base.weighted(weights * weights.size, rng)
    loss = losses(answers)
    if rule.error == "resample" and counts is not None:
        return _Try(model, answers, loss, float((counts * loss).sum() / counts.sum()), counts)
    # Not as a matrix product: that would wake the threads of BLAS for a sum.
    return _Try(model, answers, loss, float((weights * loss).sum()), counts)


class Watching:
    """Follows a growing vote and says when `patience` rounds brought nothing.

    `rows` tells which rows of `truth` a member may be judged on, and its answers there; a row that
    no member may be judged on yet does not count.
    """

    def __init__(self, truth: Array, k: int, patience: int, rows: Callable[..., Any]) -> None:
        self.truth = truth
        self.tally = np.zeros((truth.size, k))
        self.patience = patience
        self.rows = rows
        self.errors: list[float] = []

    @property
    def best(self) -> int:
        """How many members had the least error (the fewest, if tied)."""
        return int(np.nanargmin(self.errors)) + 1 if np.isfinite(self.errors).any() else 0

    def enough(self, model: Any, weight: float, answers: Array, counts: Array | None) -> bool:
        rows, label = self.rows(model, answers, counts)
        self.tally[rows, label] += weight
        judged = self.tally.any(axis=1)
        wrong = self.tally[judged].argmax(axis=1) != self.truth[judged]
        self.errors.append(float(wrong.mean()) if wrong.size else float("nan"))
        return len(self.errors) - self.best >= self.patience if self.best else False


def left_out(model: Any, answers: Array, counts: Array | None) -> tuple[Array, Array]:
    """The rows that were not drawn in this round, and the member's answers there."""
    assert counts is not None
    rows = np.flatnonzero(counts == 0)
    return rows, answers[rows]


class Boosting(Ensemble):
    """What boosted ensembles share: the check of their rule, and what is kept of the rounds."""

    rounds: int
    _of_members: Mapping[str, Any] = {"min_cut": 5}
    """Boosted trees must err: one that is pure would end the rounds."""

    def _checked(self, rule: Rule, base: Any) -> Rule:
        rule.check()
        if rule.draw == "reweight":
            needs_weights(base, "draw='reweight'", "use draw='resample', which any base can do")
        return rule

    def _check_rounds(self) -> None:
        if not isinstance(self.rounds, (int, np.integer)) or self.rounds < 1:
            raise InputError(f"rounds={self.rounds!r}: give a whole number of at least 1")

    def _keep(self, found: Boosted, fitting: Any, lacking: str, so: str) -> None:
        """The members; the last that was tried, with a warning, if all were weak."""
        if not found.models and found.last is not None:
            warnings.warn(
                f"no member with {lacking} was found ({found.stopped}): {so}",
                ConvergenceWarning,
                stacklevel=3,
            )
            found.add(*found.last, 1.0)
        self.members_: Any = fitting.gathered(found.models)
        self.errors_ = np.array(found.errors)
        self.weights_ = np.array(found.weights)
        self.rounds_ = found.rounds
        self.stopped_ = found.stopped
