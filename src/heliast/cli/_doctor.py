"""`heliast doctor`: what is installed, and whether it works."""

import json

import typer

from heliast.cli._app import app
from heliast.cli._types import Json


@app.command()
def doctor(as_json: Json = False) -> None:
    """Versions, extras, threads, caches, and a small job from end to end."""
    from heliast.cli._health import doctor as examine
    from heliast.cli._health import doctor_text

    found = examine()
    typer.echo(json.dumps(found, indent=2) if as_json else doctor_text(found))
    missing = [name for name, have in found["needed"].items() if have is None]
    raise typer.Exit(0 if found["works"] == "yes" and not missing else 1)
