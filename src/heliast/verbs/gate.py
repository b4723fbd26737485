"""gate: PASS, FAIL or INCONCLUSIVE, decided on confidence limits."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import ceil, isfinite, isnan, nan
from typing import Any, Literal, TypeAlias
from xml.etree import ElementTree

from heliast._core.costs import Costs
from heliast._core.errors import InputError, NotEnoughData
from heliast._core.labels import Label
from heliast._core.notes import Note
from heliast._core.records import Shown, as_dict, named
from heliast.estimates import Estimate, Needed, any_level
from heliast.measures import Measure
from heliast.predictions import Predictions, Role
from heliast.tables.about import HUMAN
from heliast.verbs.arguments import read_table
from heliast.verbs.assess import NEAR_ONE, assess_table
from heliast.verbs.comparison import Difference
from heliast.verbs.corrected import corrected, corrected_difference
from heliast.verbs.cuts import cuts, rows_of
from heliast.verbs.looks import Looks, anytime_difference, single_difference
from heliast.verbs.options import Options
from heliast.verbs.requirement import Requirement
from heliast.verbs.sliced_by import to_keep
from heliast.views.numbers import (
    Measured,
    plural,
    short_name,
    two_digits,
    unit_of_difference,
    unit_of_measure,
)
from heliast.views.record import IMPORTANT, Column, Record, Table

Outcome = Literal["pass", "inconclusive", "fail"]
# The exit code of each outcome, from good to bad: of several rulings the worst counts.
CODES: dict[Outcome, int] = {"pass": 0, "inconclusive": 3, "fail": 1}
INSIDE = "the threshold lies inside the interval"
NOT_SURE = "by itself it fails, but not by exact limits at the level of all rulings together"
Found: TypeAlias = Estimate | Difference


@dataclass(frozen=True)
class Ruling(Shown):
    """One requirement on one model or difference: the value, its interval, the outcome.

    `fresh` rows, tested once, pass a model whose true value is `planned` with probability 80%;
    where rows may be added, so many in all do, `more` than now. `counted` of them are those that
    the measure counts, as rows of one class. `reason` says why it is inconclusive.
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
    key: str = field(default="", compare=False, repr=False)

    @property
    def measured(self) -> Measured:
        """The value and its interval, as they are written."""
        name = self.requirement.measure
        unit = unit_of_difference(name) if self.requirement.pair else unit_of_measure(name)
        return Measured(
            self.value, self.low, self.high, unit, self.reason if isnan(self.low) else ""
        )

    @property
    def remark(self) -> str:
        """Why it is inconclusive, and how many rows a better model needs to pass."""
        if self.outcome != "inconclusive" or isnan(self.fresh):
            return self.reason if self.outcome == "inconclusive" else ""
        what = "difference" if self.requirement.pair else "value"
        power = f"a true {what} of {self.planned:g} 80% power to pass"
        counted = (
            f", {two_digits(self.counted)} of them counted," if self.counted < self.fresh else ""
        )
        if isnan(self.more):
            return f"about {two_digits(self.fresh)} new {self.unit}{counted} give {power}"
        if self.more == 0:
            return f"{self.reason}; so many {self.unit} give {power}"
        return f"about {two_digits(self.more)} more {self.unit}{counted} give {power}"

    def to_dict(self) -> dict[str, object]:
        """The fields as plain values, the requirement in its words.

        Returns
        -------
        dict
            Field names and plain values.
        """
        return {**as_dict(replace(self)), "requirement": self.requirement.words}


