"""`heliast runs`: what a store holds, how far its runs are, going on, cleaning up."""

import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from heliast.cli._app import app, remark, say, say_json
from heliast.cli._narrow import Command, Commands
from heliast.cli._options import Json
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
RESUMED = ("run", "benchmark", "assess", "compare", "combine", "explain")
"""The verbs whose commands are on record."""
NAMES_MODELS = ("--model", "--models", "--base")
"""The options that import what they name."""
OURS = ("sklearn", "heliast")
"""Packages whose public classes are models, and no other code."""
ACTS = ("--trust", "--engine", "--install-completion", "--show-completion")
"""Options that let code run, reach other machines, or change how the shell starts."""


# --- list, show --------------------------------------------------------------------------------


@runs.command("list", cls=Command)
def list_(store: StoreOf, as_json: Json = False) -> None:
    """Every run of a store and how far it is, as the names of its files tell."""
    from heliast._core.numbers import shorten
    from heliast.fitting.store import Store

    place = Store.existing(store)
    with told_of_damage(place):
        every = [(run, place.progress(run, read=False)) for run in place.runs()]
    if as_json:
        say_json([_told(run, progress) for run, progress in every])
        return
    for run, progress in every:
        state = progress.unfinished or f"finished: {progress.cells} cells"
        models = f"{len(run.models)} model{'s' if len(run.models) > 1 else ''} on {run.data}"
        say(f"{run.id}  {run.begun[:16].replace('T', ' ')}  {state}  {shorten(models, 30)}")
    for promise in place.promises():
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
    about = _about(place)
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


def _about(place: "Store") -> dict[str, int]:
    return {"quarantined": len(place.quarantined()), "leftovers": len(place.leftovers())}


def _sentence(about: dict[str, int]) -> str:
    damaged, left = about["quarantined"], about["leftovers"]
    return (
        f"store: {damaged} damaged file{'' if damaged == 1 else 's'} in quarantine, "
        f"{left} temporary file{'' if left == 1 else 's'} of killed writers"
    )


def _shown(run: "Run", progress: "Progress", place: "Store") -> str:
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
    lines.append(f"  command  {_command(run, place)}")
    return "\n".join(lines)


# --- resume ------------------------------------------------------------------------------------


@runs.command(cls=Command)
def resume(
    store: StoreOf,
    id_: Id = "",
    yes: Annotated[
        bool, typer.Option("--yes", help="Also run commands that import code of their own.")
    ] = False,
) -> None:
    """Give the recorded commands of unfinished runs again; what is finished is not done again.

    A command on record can import code and write files, so it is shown before it is run: resume
    stores that you trust. Exit code: the worst of the commands; 1 if a run is left that only
    Python can resume.
    """
    from heliast.fitting.store import Store

    place = Store.existing(store)
    with told_of_damage(place):
        chosen = [place.run(id_)] if id_ else list(place.runs())
        left: list[Run | Promise] = [] if id_ else list(place.promises())
        left += [run for run in chosen if place.progress(run).unfinished]
    if not left:
        say("nothing to resume: every run is finished")
        return
    code, given = 0, set[tuple[str, ...]]()
    for run in left:
        words = _words(run, place)
        if words is None:
            remark(f"run {run.id}: {_command(run, place)}")
            code = max(code, 1)
        elif words not in given:  # one command may have begun several runs
            given.add(words)
            code = max(code, _again(run, words, yes))
    raise typer.Exit(code)


def _again(run: "Run | Promise", words: tuple[str, ...], yes: bool) -> int:
    from heliast._core.errors import InputError

    folder = Path(run.folder or ".")
    say(f"in {folder}: {shlex.join(['heliast', *words])}", err=True)
    foreign = foreign_code(words)
    if foreign and not yes:
        raise InputError(
            f"run {run.id}: its command runs code ({foreign}); if you trust this store, give --yes"
        )
    if not folder.is_dir():
        raise InputError(
            f"run {run.id}: its folder {folder} is gone; give the command from another"
        )
    # Without -P a module in that folder would come before the one that is meant.
    words = ("-P", "-m", "heliast.cli", *words)
    done = subprocess.run([sys.executable, *words], cwd=folder, check=False)
    return done.returncode if done.returncode >= 0 else 2


def foreign_code(words: tuple[str, ...]) -> str:
    """The first word that makes a command run code which is neither ours nor scikit-learn's.

    >>> foreign_code(("run", "a.csv", "--model", "tree", "--model=f=sklearn.svm.SVC(C=2)"))
    ''
    >>> foreign_code(("run", "a.csv", "--model", "os.system('ls')"))
    "os.system('ls')"
    >>> foreign_code(("run", "a.csv", "--model", "(subprocess.Popen)('ls', shell=True)"))
    "(subprocess.Popen)('ls', shell=True)"
    """
    from heliast._core.errors import InputError
    from heliast.cli._words import alias, call, parted

    for option, value in _options(words):
        if option in ACTS:
            return f"{option} {value}".strip()
        for word in parted(value) if option in NAMES_MODELS else ():
            try:
                path = call(alias(word)[1], option)[0].split(".")  # read as it is when it is run
            except InputError:
                return word
            known = path[0] in OURS and path[-1][:1].isupper()
            if len(path) > 1 and not (known and all(not part.startswith("_") for part in path)):
                return word
    return ""


def _options(words: tuple[str, ...]) -> list[tuple[str, str]]:
    """Options with the word that follows them, or what stands behind their equals sign."""
    found = []
    for at, word in enumerate(words):
        option, equals, value = word.partition("=")
        following = words[at + 1] if at + 1 < len(words) else ""
        found.append((option, value if equals else following))
    return found


def _words(run: "Run | Promise", place: "Store") -> tuple[str, ...] | None:
    """The words after `heliast`, with the store where it is now; None if Python began the run."""
    verb = next((word for word in run.command or () if not word.startswith("-")), "")
    if run.command is None or verb not in RESUMED:
        return None
    here = str(place.folder.resolve())
    words = list(run.command)
    for at, word in enumerate(words):
        if word == "--store" and at + 1 < len(words):
            words[at + 1] = here
        elif word.startswith("--store="):
            words[at] = f"--store={here}"
    return tuple(words)


def _command(run: "Run | Promise", place: "Store") -> str:
    words = _words(run, place)
    if words is None:
        return (
            f"begun in Python: call {getattr(run, 'verb', 'run')} again with the same arguments, "
            f"store={str(place.folder)!r}"
        )
    return shlex.join(["heliast", *words])


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
