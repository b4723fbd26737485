"""`heliast compare`: is the difference real?"""

from typing import Annotated

import typer

from heliast.cli._app import app, show, write_report
from heliast.cli._types import (
    Classes,
    DropMissing,
    Files,
    Fitted,
    Group,
    Ignore,
    Json,
    Labels,
    Level,
    Model,
    PlanWords,
    Positive,
    Report,
    RowOf,
    Score,
    Scores,
    Seed,
    SplitOf,
    Target,
    Task,
    Trust,
    Truth,
)


@app.command()
def compare(
    files: Files,
    truth: Truth = None,
    label: Labels = None,
    score: Score = None,
    model: Model = None,
    split: SplitOf = None,
    row: RowOf = None,
    group: Group = None,
    positive: Positive = None,
    classes: Classes = None,
    task: Task = None,
    scores: Scores = None,
    target: Target = None,
    plan: PlanWords = "10",
    trust: Trust = None,
    fitted: Fitted = False,
    ignore: Ignore = None,
    measure: Annotated[str, typer.Option(help="What is compared.")] = "error",
    test: Annotated[str, typer.Option(help="Name of a test, or auto.")] = "auto",
    margin: Annotated[float | None, typer.Option(help="Smallest difference that matters.")] = None,
    level: Level = 0.95,
    seed: Seed = 0,
    drop_missing: DropMissing = False,
    report: Report = None,
    as_json: Json = False,
) -> None:
    """Which model is better, by how much, and whether they can be told apart.

    Takes files of predictions for the same rows (paired by their row column), or data with the
    models to fit (--model, twice or more) and what is to be predicted (--target).
    """
    import heliast as hl
    from heliast.cli import _options as options

    if options.fits(target, model) or fitted:
        data = options.read_data(
            options.data_file(files), target, ignore, group, task, drop_missing
        )
        table = options.models_on(data, model, plan, seed, trust, fitted)
    else:
        table = options.read_all(
            files,
            truth=truth,
            label=label,
            score=options.score_columns(score),
            model=options.only_one(model) if model else None,
            split=split,
            row=row,
            group=group,
            positive=positive,
            classes=options.class_list(classes),
            task=task,
            scores=scores,
            missing="drop" if drop_missing else "refuse",
        )
    show(hl.compare(table, measure, test, level, margin, seed=seed), as_json)
    write_report(table, report, measure=measure, level=level, margin=margin, seed=seed)
