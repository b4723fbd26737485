"""`heliast assess`: how good is it, and how sure are we?"""

from typing import Annotated

import typer

from heliast.cli._app import app, remark, show, write_report
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
    column,
)


@app.command()
def assess(
    files: Files,
    truth: Truth = None,
    label: Labels = None,
    score: Score = None,
    model: Model = None,
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
    target: Target = None,
    plan: PlanWords = "10",
    trust: Trust = None,
    fitted: Fitted = False,
    ignore: Ignore = None,
    measure: Annotated[list[str] | None, typer.Option(help="Only these measures.")] = None,
    interval: Annotated[str, typer.Option(help="Interval method, auto or none.")] = "auto",
    level: Level = 0.95,
    seed: Seed = 0,
    drop_missing: DropMissing = False,
    scan: Annotated[
        bool | None,
        typer.Option(
            "--scan/--no-scan",
            help="Count the table where it lies (default: from 500 MB on, folders, databases).",
            show_default=False,
        ),
    ] = None,
    table_name: Annotated[
        str | None, typer.Option("--table", metavar="NAME", help="Table of a database.")
    ] = None,
    memory: Annotated[
        str | None, typer.Option(help="What a scan may use before it goes to disk: 1GB.")
    ] = None,
    report: Report = None,
    as_json: Json = False,
) -> None:
    """Measures of the predictions in a file, each with its interval.

    With --target, or if it has no predictions but a column such as 'class', the file holds data: a
    panel of models (or those named) is fitted on the splits of a plan first. A folder or quoted
    pattern of part files, a database, or a large file is scanned where it lies, in bounded memory.
    """
    import heliast as hl
    from heliast._core.errors import NotPredictions
    from heliast.cli import _options as options

    if options.fits(target, model) or fitted:
        data = options.read_data(
            options.data_file(files), target, ignore, group, task, drop_missing
        )
        table = options.models_on(data, model, plan, seed, trust, fitted)
    else:
        scan = options.scans(files, scan, table_name)
        try:
            table = options.read_or_scan(
                files,
                scan,
                table_name,
                memory,
                truth=truth,
                label=label,
                score=options.score_columns(score),
                model=options.only_one(model) if model else None,
                split=split,
                row=row,
                weight=weight,
                group=group,
                positive=positive,
                classes=options.class_list(classes),
                task=task,
                scores=scores,
                weights=weights,
                design="classes" if fixed_classes else "rows",
                missing="drop" if drop_missing else "refuse",
            )
        except NotPredictions:
            mapped = scan or any((truth, label, score, split, row, weight, scores))
            source = (
                None if mapped else options.data_instead(files, ignore, group, task, drop_missing)
            )
            if source is None:
                raise
            remark(
                f"{files[0]} holds data, not predictions: {source.target!r} is to be predicted; "
                f"models are fitted on the plan {plan!r} (say --target otherwise)"
            )
            table = options.run_models(source, model, plan, seed)
    costs = options.costs(cost, table.classes)
    shares = options.shares(prevalence, table.classes)
    found = hl.assess(
        table, measure or None, level, interval, cost=costs, prevalences=shares, seed=seed
    )
    show(found, as_json)
    first = measure[0] if measure else None
    given = {"level": level, "cost": costs, "prevalences": shares, "seed": seed}
    write_report(table, report, measure=first, **given)
