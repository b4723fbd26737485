"""How every number was computed."""

from heliast import measures
from heliast._core.numbers import count
from heliast.estimates import Estimate
from heliast.views.report.material import Material, Part, Section
from heliast.views.report.tables import cell, table

TRAINED = "these rows, trained on, and no others"
TARGETS = {
    "model": "this fitted model, on new rows from the same population",
    "algorithm": "this recipe, trained on as many rows like these",
}


def build(material: Material) -> Part:
    rows = []
    for name in material.overall:
        found = [material.estimate(model, name) for model in material.order]
        known = [one for one in found if one is not None]
        declared = measures.titled(name)
        methods = ", ".join(dict.fromkeys(one.method for one in known if one.method))
        targets = ", ".join(dict.fromkeys(TARGETS[one.target] for one in known if one.defined))
        if material.found.in_train != "none" and targets:
            targets = TRAINED
        sizes = [one.n for one in known if one.n == one.n]
        rows.append(
            [
                cell(name),
                cell(declared.meaning),
                cell("higher" if declared.better == "high" else "lower"),
                cell(methods or "none"),
                cell(_covered(known)),
                cell(targets),
                cell(count(max(sizes)) if sizes else "–"),
            ]
        )
    words = ("what it is", "better", "interval", "measured to cover", "speaks of")
    columns = ["measure", *words, "rows"]
    lead = (
        f"Intervals are at {100 * material.level:g}%: the method is named with each number, and "
        "chosen by the form of the measure and the design of the splits. Two models are told "
        "apart only if the interval and the p value, corrected for the number of pairs, agree. "
        "How often such intervals held the truth was measured on simulated data, as near as "
        "possible to these in design, rows and rows of the rarest class."
    )
    caption = "Every measure: its meaning, its interval and what it speaks of"
    return {"lead": lead, "tables": [table("methods", caption, columns, rows, words=words)]}


def _covered(estimates: list[Estimate]) -> str:
    """What was measured of intervals like these; a dash where nothing was."""
    found = next((one.coverage for one in estimates if one.coverage is not None), None)
    if found is None:
        return "–"
    ends = f"{100 * found.lowest:.0f} to {100 * found.highest:.0f}%"
    return f"{ends} in {found.cells} simulated worlds of {count(found.n)} rows"


SECTION = Section("methods", "How every number was computed", build, short="Methods")