@dataclass(frozen=True, repr=False)
class Gate(Record):
    """One ruling for each requirement and model, the outcome, the exit code.

    Parameters
    ----------
    rulings : tuple of Ruling
        One for each requirement and model, or difference of models.
    level : float
        The confidence level of the intervals, of all analyses together.
    notes : tuple of str
        Caveats.
    looks : Looks
        How often the rows are analyzed.

    Examples
    --------
    >>> truth, label = ["a"] * 90 + ["b"] * 10, ["a"] * 100
    >>> gate(Predictions.of(truth, label), "error.high <= 0.2")
    <Gate: PASS: 1 of 1 requirements met.>
    """

    rulings: tuple[Ruling, ...]
    level: float = 0.95
    notes: tuple[str, ...] = ()
    looks: Looks = field(default_factory=Looks)

    def __iter__(self) -> Iterator[Ruling]:
        return iter(self.rulings)

    def __len__(self) -> int:
        return len(self.rulings)

    @property
    def outcome(self) -> Outcome:
        """The worst of the rulings: fail, inconclusive, pass."""
        return max((ruling.outcome for ruling in self.rulings), key=list(CODES).index)

    @property
    def exit_code(self) -> int:
        """0 all pass, 1 at least one fails, 3 inconclusive."""
        return CODES[self.outcome]

    @property
    def passed(self) -> bool:
        """Whether every requirement is met."""
        return self.outcome == "pass"

    @property
    def summary(self) -> str:
        """The outcome, and how many requirements are met."""
        counts = {
            outcome: sum(ruling.outcome == outcome for ruling in self.rulings) for outcome in CODES
        }
        parts = [f"{counts['pass']} of {len(self.rulings)} requirements met"]
        parts += [f"{counts['fail']} failed"] if counts["fail"] else []
        parts += [f"{counts['inconclusive']} inconclusive"] if counts["inconclusive"] else []
        return f"{self.outcome.upper()}: {', '.join(parts)}."

    @property
    def remarks(self) -> tuple[str, ...]:
        """What would decide an inconclusive ruling, and what the limits mean."""
        remarks = [
            f"{short_name(ruling.subject)}, {ruling.requirement.words}: {ruling.remark}."
            for ruling in self.rulings
            if ruling.remark
        ]
        side = f"one-sided {50 + 50 * self.level:g}% limit"
        unit = "items" if any(ruling.unit == "items" for ruling in self.rulings) else "rows"
        head = f"A limit of a {100 * self.level:g}% interval is a {side}"
        if self.looks.always:
            remarks.append(f"{head} at all analyses together (anytime-valid confidence sequence).")
        elif self.looks.of > 1:
            level = f"{100 * self.looks.level(self.level):.5g}%"
            remarks.append(
                f"Analysis {self.looks.look} of {self.looks.of} planned ones, equally spaced, uses "
                f"level {level}: a limit is a {side} at all analyses together."
            )
        else:
            remarks.append(
                f'{head} for one analysis; looks="any" (--sequential) allows to add {unit} and '
                "analyze again."
            )
        if len(self.rulings) > 1:
            remarks.append(
                f"A fail holds at the level of all {len(self.rulings)} rulings together (Holm); a "
                "pass needs no adjustment, as all have to pass."
            )
        return tuple(remarks)

    def tables(self) -> tuple[Table, ...]:
        """A row for each ruling.

        Returns
        -------
        tuple of Table
            The main table first.
        """
        columns = (
            Column("outcome", kind="verdict", never_cut=True),
            Column("requirement", never_cut=True),
            Column("model", kind="name", never_cut=True),
            Column("found", "estimate", "measured", True),
        )
        rows = [
            (ruling.outcome.upper(), ruling.requirement.words, ruling.subject, ruling.measured)
            for ruling in self.rulings
        ]
        return (Table("rulings", "Requirements", columns, rows, most_rows=200),)

    def records(self) -> list[dict[str, object]]:
        """A row for each ruling.

        Returns
        -------
        list of dict
            A dict for each row.
        """
        return [ruling.to_dict() for ruling in self.rulings]

    def to_dict(self) -> dict[str, object]:
        """The rulings and the outcome as plain values.

        Returns
        -------
        dict
            The summary, the outcome, the exit code, the level, the rulings and the notes.
        """
        head = named(self, "summary outcome exit_code level")
        return {**head, "looks": self.looks.words, **named(self, "rulings notes")}

    def to_junit(self) -> str:
        """A JUnit test suite with a test case for each ruling; what does not pass is a failure.

        Returns
        -------
        str
            XML.
        """
        bad = sum(ruling.outcome != "pass" for ruling in self.rulings)
        counts = {"tests": str(len(self.rulings)), "failures": str(bad), "errors": "0"}
        suite = ElementTree.Element("testsuite", {"name": "heliast gate", **counts})
        for ruling in self.rulings:
            name = {"classname": _xml(ruling.subject), "name": _xml(ruling.requirement.words)}
            case = ElementTree.SubElement(suite, "testcase", name)
            text = _xml(f"{ruling.outcome.upper()}: {_details(ruling)}")
            if ruling.outcome == "pass":
                ElementTree.SubElement(case, "system-out").text = text
            else:
                failure = {"type": ruling.outcome, "message": text}
                ElementTree.SubElement(case, "failure", failure)
        ElementTree.indent(suite)
        return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"

    def annotations(self) -> tuple[str, ...]:
        """Workflow commands of GitHub: `::error` for a fail, `::warning` for inconclusive.

        Returns
        -------
        tuple of str
            One for each ruling that did not pass.
        """
        lines = []
        for ruling in self.rulings:
            if ruling.outcome != "pass":
                kind = "error" if ruling.outcome == "fail" else "warning"
                text = f"{ruling.subject}: {ruling.requirement.words}: {_details(ruling)}"
                safe = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
                lines.append(f"::{kind} title=heliast gate::{safe}")
        return tuple(lines)


