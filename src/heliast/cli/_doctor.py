"""`heliast doctor`: what is installed, whether it works, where compiled code is kept."""

import os
import platform
import shutil
from importlib.metadata import PackageNotFoundError, version
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
    """How many kernels are compiled already, and where they lie."""
    from heliast._kernels.kept import places

    every = {folder: [*folder.glob("*.nbc")] for folder in places()}
    folder = next((one for one, files in every.items() if files), next(iter(every)))
    size = sum(file.stat().st_size for file in every[folder])
    kernels = len(every[folder])
    return {"folder": str(folder), "kernels": kernels, "megabytes": round(size / 1e6, 1)}


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
        f"compiled kernels: {found['compiled']['kernels']} "
        f"({found['compiled']['megabytes']} MB in {found['compiled']['folder']})",
        "",
    ]
    lines += [f"  {name:<14} {have or 'MISSING'}" for name, have in found["needed"].items()]
    lines += ["", "extras:"]
    for name, have in found["extras"].items():
        lines.append(f"  {name:<14} {have or '-':<12} {'' if have else EXTRAS[name]}".rstrip())
    return "\n".join(lines)
