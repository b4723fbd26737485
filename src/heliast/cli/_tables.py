"""From files and options to a table: predictions as they are, or of models fitted on data."""

from collections.abc import Sequence
from contextlib import suppress
from glob import has_magic
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from heliast._core.errors import InputError, LooksPredicted, NotPredictions
from heliast._core.waiting import doing
from heliast.cli import _words
from heliast.cli._app import remark
from heliast.cli._options import Candidates, Models, Reading, Scanning, Work
from heliast.cli._stored import only_table, store_in
from heliast.cli._verb import refuse_said

if TYPE_CHECKING:
    from heliast._core.labels import Label
    from heliast.data import Dataset
    from heliast.predictions import Predictions

LARGE = 500_000_000
"""Bytes from which a file of predictions is scanned where it lies instead of read; unpacked."""
_READ, _FIT = {*Reading.every(), *Scanning.every()}, {*Candidates.every(), *Work.every()}
OF_PREDICTIONS, OF_DATA = _READ - _FIT - {"positive"}, _FIT - _READ - {"target"}
"""Options that say something of predictions alone, and of models to fit alone."""


def table_of(
    files: Sequence[str],
    reading: Reading,
    models: Candidates,
    work: Work,
    seed: int,
    context: typer.Context,
    scanning: Scanning | None = None,
) -> "Predictions":
    """Predictions: of files that hold them, or of models on a file that holds data.

    With `scanning` they may be scanned, and a file without predictions may tell what to fit. What
    was said for the other kind of file is refused.
    """
    if models.meant:
        return _of_models(files, reading, models, work, seed, context)
    idle = f"is for models that are fitted on data; {files[0]} holds predictions: leave it out"
    if scanning is not None and _scans(files, scanning, context):
        refuse_said(context, OF_DATA, idle)
        return _scanned(files, reading, scanning, context)
    try:
        table = read_all(files, reading, context)
        refuse_said(context, OF_DATA, idle)
        return table
    except NotPredictions as error:
        refused = error
    single = len(files) == 1 and Path(files[0]).is_file() and not reading.mapped
    data = _guessed(files[0], models) if single and scanning is not None else None
    if data is None:
        raise refused
    remark(
        f"{files[0]} holds data, not predictions: {data.target!r} is to be predicted; models are "
        f"fitted on the plan {models.plan!r} (say --target otherwise)"
    )
    return _fitted(data, files[0], reading, models, work, seed, context)


# --- predictions ---------------------------------------------------------------------------------


def read_all(files: Sequence[str], reading: Reading, context: typer.Context) -> "Predictions":
    """The predictions of one file, or of several joined on their rows."""
    from heliast.predictions import Predictions
    from heliast.verbs.given import named_apart, together

    options = reading.keywords()
    doing(f"reading {', '.join(files)}")
    tables = [
        Predictions.read(file, **options)
        if (store := store_in(file)) is None
        else _stored(store, file, reading, context)
        for file in files
    ]
    return _weighed(together(named_apart(files, tables), reading.common_rows), context)


def _stored(store: Any, file: str, reading: Reading, context: typer.Context) -> "Predictions":
    """The predictions in a store, whose columns are known."""
    idle = {*Reading.every()} - {"positive", "common_rows"}
    refuse_said(context, idle, f"is for files of predictions; {file} is a store: leave it out")
    table = only_table(store, file)
    if reading.positive is None:
        return table
    return table.seen_from(_class_of(reading.positive, table.classes))


def predicted(
    files: Sequence[str], reading: Reading, context: typer.Context
) -> "Predictions | None":
    """The predictions in files; None if it is one file, and holds data."""
    from heliast.data import BUNDLED

    if len(files) == 1 and files[0].startswith(BUNDLED):
        return None
    try:
        return read_all(files, reading, context)
    except NotPredictions:
        if len(files) > 1 or reading.mapped:
            raise
        return None


def _weighed(table: "Predictions", context: typer.Context) -> "Predictions":
    """The table, unless it was said what its weights are and it has none."""
    if table.meta.weight_kind is None:
        refuse_said(
            context, ["weights"], "says what weights are; here are none: name them with --weight"
        )
    return table


def _scans(files: Sequence[str], scanning: Scanning, context: typer.Context) -> bool:
    """Whether to scan: if asked for, if the file is large, or if it is no single file."""
    kinds = [_kind(file) for file in files]
    if kinds != ["base"] and "missing" not in kinds:
        refuse_said(context, ["table"], f"names a table of a database, and {files[0]} is none")
    scans = kinds in (["base"], ["large"]) if scanning.scan is None else scanning.scan
    if not scans and "missing" not in kinds:
        refuse_said(context, ["memory"], "is for a scan: say --scan as well")
    return scans


def _kind(file: str) -> str:
    """What a name is: a data `base`, a `large` table (also of parts), a `small` one, `missing`."""
    from heliast.predictions import evaluations
    from heliast.tables.opened import parquet_file
    from heliast.tables.room import decoded

    path = Path(file).expanduser()
    try:
        if path.is_file():
            with path.open("rb") as opened:
                head = opened.read(16)
            if head.startswith(b"SQLite format 3") or head[8:12] == b"DUCK":
                return "base"
            size = path.stat().st_size
            if head.startswith(b"PAR1") and size < LARGE:
                size = decoded(parquet_file(path))  # it may be packed into next to nothing
            return "large" if size >= LARGE else "small"
        if "::" in file:
            return "base"
        if path.is_dir() and (evaluations(path) or store_in(file) is not None):
            return "small"
        return "large" if path.is_dir() or has_magic(file) else "missing"
    except (OSError, ValueError, InputError):
        return "missing"  # the reader says what is wrong


