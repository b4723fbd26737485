"""The application that every verb of the command line joins, and how results are printed."""

import json
import shlex
import sys
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


def write_report(table: Any, path: str | None, **options: Any) -> None:
    """Write the report, if one is asked for, and say where it is."""
    if path is None:
        return
    import heliast as hl

    command = shlex.join(["heliast", *sys.argv[1:]])
    typer.echo(f"report: {hl.report(table, path, command=command, **options)}", err=True)


def show(found: Any, as_json: bool) -> None:
    """Print a record: its terminal view, or its plain dict as JSON."""
    typer.echo(json.dumps(found.to_dict(), ensure_ascii=False, indent=2) if as_json else str(found))
