"""Tables that several records and the report share: measures, classes, confusions, pairs."""

import math
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from heliast import measures as registry
from heliast._core.errors import InputError
from heliast._core.labels import Label
from heliast.estimates import Estimate
from heliast.measures.summaries import Contingency
from heliast.views.numbers import Measured, capital, ci, measure_name
from heliast.views.record import Column, Table
from heliast.views.terminal import cell_text as cell_text

SIDE_BY_SIDE = 3
"""Of more models than this each has a row of its own."""
MOST_CLASSES = 12
"""So few classes that a confusion matrix is shown with its margins."""


def better_of(title: str) -> str:
    """Which values of a measure are better, `high` or `low`; empty for one we do not know."""
    with suppress(InputError):
        return registry.titled(title).better
    return ""


def mark_best(cells: Iterable[Measured | None], better: str) -> list[Measured | None]:
    """The cells with the best of them marked; as they are if there is no best.

    >>> [cell.mark for cell in mark_best([Measured(0.1), Measured(0.2)], "high")]
    ['', 'best']
    """
    cells = list(cells)
    values = [cell.value for cell in cells if cell is not None and math.isfinite(cell.value)]
    if len(cells) < 2 or not values or not better:
        return cells
    best = min(values) if better == "low" else max(values)
    return [
        replace(cell, mark="best") if cell is not None and cell.value == best else cell
        for cell in cells
    ]


def best_first(estimates: Sequence[Estimate]) -> list[Estimate]:
    """Estimates of one measure of several models, the best first; undefined ones last."""
    sign = -1.0 if estimates and better_of(estimates[0].measure) == "high" else 1.0
    return sorted(estimates, key=lambda one: (math.isnan(one.value), sign * one.value))


def measures_table(
    estimates: Iterable[Estimate], models: Sequence[str], *, side_by_side: int = SIDE_BY_SIDE
) -> Table:
    """Measures by models, each with its interval; of many models, models by measures.

    Side by side the measures are in the order of the estimates, else the key figures come first;
    values of single classes are left out.
    """
    overall = [estimate for estimate in estimates if estimate.class_ is None]
    titles = list(dict.fromkeys(estimate.measure for estimate in overall))
    if len(models) > side_by_side:
        usual = dict.fromkeys((titles[0], *registry.KEY_FIGURES, *titles))
        titles = [title for title in usual if title in titles]
    cells: dict[tuple[str, str], Measured] = {}
    for estimate in overall:
        kappa = estimate.measure == "kappa" and estimate.defined and len(models) == 1
        word = registry.kappa_word(estimate.value) if kappa else ""
        cells[estimate.measure, estimate.model] = Measured.of(estimate, word=word)
    lines = [
        (title, mark_best([cells.get((title, model)) for model in models], better_of(title)))
        for title in titles
    ]
    heading = f"Measures ({ci(overall[0].level)})" if overall else "Measures"
    if len(models) <= side_by_side:
        columns = [Column("measure")]
        columns += [Column(model, model, "measured", never_cut=True) for model in models]
        rows = [(capital(measure_name(title)), *line) for title, line in lines]
        return Table("measures", heading, tuple(columns), rows, most_rows=60)
    columns = [Column("model", kind="name", never_cut=True)]
    columns += [
        Column(title, measure_name(title), "measured", never_cut=place == 0)
        for place, title in enumerate(titles)
    ]
    by_model = zip(models, zip(*(line for _, line in lines), strict=True), strict=True)
    return Table("measures", heading, tuple(columns), [(model, *row) for model, row in by_model])


def classes_table(
    estimates: Iterable[Estimate], model: str, classes: Sequence[Label], most: int = 4
) -> Table | None:
    """Recall, precision and F1 of each class; None where they were not computed."""
    cells = {
        (estimate.class_, estimate.measure): Measured.of(estimate)
        for estimate in estimates
        if estimate.model == model and estimate.class_ is not None
    }
    usual = ("recall", "precision", "f1", "auc")
    known = {title for _, title in cells}
    titles = [title for title in usual if title in known][:most]
    if not titles:
        return None
    columns = [Column("class", kind="name", never_cut=True)]
    columns += [Column(title, measure_name(title), "measured") for title in titles]
    rows = [(class_, *(cells.get((class_, title)) for title in titles)) for class_ in classes]
    return Table("classes", "Each class against the rest", tuple(columns), rows, most_rows=40)