def _scanned(
    files: Sequence[str], reading: Reading, scanning: Scanning, context: typer.Context
) -> "Predictions":
    """The predictions where they lie."""
    from heliast.predictions import Predictions

    if len(files) > 1:
        raise InputError(
            f"a scan takes one table, got {len(files)} files: quote a pattern, as in "
            "'parts/*.parquet', for the parts of one; several models are read with --no-scan"
        )
    memory = scanning.memory or "1GB"
    doing(f"scanning {files[0]}")
    table = Predictions.scan(files[0], table=scanning.table, memory=memory, **reading.keywords())
    return _weighed(table.common_rows() if reading.common_rows else table, context)


# --- models on data ------------------------------------------------------------------------------


def fitted_on(data: "Dataset", models: Models, work: Work, seed: int, **more: Any) -> "Predictions":
    """Fit the named models, or the panel, on the splits of the plan."""
    from heliast.fitting.run import run

    with work.begun() as options:
        options = {**options, **more, "keep": models.keep or ()}
        return run(_named(data, models), data, _words.plan(models.plan), seed, **options)


def _named(data: "Dataset", models: Models) -> dict[str, Any]:
    from heliast.fitting.panel import panel

    return _words.named_models(models.model or (), data.task, models.trust) or panel(data.task)


def pictured(
    report: str | None,
    files: Sequence[str],
    table: "Predictions",
    models: Models,
    work: Work,
    seed: int,
) -> dict[str, Any]:
    """Decision regions for a report, if the table is of models on data with two inputs."""
    fitted = getattr(models, "fitted", False)
    if report is None or not (fitted or table.meta.data_fingerprint):
        return {}
    with suppress(InputError):  # a file of predictions that were made by a run
        data = models.read(files[0])
        same = fitted or data.fingerprint == table.meta.data_fingerprint
        return _drawn(report, data, models, work, seed) if same and len(data.inputs) == 2 else {}
    return {}


def _drawn(report: str, data: "Dataset", models: Models, work: Work, seed: int) -> dict[str, Any]:
    from heliast.verbs.regions import regions

    fitted = getattr(models, "fitted", False)
    said = {name: getattr(work, name) for name in ("engine", "jobs", "fit_timeout", "fit_memory")}
    options = {} if fitted else {name: one for name, one in said.items() if one is not None}
    try:
        found = regions(_named(data, models), data, fitted=fitted, seed=seed, **options)
    except InputError as error:
        remark(f"{report}: without decision regions: {error}")
        return {}
    return {"regions": found}


def _fitted(
    data: "Dataset",
    file: str,
    reading: Reading,
    models: Candidates,
    work: Work,
    seed: int,
    context: typer.Context,
) -> "Predictions":
    """What the models say of the data, fitted on splits of them or as they are."""
    from heliast.fitting.predict import predict, refuse_training_rows

    idle = OF_PREDICTIONS if context.params.get("scan") else OF_PREDICTIONS - {"scan"}
    refuse_said(context, idle, f"is for a file of predictions; {file} holds data: leave it out")
    if data.task == "number":
        refuse_said(context, ["positive"], f"names a class; {data.target!r} holds numbers")
        positive = None
    else:
        positive = reading.positive
    if not models.fitted:
        if positive is not None:
            _class_of(positive, data.classes)  # before anything is fitted
        table = fitted_on(data, models, work, seed)
    else:
        named = _words.named_models(models.model or (), data.task, models.trust)
        for spoken in map(_words.Spoken.of, models.model or ()):
            if spoken.is_file:
                refuse_training_rows(spoken.path, data)
        table = predict(named, data, keep=models.keep or ())
    return table if positive is None else table.seen_from(_class_of(positive, table.classes))


def _class_of(word: str, classes: Sequence["Label"]) -> "Label":
    try:
        return _words.label_of(word, classes)
    except InputError as error:
        raise InputError(f"--positive {error}") from None


def _of_models(
    files: Sequence[str],
    reading: Reading,
    models: Candidates,
    work: Work,
    seed: int,
    context: typer.Context,
) -> "Predictions":
    """What models say of the one file of data: fitted on splits of it, or as they are."""
    if len(files) != 1:
        raise InputError(
            f"models are fitted on one file of data, got {len(files)}: {', '.join(files)}; files "
            "of predictions are read without --target and --model"
        )
    if models.fitted and not models.model:
        raise InputError("--fitted: name the file of a fitted model, as in --model model.skops")
    return _fitted(models.read(files[0]), files[0], reading, models, work, seed, context)


def _guessed(file: str, models: Candidates) -> "Dataset | None":
    """The data in a file that holds no predictions; None if it does not tell its target."""
    try:
        data = models.read(file)
    except LooksPredicted:
        raise
    except InputError:
        return None
    # A last column, or one called label, is a fair guess for who asks for data, not for who may
    # have meant otherwise.
    last = data.target_by == "last"
    return None if last or data.target.lower() == "label" else data
