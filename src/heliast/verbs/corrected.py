"""corrected: a measure as people would have it, where a judge gave all truths and people some."""

from dataclasses import replace

import numpy as np

from heliast._core.columns import Column, column
from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._core.labels import encode
from heliast._core.places import ROWS
from heliast.estimates import Estimate, prediction_powered
from heliast.estimates.resampled import Parts, loss_of
from heliast.measures import Measure
from heliast.predictions import Predictions, Rows
from heliast.tables.about import HUMAN
from heliast.verbs.difference import Difference
from heliast.verbs.question import Question


def corrected(table: Predictions, measure: Measure, question: Question) -> Estimate:
    """The measure of one model by prediction-powered inference: its row losses by the judge's
    truth, corrected by those by the human truth where that is known.
    """
    chosen = question.rows(table)
    judge, human = _losses(chosen, measure, question)
    found = prediction_powered(judge, human, question.level, group=chosen.group)
    return Estimate(
        found.value, found.low, found.high, found.se, question.level, found.method,
        n=found.n, n_effective=found.n, reason=found.reason, model=chosen.models[0],
        measure=measure.title, notes=found.notes,
    )  # fmt: skip


def corrected_difference(table: Predictions, question: Question, a: str, b: str) -> Difference:
    """The same of the difference a - b, row by row."""
    measure = question.only_measure(table.task)
    both = [_in_order(question.rows(table.only(model))) for model in (a, b)]
    one, other = both
    same = len(one) == len(other) and np.array_equal(one.y_true, other.y_true)
    named = one.row is not None and other.row is not None
    if not same or (named and not np.array_equal(np.asarray(one.row), np.asarray(other.row))):
        raise InputError(f"corrected({measure.title}): {a} and {b} are not on the same rows")
    losses = [_losses(each, measure, question) for each in both]
    judge, human = (first - second for first, second in zip(*losses, strict=True))
    low, high = measure.bounds
    bounds = (low - high, high - low)
    found = prediction_powered(judge, human, question.level, group=one.group, bounds=bounds)
    return Difference(
        a, b, measure.title, found.value, found.low, found.high, level=question.level,
        method=found.method, n=found.n, unit="human grades", reason=found.reason,
        notes=found.notes,
    )  # fmt: skip


def _in_order(table: Predictions) -> Predictions:
    """The rows of one model in the order of their names, where they have some."""
    if table.row is None:
        return table
    order = np.argsort(column(table.row, "row").coded()[1], kind="stable")
    return table._at(order)


def _losses(table: Predictions, measure: Measure, question: Question) -> tuple[Array, Array]:
    """The loss of each row by the judge's truth, and by that of people where they gave one."""
    _refuse(table, measure, question)
    kind, classes = table.score_kind_of(table.models[0]), len(table.classes)
    lacking = measure.lacks(table.task, classes, kind, table.meta.ordinal)
    if lacking:
        raise InputError(f"corrected({measure.title}): {lacking}")
    counted = Parts(table, table.models[0]).pooled
    rows, loss = counted.rows, loss_of(measure.form(counted))
    if loss is None:
        raise InputError(
            f"corrected({measure.title}): a mean over rows can be corrected, such as accuracy, "
            "error or mae"
        )
    known, said = _human(table)
    human = np.full(rows.n, np.nan)
    human[known] = loss(_as_people(rows, known, said))
    return loss(rows), human


def _refuse(table: Predictions, measure: Measure, question: Question) -> None:
    said = f"corrected({measure.title})"
    if HUMAN not in table.columns:
        raise InputError(
            f"{said}: keep a column {HUMAN!r} with what people say of some rows, and nothing "
            "elsewhere: columns={'human': ...}, or keep='human' when the table is read"
        )
    if question.interval == "sequence":
        raise InputError(f"{said}: there is no confidence sequence of it; plan the looks instead")
    if table.weight is not None or table.meta.design != "rows" or len(table.splits) > 1:
        raise InputError(f"{said}: for one test set of rows that were drawn at random, unweighted")
    if table.task == "graded" and table.scores is not None and measure.name != "grade":
        raise InputError(f"{said}: of several attempts at an item, grade alone can be corrected")


def _human(table: Predictions) -> tuple[Array, Array]:
    """The rows that people judged, and the truth that they gave, as the table has it."""
    one = table.columns[HUMAN]
    gone = np.zeros(len(one), bool)
    gone[one.missing] = True
    known = np.flatnonzero(~gone)
    if not known.size:
        raise InputError(f"the column {HUMAN!r} holds nothing: give it for some rows")
    part = one.at(known)
    if table.task != "classification":
        return known, part.plain().astype(np.float64)
    if not part.is_number and not any(isinstance(label, str) for label in table.classes):
        raise InputError(f"the column {HUMAN!r} holds text, but classes are numbers; convert one")
    named = Column(HUMAN, part.values, part.kind, part.missing, part.texts)
    return known, encode(named, table.classes, ROWS)


def _as_people(rows: Rows, known: Array, said: Array) -> Rows:
    """These rows with the truth that people gave, or with their grades."""
    if rows.task == "graded":
        return replace(rows.at(known), y_pred=said, scores=None)
    return replace(rows.at(known), y_true=said.astype(rows.y_true.dtype))
