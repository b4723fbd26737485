"""Graded answers: which items separate models, where models disagree, and what grades cost."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from heliast import measures
from heliast._core.kinds import Array
from heliast.views import plots
from heliast.views.fronts import pareto
from heliast.views.numbers import capital, measure_name
from heliast.views.record import Column, Table
from heliast.views.report.contents import Material, Part, drawn, part

if TYPE_CHECKING:
    pass

MOST_NAMED = 20
"""Items of each kind that are named, the first ones."""
NONE, ONE, ALL = "no model", "only one model", "all models"


@dataclass(frozen=True)
class Solved:
    """Which models solve which items: `by` has a row for each item, a column for each model.

    `names` are the items in the order of the table, None where they have no names.
    """

    models: tuple[str, ...]
    by: Array
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
    columns, names = [], None
    for model in models:
        table = material.table.only(model)
        rows = table.rows()
        attempts = rows.y_pred[:, None] if rows.scores is None else rows.scores
        names = table.row if names is None else names
        # Models may list the items in orders of their own.
        place: Any = slice(None) if table.row is None else np.argsort(table.row, kind="stable")
        columns.append(np.asarray((attempts >= _best_grade(material)).any(axis=1))[place])
    by = np.stack(columns, axis=1)
    if names is not None:
        by = by[np.argsort(np.argsort(names, kind="stable"), kind="stable")]
    return Solved(models, by, names)


def _best_grade(material: Material) -> float:
    return (material.table.meta.bounds or (0.0, 1.0))[1]


def items(material: Material) -> Part | None:
    """How many items no model, one alone and all models solve, and which these are."""
    if material.assessment.task != "graded":
        return None
    solved = solved_items(material)
    if solved is None or not solved.by.any():
        return None
    attempts = ""
    if material.table.scores is not None:
        attempts = ", in one attempt at least: more attempts solve more items by chance"
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
    if solved.names is not None:
        tables.append(_named(solved, solved.names))
    return part(lead, (), tables)


def _named(solved: Solved, names: Array) -> Table:
    """The first items of each kind but those that some models solve, by name."""
    rows = []
    for kind in (NONE, ONE, ALL):
        for at in np.flatnonzero(solved.kinds.get(kind, ()))[:MOST_NAMED].tolist():
            which = kind
            if kind == ONE:
                which = f"{solved.models[int(solved.by[at].argmax())]} alone"
            rows.append((str(names[at]), which))
    columns = Column("item", kind="name"), Column("solved_by", "solved by")
    title = f"Items that {NONE}, {ONE} and {ALL} solve: the first {MOST_NAMED} of each"
    return Table("items", title, columns, rows, detail=True)


# --- cost ----------------------------------------------------------------------------------------


def spending(material: Material) -> Part | None:
    """What an attempt costs against the grade, where such a column was kept."""
    if material.assessment.task != "graded" or len(material.order) < 2:
        return None
    worth = [material.main_estimate(model) for model in material.order]
    names = [material.model_names[model] for model in material.order]
    figures = []
    for title in dict.fromkeys(one.measure for one in material.overall):
        spent = [material.estimate(model, title) for model in material.order]
        known = [estimate for estimate in spent if estimate is not None]
        if (
            not measures.titled(title).spends
            or title == material.measure
            or len(known) < len(spent)
        ):
            continue
        if not pareto([one.value for one in known], [one.value for one in worth]):
            continue
        heading = f"{capital(measure_name(material.measure))} against {measure_name(title)}"
        plot = plots.trade_off(known, worth, names, better=material.better, title=heading)
        figures.append(drawn(plot))
    if not figures:
        return None
    lead = "On the Pareto front no other model has at least the grade for at most the cost."
    return part(lead, figures)
