"""What a report is made of: the material, sections, and tables and figures as plain dicts."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from heliast import measures
from heliast._core.labels import Label
from heliast._core.numbers import shorten
from heliast.curves import Regions
from heliast.estimates import Estimate
from heliast.predictions import Predictions
from heliast.views.numbers import Measured, plural, short_name
from heliast.views.plots import Plot
from heliast.views.record import Record, Table
from heliast.views.terminal import LEFT, Footnotes, cell_text

if TYPE_CHECKING:
    from heliast.verbs.assess import Assessment
    from heliast.verbs.comparison import Comparison

Part = dict[str, Any]
LONGEST, LONGEST_TIP = 32, 400
"""Characters of a name that a table shows, and of a tooltip."""
MOST_ROWS = 1000
SMALL, WIDE = 420, 640
"""Pixels of a plot of which three stand side by side, or that needs the whole page."""
TONES = {
    "better": "good", "pass": "good", "smaller": "good", "ranked": "", "worse": "bad",
    "fail": "bad", "larger": "bad", "inconclusive": "warn",
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Material:
    """What a report of one table is made from.

    `table` holds the test rows and `every` all predictions; `compared` is None where there is
    nothing to compare, and `alone` says why. The records of `top`, such as a gate or a combination,
    stand first.
    """

    table: Predictions
    every: Predictions
    assessment: "Assessment"
    compared: "Comparison | None" = None
    alone: str = ""
    measure: str = "error"
    cost: object = None
    prevalences: Mapping[Label, float] | None = None
    title: str = ""
    command: str = ""
    seed: int = 0
    regions: Sequence[Regions] = ()
    versions: Mapping[str, str] = field(default_factory=dict)
    top: Sequence[Record] = ()

    @property
    def level(self) -> float:
        return self.assessment.level

    @cached_property
    def better(self) -> str:
        return measures.titled(self.measure).better

    @cached_property
    def order(self) -> tuple[str, ...]:
        """The models, best first; those left out of the comparison or without a value last."""
        sign = 1.0 if self.better == "low" else -1.0
        compared = () if self.compared is None else self.compared.order

        def place(model: str) -> tuple[bool, float]:
            value = self.main_estimate(model).value
            return math.isnan(value), sign * value

        others = [model for model in self.assessment.models if model not in compared]
        return (*compared, *sorted(others, key=place))

    @property
    def best(self) -> str:
        """The model that was selected; else the first in order."""
        headline = self.assessment.headline
        validated = headline is not None and headline.validated
        return headline.estimate.model if headline is not None and validated else self.order[0]

    @cached_property
    def model_names(self) -> dict[str, str]:
        """Models as shown."""
        return shown_names(self.assessment.models)

    @cached_property
    def class_names(self) -> dict[Label, str]:
        """Classes as shown."""
        return shown_names(self.assessment.classes)

    @cached_property
    def _estimates(self) -> dict[tuple[str, str, object], Estimate]:
        return {(one.model, one.measure, one.class_): one for one in self.assessment.estimates}

    def estimate(self, model: str, measure: str, class_: object = None) -> Estimate | None:
        return self._estimates.get((model, measure, class_))

    def main_estimate(self, model: str) -> Estimate:
        """The estimate that models are ranked by."""
        estimate = self.estimate(model, self.measure)
        return Estimate(math.nan, reason="not assessed") if estimate is None else estimate

    @cached_property
    def overall(self) -> tuple[Estimate, ...]:
        """The estimates over all classes."""
        return tuple(one for one in self.assessment.estimates if one.class_ is None)

    @cached_property
    def tested(self) -> float:
        """The rows that the best model was tested on; some measures count a part of them."""
        titles = list(dict.fromkeys(estimate.measure for estimate in self.overall))
        estimate = self.estimate(self.best, measures.headline(titles)) if titles else None
        if estimate is None or math.isnan(estimate.n):
            return len(self.table) / max(len(self.assessment.models), 1)
        return estimate.n

    @property
    def scored(self) -> tuple[str, ...]:
        """The models with scores, best first."""
        return tuple(m for m in self.order if self.table.score_kind_of(m) is not None)

    @cached_property
    def splits(self) -> int:
        """How many splits the assessed rows come from."""
        return len(self.table.splits)


@dataclass(frozen=True)
class Section:
    """A part of the report. `build` gives what `part` makes, or None where it does not apply."""

    key: str
    title: str
    build: Callable[[Material], Part | None]
    short: str = ""
    template: str = "section.html"


def part(
    lead: str = "",
    figures: Iterable[dict[str, Any]] = (),
    tables: Iterable[Table | Part | None] = (),
    notes: Iterable[str] = (),
    **more: Any,
) -> Part:
    """What a template reads of a section."""
    made = [shown_table(table) if isinstance(table, Table) else table for table in tables if table]
    return {
        "lead": lead, "figures": list(figures), "tables": made,
        "notes": [*(note for table in made for note in table["footnotes"]), *dict.fromkeys(notes)],
        **more,
    }  # fmt: skip


def drawn(plot: Plot, *, live: str = "") -> dict[str, Any]:
    """A plot: `live` names the chart that takes its place where scripts run."""
    size = "small" if plot.width < SMALL else "wide" if plot.width > WIDE else ""
    return {"svg": plot.to_svg(), "size": size, "live": live}


# --- tables --------------------------------------------------------------------------------------


def shown_names(names: Iterable[Any]) -> dict[Any, str]:
    """The names as a page shows them: long ones are numbered, and cut in their middle.

    >>> list(shown_names(["tree", "a forest of 500 trees with depth 7, pruned"]).values())
    ['tree', '[1] a forest of 500…7, pruned']
    """
    shown: dict[Any, str] = {}
    for name in names:
        plain = short_name(name, LONGEST) or "(no name)"
        long = sum(text.startswith("[") for text in shown.values())
        cut = plain != str(name) or plain in shown.values()
        shown[name] = f"[{long + 1}] {short_name(name, LONGEST - 6)}" if cut else plain
    return shown


def shown_table(table: Table, *, folded: bool | None = None) -> Part:
    """A table as its template reads it; long names are cut, with the whole in the tooltip."""
    footnotes = Footnotes()
    rows = list(table.rows)[:MOST_ROWS]
    names = shown_names(
        dict.fromkeys(
            str(row[place])
            for place, column in enumerate(table.columns)
            for row in rows
            if column.kind == "name"
        )
    )
    columns = [
        {"title": short_name(column.heading, LONGEST), "numeric": column.kind not in LEFT}
        for column in table.columns
    ]
    cells = [
        [
            _cell(cell, column.kind, names, footnotes)
            for cell, column in zip(row, table.columns, strict=True)
        ]
        for row in [*rows, *table.foot]
    ]
    lost = len(table.rows) - len(rows)
    more = [f"{plural(lost, 'more row')}: to_frame() has all"] if lost else []
    return {
        "name": table.name, "caption": shorten(table.title, LONGEST_TIP), "columns": columns,
        "rows": cells[: len(rows)], "foot": cells[len(rows) :],
        "folded": table.detail if folded is None else folded,
        "footnotes": [*footnotes.lines, *([table.note] if table.note else []), *more],
    }  # fmt: skip


def _cell(cell: object, kind: str, names: Mapping[str, str], footnotes: Footnotes) -> Part:
    """One cell: what is shown, what is downloaded, its tooltip and its tone."""
    if isinstance(cell, Measured):
        shown = cell.figures
        made: Part = {"text": f"{shown.value}{'' if shown.known else footnotes.mark(cell.reason)}"}
        if math.isfinite(cell.value):
            made["value"] = cell.value
        if shown.known:
            made |= {"sub": shown.between.replace("%", ""), "low": cell.low, "high": cell.high}
        if cell.word:
            made["sub"] = ", ".join(filter(None, (made.get("sub", ""), cell.word)))
        if cell.mark == "best":
            made["tone"] = "hit"
        return made
    text = cell_text(cell, kind)
    if kind == "name":
        short = names.get(str(cell), text)
        tip = {} if short == str(cell) else {"tip": shorten(cell, LONGEST_TIP)}
        return {"text": short, "name": True, **tip}
    made = {"text": shorten(text, LONGEST_TIP)}
    if isinstance(cell, (int, float)) and not isinstance(cell, bool) and math.isfinite(cell):
        made["value"] = cell
    if kind == "verdict":
        word = text.lower().removeprefix("significantly ").split(" ")[0].rstrip(",:")
        made["tone"] = TONES.get(word, "")
    return made
