"""Difference and Comparison: what `compare` found, as records with their views."""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any, Protocol

from heliast._core.drawn import drawing
from heliast._core.errors import InputError
from heliast._core.frames import to_frame
from heliast._core.records import as_dict, plain
from heliast.comparisons import (
    BayesResult,
    NemenyiResult,
    TestResult,
    cases_for_equivalence,
    cases_for_mcnemar,
    cases_to_decide,
    holm,
    verdict,
)
from heliast.estimates import Needed
from heliast.estimates._proportion import quantile
from heliast.measures import Measure
from heliast.reporting.comparing import (
    comparison_html,
    comparison_sentence,
    comparison_text,
    more_words,
    ranking_words,
)

_TURNED = {"better": "worse", "worse": "better"}
IDENTICAL = "identical predictions"


@dataclass(frozen=True)
class Difference:
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


@dataclass(frozen=True, eq=False)
class Comparison:
    """Every pair of models on one measure; `comparison[a, b]` finds one, also the other way round.

    `values` are the models' own values, `omnibus` says whether any model differs (where such a
    test exists), `reason_for_test` why this test was taken, `left_out` which models could not be
    compared and why. `nemenyi` holds mean ranks and the critical difference over many data sets:
    for display, as it depends on the pool of models.

    >>> import heliast as hl
    >>> from heliast._compare import compare
    >>> truth = ["a", "b"] * 20
    >>> table = hl.Predictions.of(truth, truth, model="first", row=range(40))
    >>> other = hl.Predictions.of(truth, ["a"] * 40, model="second", row=range(40))
    >>> found = compare(table.join(other))
    >>> found["first", "second"].value, found["second", "first"].verdict
    (-0.5, 'worse')
    """

    pairs: tuple[Difference, ...]
    models: tuple[str, ...]
    measure: str
    values: Mapping[str, float]
    better: str = "low"
    level: float = 0.95
    margin: float | None = None
    correction: str = "none"
    reason_for_test: str = ""
    omnibus: TestResult | None = None
    nemenyi: NemenyiResult | None = None
    notes: tuple[str, ...] = ()
    left_out: Mapping[str, str] = field(default_factory=dict)

    def __getitem__(self, key: tuple[str, str]) -> Difference:
        if not isinstance(key, tuple) or len(key) != 2:
            raise InputError("ask for two models: [a, b]")
        for one in self.pairs:
            if (one.a, one.b) == key:
                return one
            if (one.b, one.a) == key:
                return one.reversed
        raise KeyError(self._missing(*key))

    def _missing(self, a: object, b: object) -> str:
        for name in (a, b):
            if name in self.left_out:
                return f"{name} was left out: {self.left_out[str(name)]}"
            if name not in self.models:
                return f"no model named {name!r}; there are: {', '.join(self.models)}"
        return f"{a!r} is one model: name two"

    def __iter__(self) -> Iterator[Difference]:
        return iter(self.pairs)

    def __len__(self) -> int:
        return len(self.pairs)

    @property
    def order(self) -> tuple[str, ...]:
        """The models, best first: by their value, or by mean rank over several data sets."""
        if self.nemenyi is not None:
            ranks = dict(zip(self.models, self.nemenyi.ranks, strict=True))
            return tuple(sorted(self.models, key=ranks.__getitem__))
        sign = 1.0 if self.better == "low" else -1.0
        return tuple(sorted(self.models, key=lambda model: sign * self.values[model]))

    @property
    def ranking(self) -> str:
        """The models, best first, and in words which of them are not told apart."""
        return ranking_words(self)

    @property
    def sentence(self) -> str:
        """The answer in one or two sentences."""
        return comparison_sentence(self)

    @property
    def more_cases(self) -> str:
        """About how many more cases would decide what is undecided of the best; empty if none."""
        return more_words(self)

    def to_dict(self) -> dict[str, object]:
        """Everything as plain values that JSON can hold."""
        return {
            "sentence": self.sentence,
            "more_cases": self.more_cases,
            "measure": self.measure,
            "better": self.better,
            "level": self.level,
            "margin": self.margin,
            "correction": self.correction,
            "reason_for_test": self.reason_for_test,
            "models": list(self.models),
            "values": plain(dict(self.values)),
            "ranking": self.ranking,
            "pairs": [one.to_dict() for one in self.pairs],
            "omnibus": plain(self.omnibus),
            "nemenyi": plain(self.nemenyi),
            "left_out": dict(self.left_out),
            "notes": list(self.notes),
        }

    def to_frame(self, backend: str = "pyarrow") -> Any:
        """One row a pair, as a pyarrow table (or `pandas`, `polars`)."""
        return to_frame([one.to_dict() for one in self.pairs], backend)

    def svg(self, **options: object) -> str:
        """Every model against every other as a picture: `drawings.comparison_matrix`.

        `drawings.critical_difference` draws the mean ranks over several data sets.
        """
        return drawing(self, **options)

    def __str__(self) -> str:
        return comparison_text(self)

    def __repr__(self) -> str:
        return f"<Comparison: {self.sentence}>"

    def _repr_html_(self) -> str:
        return comparison_html(self)