def _details(ruling: Ruling) -> str:
    figures = "undefined" if isnan(ruling.value) else ruling.measured.figures.inside
    return "; ".join(part for part in (figures, ruling.remark, *ruling.notes) if part)


def _xml(text: str) -> str:
    """XML 1.0 has no control characters, not even escaped."""
    return "".join(letter if letter.isprintable() else "·" for letter in text)


def kept_for(requirements: Sequence[Requirement]) -> tuple[str, ...]:
    """The columns that must be kept to judge these requirements."""
    names = [name for requirement in requirements for name in to_keep(requirement.by)]
    human = [HUMAN] if any(requirement.corrected for requirement in requirements) else []
    return tuple(dict.fromkeys([*names, *human]))


def gate(
    source: Any = None,
    *arguments: Any,
    requirements: str | Sequence[str] = (),
    level: float = 0.95,
    looks: str = "one",
    margin: float | None = None,
    interval: str = "auto",
    test: str = "auto",
    cost: Costs | None = None,
    prevalences: Mapping[Label, float] | None = None,
    threshold: float | None = None,
    role: Role | None = "test",
    in_train: int | None = 0,
    seed: int = 0,
    stages: bool = False,
    **columns: Any,
) -> Gate:
    """Return whether models meet requirements, judged by their confidence limits.

    A requirement names a limit and a threshold: `accuracy.low >= 0.9`, `recall[spam].low >= 0.85`,
    `new:auc.low >= 0.8`, `error(new - old).high <= 0.01`. It passes when that limit meets the
    threshold, fails when the other limit does not either (for rates the exact one, at the level of
    all rulings together by Holm), and is inconclusive in between. Without a model every model has
    to pass. `recall.low >= 0.7 by region` asks it of every slice, `worst(recall by region).low >=
    0.6` of the worst one; `corrected(accuracy).low >= 0.8` is for labels of a judge, where the kept
    column `human` has those of people for some rows.

    Parameters
    ----------
    source : Predictions, path, data frame, mapping or array-like
        The prediction table, or what `as_predictions` makes one of; or `y_true`.
    *arguments : array-like or str
        After `y_true`: `y_pred`, or {model: y_pred}. Then `requirements` and `level` may follow.
    requirements : str or sequence of str
        What has to be met.
    level : float
        The confidence level of the intervals, of all analyses together.
    looks : str
        `one` analysis; `any` number of them, after adding rows (confidence sequences); or which of
        how many planned ones this is, as `2/5`.
    margin : float, optional
        How much better than the threshold a model is for which rows are planned.
    interval : str
        The method of intervals: `auto`, or a name from `heliast.estimates`.
    test : str
        The test whose interval a difference of models has.
    cost : array-like, optional
        Cost matrix, rows = true class, columns = predicted class.
    prevalences : mapping, optional
        Share of each class in the population, where class counts were fixed by design.
    threshold : float, optional
        Of two classes: the score from which on the positive class is predicted.
    role : str or None
        The role of the splits that count: `test`, `validation`, `full`, `inner`; None is all.
    in_train : int or None
        How often the model was trained on a row that counts; None is any number.
    seed : int
        Random seed.
    stages : bool
        Whether further outputs of one fit (`bag/B=10` beside `bag`) count as models.
    **columns : Any
        Columns and options of the table, as in `assess`.

    Returns
    -------
    Gate
        One ruling for each requirement and model, the outcome, the exit code.

    Raises
    ------
    InputError
        If a requirement cannot be understood, asks for the easy limit, or has a threshold off the
        range of its measure.

    Examples
    --------
    >>> table = Predictions.of(["a"] * 60 + ["b"] * 40, ["a"] * 58 + ["b"] * 42, positive="a")
    >>> [ruling.outcome for ruling in gate(table, ["accuracy.low >= 0.9", "accuracy.low >= 0.95"])]
    ['pass', 'inconclusive']
    """
    named = columns.pop("require", requirements)
    words = named or next(filter(_are_requirements, reversed(arguments)), ())
    words = [words] if isinstance(words, str) else words
    if not isinstance(words, (list, tuple)) or not all(
        isinstance(requirement, str) for requirement in words
    ):
        raise InputError(f"requirements={words!r:.60}: words, or several of them in a list")
    parsed = [Requirement.parse(requirement) for requirement in words]
    table, positional = read_table(
        "gate", (source, *arguments), columns, ("requirements", "level"), kept_for(parsed)
    )
    if not parsed:
        raise InputError("no requirement to decide on; give one like 'error.high <= 0.1'")
    options = Options(
        level=positional.get("level", level), interval=interval, test=test, margin=margin,
        cost=cost,
        prevalences=prevalences, threshold=threshold, role=role, in_train=in_train, seed=seed,
        stages=stages,
    )  # fmt: skip
    _check_options(options, parsed)
    return gate_table(table, parsed, options, Looks.parse(looks))


