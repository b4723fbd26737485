"""When rows were: whatever is read as a time is put in order, and nothing else is."""

import datetime

import numpy as np
import pytest

from heliast import InputError
from heliast.tables.dates import time_column


@pytest.mark.parametrize(
    "times",
    [
        [3.5, 1.0, 2.0],
        ["2024-03-01", "2024-01-31", "2024-02-29"],
        ["2024-01-01T10:30Z", "2024-01-01T10:29+02:00", "2024-01-01T10:29+01:00"],
        ["2024-01-01 10:00:00.5Z", "2024-01-01T09:00:00Z", "2024-01-01T10:00:00Z"],
        np.array(["2024-03-01", "2024-01-31", "2024-02-29"], "M8[D]"),
        [datetime.date(2024, 3, 1), datetime.date(2024, 1, 31), datetime.date(2024, 2, 29)],
    ],
)
def test_times_are_put_in_order(times) -> None:
    assert time_column(times, "time").coded()[1].tolist() == [2, 0, 1]


@pytest.mark.parametrize(
    ("times", "message"),
    [
        (["31.1.2024", "1.2.2024"], "no time whose order is known"),
        (["Monday", "Tuesday"], "no time whose order is known"),
    ],
)
def test_text_of_unknown_order_is_refused(times, message) -> None:
    with pytest.raises(InputError, match=message):
        time_column(times, "time")
