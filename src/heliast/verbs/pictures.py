"""Pictures by name: the records of a table or a benchmark, as SVG of our own or by matplotlib."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from heliast import curves, estimates, theory
from heliast._core.errors import InputError
from heliast._core.files import write_text, write_whole
from heliast._core.labels import Label
from heliast.measures.summaries import Contingency
from heliast.predictions import Predictions
from heliast.verbs.assess import assess
from heliast.verbs.benchmarked import Benchmark
from heliast.verbs.compare import compare
from heliast.views import displays, drawings
from heliast.views.sheets import tex

ENDINGS = (".svg", ".pdf", ".png", ".pgf")
OVER_SCORES = ("roc", "precision_recall", "gain", "lift", "cost", "calibration", "decision")
"""Curves over the scores of one class, which may take several splits together."""


@dataclass(frozen=True)
class Wanted:
    """What a picture is to show.

    Parameters
    ----------
    models : tuple of str
        Which models; none is all.
    class_ : label, optional
        The class that curves are about.
    measure : str, optional
        What is measured, where that is a choice.
    level : float
        The confidence level.
    pool : bool
        Whether curves take the rows of several splits together.
    """

    models: tuple[str, ...] = ()
    class_: Label | None = None
    measure: str | None = None
    level: float = 0.95
    pool: bool = False


Records = Callable[[Any, Wanted], Any]


@dataclass(frozen=True)
class Picture:
    """How a picture gets its records, and whether it is of a benchmark."""

    records: Records
    benchmark: bool = False


def _curve(name: str) -> Records:
    def records(table: Predictions, wanted: Wanted) -> list[Any]:
        pool = {"pool": True} if wanted.pool and name in OVER_SCORES else {}
        make = getattr(curves, name)
        return [make(table, wanted.class_, model, **pool) for model in table.models]

    return records


def _forest(table: Predictions, wanted: Wanted) -> list[Any]:
    found = assess(table, wanted.measure or "error", wanted.level)
    return [one for one in found.estimates if one.class_ is None]


def _contingency(table: Predictions, wanted: Wanted) -> Any:
    if len(table.models) > 1:
        raise InputError(f"one model is drawn: name one of {', '.join(table.models)} with --of")
    return table.summary(Contingency)


def _ranks(found: Benchmark, wanted: Wanted) -> Any:
    tested = [one for one in found.rankings if one.nemenyi is not None]
    if not tested:
        raise InputError(f"no critical difference: {found.reason or 'fewer than three models'}")
    return tested[0]


PICTURES: dict[str, Picture] = {
    **{name: Picture(_curve(name)) for name in (*OVER_SCORES, "averaged_roc", "f_surface")},
    "learning": Picture(
        lambda table, wanted: [
            curves.learning(table, wanted.measure or "error", model) for model in table.models
        ]
    ),
    "predicted": Picture(
        lambda table, wanted: [curves.predicted(table, model) for model in table.models]
    ),
    "contingency": Picture(_contingency),
    "forest": Picture(_forest),
    "per_split": Picture(
        lambda table, wanted: estimates.per_split(
            table, wanted.measure or "error", level=wanted.level
        )
    ),
    "comparison_matrix": Picture(
        lambda table, wanted: compare(table, wanted.measure, level=wanted.level)
    ),
    "margins": Picture(
        lambda table, wanted: [theory.margins(table, model=model) for model in table.models]
    ),
    "bias_variance": Picture(lambda table, wanted: theory.bias_variance(table)),
    "critical_difference": Picture(_ranks, benchmark=True),
    "data_sets": Picture(lambda found, wanted: found, benchmark=True),
}
"""The pictures that files can be drawn as; others need models or theory (docs/gallery.md)."""


def pictured(
    kind: str, source: Predictions | Benchmark, path: "str | os.PathLike[str]", wanted: Wanted,
    title: str = "",
) -> Path:  # fmt: skip
    """Write a picture of predictions or of a benchmark: SVG by itself, the rest by matplotlib."""
    picture, ending = PICTURES[kind], Path(path).suffix.lower()
    if picture.benchmark != isinstance(source, Benchmark):
        needs = (
            "what `heliast benchmark DIR -o FILE.json` wrote"
            if picture.benchmark
            else ("predictions")
        )
        raise InputError(f"{kind} is drawn of {needs}")
    records = picture.records(_only(source, wanted.models), wanted)
    if ending == ".svg":
        return write_text(path, _svg(kind, records, title))
    figure = figure_of(kind, records, title)
    return write_whole(Path(path), lambda file: _save(figure, file, ending), f"{kind}{ending}")


def _only(source: Any, models: tuple[str, ...]) -> Any:
    """The models that were named, in their order; all if none was."""
    unknown = [model for model in models if model not in source.models]
    if unknown:
        raise InputError(f"no model {unknown[0]!r}; there are {', '.join(source.models)}")
    if not models:
        return source
    if isinstance(source, Benchmark):
        return source.without(*(model for model in source.models if model not in models))
    return source.only(model=list(models))


def _svg(kind: str, records: Any, title: str) -> str:
    alone = isinstance(records, list) and len(records) == 1
    return str(getattr(drawings, kind)(records[0] if alone else records, title=title))


def figure_of(kind: str, records: Any, title: str = "") -> Any:
    """The records on the axes of a new matplotlib figure, each under its name."""
    name = "".join(part.capitalize() for part in kind.split("_")) + "Display"
    made = getattr(displays, name, None)
    if made is None:
        raise InputError(f"{kind} has no matplotlib display: draw it as .svg")
    if kind == "forest":
        shown = made.from_estimates(records)
    else:
        several = records if isinstance(records, list) else [records]
        band = {"band": True} if kind == "roc" and len(several) == 1 else {}
        shown = made(several[0]).plot(**band)
        for record in several[1:]:
            shown = made(record).plot(shown.ax_)
    lines = {"forest": len(records) if isinstance(records, list) else 1}
    if kind == "critical_difference":
        lines[kind] = 2 + len(shown.names) // 2
    if kind in lines:
        shown.figure_.set_figheight(1 + 0.35 * lines[kind])
    if title:
        shown.ax_.set_title(title, parse_math=False)
    return shown.figure_


def _save(figure: Any, file: Any, ending: str) -> None:
    """With fonts that journals take, and as much room as names need."""
    import matplotlib

    systems = [one for one in ("pdflatex", "lualatex", "xelatex") if _installed(one)]
    if ending == ".pgf" and not systems:
        raise InputError("a .pgf file needs LaTeX on this machine: install it, or draw a .pdf")
    look: dict[Any, Any] = {"pdf.fonttype": 42}
    if ending == ".pgf":
        look |= {"pgf.texsystem": systems[0], "pgf.rcfonts": False}
        _escape(figure)
    with matplotlib.rc_context(look):
        figure.savefig(file, format=ending[1:], bbox_inches="tight", dpi=300)


def _escape(figure: Any) -> None:
    """Make all words of a figure harmless in LaTeX, which sets them in a .pgf file."""
    from matplotlib.text import Text
    from matplotlib.ticker import FixedFormatter

    for text in figure.findobj(Text):
        text.set_text(tex(text.get_text()))
    for axis in (axis for ax in figure.axes for axis in (ax.xaxis, ax.yaxis)):
        names = axis.get_major_formatter()
        if isinstance(names, FixedFormatter):
            axis.set_major_formatter(FixedFormatter([tex(name) for name in names.seq]))


def _installed(program: str) -> bool:
    import shutil

    return shutil.which(program) is not None