def _are_requirements(argument: Any) -> bool:
    """Whether an argument holds requirements, and not predicted classes."""
    words = [argument] if isinstance(argument, str) else argument
    if not isinstance(words, (list, tuple)):
        return False
    return any(isinstance(word, str) and ("<" in word or ">" in word) for word in words)


def _check_options(options: Options, requirements: Sequence[Requirement]) -> None:
    if options.margin == 0:
        raise InputError("margin must be > 0: how much better than the threshold to plan for")
    options.check_used([options.measure(requirement.measure) for requirement in requirements])
    if options.test != "auto" and not any(requirement.pair for requirement in requirements):
        raise InputError(f"test={options.test!r}: no requirement is on a difference of models")
    if options.interval != "auto" and all(requirement.pair for requirement in requirements):
        raise InputError(
            f"interval={options.interval!r}: every requirement is on a difference; say test="
        )


def gate_table(
    table: Predictions, requirements: Sequence[Requirement], options: Options, looks: Looks
) -> Gate:
    """The gate of one table."""
    judge = _Judge(table, looks.options(options, table), looks)
    rulings = [
        ruling
        for requirement in requirements
        for ruling in judge.rulings(requirement, options.level)
    ]
    rulings = [judge.plan(ruling) for ruling in _fail_together(judge, rulings)]
    if table.unfinished:
        rulings = [_unfinished(ruling, table.unfinished) for ruling in rulings]
    own = [
        Note(f"{ruling.requirement.words}: {note}", IMPORTANT)
        for ruling in rulings
        for note in ruling.notes
    ]
    notes = tuple(dict.fromkeys((*own, *options.models(table).notes)))
    return Gate(tuple(rulings), options.level, notes, looks)


