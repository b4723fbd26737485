"""Which of several candidates to recommend: expected values, selection bias, costs.

The rule. The best candidate observed is recommended, whether or not it differs significantly from
others: a lower expected error is worth having. A simpler one is recommended in its place where its
expected loss is no more than the margin. Expected are observed differences shrunk towards 0 as far
as chance explains them (empirical Bayes): of many candidates alike, the lead of the best is mostly
chance, and one that stands out keeps its lead.
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
from heliast.verbs.options import Options
from heliast.verbs.pairs import compare_models

# Simpler is what has at most half of one cost, and of none more than half as much again.
LESS, ALIKE = 0.5, 1.5
# Seconds to fit, and to predict 1,000 rows, below which costs count as equal.
LEAST_FIT, LEAST_PREDICT = 1.0, 0.1
# How far candidates differ a priori: a share of what the best one lacks.
SPREAD = 0.2
KEYS = ("fit_seconds", "predict_seconds", "size")
# The share of what the best one lacks that is not worth a cost, without a margin.
NEGLIGIBLE = 0.02


@dataclass(frozen=True)
class Cost(Shown):
    """What a candidate costs; NaN where it is not known.

    Parameters
    ----------
    fit : float
        Seconds to fit it, the least over splits.
    predict : float
        Seconds to predict the rows of a split, of many 1,000.
    size : float
        Bytes of the fitted model.
    members : float
        Models in it; they count where neither times nor sizes are known.

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
        """Whether it has at most half of some cost of the other, and of none clearly more.

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
        known = [(own, theirs) for own, theirs in pairs if not math.isnan(own + theirs)]
        less = any(own <= LESS * theirs for own, theirs in known)
        return less and all(own <= ALIKE * theirs for own, theirs in known)

    @property
    def felt(self) -> tuple[float, float, float]:
        """Time to fit, time to predict and size as they count."""
        fit, predict = np.maximum((self.fit, self.predict), (LEAST_FIT, LEAST_PREDICT)).tolist()
        return (fit, predict, self.size)

    @staticmethod
    def together(costs: "Iterable[Cost]") -> "Cost":
        """The sum of costs, of what is known.

        Parameters
        ----------
        costs : iterable of Cost
            Each one's.

        Returns
        -------
        Cost
            Their sums.
        """
        rows = np.array([(cost.fit, cost.predict, cost.size, cost.members) for cost in costs])
        known = ~np.isnan(rows).all(axis=0)
        return Cost(*np.where(known, np.nansum(rows, axis=0), math.nan).tolist())


def costs_of(table: Predictions, members: Mapping[str, float]) -> dict[str, Cost]:
    """What each of these models costs; stages and decoders of one fit cost what that fit does."""
    sizes: dict[object, float] = {split.split: split.n_test or math.nan for split in table.splits}
    cells: dict[object, list[tuple[float, ...]]] = {}
    for cell in table.cells:
        values = (cell[key] for key in KEYS)
        fit, predict, size = (
            float(value) if isinstance(value, (int, float)) else math.nan for value in values
        )
        if cell["status"] == "ok":
            n = sizes.get(cell["split"], math.nan)
            row = (fit or math.nan, predict * min(1.0, 1000 / n), size)
            cells.setdefault(cell["model"], []).append(row)
    costs = {}
    for model, count in members.items():
        rows = cells.get(table.meta.stages.get(model, model), [(math.nan,) * 3])
        known = (column[~np.isnan(column)] for column in np.array(rows, np.float64).T)
        fit, predict, size = (float(part.min()) if part.size else math.nan for part in known)
        costs[model] = Cost(fit, predict, size, count)
    return costs


@dataclass(frozen=True)
class Advice:
    """Which of several candidates is recommended, and why.

    Parameters
    ----------
    recommended : str
        The candidate recommended.
    leader : str
        The best observed, or on validation rows.
    expected : mapping of str to float
        What each candidate is expected to lose against the leader.
    margin : float
        The expected loss up to which a simpler candidate is recommended.
    simpler : tuple of str
        The best of those simpler than the recommended one, and the best of those simpler still.
    costs : mapping of str to Cost
        What each candidate costs.
    """

    recommended: str
    leader: str
    expected: Mapping[str, float]
    margin: float
    simpler: tuple[str, ...]
    costs: Mapping[str, Cost]


def recommend(
    worth: Mapping[str, float],
    costs: Mapping[str, Cost],
    losses: Callable[[str], Mapping[str, float]],
    margin: float,
) -> Advice:
    """Apply the rule of this module.

    `worth` is better when low, infinite where it is not known; `losses` gives what each candidate
    is expected to lose against a leader.

    >>> costs = {"vote": Cost(members=100), "tree": Cost(members=1)}
    >>> worth, losses = {"vote": 0.1, "tree": 0.12}, {"tree": 0.01}
    >>> [recommend(worth, costs, lambda _: losses, m).recommended for m in (0.005, 0.02)]
    ['vote', 'tree']
    """
    known = [name for name, value in worth.items() if not math.isinf(value)]

    def best(names: Iterable[str]) -> str:
        return min(names, key=lambda name: (worth[name], costs[name].members))

    def below(name: str, among: Iterable[str] = known) -> list[str]:
        return [other for other in among if costs[other].simpler_than(costs[name])]

    leader = best(worth)
    expected = {**losses(leader), leader: 0.0}
    cheap = [name for name in below(leader) if expected.get(name, math.inf) <= margin]
    # Of those within the margin, one that none of the others is simpler than.
    least = [name for name in cheap if not below(name, cheap)]
    recommended = current = best(least) if least else leader
    simpler: list[str] = []
    while (fewer := below(current)) and len(simpler) < 2:
        current = best(fewer)
        simpler.append(current)
    return Advice(recommended, leader, expected, margin, tuple(simpler), costs)


def expected_losses(
    worth: Mapping[str, float], leader: str, errors: Mapping[str, float], lacking: float
) -> dict[str, float]:
    """What each candidate is expected to lose against the leader, with shrinkage.

    Values of m candidates are mean + N(0, t^2), observed with noise. The spread t has a half-Cauchy
    prior with scale 0.2 times what the best one lacks; given t, a difference d with standard error
    s is expected to be d 2t^2/(2t^2 + s^2), averaged over the posterior of t (Efron and Morris
    1975, with the prior of Gelman 2006). `errors` are the standard errors of differences from the
    leader; where one is not known the difference is taken as observed.

    >>> equal = {name: 0.3 + at / 100 for at, name in enumerate("abcde")}
    >>> noisy = expected_losses(equal, "a", dict.fromkeys("bcde", 0.04), 0.3)
    >>> precise = expected_losses(equal, "a", dict.fromkeys("bcde", 0.001), 0.3)
    >>> round(noisy["b"], 4), round(precise["b"], 4)
    (0.0024, 0.01)
    """
    others = [name for name in worth if name != leader and not math.isinf(worth[name])]
    observed = {name: worth[name] - worth[leader] for name in others}
    noise = np.array([errors[name] for name in others if errors.get(name, math.nan) > 0])
    if not noise.size:
        return observed
    values = np.array([worth[name] for name in (leader, *others)])
    scale = max(SPREAD * lacking, 1e-12)
    t = scale * np.tan(np.linspace(0, np.pi / 2, 402)[1:-1])  # evenly by the prior
    variance = t**2 + np.median(noise) ** 2 / 2  # of a difference of two it is twice as much
    squares = float(((values - values.mean()) ** 2).sum())
    fit = -(len(values) - 1) / 2 * np.log(variance) - squares / (2 * variance)
    weight = np.exp(fit - fit.max())
    weight /= weight.sum()
    losses = {}
    for name, loss in observed.items():
        error = errors.get(name, math.nan)
        kept = 1.0 if math.isnan(error) else float(weight @ (2 * t**2 / (2 * t**2 + error**2)))
        losses[name] = loss * kept
    return losses


def standard_errors(table: Predictions, options: Options, leader: str) -> dict[str, float]:
    """Those of the differences from the leader, as the intervals of `compare` imply them."""
    try:
        pairs = compare_models(table, options, leader).pairs
    except InputError:
        return {}
    errors = {}
    for pair in pairs:
        each = pair.level if math.isnan(pair.each_level) else pair.each_level
        half = (pair.high - pair.low) / 2
        errors[pair.a] = 0.0 if pair.identical else half / quantile(each)
    return errors


def distance_to_perfect(measure: Measure, best: float) -> float:
    """How far the best value is from perfection; 0 where that has no end.

    >>> from heliast.measures import get
    >>> distance_to_perfect(get("error"), 0.1), round(distance_to_perfect(get("auc"), 0.9), 9)
    (0.1, 0.1)
    """
    perfect = measure.bounds[0] if measure.better == "low" else measure.bounds[1]
    distance = abs(best - perfect)
    return distance if math.isfinite(distance) else 0.0
