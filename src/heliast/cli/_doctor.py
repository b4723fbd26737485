"""`heliast doctor`: what is installed, whether it works, where compiled code is kept."""

import json
import os
import platform
import shutil
from contextlib import suppress
from typing import Any

import typer

from heliast.cli._app import app, say, say_json
from heliast.cli._narrow import Command
from heliast.cli._options import Json

NEEDED = (
    "numpy", "scipy", "scikit-learn", "numba", "narwhals", "duckdb", "pyarrow", "joblib",
    "cloudpickle", "rich", "typer", "Jinja2",
)  # fmt: skip
EXTRAS = {
    "matplotlib": "drawings for papers (pip install 'heliast[plot]')",
    "skops": "model files (pip install 'heliast[models]')",
    "dask": "engine dask:// (pip install 'heliast[dask]')",
    "distributed": "engine dask:// (pip install 'heliast[dask]')",
    "ray": "engine ray:// (pip install 'heliast[ray]')",
    "pyspark": "engine spark:// and tables in Spark (pip install 'heliast[spark]')",
    "joblibspark": "engine spark:// (pip install 'heliast[spark]')",
    "pandas": "data frames of pandas",
    "polars": "data frames of Polars",
}


@app.command(cls=Command)
def doctor(as_json: Json = False) -> None:
    """Versions, extras, threads, caches, and a small job from end to end."""
    found = findings()
    if as_json:
        say_json(found)
    else:
        say(findings_text(found))
    missing = [name for name, have in found["needed"].items() if have is None]
    raise typer.Exit(0 if found["works"] == "yes" and not missing else 1)


def findings() -> dict[str, Any]:
    """Versions, extras, threads and caches, as a plain dict."""
    from heliast import __version__
    from heliast._kernels.crew import threads

    return {
        "heliast": __version__,
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
        "threads": threads(),
        "needed": {name: _version(name) for name in NEEDED},
        "extras": {name: _version(name) for name in EXTRAS},
        "engines": _engines(),
        "compiled": _compiled(),
        "works": _works(),
    }


def _version(name: str) -> str | None:
    from importlib.metadata import PackageNotFoundError, version  # it reads half of `email`

    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _engines() -> list[str]:
    """Where models can be fitted."""
    there = {
        "dask": _version("distributed"),
        "ray": _version("ray"),
        "spark": _version("pyspark") and _version("joblibspark"),
    }
    found = ["local", *(name for name, have in there.items() if have)]
    if "spark" in found and not (os.environ.get("JAVA_HOME") or shutil.which("java")):
        found[-1] = "spark (Java is MISSING)"
    return found


def _compiled() -> dict[str, Any]:
    """How many kernels are compiled already, where they lie, and whether a wheel brought them."""
    from heliast._kernels import kept

    every = {folder: [*folder.glob("*.nbc")] for folder in kept.places()}
    brought = len(every.pop(kept.SHIPPED))
    folder = next((one for one, files in every.items() if files), next(iter(every)))
    size = sum(file.stat().st_size for file in every[folder])
    aimed = kept.aim()
    return {
        "folder": str(folder),
        "kernels": len(every[folder]),
        "megabytes": round(size / 1e6, 1),
        "processor": kept.LEVEL if aimed else "this one",
        "brought": brought,
        "brought_for": _brought_for(aimed) if brought else "",
    }


def _brought_for(aimed: bool) -> str:
    """Why what a wheel brought is not used; nothing if it is."""
    from heliast._kernels import kept

    note: dict[str, Any] = {}
    with suppress(OSError, ValueError):
        note = json.loads((kept.SHIPPED / "made.json").read_text(encoding="utf-8"))
    if not aimed:
        return f"not used: made for {note.get('cpu')}"
    made_by = tuple(note.get(name) for name in ("numba", "llvmlite", "python"))
    if made_by != kept.MADE_BY:
        return f"not used: made by Numba {made_by[0]}, llvmlite {made_by[1]}, {made_by[2]}"
    return ""


def _works() -> str:
    """A small job from end to end: 'yes', or what went wrong."""
    try:
        import heliast as hl

        found = hl.assess(hl.Predictions.of(["a", "b", "b"], ["a", "b", "a"]))["model", "error"]
        return "yes" if abs(found.value - 1 / 3) < 1e-12 else f"no: an error of {found.value}"
    except Exception as error:
        return f"no: {type(error).__name__}: {error}"


def findings_text(found: dict[str, Any]) -> str:
    """The findings for a terminal."""
    lines = [
        f"heliast {found['heliast']}, Python {found['python']}, {found['machine']}, "
        f"{found['threads']} threads (HELIAST_THREADS sets them)",
        f"works: {found['works']}",
        f"engines: {', '.join(found['engines'])}",
        _compiled_text(found["compiled"]),
        "",
    ]
    lines += [f"  {name:<14} {have or 'MISSING'}" for name, have in found["needed"].items()]
    lines += ["", "extras:"]
    for name, have in found["extras"].items():
        lines.append(f"  {name:<14} {have or '-':<12} {'' if have else EXTRAS[name]}".rstrip())
    return "\n".join(lines)


def _compiled_text(found: dict[str, Any]) -> str:
    here = f"{found['kernels']} compiled here ({found['megabytes']} MB in {found['folder']})"
    brought = "none brought by the wheel (heliast warm compiles them now)"
    if found["brought"]:
        why = f" ({found['brought_for']})" if found["brought_for"] else ""
        brought = f"{found['brought']} brought by the wheel{why}"
    return f"kernels: {brought}; {here}; for {found['processor']}"
