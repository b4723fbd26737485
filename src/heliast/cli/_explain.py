"""`heliast explain`: why a model errs, and what to do about it."""

from typing import Annotated

import typer

from heliast.cli._app import app, show, write_report
from heliast.cli._types import (
    DropMissing,
    Group,
    Ignore,
    Json,
    Level,
    Models,
    Report,
    Seed,
    Target,
    Trust,
)


@app.command()
def explain(
    data: Annotated[str, typer.Argument(metavar="DATA", help="CSV, Parquet or ARFF data.")],
    target: Target = None,
    model: Models = None,
    trust: Trust = None,
    times: Annotated[int, typer.Option(help="Resamples each model is fitted on.")] = 100,
    ignore: Ignore = None,
    group: Group = None,
    store: Annotated[str | None, typer.Option(help="Folder that keeps finished work.")] = None,
    level: Level = 0.95,
    seed: Seed = 0,
    drop_missing: DropMissing = False,
    report: Report = None,
    as_json: Json = False,
) -> None:
    """Bias and variance of models, how their fits vote on rows, and what that suggests."""
    from heliast.cli import _options as options
    from heliast.fitting import panel as _panel
    from heliast.verbs.explain import explain as explained

    source = options.read_data(data, target, ignore, group, None, drop_missing)
    chosen = (
        options.named_models(model, source.task, trust)
        if model
        else {"tree": _panel.CLASSES["tree"]()}
    )
    found = explained(source, chosen, times, seed=seed, level=level, store=store, progress=True)
    show(found, as_json)
    write_report(found.predictions, report, level=level, seed=seed)
