"""`heliast reproduce`: the numbers of the source documents, made again."""

from pathlib import Path
from typing import Annotated

import typer

from heliast.cli._app import app, say, say_json
from heliast.cli._narrow import Command
from heliast.cli._options import Json


@app.command(cls=Command)
def reproduce(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[STUDY]...", help="Such as thesis-2.12, thesis-2 or chapter."),
    ] = None,
    listed: Annotated[bool, typer.Option("--list", help="Name every study.")] = False,
    quick: Annotated[bool, typer.Option("--quick", help="A few repetitions only.")] = False,
    seed: Annotated[int, typer.Option(help="Seed of whatever is drawn.")] = 1,
    data: Annotated[str | None, typer.Option(help="Folder with letter.csv and vowel.csv.")] = None,
    fetch: Annotated[
        bool, typer.Option("--fetch", help="Download missing data from OpenML.")
    ] = False,
    store: Annotated[str | None, typer.Option(help="Folder that keeps finished work.")] = None,
    jobs: Annotated[int | None, typer.Option(help="Worker processes.")] = None,
    page: Annotated[
        str | None, typer.Option(help="Write the tables to this Markdown file, drawings beside it.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Every table, figure and example of five published texts beside what heliast finds.

    Exit code 0: every number is within its tolerance. 1: one is not.
    """
    from heliast import reproduce as studies

    if listed:
        for one in studies.every().values():
            needs = f"  (needs {', '.join(one.needs)})" if one.needs else ""
            say(f"{one.name:<16} {one.title}{needs}")
        return
    setting = studies.Setting(
        seed=seed, folder=data, store=store, fetch=fetch, jobs=jobs, progress=False
    )
    outcomes = []
    for outcome in studies.reproduce(names or (), setting, quick=quick):
        outcomes.append(outcome)
        if not as_json:
            say(studies.outcome_text(outcome) + "\n")
    if as_json:
        say_json([outcome.to_dict() for outcome in outcomes])
    elif len(outcomes) > 1:
        say(studies.summary_text(outcomes))
    if page is not None:
        studies.write_page(outcomes, Path(page))
    raise typer.Exit(0 if all(outcome.agrees for outcome in outcomes) else 1)
