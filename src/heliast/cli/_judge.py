"""The verbs that judge predictions: `heliast assess`, `compare`, `gate`, `export`."""

import os
from pathlib import Path
from typing import Annotated, Any

import typer

from heliast._core.errors import InputError
from heliast._core.waiting import doing
from heliast.cli._app import annotate, hand_over, plain, remark, say
from heliast.cli._options import Asked, Candidates, Files, Output, Reading, Scanning, Work
from heliast.cli._tables import pictured, read_all, table_of
from heliast.cli._verb import said, verb


@verb()
def assess(
    files: Files,
    asked: Asked,
    reading: Reading,
    scanning: Scanning,
    models: Candidates,
    work: Work,
    output: Output,
    context: typer.Context,
) -> None:
    """Measures of the predictions in a file, each with its interval.

    With --target, or if it has no predictions but a column such as 'class', the file holds data: a
    panel of models (or those named) is fitted on the splits of a plan first. A folder or quoted
    pattern of part files, a database, or a large file is scanned where it lies, in bounded memory.
    """
    import heliast as hl

    asked = asked.useful(context, "assess")
    table = table_of(files, reading, models, work, asked.seed or 0, context, scanning)
    doing("measuring")
    assessment = hl.assess(table, asked.measure or None, **asked.keywords(table.classes))
    drawn = pictured(output.report, files, table, models, work, asked.seed or 0)
    output.show(assessment, table, **asked.of_report(table.classes), **drawn)


@verb()
def compare(
    files: Files,
    asked: Asked,
    reading: Reading,
    models: Candidates,
    work: Work,
    output: Output,
    context: typer.Context,
) -> None:
    """Which model is better, by how much, and whether they can be told apart.

    Takes files of predictions for the same rows (paired by their row column), or data with the
    models to fit (--model, twice or more) and what is to be predicted (--target).
    """
    import heliast as hl

    asked = asked.useful(context, "compare")
    table = table_of(files, reading, models, work, asked.seed or 0, context)
    question = asked.of_one(table.classes)
    doing("comparing")
    drawn = pictured(output.report, files, table, models, work, asked.seed or 0)
    output.show(hl.compare(table, **question), table, **question, **drawn)


@verb("require", "looks")
def gate(
    files: Files,
    require: Annotated[
        list[str] | None,
        typer.Option(metavar="REQUIREMENT", help="Such as 'error.high <= 0.1'; may be repeated."),
    ] = None,
    sequential: Annotated[
        bool, typer.Option("--sequential", help="Rows may be added and looked at again.")
    ] = False,
    looks: Annotated[
        str | None,
        typer.Option("--look", "--looks", metavar="K/N", help="This is planned look K of N: 2/5."),
    ] = None,
    junit: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write a JUnit file as well.")
    ] = None,
    github: Annotated[
        bool, typer.Option("--github", help="Summary and annotations for GitHub Actions.")
    ] = False,
    *,
    asked: Asked,
    reading: Reading,
    output: Output,
    context: typer.Context,
) -> None:
    """Whether the predictions meet requirements on the ends of intervals.

    Exit code 0: every required end passes. 1: one surely fails. 3: a bar lies inside an interval,
    so the data are too few to tell. 2: bad input. Options given here come before those of a file.
    --margin is how much better than a bar a model is for which rows are planned.
    """
    import heliast as hl
    from heliast._core.files import write_text
    from heliast.verbs.requirement import Requirement

    if sequential and said(context, "looks"):
        raise InputError("--sequential allows any look: leave out --look, or plan the looks")
    measures = [Requirement.parse(one).measure for one in require or ()]
    table = read_all(files, reading, context)
    question = asked.useful(context, "gate", measures).keywords(table.classes)
    doing("measuring")
    ruled = hl.gate(table, require or [], looks="any" if sequential else looks or "one", **question)
    question.pop("margin", None)  # of the bar; the report's is of differences
    if ruled.looks.words != "one" and output.report is not None:
        limits = f"intervals of one look, not of the gate's (looks: {ruled.looks.words})"
        remark(f"{output.report}: {limits}")
        question["title"] = f"Report: {limits}"
    output.show(ruled, table, measure=measures[0], **question)
    if junit is not None:
        write_text(junit, ruled.to_junit())
    if github:
        _tell_github(ruled)
    raise typer.Exit(ruled.exit_code)


def _tell_github(ruled: Any) -> None:
    """A Markdown summary where GitHub asks for it, and an annotation for each that did not pass."""
    summary = os.environ.get("GITHUB_STEP_SUMMARY")
    if summary:
        with Path(summary).open("a", encoding="utf-8") as file:
            file.write(ruled.to_markdown())
    else:
        say(ruled.to_markdown(), err=True)
    for line in ruled.annotations():
        annotate(line)


@verb("to", "what")
def export(
    files: Files,
    to: Annotated[str, typer.Option(metavar="KIND", help="latex, csv, json or md.")],
    what: Annotated[
        str, typer.Option(metavar="WHAT", help="measures or differences.")
    ] = "measures",
    output: Annotated[
        str | None, typer.Option("-o", "--output", metavar="FILE", help="File to write.")
    ] = None,
    *,
    asked: Asked,
    reading: Reading,
    context: typer.Context,
) -> None:
    """Write measures or differences as LaTeX, CSV, JSON or Markdown."""
    import heliast as hl
    from heliast._core.files import write_text
    from heliast.verbs.honoured import HONOURED, refuse
    from heliast.views import exports

    if what not in ("measures", "differences"):
        raise InputError(f"--what {what}: write measures or differences")
    table = read_all(files, reading, context)
    verb_ = "assess" if what == "measures" else "compare"
    asked = asked.useful(context, verb_)
    question = asked.keywords(table.classes)
    refuse(verb_, {part: question[part] for part in question if part not in HONOURED[verb_]})
    if what == "differences":
        rows = [pair.to_dict() for pair in hl.compare(table, **asked.of_one(table.classes)).pairs]
    else:
        assessment = hl.assess(table, asked.measure or None, **question)
        people = to in ("latex", "md")
        estimates = assessment.estimates
        rows = exports.wide(estimates) if people else [one.to_dict() for one in estimates]
    text = exports.export(rows, to)
    if output is None:
        hand_over(plain(text) if to == "json" else text)
    else:
        write_text(output, text)
