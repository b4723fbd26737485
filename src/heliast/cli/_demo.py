"""`heliast demo`: the main job on bundled data."""

from pathlib import Path
from typing import Annotated

import typer

from heliast.cli._app import app, say, show, write_report
from heliast.cli._narrow import Command
from heliast.cli._options import Json


@app.command(cls=Command)
def demo(
    report: Annotated[str, typer.Option(metavar="FILE", help="Where the report goes.")] = (
        "report.html"
    ),
    graded: Annotated[
        bool, typer.Option("--graded", help="Graded answers of language models instead.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Assess and compare models on bundled predictions, and write a report."""
    import heliast as hl
    from heliast.cli._bundled import path

    file = path("answers.csv" if graded else "tumours.csv")
    more = "" if graded else " --positive malignant"
    say(f"$ heliast assess {_shown(file)}{more}\n", err=as_json)
    table = hl.Predictions.read(file, positive=None if graded else "malignant")
    show(hl.assess(table), as_json)
    if not as_json:
        say(f"\n$ heliast compare {_shown(file)}\n")
        show(hl.compare(table), as_json)
        say("", err=True)
    title = "Graded answers, three models" if graded else "Tumours, two models"
    write_report(table, report, title=title)


def _shown(file: Path) -> str:
    try:
        return str(file.relative_to(Path.cwd()))
    except ValueError:
        return str(file)
