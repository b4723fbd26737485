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
    as_json: Json = False,
) -> None:
    """Assess and compare two models on bundled predictions, and write a report."""
    import heliast as hl
    from heliast.cli._bundled import path

    file = path()
    say(f"$ heliast assess {_shown(file)} --positive malignant\n", err=as_json)
    table = hl.Predictions.read(file, positive="malignant")
    show(hl.assess(table), as_json)
    if not as_json:
        say(f"\n$ heliast compare {_shown(file)}\n")
        show(hl.compare(table), as_json)
        say("", err=True)
    write_report(table, report, title="Tumours, two models")


def _shown(file: Path) -> str:
    try:
        return str(file.relative_to(Path.cwd()))
    except ValueError:
        return str(file)
