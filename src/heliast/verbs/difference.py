"""Difference: one model against another, how sure we are, and how many cases would decide it."""

import math
from dataclasses import KW_ONLY, dataclass, field, replace

from heliast._core.level import quantile
from heliast._core.records import Shown, as_dict
from heliast.comparisons import (
    BayesResult,
    Finding,
    cases_for_equivalence,
    cases_for_mcnemar,
    cases_to_decide,
)
from heliast.estimates import LEVEL, Coverage, Needed, of_difference

UNDECIDED = Finding()
FRESH = "for one look, test this many fresh rows: those at hand were looked at already"


@dataclass(frozen=True)
class Difference(Shown):
    """Model a against model b: the difference a minus b, its interval, p value and verdict.

    Parameters
    ----------
    a, b : str
        The two models.
    measure : str
        What is compared.
    value, low, high : float
        a minus b, and its interval.
    p : float
        The p value, corrected for the number of pairs.
    level : float
        The intervals of several pairs hold together with this level.
    method : str
        The test in words.
    target : {"model", "algorithm"}
        What the difference speaks of: these fitted models, or these recipes.
    n, n_effective : float
        What was compared by, and how much of it bears on the test; `unit` says what is counted.
    n_train : float, optional
        The rows that recipes were trained on.
    finding : Finding
        What may be said of a; `verdict` is this in words.
    notes : tuple of str
        Caveats.
    reason : str
        What is missing and why.
    p_alone : float
        The p value of this pair by itself.
    each_level : float
        The level of this interval by itself.
    df : float
        The degrees of freedom of a t test.
    unit : str
        What `n` counts.
    bayes : BayesResult, optional
        Three probabilities, if they were asked for.
    margin : float, optional
        The smallest difference that matters, if one was set.
    low90, high90 : float
        The interval that must lie inside the margin for the two to be equivalent (90%, for several
        pairs wider).
    test : str
        The name of the test, such as `mcnemar`.
    won : tuple of int, optional
        On how many rows a does better than b, as well as b, and worse, where that can be counted.
    design : str
        The kind of design in the words of the map of coverage; empty where that knows none.

    Examples
    --------
    >>> Difference("tree", "knn", "error", 0.03, 0.01, 0.05, 0.002, finding=Finding("worse"))
    Difference(tree - knn, error: 0.03 [0.01, 0.05], p = 0.002, worse)
    """

    a: str
    b: str
    measure: str
    value: float = math.nan
    low: float = math.nan
    high: float = math.nan
    p: float = math.nan
    _: KW_ONLY
    level: float = 0.95
    method: str = ""
    target: str = "model"
    n: float = math.nan
    n_train: float | None = None
    n_effective: float = math.nan
    finding: Finding = UNDECIDED
    notes: tuple[str, ...] = ()
    reason: str = ""
    p_alone: float = math.nan
    each_level: float = math.nan
    df: float = math.nan
    unit: str = "rows"
    bayes: BayesResult | None = None
    margin: float | None = None
    low90: float = math.nan
    high90: float = math.nan
    test: str = ""
    won: tuple[int, int, int] | None = None
    design: str = field(default="", compare=False, repr=False)

    # --- what was found ------------------------------------------------------------------------

    @property
    def verdict(self) -> str:
        """What may be said of a, in words."""
        return str(self.finding)

    @property
    def better(self) -> bool:
        """Whether a is better."""
        return self.finding.kind == "better"

    @property
    def worse(self) -> bool:
        """Whether a is worse."""
        return self.finding.kind == "worse"

    @property
    def significant(self) -> bool:
        """Whether p and interval agree that one is better."""
        return self.finding.significant

    real = significant

    @property
    def beyond(self) -> bool:
        """Whether the two are told apart by more than the margin."""
        return self.finding.significant and self.finding.beyond

    @property
    def equivalent(self) -> bool:
        """Whether the difference is shown to lie within the margin."""
        return self.finding.kind == "equivalent"

    @property
    def identical(self) -> bool:
        """Whether no prediction differs."""
        return self.finding.kind == "identical"

    @property
    def se(self) -> float:
        """The standard error that the interval shows."""
        df = None if math.isnan(self.df) else self.df
        return (self.high - self.low) / 2 / quantile(self._level, df)

    def cases_to_decide(
        self,
        *,
        bar: float = 0.0,
        margin: float | None = None,
        power: float = 0.8,
        value: float | None = None,
    ) -> Needed:
        """How many fresh cases decide between these models, planned from the margin and the spread.

        The difference seen is no guide: after an undecided comparison it is mostly chance. So many
        cases are enough that a true difference as large as the margin is told from `bar` with
        probability `power`, and, where the bar is 0, that models without any difference are shown
        to be equivalent within the margin as often. McNemar's test is reckoned exactly from the
        share of rows on which one model alone errs, the others by their standard error, which
        shrinks as 1/sqrt(n); the degrees of freedom of folds stay.

        Parameters
        ----------
        bar : float
            The difference to be told from.
        margin : float, optional
            The smallest difference that matters; that of the comparison if not given. Without
            one, and without `value`, there is no number.
        power : float
            The probability to decide.
        value : float, optional
            A true difference to plan for, instead of the margin.

        Returns
        -------
        Needed
            The number of cases, all of them fresh: rows that were looked at do not count.

        Examples
        --------
        >>> seen = Difference("tree", "knn", "error", 0.02, -0.01, 0.05, 0.2, n=500)
        >>> print(seen.cases_to_decide(value=0.03))
        1,022 fresh rows, and a difference of 0.03 is told from 0 with probability 80%.
        """
        margin = self.margin if margin is None else margin
        if not margin and value is None:
            why = "give margin=, the smallest difference that matters, to plan with"
            return Needed(f"the difference is told from {bar:g}", unit=self.unit, reason=why)
        if not (self._spread > 0 and self.n > 0):
            why = self.reason or "the difference has no interval"
            return Needed(f"the difference is told from {bar:g}", unit=self.unit, reason=why)
        true = bar + (margin or 0.0) if value is None else value
        found = self._told_apart(true, bar, power)
        if value is None and bar == 0:
            # Both ways to decide: that they differ, and that they do not.
            cases = max(found.cases, self._equivalent(true, power).cases)
            what = f"{found.what}, and no difference shown to be within it,"
            found = replace(found, cases=cases, what=what)
        notes: tuple[str, ...] = (FRESH,)
        if self.target == "algorithm" and self.unit == "rows":
            notes += ("more rows also train other models, whose difference may be another",)
        return replace(found, more=found.cases, fresh=True, unit=self.unit, notes=notes)

    def _told_apart(self, true: float, bar: float, power: float) -> Needed:
        if bar == 0 and self.test == "mcnemar" and true != 0:
            # The share of rows on which one alone errs stays; the margin parts them.
            share = max(self.n_effective, abs(true) * self.n)
            sides = (share + true * self.n) / 2, (share - true * self.n) / 2
            found = cases_for_mcnemar(
                max(0.0, sides[0]), max(0.0, sides[1]), self.n, power=power, level=self._level
            )
        else:
            found = cases_to_decide(
                true, self._spread, bar=bar, power=power, level=self._level, df=self._freedom,
                now=self.n,
            )  # fmt: skip
        return replace(found, what=f"a difference of {true:g} is told from {bar:g}")

    def _equivalent(self, margin: float, power: float) -> Needed:
        return cases_for_equivalence(
            0.0, self._spread, margin, power=power, level=self._level, df=self._freedom, now=self.n
        )

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
    def reversed(self) -> "Difference":
        """The same seen from b: b minus a."""
        return replace(
            self, a=self.b, b=self.a, value=0.0 - self.value, low=0.0 - self.high,
            high=0.0 - self.low, low90=0.0 - self.high90, high90=0.0 - self.low90,
            finding=self.finding.reversed, bayes=_turned(self.bayes),
            won=None if self.won is None else self.won[::-1],
        )  # fmt: skip

    @property
    def coverage(self) -> Coverage | None:
        """How often intervals like this one covered the true difference in the map of coverage.

        The nearest cells of the same measure, target and method; None where nothing was measured.
        """
        if self.level != LEVEL or self.unit == "data sets" or not self.low <= self.high:
            return None
        return of_difference(self.measure, self.test, self.design, self.n)

    def to_dict(self) -> dict[str, object]:
        """The fields as plain values, the finding in words; what is undefined is None.

        Returns
        -------
        dict
            Each field by its name; `verdict` and `significant` stand for the finding.
        """
        fields = as_dict(self)
        del fields["finding"]
        return {**fields, "verdict": self.verdict, "significant": self.significant}

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
