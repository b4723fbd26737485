"""Graded answers: which items separate models, where models disagree, and what grades cost."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from heliast import measures
from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast.views import plots
from heliast.views.fronts import pareto
from heliast.views.numbers import Measured, capital, measure_name
from heliast.views.record import Column, Table
from heliast.views.report.contents import Material, Part, drawn, part, shown_table
from heliast.views.report.sections.models import MOST_MATRIX, MOST_ROWS

if TYPE_CHECKING:
    from heliast.verbs.comparison import Comparison

MOST_NAMED = 20
"""Items of each kind that are named, the first ones."""
NONE, ONE, ALL = "no model", "only one model", "all models"


@dataclass(frozen=True)
class Solved:
    """Which models solve which items: `by` has a row for each item, a column for each model.

    `names` are the items in the order of the table, None where they have no names, and `grade`
    their mean grade over the models.
    """

    models: tuple[str, ...]
    by: Array
    grade: Array
    names: Array | None

    @property
    def kinds(self) -> dict[str, Array]:
        """The items that no model solves, that one does, some, and all."""
        many, models = self.by.sum(axis=1), len(self.models)
        if models == 1:
            return {NONE: many == 0, ALL: many == 1}
        kinds = {NONE: many == 0, ONE: many == 1}
        if models > 2:
            some = "2 models" if models == 3 else f"2 to {models - 1} models"
            kinds[some] = (many > 1) & (many < models)
        return {**kinds, ALL: many == models}


def solved_items(material: Material) -> Solved | None:
    """Which items have the best grade possible; None where models have no items in common."""
    models = material.assessment.models
    if len(models) > 1:
        if material.compared is None:
            return None
        models = material.compared.order
    columns, grades, names = [], [], None
    for model in models:
        table = material.table.only(model)
        rows = table.rows()
        attempts = rows.y_pred[:, None] if rows.scores is None else rows.scores
        names = table.row if names is None else names
        # Models may list the items in orders of their own.
        place: Any = slice(None) if table.row is None else np.argsort(table.row, kind="stable")
        columns.append(np.asarray((attempts >= _best_grade(material)).any(axis=1))[place])
        grades.append(rows.y_pred[place])
    by, grade = np.stack(columns, axis=1), np.mean(grades, axis=0)
    if names is None:
        return Solved(models, by, grade, None)
    back = np.argsort(np.argsort(names, kind="stable"), kind="stable")
    return Solved(models, by[back], grade[back], names)


def _best_grade(material: Material) -> float:
    return (material.table.meta.bounds or (0.0, 1.0))[1]


def items(material: Material) -> Part | None:
    """How many items no model, one alone and all models solve, and which these are."""
    if material.assessment.task != "graded":
        return None
    solved = solved_items(material)
    if solved is None or not solved.by.any():
        return None
    attempts = ", in one attempt at least" if material.table.scores is not None else ""
    lead = f"A model solves an item if its score is {_best_grade(material):g}, the best possible"
    lead += f"{attempts}. Items that all models solve, or none, do not separate them."
    n = len(solved.by)
    columns = (
        Column("solved_by", "solved by"),
        Column("items", kind="count"),
        Column("share", kind="share"),
    )
    sizes = {kind: int(which.sum()) for kind, which in solved.kinds.items()}
    rows = [(kind, size, size / n) for kind, size in sizes.items()]
    tables = [Table("solved", "Items by the models that solve them", columns, rows)]
    if len(solved.models) > 1:
        tables.append(_alone(solved))
    if solved.names is not None:
        tables.append(_named(solved, solved.names))
    return part(lead, (), tables, _unequal_attempts(material, solved.models))


def _unequal_attempts(material: Material, models: Sequence[str]) -> list[str]:
    """A warning where one model had more attempts to solve the items in than another."""
    if material.table.scores is None:
        return []
    tries = {}
    for model in models:
        rows = material.table.only(model).rows()
        tries[model] = (
            1.0 if rows.scores is None else float((~np.isnan(rows.scores)).sum() / rows.n)
        )
    least, most = min(models, key=tries.__getitem__), max(models, key=tries.__getitem__)
    if tries[least] == tries[most]:
        return []
    had = ", ".join(f"{material.model_names[one]} {tries[one]:.3g}" for one in (most, least))
    return [
        f"mean attempts at an item: {had}; more attempts solve more items by chance, which the "
        "mean grade and pass@k allow for"
    ]


def _alone(solved: Solved) -> Table:
    many, models = solved.by.sum(axis=1), len(solved.models)
    rows = []
    for at, model in enumerate(solved.models):
        own = solved.by[:, at]
        counts = own, own & (many == 1), ~own & (many == models - 1)
        rows.append((model, *(int(which.sum()) for which in counts)))
    columns = (
        Column("model", kind="name"), Column("solves", kind="count"),
        Column("alone_solves", "only it solves", "count"),
        Column("alone_fails", "only it fails", "count"),
    )  # fmt: skip
    return Table("alone", "Items that each model solves", columns, rows, detail=models > MOST_ROWS)


def _named(solved: Solved, names: Array) -> Table:
    """The first items of each kind but those that some models solve, by name."""
    rows = []
    for kind in (NONE, ONE, ALL):
        for at in np.flatnonzero(solved.kinds.get(kind, ()))[:MOST_NAMED].tolist():
            which = kind
            if kind == ONE:
                which = f"{solved.models[int(solved.by[at].argmax())]} alone"
            rows.append((str(names[at]), which, float(solved.grade[at])))
    columns = (
        Column("item", kind="name"), Column("solved_by", "solved by"),
        Column("grade", "mean grade", "number"),
    )  # fmt: skip
    title = f"Items that {NONE}, {ONE} and {ALL} solve: the first {MOST_NAMED} of each"
    return Table("items", title, columns, rows, detail=True)


# --- pairs of models -----------------------------------------------------------------------------


def disagreement(material: Material) -> Part | None:
    """On what share of the items two models have different grades."""
    compared = material.compared
    if material.assessment.task != "graded" or compared is None or compared.unit != "items":
        return None
    models = compared.order[:MOST_ROWS]
    if not all(compared.tested(a, b) for a in models for b in models if a != b):
        raise InputError("there are so many models that not every pair is compared")
    shares = _differing_shares(compared, models)
    columns = [Column("model", kind="name"), *(Column(model, model, "share") for model in models)]
    rows = [
        (a, *("" if a == b else Measured(round(float(share), 6), unit="percent")
              for b, share in zip(models, shares[row], strict=True)))
        for row, a in enumerate(models)
    ]  # fmt: skip
    best = f", the best {len(models)} of {len(compared.order):,} models"
    title = f"Share of items on which the {measure_name(compared.measure)} differs"
    title += best if len(models) < len(compared.order) else ""
    table = Table("disagreement", title, tuple(columns), rows, matrix=True)
    names = [material.model_names[model] for model in models]
    notes = [] if material.table.scores is None else [
        "grades of an item are means over its attempts, so a model differs by chance from itself"
    ]  # fmt: skip
    folded = len(models) > MOST_MATRIX
    return part(_extremes(shares, names), (), [shown_table(table, folded=folded)], notes)


def _differing_shares(compared: "Comparison", models: Sequence[str]) -> Array:
    shares = np.zeros((len(models), len(models)))
    for row, a in enumerate(models):
        for column, b in enumerate(models[:row]):
            won, tied, lost = compared[a, b].won or (0, 1, 0)
            shares[row, column] = shares[column, row] = (won + lost) / (won + tied + lost)
    return shares


def _extremes(shares: Array, names: Sequence[str]) -> str:
    """Which models differ most and least."""
    rows, columns = np.triu_indices(len(names), 1)
    between = shares[rows, columns]
    most, least = int(between.argmax()), int(between.argmin())
    pairs = [f"{names[rows[at]]} and {names[columns[at]]}" for at in (most, least)]
    if len(names) == 2:
        return f"{pairs[0]} differ on {between[0]:.0%} of the items."
    return (
        f"{pairs[0]} differ most, on {between[most]:.0%} of the items, {pairs[1]} least, on "
        f"{between[least]:.0%}. Models that are equally good and differ on many items can gain "
        "from an ensemble."
    )


# --- cost ----------------------------------------------------------------------------------------


def spending(material: Material) -> Part | None:
    """What an attempt costs against the grade, where such a column was kept."""
    if material.assessment.task != "graded" or len(material.order) < 2:
        return None
    worth = [material.main_estimate(model) for model in material.order]
    names = [material.model_names[model] for model in material.order]
    figures, tables = [], []
    for title in dict.fromkeys(one.measure for one in material.overall):
        spent = [material.estimate(model, title) for model in material.order]
        known = [estimate for estimate in spent if estimate is not None]
        if (
            not measures.titled(title).spends
            or title == material.measure
            or len(known) < len(spent)
        ):
            continue
        values = [one.value for one in known], [one.value for one in worth]
        front = pareto(*values, better=material.better)
        if not front:
            continue
        heading = f"{capital(measure_name(material.measure))} against {measure_name(title)}"
        plot = plots.trade_off(known, worth, names, better=material.better, title=heading)
        figures.append(drawn(plot))
        columns = (
            Column("model", kind="name"), Column(title, measure_name(title), "measured"),
            Column(material.measure, measure_name(material.measure), "measured"),
            Column("front", "Pareto front"),
        )  # fmt: skip
        rows = [
            (model, Measured.of(cost), Measured.of(value), "yes" if at in front else "no")
            for at, (model, cost, value) in enumerate(
                zip(material.order, known, worth, strict=True)
            )
        ]
        detail = len(rows) > MOST_MATRIX
        tables.append(Table(f"spent-{title}", heading, columns, rows, detail=detail))
    if not figures:
        return None
    lead = "On the Pareto front no other model has at least the grade for at most the cost."
    return part(lead, figures, tables, beside=len(figures) == 1 and not tables[0].detail)