# --- the judge -----------------------------------------------------------------------------


@dataclass(frozen=True)
class _Judge:
    """What all rulings share; what was found is kept, as several ask for it."""

    table: Predictions
    options: Options
    looks: Looks
    cache: dict[tuple[str, float, bool], list[tuple[str, Found]]] = field(default_factory=dict)

    def rulings(self, requirement: Requirement, level: float) -> list[Ruling]:
        """A ruling for each model that has to meet the requirement."""
        measure = self.options.measure(requirement.measure)
        notes: tuple[str, ...] = ()
        if requirement.up != (measure.better == "high"):
            notes = (
                f"{measure.title} is better when {measure.better}: this asks for the worse side",
            )
        unit = "items" if self.table.task == "graded" else "rows"
        return [
            _rule(requirement, subject, result, unit, notes)
            for subject, result in self.find(requirement, level)
        ]

    def find(
        self, requirement: Requirement, level: float, exact: bool = False
    ) -> list[tuple[str, Found]]:
        """The estimate of each model, or difference, in all rows or in each slice."""
        key = requirement.words, level, exact
        if key not in self.cache:
            by_slice = (
                self._by_slice(requirement, level, exact)
                if requirement.by
                else self._all(requirement, level, exact)
            )
            self.cache[key] = by_slice
        return self.cache[key]

    def _by_slice(
        self, requirement: Requirement, level: float, exact: bool
    ) -> list[tuple[str, Found]]:
        slices = self._slices(requirement)
        if not requirement.worst:
            return [
                (f"{subject}, {name}", result)
                for name, judge in slices
                for subject, result in judge._all(requirement, level, exact)
            ]
        joint = 1 - (1 - level) / len(slices)
        each = [dict(judge._all(requirement, level, exact)) for _, judge in slices]
        together = [dict(judge._all(requirement, joint, exact)) for _, judge in slices]
        names = [name for name, _ in slices]
        return [
            (subject, _worst(requirement, names, [part[subject] for part in each],
                             [part[subject] for part in together]))
            for subject in each[0]
        ]  # fmt: skip

    def _slices(self, requirement: Requirement) -> list[tuple[str, "_Judge"]]:
        table = self.options.rows(self.table)
        slices = []
        for cut in cuts(table, requirement.by):
            if cut.quantiles and self.looks.words != "one":
                raise InputError(
                    f"requirement {requirement.words!r}: looks={self.looks.words!r} adds rows, and "
                    f"the quantiles that {cut.column} is cut at move with them; keep a column of "
                    "parts that stay"
                )
            for name, keep in cut:
                title = name if cut.quantiles else f"{cut.column} = {name}"
                slices.append((title, _Judge(rows_of(table, keep), self.options, self.looks)))
        return slices

    def _all(self, requirement: Requirement, level: float, exact: bool) -> list[tuple[str, Found]]:
        if requirement.pair is not None:
            return [self._difference(requirement, requirement.pair, level)]
        return self._estimates(requirement, level, exact)

    def _estimates(
        self, requirement: Requirement, level: float, exact: bool
    ) -> list[tuple[str, Found]]:
        table, measure = self.table, self.measure(requirement)
        models = self.options.models(table).models
        if requirement.model is not None:
            models = (_known(requirement, requirement.model, table),)
        class_ = _class(requirement, table)
        requirement.check(measure.range(table.classes))
        options = self._about(measure, level, models[0] in table.stages)
        if requirement.corrected:
            return [(model, corrected(table.only(model), measure, options)) for model in models]
        result = self._of_class(requirement, options, class_)
        if exact and options.interval == "auto":
            result = {
                model: self._exact(requirement, options, estimate)
                for model, estimate in result.items()
            }
        if any(model not in result for model in models):
            raise InputError(
                f"requirement {requirement.words!r}: {requirement.measure} is not given by class"
            )
        return [(model, result[model]) for model in models]

    def _of_class(
        self, requirement: Requirement, options: Options, class_: Label | None
    ) -> dict[str, Estimate]:
        # One measure was asked for: its title may carry parameters that the name has not.
        estimates = assess_table(self.table, options)
        return {result.model: result for result in estimates if result.class_ == class_}

    def _exact(self, requirement: Requirement, options: Options, estimate: Estimate) -> Estimate:
        """The estimate with limits that rule out a true value no more often than they say."""
        method = NEAR_ONE.get(estimate.key)
        if method is None or isnan(estimate.low):
            return estimate
        again = self._of_class(requirement, options.but(interval=method), estimate.class_)[
            estimate.model
        ]
        return estimate if again.reason else again

    def _difference(
        self, requirement: Requirement, pair: tuple[str, str], level: float
    ) -> tuple[str, Found]:
        a, b = (_known(requirement, model, self.table) for model in pair)
        if a == b:
            raise InputError(f"requirement {requirement.words!r}: a difference needs two models")
        measure, both = self.measure(requirement), self.table.only(model=[a, b])
        requirement.check(measure.range(self.table.classes))
        difference = anytime_difference if self.looks.always else single_difference
        if requirement.corrected:
            difference = corrected_difference
        result: Found
        try:
            result = difference(both, self._about(measure, level, True), a, b)
        except NotEnoughData as error:
            result = Difference(a, b, measure.title, level=level, reason=str(error))
        return f"{a} - {b}", result

    def measure(self, requirement: Requirement) -> Measure:
        """The measure of a requirement, with the bounds of the table."""
        return self.options.measure(requirement.measure).on(self.table)

    def _about(self, measure: Measure, level: float, stages: bool) -> Options:
        """The options for one measure; a stage that a requirement names is included."""
        stages = stages or self.options.stages
        return self.options.about(measure).but(level=self.looks.level(level), stages=stages)

    # --- how many rows ---------------------------------------------------------------------

    def plan(self, ruling: Ruling) -> Ruling:
        """An inconclusive ruling with how many rows would decide it, where that can be planned."""
        if ruling.outcome != "inconclusive" or isnan(ruling.low):
            return ruling
        if self.looks.next:
            return replace(ruling, reason=f"{ruling.reason}; {self.looks.next} may decide it")
        requirement = ruling.requirement
        planned = requirement.planned(
            self.measure(requirement).range(self.table.classes), self.options.margin
        )
        if isnan(planned):
            why = "give a margin, how much better than the threshold, to plan for"
            return replace(ruling, reason=f"{ruling.reason}; {why}")
        result = dict(self.find(requirement, self.options.level))[ruling.subject]
        needed, each = self._needed(result, requirement.bar, planned), self._rows_for_each(result)
        if not isfinite(needed.cases):
            return replace(ruling, reason=f"{ruling.reason}; {needed.reason}")
        rows = ceil(needed.cases * each)
        more = max(0.0, rows - ruling.n * each) if self.looks.always else nan
        counted = float(ceil(needed.cases))
        return replace(ruling, planned=planned, fresh=float(rows), more=more, counted=counted)

    def _needed(self, result: Found, bar: float, planned: float) -> Needed:
        if isinstance(result, Difference):
            return result.cases_to_decide(bar=bar, value=planned)
        if self.looks.always:
            result = replace(result, level=any_level(max(100.0, result.n), result.level))
        return result.cases_for(bar=bar, value=planned)

    def _rows_for_each(self, result: Found) -> float:
        """How many rows of a test set there are for each that counts: few have a rare class."""
        if isinstance(result, Difference) or result.target != "model":
            return 1.0
        rows = len(self.options.rows(self.table.only(model=result.model)))
        return max(1.0, rows / result.n) if self.table.weight is None else 1.0


