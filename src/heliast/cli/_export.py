"""`heliast export`: results for a paper or a spreadsheet."""

from typing import Annotated

import typer

from heliast.cli._app import app
from heliast.cli._types import Classes, DropMissing, Files, Labels, Level, Positive, Score, Truth


@app.command()
def export(
    files: Files,
    to: Annotated[str, typer.Option(help="latex, csv, json or md.")],
    what: Annotated[str, typer.Option(help="measures or differences.")] = "measures",
    output: Annotated[str | None, typer.Option("-o", "--output", help="File to write.")] = None,
    measure: Annotated[list[str] | None, typer.Option(help="Only these measures.")] = None,
    truth: Truth = None,
    label: Labels = None,
    score: Score = None,
    positive: Positive = None,
    classes: Classes = None,
    level: Level = 0.95,
    drop_missing: DropMissing = False,
) -> None:
    """Write measures or differences as LaTeX, CSV, JSON or Markdown."""
    import heliast as hl
    from heliast._core.errors import InputError
    from heliast.cli import _options as options
    from heliast.views import exports

    if what not in ("measures", "differences"):
        raise InputError(f"--what {what}: write measures or differences")
    table = options.read_all(
        files,
        truth=truth,
        label=label,
        score=options.score_columns(score),
        positive=positive,
        classes=options.class_list(classes),
        missing="drop" if drop_missing else "refuse",
    )
    if what == "differences":
        name = options.only_one(measure) if measure else "error"
        rows = [pair.to_dict() for pair in hl.compare(table, name, level=level).pairs]
    else:
        found = hl.assess(table, measure or None, level)
        people = to in ("latex", "md")
        rows = exports.wide(found.estimates) if people else [one.to_dict() for one in found]
    text = exports.export(rows, to)
    if output is None:
        typer.echo(text, nl=False)
    else:
        options.write_text(output, text)
