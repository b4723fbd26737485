"""Data frames of any library as a table of columns: pandas, polars, pyarrow and their kin."""

from collections.abc import Mapping
from typing import Any

from heliast._core.columns import Column, column
from heliast._core.errors import InputError
from heliast._core.places import ROWS, Places
from heliast.data._table import Table, UnusableError, refuse_duplicates


def frame_table(frame: Any, title: str, stem: str, places: Places = ROWS) -> Table | None:
    """The columns of a data frame or a dict of columns; None if it is neither."""
    import narwhals as nw

    if isinstance(frame, Mapping):
        columns = {str(name): frame[name] for name in frame}
        return Table(title, stem, list(columns), lambda name: column(columns[name], name))
    try:
        table = nw.from_native(frame)
        if isinstance(table, nw.LazyFrame):
            table = table.collect()
    except TypeError:
        return None
    except nw.exceptions.NarwhalsError as error:
        raise InputError(f"the data frame cannot be used: {error}") from None
    names = [str(name) for name in table.columns]
    refuse_duplicates(names)
    # By position, because a library may allow names that are numbers.
    place = {name: at for at, name in enumerate(names)}
    series = list(table.iter_columns())
    notes: list[str] = []

    def fetch(name: str) -> Column:
        return _fetched(series[place[name]], name, notes)

    nominal = frozenset(
        name
        for name, one in zip(names, series, strict=True)
        if isinstance(one.dtype, (nw.Categorical, nw.Enum))
    )
    return Table(title, stem, names, fetch, places, notes, nominal, frame=table)


def _fetched(series: Any, name: str, notes: list[str]) -> Column:
    import narwhals as nw

    kind = series.dtype
    if isinstance(kind, (nw.Datetime, nw.Date)):
        notes.append(f"date {name!r} read as seconds since 1970 (UTC where no zone stands)")
        stamps = series.cast(nw.Datetime("us")) if isinstance(kind, nw.Date) else series
        return _numbers(stamps.dt.timestamp("us"), name)
    if isinstance(kind, nw.Duration):
        notes.append(f"duration {name!r} read as seconds")
        return _numbers(series.dt.total_microseconds(), name)
    if isinstance(kind, (nw.List, nw.Array, nw.Struct, nw.Binary, nw.Time)):
        raise UnusableError(f"column {name!r} holds {kind}, neither numbers nor text")
    if isinstance(kind, (nw.Int128, nw.UInt128)):  # wider than NumPy knows
        series = series.cast(nw.Float64)
    return column(series.to_native(), name)


def _numbers(microseconds: Any, name: str) -> Column:
    """Microseconds as a column of seconds; missing stays missing."""
    one = column(microseconds.to_native(), name)
    return Column(name, one.values / 1e6, "number", one.missing)
