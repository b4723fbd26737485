"""read: a file, a data frame or one of scikit-learn's sets to a Dataset."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from heliast._core.errors import InputError
from heliast.data._dataset import Dataset, Task
from heliast.data._table import Table, as_names

_PARQUET = (".parquet", ".pq")


def read(
    source: object,
    target: str | None = None,
    *,
    task: Task | None = None,
    names: Sequence[str] | None = None,
    ignore: str | Sequence[str] = (),
    group: object = None,
    name: str | None = None,
    nominal: str | Sequence[str] = (),
    numeric: str | Sequence[str] = (),
    missing: Literal["refuse", "drop"] = "refuse",
) -> Dataset:
    """Data to assess models on: from CSV, Parquet, ARFF, a data frame, or `"sklearn:iris"`.

    Without `target`, a column called class, target, y, label or outcome is taken, else the last
    (of an ARFF file, the last nominal one). `names` names the columns of a CSV file that has no
    header line. Text, booleans and categoricals are nominal inputs, numbers numeric ones;
    `nominal` and `numeric` say otherwise. Columns of free text are left out unless in `nominal`.
    `missing="drop"` drops rows without a target. What was guessed or left out is in `.notes`.

    >>> read({"x": [1.5, 2.5, None], "sky": ["sun", "rain", "sun"], "class": ["a", "b", "a"]})
    <Dataset 'data': 3 rows, 1 numeric, 1 nominal inputs, target 'class': 2 classes>
    """
    from heliast.data._make import make

    given = None if names is None else as_names(names, "names")
    table = _table(source, given)
    return make(
        Dataset, table, target=target, task=task, ignore=ignore, group=group, name=name,
        nominal=nominal, numeric=numeric, missing=missing,
    )  # fmt: skip


def _table(source: object, names: Sequence[str] | None) -> Table:
    if not isinstance(source, (str, os.PathLike)):
        return _of_frame(source, names)
    from heliast.data._bundled import PREFIX, bundled_table

    text = os.fspath(source)
    if isinstance(text, str) and text.startswith(PREFIX):
        _refuse_names(names, text)
        return bundled_table(text)
    path, kind = _opened(source)
    try:
        if kind == "csv":
            from heliast.data._csv import csv_table

            return csv_table(path, names)
        _refuse_names(names, path.name)
        return _parquet(path) if kind == "parquet" else _arff(path)
    except InputError as error:
        said = str(error)
        prefix = f"{path.name}: "
        raise InputError(said if said.startswith(prefix) else prefix + said) from None


def _refuse_names(names: Sequence[str] | None, title: str) -> None:
    if names is not None:
        raise InputError(f"{title}: names= is for CSV files without a header; this has names")


def _of_frame(source: object, names: Sequence[str] | None) -> Table:
    from heliast.data._frames import frame_table

    _refuse_names(names, "the data frame")
    table = frame_table(source, "the data frame", "data")
    if table is None:
        raise InputError(
            f"expected a path or a data frame (pandas, polars, pyarrow), got "
            f"{type(source).__name__}; for arrays say Dataset.of(X, y)"
        )
    return table


def _opened(source: "str | os.PathLike[str]") -> tuple[Path, str]:
    """The path, and what kind of file it is by its first bytes and its name."""
    from heliast.predictions._read import _OTHERS
    from heliast.predictions._read import _opened as opened

    path, head = opened(source)
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if head.startswith(b"PAR1") or path.suffix.lower() in _PARQUET:
        return path, "parquet"
    for magic, what in _OTHERS.items():
        if head.startswith(magic):
            raise InputError(f"{path.name}: this is {what}; save it as CSV or Parquet")
    return path, "arff" if ".arff" in suffixes else "csv"


def _parquet(path: Path) -> Table:
    import pyarrow as pa
    import pyarrow.parquet as pq

    from heliast.data._frames import frame_table

    try:
        # Not memory mapped: a file that changes while it is read must not end the process.
        table = pq.ParquetFile(path).read()
    except (pa.ArrowException, OSError) as error:
        short = str(error).split("\n")[0][:200]
        raise InputError(f"not a Parquet file, or damaged or cut short ({short})") from None
    made: Any = frame_table(table, path.name, path.stem)
    made.frame = None  # a file is nobody's frame: models get numbers, as from CSV
    return made  # type: ignore[no-any-return]


def _arff(path: Path) -> Table:
    from heliast.data._arff import arff_table
    from heliast.predictions._textfile import TextFile, compression_of

    packed = TextFile(path, compression_of(path))
    data = b"".join(packed.chunks())
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")  # what Weka writes on many machines
    return arff_table(text, packed.title, packed.stem)
