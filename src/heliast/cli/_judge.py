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
from heliast.cli._verb import refuse_said, said, verb


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
    reading, models = reading.keeping(asked.by), models.keeping(asked.by)
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
    reading, models = reading.keeping(asked.by), models.keeping(asked.by)
    table = table_of(files, reading, models, work, asked.seed or 0, context)
    question = asked.of_one(table.classes)
    doing("comparing")
    drawn = pictured(output.report, files, table, models, work, asked.seed or 0)
    output.show(hl.compare(table, **question), table, **question, **drawn)


@verb()
def slices(
    files: Files,
    column: Annotated[
        list[str] | None,
        typer.Option("--columns", "--column", metavar="COLUMN", help="Columns to search: a,b."),
    ] = None,
    of: Annotated[
        str | None, typer.Option(metavar="MODEL", help="The model to look at, of several.")
    ] = None,
    conditions: Annotated[
        int, typer.Option(metavar="N", help="How many columns are combined: 1 or 2.")
    ] = 2,
    *,
    asked: Asked,
    reading: Reading,
    output: Output,
    context: typer.Context,
) -> None:
    """The slices of the rows in which a model does worst, searched and then confirmed.

    Half of the rows is searched, the other half confirms, so that what is reported is honest.
    """
    import heliast as hl

    names = [word.strip() for one in column or () for word in one.split(",")]
    table = read_all(files, reading.keeping(names), context)
    if not names and not table.columns:
        raise InputError("--columns: name the columns to search, as in --columns region,age")
    question = asked.useful(context, "find_slices").of_one(table.classes)
    found = hl.find_slices(table, names, model=of, conditions=conditions, **question)
    output.show(found, table, by=names, **question)


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
    from heliast.verbs.gate import kept_for
    from heliast.verbs.requirement import Requirement

    if sequential and said(context, "looks"):
        raise InputError("--sequential allows any look: leave out --look, or plan the looks")
    parsed = [Requirement.parse(one) for one in require or ()]
    measures = [one.measure for one in parsed]
    table = read_all(files, reading.keeping(list(kept_for(parsed))), context)
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


@verb("to", "what", "spread")
def export(
    files: Annotated[
        list[str],
        typer.Argument(metavar="FILE...", help="Predictions, or the .json that benchmark wrote."),
    ],
    to: Annotated[
        str, typer.Option(metavar="KIND", help="latex, md, html, csv, json, methods or bibtex.")
    ],
    what: Annotated[
        str, typer.Option(metavar="WHAT", help="measures or differences.")
    ] = "measures",
    spread: Annotated[
        str, typer.Option(metavar="SPREAD", help="Beside values: interval, se or none.")
    ] = "interval",
    output: Annotated[
        str | None, typer.Option("-o", "--output", metavar="FILE", help="File to write.")
    ] = None,
    *,
    asked: Asked,
    reading: Reading,
    context: typer.Context,
) -> None:
    """Write results for a paper: a table as LaTeX, Markdown, HTML or CSV, or how they were made.

    FILE holds predictions, or what `heliast benchmark DIR -o FILE.json` wrote, or it is the folder
    of a store with one run. `methods` is a paragraph to paste, with its references (with \\cite if
    -o ends in .tex); `bibtex` are these.
    """
    from heliast._core.files import write_text
    from heliast.verbs.kept_benchmark import benchmark_in, benchmark_of
    from heliast.views import exports

    kind = exports.ALSO.get(to, to)
    if kind not in (known := (*exports.KINDS, *exports.TOLD)):
        raise InputError(f"cannot export to {to!r}; the kinds are {', '.join(known)}")
    if what not in ("measures", "differences"):
        raise InputError(f"--what {what}: write measures or differences")
    kept = benchmark_in(files[0]) if len(files) == 1 else None
    if kept is not None:
        idle = {*Asked.every(), *Reading.every(), "what"}
        refuse_said(context, idle, f"was settled when the benchmark in {files[0]} was made")
        found: Any = benchmark_of(kept, files[0])
    else:
        found = _judged(files, what, asked, reading, context)
    text = exports.of_record(found, kind, spread, latex=str(output).lower().endswith(".tex"))
    if output is None:
        hand_over(plain(text) if kind == "json" else text)
    else:
        write_text(output, text)


def _judged(
    files: list[str], what: str, asked: Asked, reading: Reading, context: typer.Context
) -> Any:
    """The assessment or the comparison of predictions."""
    import heliast as hl
    from heliast.verbs.honoured import HONOURED, refuse

    table = read_all(files, reading, context)
    verb_ = "assess" if what == "measures" else "compare"
    asked = asked.useful(context, verb_)
    question = asked.keywords(table.classes)
    refuse(verb_, {part: question[part] for part in question if part not in HONOURED[verb_]})
    if what == "differences":
        return hl.compare(table, **asked.of_one(table.classes))
    return hl.assess(table, asked.measure or None, **question)
