"""Dates: text in ISO's form, and dates of Python and NumPy, to seconds since 1970."""

import re
from datetime import UTC, date, datetime
from typing import Any

import numpy as np

from heliast._core.columns import Column, column
from heliast._core.errors import InputError

_ISO = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:.*)?", re.IGNORECASE | re.ASCII)
_DAY = 86_400
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def seconds_of(text: str) -> float | None:
    """The seconds since 1970 of an ISO date, with or without time and zone (none is UTC).

    >>> seconds_of("1970-01-02"), seconds_of("1970-01-01 01:00:00.5+01:00"), seconds_of("1/2/1970")
    (86400.0, 0.5, None)
    """
    text = text.strip()
    if _ISO.fullmatch(text) is None:
        return None
    try:
        moment = datetime.fromisoformat(text.upper())
    except ValueError:  # 30 February
        return None
    return (moment.replace(tzinfo=moment.tzinfo or UTC) - _EPOCH).total_seconds()


def as_dates(texts: Column) -> Column | None:
    """A column of text as dates, if every text is one; else None.

    >>> as_dates(column(["1970-01-01", None, "1970-01-02T12:00"], "when")).values
    array([     0.,     nan, 129600.])
    """
    if texts.kind != "text" or not any(text.strip() for text in texts.texts):
        return None
    table = []
    for text in texts.texts:
        seconds = seconds_of(text) if text.strip() else np.nan
        if seconds is None:
            return None
        table.append(seconds)
    values = np.array([*table, np.nan])[texts.values]  # missing has the code -1
    return Column(texts.name, values, "number", np.flatnonzero(np.isnan(values)), date=True)


def from_dates(values: Any, name: str) -> Column | None:
    """Dates and date-times of Python, NumPy or pandas as seconds; None if these are not."""
    if getattr(getattr(values, "dtype", None), "kind", "O") not in "OM":
        return None
    first = next((item for item in values if item is not None and not isinstance(item, float)), 0)
    if not isinstance(first, (date, np.datetime64)):
        return None
    try:
        stamps = np.array([_without_zone(item) for item in values], "datetime64[us]")
    except (TypeError, ValueError):
        return None
    missing = np.flatnonzero(np.isnat(stamps))
    return dates(Column(name, stamps.astype(np.int64), "whole", missing))


def _without_zone(value: Any) -> Any:
    """A date-time in UTC without its zone; NaT where it is missing."""
    if value is None or value != value:
        return np.datetime64("NaT")
    if isinstance(value, datetime) and value.tzinfo is not None:
        return value.astimezone(UTC).replace(tzinfo=None)
    return value


def time_column(values: Any, name: str) -> Column:
    """When rows were, as numbers: dates in any form that is read as such, or plain numbers.

    >>> time_column(["1970-01-01", "1970-01-02"], "day").values
    array([    0., 86400.])
    """
    times = values
    if not isinstance(values, Column):
        items = values.to_pylist() if hasattr(values, "to_pylist") else values
        times = from_dates(items, name) or column(values, name)
    times = as_dates(times) or times
    if times.kind == "text":
        raise InputError(
            f"{times.name}: {times.first()!r} is no time whose order is known; give numbers, or "
            "dates as 2024-01-31 or 2024-01-31T09:30"
        )
    return times


def dates(microseconds: Column) -> Column:
    """Microseconds since 1970 as a column of dates."""
    values = microseconds.values / 1e6
    values[microseconds.missing] = np.nan
    return Column(microseconds.name, values, "number", microseconds.missing, date=True)


def written_dates(seconds: Any) -> list[str]:
    """Seconds since 1970 in ISO's form, without the time if none has any.

    >>> written_dates([0.0, 86400.0]), written_dates([1.0])
    (['1970-01-01', '1970-01-02'], ['1970-01-01T00:00:01'])
    """
    whole = np.floor(np.nan_to_num(np.asarray(seconds, np.float64)))
    unit: Any = "D" if not (whole % _DAY).any() else "s"
    return np.datetime_as_string(whole.astype("datetime64[s]"), unit=unit).tolist()  # type: ignore[no-any-return]
