"""From files and options to a table: predictions as they are, or of models fitted on data."""

from collections.abc import Sequence
from glob import has_magic
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from heliast._core.errors import InputError, LooksPredicted, NotPredictions
from heliast.cli import _words
from heliast.cli._app import refuse_options
from heliast.cli._options import (
    CandidateOptions,
    ModelOptions,
    ReadOptions,
    ScanOptions,
    WorkOptions,
)
from heliast.cli._terminal import remark

if TYPE_CHECKING:
    from heliast._core.labels import Label
    from heliast.data import Dataset
    from heliast.predictions import Predictions

LARGE = 500_000_000  # decoded bytes from which a file of predictions is scanned instead of read
_READ = {*ReadOptions.options(""), *ScanOptions.options("")}
_FIT = {*CandidateOptions.options(""), *WorkOptions.options("")}
# Options about predictions alone, and about models to fit alone.
OF_PREDICTIONS, OF_DATA = _READ - _FIT - {"positive"}, _FIT - _READ - {"target"}


def table_of(
    files: Sequence[str],
    reading: ReadOptions,
    models: CandidateOptions,
    work: WorkOptions,
    seed: int,
    context: typer.Context,
    scanning: ScanOptions | None = None,
) -> "Predictions":
    """Predictions: of files that hold them, or of models on a file that holds data.

    With `scanning` they may be scanned, and a file without predictions may tell what to fit.
    Options for the other kind of file are refused.
    """
    if models.meant:
        if len(files) != 1:
            raise InputError(
                f"models are fitted on one file of data, got {len(files)}: {', '.join(files)}; "
                "files of predictions are read without --target and --model"
            )
        if models.fitted and not models.model:
            raise InputError("--fitted: name the file of a fitted model, as in --model model.skops")
        return _fit(models.read(files[0]), files[0], reading, models, work, seed, context)
    try:
        if scanning is not None and _is_scanned(files, scanning, context):
            table = _scan(files, reading, scanning, context)
        else:
            table = read_all(files, reading, context)
    except NotPredictions:
        data = None if scanning is None else _guess_data(files, reading, models)
        if data is None:
            raise
        remark(
            f"{files[0]} holds data, not predictions: {data.target!r} is to be predicted; models "
            f"are fitted on the plan {models.plan!r} (say --target otherwise)"
        )
        return _fit(data, files[0], reading, models, work, seed, context)
    why = f"is for models that are fitted on data; {files[0]} holds predictions: leave it out"
    refuse_options(context, OF_DATA, why)
    return table


# --- predictions ---------------------------------------------------------------------------------


def read_all(files: Sequence[str], reading: ReadOptions, context: typer.Context) -> "Predictions":
    """The predictions of one file, or of several joined on their rows."""
    from heliast.predictions import Predictions, name_models

    keywords = reading.keywords()
    tables = [Predictions.read(file, **keywords) for file in files]
    first, *others = name_models(files, tables)
    table = first.join(*others, common_rows=reading.common_rows)
    _check_weights(table, context)
    return table


def read_predictions(
    files: Sequence[str], reading: ReadOptions, context: typer.Context
) -> "Predictions | None":
    """The predictions in files; None if it is one file, and holds data."""
    from heliast.data import BUNDLED

    if len(files) == 1 and files[0].startswith(BUNDLED):
        return None
    try:
        return read_all(files, reading, context)
    except NotPredictions:
        if len(files) > 1 or reading.names_columns:
            raise
        return None


def _check_weights(table: "Predictions", context: typer.Context) -> None:
    if table.meta.weight_kind is None:
        why = "says what weights are; here are none: name them with --weight"
        refuse_options(context, ["weights"], why)


def _is_scanned(files: Sequence[str], scanning: ScanOptions, context: typer.Context) -> bool:
    """Whether to scan: if asked for, if the file is large, or if it is no single file."""
    sizes = [_kind(file) for file in files]
    scans = sizes in (["database"], ["large"]) if scanning.scan is None else scanning.scan
    if "missing" not in sizes:  # the reader says what is wrong
        if sizes != ["database"]:
            why = f"names a table of a database, and {files[0]} is none"
            refuse_options(context, ["table"], why)
        if not scans:
            refuse_options(context, ["memory"], "is for a scan: say --scan as well")
    return scans


