"""assess: a table of predictions to every measure with its interval."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any, ClassVar, cast

import numpy as np

from heliast import measures as registry
from heliast._core.costs import Costs
from heliast._core.errors import InputError
from heliast._core.frames import Listing
from heliast._core.labels import Label
from heliast._core.notes import Note, key_of
from heliast._core.records import Says, Spoken, named, plain
from heliast.estimates import Estimate, estimate, placed, proven
from heliast.estimates.resampled import (
    Case,
    Parts,
    chosen_on,
    over_one,
    over_splits,
    resampled_methods,
    selected_of,
)
from heliast.measures import Measure
from heliast.measures.summaries import Contingency
from heliast.predictions import Predictions, Role
from heliast.predictions.scan import Scanned
from heliast.verbs.baseline import Baseline, baseline_of
from heliast.verbs.compare import lacking_rows
from heliast.verbs.given import Given, takes_a_table
from heliast.verbs.question import Measures, Question, refuse
from heliast.verbs.sliced_by import By
from heliast.verbs.slices import Ask, Slices, Subject, sliced
from heliast.views.html import assessment_html
from heliast.views.methods import Methods, assessment_methods
from heliast.views.papers import assessment_sheet, check_style
from heliast.views.sentences import assessment_sentence
from heliast.views.sheets import Sheet
from heliast.views.terminal import assessment_text

MOST_VALUES, BEST = 25_000, 8
"""With more values than this, unasked, those of single classes are found for the best models."""
NEAR_ONE = {
    "wilson": "clopper_pearson",
    "wilson_guarded": "clopper_pearson",
    "wilson_mean": "exact_mean",
    "student_t": "hall",
}
"""What stands in for a default at the levels near 1 that many slices together need."""
MOST_LISTED = 1000
"""Classes up to which the counts of a table are listed cell by cell, empty ones as well."""


@dataclass(frozen=True, eq=False, repr=False)
class Assessment(Spoken, Listing[Estimate]):
    """Every measure of every model, with its interval; `assessment[model, measure]` finds one.

    Parameters
    ----------
    estimates : tuple of Estimate
        One for each model, measure and class.
    models : tuple of str
        The models assessed.
    classes : tuple
        The classes, in order; none for numbers.
    task : str
        `classification` or `regression`.
    positive : label or None
        The positive class of two.
    level : float
        The confidence level of the intervals.
    n : int
        The rows that were read, of all models.
    notes : tuple of str
        What was inferred, and what to be careful about.
    left_out : mapping
        Measures that could not be computed, and why.
    tables : mapping
        The contingency table of each model.
    selected : Estimate or None
        The best of several models, its value corrected for having been chosen; where there are
        validation rows, the best of these with its own estimate from the test rows.
    in_train : {'none', 'some', 'all'}
        How many of the rows the models were trained on.
    by : str
        What models are ranked by, if something was said of it; else a usual measure.
    baseline : Baseline or None
        Of classes: what always giving one answer does on these rows, and who beats it.
    slices : Slices or None
        What was found in each slice, where slices were asked for.

    Examples
    --------
    >>> import heliast as hl
    >>> found = hl.assess(hl.Predictions.of(["a", "a", "b", "b"], ["a", "b", "b", "b"]))
    >>> found["model", "recall", "a"].value
    0.5
    """

    _says: ClassVar[Says] = assessment_sentence, assessment_text, assessment_html
    _listed: ClassVar[str] = "estimates"
    estimates: tuple[Estimate, ...]
    models: tuple[str, ...]
    classes: tuple[Label, ...] = ()
    task: str = "classification"
    positive: Label | None = None
    level: float = 0.95
    n: int = 0
    notes: tuple[str, ...] = ()
    left_out: Mapping[str, str] = field(default_factory=dict)
    tables: Mapping[str, Contingency] = field(default_factory=dict)
    selected: Estimate | None = None
    in_train: str = "none"
    by: str = ""
    baseline: Baseline | None = None
    slices: Slices | None = None

    def __getitem__(self, key: tuple[Any, ...]) -> Estimate:
        if not isinstance(key, tuple) or len(key) not in (2, 3):
            raise InputError("ask for [model, measure] or [model, measure, class]")
        model, measure, *rest = key
        class_ = rest[0] if rest else None
        for name in (measure, _usual(measure)):
            with suppress(KeyError, TypeError):
                return self._places[model, name, class_]
        raise KeyError(self._missing(model, _usual(measure), class_))

    @cached_property
    def _places(self) -> dict[tuple[object, ...], Estimate]:
        return {(one.model, one.measure, one.class_): one for one in reversed(self.estimates)}

    def _missing(self, model: object, measure: object, class_: object) -> str:
        if model not in self.models:
            return f"no model named {model!r}; there are: {', '.join(self.models)}"
        if measure in self.left_out:
            return f"{measure} was left out: {self.left_out[str(measure)]}"
        if class_ is not None and class_ not in self.classes:
            return f"no class {class_!r}; the classes are {', '.join(map(repr, self.classes))}"
        return f"{measure!r} was not assessed; ask for it with measures=[...]"

    @property
    def measures(self) -> tuple[str, ...]:
        """The names of the measures assessed."""
        return tuple(dict.fromkeys(one.measure for one in self.estimates))

    def to_dict(self) -> dict[str, object]:
        """Everything as plain values that JSON can hold.

        Returns
        -------
        dict
            The sentence, the estimates, the tables, what was left out and the notes.
        """
        return {
            **named(self, "sentence baseline task level n models classes positive estimates"),
            "tables": {model: _listed(table) for model, table in self.tables.items()},
            **named(self, "selected left_out notes"),
            **({} if self.slices is None else named(self, "slices")),
        }

    def table(
        self, style: str = "paper", *, spread: str = "interval", caption: str = "", label: str = ""
    ) -> Sheet:
        """Measures by models as a table to print.

        Parameters
        ----------
        style : {"paper"}
            The best of each row in bold, without a test.
        spread : {"interval", "se", "none"}
            What stands beside each value: its interval, its standard error, nothing.
        caption, label : str
            Those of the table; made if empty.

        Returns
        -------
        Sheet
            With `to_latex()`, `to_markdown()`, `to_html()` and `to_csv()`.

        Raises
        ------
        InputError
            If there is no such style or spread.
        """
        check_style(style, spread)
        return assessment_sheet(self, spread, caption, label)

    def methods(self) -> Methods:
        """How the numbers were made, in sentences for a paper, with references.

        Returns
        -------
        Methods
            `text`, `latex`, `markdown` and `bibtex`.
        """
        return assessment_methods(self)


def _usual(measure: Any) -> Any:
    """The title of a measure by its usual names, such as `roc_auc`; anything else as it is."""
    with suppress(InputError, AttributeError):
        return registry.get(measure).title
    return measure


@takes_a_table()
def assess(
    predictions: Given,
    measures: Measures | Given = None,
    level: float = 0.95,
    interval: str | None = "auto",
    *,
    cost: Costs | None = None,
    prevalences: Mapping[Label, float] | None = None,
    threshold: float | None = None,
    role: Role | None = "test",
    in_train: int | None = 0,
    seed: int = 0,
    stages: bool = False,
    by: By = (),
    **more: object,
) -> Assessment:
    """Every measure that the table allows, each with its interval, method and target.

    Parameters
    ----------
    predictions : Predictions, or what can become a table
        The table with the models; several of them; a file or data frame of predictions; or the
        true classes or numbers, and after them the labels, or {model: its labels or scores}.
    measures : str, Measure or sequence of these, optional
        Which measures; if not given, all of the panel that the table allows.
    level : float
        The confidence level of the intervals.
    interval : str or None
        The method of the intervals: `auto`, or a name from `heliast.estimates`; None or `none`
        gives the values alone.
    cost : array-like, optional
        What each decision costs, rows = true class, columns = label: adds the expected cost.
    prevalences : mapping, optional
        Shares of the classes in the population, where class counts were fixed by design.
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
    by : str or sequence of str
        Kept columns that the table is sliced by, each by itself; `region*age` crosses two. Numbers
        are cut at their quartiles, `age:3` into three parts. Of files and arrays these columns
        are kept (`keep=`, `columns=`).
    **more : object
        How arrays, frames or files become a table (`y_score`, `positive` and others of
        `Predictions.of`), and `common_rows=True` to judge all models on the rows that all have.
        Parts of a question that other verbs answer (`margin`, `test`, ...) are refused by name.

    Returns
    -------
    Assessment
        `assessment[model, measure]` is an `Estimate`.

    Raises
    ------
    InputError
        If there is no such row, no such measure, or a measure that this table does not allow.

    Examples
    --------
    >>> table = Predictions.of(["a", "a", "b", "b"], ["a", "b", "b", "b"])
    >>> assess(table)["model", "error"]
    Estimate(model error: 0.25 [0.04559, 0.6994], Wilson)
    >>> scored = Predictions.of([0, 1, 1, 0], y_score=[0.2, 0.4, 0.9, 0.1])
    >>> [assess(scored, "recall", threshold=t)["model", "recall"].value for t in (0.5, 0.3)]
    [0.5, 1.0]

    Arrays, frames and files will do:

    >>> assess(["a", "a", "b", "b"], ["a", "b", "b", "b"])["model", "accuracy"].value
    0.75
    >>> assess([0, 1, 1, 0], y_score=[0.2, 0.4, 0.9, 0.1])["model", "roc_auc"].value
    1.0
    >>> assess({"truth": ["a", "b"], "label": ["a", "a"]}, "acc")["model", "accuracy"].value
    0.5
    """
    refuse("assess", more)
    question = Question(
        measures=cast("Measures", measures), level=level, interval=interval, cost=cost,
        prevalences=prevalences, threshold=threshold, role=role, in_train=in_train, seed=seed,
        stages=stages, by=by,
    )  # fmt: skip
    return assessed_beside(cast("Predictions", predictions), question)


def assessed_beside(
    predictions: Predictions, question: Question, by: Measure | None = None
) -> Assessment:
    """What `assess` finds, with what always giving one answer does."""
    found = assessed(predictions, question, by)
    baseline = baseline_of(found.tables, predictions, question)
    slices = assessed_slices(predictions, question) if question.by else None
    return replace(found, baseline=baseline, slices=slices)


def assessed_slices(predictions: Predictions, question: Question) -> Slices:
    """What `assess` finds in each slice: of the measures that are named, else of the usual one."""
    table = question.rows(predictions)
    measures = question.chosen or (question.usual(table.task),)
    subjects = [
        Subject(model, one, table.only(model), in_slice(one, question), ((model, 1.0),))
        for one in measures
        for model in table.models
    ]
    return sliced(subjects, question)


def in_slice(measure: Measure, question: Question) -> Ask:
    """What is asked of each slice: the measure, with an interval that holds near level 1 too.

    Wilson's limits of a small rate cover less than they say at the levels that many slices together
    need (of 30 rows, 5% of which err: 98.4% where they say 99.5%); exact limits never do. So do
    those of Student's t for skewed losses, which Hall's correction makes good in part.
    """
    about = question.about(measure).but(by=())

    def whole(rows: Predictions, level: float, **more: Any) -> Estimate:
        found = assessed(rows, about.but(level=level, **more))
        return next(one for one in found if one.class_ is None)

    def ask(rows: Predictions, level: float) -> Estimate:
        found = whole(rows, level)
        other = NEAR_ONE.get(found.key)
        plain = level <= question.level and found.key.startswith("wilson")
        if plain or other is None or about.interval != "auto":
            return found
        surer = whole(rows, level, interval=other)
        return found if surer.reason else surer

    return ask


def assessed(predictions: Predictions, question: Question, by: Measure | None = None) -> Assessment:
    """What `assess` finds, for those who hold a question already; `by` is what ranks models."""
    table, level = question.rows(predictions), question.level
    question = question.on(table)
    predictions = question.decided(predictions)
    if isinstance(table, Scanned):
        table = table.of_one_split()
    asked, left_out = _chosen(table, question)
    tables: dict[str, Contingency] = {}
    incomplete = table.incomplete() if len(table.models) > 1 else {}
    cut = {model: Parts(table, model, question.prevalences) for model in table.models}

    @lru_cache(maxsize=1)
    def every(model: str) -> Predictions:
        return predictions.only(model)

    def estimated(model: str, measure: Measure, class_: Label | None) -> Estimate:
        parts = cut[model]
        lacking = parts.failed or _lacks(measure, table, model)
        if lacking:
            one = _nothing(measure, class_, level, lacking)
        else:
            case = Case(parts, every(model), measure, class_, level, seed=question.seed)
            one = placed(_estimated(case, question.method), case)
        if parts.unfinished:
            one = _bare(one, parts.unfinished)
        elif incomplete.get(model):
            one = _bare(one, lacking_rows(incomplete[model]))
        return replace(one, model=model)

    whole = {
        (model, at): estimated(model, measure, None)
        for model in table.models
        for at, (measure, class_) in enumerate(asked)
        if class_ is None
    }
    best = _selected(table, cut, incomplete, asked, question, predictions, list(whole.values()))
    shown = set(table.models)
    if question.chosen is None and len(asked) * len(shown) > MOST_VALUES:
        shown = set(_best(list(whole.values()), by or question.usual(table.task), table))
        shown |= {best.model} if best is not None else set()
    found = [
        whole[model, at] if class_ is None else estimated(model, measure, class_)
        for model in table.models
        for at, (measure, class_) in enumerate(asked)
        if class_ is None or model in shown
    ]
    for model, parts in cut.items():
        if table.task == "classification" and not parts.failed:
            tables[model] = parts.pooled.contingency
    alone = isinstance(table, Scanned) or table.meta.design == "time"
    if alone and len(table.models) > 1 and best is None:
        what = "scanned" if isinstance(table, Scanned) else "rows in order of time"
        table = table.noted(f"{what}: the best of several models is not corrected for the choice")
    notes = _notes(table, found)
    if len(shown) < len(table.models):
        notes += (
            f"values of single classes are those of the best {len(shown)} of {len(table.models)} "
            "models: for others name the measure, or take one model alone",
        )
    return Assessment(
        tuple(found), models=table.models, classes=table.classes, task=table.task,
        positive=table.positive, level=level, n=len(table),
        notes=notes, left_out=left_out, tables=tables,
        selected=best, in_train=_seen(table),
        by=question.usual(table.task).title if question.chosen is None else "",
    )  # fmt: skip


def _best(overall: list[Estimate], by: Measure, table: Predictions) -> list[str]:
    """The models whose values of single classes are of interest: the best few."""
    sign = 1.0 if by.better == "low" else -1.0
    value = {one.model: sign * one.value for one in overall if one.measure == by.title}
    known = [model for model in table.models if not np.isnan(value.get(model, np.nan))]
    return sorted(known or table.models, key=lambda model: value.get(model, 0.0))[:BEST]


def _listed(table: Contingency) -> object:
    """The counts as a table, of many classes the cells that occur: true class, label, count."""
    if table.k <= MOST_LISTED:
        return plain(table.counts)
    rows, columns = table.rows.tolist(), table.columns.tolist()
    return [
        {"y_true": table.classes[at], "y_pred": table.classes[to], "count": count}
        for at, to, count in zip(rows, columns, table.count.tolist(), strict=True)
    ]


def _seen(table: Predictions) -> str:
    """How many of the rows were trained on."""
    seen = table.in_train
    if seen is None or not seen.any():
        return "none"
    return "all" if seen.all() else "some"


def _estimated(case: Case, interval: str) -> Estimate:
    """One test set, or several splits: each has methods of its own."""
    single = case.parts.single
    if single is None:
        found = over_splits(case, interval)
        return proven(found, case) if interval == "auto" else found
    if interval == "auto" or interval in resampled_methods():
        return over_one(case, interval)
    return estimate(case.measure, single, case.class_, case.level, interval, case.seed)


def _nothing(measure: Measure, class_: Label | None, level: float, reason: str) -> Estimate:
    return Estimate(float("nan"), level=level, measure=measure.title, class_=class_, reason=reason)


def _bare(one: Estimate, reason: str) -> Estimate:
    nothing = float("nan")
    return replace(
        one, low=nothing, high=nothing, se=nothing, reason=reason if one.defined else one.reason
    )


def _selected(
    table: Predictions,
    cut: Mapping[str, Parts],
    incomplete: Mapping[str, int],
    asked: list[tuple[Measure, Label | None]],
    question: Question,
    predictions: Predictions,
    found: list[Estimate],
) -> Estimate | None:
    """The best of several models by the first measure that can be; None where there is no choice,
    or no honest row to choose by.

    Validation rows choose, where there are some, and the estimate is that of test rows. Else its
    value is corrected for the choice.
    """
    whole = {
        model: parts
        for model, parts in cut.items()
        if not incomplete.get(model) and not parts.unfinished
    }
    if len(whole) < 2 or (table.in_train is not None and table.in_train.any()):
        return None
    overall = [measure for measure, class_ in asked if class_ is None]
    named = question.chosen or overall  # costs add their measure to those that were named
    usual = [one for one in named if one.name == question.usual(table.task).name]
    usual = usual or [one for one in named if one in overall]
    by = question.choosing(predictions)
    for measure in usual or overall:
        if any(_lacks(measure, table, model) for model in whole):
            continue
        try:
            if by is not question:
                return _validated(predictions.only([*whole]), measure, question, by, found)
            return selected_of(
                whole, measure, None, question.level, question.seed,
                own=lambda case: _estimated(case, question.method),
            )  # fmt: skip
        except InputError:
            continue
    return None


def _validated(
    predictions: Predictions,
    measure: Measure,
    question: Question,
    by: Question,
    found: list[Estimate],
) -> Estimate | None:
    if question.role is None:  # of all rows, those to test judge what those to validate chose
        return assessed(predictions, question.but(role="test", measures=measure)).selected
    tested = question.rows(predictions)
    best, why = chosen_on(by.rows(predictions), tested, measure, None, question.prevalences)
    key = (best, measure.title, None)
    own = next(one for one in found if (one.model, one.measure, one.class_) == key)
    return replace(own, notes=(why, *own.notes))


def _notes(table: Predictions, found: list[Estimate]) -> tuple[str, ...]:
    said: dict[str, list[str]] = {}
    for one in found:
        for note in one.notes:
            said.setdefault(note, []).append(one.measure)
    spoken = [
        Note(f"{', '.join(dict.fromkeys(names))}: {note}", key_of(note))
        for note, names in said.items()
    ]
    return tuple(dict.fromkeys((*table.notes, *spoken)))


# --- which measures ------------------------------------------------------------------------


def _chosen(
    table: Predictions, question: Question
) -> tuple[list[tuple[Measure, Label | None]], dict[str, str]]:
    """The (measure, class) pairs to compute, and why some measures are left out."""
    asked = question.chosen
    if asked is None:
        panel = [one for one in registry.everything() if one.panel and one.task == table.task]
        panel = [one for one in panel if table.meta.ordinal or not one.ordinal]
        panel = [one for one in panel if table.attempts > 1 or not one.repeated]
        panel = [one for one in panel if not one.spends or one.spends in table.columns]
        wanted = [question.measure(one).on(table) for one in panel]
    else:
        wanted = list(asked)
    if question.cost is not None:
        wanted = [one for one in wanted if one.name != "expected_cost"]
        wanted.append(question.measure("expected_cost"))
    question.check_used(wanted)
    left_out: dict[str, str] = {}
    pairs: list[tuple[Measure, Label | None]] = []
    for one in wanted:
        lacking = [_lacks(one, table, model) for model in table.models]
        if all(lacking) and asked is not None:
            raise InputError(f"measure {one.name!r}: {lacking[0]}")
        if all(lacking):
            left_out[one.name] = lacking[0]
            continue
        pairs.append((one, None))
        if one.classwise and one.average is None and _per_class(one, table, asked is None):
            pairs.extend((one, class_) for class_ in table.classes)
    return pairs, left_out


def _lacks(one: Measure, table: Predictions, model: str) -> str:
    kind, ordinal = table.score_kind_of(model), table.meta.ordinal
    return one.lacks(table.task, len(table.classes), kind, ordinal)


def _per_class(one: Measure, table: Predictions, unasked: bool) -> bool:
    """Whether to add a value per class: not for the order of scores of two classes, which is one
    order seen from two sides, nor unasked where the interval would cost a bootstrap per class.
    """
    if one.needs == "label":
        return True
    return len(table.classes) > 2 and not (unasked and one.name == "average_precision")
