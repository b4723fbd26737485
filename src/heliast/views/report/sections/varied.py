"""What a plan varied: learning curves, and robustness to wrong labels."""

from collections.abc import Callable

from heliast import curves
from heliast.curves import Learning
from heliast.views import drawings
from heliast.views.numbers import number
from heliast.views.report.material import Material, Part, Section
from heliast.views.report.tables import cell, drawn, figure, named, table

MOST_MODELS = 6


def build(material: Material) -> Part | None:
    splits = material.every.splits
    part: Part = {"figures": [], "tables": []}
    if len({split.train_share for split in splits} - {None}) > 1:
        _add(part, material, curves.learning, "training rows", "learning")
    if len({split.noise for split in splits} - {None}) > 1:
        _add(part, material, curves.noise, "share of wrong labels", "noise")
    return part if part["figures"] else None


def _add(
    part: Part, material: Material, curve: Callable[..., Learning], what: str, name: str
) -> None:
    models = material.order[:MOST_MODELS]
    found = [curve(material.every, material.measure, model) for model in models]
    names = [material.model_names[model] for model in models]
    part["figures"].append(drawn(drawings.learning(found, names)))
    rows = [
        [named(shown, one.model), cell(number(x), x), figure(value), figure(spread), cell(str(n))]
        for shown, one in zip(names, found, strict=True)
        for x, value, spread, n in zip(
            one.x.tolist(), one.value.tolist(), one.spread.tolist(), one.splits.tolist(),
            strict=True,
        )
    ]  # fmt: skip
    columns = ["model", what, material.measure, "spread over splits", "splits"]
    caption = f"{material.measure} against {what}"
    part["tables"].append(table(name, caption, columns, rows, folded=True))


SECTION = Section("varied", "More data, noisier labels", build, short="Learning")
