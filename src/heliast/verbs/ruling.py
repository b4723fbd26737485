"""Rulings: each requirement on each model, what its interval says, and what would decide it."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import ceil, isfinite, isnan, nan
from typing import Literal, TypeAlias

from heliast._core.errors import InputError, NotEnoughData
from heliast._core.labels import Label
from heliast._core.records import Shown, as_dict
from heliast.estimates import Estimate, Needed, any_level
from heliast.measures import Measure
from heliast.predictions import Predictions
from heliast.verbs.assess import assessed
from heliast.verbs.comparison import Difference
from heliast.verbs.corrected import corrected, corrected_difference
from heliast.verbs.looks import Looks, any_difference, one_difference
from heliast.verbs.question import Question
from heliast.verbs.requirement import Requirement
from heliast.verbs.slicing import cuts, part

Outcome = Literal["pass", "fail", "undecided"]


@dataclass(frozen=True)
class Ruling(Shown):
    """One requirement on one model, or on one difference: the number, its interval, the outcome.

    `fresh` rows, tested once, pass a model whose true value is `planned` with probability 80%;
    where rows may be added and looked at again, so many rows in all do, `more` than now. Of these
    rows so many are `counted`: those of the class, say, that the measure is about. NaN where
    that is not known. `reason` says what keeps it undecided, `notes` are caveats of the interval.
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
    planned: float = nan
    fresh: float = nan
    more: float = nan
    counted: float = nan
    unit: str = "rows"
    reason: str = ""
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, object]:
        """The fields as plain values, the requirement in its words."""
        return {**as_dict(replace(self)), "requirement": self.requirement.words}


Found: TypeAlias = Estimate | Difference


@dataclass(frozen=True)
class Judge:
    """What all rulings share; what was found is kept, as several ask for it."""

    table: Predictions
    question: Question
    looks: Looks
    found: dict[tuple[str, float], list[tuple[str, Found]]] = field(default_factory=dict)

    def rulings(self, one: Requirement, level: float) -> list[Ruling]:
        """A ruling for each model that has to meet the requirement, at this level."""
        key = one.words, level
        if key not in self.found:
            self.found[key] = self._found(one, level)
        astray = _astray(one, self.question.measure(one.measure))
        unit = "items" if self.table.task == "graded" else "rows"
        return [_ruled(one, subject, found, unit, astray) for subject, found in self.found[key]]

    def _found(self, one: Requirement, level: float) -> list[tuple[str, Found]]:
        """What is found of each model, or difference, in all rows or in each slice."""
        if not one.by:
            return self._whole(one, level)
        slices = self._slices(one)
        if not one.worst:
            return [
                (f"{subject}, {name}", found)
                for name, judge in slices
                for subject, found in judge._whole(one, level)
            ]
        joint = 1 - (1 - level) / len(slices)
        each = [judge._whole(one, level) for _, judge in slices]
        together = [judge._whole(one, joint) for _, judge in slices]
        subjects = [subject for subject, _ in each[0]]
        return [
            (subject, _worst(one, [s[0] for s in slices], *(
                [dict(part)[subject] for part in parts] for parts in (each, together)
            )))
            for subject in subjects
        ]  # fmt: skip

    def _slices(self, one: Requirement) -> list[tuple[str, "Judge"]]:
        """The judge of each slice, by its name."""
        table = self.question.rows(self.table)
        found = []
        for cut in cuts(table, one.by):
            if cut.quantiles and self.looks.words != "one":
                raise InputError(
                    f"requirement {one.words!r}: looks={self.looks.words!r} adds rows, and the "
                    f"quantiles that {cut.column} is cut at move with them; keep a column of parts "
                    "that stay"
                )
            for name, keep in cut:
                named = name if cut.quantiles else f"{cut.column} = {name}"
                found.append((named, Judge(part(table, keep), self.question, self.looks)))
        return found

    def _whole(self, one: Requirement, level: float) -> list[tuple[str, Found]]:
        if one.pair is None:
            return self._on_models(one, level)
        return [self._on_pair(one, one.pair, level)]

    def _on_models(self, one: Requirement, level: float) -> list[tuple[str, Found]]:
        table, measure = self.table, self._measure(one)
        models = self.question.models(table).models
        if one.model is not None:
            models = (_known(one, one.model, table),)
        class_ = _class(one, table)
        one.check(measure.range(table.classes))
        if one.corrected:
            asked = self._asked(measure, level, models[0] in table.stages)
            return [(model, corrected(table.only(model), measure, asked)) for model in models]
        estimates = assessed(table, self._asked(measure, level, models[0] in table.stages))
        # One measure was asked for: its title may carry parameters that the name has not.
        by_name = {(each.model, each.class_): each for each in estimates}
        if any((model, class_) not in by_name for model in models):
            raise InputError(f"requirement {one.words!r}: {one.measure} is not given by class")
        return [(model, by_name[model, class_]) for model in models]

    def _on_pair(self, one: Requirement, pair: tuple[str, str], level: float) -> tuple[str, Found]:
        a, b = (_known(one, model, self.table) for model in pair)
        if a == b:
            raise InputError(f"requirement {one.words!r}: a difference needs two models")
        measure, both = self._measure(one), self.table.only(model=[a, b])
        one.check(measure.range(self.table.classes))
        difference = any_difference if self.looks.always else one_difference
        if one.corrected:
            difference = corrected_difference
        try:
            found = difference(both, self._asked(measure, level, True), a, b)
        except NotEnoughData as error:
            found = Difference(a, b, measure.title, level=level, reason=str(error))
        return f"{a} - {b}", found

    def _measure(self, one: Requirement) -> Measure:
        return self.question.measure(one.measure).on(self.table)

    def _asked(self, measure: Measure, level: float, stages: bool) -> Question:
        """The question about one measure; a stage that a requirement names is asked for."""
        stages = stages or self.question.stages
        return self.question.about(measure).but(level=self.looks.level(level), stages=stages)

    def advised(self, ruling: Ruling) -> Ruling:
        """An undecided ruling with how many rows would decide it, where that can be planned."""
        if ruling.outcome != "undecided" or isnan(ruling.low):
            return ruling
        if self.looks.next:
            return replace(ruling, reason=f"{ruling.reason}; {self.looks.next} may decide it")
        one = ruling.requirement
        bounds = self._measure(one).range(self.table.classes)
        planned = one.planned(bounds, self.question.margin)
        if isnan(planned):
            why = "give a margin, how much better than the bar to plan for, to learn how many rows"
            return replace(ruling, reason=f"{ruling.reason}; {why}")
        found = dict(self.found[one.words, self.question.level])[ruling.subject]
        needed, each = self._needed(found, one.bar, planned), self._rows_each(found)
        if not isfinite(needed.cases):
            return replace(ruling, reason=f"{ruling.reason}; {needed.reason}")
        rows = ceil(needed.cases * each)
        more = max(0.0, rows - ruling.n * each) if self.looks.always else nan
        counted = float(ceil(needed.cases))
        return replace(ruling, planned=planned, fresh=float(rows), more=more, counted=counted)

    def _needed(self, found: Found, bar: float, planned: float) -> Needed:
        if isinstance(found, Difference):
            return found.cases_to_decide(bar=bar, value=planned)
        if self.looks.always:
            found = replace(found, level=any_level(max(100.0, found.n), found.level))
        return found.cases_for(bar=bar, value=planned)

    def _rows_each(self, found: Found) -> float:
        """How many rows of a test set there are for each that counts: few have a rare class."""
        if isinstance(found, Difference) or found.target != "model":
            return 1.0
        rows = len(self.question.rows(self.table.only(model=found.model)))
        return max(1.0, rows / found.n) if self.table.weight is None else 1.0


