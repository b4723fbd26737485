"""How clearly votes are won: the distribution of margins over the rows."""

from heliast import theory
from heliast.views import drawings
from heliast.views.report.material import Material, Part, Section
from heliast.views.report.sections.members import families
from heliast.views.report.tables import drawn, figure, named, table

MOST_MODELS = 6


def build(material: Material) -> Part | None:
    largest = {points[-1][1].model for points in families(material).values()}
    chosen = [model for model in material.scored if model in largest or _votes(material, model)]
    chosen = chosen[:MOST_MODELS]
    if not chosen:
        return None
    found = [theory.margins(material.table, model=model) for model in chosen]
    names = [material.model_names[model] for model in chosen]
    rows = [
        [named(name, one.model), figure(one.mean), figure(float(one.at_most(0.0)))]
        for name, one in zip(names, found, strict=True)
    ]
    columns = ["model", "mean margin", "share at most 0"]
    caption = "Margins: votes for the right class less those for the strongest other"
    return {
        "lead": "A vote is right if its margin is above 0; the further right, the safer.",
        "figures": [drawn(drawings.margins(found, names))],
        "tables": [table("margins", caption, columns, rows)],
        "notes": list(dict.fromkeys(note for one in found for note in one.notes)),
    }


def _votes(material: Material, model: str) -> bool:
    return material.table.score_kind_of(model) == "votes"


SECTION = Section("margins", "How clearly votes are won", build, short="Margins")
