"""Which of several candidates to take: their expected values, the luck of the choice, their cost.

The rule. The best candidate as seen is taken, whether or not it is told apart from others: a lower
expected error is worth having. A simpler one is taken in its place where its expected loss is no
more than the margin. Expected are differences as seen, drawn towards 0 as far as chance explains
them (empirical Bayes, as the estimators of James and Stein): of many candidates alike, the lead of
the best is mostly luck, and one that stands out keeps its lead.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from heliast._core.errors import InputError
from heliast._core.level import quantile
from heliast._core.records import Shown
from heliast.measures import Measure
from heliast.predictions import Predictions
from heliast.verbs.compare import compared
from heliast.verbs.question import Question

LESS, ALIKE = 0.5, 1.5
"""Simpler is what has at most half of one cost, and of none more than half as much again."""
UNFELT = {"fit": 1.0, "predict": 0.1}
"""Seconds to fit, and to predict 1,000 rows, below which nobody waits: they count as these, and
the chance of a clock decides nothing."""
SPREAD = 0.2
"""How far recipes differ, before anything is seen: a share of what the best one lacks."""
KEYS = ("fit_seconds", "predict_seconds", "size")
NEGLIGIBLE = 0.02
"""The share of what the best one lacks that is not worth a cost, if no margin is told."""


@dataclass(frozen=True)
class Cost(Shown):
    """What a candidate costs; NaN where it is not known.

    Parameters
    ----------
    fit : float
        Seconds to fit it, the least over splits: what else a machine does only adds.
    predict : float
        Seconds to predict the rows of a split, of many 1,000; of a vote at every number of members
        that was read.
    size : float
        Bytes of the fitted model.
    members : float
        Models that vote in it; they count where neither time nor size of a fit is known.

    Examples
    --------
    >>> tree, vote = Cost(0.01, 0.001, 2e3), Cost(2.0, 0.1, 4e5)
    >>> tree.simpler_than(vote), vote.simpler_than(tree), tree.simpler_than(tree)
    (True, False, False)
    """

    fit: float = math.nan
    predict: float = math.nan
    size: float = math.nan
    members: float = 1

    def simpler_than(self, other: "Cost") -> bool:
        """Whether this one has at most half of some cost of the other, and of none clearly more.

        Parameters
        ----------
        other : Cost
            That of another candidate.

        Returns
        -------
        bool
            Whether it is simpler.
        """
        pairs = [*zip(self.felt, other.felt, strict=True)]
        if math.isnan(self.fit + other.fit) and math.isnan(self.size + other.size):
            pairs.append((self.members, other.members))
        pairs = [(one, two) for one, two in pairs if not math.isnan(one + two)]
        return any(one <= LESS * two for one, two in pairs) and all(
            one <= ALIKE * two for one, two in pairs
        )

    @property
    def _measured(self) -> tuple[float, ...]:
        return (self.fit, self.predict, self.size, self.members)

    @property
    def felt(self) -> tuple[float, float, float]:
        """Time to fit, time to predict and size as they count; NaN where they are not known."""
        fit, predict = np.maximum((self.fit, self.predict), [*UNFELT.values()]).tolist()
        return (fit, predict, self.size)

    @staticmethod
    def together(costs: "Iterable[Cost]") -> "Cost":
        """That of all of these, one beside the other.

        Parameters
        ----------
        costs : iterable of Cost
            Each one's.

        Returns
        -------
        Cost
            Their sums, of what is known.
        """
        every = list(costs)
        each = np.array([one._measured for one in every])
        known = ~np.isnan(each).all(axis=0)
        return Cost(*np.where(known, np.nansum(each, axis=0), math.nan).tolist())


def costs_of(table: Predictions, members: Mapping[str, float]) -> dict[str, Cost]:
    """What each of these models costs; stages and decoders of one fit cost what that fit does."""
    sizes: dict[object, float] = {one.split: one.n_test or math.nan for one in table.splits}
    cells: dict[object, list[tuple[float, ...]]] = {}
    for cell in table.cells:
        fit, predict, size = (_number(cell[key]) for key in KEYS)
        if cell["status"] == "ok":
            n = sizes.get(cell["split"], math.nan)
            found = (fit or math.nan, predict * min(1.0, 1000 / n), size)
            cells.setdefault(cell["model"], []).append(found)
    nothing = [(math.nan, math.nan, math.nan)]
    costs = {}
    for model, count in members.items():
        own = np.array(cells.get(table.meta.stages.get(model, model), nothing), np.float64)
        known = (column[~np.isnan(column)] for column in own.T)
        fit, predict, size = (float(one.min()) if one.size else math.nan for one in known)
        costs[model] = Cost(fit, predict, size, count)
    return costs


def _number(value: object) -> float:
    return float(value) if isinstance(value, (int, float)) else math.nan


@dataclass(frozen=True)
class Advice:
    """What to take of several candidates, and why.

    Parameters
    ----------
    recommended : str
        The candidate to take.
    leader : str
        The best as seen, or on validation rows.
    expected : mapping of str to float
        What each candidate is expected to lose against the leader.
    margin : float
        The expected loss up to which a simpler candidate is taken.
    simpler : tuple of str
        Of those that are simpler than the recommended one the best, and of those that are simpler
        still the best again.
    costs : mapping of str to Cost
        What each candidate costs.
    """

    recommended: str
    leader: str
    expected: Mapping[str, float]
    margin: float
    simpler: tuple[str, ...]
    costs: Mapping[str, Cost]


def advised(
    worth: Mapping[str, float],
    costs: Mapping[str, Cost],
    losses: Callable[[str], Mapping[str, float]],
    margin: float,
) -> Advice:
    """The rule of this module.

    `worth` is the less the better, infinite where it is not known; `losses` tells what each
    candidate is expected to lose against the one that leads.

    >>> costs = {"vote": Cost(members=100), "tree": Cost(members=1)}
    >>> def taken(margin):
    ...     found = advised({"vote": .1, "tree": .12}, costs, lambda _: {"tree": 0.01}, margin)
    ...     return found.recommended
    >>> taken(0.005), taken(0.02)
    ('vote', 'tree')
    """
    known = [name for name, value in worth.items() if not math.isinf(value)]

    def best(names: Iterable[str]) -> str:
        return min(names, key=lambda name: (worth[name], costs[name].members))

    def below(name: str, among: Iterable[str] = known) -> list[str]:
        return [one for one in among if costs[one].simpler_than(costs[name])]

    leader = best(worth)
    expected = {**losses(leader), leader: 0.0}
    cheap = [one for one in below(leader) if expected.get(one, math.inf) <= margin]
    # Of those that may be taken, one that none of the others is simpler than.
    least = [one for one in cheap if not below(one, cheap)]
    taken = at = best(least) if least else leader
    simpler: list[str] = []
    while (few := below(at)) and len(simpler) < 2:
        at = best(few)
        simpler.append(at)
    return Advice(taken, leader, expected, margin, tuple(simpler), costs)


def expected_losses(
    worth: Mapping[str, float], leader: str, errors: Mapping[str, float], lacking: float
) -> dict[str, float]:
    """What each candidate is expected to lose against the leader, luck allowed for.

    Values of m recipes are mean + N(0, t^2), and seen with noise. The spread t has a half-Cauchy
    prior with scale 0.2 times what the best one lacks; given t, a difference d with standard error
    s is expected to be d 2t^2/(2t^2 + s^2), which is averaged over the posterior of t (Efron and
    Morris 1975, with the prior of Gelman 2006). `errors` are the standard errors of differences to
    the leader; where one is not known the difference is taken as seen.

    >>> equal = {name: 0.3 + at / 100 for at, name in enumerate("abcde")}
    >>> noisy = expected_losses(equal, "a", dict.fromkeys("bcde", 0.04), 0.3)
    >>> sure = expected_losses(equal, "a", dict.fromkeys("bcde", 0.001), 0.3)
    >>> round(noisy["b"], 4), round(sure["b"], 4)
    (0.0024, 0.01)
    """
    others = [name for name in worth if name != leader and not math.isinf(worth[name])]
    seen = {name: worth[name] - worth[leader] for name in others}
    noise = np.array([errors[name] for name in others if errors.get(name, math.nan) > 0])
    if not noise.size:
        return seen
    values = np.array([worth[name] for name in (leader, *others)])
    spread = max(SPREAD * lacking, 1e-12)
    t = spread * np.tan(np.linspace(0, np.pi / 2, 402)[1:-1])  # evenly by the prior
    variance = t**2 + np.median(noise) ** 2 / 2  # of a difference of two it is twice as much
    squares = float(((values - values.mean()) ** 2).sum())
    fit = -(len(values) - 1) / 2 * np.log(variance) - squares / (2 * variance)
    weight = np.exp(fit - fit.max())
    weight /= weight.sum()

    def kept(error: float) -> float:
        return float(weight @ (2 * t**2 / (2 * t**2 + error**2)))

    known = {name: errors.get(name, math.nan) for name in others}
    return {
        name: loss if math.isnan(known[name]) else loss * kept(known[name])
        for name, loss in seen.items()
    }


def standard_errors(table: Predictions, question: Question, leader: str) -> dict[str, float]:
    """Those of the differences to the leader, as the intervals of `compare` tell them."""
    try:
        pairs = compared(table, question, leader).pairs
    except InputError:
        return {}
    found = {}
    for one in pairs:
        each = one.level if math.isnan(one.each_level) else one.each_level
        found[one.a] = 0.0 if one.identical else (one.high - one.low) / (2 * quantile(each))
    return found


def lacks(measure: Measure, best: float) -> float:
    """How far the best value is from perfection; 0 where that has no end.

    >>> from heliast.measures import get
    >>> lacks(get("error"), 0.1), round(lacks(get("auc"), 0.9), 9)
    (0.1, 0.1)
    """
    perfect = measure.bounds[0] if measure.better == "low" else measure.bounds[1]
    lacking = abs(best - perfect)
    return lacking if math.isfinite(lacking) else 0.0
