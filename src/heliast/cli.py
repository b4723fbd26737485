"""The command line: parse, call a verb, print. Exit codes: 0 fine, 1 no, 2 bad input, 3 too few."""

import json
import os
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from heliast import __version__

app = typer.Typer(
    name="heliast",
    help="Assess, compare and combine classifiers, and say how sure you are.",
    no_args_is_help=True,
    add_completion=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _column(words: str) -> Any:
    return typer.Option(metavar="COLUMN", help=words)


Files = Annotated[list[str], typer.Argument(metavar="FILE...", help="CSV or Parquet predictions.")]
Truth = Annotated[str | None, _column("True class.")]
Labels = Annotated[str | None, _column("Decided class.")]
Score = Annotated[list[str] | None, _column("Score of the positive class, or CLASS=COLUMN.")]
Model = Annotated[
    list[str] | None,
    typer.Option(help="Column with the model's name; with --target, a model to fit."),
]
SplitOf = Annotated[str | None, _column("Split of the plan.")]
RowOf = Annotated[str | None, _column("Data row.")]
Group = Annotated[str | None, _column("Group of rows.")]
Positive = Annotated[str | None, typer.Option(help="The positive class of two.")]
Classes = Annotated[str | None, typer.Option(help="All classes: a,b,c.")]
Task = Annotated[str | None, typer.Option(help="classes or number.")]
Scores = Annotated[str | None, typer.Option(help="probability, decision or votes.")]
DropMissing = Annotated[
    bool, typer.Option("--drop-missing", help="Leave out rows with missing values.")
]
Target = Annotated[str | None, _column("What is to be predicted: the file holds data.")]
Models = Annotated[
    list[str] | None,
    typer.Option(metavar="MODEL", help="A short name, or an import path (runs its code)."),
]
PlanWords = Annotated[
    str, typer.Option(metavar="PLAN", help="Folds, or a plan such as 'kfold(10, repeats=5)'.")
]
Ignore = Annotated[list[str] | None, _column("Not an input.")]
Level = Annotated[float, typer.Option(help="Confidence level of the intervals.")]
Seed = Annotated[int, typer.Option(help="Seed of whatever is drawn.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")]


def _show_version(asked: bool) -> None:
    if asked:
        typer.echo(f"heliast {__version__}")
        raise typer.Exit


@app.callback()
def _common(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show it.")
    ] = False,
) -> None:
    """Assess, compare and combine classifiers, and say how sure you are."""


@app.command()
def assess(
    files: Files,
    truth: Truth = None,
    label: Labels = None,
    score: Score = None,
    model: Model = None,
    split: SplitOf = None,
    row: RowOf = None,
    weight: Annotated[str | None, _column("Row weight.")] = None,
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
    ignore: Ignore = None,
    measure: Annotated[list[str] | None, typer.Option(help="Only these measures.")] = None,
    interval: Annotated[str, typer.Option(help="Interval method, auto or none.")] = "auto",
    level: Level = 0.95,
    seed: Seed = 0,
    drop_missing: DropMissing = False,
    as_json: Json = False,
) -> None:
    """Measures of the predictions in a file, each with its interval.

    With --target the file holds data: a panel of models (or those named) is fitted on the splits
    of a plan first.
    """
    import heliast as hl
    from heliast import _options as options

    if target is not None:
        data = options.read_data(options.only_one(files), target, ignore, group, task, drop_missing)
        table = options.run_models(data, model, plan, seed)
    else:
        table = options.read_all(
            files,
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
    found = hl.assess(
        table,
        measure or None,
        level,
        interval,
        cost=options.costs(cost, table.classes),
        prevalences=options.shares(prevalence, table.classes),
        seed=seed,
    )
    _print(found, as_json)


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
    ignore: Ignore = None,
    measure: Annotated[str, typer.Option(help="What is compared.")] = "error",
    test: Annotated[str, typer.Option(help="Name of a test, or auto.")] = "auto",
    margin: Annotated[float | None, typer.Option(help="Smallest difference that matters.")] = None,
    level: Level = 0.95,
    seed: Seed = 0,
    drop_missing: DropMissing = False,
    as_json: Json = False,
) -> None:
    """Which model is better, by how much, and whether the difference is real.

    Takes files of predictions for the same rows (paired by their row column), or data with
    --target and the models to fit.
    """
    import heliast as hl
    from heliast import _options as options

    if target is not None:
        data = options.read_data(options.only_one(files), target, ignore, group, task, drop_missing)
        table = options.run_models(data, model, plan, seed)
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
    _print(hl.compare(table, measure, test, level, margin, seed=seed), as_json)


@app.command()
def run(
    data: Annotated[str, typer.Argument(metavar="DATA", help="CSV, Parquet or ARFF data.")],
    output: Annotated[str, typer.Option("-o", "--output", help="Parquet or CSV predictions.")],
    target: Target = None,
    model: Models = None,
    plan: PlanWords = "10",
    ignore: Ignore = None,
    group: Group = None,
    task: Task = None,
    store: Annotated[str | None, typer.Option(help="Folder that keeps finished work.")] = None,
    jobs: Annotated[int | None, typer.Option(help="Worker processes.")] = None,
    in_sample: Annotated[
        bool, typer.Option("--in-sample", help="Also predict the training rows.")
    ] = False,
    seed: Seed = 0,
    drop_missing: DropMissing = False,
) -> None:
    """Fit models on every split of a plan and write what they predict."""
    from heliast import _options as options

    source = options.read_data(data, target, ignore, group, task, drop_missing)
    table = options.run_models(
        source, model, plan, seed, store=store, jobs=jobs, in_sample=in_sample
    )
    table.write(output)
    failed = [cell for cell in table.cells if cell["status"] != "ok"]
    typer.echo(f"{output}: {table!r}")
    for line in options.failures(failed):
        typer.echo(line, err=True)


@app.command()
def demo(as_json: Json = False) -> None:
    """Assess and compare two models on bundled predictions."""
    import heliast as hl
    from heliast import _demo

    file = _demo.path()
    typer.echo(f"$ heliast assess {_shown(file)} --positive malignant\n", err=as_json)
    table = hl.Predictions.read(file, positive="malignant")
    _print(hl.assess(table), as_json)
    if not as_json:
        typer.echo(f"\n$ heliast compare {_shown(file)}\n")
        _print(hl.compare(table), as_json)


def _shown(file: Path) -> str:
    try:
        return str(file.relative_to(Path.cwd()))
    except ValueError:
        return str(file)


def _print(found: Any, as_json: bool) -> None:
    typer.echo(json.dumps(found.to_dict(), ensure_ascii=False, indent=2) if as_json else str(found))


def main() -> None:
    """Run the command line; turn the errors we raise on purpose into a message and a code."""
    from heliast._core.errors import HeliastError

    try:
        app()
    except HeliastError as error:
        typer.echo(f"heliast: {error}", err=True)
        sys.exit(error.exit_code)
    except BrokenPipeError:  # the reader of our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)


if __name__ == "__main__":
    main()
