"""What models predict: measures, pairs, confusion, classes, residuals, slices, regions."""

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from heliast import curves
from heliast._core.labels import Label
from heliast.measures.summaries import Contingency
from heliast.views import plots
from heliast.views.numbers import Measured, capital, ci, measure_name
from heliast.views.record import Column, Table
from heliast.views.report.contents import Material, Part, drawn, part, shown_table
from heliast.views.tables import (
    MOST_CLASSES,
    chance_table,
    classes_table,
    confusion_table,
    measures_table,
    pairs_table,
)

if TYPE_CHECKING:
    from heliast.verbs.comparison import Comparison

SIDE_BY_SIDE = 7
"""More models than this stand in rows."""
MOST_ROWS, MOST_MATRIX = 40, 12
"""Models in a forest plot or a table of pairs, and in a plot of all pairs."""
FEW_CLASSES, FEW_MODELS, MANY_CLASSES = 8, 4, 40
"""Classes and models of which each has a plot, and classes of a table of counts."""
MOST_LINES = 6
MOST_ERRORS = 10


# --- models --------------------------------------------------------------------------------------


def side_by_side(material: Material) -> Part:
    """A forest plot, every measure, and every pair of models."""
    compared, order = material.compared, material.order
    figures = []
    name = capital(measure_name(material.measure))
    if len(order) > 1:
        shown = order[:MOST_ROWS]
        best = f" (the best {MOST_ROWS} of {len(order):,})" if len(order) > MOST_ROWS else ""
        plot = plots.forest(
            [material.main_estimate(model) for model in shown],
            [material.model_names[model] for model in shown],
            title=f"{name} of each model, best first{best}",
        )
        figures.append(drawn(plot))
    measures = measures_table(material.overall, order, side_by_side=SIDE_BY_SIDE)
    if compared is None:
        return part(figures=figures, tables=[measures])
    tables: list[Table | Part] = [measures]
    if 2 < len(compared.models) <= MOST_MATRIX:
        figures.append(drawn(plots.comparison_matrix(renamed(compared, material.model_names))))
    if compared.ranks and (len(compared.models) > 2 or material.assessment.task == "graded"):
        tables.insert(0, _leaderboard(material, compared))
    tables.append(_pairs(compared))
    notes = [note for note in compared.notes if note not in material.table.notes]
    return part(" ".join(compared.remarks), figures, tables, notes)


def renamed(compared: "Comparison", names: dict[str, str]) -> "Comparison":
    """The comparison with names as they are shown."""
    return replace(
        compared,
        pairs=tuple(replace(pair, a=names[pair.a], b=names[pair.b]) for pair in compared.pairs),
        models=tuple(names[model] for model in compared.models),
        values={names[model]: value for model, value in compared.values.items()},
    )


def _pairs(compared: "Comparison") -> Part:
    """Every pair, the better model first."""
    place = {model: at for at, model in enumerate(compared.order)}
    pairs = [pair if place[pair.a] < place[pair.b] else pair.reversed for pair in compared.pairs]
    pairs.sort(key=lambda pair: (place[pair.a], place[pair.b]))
    adjusted = ", Holm-adjusted" if compared.correction == "holm" else ""
    title = f"Differences in {measure_name(compared.measure)}{adjusted}"
    table = pairs_table(pairs, compared.level, title=title)
    return shown_table(table, folded=len(pairs) > 21)


def _leaderboard(material: Material, compared: "Comparison") -> Table:
    """Each model with its interval and its rank confidence set, best first."""
    first, items = compared.order[0], compared.unit == "items"
    columns = [
        Column("model", kind="name"),
        Column(compared.measure, measure_name(compared.measure), "measured"),
        Column("ranks", f"rank ({ci(compared.level)})"),
    ]
    title = "Leaderboard with simultaneous rank confidence sets"
    if items:
        columns.append(Column("won", "win-tie-loss"))
        title += f"; items won, tied and lost against {material.model_names[first]}"
    rows: list[tuple[object, ...]] = []
    for rank in compared.ranks:
        row: tuple[object, ...] = (
            rank.model,
            Measured.of(material.main_estimate(rank.model)),
            rank.words,
        )
        if items:
            won = compared[rank.model, first].won if compared.tested(rank.model, first) else None
            row = (*row, "-".join(map(str, won)) if won else "–")
        rows.append(row)
    return Table("ranks", title, tuple(columns), rows)


