"""Dates of ARFF files."""

from datetime import UTC, datetime

import pytest

from heliast._core.errors import InputError
from heliast.data._arff_values import ISO, date_reader


def seconds(*parts: int) -> float:
    return datetime(*parts, tzinfo=UTC).timestamp()  # type: ignore[misc, arg-type]


@pytest.mark.parametrize(
    ("pattern", "text", "expected"),
    [
        (ISO, "2001-04-03T12:12:12", seconds(2001, 4, 3, 12, 12, 12)),
        ("yyyy-MM-dd HH:mm:ss", "2001-04-03 12:12:12", seconds(2001, 4, 3, 12, 12, 12)),
        ("yyyy", "1817", seconds(1817, 1, 1)),
        ("yyyy-MM", "2004-12", seconds(2004, 12, 1)),
        ("d.M.yy", "3.4.99", seconds(1999, 4, 3)),
        ("d.M.yy", "3.4.17", seconds(2017, 4, 3)),
        ("dd MMM yyyy", "03 Apr 2001", seconds(2001, 4, 3)),
        ("EEE, d MMMM yyyy", "Tue, 3 April 2001", seconds(2001, 4, 3)),
        ("hh:mm a", "01:30 PM", seconds(1970, 1, 1, 13, 30)),
        ("hh:mm a", "12:05 am", seconds(1970, 1, 1, 0, 5)),
        ("yyyy-MM-dd HH:mm Z", "1999-01-31 00:01 +0430", seconds(1999, 1, 30, 19, 31)),
        ("yyyy-MM-dd HH:mm z", "1999-01-31 00:01 UTC", seconds(1999, 1, 31, 0, 1)),
        ("yyyy-MM-dd'T'HH:mm:ss.SSSX", "1970-01-01T00:00:01.500Z", 1.5),
        ("yyyy 'o''clock'", "1970 o'clock", 0.0),
    ],
)
def test_dates(pattern: str, text: str, expected: float) -> None:
    assert date_reader(pattern)(text) == expected


@pytest.mark.parametrize("text", ["2001-02-30", "2001-13-01", "yesterday", "2001-1", "0000-01-01"])
def test_what_is_not_a_date(text: str) -> None:
    with pytest.raises(InputError, match="not a date"):
        date_reader("yyyy-MM-dd")(text)


@pytest.mark.parametrize("pattern", ["yyyy 'open", "ww", "yyyy yyyy"])
def test_patterns_not_read(pattern: str) -> None:
    with pytest.raises(InputError, match="pattern"):
        date_reader(pattern)
