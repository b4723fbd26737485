"""ISO dates are read as dates from every source, and what is not one says so."""

import datetime
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import heliast as hl
from heliast.data import Dataset, read
from heliast.tables.dates import seconds_of

DAYS = [datetime.date(2024, 2, 28) + datetime.timedelta(days=at) for at in range(40)]
X = np.linspace(0.0, 1.0, 40)
Y = ["a", "b"] * 20


def of_file(folder: Path, words: list[str]) -> Dataset:
    path = folder / "some.csv"
    lines = [f"{word},{x},{y}" for word, x, y in zip(words, X, Y, strict=True)]
    path.write_text("\n".join(["when,x,class", *lines]))
    return read(path)


def sources(folder: Path) -> dict[str, Any]:
    """The same dates in every dress; one is missing."""
    words = [day.isoformat() for day in DAYS]
    words[3] = ""
    gone: list[Any] = [None if at == 3 else day for at, day in enumerate(DAYS)]
    texts = [word or None for word in words]
    rest = {"x": X, "class": Y}
    stamps = pa.array(gone).cast(pa.timestamp("ms"))
    pq.write_table(pa.table({"when": stamps, **rest}), folder / "stamps.parquet")
    pq.write_table(pa.table({"when": texts, **rest}), folder / "texts.parquet")
    return {
        "csv": of_file(folder, words),
        "csv with times": of_file(folder, [word and f"{word} 00:00:00" for word in words]),
        "csv with zone": of_file(folder, [word and f"{word}T02:00+02:00" for word in words]),
        "parquet": read(folder / "stamps.parquet"),
        "parquet of text": read(folder / "texts.parquet"),
        "arrow": read(pa.table({"when": gone, **rest})),
        "polars": read(pl.DataFrame({"when": gone, **rest})),
        "polars text": read(pl.DataFrame({"when": texts, **rest})),
        "pandas": read(pd.DataFrame({"when": pd.to_datetime(pd.Series(gone)), **rest})),
        "pandas with zone": read(
            pd.DataFrame({"when": pd.to_datetime(pd.Series(gone), utc=True), **rest})
        ),
        "pandas text": read(pd.DataFrame({"when": texts, **rest})),
        "pandas objects": read(pd.DataFrame({"when": pd.Series(gone, dtype=object), **rest})),
        "dict": read({"when": gone, **rest}),
        "dict of NumPy": read({"when": np.array(gone, "datetime64[D]"), **rest}),
        "rows": Dataset.of([*zip(gone, X, strict=True)], Y, names=["when", "x"], target="class"),
    }


def test_every_source_gives_the_same_dates(tmp_path: Path) -> None:
    every = sources(tmp_path)
    seconds = np.array([86400.0 * (day - datetime.date(1970, 1, 1)).days for day in DAYS])
    seconds[3] = np.nan
    for name, data in every.items():
        assert data.dates == (0,), name
        np.testing.assert_array_equal(data.inputs[0].values, seconds, err_msg=name)
        assert any("read as dates" in note for note in data.notes), name
    assert len({data.fingerprint for data in every.values()}) == 1
    assert "1 numeric, 0 nominal, 1 date inputs" in repr(every["csv"])


@pytest.mark.parametrize("backend", ["pyarrow", "pandas", "polars"])
def test_a_frame_of_the_data_is_read_back(backend: str, tmp_path: Path) -> None:
    data = of_file(tmp_path, [f"{day}T07:08:09.123457Z" for day in DAYS])
    assert read(data.to_frame(backend), target="class").fingerprint == data.fingerprint


def test_a_date_is_not_the_same_data_as_its_seconds() -> None:
    dates = read({"when": DAYS, "class": Y})
    assert dates.fingerprint != read({"when": dates.matrix[:, 0], "class": Y}).fingerprint
    assert dates.subset([1, 0]).dates == (0,)


def test_told_otherwise() -> None:
    for when in (DAYS, [day.isoformat() for day in DAYS]):
        named = read(pd.DataFrame({"when": when, "class": Y}), nominal="when")
        assert named.inputs[0].categories == tuple(day.isoformat() for day in DAYS)
        seconds = read(pd.DataFrame({"when": when, "class": Y}), numeric="when")
        assert not seconds.dates
        assert np.diff(seconds.matrix[:, 0]).tolist() == [86400.0] * 39


@pytest.mark.parametrize(
    "text",
    ["2023-02-29", "2024-13-01", "2024-1-1", "31/12/2024", "31.12.2024", "12/31/2024 10:00",
     "2024/12/31", "2024-12-31T25:00", "2024-12-31 10:00 CET"],
)  # fmt: skip
def test_what_is_no_iso_date_is_text(text: str, tmp_path: Path) -> None:
    data = of_file(tmp_path, ["2024-01-01", text] * 20)
    assert data.inputs[0].categories == tuple(sorted(["2024-01-01", text]))


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("1970-01-01T00:00:01Z", 1.0),
        ("1970-01-01t00:00:01z", 1.0),
        ("1970-01-01 02:00:01+0200", 1.0),
        ("1969-12-31T19:00:01-05", 1.0),
        ("1970-01-01 00:01", 60.0),
        ("1970-01-01T00:00:00,25", 0.25),
        ("1970-01-01T00:00:00.123456789", 0.123456),
        ("0001-01-01", -62135596800.0),
        ("9999-12-31", 253402214400.0),
        ("0000-01-01", None),
        ("1970-01-01T24:00", None),
        ("１９７０-01-01", None),
        ("1970-01-01T", None),
    ],
)
def test_forms(text: str, seconds: float | None) -> None:
    assert seconds_of(text) == seconds


def test_a_target_of_dates() -> None:
    frame = {"x": X, "when": DAYS}
    with pytest.raises(hl.InputError, match="'when' holds dates, which are not labels"):
        read(frame, target="when")
    assert read(frame, target="when", task="regression").y_true[1] == 86400.0 * 19782
