"""`heliast benchmark`: many data sets, many models, ranks."""

from pathlib import Path
from typing import Annotated, Any

import typer

from heliast.cli._app import app, remark, say, show, write_report
from heliast.cli._stored import recorded, told_of_damage
from heliast.cli._types import (
    DropMissing,
    Engine,
    FitMemory,
    FitTimeout,
    Ignore,
    Json,
    Level,
    PlanWords,
    Report,
    Seed,
    Trust,
)

KINDS = {".csv": "csv", ".json": "json", ".md": "md", ".tex": "latex"}
INTERRUPTED = 130


@app.command()
def benchmark(
    data: Annotated[
        list[str],
        typer.Argument(metavar="DIR...", help="A folder of data files, files, or sklearn:NAME."),
    ],
    model: Annotated[
        list[str] | None,
        typer.Option(
            "--model", "--models", metavar="MODEL",
            help="A short name, an import path (runs its code), .skops; several, or a,b,c.",
        ),
    ] = None,
    trust: Trust = None,
    target: Annotated[
        str | None,
        typer.Option(metavar="COLUMN", help="What is to be predicted: a name, first, last, 0, -1."),
    ] = None,
    plan: PlanWords = "10",
    measure: Annotated[str, typer.Option(help="What models are ranked by.")] = "error",
    test: Annotated[str, typer.Option(help="Name of a test, or auto.")] = "auto",
    margin: Annotated[float | None, typer.Option(help="Smallest difference that matters.")] = None,
    ignore: Ignore = None,
    store: Annotated[
        str | None, typer.Option(help="Folder that keeps finished work: goes on when interrupted.")
    ] = None,
    jobs: Annotated[int | None, typer.Option(help="Worker processes.")] = None,
    engine: Engine = "local",
    fit_timeout: FitTimeout = None,
    fit_memory: FitMemory = None,
    shortcuts: Annotated[
        bool, typer.Option("--shortcuts/--refit", help="Save fits where the result is the same.")
    ] = True,
    output: Annotated[
        str | None,
        typer.Option("-o", "--output", help="Write the table: .csv, .json, .md or .tex."),
    ] = None,
    level: Level = 0.95,
    seed: Seed = 0,
    drop_missing: DropMissing = False,
    report: Report = None,
    as_json: Json = False,
) -> None:  # fmt: skip
    """Fit models on many data sets, rank them, and say which are told apart over data sets.

    A folder stands for its CSV, Parquet and ARFF files. With --store an interrupted benchmark goes
    on when the same command is given again. Exit code 3: too few data sets for a test; the table
    is printed all the same.
    """
    from heliast import measures
    from heliast.cli import _words
    from heliast.verbs.benchmark import benchmark as run_all

    _check_places(output, report)
    chosen = _models(model, measures.get(measure).task, trust)
    place = recorded(store)
    try:
        with told_of_damage(place):
            found = run_all(
                data, chosen, _words.plan(plan), seed, target=target, measure=measure, test=test,
                level=level, margin=margin, ignore=tuple(ignore or ()),
                missing="drop" if drop_missing else "refuse", store=place, engine=engine,
                jobs=jobs, shortcuts=shortcuts, fit_timeout=fit_timeout, fit_memory=fit_memory,
                told=remark,
            )  # fmt: skip
    except KeyboardInterrupt:
        say(f"heliast: interrupted; {_how_to_go_on(store)}", err=True)
        raise typer.Exit(INTERRUPTED) from None
    show(found, as_json)
    if output is not None:
        _write(found, output)
    write_report(found, report)
    if found.comparison is None:
        remark(f"heliast: not enough data: {found.reason}")
        raise typer.Exit(3)


def _models(words: list[str] | None, task: str, trusted: list[str] | None) -> dict[str, Any]:
    from heliast.cli import _options
    from heliast.fitting import panel as _panel

    if not words:
        return _panel.panel(task)
    return _options.named_models([part for one in words for part in parted(one)], task, trusted)


def parted(words: str) -> list[str]:
    """`lda,knn(n_neighbors=3, p=1)` at the commas that stand outside brackets and quotes.

    >>> parted("lda, knn(n_neighbors=3, p=1)")
    ['lda', 'knn(n_neighbors=3, p=1)']
    """
    parts, depth, quote = [""], 0, ""
    for letter in words:
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote = letter
        depth += 0 if quote else (letter in "([{") - (letter in ")]}")
        if letter == "," and depth == 0 and not quote:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts if part.strip()]


def _check_places(output: str | None, report: str | None) -> None:
    """Refuse what could not be written before anything is fitted."""
    from heliast._core.errors import InputError

    if output is not None and Path(output).suffix.lower() not in KINDS:
        raise InputError(f"-o {output}: end the name in {', '.join(KINDS)}")
    for place in (output, report):
        if place is not None and not Path(place).absolute().parent.is_dir():
            raise InputError(f"{place}: there is no folder {str(Path(place).parent)!r}; make it")


def _write(found: Any, output: str) -> None:
    from heliast.cli._options import write_text
    from heliast.views import exports

    rows = [one.to_dict() for one in found.table]
    write_text(output, exports.export(rows, KINDS[Path(output).suffix.lower()]))


def _how_to_go_on(store: str | None) -> str:
    if store is None:
        return "nothing was kept (with --store DIR finished work is)"
    return f"finished work is in {store}: the same command goes on from there"
