"""gate: go or no-go, judged on the ends of intervals."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, cast

from heliast._core.costs import Costs
from heliast._core.errors import InputError
from heliast._core.frames import Listing
from heliast._core.labels import Label
from heliast._core.records import Says, Spoken, named
from heliast.predictions import Predictions, Role
from heliast.tables.about import HUMAN
from heliast.verbs.given import Given, takes_a_table
from heliast.verbs.looks import Looks
from heliast.verbs.question import Question, refuse
from heliast.verbs.requirement import Requirement
from heliast.verbs.ruling import Judge, Outcome, Ruling, fail_together, waiting
from heliast.verbs.sliced_by import to_keep
from heliast.views.gating import (
    gate_annotations,
    gate_html,
    gate_junit,
    gate_markdown,
    gate_sentence,
    gate_text,
)

CODES: dict[Outcome, int] = {"pass": 0, "undecided": 3, "fail": 1}
"""The exit code of each outcome, from good to bad: of several rulings the worst counts."""


@dataclass(frozen=True)
class Gate(Spoken, Listing[Ruling]):
    """What `gate` found: one ruling a requirement and model, the outcome, the exit code.

    Parameters
    ----------
    rulings : tuple of Ruling
        One for each requirement and model, or difference of models.
    level : float
        The confidence level of the intervals, of all looks together.
    notes : tuple of str
        What was inferred from the table, and what to be careful about.
    looks : Looks
        How often the rows are looked at.

    Examples
    --------
    >>> truth, label = ["a"] * 90 + ["b"] * 10, ["a"] * 100
    >>> gate(Predictions.of(truth, label), "error.high <= 0.2")
    Gate(pass: 1 of 1 passed)
    """

    _says: ClassVar[Says] = gate_sentence, gate_text, gate_html
    _listed: ClassVar[str] = "rulings"
    rulings: tuple[Ruling, ...]
    level: float
    notes: tuple[str, ...] = ()
    looks: Looks = field(default_factory=Looks)

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

    def to_dict(self) -> dict[str, object]:
        """The rulings and the outcome as plain values.

        Returns
        -------
        dict
            The outcome, the exit code, the level, the rulings and the notes.
        """
        return {
            **named(self, "outcome exit_code level"),
            "looks": self.looks.words,
            **named(self, "rulings notes"),
        }

    def to_junit(self) -> str:
        """A JUnit test suite, a test case a ruling.

        Returns
        -------
        str
            XML.
        """
        return gate_junit(self)

    def to_markdown(self) -> str:
        """The rulings as a table.

        Returns
        -------
        str
            Markdown.
        """
        return gate_markdown(self)

    def annotations(self) -> tuple[str, ...]:
        """What GitHub shows beside a failed step.

        Returns
        -------
        tuple of str
            One workflow command for each ruling that did not pass.
        """
        return gate_annotations(self)

    def __repr__(self) -> str:
        passed = sum(ruling.outcome == "pass" for ruling in self.rulings)
        return f"Gate({self.outcome}: {passed} of {len(self.rulings)} passed)"


def required(given: Sequence[object], said: Mapping[str, object]) -> tuple[str, ...]:
    """The columns whose slices the requirements name, which are kept."""
    last = said.get("requirements", given[-1] if given else ())
    words = [last] if isinstance(last, str) else last if isinstance(last, (list, tuple)) else ()
    asked = [one for one in words if isinstance(one, str) and ("<" in one or ">" in one)]
    return kept_for([Requirement.parse(one) for one in asked])


def kept_for(requirements: Sequence[Requirement]) -> tuple[str, ...]:
    """The columns that must be kept to judge these."""
    by = [name for one in requirements for name in to_keep(one.by)]
    corrected = [HUMAN] if any(one.corrected for one in requirements) else []
    return tuple(dict.fromkeys([*by, *corrected]))


@takes_a_table(keeps=required)
def gate(
    predictions: Given,
    requirements: str | Sequence[str] | Given = (),
    level: float = 0.95,
    *,
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
    **more: object,
) -> Gate:
    """Whether the models meet the requirements, judged on the ends of their intervals.

    A requirement names an end and a bar: `accuracy.low >= 0.9`, `recall[spam].low >= 0.85`,
    `new:auc.low >= 0.8`, `error(new - old).high <= 0.01`. It passes when that end lies on the right
    side of the bar, fails when the other end does not either, and is undecided in between: then
    the data are too few to tell. Without a model every model has to pass. All have to pass, so no
    correction for their number is due to pass; to fail, the other end has to miss the bar at the
    level of all rulings together (Holm). An end of a two-sided 95% interval is a one-sided 97.5%
    bound. Nothing is decided on the table of an unfinished run.

    `recall.low >= 0.7 by region` asks it of every slice of a kept column, `worst(recall by
    region).low >= 0.6` of the worst one. `corrected(accuracy).low >= 0.8` is for rows whose truth a
    judge gave that errs, where the kept column `human` has that of people for some.

    All this is for one look at the rows. Who looks again after adding rows asks for `looks="any"`,
    judged by confidence sequences, or for look 2 of 5 planned ones by `looks="2/5"`, judged at the
    level of its boundary; both are for one test set.

    Parameters
    ----------
    predictions : Predictions, or what can become a table
        The table with the models; several of them, in a list or as {model: table}; a file or data
        frame of predictions; or the true classes or numbers, and after them the labels, or
        {model: its labels or scores}.
    requirements : str or sequence of str
        What has to be met.
    level : float
        The confidence level of the intervals; of all looks together.
    looks : str
        `one`, `any`, or which of how many planned looks this is, such as `2/5`.
    margin : float, optional
        How much better than the bar a model is for which rows are planned; if not given, a tenth
        of the way to the best value (for a difference: none at all, or 0.01 beyond the bar).
    interval : str
        The method of intervals: `auto`, or a name from `heliast.estimates`.
    test : str
        The test whose interval a difference of models has: `auto`, or a name.
    cost : array-like, optional
        Cost matrix for the expected cost, rows = true class.
    prevalences : mapping, optional
        Class shares of the population, for class counts fixed by design.
    threshold : float, optional
        Of two classes: labels are decided again, positive where the score is at least this.
    role : str or None
        The rows that count: those of `test` splits, `validation`, `full`, `inner`; None is all.
    in_train : int or None
        How often the model was trained on the row: 0 is not at all; None is any number.
    seed : int
        Seed of whatever is drawn.
    stages : bool
        Whether further outputs of one fit (`bag/B=10` beside `bag`) count as models of their own.
    **more : object
        How arrays, frames or files become a table (`y_score`, `positive` and others of
        `Predictions.of`), and `common_rows=True` to judge all models on the rows that all have.
        Parts of a question that other verbs answer (`correction`) are refused by name.

    Returns
    -------
    Gate
        One ruling a requirement and model, the outcome, the exit code.

    Raises
    ------
    InputError
        If a requirement cannot be used: not understood, of the easy end, or with a bar off the
        range of its measure.

    Examples
    --------
    >>> table = Predictions.of(["a"] * 60 + ["b"] * 40, ["a"] * 58 + ["b"] * 42, positive="a")
    >>> print(gate(table, ["accuracy.low >= 0.9", "accuracy.low >= 0.95"]))
    Not enough data: 1 of 2 requirements cannot be decided with these rows.
    <BLANKLINE>
    accuracy.low >= 0.9   model  0.980 [0.930 to 0.994]  pass
    accuracy.low >= 0.95  model  0.980 [0.930 to 0.994]  not enough data: on about ... fresh ...
    <BLANKLINE>
    An end of a 95% interval is a one-sided 97.5% bound, for one look at the rows; ...
    All requirements have to pass, ...
    Test fresh rows by themselves, once; the rows at hand were looked at already.
    >>> gate(["a", "b"] * 50, ["a", "b"] * 50, "error.high <= 0.1").passed
    True
    """
    refuse("gate", more)
    predictions = cast("Predictions", predictions)
    question = Question(
        level=level, interval=interval, test=test, margin=margin, cost=cost,
        prevalences=prevalences, threshold=threshold, role=role, in_train=in_train, seed=seed,
        stages=stages,
    )  # fmt: skip
    asked = [requirements] if isinstance(requirements, str) else requirements
    if not isinstance(asked, Sequence) or not all(isinstance(one, str) for one in asked):
        raise InputError(f"requirements={requirements!r:.60}: words, or several of such")
    asked = cast("Sequence[str]", asked)
    if not asked:
        raise InputError("no requirement: nothing to decide; give one like 'error.high <= 0.1'")
    if margin == 0:
        raise InputError(f"margin={margin}: how much better than the bar, a number above 0")
    parsed = [Requirement.parse(words) for words in asked]
    question.check_used([question.measure(one.measure) for one in parsed])
    if test != "auto" and not any(one.pair for one in parsed):
        raise InputError(f"test={test!r}: no requirement is on a difference of models")
    if interval != "auto" and all(one.pair for one in parsed):
        raise InputError(f"interval={interval!r}: every requirement is on a difference; say test=")
    again = Looks.parse(looks)
    judge = Judge(predictions, again.asked(question, predictions), again)
    rulings = [ruling for one in parsed for ruling in judge.rulings(one, level)]
    rulings = fail_together(judge, rulings)
    rulings = [judge.advised(ruling) for ruling in rulings]
    if predictions.unfinished:
        rulings = [waiting(ruling, predictions.unfinished) for ruling in rulings]
    return Gate(tuple(rulings), level, question.models(predictions).notes, judge.looks)