def _kind(file: str) -> str:
    """What a name is: a `database`, a `large` or `small` table, or `missing`."""
    from heliast.predictions import data_files, evaluations
    from heliast.tables.files import unpacked_size

    path = Path(file).expanduser()
    try:
        if path.is_file():
            with path.open("rb") as opened:
                head = opened.read(16)
            if head[8:12] == b"DUCK":
                return "database"
            size = path.stat().st_size
            if head.startswith(b"PAR1") and size < LARGE:
                size = unpacked_size(path)  # it may be packed into next to nothing
            return "large" if size >= LARGE else "small"
        if "::" in file:
            return "database"
        if path.is_dir() and evaluations(path):
            return "small"
        if path.is_dir() or has_magic(file):
            size = sum(part.stat().st_size for part in data_files(file))
            return "large" if size >= LARGE else "small"
        return "missing"
    except (OSError, ValueError):
        return "missing"


def _scan(
    files: Sequence[str], reading: ReadOptions, scanning: ScanOptions, context: typer.Context
) -> "Predictions":
    """The predictions out of core."""
    from heliast.predictions import Predictions

    if len(files) > 1:
        raise InputError(
            f"a scan takes one table, got {len(files)} files: quote a pattern, as in "
            "'parts/*.parquet', for the parts of one; several models are read with --no-scan"
        )
    memory = scanning.memory or "1GB"
    options = {name: value for name, value in reading.keywords().items() if value not in (None, ())}
    table = Predictions.scan(files[0], table=scanning.table, memory=memory, **options)
    _check_weights(table, context)
    return table.common_rows() if reading.common_rows else table


# --- models on data ------------------------------------------------------------------------------


def fit_on(
    data: "Dataset", models: ModelOptions, work: WorkOptions, seed: int, **options: Any
) -> "Predictions":
    """Fit the named models, or the panel, on the splits of the plan."""
    from heliast.fitting.run import run

    keywords = {**work.keywords(), **options, "keep": models.keep or ()}
    return run(_named(data, models), data, models.plan, seed, **keywords)


def _named(data: "Dataset", models: ModelOptions) -> dict[str, Any]:
    from heliast.fitting.panel import panel

    return _words.named_models(models.model, data.task, models.trust) or panel(data.task)


def _fit(
    data: "Dataset",
    file: str,
    reading: ReadOptions,
    models: CandidateOptions,
    work: WorkOptions,
    seed: int,
    context: typer.Context,
) -> "Predictions":
    """What the models predict, fitted on splits of the data or as they are."""
    from heliast.fitting.loading import is_model_file
    from heliast.fitting.predict import predict, refuse_training_rows

    unused = OF_PREDICTIONS if context.params.get("scan") else OF_PREDICTIONS - {"scan"}
    why = f"is for a file of predictions; {file} holds data: leave it out"
    refuse_options(context, unused, why)
    positive = reading.positive
    if data.task == "regression":
        refuse_options(context, ["positive"], f"names a class; {data.target!r} holds numbers")
        positive = None
    if positive is not None:
        _positive_class(positive, data.classes)  # checked before anything is fitted
    if models.fitted:
        for path in (_words.named_source(word)[1] for word in models.model or ()):
            if is_model_file(path):
                refuse_training_rows(path, data)
        table = predict(_named(data, models), data, keep=models.keep or ())
    else:
        table = fit_on(data, models, work, seed)
    if positive is None:
        return table
    return table.seen_from(_positive_class(positive, table.classes))


def _positive_class(word: str, classes: Sequence["Label"]) -> "Label":
    try:
        return _words.label_of(word, classes)
    except InputError as error:
        raise InputError(f"--positive {error}") from None


def _guess_data(
    files: Sequence[str], reading: ReadOptions, models: CandidateOptions
) -> "Dataset | None":
    """The data in a file without predictions; None if it does not tell its target."""
    if len(files) > 1 or reading.names_columns or not Path(files[0]).is_file():
        return None
    try:
        data = models.read(files[0])
    except LooksPredicted:
        raise
    except InputError:
        return None
    # A last column, or one called label, is a fair guess for data, but predictions may be meant.
    is_guess = data.target_by == "last" or data.target.lower() == "label"
    return None if is_guess else data


def decision_regions(
    report: str | None,
    files: Sequence[str],
    table: "Predictions",
    models: ModelOptions,
    work: WorkOptions,
    seed: int,
) -> dict[str, Any]:
    """Decision regions for a report, if the table is of models on data with two features."""
    fitted = getattr(models, "fitted", False)
    if report is None or not (fitted or table.meta.data_fingerprint):
        return {}
    try:
        data = models.read(files[0])
    except InputError:  # a file of predictions that were made by a run
        return {}
    if len(data.inputs) != 2 or not (fitted or data.fingerprint == table.meta.data_fingerprint):
        return {}
    from heliast.verbs.regions import regions

    options = {} if fitted else {**work.keywords(), "store": None}
    try:
        pictures = regions(_named(data, models), data, fitted=fitted, seed=seed, **options)
    except InputError as error:
        remark(f"{report}: without decision regions: {error}")
        return {}
    return {"regions": pictures}
