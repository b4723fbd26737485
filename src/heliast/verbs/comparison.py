"""Comparison: what `compare` found, as a record with its views."""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any, Protocol

from heliast._core.drawn import drawing
from heliast._core.errors import InputError
from heliast._core.frames import to_frame
from heliast._core.records import plain
from heliast.comparisons import BayesResult, NemenyiResult, TestResult, holm, verdict
from heliast.measures import Measure
from heliast.verbs.difference import Difference as Difference
from heliast.views.comparing import (
    comparison_html,
    comparison_sentence,
    comparison_text,
    ranking_words,
)
from heliast.views.undecided import more_words

IDENTICAL = "identical predictions"
RARE, NEAR = 10, 2
"""The usual margin times these: the least share of other classes, and distance from perfection."""


@dataclass(frozen=True, eq=False)
class Comparison:
    """Every pair of models on one measure; `comparison[a, b]` finds one, also the other way round.

    `values` are the models' own values, `omnibus` says whether any model differs (where such a
    test exists), `reason_for_test` why this test was taken, `left_out` which models could not be
    compared and why. `nemenyi` holds mean ranks and the critical difference over many data sets:
    for display, as it depends on the pool of models.

    >>> import heliast as hl
    >>> from heliast.verbs.compare import compare
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
    usual: bool = False
    """Whether the margin is the usual one, and not the user's."""


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
    asked, said = with_margin(found, asked)
    pairs = list(combinations(found.models, 2))
    alone = [chosen.pair(a, b, asked.level) for a, b in pairs]
    raw = [one.p for one in alone]
    adjusted, joint, why, notes = raw, asked.level, chosen.why, (*found.notes, *chosen.notes, *said)
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


def with_margin(found: Models, asked: Asked) -> tuple[Asked, tuple[str, ...]]:
    """The question without the usual margin d where that is too coarse, and why.

    Where nearly all rows are of one class, or a model is nearly perfect, models that differ by
    all that matters can lie within d of each other.
    """
    if not asked.usual or asked.margin is None:
        return asked, ()
    (low, high), values = asked.measure.bounds, found.values.values()
    left = high - max(values) if asked.measure.better == "high" else min(values) - low
    rest, why = getattr(found, "rarest", math.nan), ""  # data sets have shares of their own
    if rest < RARE * asked.margin:
        why = f"only {rest:.1%} of the rows are outside the largest class"
    elif left < NEAR * asked.margin:
        why = f"the best model is only {left:.2g} away from a perfect {asked.measure.title}"
    if not why:
        return asked, ()
    need = "give margin=, the largest difference that does not matter, to ask for equivalence"
    return replace(asked, margin=None), (f"no margin of {asked.margin:g} is taken: {why}; {need}",)


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
        None if chosen.bayes is None else chosen.bayes(*names), asked.margin, inner.low,
        inner.high,
    )  # fmt: skip
