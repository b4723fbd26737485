"""Which of several candidates to recommend: expected values, selection bias, numbers of members.

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
from heliast.measures import Measure
from heliast.predictions import Predictions
from heliast.verbs.options import Options
from heliast.verbs.pairs import compare_models

# How far candidates differ a priori: a share of what the best one lacks.
SPREAD = 0.2
# The share of what the best one lacks that is not worth more members, without a margin.
NEGLIGIBLE = 0.02


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
    members : mapping of str to float
        How many models each candidate has.
    """

    recommended: str
    leader: str
    expected: Mapping[str, float]
    margin: float
    simpler: tuple[str, ...]
    members: Mapping[str, float]


def recommend(
    worth: Mapping[str, float],
    members: Mapping[str, float],
    losses: Callable[[str], Mapping[str, float]],
    margin: float,
) -> Advice:
    """Apply the rule of this module.

    `worth` is better when low, infinite where it is not known; `losses` gives what each candidate
    is expected to lose against a leader. Simpler is what has at most half the members.

    >>> members = {"vote": 100, "tree": 1}
    >>> worth, losses = {"vote": 0.1, "tree": 0.12}, {"tree": 0.01}
    >>> [recommend(worth, members, lambda _: losses, m).recommended for m in (0.005, 0.02)]
    ['vote', 'tree']
    """
    known = [name for name, value in worth.items() if not math.isinf(value)]

    def best(names: Iterable[str]) -> str:
        return min(names, key=lambda name: (worth[name], members[name]))

    def below(name: str, among: Iterable[str] = known) -> list[str]:
        return [other for other in among if 2 * members[other] <= members[name]]

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
    return Advice(recommended, leader, expected, margin, tuple(simpler), members)


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
