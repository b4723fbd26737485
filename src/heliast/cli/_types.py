"""Options that several verbs share: their type, name and help, once."""

from typing import Annotated, Any

import typer


def column(words: str) -> Any:
    """An option that names a column."""
    return typer.Option(metavar="COLUMN", help=words)


def _level(value: float) -> float:
    """Refused before anything is fitted."""
    from heliast._core.errors import InputError

    if not 0 < value < 1:
        hint = f" (did you mean {value / 100:g}?)" if 1 < value < 100 else ", as 0.95"
        raise InputError(f"--level {value:g}: a confidence level lies between 0 and 1{hint}")
    return value


Files = Annotated[list[str], typer.Argument(metavar="FILE...", help="CSV or Parquet predictions.")]
Truth = Annotated[str | None, column("True class.")]
Labels = Annotated[str | None, column("Decided class.")]
Score = Annotated[list[str] | None, column("Score of the positive class, or CLASS=COLUMN.")]
Model = Annotated[
    list[str] | None,
    typer.Option(help="Column with the model's name; with --target, a model to fit."),
]
SplitOf = Annotated[str | None, column("Split of the plan.")]
RowOf = Annotated[str | None, column("Data row.")]
Group = Annotated[str | None, column("Group of rows.")]
Positive = Annotated[str | None, typer.Option(help="The positive class of two.")]
Classes = Annotated[str | None, typer.Option(help="All classes: a,b,c.")]
Task = Annotated[str | None, typer.Option(help="classes or number.")]
Scores = Annotated[str | None, typer.Option(help="probability, decision or votes.")]
DropMissing = Annotated[
    bool, typer.Option("--drop-missing", help="Leave out rows with missing values.")
]
Target = Annotated[str | None, column("What is to be predicted: the file holds data.")]
Models = Annotated[
    list[str] | None,
    typer.Option(metavar="MODEL", help="A short name, an import path (runs its code), .skops."),
]
Trust = Annotated[
    list[str] | None,
    typer.Option(metavar="TYPE", help="Type in a .skops file whose code may run."),
]
Fitted = Annotated[
    bool, typer.Option("--fitted", help="The models are fitted: only predict, on all rows.")
]
PlanWords = Annotated[
    str, typer.Option(metavar="PLAN", help="Folds, or a plan such as 'kfold(10, repeats=5)'.")
]
Ignore = Annotated[list[str] | None, column("Not an input.")]
Engine = Annotated[
    str, typer.Option(help="local, dask://HOST:PORT, ray://HOST:PORT or spark://HOST:PORT.")
]
FitTimeout = Annotated[
    float | None, typer.Option(metavar="SECONDS", help="End a fit that takes longer.")
]
FitMemory = Annotated[
    str | None, typer.Option(metavar="SIZE", help="End a fit that needs more: 2GB (Linux).")
]
Level = Annotated[float, typer.Option(help="Confidence level of the intervals.", callback=_level)]
Seed = Annotated[int, typer.Option(min=0, help="Seed of whatever is drawn.")]
Report = Annotated[
    str | None, typer.Option(metavar="FILE", help="Also write everything as one HTML file.")
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")]
