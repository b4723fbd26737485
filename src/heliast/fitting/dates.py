"""Dates as models can use them: their parts, learned from the training rows."""

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_array, check_is_fitted, validate_data

from heliast._core.errors import InputError
from heliast._core.kinds import Array

_DAY = 86_400.0
_THURSDAY = 3
"""The weekday of 1 January 1970, counted from Monday."""


class DateParts(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Seconds since 1970 to numbers of moderate size: how late it is, and parts of the calendar.

    Each date becomes the time since the first training date (as a share of the days that the
    training rows last, so that no unit drowns other inputs), the years since the first, the month
    (1 to 12), the weekday (0 is Monday) and the hour with its fraction. Parts that do not differ in
    the training rows are left out, such as the hour of plain dates. Missing stays missing.

    >>> seconds = [[0.0], [86400.0], [4 * 86400.0]]
    >>> DateParts().fit(seconds).transform(seconds)  # a Thursday, a Friday, a Monday
    array([[0.  , 3.  ],
           [0.25, 4.  ],
           [1.  , 0.  ]])
    """

    def fit(self, X: Any, y: Any = None) -> "DateParts":
        """Learn the first date, how long the rows last, and which parts differ."""
        seconds = validate_data(self, X, dtype=np.float64, ensure_all_finite="allow-nan")
        there = [column[~np.isnan(column)] for column in seconds.T]
        self.first_ = np.array([one.min(initial=np.inf) for one in there])
        self.first_[[not one.size for one in there]] = 0.0
        last = np.array([one.max(initial=-np.inf) for one in there])
        self.lasts_ = np.where(last > self.first_, last - self.first_, 1.0)
        self.kept_ = [
            [bool(np.nanmax(part) > np.nanmin(part)) if there[at].size else False for part in parts]
            for at, parts in enumerate(map(_parts, seconds.T))
        ]
        return self

    def transform(self, X: Any) -> Array:
        """The parts of every date, beside each other."""
        check_is_fitted(self)
        whole = validate_data(self, X, dtype=np.float64, ensure_all_finite="allow-nan", reset=False)
        columns = []
        for at, seconds in enumerate(whole.T):
            columns.append((seconds - self.first_[at]) / self.lasts_[at])
            start = _parts(self.first_[[at]])[0]
            year, *others = _parts(seconds)
            parts = (year - start, *others)
            columns += [part for part, keep in zip(parts, self.kept_[at], strict=True) if keep]
        return np.column_stack(columns)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


class DateSeconds(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Columns of dates, or of ISO text, of any data frame to seconds since 1970.

    >>> DateSeconds().fit_transform({"when": ["1970-01-02", None]})
    array([[86400.],
           [   nan]])
    """

    def fit(self, X: Any, y: Any = None) -> "DateSeconds":
        """Nothing is learned."""
        return self

    def transform(self, X: Any) -> Array:
        """One column of seconds for each of dates; numbers are taken for seconds."""
        from heliast.tables.dates import as_dates
        from heliast.tables.table import frame_table

        table = frame_table(X, "X", "X")
        if table is None:
            whole: Array = check_array(X, dtype=np.float64, ensure_all_finite="allow-nan")
            return whole
        found = []
        for name in table.names:
            one = table.fetch(name)
            one = as_dates(one) or one
            if one.kind == "text":
                raise InputError(
                    f"column {name!r} holds {one.first()!r}, which is no date; write 2024-12-31 or "
                    "2024-12-31T23:59"
                )
            values = one.values.astype(np.float64)
            values[one.missing] = np.nan
            found.append(values)
        return np.column_stack(found)


def _parts(seconds: Array) -> tuple[Array, ...]:
    """Year, month, weekday and hour of each date; NaN where it is missing."""
    gone = np.isnan(seconds)
    whole = np.floor(np.where(gone, 0.0, seconds))
    months = whole.astype("datetime64[s]").astype("datetime64[M]").astype(np.int64)
    days = np.floor(whole / _DAY)
    parts = (
        1970.0 + months // 12,
        1.0 + months % 12,
        (days + _THURSDAY) % 7,
        (whole - days * _DAY) / 3600.0,
    )
    return tuple(np.where(gone, np.nan, part) for part in parts)
