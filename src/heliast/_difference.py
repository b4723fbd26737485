"""Difference: one model against another, how sure we are, and how many cases would decide it."""

import math
from dataclasses import dataclass, replace

from heliast._core.records import Shown, as_dict
from heliast.comparisons import (
    BayesResult,
    cases_for_equivalence,
    cases_for_mcnemar,
    cases_to_decide,
)
from heliast.estimates import Needed
from heliast.estimates._proportion import quantile

_TURNED = {"better": "worse", "worse": "better"}


@dataclass(frozen=True)
class Difference(Shown):
    """Model a against model b: the difference a minus b, its interval, p value and verdict.

    `p` is corrected for the number of pairs, `p_alone` is not; the intervals of several pairs hold
    together with `level`, each by itself with `each_level`. `verdict` speaks of a. `reason` says
    what is missing and why. `n` counts what `unit` says; `df` are the degrees of freedom of a t
    test; `bayes` holds three probabilities if they were asked for.

    >>> Difference("tree", "knn", "error", 0.03, 0.01, 0.05, 0.002, verdict="worse")
    Difference(tree - knn, error: 0.03 [0.01, 0.05], p = 0.002, worse)
    """

    a: str
    b: str
    measure: str
    value: float = math.nan
    low: float = math.nan
    high: float = math.nan
    p: float = math.nan
    level: float = 0.95
    method: str = ""
    target: str = "model"
    n: float = math.nan
    n_train: float | None = None
    n_effective: float = math.nan
    verdict: str = "undecided"
    notes: tuple[str, ...] = ()
    reason: str = ""
    p_alone: float = math.nan
    each_level: float = math.nan
    df: float = math.nan
    unit: str = "rows"
    bayes: BayesResult | None = None

    @property
    def se(self) -> float:
        """The standard error that the interval shows."""
        df = None if math.isnan(self.df) else self.df
        return (self.high - self.low) / 2 / quantile(self._level, df)

    def cases_to_decide(
        self, *, bar: float = 0.0, margin: float | None = None, power: float = 0.8
    ) -> Needed:
        """How many cases tell a difference like this one from `bar` with probability `power`.

        With `margin` it may also be decided by showing equivalence, if that takes fewer cases.
        McNemar's test is reckoned exactly, the others by their standard error, which shrinks as
        1/sqrt(n); the degrees of freedom of folds stay.

        >>> seen = Difference("tree", "knn", "error", 0.02, -0.01, 0.05, 0.2, n=500)
        >>> print(seen.cases_to_decide())
        2,299 rows, 1,799 more than now, and the difference is told from 0 with probability 80%.
        """
        found = [self._told_apart(bar, power)]
        if margin is not None and self._spread > 0 and bar == 0:
            found.append(
                cases_for_equivalence(
                    self.value,
                    self._spread,
                    margin,
                    power=power,
                    level=self._level,
                    df=self._freedom,
                    now=self.n,
                )
            )
        best = min(found, key=lambda one: math.inf if math.isnan(one.cases) else one.cases)
        notes: tuple[str, ...] = ("taken for granted: the difference seen is the true one",)
        if self.target == "procedure" and self.unit == "rows":
            notes += ("more rows also train other models, whose difference may be another",)
        return replace(best, unit=self.unit, notes=notes)

    def _told_apart(self, bar: float, power: float) -> Needed:
        if not (self._spread > 0 and self.n > 0):
            why = self.reason or "the difference has no interval"
            return Needed(f"the difference is told from {bar:g}", now=self.n, reason=why)
        if bar == 0 and self.method.startswith("McNemar"):
            gap = self.value * self.n
            more, less = round(self.n_effective + gap) / 2, round(self.n_effective - gap) / 2
            return cases_for_mcnemar(more, less, self.n, power=power, level=self._level)
        return cases_to_decide(
            self.value, self._spread, bar=bar, power=power, level=self._level, df=self._freedom,
            now=self.n,
        )  # fmt: skip

    @property
    def _spread(self) -> float:
        """The standard deviation at one case."""
        return self.se * math.sqrt(self.n)

    @property
    def _level(self) -> float:
        return self.level if math.isnan(self.each_level) else self.each_level

    @property
    def _freedom(self) -> float:
        return math.inf if math.isnan(self.df) else self.df

    @property
    def real(self) -> bool:
        """Whether p and interval agree that there is a difference."""
        return self.verdict.startswith(("better", "worse"))

    @property
    def reversed(self) -> "Difference":
        """The same seen from b: b minus a."""
        word, comma, rest = self.verdict.partition(",")
        return replace(
            self, a=self.b, b=self.a, value=0.0 - self.value, low=0.0 - self.high,
            high=0.0 - self.low,
            verdict=_TURNED.get(word, word) + comma + rest, bayes=_turned(self.bayes),
        )  # fmt: skip

    def to_dict(self) -> dict[str, object]:
        """The fields as plain values; what is undefined is None."""
        return as_dict(self)

    def __repr__(self) -> str:
        limits = "" if math.isnan(self.low) else f" [{self.low:.4g}, {self.high:.4g}]"
        said = f"{self.a} - {self.b}, {self.measure}: {self.value:.4g}{limits}"
        return f"Difference({said}, p = {self.p:.3g}, {self.verdict})"


def _turned(found: BayesResult | None) -> BayesResult | None:
    if found is None:
        return None
    return replace(
        found, value=0.0 - found.value, low=0.0 - found.high, high=0.0 - found.low,
        a_better=found.b_better, b_better=found.a_better,
    )  # fmt: skip