def confusion_table(counted: Contingency, *, detail: bool = False) -> Table:
    """The confusion matrix: true class down, predicted class across, with its margins.

    Where class counts were fixed by design and prevalences are not given, what would need the
    shares of the classes (share, precision) is left out.

    >>> table = confusion_table(Contingency.of_counts([[7, 3], [5, 15]], ("c1", "c2")))
    >>> [cell_text(cell, "share") for cell in table.foot[2]]
    ['precision', '58.3%', '83.3%', '', '', '73.3%']
    """
    few = counted.k <= MOST_CLASSES
    with np.errstate(divide="ignore", invalid="ignore"):
        hits, actual, decided = (part / counted.n for part in counted.margins[:3])
        recall, precision = hits / actual, hits / decided
    columns = [Column("y_true", "true \\ predicted", "name", never_cut=True)]
    columns += [
        Column(f"predicted_{name}", str(name), "count", never_cut=few) for name in counted.classes
    ]
    columns += [Column("total", kind="count"), Column("share", kind="share")]
    columns += [Column("recall", kind="share")]
    sides = zip(counted.actual.tolist(), actual.tolist(), recall.tolist(), strict=True)
    lines = zip(counted.classes, counted.counts.tolist(), sides, strict=True)
    rows = [(class_, *counts, *side) for class_, counts, side in lines]
    foot: list[tuple[object, ...]] = [
        ("total", *counted.decided.tolist(), float(counted.n), "", ""),
        ("share", *map(_share, decided.tolist()), "", "", ""),
        ("precision", *map(_share, precision.tolist()), "", "", float(hits.sum())),
    ]
    if counted.by_class and counted.prevalence is None:
        columns = [column for column in columns if column.name != "share"]
        rows = [(*row[:-2], row[-1]) for row in rows]
        foot = [foot[0][:-1]]
    title = "Confusion matrix"
    return Table("confusion", title, tuple(columns), rows, tuple(foot), 40, detail=detail)


def _share(value: float) -> Measured | None:
    return None if math.isnan(value) else Measured(value, unit="percent")


def chance_table(counted: Contingency) -> Table:
    """The counts that a random classifier with the same totals would give: what kappa rests on."""
    columns = [Column("y_true", "true \\ predicted", "name", never_cut=True)]
    columns += [Column(f"predicted_{name}", str(name), "number") for name in counted.classes]
    chance = counted.chance.tolist()
    rows = [(class_, *row) for class_, row in zip(counted.classes, chance, strict=True)]
    title = "Counts expected by chance, with the same totals"
    return Table("chance", title, tuple(columns), rows, detail=True)


def pairs_table(
    pairs: Sequence[Any], level: float, *, most_rows: int = 21, title: str = "Every pair of models"
) -> Table:
    """Differences of pairs of models: a minus b with its interval, p and the verdict on a."""
    columns: tuple[Column, ...] = (
        Column("a", kind="name", never_cut=True),
        Column("b", kind="name", never_cut=True),
        Column("difference", f"a minus b [{ci(level)}]", "measured", never_cut=True),
        Column("p", kind="p", never_cut=True),
        Column("verdict", "a is", "verdict", never_cut=True),
        Column("method"),
    )
    alike = len({pair.method for pair in pairs}) < 2
    rows: list[tuple[object, ...]] = []
    for pair in pairs:
        size = Measured.difference(pair, "best" if pair.significant else "")
        rows.append((pair.a, pair.b, size, pair.p, pair.verdict, pair.method))
    if alike:
        columns, rows = columns[:-1], [row[:-1] for row in rows]
    return Table("pairs", title, columns, rows, most_rows=most_rows)
