"""Which of several candidates to take: their expected values, the luck of the choice, their cost.

The rule. The best candidate as seen is taken, whether or not it is told apart from others: a lower
expected error is worth having. A simpler one is taken in its place where that is expected to lose
nothing: choosing among all candidates is, on rows that did not choose, not better than choosing
among the simpler ones alone (so the lead of the best was luck), or the loss is known to be less
than the margin. Then the same is asked of those that are simpler still.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from heliast._core.errors import InputError
from heliast._core.records import Shown
from heliast.estimates.resampled import Parts, chosen_among
from heliast.measures import Measure
from heliast.predictions import Predictions
from heliast.verbs.compare import compared
from heliast.verbs.question import Question

Reason = Literal["best", "no gain", "margin"]
"""Why a candidate is taken: the best as seen, or simpler at no expected or no relevant loss."""
LESS, ALIKE = 0.5, 1.5
"""Simpler is what has at most half of one cost, and of none more than half as much again: times of
single fits vary."""
KEYS = ("fit_seconds", "predict_seconds", "size")
NEGLIGIBLE = 0.05
"""The share of what the best one lacks that does not matter, if no margin is told."""


@dataclass(frozen=True)
class Cost(Shown):
    """What a candidate costs; NaN where it is not known.

    Parameters
    ----------
    fit : float
        Seconds to fit it, the median over splits.
    predict : float
        Seconds to predict 1,000 rows; of a vote at every number of members that was read.
    size : float
        Bytes of the fitted model.
    members : float
        Models that vote in it: what counts where nothing else is known.

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
        pairs = [
            (one, two)
            for one, two in zip(self._measured, other._measured, strict=True)
            if not math.isnan(one + two)
        ] or [(self.members, other.members)]
        return any(one <= LESS * two and two > 0 for one, two in pairs) and all(
            one <= ALIKE * two for one, two in pairs
        )

    @property
    def _measured(self) -> tuple[float, ...]:
        return (self.fit, self.predict, self.size)

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
        each = np.array([(*one._measured, one.members) for one in every])
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
            # Without a fit, a shortcut has answered.
            found = (fit or math.nan, 1000 * predict / n, size)
            cells.setdefault(cell["model"], []).append(found)
    nothing = [(math.nan, math.nan, math.nan)]
    costs = {}
    for model, count in members.items():
        own = np.array(cells.get(table.meta.stages.get(model, model), nothing), np.float64)
        known = (column[~np.isnan(column)] for column in own.T)
        fit, predict, size = (float(np.median(one)) if one.size else math.nan for one in known)
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
    reason : {'best', 'no gain', 'margin'}
        Why the recommended one is taken.
    gain : float
        What choosing among all gains over choosing among the simpler ones, by rows that did not
        choose, where that decided; below 0 is a loss. NaN where it was not asked.
    simpler : tuple of str
        Of those that are simpler than the recommended one the best, and of those that are simpler
        still the best again.
    costs : mapping of str to Cost
        What each candidate costs.
    """

    recommended: str
    leader: str
    reason: Reason
    gain: float
    simpler: tuple[str, ...]
    costs: Mapping[str, Cost]


def advised(
    worth: Mapping[str, float],
    costs: Mapping[str, Cost],
    gain: Callable[[list[str]], float],
    negligible: Callable[[str, str], bool],
) -> Advice:
    """The rule of this module.

    `worth` is the less the better; `gain` tells what choosing among all is expected to gain over
    choosing among these; `negligible` whether the first is known to lose no more than the margin
    against the second.

    >>> costs = {"vote": Cost(members=100), "tree": Cost(members=1)}
    >>> def found(gain): return advised({"vote": .1, "tree": .12}, costs, gain, lambda *_: False)
    >>> found(lambda few: 0.01).recommended, found(lambda few: -0.01).reason
    ('vote', 'no gain')
    """

    def best(names: Iterable[str]) -> str:
        return min(names, key=lambda name: (worth[name], costs[name].members))

    def below(name: str) -> list[str]:
        known = (one for one in worth if not math.isinf(worth[one]))
        return [one for one in known if costs[one].simpler_than(costs[name])]

    leader = taken = best(worth)
    reason: Reason = "best"
    gained = math.nan
    while few := below(taken):
        following = best(few)
        gained = gain(few)
        if gained <= 0:
            reason = "no gain"
        elif negligible(following, leader):
            reason = "margin"
        else:
            break
        taken = following
    simpler: list[str] = []
    at = taken
    while (few := below(at)) and len(simpler) < 2:
        at = best(few)
        simpler.append(at)
    return Advice(taken, leader, reason, gained, tuple(simpler), costs)


def gain_by_rows(
    table: Predictions, question: Question, measure: Measure, values: Mapping[str, float]
) -> Callable[[list[str]], float]:
    """What choosing among all gains over choosing among some, by rows that did not choose.

    Where no such rows can be drawn (the measure is no mean over rows, rows are in order of time)
    it is the difference of the values as seen.
    """
    parts = {name: Parts(table, name, question.prevalences) for name in values}
    sign = 1.0 if measure.better == "low" else -1.0

    def gain(few: list[str]) -> float:
        try:
            every, some = chosen_among(parts, measure, [[*values], few], question.seed)
        except InputError:
            every = sign * min(values.values())
            some = sign * min(values[name] for name in few)
        return sign * (some - every)

    return gain


def margin_of(question: Question, measure: Measure, best: float) -> float:
    """The loss that does not matter: the margin, or a small share of what the best one lacks.

    >>> from heliast.measures import get
    >>> margin_of(Question(), get("error"), 0.1), margin_of(Question(margin=0.02), get("auc"), 0.9)
    (0.005, 0.02)
    """
    if question.margin is not None:
        return question.margin
    perfect = measure.bounds[0] if measure.better == "low" else measure.bounds[1]
    lacking = abs(best - perfect)
    return NEGLIGIBLE * lacking if math.isfinite(lacking) else 0.0


def known_loss(table: Predictions, question: Question, name: str, other: str) -> float:
    """The most that a model may lose against another, one-sided at the level of the question."""
    pair = compared(table.only(model=[name, other]), question)[name, other]
    if pair.identical:
        return 0.0
    most = pair.high90 if question.only_measure(table.task).better == "low" else -pair.low90
    return math.inf if math.isnan(most) else most
