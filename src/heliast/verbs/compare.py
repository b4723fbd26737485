"""compare: which models can be told apart, by the test that the design of the table allows."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Protocol, cast

import numpy as np

from heliast import comparisons as tests
from heliast._core.costs import Costs
from heliast._core.errors import HeliastError, InputError, NotEnoughData
from heliast._core.kinds import Array
from heliast._core.labels import Label
from heliast._core.notes import Note
from heliast.comparisons import IN_ORDER, ONE, SETS, SPLITS, Paired, Splits, Values
from heliast.estimates import design_key, few_times
from heliast.estimates.resampled import Case, Parts
from heliast.measures import Measure
from heliast.predictions import Predictions, Role
from heliast.verbs.comparison import (
    Comparison,
    Design,
    Difference,
    Models,
    judged,
    usual_margin,
)
from heliast.verbs.given import Given, takes_a_table
from heliast.verbs.question import REFUSED, Measures, Question, refuse
from heliast.verbs.sliced_by import By
from heliast.verbs.slices import Ask, Subject, sliced

Tables = Predictions | Mapping[str, Predictions]
FEWEST_SETS = 6


@takes_a_table(sets=True)
def compare(
    predictions: Given,
    measure: str | Measure | Given | None = None,
    test: str = "auto",
    level: float = 0.95,
    margin: float | None = None,
    correction: str = "holm",
    *,
    cost: Costs | None = None,
    prevalences: Mapping[Label, float] | None = None,
    threshold: float | None = None,
    role: Role | None = "test",
    seed: int = 0,
    stages: bool = False,
    by: By = (),
    **more: object,
) -> Comparison:
    """Every pair of models: the difference, its interval, a p value and a verdict in words.

    The test is picked by the design that the table shows, and `reason_for_test` says why. A pair
    is told apart only if p, corrected for the number of pairs, and the interval agree.

    Parameters
    ----------
    predictions : Predictions, or what can become a table
        One table with several models; several tables, one after another, in a list or as {model:
        table}; files or data frames of predictions; or the true classes or numbers, and after them
        {model: its labels or scores}. Tables of several models each are {data set: table}.
    measure : str or Measure, optional
        What models are compared by: if not given, the error, the mean absolute error of numbers,
        the expected cost where costs are given.
    test : str
        `auto`, or a name from `heliast.comparisons`, `square_and_add` or `bootstrap`. `bayes` adds
        to each pair how probable it is that a is better, that the difference lies within the
        margin, that b is better (`Difference.bayes`): over splits by the correlated t, over data
        sets by the signed rank test.
    level : float
        The confidence level of intervals; 1 minus it is the level of tests.
    margin : float, optional
        The largest difference that does not matter: 0.01 for measures between 0 and 1, where that
        is not too coarse.
    correction : {"holm", "none"}
        Whether p and intervals are corrected for the number of pairs.
    cost : array-like, optional
        What each decision costs, rows = true class, columns = label.
    prevalences : mapping, optional
        Shares of the classes in the population, where class counts were fixed by design.
    threshold : float, optional
        Of two classes: labels are decided again, positive where the score is at least this.
    role : str or None
        The rows that count: those of `test` splits, `validation`, `full`, `inner`; None is all.
    seed : int
        Seed of whatever is drawn.
    stages : bool
        Whether further outputs of one fit (`bag/B=10` beside `bag`) count as models of their own.
    by : str or sequence of str
        Kept columns that the table is sliced by, as in `assess`: the difference in each slice, and
        whether it is another than in the rest.
    **more : object
        How arrays, frames or files become a table (`y_score`, `positive` and others of
        `Predictions.of`), and `common_rows=True` to judge all models on the rows that all have.
        What is not part of this question is refused by name.

    Returns
    -------
    Comparison
        A `Difference` for each pair, the ranking, and what was left out.

    Raises
    ------
    InputError
        If the test is not valid for the table, or the question cannot be answered.
    NotEnoughData
        If there are fewer than two models, or too few rows, groups or data sets for a test.

    Examples
    --------
    >>> truth = ["a", "b"] * 50
    >>> tree = Predictions.of(truth, ["a"] * 60 + truth[60:], model="tree")
    >>> knn = Predictions.of(truth, ["a"] * 20 + truth[20:], model="knn")
    >>> compare(tree.join(knn))["tree", "knn"]
    Difference(tree - knn, error: 0.2 [0.12, 0.2845], p = 9.54e-07, worse)

    Tables, files and arrays need not be joined before:

    >>> compare(tree, knn).models == compare([tree, knn], "acc").models
    True
    >>> compare(truth, {"a": ["a"] * 100, "b": truth})["a", "b"].value
    0.5
    """
    refuse("compare", more)
    question = Question(
        measures=cast("Measures", measure), test=test, level=level, margin=margin,
        correction=correction, cost=cost, prevalences=prevalences, threshold=threshold, role=role,
        seed=seed, stages=stages, by=by,
    )  # fmt: skip
    return compared_beside(cast("Tables", predictions), question)


def compared_beside(predictions: Tables, question: Question) -> Comparison:
    """What `compare` finds, with the differences in each slice, where slices are asked for."""
    if question.by and not isinstance(predictions, Predictions):
        raise InputError("by: slices are of one table, and here are several data sets")
    found = compared(predictions, question)
    if not question.by:
        return found
    table = question.rows(cast("Predictions", predictions))
    measure = asked_of(question, table.task).only_measure(table.task)
    subjects = [
        Subject(
            f"{one.a} - {one.b}", measure, table.only([one.a, one.b]),
            _in_slice(one, measure, question), ((one.a, 1.0), (one.b, -1.0)),
        )
        for one in found.pairs
    ]  # fmt: skip
    return replace(found, slices=sliced(subjects, question))


def _in_slice(pair: Difference, measure: Measure, question: Question) -> Ask:
    about = question.about(measure).but(by=())

    def ask(rows: Predictions, level: float) -> Difference:
        try:
            return compared(rows, about.but(level=level))[pair.a, pair.b]
        except (
            HeliastError,
            KeyError,
        ) as error:  # such as too few rows
            return Difference(pair.a, pair.b, measure.title, level=level, reason=str(error))

    return ask


def compared(predictions: Tables, question: Question, against: str = "") -> Comparison:
    """What `compare` finds, for those who hold a question already; of one table perhaps only the
    pairs that each model makes with one of them.
    """
    if isinstance(predictions, Mapping):
        tests.check_test(question.test, SETS)
        first = next(iter(predictions.values()), None)
        question = asked_of(question, getattr(first, "task", "classification"))
        return over_sets(Sets(predictions, question), question)
    if not isinstance(predictions, Predictions):
        raise InputError(f"expected Predictions, or a mapping of them, got {predictions!r:.60}")
    question = asked_of(question, predictions.task).on(predictions)
    return of_field(paired(predictions, question), question, against)


def of_field(field: Paired, question: Question, against: str = "") -> Comparison:
    """The same for those who hold the models of one table, paired row by row."""
    here = IN_ORDER if field.in_order else ONE if field.single else SPLITS
    tests.check_test(question.test, here)
    designed = {IN_ORDER: _in_order, ONE: _on_one_set, SPLITS: _over_splits}[here]
    design = designed(field, question)
    return judged(field, design, question, field.measure, against)


def asked_of(question: Question, task: str) -> Question:
    """The question about its one measure, where that is known: with the margin that tests read."""
    measure = question.only_measure(task)
    if not measure.paired:
        raise InputError(
            f"{measure.title}: whether two such values differ is not tested here, as grades are "
            "few and steps between them large; compare grade, or above(bar=...)"
        )
    question.check_used([measure])
    if tests.gives_probabilities(question.test):
        question = question.but(margin=usual_margin(question, measure))
    return question.but(measures=measure)


def paired(predictions: Predictions, question: Question) -> Paired:
    """The models of a table that can be compared as asked, row by row; the others with reasons."""
    if question.in_train != 0:
        raise InputError(f"in_train={question.in_train}: {REFUSED['in_train']}")
    table, measure = question.rows(predictions), question.only_measure(predictions.task)
    if len(table.models) < 2:
        raise InputError(
            f"one model ({table.models[0]}): a comparison needs two; add a file of another "
            "model's predictions for the same rows (in Python: compare(p1, p2), or "
            "compare(y_true, {'a': ..., 'b': ...})), or name another model"
            + (", or say stages=True (--stages)" if predictions.stages else "")
        )
    about, missing = (table.task, len(table.classes)), table.incomplete()
    kinds = {model: table.score_kind_of(model) for model in table.models}
    lacks = {m: measure.lacks(*about, kind, table.meta.ordinal) for m, kind in kinds.items()}
    if all(lacks.values()):
        raise InputError(f"measure {measure.name!r}: {lacks[table.models[0]]}")
    cases, left_out, whole = dict[str, Case](), dict[str, str](), question.decided(predictions)
    for model, need in lacks.items():
        parts = Parts(table, model, question.prevalences)
        count = missing.get(model)
        why = parts.failed or parts.unfinished or (lacking_rows(count) if count else "") or need
        if not why and parts.missing:
            why = f"incomplete: no rows in {parts.missing} of the splits"
        if why:
            left_out[model] = why
        else:
            if question.prevalences is not None:
                _ = parts.pooled.contingency  # refuses shares of other classes
            cases[model] = Case(parts, whole.only(model), measure, None, question.level)
    return Paired(table, measure, cases, left_out)


def lacking_rows(count: int) -> Note:
    """Why a model with fewer rows than others has no interval, and is not compared."""
    return Note(
        f"incomplete: {count} of the rows that other models have are missing; the rows that all "
        "have are judged with common_rows=True (command line: --common-rows)",
        "incomplete",
    )


# --- one test set, several splits, several data sets -------------------------------------------


def _on_one_set(field: Paired, question: Question) -> Design:
    notes = field.as_one_set()
    tested = tests.chosen(question.test, ONE, field).make(field, question)
    tested = replace(tested, why=f"one test set, {tested.why}", notes=notes)
    kind = design_key(field.first)
    unit = "items" if field.table.task == "graded" else "test rows"
    n_train = field.first.design.n_train
    return Design(tested, "model", unit, n_train, kind=kind, won=field.won)


def _in_order(field: Paired, question: Question) -> Design:
    field.check_pairs()
    case, first = field.first, field.rows[field.models[0]]
    if case.design.reason and not field.single:
        raise InputError(f"no test over these splits: {case.design.reason}")
    if why := few_times(first, "a test"):
        raise NotEnoughData(why)
    tested = tests.chosen(question.test, IN_ORDER, field).make(field, question)
    tested = replace(tested, why=f"{IN_ORDER}: {tested.why}")
    target = "model" if field.single else "algorithm"
    return Design(tested, target, "rows", case.design.n_train, kind=design_key(case))


def _over_splits(field: Paired, question: Question) -> Design:
    splits = Splits(field)
    test = tests.chosen(question.test, SPLITS, splits)
    tested = test.make(splits, question)
    named = f"{splits.words}: {test.name} was asked for by name"
    why = f"{splits.words} {tested.why}" if tested.why else named
    tested = replace(tested, why=why, notes=(*splits.notes, *tested.notes))
    bayes = tests.probabilities(question.test, SPLITS, splits, question)
    kind = design_key(field.first)
    return Design(tested, "algorithm", "rows", splits.design.n_train, bayes=bayes, kind=kind)


class Valued(Models, Protocol):
    """Models with a value on each of several data sets: a row a data set, a column a model."""

    table: Array


def over_sets(sets: Valued, question: Question) -> Comparison:
    """Every pair of models over several data sets; the question is about one measure."""
    measure = question.only_measure("classification")
    field = Values(dict(zip(sets.models, sets.table.T, strict=True)), measure.better)
    test = tests.chosen(question.test, SETS, field)
    tested = test.make(field, question)
    words = tested.why if test.name != question.test else test.name
    tested = replace(tested, why=f"{len(sets.table)} data sets: {words} for pairs")
    bayes = tests.probabilities(question.test, SETS, field, question)
    design = Design(tested, "algorithm", "data sets", bayes=bayes)
    if len(sets.models) > 2:
        omnibus = tests.of_all(SETS).make(field, question)
        why = f"{tested.why}, {omnibus.method} for all models at once"
        nemenyi = tests.nemenyi(sets.table, measure.better, question.level)
        design = replace(design, tested=replace(tested, why=why, omnibus=omnibus), nemenyi=nemenyi)
    return judged(sets, design, question, measure)


class Sets:
    """Several data sets: each model's value on each, and what was left out anywhere."""

    def __init__(self, tables: Mapping[str, Predictions], question: Question) -> None:
        for name, table in tables.items():
            if not isinstance(table, Predictions):
                raise InputError(f"data set {name!r}: expected Predictions, got {table!r:.60}")
        if len(tables) < FEWEST_SETS:
            raise NotEnoughData(
                f"{len(tables)} data sets: with fewer than {FEWEST_SETS} no p below 0.05 exists; "
                "add data sets, or compare each by itself"
            )
        self.fields: dict[str, Paired] = {}
        for name, table in tables.items():
            try:
                self.fields[name] = paired(table, question)
            except InputError as error:
                raise InputError(f"data set {name!r}: {error}") from None
        self.left_out: dict[str, str] = {}
        every = dict.fromkeys(m for one in self.fields.values() for m in one.table.models)
        for model in every:
            for name, one in self.fields.items():
                if model not in one.cases:
                    why = one.left_out.get(model, "not there")
                    self.left_out.setdefault(model, f"data set {name}: {why}")
        self.models = tuple(model for model in every if model not in self.left_out)
        if len(self.models) < 2:
            said = "; ".join(f"{model}: {why}" for model, why in self.left_out.items())
            raise NotEnoughData(f"fewer than two models are in all data sets ({said})")
        kept = self.fields.values()
        self.table = np.array([[one.values[m] for m in self.models] for one in kept])
        self.values = dict(zip(self.models, self.table.mean(axis=0).tolist(), strict=True))
        unfinished = {name: one.table.unfinished for name, one in self.fields.items()}
        self.notes: tuple[str, ...] = (
            "values of models are means over data sets",
            *(f"data set {name}: {why}" for name, why in unfinished.items() if why),
        )

    def identical(self, a: str, b: str) -> bool:
        """Whether two models make the same predictions on every data set."""
        return all(one.identical(a, b) for one in self.fields.values())
