"""The verb `heliast draw`: one picture of predictions or of a benchmark, for a paper."""

from pathlib import Path
from typing import Annotated, Any

import typer

from heliast._core.errors import InputError
from heliast.cli import _words
from heliast.cli._app import remark
from heliast.cli._options import Reading, told
from heliast.cli._tables import read_all
from heliast.cli._verb import refuse_said, verb


@verb("level", "pool")
def draw(
    kind: Annotated[
        str, typer.Argument(metavar="KIND", help="roc, forest, learning, critical_difference, ...")
    ],
    files: Annotated[
        list[str],
        typer.Argument(metavar="FILE...", help="Predictions, or the .json that benchmark wrote."),
    ],
    output: Annotated[
        str,
        typer.Option(
            "-o", "--output", metavar="FILE", help="What to write: .svg, .pdf, .png or .pgf."
        ),
    ],
    of: Annotated[
        list[str] | None, told("Only this model; may be repeated.", metavar="MODEL")
    ] = None,
    class_: Annotated[
        str | None, told("The class that curves are about.", "--class", metavar="CLASS")
    ] = None,
    measure: Annotated[str | None, told("What is measured: error, ...", metavar="MEASURE")] = None,
    level: Annotated[float, told("Confidence level.", metavar="LEVEL")] = 0.95,
    pool: Annotated[bool, told("Take rows of several splits together.", "--pool")] = False,
    title: Annotated[str, told("The title; made if not given.", metavar="TEXT")] = "",
    *,
    reading: Reading,
    context: typer.Context,
) -> None:
    """Draw one picture as SVG, PDF, PNG or PGF (TikZ), such as `draw roc preds.csv -o roc.pdf`.

    Curves: roc, precision_recall, gain, lift, cost, calibration, decision, averaged_roc,
    f_surface, learning, predicted. Tables: forest, contingency, per_split, comparison_matrix,
    margins, bias_variance. Of a benchmark: critical_difference, data_sets. SVG needs nothing else;
    the others need matplotlib: pip install 'heliast[plot]'.
    """
    from heliast._core.level import check_level
    from heliast.verbs import pictures

    kind = kind.replace("-", "_")
    if kind not in pictures.PICTURES:
        raise InputError(f"no picture {kind!r}; there are {', '.join(pictures.PICTURES)}")
    if Path(output).suffix.lower() not in pictures.ENDINGS:
        raise InputError(f"-o {output}: end the name in {', '.join(pictures.ENDINGS)}")
    check_level(level)
    source = _source(files, reading, context)
    classes = getattr(source, "classes", ())
    wanted = pictures.Wanted(
        tuple(of or ()), None if class_ is None else _words.label_of(class_, classes), measure,
        level, pool,
    )  # fmt: skip
    remark(f"{kind}: {pictures.pictured(kind, source, output, wanted, title)}")


def _source(files: list[str], reading: Reading, context: typer.Context) -> Any:
    """A benchmark that was kept, or predictions."""
    from heliast.verbs.kept_benchmark import benchmark_in, benchmark_of

    kept = benchmark_in(files[0]) if len(files) == 1 else None
    if kept is None:
        return read_all(files, reading, context)
    refuse_said(context, Reading.every(), f"is for files of predictions, and {files[0]} is none")
    return benchmark_of(kept, files[0])
