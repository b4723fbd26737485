"""Commands that assess predictions: `heliast assess`, `compare`, `slices`, `gate`, `export`."""

import os
from pathlib import Path
from typing import Annotated, Any

import typer

from heliast._core.errors import InputError
from heliast._core.files import write_text
from heliast.cli._app import command, refuse_options
from heliast.cli._options import (
    CandidateOptions,
    Files,
    OutputFile,
    OutputOptions,
    QuestionOptions,
    ReadOptions,
    ScanOptions,
    WorkOptions,
    option,
)
from heliast.cli._tables import decision_regions, read_all, table_of
from heliast.cli._terminal import remark, say


@command
def assess(
    files: Files,
    question: QuestionOptions,
    reading: ReadOptions,
    scanning: ScanOptions,
    models: CandidateOptions,
    work: WorkOptions,
    output: OutputOptions,
    context: typer.Context,
) -> None:
    """Measure models, each value with its confidence interval.

    With --target, or if it has no predictions but a column such as 'class', the file holds data: a
    panel of models (or those named) is fitted on the splits of a plan first. A folder or quoted
    pattern of part files, a database, or a large file is assessed out of core.
    """
    import heliast as hl

    question = question.without_unused(context, "assess")
    reading, models = reading.keeping(question.by), models.keeping(question.by)
    seed = question.seed or 0
    table = table_of(files, reading, models, work, seed, context, scanning)
    assessment = hl.assess(table, question.measure or None, **question.keywords(table.classes))
    regions = decision_regions(output.report, files, table, models, work, seed)
    output.show(assessment, table, **question.of_report(table.classes), **regions)


@command
def compare(
    files: Files,
    question: QuestionOptions,
    reading: ReadOptions,
    models: CandidateOptions,
    work: WorkOptions,
    output: OutputOptions,
    context: typer.Context,
) -> None:
    """Test which model is better, and by how much.

    Takes files of predictions for the same rows (paired by their row column), or data with the
    models to fit (--model, twice or more) and what is to be predicted (--target).
    """
    import heliast as hl

    question = question.without_unused(context, "compare")
    reading, models = reading.keeping(question.by), models.keeping(question.by)
    seed = question.seed or 0
    table = table_of(files, reading, models, work, seed, context)
    keywords = question.on_one_measure(table.classes)
    comparison = hl.compare(table, **keywords)
    regions = decision_regions(output.report, files, table, models, work, seed)
    output.show(comparison, table, **keywords, **regions)


@command
def slices(
    files: Files,
    column: Annotated[
        list[str] | None,
        option("Columns to search: a,b.", "--columns", "--column", metavar="COLUMN"),
    ] = None,
    of: Annotated[str | None, option("The model, of several.", metavar="MODEL")] = None,
    conditions: Annotated[int, option("Columns that are combined: 1 or 2.", metavar="N")] = 2,
    *,
    question: QuestionOptions,
    reading: ReadOptions,
    output: OutputOptions,
    context: typer.Context,
) -> None:
    """Search the slices of the rows in which a model does worst.

    Half of the rows is searched, the other half confirms, so that what is reported is honest.
    """
    import heliast as hl

    names = [name.strip() for words in column or () for name in words.split(",")]
    table = read_all(files, reading.keeping(names), context)
    if not names and not table.columns:
        raise InputError("--columns: name the columns to search, as in --columns region,age")
    question = question.without_unused(context, "find_slices")
    keywords = question.on_one_measure(table.classes)
    worst = hl.find_slices(table, names, model=of, conditions=conditions, **keywords)
    output.show(worst, table, by=names, **keywords)


