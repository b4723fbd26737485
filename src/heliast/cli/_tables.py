"""From files and options to a table: predictions as they are, or of models fitted on data."""

from collections.abc import Sequence
from dataclasses import replace
from glob import has_magic
from pathlib import Path
from typing import TYPE_CHECKING, Any

from heliast._core.errors import InputError, NotPredictions
from heliast.cli import _words
from heliast.cli._app import remark
from heliast.cli._options import Candidates, Models, Reading, Scanning, Work

if TYPE_CHECKING:
    from heliast.data import Dataset
    from heliast.predictions import Predictions

LARGE = 500_000_000
"""Bytes from which a file of predictions is scanned where it lies instead of read."""


def table_of(
    files: Sequence[str],
    reading: Reading,
    models: Candidates,
    work: Work,
    seed: int,
    scanning: Scanning | None = None,
) -> "Predictions":
    """Predictions: of files that hold them, or of models on a file that holds data.

    With `scanning` they may be scanned, and a file without predictions may tell what to fit.
    """
    if models.meant:
        return _of_models(files, models, work, seed)
    if scanning is not None and _scans(files, scanning):
        return _scanned(files, reading, scanning)
    try:
        return read_all(files, reading)
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
    return fitted_on(data, models, work, seed)


# --- predictions ---------------------------------------------------------------------------------


def read_all(files: Sequence[str], reading: Reading) -> "Predictions":
    """The predictions of one file, or of several joined on their rows."""
    from heliast.predictions import Predictions

    options = reading.keywords()
    tables = [Predictions.read(file, **options) for file in files]
    table, *others = _told_apart(files, tables)
    for other in others:
        table = table.join(other)
    return table


def _told_apart(files: Sequence[str], tables: list["Predictions"]) -> list["Predictions"]:
    """Files of one name in different folders are models named after both."""
    paths = [Path(file) for file in files]
    stems = [path.stem for path in paths]
    twice = next((path for at, path in enumerate(paths) if path in paths[:at]), None)
    if twice is not None:
        raise InputError(f"{twice} is given twice: a comparison needs files of different models")
    return [
        replace(table, models=(f"{path.resolve().parent.name}/{path.stem}",))
        if stems.count(path.stem) > 1 and table.models == (path.stem,)
        else table
        for path, table in zip(paths, tables, strict=True)
    ]


def _scans(files: Sequence[str], scanning: Scanning) -> bool:
    """Whether to scan: if asked for, if the file is large, or if it is no single file."""
    if scanning.scan is not None:
        return scanning.scan
    return len(files) == 1 and (scanning.table is not None or _to_scan(files[0]))


def _to_scan(file: str) -> bool:
    """Whether a name is that of a large file, a folder, a pattern or a database."""
    path = Path(file).expanduser()
    try:
        if path.is_file():
            with path.open("rb") as opened:
                head = opened.read(16)
            base = head.startswith(b"SQLite format 3") or head[8:12] == b"DUCK"
            return base or path.stat().st_size >= LARGE
        return path.is_dir() or has_magic(file) or "::" in file
    except (OSError, ValueError):
        return False  # the reader says what is wrong


def _scanned(files: Sequence[str], reading: Reading, scanning: Scanning) -> "Predictions":
    """The predictions where they lie."""
    from heliast.predictions import Predictions

    if len(files) > 1:
        raise InputError(
            f"a scan takes one table, got {len(files)} files: quote a pattern, as in "
            "'parts/*.parquet', for the parts of one; several models are read with --no-scan"
        )
    memory = scanning.memory or "1GB"
    return Predictions.scan(files[0], table=scanning.table, memory=memory, **reading.keywords())


# --- models on data ------------------------------------------------------------------------------


def fitted_on(data: "Dataset", models: Models, work: Work, seed: int, **more: Any) -> "Predictions":
    """Fit the named models, or the panel, on the splits of the plan."""
    from heliast.fitting.panel import panel
    from heliast.fitting.run import run

    named = _words.named_models(models.model or (), data.task, models.trust) or panel(data.task)
    with work.begun() as options:
        return run(named, data, _words.plan(models.plan), seed, **options, **more)


def _of_models(files: Sequence[str], models: Candidates, work: Work, seed: int) -> "Predictions":
    """What models say of the one file of data: fitted on splits of it, or as they are."""
    if len(files) != 1:
        raise InputError(
            f"models are fitted on one file of data, got {len(files)}: {', '.join(files)}; files "
            "of predictions are read without --target and --model"
        )
    data = models.read(files[0])
    if not models.fitted:
        return fitted_on(data, models, work, seed)
    from heliast.fitting.predict import predict

    if not models.model:
        raise InputError("--fitted: name the file of a fitted model, as in --model model.skops")
    return predict(_words.named_models(models.model, data.task, models.trust), data)


def _guessed(file: str, models: Candidates) -> "Dataset | None":
    """The data in a file that holds no predictions; None if it does not tell its target."""
    try:
        data = models.read(file)
    except InputError:
        return None
    # A last column, or one called label, is a fair guess for who asks for data, not for who may
    # have meant otherwise.
    last = data.target_by == "last"
    return None if last or data.target.lower() == "label" else data
