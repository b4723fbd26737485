"""The command `heliast plot`: one plot of predictions or of a benchmark, for a paper."""

from copy import copy
from pathlib import Path
from typing import Annotated, Any

import typer

from heliast._core.errors import InputError
from heliast.cli import _words
from heliast.cli._app import app, command, refuse_options
from heliast.cli._options import ReadOptions, option
from heliast.cli._tables import read_all
from heliast.cli._terminal import remark


@command
def plot(
    kind: Annotated[
        str,
        typer.Argument(
            metavar="KIND", help="roc, confusion_matrix, forest, critical_difference, ..."
        ),
    ],
    files: Annotated[
        list[str],
        typer.Argument(metavar="FILE...", help="Predictions, or the .json that benchmark wrote."),
    ],
    output: Annotated[
        str,
        typer.Option("-o", "--output", metavar="FILE", help="What to write: .svg, .pdf or .png."),
    ],
    of: Annotated[
        list[str] | None, option("Only this model; may be repeated.", metavar="MODEL")
    ] = None,
    class_: Annotated[
        str | None, option("The class that curves are about.", "--class", metavar="CLASS")
    ] = None,
    measure: Annotated[
        str | None, option("What is measured: error, ...", metavar="MEASURE")
    ] = None,
    level: Annotated[float, option("Confidence level.", metavar="LEVEL")] = 0.95,
    pool: Annotated[bool, option("Take rows of several splits together.", "--pool")] = False,
    title: Annotated[str, option("The title; made if not given.", metavar="TEXT")] = "",
    *,
    reading: ReadOptions,
    context: typer.Context,
) -> None:
    """Plot predictions or a benchmark as SVG, PDF or PNG.

    For example `plot roc preds.csv -o roc.pdf`.
    Curves: roc, precision_recall, gain, lift_chart, cost, calibration, decision, averaged_roc,
    f_surface, learning, predicted. Tables: confusion_matrix, forest, per_split, comparison_matrix,
    margins, bias_variance. Of a benchmark: critical_difference, data_sets. SVG needs nothing else;
    PDF and PNG need matplotlib: pip install 'heliast[plot]'.
    """
    from heliast._core.level import check_level
    from heliast.verbs.plotting import Selection, plot_by_name
    from heliast.views.plots import SUFFIXES

    if context.info_name == "draw":
        remark("`heliast draw` is now `heliast plot`; the old name goes with the next release")
    if Path(output).suffix.lower() not in SUFFIXES:
        raise InputError(f"-o {output}: the file name must end in {', '.join(SUFFIXES)}")
    check_level(level)
    source = _source(files, reading, context)
    label = None if class_ is None else _words.label_of(class_, getattr(source, "classes", ()))
    chosen = Selection(tuple(of or ()), label, measure, level, pool)
    remark(f"{kind}: {plot_by_name(kind, source, chosen, title).save(output)}")


# The name of earlier releases.
_draw = copy(app.registered_commands[-1])
_draw.name, _draw.hidden = "draw", True
app.registered_commands.append(_draw)


def _source(files: list[str], reading: ReadOptions, context: typer.Context) -> Any:
    """A saved benchmark, or predictions."""
    from heliast.verbs.kept_benchmark import benchmark_in, benchmark_of

    saved = benchmark_in(files[0]) if len(files) == 1 else None
    if saved is None:
        return read_all(files, reading, context)
    refuse_options(
        context, ReadOptions.options(""), f"is for files of predictions, and {files[0]} is none"
    )
    return benchmark_of(saved, files[0])
