"""report: everything known about a table of predictions, as one HTML file."""

import os
import platform
from collections.abc import Mapping
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

from heliast import __version__, measures
from heliast._core.errors import HeliastError, InputError
from heliast._core.files import write_whole
from heliast._core.labels import Label
from heliast.measures import Measure
from heliast.predictions import Predictions
from heliast.verbs.assess import _main_condition, assess
from heliast.verbs.benchmarked import Benchmark
from heliast.verbs.compare import compare
from heliast.views.report import (
    Material,
    Sets,
    page,
    summarise,
    summarise_benchmark,
    summarise_sets,
)

PACKAGES = ("numpy", "scipy", "numba", "scikit-learn")


def report(
    predictions: Predictions | Mapping[str, Predictions] | Benchmark,
    path: "str | os.PathLike[str]" = "report.html",
    *,
    measure: str | None = None,
    level: float = 0.95,
    margin: float | None = None,
    cost: object = None,
    prevalences: Mapping[Label, float] | None = None,
    title: str = "",
    command: str = "",
    seed: int = 0,
) -> Path:
    """Assess and compare the models of a table and write one HTML file; gives its path.

    Several data sets, {name: table}, get a report of their own: ranks and differences over all; so
    does what `benchmark` found, whose measure, level and margin then hold.

    The file needs nothing else: it opens without a network, follows the reader's light or dark
    scheme, prints, and shows its tables and drawings without JavaScript. With it, threshold, class
    share and costs can be moved on all curves at once. It holds counts and estimates, never rows.
    `measure` is what models are ranked and compared by (the error; for numbers the mean absolute
    error); `cost`, `prevalences`, `level`, `margin` and `seed` are those of `assess` and `compare`.

    >>> import pathlib, tempfile
    >>> table = Predictions.of(["a", "b"] * 20, ["a", "b", "a", "a"] * 10)
    >>> found = report(table, pathlib.Path(tempfile.mkdtemp()) / "report.html")
    >>> "errs on 25.0% of new rows" in found.read_text(encoding="utf-8")
    True
    """
    if isinstance(predictions, Benchmark):
        summary = summarise_benchmark(predictions, title, command, _versions())
        return _written(page(summary), Path(path))
    if isinstance(predictions, Mapping):
        sets = _sets(predictions, measure, level, margin, cost, title, command, seed)
        return _written(page(summarise_sets(sets)), Path(path))
    if not hasattr(predictions, "only"):
        raise InputError(f"expected Predictions, got {predictions!r:.60}")
    material = _material(
        predictions, measure, level, margin, cost, prevalences, title, command, seed
    )
    return _written(page(summarise(material)), Path(path))


def _material(
    predictions: Predictions,
    measure: str | None,
    level: float,
    margin: float | None,
    cost: object,
    prevalences: Mapping[Label, float] | None,
    title: str,
    command: str,
    seed: int,
) -> Material:
    given: dict[str, Any] = {"cost": cost, "prevalences": prevalences, "seed": seed}
    found = assess(predictions, level=level, **given)
    chosen = measure or _usual(found.task)
    asked = _asked(chosen, cost)
    if chosen not in found.measures:
        extra = assess(predictions, asked, level, **given)
        found = replace(found, estimates=(*extra.estimates, *found.estimates))
    compared, alone = None, "there is one model"
    if len(found.models) > 1:
        try:
            compared = compare(predictions, asked, level=level, margin=margin, seed=seed)
        except HeliastError as error:
            alone = str(error)
    return Material(
        _main_condition(predictions.only(role="test", seen=0)),
        predictions,
        found,
        compared,
        alone,
        chosen,
        cost,
        prevalences,
        title or "Report",
        command,
        seed,
        _versions(),
    )


def _sets(
    tables: Mapping[str, Predictions],
    measure: str | None,
    level: float,
    margin: float | None,
    cost: object,
    title: str,
    command: str,
    seed: int,
) -> Sets:
    first = next(iter(tables.values()), None)
    asked = _asked(measure or _usual(getattr(first, "task", "classes")), cost)
    compared = compare(tables, asked, level=level, margin=margin, seed=seed)
    found = {name: assess(table, asked, level, seed=seed) for name, table in tables.items()}
    return Sets(tables, found, compared, title or "Report", command, seed, _versions())


def _usual(task: str) -> str:
    return "error" if task == "classes" else "mae"


def _asked(measure: str, cost: object) -> Measure:
    return measures.get(measure, **({"cost": cost} if measure == "expected_cost" else {}))


def _versions() -> dict[str, str]:
    found = {name: version(name) for name in PACKAGES}
    return {"heliast": __version__, "python": platform.python_version(), **found}


def _written(text: str, path: Path) -> Path:
    """Write the file whole or not at all: a reader never meets half a report."""
    content = text.encode("utf-8", "backslashreplace")
    return write_whole(path, lambda file: file.write(content), "report.html")