def _worst(
    requirement: Requirement, names: list[str], each: Sequence[Found], together: Sequence[Found]
) -> Found:
    """The worst of several slices: lowest where more is required, highest where less is.

    That all are good enough shows in the limit of each (no adjustment is due); that one is not
    shows in simultaneous limits.
    """
    pick = min if requirement.up else max
    lacking = next((at for at, result in enumerate(each) if isnan(result.low)), None)
    if lacking is not None:
        why = f"{names[lacking]}: {each[lacking].reason or 'it has no interval'}"
        return replace(each[lacking], low=nan, high=nan, reason=why)
    at = pick(range(len(each)), key=lambda place: each[place].value)
    near, far = ("low", "high") if requirement.up else ("high", "low")
    limits = {
        near: pick(getattr(result, near) for result in each),
        far: pick(getattr(result, far) for result in together),
    }
    method = f"worst of {plural(len(names), 'slice')} ({names[at]}), {each[at].method}"
    return replace(each[at], method=method, **limits)


def _known(requirement: Requirement, model: str, table: Predictions) -> str:
    if model not in table.models:
        models = ", ".join(map(str, table.models[:8]))
        raise InputError(
            f"requirement {requirement.words!r}: no model {model!r}; there are: {models}"
        )
    return model


def _class(requirement: Requirement, table: Predictions) -> Label | None:
    if requirement.class_ is None:
        return None
    for class_ in table.classes:
        if str(class_) == requirement.class_:
            return class_
    classes = ", ".join(map(str, table.classes[:8]))
    raise InputError(
        f"requirement {requirement.words!r}: no class {requirement.class_!r}; there are: {classes}"
    )


