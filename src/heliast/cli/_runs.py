"""`heliast runs`: what a checkpoint folder holds, and what of it nothing needs."""

import os
from typing import Annotated

import typer

from heliast._core.numbers import shorten
from heliast.cli._app import app
from heliast.cli._options import Json, option
from heliast.cli._terminal import say, say_json

runs = typer.Typer(
    name="runs", help="List and clean checkpoint folders.", no_args_is_help=True,
    rich_markup_mode=None,
)  # fmt: skip
app.add_typer(runs)

FIELDS = ("id", "begun", "data", "plan", "models", "cells", "finished")
Folder = Annotated[str, typer.Argument(metavar="STORE", help="Folder given as --store.")]


@runs.command("list")
def list_runs(folder: Folder, as_json: Json = False) -> None:
    """List the runs of a checkpoint folder and how far each is.

    The command or call that made a run goes on with it, if it is given again.
    """
    from heliast.fitting.store import Store

    records = Store(folder).runs()
    if as_json:
        say_json([{name: getattr(run, name) for name in FIELDS} for run in records])
        return
    for run in records:
        done = f"{run.finished} of {run.cells} cells"
        models = shorten(", ".join(run.models), 40)
        begun = run.begun[:16].replace("T", " ")
        say(f"{run.id}  {begun}  {done}  {models} on {shorten(run.data, 40)}, {run.plan}")
    if not records:
        say("no run on record")


@runs.command()
def clean(folder: Folder, yes: Annotated[bool, option("Remove them.", "--yes")] = False) -> None:
    """List files of a checkpoint folder that nothing needs, or remove them.

    Files that are not the store's own are never listed.
    """
    from heliast.fitting.store import Store

    store = Store(folder)
    paths = store.clean()
    for path in paths:
        say(os.path.relpath(path, store.folder))
        if yes:
            path.unlink(missing_ok=True)
    done = "removed" if yes else "not needed: give --yes to remove them"
    say(f"{len(paths)} files {done}" if paths else "nothing to remove")
