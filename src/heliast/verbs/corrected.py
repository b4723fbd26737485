"""corrected: a measure as people would have it, where a judge gave most labels (PPI)."""

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
from heliast.verbs.comparison import Difference
from heliast.verbs.options import Options
from heliast.verbs.pairs import lacking_input


def corrected(table: Predictions, measure: Measure, options: Options) -> Estimate:
    """The prediction-powered estimate of one model: row losses by the labels of the judge,
    corrected by those by the labels of people.
    """
    rows = options.rows(table)
    judge, human = _losses(rows, measure, options)
    result = prediction_powered(judge, human, options.level, group=rows.group)
    return Estimate(
        result.value, result.low, result.high, result.se, options.level, result.method,
        n=result.n, n_effective=result.n, reason=result.reason, model=rows.models[0],
        measure=measure.title, notes=result.notes,
    )  # fmt: skip


def corrected_difference(table: Predictions, options: Options, a: str, b: str) -> Difference:
    """The same of the difference a - b, row by row."""
    measure = options.only_measure(table.task)
    first, second = (_sorted_rows(options.rows(table.only(model))) for model in (a, b))
    same = len(first) == len(second) and np.array_equal(first.y_true, second.y_true)
    if same and first.row is not None and second.row is not None:
        same = np.array_equal(np.asarray(first.row), np.asarray(second.row))
    if not same:
        raise InputError(f"corrected({measure.title}): {a} and {b} are not on the same rows")
    losses = [_losses(part, measure, options) for part in (first, second)]
    judge, human = (entry - other for entry, other in zip(*losses, strict=True))
    low, high = measure.bounds
    bounds = (low - high, high - low)
    result = prediction_powered(judge, human, options.level, group=first.group, bounds=bounds)
    return Difference(
        a, b, measure.title, result.value, result.low, result.high, level=options.level,
        method=result.method, n=result.n, unit="human labels", reason=result.reason,
        notes=result.notes,
    )  # fmt: skip


def _sorted_rows(table: Predictions) -> Predictions:
    """The rows of one model in the order of their names."""
    if table.row is None:
        return table
    return table._at(np.argsort(column(table.row, "row").coded()[1], kind="stable"))


def _losses(table: Predictions, measure: Measure, options: Options) -> tuple[Array, Array]:
    """The loss of each row by the judge's label, and by that of people where there is one."""
    name = f"corrected({measure.title})"
    _check(table, measure, options, name)
    if lacking := lacking_input(measure, table, table.models[0]):
        raise InputError(f"{name}: {lacking}")
    counted = Parts(table, table.models[0]).pooled
    rows, loss = counted.rows, loss_of(measure.form(counted))
    if loss is None:
        raise InputError(f"{name}: a mean over rows can be corrected, as accuracy, error or mae")
    known, labels = _human_labels(table)
    human = np.full(rows.n, np.nan)
    human[known] = loss(_with_labels(rows, known, labels))
    return loss(rows), human


def _check(table: Predictions, measure: Measure, options: Options, name: str) -> None:
    if HUMAN not in table.columns:
        raise InputError(
            f"{name}: keep a column {HUMAN!r} with the labels of people for some rows: "
            "columns={'human': ...}, or keep='human' when the table is read"
        )
    if options.interval == "sequence":
        raise InputError(f"{name}: there is no confidence sequence of it; plan the looks instead")
    if table.weight is not None or table.meta.design != "rows" or len(table.splits) > 1:
        raise InputError(f"{name}: for one test set of rows sampled at random, without weights")
    if table.task == "graded" and table.scores is not None and measure.name != "grade":
        raise InputError(f"{name}: of several attempts at an item, grade alone can be corrected")


def _human_labels(table: Predictions) -> tuple[Array, Array]:
    """The rows that people labeled, and their labels as the table codes them."""
    kept = table.columns[HUMAN]
    missing = np.zeros(len(kept), bool)
    missing[kept.missing] = True
    known = np.flatnonzero(~missing)
    if not known.size:
        raise InputError(f"the column {HUMAN!r} is empty: give labels for some rows")
    part = kept.at(known)
    if table.task != "classification":
        return known, part.plain().astype(np.float64)
    if not part.is_number and not any(isinstance(label, str) for label in table.classes):
        raise InputError(f"the column {HUMAN!r} holds text, but classes are numbers; convert one")
    labels = Column(HUMAN, part.values, part.kind, part.missing, part.texts)
    return known, encode(labels, table.classes, ROWS)


def _with_labels(rows: Rows, known: Array, labels: Array) -> Rows:
    """These rows with the labels that people gave, or with their grades."""
    if rows.task == "graded":
        return replace(rows.at(known), y_pred=labels, scores=None)
    return replace(rows.at(known), y_true=labels.astype(rows.y_true.dtype))