# --- the ruling ----------------------------------------------------------------------------


def _rule(
    requirement: Requirement, subject: str, result: Found, unit: str, notes: tuple[str, ...]
) -> Ruling:
    outcome, reason = _outcome(requirement, result.low, result.high), result.reason
    if outcome == "inconclusive":
        reason = reason or ("it has no interval" if isnan(result.low) else INSIDE)
    unit = result.unit if isinstance(result, Difference) else unit
    return Ruling(
        requirement, subject, outcome, result.value, result.low, result.high, result.level,
        result.method,
        result.n, unit=unit, reason=reason, notes=(*notes, *result.notes),
    )  # fmt: skip


def _outcome(requirement: Requirement, low: float, high: float) -> Outcome:
    """The required limit decides for pass, both limits for fail."""
    if isnan(low) or isnan(high):
        return "inconclusive"
    required, other = (low, high) if requirement.end == "low" else (high, low)
    if requirement.met(required):
        return "pass"
    return "inconclusive" if requirement.met(other) else "fail"


def _fail_together(judge: _Judge, rulings: list[Ruling]) -> list[Ruling]:
    """Let fail only what fails by exact limits at the level of all rulings together (Holm 1979)."""
    alone = {at for at, ruling in enumerate(rulings) if ruling.outcome == "fail"}
    failed: set[int] = set()
    while alone - failed:
        joint = 1 - (1 - judge.options.level) / (len(rulings) - len(failed))
        new = {at for at in alone - failed if _fails(judge, rulings[at], joint)}
        if not new:
            break
        failed |= new
    return [
        replace(ruling, outcome="inconclusive", reason=NOT_SURE) if at in alone - failed else ruling
        for at, ruling in enumerate(rulings)
    ]


def _fails(judge: _Judge, ruling: Ruling, level: float) -> bool:
    result = dict(judge.find(ruling.requirement, level, exact=True))[ruling.subject]
    return _outcome(ruling.requirement, result.low, result.high) == "fail"


def _unfinished(ruling: Ruling, why: str) -> Ruling:
    """An unfinished run passes nothing: what is missing may be the hard part."""
    reason = f"{why}; resume the run"
    return replace(ruling, outcome="inconclusive", fresh=nan, more=nan, reason=reason)