# --- from tests to verdicts --------------------------------------------------------------------


class Pair(Protocol):
    """The test of one pair; `again` asks for the interval at another level alone."""

    def __call__(self, a: str, b: str, level: float, again: bool = False) -> TestResult: ...


class Models(Protocol):
    """What is compared: models with values on the same rows."""

    left_out: dict[str, str]
    values: dict[str, float]
    notes: tuple[str, ...]

    @property
    def models(self) -> tuple[str, ...]: ...
    def identical(self, a: str, b: str) -> bool: ...


@dataclass(frozen=True)
class Asked:
    """What the user asked for."""

    measure: Measure
    level: float
    margin: float | None
    correction: str


@dataclass(frozen=True)
class Chosen:
    """A test for pairs, why it is right here, and what it speaks of."""

    pair: Pair
    why: str
    target: str
    n_train: float | None = None
    omnibus: TestResult | None = None
    nemenyi: NemenyiResult | None = None
    notes: tuple[str, ...] = ()
    unit: str = "rows"
    bayes: Callable[[str, str], BayesResult] | None = None


def judged(found: Models, chosen: Chosen, asked: Asked) -> Comparison:
    """Every pair tested, p corrected, intervals made to hold together, verdicts given."""
    pairs = list(combinations(found.models, 2))
    alone = [chosen.pair(a, b, asked.level) for a, b in pairs]
    raw = [one.p for one in alone]
    adjusted, joint, why, notes = raw, asked.level, chosen.why, (*found.notes, *chosen.notes)
    if len(pairs) > 1 and asked.correction == "holm":
        corrected = holm(raw, asked.level)
        adjusted, joint = list(corrected.p), corrected.joint_level
        why += f"; p corrected for {len(pairs)} pairs by Holm"
        notes += (f"intervals hold together: each has level {joint:.4g} (Bonferroni)",)
    elif len(pairs) > 1:
        notes += (f"p and intervals are not corrected for {len(pairs)} pairs",)
    differences = tuple(
        _judge(found, chosen, asked, one, (a, b), p, joint)
        for (a, b), one, p in zip(pairs, alone, adjusted, strict=True)
    )
    return Comparison(
        differences, found.models, asked.measure.title, dict(found.values), asked.measure.better,
        asked.level, asked.margin, asked.correction if len(pairs) > 1 else "none", why,
        chosen.omnibus, chosen.nemenyi, notes, dict(found.left_out),
    )  # fmt: skip


def _judge(
    found: Models, chosen: Chosen, asked: Asked, alone: TestResult, names: tuple[str, str],
    p: float, joint: float,
) -> Difference:  # fmt: skip
    one = alone if joint == asked.level else chosen.pair(*names, joint, again=True)
    inner = chosen.pair(*names, max(0.01, 1 - 2 * (1 - joint)), again=True)
    notes = tuple(dict.fromkeys((*alone.notes, *one.notes)))
    if IDENTICAL in notes and not found.identical(*names):
        notes = ("no difference seen here, though the predictions differ",)
    if not math.isnan(one.low) and (p < 1 - asked.level) != (one.low > 0 or one.high < 0):
        notes += ("p and interval do not agree: undecided",)
    words = IDENTICAL
    if IDENTICAL not in notes:
        words = verdict(
            one.value, one.low, one.high, inner.low, inner.high, asked.margin or 0.0,
            asked.measure.better, p=p, level=asked.level,
        )  # fmt: skip
    span = asked.measure.bounds[1] - asked.measure.bounds[0]
    low, high = (-span if one.low < -span else one.low), (span if one.high > span else one.high)
    return Difference(
        *names, asked.measure.title, one.value, low, high, p, asked.level, alone.method,
        chosen.target, alone.n, chosen.n_train, alone.n_effective, words, notes, one.reason,
        alone.p, joint, alone.df if isinstance(alone.df, float) else math.nan, chosen.unit,
        None if chosen.bayes is None else chosen.bayes(*names),
    )  # fmt: skip
