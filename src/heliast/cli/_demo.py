"""`heliast demo`: the main job on bundled data."""

from pathlib import Path
from typing import Annotated

from heliast.cli._app import command
from heliast.cli._options import Json, option
from heliast.cli._terminal import say, show, write_report


@command
def demo(
    report: Annotated[str, option("Where the report goes.", metavar="FILE")] = "report.html",
    graded: Annotated[
        bool, option("Graded answers of language models instead.", "--graded")
    ] = False,
    as_json: Json = False,
) -> None:
    """Try it: assess and compare models on bundled predictions."""
    import heliast as hl
    from heliast.cli._bundled import path

    file = path("answers.csv" if graded else "tumours.csv")
    shown = file.relative_to(Path.cwd()) if file.is_relative_to(Path.cwd()) else file
    options = "" if graded else " --positive malignant"
    say(f"$ heliast assess {shown}{options}\n", err=as_json)
    table = hl.Predictions.read(file, positive=None if graded else "malignant")
    show(hl.assess(table), as_json)
    if not as_json:
        say(f"\n$ heliast compare {shown}\n")
        show(hl.compare(table), as_json)
        say("", err=True)
    title = "Graded answers, three models" if graded else "Tumours, two models"
    write_report(table, report, title=title)
