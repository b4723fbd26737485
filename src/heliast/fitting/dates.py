"""Dates as models can use them: their parts, learned from the training rows."""

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from heliast._core.errors import InputError
from heliast._core.kinds import Array

DAY = 86_400.0


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
        X = validate_data(self, X, dtype=np.float64, ensure_all_finite="allow-nan")
        parts = _parts(X)
        self.first_ = np.nan_to_num(np.fmin.reduce(X))
        days = np.nan_to_num(np.fmax.reduce(X)) - self.first_
        self.days_ = np.where(days > 0, days, 1.0)
        self.kept_ = np.fmax.reduce(parts) > np.fmin.reduce(parts)
        return self

    def transform(self, X: Any) -> Array:
        """The parts of every date, beside each other."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, ensure_all_finite="allow-nan", reset=False)
        parts = _parts(X)
        parts[..., 0] -= _parts(self.first_[None])[..., 0]
        elapsed = (X - self.first_) / self.days_
        columns: Array = np.concatenate([elapsed[..., None], parts], axis=2)
        return columns[:, np.insert(self.kept_, 0, True, axis=1)]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


def _parts(seconds: Array) -> Array:
    """(row, column, part): year, month, weekday and hour of each date; NaN where it is missing."""
    missing = np.isnan(seconds)
    known = np.floor(np.where(missing, 0.0, seconds))
    months = known.astype("datetime64[s]").astype("datetime64[M]").astype(np.int64)
    days = known // DAY
    # 1 January 1970 was a Thursday.
    parts = (1970 + months // 12, 1 + months % 12, (days + 3) % 7, known % DAY / 3600)
    return np.where(missing[..., None], np.nan, np.stack(parts, axis=2))


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
            return np.asarray(X, np.float64)
        columns = []
        for name in table.names:
            column = table.fetch(name)
            column = as_dates(column) or column
            if column.kind == "text":
                raise InputError(
                    f"column {name!r} holds {column.first()!r}, which is no date; write 2024-12-31 "
                    "or 2024-12-31T23:59"
                )
            columns.append(column.values.astype(np.float64))
            columns[-1][column.missing] = np.nan
        return np.column_stack(columns)
