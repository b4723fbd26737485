"""`heliast combine`: would a vote do better?"""

from typing import Annotated

import typer

from heliast.cli._app import app, show, write_report
from heliast.cli._types import (
    DropMissing,
    Group,
    Ignore,
    Json,
    Level,
    PlanWords,
    Report,
    Seed,
    Target,
    Trust,
)


@app.command()
def combine(
    data: Annotated[str, typer.Argument(metavar="DATA", help="CSV, Parquet or ARFF data.")],
    target: Target = None,
    base: Annotated[
        str | None, typer.Option(metavar="MODEL", help="What votes: a short name or import path.")
    ] = None,
    trust: Trust = None,
    members: Annotated[int, typer.Option(help="Members of each vote, at most.")] = 200,
    plan: PlanWords = "10",
    ignore: Ignore = None,
    group: Group = None,
    output: Annotated[
        str | None, typer.Option("-o", "--output", help="Write the predictions as well.")
    ] = None,
    store: Annotated[str | None, typer.Option(help="Folder that keeps finished work.")] = None,
    level: Level = 0.95,
    seed: Seed = 0,
    drop_missing: DropMissing = False,
    report: Report = None,
    as_json: Json = False,
) -> None:
    """Fit the family of votes beside its base and single models, and say whether voting pays."""
    from heliast.cli import _options as options
    from heliast.cli import _words
    from heliast.verbs.combine import combine as combined

    source = options.read_data(data, target, ignore, group, None, drop_missing)
    chosen = None if base in (None, "tree") else _words.model(base, source.task, trust or ())[1]
    found = combined(
        source, chosen, members, _words.plan(plan), seed=seed, level=level, store=store,
        progress=True,
    )  # fmt: skip
    show(found, as_json)
    write_report(found.predictions, report, level=level, seed=seed)
    if output is not None:
        found.predictions.write(output)
