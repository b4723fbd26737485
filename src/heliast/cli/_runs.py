"""`heliast runs`: what a store holds, how far its runs are, going on, cleaning up."""

import os
from typing import TYPE_CHECKING, Annotated

import typer

from heliast._core.errors import InputError
from heliast.cli._app import app, remark, say, say_json
from heliast.cli._narrow import Command, Commands
from heliast.cli._options import Json, Trust
from heliast.cli._resume import Begun, command_of, is_command, together
from heliast.cli._stored import told_of_damage

if TYPE_CHECKING:
    from heliast.fitting.store import Progress, Promise, Run, Store

runs = typer.Typer(
    name="runs",
    cls=Commands,
    help="Runs kept in a store: list, show, resume, clean.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.add_typer(runs)

StoreOf = Annotated[str, typer.Argument(metavar="STORE", help="Folder given as --store to run.")]
Id = Annotated[str, typer.Argument(metavar="[ID]", help="A run's id, or how it starts.")]


# --- list, show --------------------------------------------------------------------------------


@runs.command("list", cls=Command)
def list_(store: StoreOf, as_json: Json = False) -> None:
    """Every run of a store and how far it is, as the names of its files tell."""
    from heliast._core.numbers import shorten
    from heliast.fitting.store import Store

    place = Store.existing(store)
    with told_of_damage(place):
        every = [(run, place.progress(run, read=False)) for run in place.runs()]
        promises = place.promises()
    if as_json:
        say_json([_told(run, progress) for run, progress in every])
        return
    for run, progress in every:
        state = progress.unfinished or f"finished: {progress.cells} cells"
        models = f"{len(run.models)} model{'s' if len(run.models) > 1 else ''} on {run.data}"
        say(f"{run.id}  {run.begun[:16].replace('T', ' ')}  {state}  {shorten(models, 30)}")
    for promise in promises:
        many = f"{len(promise.parts)} data sets"
        said = f"{promise.id}  {promise.begun[:16].replace('T', ' ')}"
        say(f"{said}  unfinished: {promise.verb} of {many}: heliast runs resume goes on")
    if not every:
        say("no run on record")


@runs.command(cls=Command)
def show(
    store: StoreOf,
    id_: Id = "",
    output: Annotated[
        str | None,
        typer.Option(
            "-o", "--output", help="Parquet of the predictions, as far as they are there."
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """One run, or all, in full: every file is read and checked.

    With -o the table of predictions is written without fitting anything; that of an unfinished
    run says so wherever it is read.
    """
    from heliast.fitting.store import Store

    place = Store.existing(store)
    with told_of_damage(place):
        chosen = [place.run(id_)] if id_ or output is not None else list(place.runs())
        every = [(run, place.progress(run)) for run in chosen]
        table = None if output is None else place.table(chosen[0].id)
    about = {"quarantined": len(place.quarantined()), "leftovers": len(place.leftovers())}
    if as_json:
        say_json({"runs": [_told(run, progress) for run, progress in every], **about})
    else:
        blocks = [_shown(run, progress, place) for run, progress in every]
        say("\n\n".join([*(blocks or ["no run on record"]), _sentence(about)]))
    if table is not None and output is not None:
        table.write(output)
        remark(f"{output}: {table!r}")


def _told(run: "Run", progress: "Progress") -> dict[str, object]:
    return {**run.to_dict(), "progress": progress.to_dict()}


def _sentence(about: dict[str, int]) -> str:
    damaged, left = about["quarantined"], about["leftovers"]
    return (
        f"store: {damaged} damaged file{'' if damaged == 1 else 's'} in quarantine, "
        f"{left} temporary file{'' if left == 1 else 's'} of killed writers"
    )


LINE = 2000
"""Letters of a line at most: names in a record may be anything, and of any length."""


def _shown(run: "Run", progress: "Progress", place: "Store") -> str:
    from heliast._core.numbers import shorten

    state = progress.unfinished or f"finished: {progress.cells} cells"
    lines = [
        f"run {run.id}: {state}" + (f", {progress.failed} failed" if progress.failed else ""),
        f"  begun    {run.begun}",
        f"  data     {run.data}, {run.rows} rows ({run.data_fingerprint})",
        f"  plan     {run.plan}, seed {run.seed} ({run.plan_fingerprint})",
        f"  with     {', '.join(f'{name} {version}' for name, version in run.versions.items())}",
    ]
    for name, one in progress.models.items():
        failed = f", {one.failed} failed" if one.failed else ""
        cells = f"{one.finished} of {one.cells} cells{failed}"
        lines.append(f"  model    {name} ({run.models[name]}): {cells}")
        lines += [f"           {line}" for line in one.failure.splitlines()]
    lines.append(f"  command  {command_of(run, place)}")
    return "\n".join(shorten(line, LINE) for line in lines)


# --- resume ------------------------------------------------------------------------------------


@runs.command(cls=Command)
def resume(
    store: StoreOf,
    id_: Id = "",
    output: Annotated[
        str | None, typer.Option("-o", "--output", metavar="FILE", help="Write what it finds.")
    ] = None,
    report: Annotated[
        str | None, typer.Option(metavar="FILE", help="Also write everything as one HTML file.")
    ] = None,
    engine: Annotated[
        str | None, typer.Option(metavar="ENGINE", help="Where models are fitted.")
    ] = None,
    jobs: Annotated[int | None, typer.Option(metavar="N", help="Worker processes.")] = None,
    trust: Trust = None,
    yes: Annotated[
        bool,
        typer.Option(
            "--yes", help="Also import code of its own, and read files that lie elsewhere."
        ),
    ] = False,
) -> None:
    """Ask again for what unfinished runs were to find; what is finished is not done again.

    Of a record only data, models and options of the question are taken. What is written, where
    models are fitted and what is trusted is said here. Code of other packages than scikit-learn
    and heliast, and files outside of this folder and the store, are named and need --yes. Data
    that have changed since are refused. Exit code: the worst of the commands; 1 if a run is left
    that only Python can resume.
    """
    from heliast.fitting.store import Store

    place = Store.existing(store)
    damaged = len(place.quarantined())
    with told_of_damage(place):
        left = _left(place, id_)
    code = 2 if len(place.quarantined()) > damaged else 0
    if not left and code:
        raise InputError(
            "nothing can be resumed: the record of the run was damaged; give its command again, "
            "which uses the cells that are finished"
        )
    if not left:
        every = "every run is finished" if list(place.runs()) else "no run on record"
        damaged_before = f"; {damaged} damaged files are in quarantine" if damaged else ""
        say(f"nothing to resume: {every}{damaged_before}")
    for record, *_ in left:
        if not is_command(record):
            remark(f"run {record.id}: {command_of(record, place)}")
            code = max(code, 1)
    begun = [Begun.of(group[0], place) for group in left if is_command(group[0])]
    if len(begun) > 1 and (output or report):
        ids = ", ".join(one.id for one in begun[:8])
        raise InputError(f"-o and --report are for one of several: name one of {ids}")
    given = {"output": output, "report": report, "engine": engine, "jobs": jobs, "trust": trust}
    commands = [one.words(given) for one in begun]
    for one in begun:  # all before the first of them
        one.refuse(yes)
    for one, words in zip(begun, commands, strict=True):
        code = max(code, one.go_on(words))
        if code > 128:  # interrupted, or told to end
            break
    raise typer.Exit(code)


def _left(place: "Store", id_: str) -> "list[list[Run | Promise]]":
    """What is unfinished, those together that one command has begun."""
    promises = [one for one in place.promises() if one.id.startswith(id_)]
    chosen = [place.run(id_)] if id_ and not promises else place.runs() if not id_ else ()
    return together((*promises, *(run for run in chosen if place.progress(run).unfinished)))


# --- clean -------------------------------------------------------------------------------------


@runs.command(cls=Command)
def clean(
    store: StoreOf,
    yes: Annotated[bool, typer.Option("--yes", help="Remove them.")] = False,
    as_json: Json = False,
) -> None:
    """What nothing needs: temporary leftovers, damaged files, doubles, cells of no recorded run.

    Without --yes it only says what it would remove. Files that are not the store's stay.
    """
    from heliast.fitting.store import Store, removable

    place = Store.existing(store)
    with told_of_damage(place):
        found = removable(place)
    said = found.to_dict()
    if as_json:
        say_json({**said, "removed": found.remove() if yes else 0})
        return
    words = {
        "leftovers": "temporary files of killed writers",
        "claims": "claims of processes that are gone",
        "quarantined": "damaged files in quarantine",
        "doubled": "files of cells that are there twice",
        "unowned": "files of no recorded run",
    }
    for why, what in words.items():
        paths = said[why]
        if isinstance(paths, list) and paths:
            shown = ", ".join(os.path.relpath(path, place.folder) for path in paths[:3])
            say(f"{len(paths)} {what}: {shown}{', ...' if len(paths) > 3 else ''}")
    if found.kept:
        say(found.kept)
    if not found.files:
        say("nothing to remove")
    elif yes:
        say(f"removed {found.remove()} files, {said['bytes']:,} bytes")
    else:
        say(f"{len(found.files)} files, {said['bytes']:,} bytes: give --yes to remove them")