def _worst(
    one: Requirement, names: list[str], each: Sequence[Found], together: Sequence[Found]
) -> Found:
    """The worst of several slices: least where more is required, greatest where less is.

    That all are good enough shows in the end of each (no correction is due); that one is not shows
    in ends that hold together.
    """
    pick = min if one.up else max
    lacking = next((at for at, found in enumerate(each) if isnan(found.low)), None)
    if lacking is not None:
        why = f"{names[lacking]}: {each[lacking].reason or 'it has no interval'}"
        return replace(each[lacking], low=nan, high=nan, reason=why)
    at = pick(range(len(each)), key=lambda place: each[place].value)
    near, far = ("low", "high") if one.up else ("high", "low")
    ends = {
        near: pick(getattr(found, near) for found in each),
        far: pick(getattr(found, far) for found in together),
    }
    words = f"worst of {len(names)} slices ({names[at]}), {each[at].method}"
    return replace(each[at], method=words, **ends)


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


# --- the ruling --------------------------------------------------------------------------------

INSIDE = "the bar lies inside the interval"
TOGETHER = "by itself it fails, but not at the level of all rulings together"


def _ruled(
    one: Requirement, subject: str, found: Found, unit: str, notes: tuple[str, ...]
) -> Ruling:
    outcome, reason = _outcome(one, found.low, found.high), found.reason
    if outcome == "undecided":
        reason = reason or ("it has no interval" if isnan(found.low) else INSIDE)
    unit = found.unit if isinstance(found, Difference) else unit
    return Ruling(
        one, subject, outcome, found.value, found.low, found.high, found.level, found.method,
        found.n, unit=unit, reason=reason, notes=(*notes, *found.notes),
    )  # fmt: skip


def _outcome(one: Requirement, low: float, high: float) -> Outcome:
    """The required end decides for yes, both ends for no."""
    if isnan(low) or isnan(high):
        return "undecided"
    required, other = (low, high) if one.end == "low" else (high, low)
    if one.met(required):
        return "pass"
    return "undecided" if one.met(other) else "fail"


def _astray(one: Requirement, measure: Measure) -> tuple[str, ...]:
    """What to say of a requirement that asks for the worse side of a measure."""
    if one.up == (measure.better == "high"):
        return ()
    return (f"{measure.title} is better when {measure.better}: this asks for the worse side",)


def fail_together(judge: Judge, rulings: list[Ruling]) -> list[Ruling]:
    """Let fail only what fails at the level that all rulings not failed yet share (Holm 1979)."""
    alone = {at for at, ruling in enumerate(rulings) if ruling.outcome == "fail"}
    failed: set[int] = set()
    while alone - failed:
        joint = 1 - (1 - judge.question.level) / (len(rulings) - len(failed))
        new = {at for at in alone - failed if _fails(judge, rulings[at], joint)}
        if not new:
            break
        failed |= new
    return [
        replace(ruling, outcome="undecided", reason=TOGETHER) if at in alone - failed else ruling
        for at, ruling in enumerate(rulings)
    ]


def _fails(judge: Judge, ruling: Ruling, level: float) -> bool:
    again = judge.rulings(ruling.requirement, level)
    return any(one.subject == ruling.subject and one.outcome == "fail" for one in again)


def waiting(ruling: Ruling, unfinished: str) -> Ruling:
    """A run that is not finished is never good enough: what is missing may be the hard part."""
    return replace(
        ruling, outcome="undecided", fresh=nan, more=nan, reason=f"{unfinished}; resume the run"
    )
