"""gate: go or no-go, judged on the ends of intervals."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite, isnan, nan
from typing import Any, Literal

from heliast import measures as registry
from heliast._assess import assess
from heliast._compare import compare
from heliast._comparison import Difference
from heliast._core.errors import InputError, NotEnoughData
from heliast._core.frames import to_frame
from heliast._core.labels import Label
from heliast._core.records import as_dict
from heliast._requirement import Requirement
from heliast.estimates import Estimate
from heliast.predictions import Predictions
from heliast.reporting.gating import (
    gate_annotations,
    gate_html,
    gate_junit,
    gate_markdown,
    gate_sentence,
    gate_text,
)

Outcome = Literal["pass", "fail", "undecided"]
CODES: dict[Outcome, int] = {"pass": 0, "undecided": 3, "fail": 1}
"""The exit code of each outcome, from good to bad: of several rulings the worst counts."""


@dataclass(frozen=True)
class Ruling:
    """One requirement on one model, or on one difference: the number, its interval, the outcome.

    `more` cases would leave the bar outside the interval if the value stays as it is (NaN where
    that is not known, infinite where no number would). `reason` says what keeps it undecided.
    """

    requirement: Requirement
    subject: str
    outcome: Outcome
    value: float = nan
    low: float = nan
    high: float = nan
    level: float = 0.95
    method: str = ""
    n: float = nan
    more: float = nan
    unit: str = "rows"
    reason: str = ""

    def to_dict(self) -> dict[str, object]:
        """The fields as plain values, the requirement in its words."""
        return {**as_dict(replace(self)), "requirement": self.requirement.words}


@dataclass(frozen=True)
class Gate:
    """What `gate` found: one ruling a requirement and model, the outcome, the exit code.

    >>> truth, label = ["a"] * 90 + ["b"] * 10, ["a"] * 100
    >>> gate(Predictions.of(truth, label), "error.high <= 0.2")
    Gate(pass: 1 of 1 passed)
    """

    rulings: tuple[Ruling, ...]
    level: float
    notes: tuple[str, ...] = ()

    @property
    def outcome(self) -> Outcome:
        """The worst of the rulings: fail, undecided, pass."""
        order = list(CODES)
        return max((ruling.outcome for ruling in self.rulings), key=order.index)

    @property
    def exit_code(self) -> int:
        """0 all pass, 1 one surely fails, 3 the data cannot tell."""
        return CODES[self.outcome]

    @property
    def passed(self) -> bool:
        """Whether every requirement is met."""
        return self.outcome == "pass"

    def __iter__(self) -> Iterator[Ruling]:
        return iter(self.rulings)

    def __len__(self) -> int:
        return len(self.rulings)

    def to_dict(self) -> dict[str, object]:
        """The rulings and the outcome as plain values."""
        return {
            "outcome": self.outcome,
            "exit_code": self.exit_code,
            "level": self.level,
            "rulings": [ruling.to_dict() for ruling in self.rulings],
            "notes": list(self.notes),
        }

    def to_frame(self, backend: str = "pyarrow") -> Any:
        """One row a ruling."""
        return to_frame([ruling.to_dict() for ruling in self.rulings], backend)

    def to_junit(self) -> str:
        """A JUnit test suite in XML, a test case a ruling."""
        return gate_junit(self)

    def to_markdown(self) -> str:
        """The rulings as a table in Markdown."""
        return gate_markdown(self)

    def annotations(self) -> tuple[str, ...]:
        """One GitHub workflow command for each ruling that did not pass."""
        return gate_annotations(self)

    @property
    def sentence(self) -> str:
        """The outcome in one sentence."""
        return gate_sentence(self)

    def __repr__(self) -> str:
        passed = sum(ruling.outcome == "pass" for ruling in self.rulings)
        return f"Gate({self.outcome}: {passed} of {len(self.rulings)} passed)"

    def __str__(self) -> str:
        return gate_text(self)

    def _repr_html_(self) -> str:
        return gate_html(self)


def gate(
    predictions: Predictions,
    requirements: str | Sequence[str],
    level: float = 0.95,
    *,
    cost: object = None,
    prevalences: Mapping[Label, float] | None = None,
    seed: int = 0,
) -> Gate:
    """Whether the models meet the requirements, judged on the ends of their intervals.

    A requirement names an end and a bar: `accuracy.low >= 0.9`, `recall[spam].low >= 0.85`,
    `new:auc.low >= 0.8`, `error(new - old).high <= 0.01`. It passes when that end lies on the right
    side of the bar, fails when the other end does not either, and is undecided in between: then
    the data are too few to tell. Without a model every model has to pass. All have to pass, so no
    correction for their number is due; an end of a two-sided 95% interval is a one-sided 97.5%
    bound. Nothing is decided on the table of an unfinished run.

    >>> table = Predictions.of(["a"] * 60 + ["b"] * 40, ["a"] * 58 + ["b"] * 42, positive="a")
    >>> print(gate(table, ["accuracy.low >= 0.9", "accuracy.low >= 0.95"]))
    Not enough data: 1 of 2 cannot be decided with these.
    <BLANKLINE>
    accuracy.low >= 0.9   model  0.980 [0.930 to 0.994]  pass
    accuracy.low >= 0.95  model  0.980 [0.930 to 0.994]  not enough data: about 103 more ...
    <BLANKLINE>
    An end of a 95% interval is a one-sided 97.5% bound.
    """
    asked = [requirements] if isinstance(requirements, str) else list(requirements)
    if not asked:
        raise InputError("no requirement: nothing to decide; give one like 'error.high <= 0.1'")
    parsed = [Requirement.parse(words) for words in asked]
    options = {"cost": cost, "prevalences": prevalences, "seed": seed}
    rulings: list[Ruling] = []
    for one in parsed:
        if one.pair is None:
            rulings += _on_models(one, predictions, level, options)
        else:
            rulings.append(_on_pair(one, predictions, level, seed))
    if predictions.unfinished:
        rulings = [_waiting(ruling, predictions.unfinished) for ruling in rulings]
    return Gate(tuple(rulings), level, predictions.notes)


# --- a requirement on models -----------------------------------------------------------------


def _on_models(
    one: Requirement, table: Predictions, level: float, options: Mapping[str, Any]
) -> list[Ruling]:
    models = (_known(one, one.model, table),) if one.model is not None else table.models
    measure = _measure(one, options["cost"])
    rest = {name: value for name, value in options.items() if name != "cost"}
    found = assess(table, [measure], level, **rest)
    class_ = _class(one, table)
    # One measure was asked for: its title may carry parameters that the name has not.
    found_by = {(each.model, each.class_): each for each in found}
    rulings = []
    for model in models:
        if (model, class_) not in found_by:
            raise InputError(f"requirement {one.words!r}: {one.measure} is not given by class")
        rulings.append(_ruled_estimate(one, found_by[model, class_]))
    return rulings


def _measure(one: Requirement, cost: object) -> registry.Measure:
    if one.measure == "expected_cost" and cost is not None:
        return registry.get("expected_cost", cost=cost)
    return registry.get(one.measure)


def _known(one: Requirement, model: str, table: Predictions) -> str:
    if model not in table.models:
        listed = ", ".join(map(str, table.models[:8]))
        raise InputError(f"requirement {one.words!r}: no model {model!r}; there are: {listed}")
    return model


def _class(one: Requirement, table: Predictions) -> Label | None:
    if one.class_ is None:
        return None
    for class_ in table.classes:
        if str(class_) == one.class_:
            return class_
    listed = ", ".join(map(str, table.classes[:8]))
    raise InputError(f"requirement {one.words!r}: no class {one.class_!r}; there are: {listed}")


def _ruled_estimate(one: Requirement, found: Estimate) -> Ruling:
    ruling = Ruling(
        one, found.model, _outcome(one, found.low, found.high), found.value, found.low, found.high,
        found.level, found.method, found.n, reason=found.reason,
    )  # fmt: skip
    if ruling.outcome != "undecided":
        return ruling
    if not found.defined or isnan(found.low):
        return replace(ruling, reason=found.reason or "it has no interval")
    return _how_many(ruling, found.cases_for(bar=one.bar))


# --- a requirement on a difference --------------------------------------------------------------


def _on_pair(one: Requirement, table: Predictions, level: float, seed: int) -> Ruling:
    assert one.pair is not None
    a, b = (_known(one, model, table) for model in one.pair)
    subject = f"{a} - {b}"
    if a == b:
        raise InputError(f"requirement {one.words!r}: a difference needs two models")
    try:
        found = compare(table.only(model=[a, b]), one.measure, level=level, seed=seed)[a, b]
    except NotEnoughData as error:
        return Ruling(one, subject, "undecided", level=level, reason=str(error))
    return _ruled_difference(one, subject, found)


def _ruled_difference(one: Requirement, subject: str, found: Difference) -> Ruling:
    ruling = Ruling(
        one, subject, _outcome(one, found.low, found.high), found.value, found.low, found.high,
        found.level, found.method, found.n, unit=found.unit, reason=found.reason,
    )  # fmt: skip
    if ruling.outcome != "undecided":
        return ruling
    if isnan(found.value) or isnan(found.low):
        return replace(ruling, reason=found.reason or "it has no interval")
    return _how_many(ruling, found.cases_to_decide(bar=one.bar, power=0.5))


# --- the ruling --------------------------------------------------------------------------------


def _outcome(one: Requirement, low: float, high: float) -> Outcome:
    """The required end decides for yes, both ends for no."""
    if isnan(low) or isnan(high):
        return "undecided"
    required, other = (low, high) if one.end == "low" else (high, low)
    if one.met(required):
        return "pass"
    return "undecided" if one.met(other) else "fail"


def _waiting(ruling: Ruling, unfinished: str) -> Ruling:
    """A run that is not finished is never good enough: what is missing may be the hard part."""
    return replace(ruling, outcome="undecided", more=nan, reason=f"{unfinished}; resume the run")


def _how_many(ruling: Ruling, needed: Any) -> Ruling:
    more = float(needed.more)
    reason = "the bar lies inside the interval"
    if not isfinite(needed.cases) and needed.reason:
        reason += f"; {needed.reason}"
    return replace(ruling, more=more, reason=reason)
