"""`heliast run`: fit, predict, write the table."""

from typing import Annotated

import typer

from heliast.cli._app import app, say, worded, write_report
from heliast.cli._stored import how_to_go_on, recorded, told_of_damage
from heliast.cli._types import (
    DropMissing,
    Engine,
    FitMemory,
    FitTimeout,
    Group,
    Ignore,
    Models,
    PlanWords,
    Report,
    Seed,
    Target,
    Task,
    Trust,
)


@app.command()
def run(
    data: Annotated[str, typer.Argument(metavar="DATA", help="CSV, Parquet or ARFF data.")],
    output: Annotated[str, typer.Option("-o", "--output", help="Parquet or CSV predictions.")],
    target: Target = None,
    model: Models = None,
    trust: Trust = None,
    plan: PlanWords = "10",
    ignore: Ignore = None,
    group: Group = None,
    task: Task = None,
    store: Annotated[str | None, typer.Option(help="Folder that keeps finished work.")] = None,
    jobs: Annotated[int | None, typer.Option(help="Worker processes.")] = None,
    engine: Engine = "local",
    fit_timeout: FitTimeout = None,
    fit_memory: FitMemory = None,
    in_sample: Annotated[
        bool, typer.Option("--in-sample", help="Also predict the training rows.")
    ] = False,
    seed: Seed = 0,
    drop_missing: DropMissing = False,
    report: Report = None,
) -> None:
    """Fit models on every split of a plan and write what they predict."""
    from heliast.cli import _options as options
    from heliast.fitting.cell import failures

    source = options.read_data(data, target, ignore, group, task, drop_missing)
    place = recorded(store)
    with told_of_damage(place), how_to_go_on(store):
        table = options.run_models(
            source, model, plan, seed, trust, store=place, jobs=jobs, in_sample=in_sample,
            engine=engine, fit_timeout=fit_timeout, fit_memory=fit_memory,
        )  # fmt: skip
    table.write(output)
    failed = [cell for cell in table.cells if cell["status"] != "ok"]
    say(f"{output}: {table!r}")
    for line in failures(failed):
        say(worded(line), err=True)
    write_report(table, report, seed=seed)
