"""Graded answers: which items tell models apart, where these disagree, and what grades cost."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from heliast import measures
from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._core.numbers import count, number, percent
from heliast.views import plots
from heliast.views.fronts import pareto
from heliast.views.numbers import writes
from heliast.views.report.material import Material, Part, Section
from heliast.views.report.sections.models import MOST_DRAWN, MOST_ROWS
from heliast.views.report.tables import Cell, Table, cell, drawn, estimated, named, shown, table
from heliast.views.report.tiles import title

if TYPE_CHECKING:
    from heliast.verbs.comparison import Comparison

MOST_NAMED = 20
"""Items of each kind that are named, the first ones."""
NONE, ONE, ALL = "no model", "only one model", "all models"


# --- items -------------------------------------------------------------------------------------


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

    @classmethod
    def of(cls, material: Material) -> "Solved | None":
        """None where models have no items in common."""
        models = material.found.models
        if len(models) > 1:
            if material.compared is None:
                return None
            models = material.compared.order
        columns, labels, names = [], [], None
        for model in models:
            part = material.table.only(model)
            rows = part.rows()
            attempts = rows.y_pred[:, None] if rows.scores is None else rows.scores
            best = np.asarray((attempts >= _best(material)).any(axis=1))
            # Models may list the items in orders of their own.
            if names is None:
                names = part.row
            place: Any = slice(None) if part.row is None else np.argsort(part.row, kind="stable")
            columns.append(best[place])
            labels.append(rows.y_pred[place])
        by, grade = np.stack(columns, axis=1), np.mean(labels, axis=0)
        if names is None:
            return cls(models, by, grade, None)
        back = np.argsort(np.argsort(names, kind="stable"), kind="stable")
        return cls(models, by[back], grade[back], names)

    @property
    def kinds(self) -> dict[str, Array]:
        """The items that no model solves, that one does, some, and all."""
        many, models = self.by.sum(axis=1), len(self.models)
        if models == 1:
            return {NONE: many == 0, ALL: many == 1}
        found = {NONE: many == 0, ONE: many == 1}
        if models > 2:
            some = "2 models" if models == 3 else f"2 to {models - 1} models"
            found[some] = (many > 1) & (many < models)
        return {**found, ALL: many == models}


def _best(material: Material) -> float:
    return (material.table.meta.bounds or (0.0, 1.0))[1]


def items(material: Material) -> Part | None:
    """How many items all models fail, one alone solves, and all solve, and which these are."""
    if material.found.task != "graded":
        return None
    solved = Solved.of(material)
    if solved is None or not solved.by.any():
        return None
    best = f"the best grade possible ({_best(material):g})"
    lead = f"An item is solved by a model that has {best} for it"
    lead += ", in one attempt at least." if material.table.scores is not None else "."
    tables = [_counts(solved)]
    if len(solved.models) > 1:
        lead += (
            " Items that no model solves may be too hard, or wrongly graded; those that all solve "
            "tell no models apart."
        )
        tables.append(_alone(material, solved))
    if solved.names is not None:
        tables.append(_named(material, solved))
    return {"lead": lead, "tables": tables, "notes": _more_attempts(material, solved.models)}


def _more_attempts(material: Material, models: Sequence[str]) -> list[str]:
    """A warning where one model had more attempts to solve the items in than another."""
    if material.table.scores is None:
        return []
    parts = {model: material.table.only(model).rows() for model in models}
    tries = {
        model: 1.0 if rows.scores is None else float((~np.isnan(rows.scores)).sum() / rows.n)
        for model, rows in parts.items()
    }
    least, most = min(models, key=tries.__getitem__), max(models, key=tries.__getitem__)
    if tries[least] == tries[most]:
        return []
    had = ", ".join(f"{material.model_names[one]} {tries[one]:.3g}" for one in (most, least))
    return [
        f"attempts at an item on average: {had}; with more of them a model solves more items by "
        "chance, which grade and pass@k allow for"
    ]


def _counts(solved: Solved) -> Table:
    n = len(solved.by)
    rows = [
        [cell(kind), cell(count(many), many), cell(percent(many / n), many / n)]
        for kind, many in ((kind, int(which.sum())) for kind, which in solved.kinds.items())
    ]
    return table("solved", "Items, by who solves them", ["solved by", "items", "share"], rows)


def _alone(material: Material, solved: Solved) -> Table:
    many, models = solved.by.sum(axis=1), len(solved.models)
    rows = []
    for at, model in enumerate(solved.models):
        own = solved.by[:, at]
        sizes = [
            int(which.sum()) for which in (own, own & (many == 1), ~own & (many == models - 1))
        ]
        rows.append(
            [named(material.model_names[model], model), *(cell(count(n), n) for n in sizes)]
        )
    columns = ["model", "solves", "it alone solves", "it alone fails"]
    return table("alone", "Items that each model solves", columns, rows, folded=models > MOST_ROWS)


def _named(material: Material, solved: Solved) -> Table:
    """The first items of each kind but those that some models solve, by name."""
    names, kinds, rows = solved.names, solved.kinds, list[list[Cell]]()
    assert names is not None
    for kind in (NONE, ONE, ALL):
        places = np.flatnonzero(kinds.get(kind, ()))[:MOST_NAMED]
        short = shown(names[places].tolist())
        for at, name in zip(places.tolist(), short, strict=True):
            who, mean = kind, float(solved.grade[at])
            if kind == ONE:
                who = f"{material.model_names[solved.models[int(solved.by[at].argmax())]]} alone"
            rows.append([named(name, names[at]), cell(who), cell(number(mean), mean)])
    caption = f"Items that {NONE}, {ONE} and {ALL} solve: the first {MOST_NAMED} of each, by name"
    columns = ["item", "solved by", "mean grade"]
    return table("items", caption, columns, rows, words=("solved by",), folded=True)


ITEMS = Section("items", "Items that tell models apart", items, short="Items")


# --- pairs of models -----------------------------------------------------------------------------


def disagreement(material: Material) -> Part | None:
    """On what share of the items two models have different grades."""
    compared = material.compared
    if material.found.task != "graded" or compared is None or compared.unit != "items":
        return None
    models = compared.order[:MOST_ROWS]
    if not all(compared.tested(a, b) for a in models for b in models if a != b):
        raise InputError("there are so many models that not every pair is compared")
    shares = _differ(compared, models)
    names = [material.model_names[model] for model in models]
    told = len(models) <= MOST_DRAWN
    rows = []
    for row, a in enumerate(models):
        line = [named(names[row], a)]
        for column, b in enumerate(models):
            share = float(shares[row, column])
            tip = "-".join(map(str, compared[a, b].won or ())) if told and a != b else ""
            line.append(cell("") if a == b else cell(f"{share:.0%}", round(share, 6), tip=tip))
        rows.append(line)
    caption = f"Share of items on which {title(compared.measure).lower()} differs"
    if len(models) < len(compared.order):
        caption += f", of the best {len(models)} of {len(compared.order):,} models"
    made = table("disagreement", caption, ["model", *names], rows, folded=not told)
    return {"lead": _extremes(shares, names), "tables": [made | {"matrix": True}],
            "notes": _of_attempts(material)}  # fmt: skip


def _differ(compared: "Comparison", models: Sequence[str]) -> Array:
    found = np.zeros((len(models), len(models)))
    for row, a in enumerate(models):
        for column, b in enumerate(models[:row]):
            won, tied, lost = compared[a, b].won or (0, 1, 0)
            found[row, column] = found[column, row] = (won + lost) / (won + tied + lost)
    return found


def _extremes(shares: Array, names: Sequence[str]) -> str:
    """Who differs most and least."""
    rows, columns = np.triu_indices(len(names), 1)
    between = shares[rows, columns]
    most, least = int(between.argmax()), int(between.argmin())
    words = [f"{names[rows[at]]} and {names[columns[at]]}" for at in (most, least)]
    if len(names) == 2:
        return f"{words[0]} differ on {between[0]:.0%} of the items."
    return (
        f"{words[0]} differ most, on {between[most]:.0%} of the items, {words[1]} least, on "
        f"{between[least]:.0%}. Models that differ on many items and are as good on average can do "
        "more together than alone."
    )


def _of_attempts(material: Material) -> list[str]:
    if material.table.scores is None:
        return []
    return [
        "grades of an item are means over its attempts, so that chance alone lets a model differ "
        "from itself"
    ]


DISAGREEMENT = Section("disagreement", "Where models disagree", disagreement, short="Disagree")


# --- what it costs -------------------------------------------------------------------------------


def spending(material: Material) -> Part | None:
    """What an attempt takes against what the answers are worth, where such a column was kept."""
    if material.found.task != "graded" or len(material.order) < 2:
        return None
    taken = [name for name in material.overall if measures.titled(name).spends]
    taken = [name for name in taken if name != material.measure and _front(material, name)]
    if not taken:
        return None
    figures = [drawn(_plot(material, name)) for name in taken]
    tables = [_spent(material, name) for name in taken]
    # One picture leaves room at its side for a table that is not folded.
    return {
        "figures": figures,
        "tables": tables,
        "beside": len(taken) == 1 and not tables[0]["folded"],
    }


def _values(material: Material, name: str) -> tuple[list[Any], list[Any]]:
    spent = [material.estimate(model, name) for model in material.order]
    return spent, [material.headline(model) for model in material.order]


def _front(material: Material, name: str) -> tuple[int, ...]:
    spent, worth = _values(material, name)
    if None in spent:
        return ()
    values = [one.value for one in spent], [one.value for one in worth]
    return pareto(*values, better=material.better)


def _plot(material: Material, name: str) -> plots.Plot:
    names = [material.model_names[model] for model in material.order]
    heading = f"{title(material.measure)} against {title(name).lower()}"
    spent, worth = _values(material, name)
    return plots.trade_off(spent, worth, names, better=material.better, title=heading)


def _spent(material: Material, name: str) -> Table:
    front = _front(material, name)
    rows = [
        [
            named(material.model_names[model], model),
            estimated(spent, spent.reason),
            estimated(worth, worth.reason, writes(material.measure)),
            cell("yes" if at in front else "no", tone="good" if at in front else ""),
        ]
        for at, (model, spent, worth) in enumerate(
            zip(material.order, *_values(material, name), strict=True)
        )
    ]
    caption = f"{title(name)} and {material.measure}; on the front: no other is as good for less"
    columns = ["model", name, material.measure, "on the front"]
    folded = len(rows) > MOST_DRAWN
    return table(f"spent-{name}", caption, columns, rows, words=("on the front",), folded=folded)


SPENDING = Section("spending", "What grades cost", spending, short="Cost")