# --- classes -------------------------------------------------------------------------------------


def confusion(material: Material) -> Part | None:
    """Counts by true and predicted class, the best model first; the most frequent errors."""
    counted = material.assessment.confusion
    if not counted:
        return None
    small = len(material.assessment.classes) <= FEW_CLASSES
    chosen = [model for model in material.order if model in counted]
    chosen = chosen[: FEW_MODELS if small else 1]
    first, figures = counted[chosen[0]], []
    tables: list[Table | Part | None] = [_errors(first)]
    if first.k <= MANY_CLASSES:
        figures = [
            drawn(plots.confusion_matrix(counted[m], title=material.model_names[m])) for m in chosen
        ]
        table = confusion_table(first)
        tables.append(shown_table(table, folded=first.k > 5))
    if first.k <= MOST_CLASSES and material.estimate(chosen[0], "kappa") is not None:
        tables.append(chance_table(first))
    pooled = [f"Counts of {material.splits} splits are added up."] if material.splits > 1 else []
    lead = f"True class down, predicted class across. Tables: {material.model_names[chosen[0]]}."
    return part(lead, figures, tables, pooled, beside=bool(figures) and not small)


def _errors(counted: Contingency) -> Table | None:
    """The confusions that happen most, as shares of the true class and of all errors."""
    wrong = np.flatnonzero(counted.rows != counted.columns)
    order = wrong[np.argsort(-counted.count[wrong], kind="stable")[:MOST_ERRORS]]
    if not order.size or counted.k == 2:
        return None
    errors = float(counted.count[wrong].sum())
    columns = (
        Column("y_true", "true class", "name"), Column("y_pred", "predicted class", "name"),
        Column("count", "rows", "count"), Column("of_class", "of the true class", "share"),
        Column("of_errors", "of all errors", "share"),
    )  # fmt: skip
    rows = []
    for at in order.tolist():
        row, column, many = counted.rows[at], counted.columns[at], float(counted.count[at])
        shares = many / float(counted.actual[row]), many / errors
        rows.append((counted.classes[row], counted.classes[column], many, *shares))
    return Table("confusions", "Most frequent errors", columns, rows)


def classes(material: Material) -> Part | None:
    """Recall, precision and F1 of each class of the best model, hardest first."""

    def recall_of(class_: Label) -> float:
        estimate = material.estimate(material.best, "recall", class_)
        return math.inf if estimate is None or math.isnan(estimate.value) else estimate.value

    ranked = sorted(material.assessment.classes, key=recall_of)
    table = classes_table(material.assessment.estimates, material.best, ranked)
    if table is None:
        return None
    title = f"{material.model_names[material.best]}: each class against the rest"
    return part(tables=[replace(table, title=title)])


# --- numbers, slices, regions --------------------------------------------------------------------


def residuals(material: Material) -> Part | None:
    """The density of the best model's predictions and residuals; never single rows."""
    if material.assessment.task != "regression":
        return None
    record = curves.predicted(material.table, material.order[0])
    names = [material.model_names[material.order[0]]]
    figures = [
        drawn(plots.predicted(record, names, residuals=residual)) for residual in (False, True)
    ]
    lead = (
        "Residuals are actual minus predicted. Where their means differ from 0 the model is "
        "biased; where they spread, its errors grow with the prediction."
    )
    return part(lead, figures)


def slices(material: Material) -> Part | None:
    """Each slice with its interval, against the rest."""
    compared = None if material.compared is None else material.compared.slices
    records = [one for one in (material.assessment.slices, compared) if one is not None]
    if not records:
        return None
    tables = [table for record in records for table in record.tables()]
    return part(records[0].summary, (), tables, [n for record in records for n in record.notes])


def regions(material: Material) -> Part | None:
    """Which class each model predicts over two features; without rows."""
    if not material.regions:
        return None
    stages = {*material.every.stages} - {*material.order}
    records = [record for record in material.regions if record.model not in stages]
    figures: list[dict[str, Any]] = []
    for record in records[:MOST_LINES]:
        name = material.model_names.get(record.model, record.model)
        figures.append(drawn(plots.regions(record, [name], points=False, normals=True)))
    lead = (
        "The class that each model, fitted on all rows, predicts over two features; of each class "
        "the mean and lines of one and two standard deviations."
    )
    more = [f"{MOST_LINES} of {len(records)} models are shown."] * (len(records) > MOST_LINES)
    return part(lead, figures, (), more)
