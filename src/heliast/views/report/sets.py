"""The report of models over several data sets: who is best on the whole, and where."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from heliast.predictions import Predictions
from heliast.views import plots
from heliast.views.comparing import comparison_claims, p_words
from heliast.views.numbers import count
from heliast.views.report.material import Part
from heliast.views.report.sections.models import MOST_DRAWN, matrix, pairs, renamed
from heliast.views.report.sections.stamp import UNKNOWN, fingerprint
from heliast.views.report.tables import cell, drawn, estimated, named, shown, table
from heliast.views.report.tiles import title
from heliast.views.report.verdict import mark

if TYPE_CHECKING:
    from heliast.verbs.assess import Assessment
    from heliast.verbs.comparison import Comparison


@dataclass(frozen=True, eq=False)
class Sets:
    """Several data sets, what was found on each, and the comparison over all of them."""

    tables: Mapping[str, Predictions]
    found: Mapping[str, "Assessment"]
    compared: "Comparison"
    title: str = ""
    command: str = ""
    seed: int = 0
    versions: Mapping[str, str] = field(default_factory=dict)

    @property
    def names(self) -> dict[str, str]:
        """Models as shown."""
        models = self.compared.models
        return dict(zip(models, shown(models), strict=True))


def summarise_sets(sets: Sets) -> dict[str, Any]:
    """The same dict as that of one data set, with the sections that several call for."""
    compared = sets.compared
    word, tone = mark(compared)
    facts = [("data sets", count(len(sets.tables))), ("models", count(len(compared.models)))]
    facts.append(("confidence", f"{100 * compared.level:g}%"))
    return {
        "title": sets.title,
        "best": sets.names[compared.order[0]],
        "level": compared.level,
        "task": next(iter(sets.found.values())).task,
        "verdict": {"sentences": comparison_claims(compared), "word": word, "tone": tone},
        "facts": [{"name": name, "value": value} for name, value in facts],
        "tiles": [],
        "sections": [_models(sets), _values(sets), _warnings(sets), _stamp(sets)],
        "absent": [],
    }


def _models(sets: Sets) -> Part:
    compared, names = sets.compared, sets.names
    part: Part = {"key": "models", "title": "Models over all data sets", "short": "Models"}
    part |= {"template": "section.html", "figures": [], "notes": list(compared.notes)}
    part["lead"] = f"Which test, and why: {compared.reason_for_test}."
    part["tables"] = [pairs(compared, names)]
    if compared.omnibus is not None:
        one = compared.omnibus
        part["lead"] += f" All models at once: {one.method}, p {p_words(one.p)}."
    if compared.nemenyi is not None:
        labels = [names[model] for model in compared.models]
        plot = plots.critical_difference(compared.nemenyi, labels)
        part["figures"].append(drawn(plot))
    if 2 < len(compared.models) <= MOST_DRAWN:
        part["figures"].append(drawn(plots.plot(renamed(compared, names))))
    elif len(compared.models) > 2:
        part["tables"].insert(0, matrix(compared, names))
    return part


def _values(sets: Sets) -> Part:
    compared, names = sets.compared, sets.names
    rows = []
    for label, (name, found) in zip(shown(sets.found), sets.found.items(), strict=True):
        here = [found[model, compared.measure] for model in compared.order]
        ones = [estimated(one, one.reason) for one in here]
        rows.append([named(label, name), cell(count(found.n / len(found.models))), *ones])
    columns = ["data set", "rows tested", *(names[model] for model in compared.order)]
    caption = f"{title(compared.measure)} on each data set, with its interval"
    return {
        "key": "values", "title": "Every data set", "short": "Data sets",
        "template": "section.html", "tables": [table("values", caption, columns, rows)],
    }  # fmt: skip


def _warnings(sets: Sets) -> Part:
    left = [f"{name} is left out: {why}" for name, why in sets.compared.left_out.items()]
    said = [f"{name}: {note}" for name, found in sets.found.items() for note in found.notes]
    return {
        "key": "warnings", "title": "What to be careful about", "short": "Warnings",
        "template": "warnings.html", "inferred": [], "left_out": [], "absent": [],
        "warnings": [{"text": text, "do": ""} for text in dict.fromkeys([*left, *said])],
    }  # fmt: skip


def _stamp(sets: Sets) -> Part:
    said = [
        (name, f"data {one.meta.data_fingerprint or UNKNOWN}; predictions {fingerprint(one)}")
        for name, one in sets.tables.items()
    ]
    said += [("seed of the report", str(sets.seed))]
    said += [("command", sets.command or "heliast.report(...) in Python")]
    return {
        "key": "stamp", "title": "To make this report again", "short": "Reproduce",
        "template": "stamp.html",
        "stamp": [{"name": name, "value": value} for name, value in said],
        "versions": [{"name": k, "value": v} for k, v in sorted(sets.versions.items())],
    }  # fmt: skip
