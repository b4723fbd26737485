"""The report of models over several data sets: ranks, pairs, and the values on each."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from heliast.predictions import Predictions
from heliast.views.numbers import Measured, capital, ci, measure_name
from heliast.views.record import Column, Table
from heliast.views.report.contents import Part, part
from heliast.views.report.sections.closing import UNKNOWN, fingerprint, stamp
from heliast.views.report.summary import summarise_record
from heliast.views.tables import better_of, mark_best

if TYPE_CHECKING:
    from heliast.verbs.assess import Assessment
    from heliast.verbs.comparison import Comparison


@dataclass(frozen=True, eq=False)
class Sets:
    """Several data sets, the assessment of each, and the comparison over all of them."""

    tables: Mapping[str, Predictions]
    assessments: Mapping[str, "Assessment"]
    compared: "Comparison"
    title: str = ""
    command: str = ""
    seed: int = 0
    versions: Mapping[str, str] = field(default_factory=dict)


def summarise_sets(sets: Sets) -> Part:
    """The report of the comparison, with the values on each data set."""
    compared = sets.compared
    summary = summarise_record(compared, sets.title, sets.command, sets.versions)
    columns = [Column("data set", kind="name"), Column("rows", "rows tested", "count")]
    columns += [Column(model, model, "measured") for model in compared.order]
    rows = []
    for name, assessment in sets.assessments.items():
        cells = [Measured.of(assessment[model, compared.measure]) for model in compared.order]
        n = assessment.n / len(assessment.models)
        rows.append((name, n, *mark_best(cells, better_of(compared.measure))))
    title = f"{capital(measure_name(compared.measure))} on each data set ({ci(compared.level)})"
    values = part("", (), [Table("values", title, tuple(columns), rows)])
    notes = [f"{name}: {note}" for name, one in sets.assessments.items() for note in one.notes]
    notes = [f"{name} is left out: {why}" for name, why in compared.left_out.items()] + notes
    warned = [{"text": text, "do": ""} for text in dict.fromkeys(notes)]
    lines = [
        (name, f"data {one.meta.data_fingerprint or UNKNOWN}; predictions {fingerprint(one)}")
        for name, one in sets.tables.items()
    ]
    lines += [("seed of the report", str(sets.seed))]
    lines += [("command", sets.command or "heliast.report(...) in Python")]
    summary["sections"][-1:] = [
        {"key": "values", "title": "Data sets", "short": "Data sets", "template": "section.html",
         **values},
        {"key": "warnings", "title": "Warnings", "short": "Warnings", "template": "warnings.html",
         "warnings": warned, "inferred": [], "absent": []},
        stamp(lines, sets.versions),
    ]  # fmt: skip
    summary["facts"] = [
        {"name": "data sets", "value": str(len(sets.tables))},
        {"name": "models", "value": str(len(compared.models))},
        *summary["facts"],
    ]
    return summary