@command
def gate(
    files: Files,
    require: Annotated[
        list[str] | None,
        option("Such as 'error.high <= 0.1'; may be repeated.", metavar="REQUIREMENT"),
    ] = None,
    sequential: Annotated[
        bool, option("Rows may be added and assessed again.", "--sequential")
    ] = False,
    looks: Annotated[
        str | None, option("This is planned look K of N: 2/5.", "--look", "--looks", metavar="K/N")
    ] = None,
    junit: Annotated[str | None, option("Write a JUnit file as well.", metavar="FILE")] = None,
    github: Annotated[
        bool, option("Summary and annotations for GitHub Actions.", "--github")
    ] = False,
    *,
    question: QuestionOptions,
    reading: ReadOptions,
    output: OutputOptions,
    context: typer.Context,
) -> None:
    """Pass or fail: are requirements on confidence limits met?

    Exit code 0: every requirement is met. 1: one surely is not. 3: a threshold lies inside an
    interval, so the data are too few to tell. 2: bad input. --margin is how much better than a
    threshold a model is for which rows are planned.
    """
    import heliast as hl
    from heliast.verbs.gate import kept_for
    from heliast.verbs.requirement import Requirement

    if sequential:
        refuse_options(context, ["looks"], "plans looks, and --sequential allows any: leave it out")
    requirements = [Requirement.parse(words) for words in require or ()]
    measures = [requirement.measure for requirement in requirements]
    table = read_all(files, reading.keeping(list(kept_for(requirements))), context)
    keywords = question.without_unused(context, "gate", measures).keywords(table.classes)
    looks = "any" if sequential else looks or "one"
    ruling = hl.gate(table, require or [], looks=looks, **keywords)
    keywords.pop("margin", None)  # of the threshold; the report's is of differences
    if ruling.looks.words != "one" and output.report is not None:
        limits = f"intervals of one look, not of the gate's (looks: {ruling.looks.words})"
        remark(f"{output.report}: {limits}")
        keywords["title"] = f"Report: {limits}"
    output.show(ruling, table, measure=measures[0], **keywords)
    if junit is not None:
        write_text(junit, ruling.to_junit())
    if github:
        _write_github(ruling)
    raise typer.Exit(ruling.exit_code)


def _write_github(ruling: Any) -> None:
    """A Markdown summary where GitHub asks for it, and an annotation for each that did not pass."""
    summary = os.environ.get("GITHUB_STEP_SUMMARY")
    if summary:
        with Path(summary).open("a", encoding="utf-8") as file:
            file.write(ruling.to_markdown())
    else:
        say(ruling.to_markdown(), err=True)
    for line in ruling.annotations():
        say(line.removeprefix("::"), obeyed="::")


@command
def export(
    files: Annotated[
        list[str],
        typer.Argument(metavar="FILE...", help="Predictions, or the .json that benchmark wrote."),
    ],
    to: Annotated[str, option("latex, md, html, csv, json, methods or bibtex.", metavar="KIND")],
    what: Annotated[str, option("measures or differences.", metavar="WHAT")] = "measures",
    spread: Annotated[
        str, option("Beside values: interval, se or none.", metavar="SPREAD")
    ] = "interval",
    output: OutputFile = None,
    *,
    question: QuestionOptions,
    reading: ReadOptions,
    context: typer.Context,
) -> None:
    """Write results for a paper: tables, methods, references.

    FILE holds predictions, or what `heliast benchmark DIR -o FILE.json` wrote. `latex`, `md`,
    `html`, `csv` and `json` are tables. `methods` is a paragraph to paste, with its references
    (with \\cite if -o ends in .tex); `bibtex` are these. Without -o the text is printed, with
    control characters escaped.
    """
    from heliast.verbs.kept_benchmark import benchmark_in, benchmark_of
    from heliast.views import exports

    kind = exports.ALSO.get(to, to)
    if kind not in (kinds := (*exports.KINDS, *exports.TOLD)):
        raise InputError(f"cannot export to {to!r}; the kinds are {', '.join(kinds)}")
    if what not in ("measures", "differences"):
        raise InputError(f"--what {what}: write measures or differences")
    content = benchmark_in(files[0]) if len(files) == 1 else None
    if content is not None:
        unused = {*QuestionOptions.options("export"), *ReadOptions.options("export"), "what"}
        refuse_options(context, unused, f"was settled when the benchmark in {files[0]} was made")
        record: Any = benchmark_of(content, files[0])
    else:
        record = _assessed(files, what, question, reading, context)
    text = exports.of_record(record, kind, spread, latex=str(output).lower().endswith(".tex"))
    if output is None:
        say(text, end=False)
    else:
        write_text(output, text)


def _assessed(
    files: list[str],
    what: str,
    question: QuestionOptions,
    reading: ReadOptions,
    context: typer.Context,
) -> Any:
    """The assessment or the comparison of predictions."""
    import heliast as hl

    function = "assess" if what == "measures" else "compare"
    unused = {*QuestionOptions.options("export")} - {*QuestionOptions.options(function)}
    refuse_options(context, unused, f"has no use for --what {what}: leave it out")
    table = read_all(files, reading, context)
    question = question.without_unused(context, function)
    if what == "differences":
        return hl.compare(table, **question.on_one_measure(table.classes))
    return hl.assess(table, question.measure or None, **question.keywords(table.classes))
