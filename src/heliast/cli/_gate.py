"""`heliast gate`: go or no-go, for a pipeline."""

import os
from pathlib import Path
from typing import Annotated, Any

import typer

from heliast.cli._app import app, remark, say, show, write_report
from heliast.cli._types import (
    Classes,
    DropMissing,
    Files,
    Group,
    Json,
    Labels,
    Positive,
    Report,
    RowOf,
    Score,
    Scores,
    SplitOf,
    Task,
    Truth,
    column,
)


@app.command()
def gate(
    files: Files,
    require: Annotated[
        list[str] | None, typer.Option(help="Such as 'error.high <= 0.1'; may be repeated.")
    ] = None,
    truth: Truth = None,
    label: Labels = None,
    score: Score = None,
    model: Annotated[str | None, column("Model's name.")] = None,
    split: SplitOf = None,
    row: RowOf = None,
    weight: Annotated[str | None, column("Row weight.")] = None,
    group: Group = None,
    positive: Positive = None,
    classes: Classes = None,
    task: Task = None,
    scores: Scores = None,
    weights: Annotated[str | None, typer.Option(help="frequency or sampling.")] = None,
    fixed_classes: Annotated[
        bool, typer.Option("--fixed-classes", help="Rows per class were fixed by design.")
    ] = False,
    prevalence: Annotated[
        str | None, typer.Option(help="Class shares of the population: a=0.9,b=0.1.")
    ] = None,
    cost: Annotated[
        str | None, typer.Option(help="Costs, rows = true class: '0,1;5,0', or a CSV file.")
    ] = None,
    level: Annotated[float | None, typer.Option(help="Confidence level, 0.95 if not set.")] = None,
    sequential: Annotated[
        bool, typer.Option("--sequential", help="Rows may be added and looked at again.")
    ] = False,
    look: Annotated[str | None, typer.Option(help="This is planned look K of N: 2/5.")] = None,
    margin: Annotated[
        float | None, typer.Option(help="How much better than a bar a model is to plan rows for.")
    ] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Seed of whatever is drawn.")] = None,
    drop_missing: DropMissing = False,
    config: Annotated[
        str | None, typer.Option(help="TOML file; heliast.toml or pyproject.toml here if not set.")
    ] = None,
    junit: Annotated[str | None, typer.Option(help="Write a JUnit file as well.")] = None,
    github: Annotated[
        bool, typer.Option("--github", help="Summary and annotations for GitHub Actions.")
    ] = False,
    report: Report = None,
    as_json: Json = False,
) -> None:
    """Whether the predictions meet requirements on the ends of intervals.

    Exit code 0: every required end passes. 1: one surely fails. 3: a bar lies inside an interval,
    so the data are too few to tell. 2: bad input. Options given here come before those of a file.
    """
    import heliast as hl
    from heliast.cli import _config
    from heliast.cli import _options as options

    if sequential and look is not None:
        raise hl.InputError("--sequential allows any look: leave out --look, or plan the looks")
    said, source = _config.gate_settings(config)
    if source:
        remark(f"settings from {source}")

    def chosen(name: str, given: Any, otherwise: Any = None) -> Any:
        return given if given not in (None, []) else said.get(name, otherwise)

    table = options.read_all(
        files,
        truth=chosen("truth", truth),
        label=chosen("label", label),
        score=options.score_columns(score) or said.get("score"),
        model=chosen("model", model),
        split=chosen("split", split),
        row=chosen("row", row),
        weight=chosen("weight", weight),
        group=chosen("group", group),
        positive=chosen("positive", positive),
        classes=options.class_list(classes),
        task=task,
        scores=scores,
        weights=weights,
        design="classes" if fixed_classes else "rows",
        missing="drop" if drop_missing else "refuse",
    )
    found = hl.gate(
        table,
        chosen("require", require, []),
        chosen("level", level, 0.95),
        looks="any" if sequential else look or "one",
        margin=margin,
        cost=options.costs(chosen("cost", cost), table.classes),
        prevalences=options.shares(chosen("prevalence", prevalence), table.classes),
        seed=chosen("seed", seed, 0),
    )
    show(found, as_json)
    write_report(table, report, level=found.level)
    if junit is not None:
        options.write_text(junit, found.to_junit())
    if github:
        _tell_github(found)
    raise typer.Exit(found.exit_code)


def _tell_github(found: Any) -> None:
    """A Markdown summary where GitHub asks for it, and an annotation for each that did not pass."""
    summary = os.environ.get("GITHUB_STEP_SUMMARY")
    if summary:
        with Path(summary).open("a", encoding="utf-8") as file:
            file.write(found.to_markdown())
    else:
        say(found.to_markdown(), err=True)
    for line in found.annotations():
        say(line)
