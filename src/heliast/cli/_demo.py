"""`heliast demo`: the main job on bundled data."""

from pathlib import Path

import typer

from heliast.cli._app import app, show
from heliast.cli._types import Json


@app.command()
def demo(as_json: Json = False) -> None:
    """Assess and compare two models on bundled predictions."""
    import heliast as hl
    from heliast import _demo

    file = _demo.path()
    typer.echo(f"$ heliast assess {_shown(file)} --positive malignant\n", err=as_json)
    table = hl.Predictions.read(file, positive="malignant")
    show(hl.assess(table), as_json)
    if not as_json:
        typer.echo(f"\n$ heliast compare {_shown(file)}\n")
        show(hl.compare(table), as_json)


def _shown(file: Path) -> str:
    try:
        return str(file.relative_to(Path.cwd()))
    except ValueError:
        return str(file)
