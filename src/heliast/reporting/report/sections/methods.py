"""How every number was computed."""

from heliast import measures
from heliast.reporting.numbers import count
from heliast.reporting.report.material import Material
from heliast.reporting.report.registry import Part, Section
from heliast.reporting.report.tables import cell, table

TARGETS = {
    "model": "this fitted model, on new rows from the same population",
    "procedure": "this recipe, trained on as many rows like these",
}


def build(material: Material) -> Part:
    rows = []
    for name in material.overall:
        found = [material.estimate(model, name) for model in material.order]
        known = [one for one in found if one is not None]
        declared = measures.get(name.split("(")[0])
        methods = ", ".join(dict.fromkeys(one.method for one in known if one.method))
        targets = ", ".join(dict.fromkeys(TARGETS[one.target] for one in known if one.defined))
        sizes = [one.n for one in known if one.n == one.n]
        rows.append(
            [
                cell(name),
                cell(declared.meaning),
                cell("higher" if declared.better == "high" else "lower"),
                cell(methods or "none"),
                cell(targets),
                cell(count(max(sizes)) if sizes else "–"),
            ]
        )
    columns = ["measure", "what it is", "better", "interval", "speaks of", "rows"]
    words = ("what it is", "better", "interval", "speaks of")
    lead = (
        f"Intervals are at {100 * material.level:g}%: the method is named with each number, and "
        "chosen by the form of the measure and the design of the splits. A difference is called "
        "told from chance only if its interval and its p value, corrected for the number of pairs, agree."
    )
    caption = "Every measure: its meaning, its interval and what it speaks of"
    return {"lead": lead, "tables": [table("methods", caption, columns, rows, words=words)]}


SECTION = Section("methods", "How every number was computed", build, short="Methods")
