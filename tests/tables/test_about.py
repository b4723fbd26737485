"""One rule each for the task, the target and the positive class, at every door."""

from collections.abc import Callable, Iterator
from datetime import date, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv as arrow
import pyarrow.parquet as pq
import pytest

import heliast as hl
from heliast import Dataset, InputError, Predictions
from heliast.data import read_surely

SIZES = [(2, 2), (2, 300), (20, 20), (20, 300), (21, 21), (21, 4200)]


def columns() -> Iterator[Any]:
    """Columns of all kinds; whole numbers by how many differ among how many rows."""
    for different, rows in SIZES:
        whole = np.arange(rows) % different
        yield pytest.param(whole, id=f"{different} of {rows} whole")
        yield pytest.param(whole.astype(float), id=f"{different} of {rows} whole floats")
    yield pytest.param((np.arange(60) % 40).astype(np.uint8), id="bytes")
    yield pytest.param(np.arange(60) * 10**12, id="far apart")
    yield pytest.param((np.arange(300) % 2 == 0), id="bools")
    yield pytest.param(np.array(["a", "b", "c"] * 30, dtype=object), id="text")
    yield pytest.param(np.array(["1", "2", "x"] * 30, dtype=object), id="numbers and text")
    yield pytest.param(np.array([date(2024, 1, 1 + at % 3).isoformat() for at in range(9)],
                                dtype=object), id="dates in words")  # fmt: skip
    yield pytest.param(np.array([0.5, 1.0, 2.0] * 30), id="fractions")
    yield pytest.param(np.array([1.0, 2.0, np.nan] * 30), id="whole, some missing")
    yield pytest.param(np.array([1.5, 2.0, np.nan] * 30), id="fractions, some missing")
    yield pytest.param(np.array(["a", "b", None] * 30, dtype=object), id="text, some missing")
    yield pytest.param(np.append(np.arange(30.0), [np.nan] * 40), id="30 of 30, the rest missing")


def slowly(values: Any) -> str:
    """Value by value: at most 20 different whole numbers are classes."""
    there = [value for value in values.tolist() if value is not None and value == value]
    if any(isinstance(value, (str, bool)) for value in there):
        return "classification"
    if any(value % 1 for value in there):
        return "regression"
    return "classification" if len(set(there)) <= 20 else "regression"


def frame(values: Any) -> pa.Table:
    return pa.table({"y_true": pa.array(values, from_pandas=True)})


def doors(folder: Path) -> dict[str, Callable[[Any], str]]:
    """Everywhere a column becomes a task: data and predictions, from memory and from files."""

    def written(values: Any, kind: str) -> Path:
        table = frame(values)
        table = table.append_column("y_pred", table["y_true"])
        path = folder / f"table.{kind}"
        writer = pq.write_table if kind == "parquet" else arrow.write_csv
        writer(table, path)
        return path

    def data(values: Any, kind: str) -> str:
        table = frame(values).append_column("x", pa.array(np.arange(len(values)) % 7))
        path = folder / f"data.{kind}"
        (pq.write_table if kind == "parquet" else arrow.write_csv)(table, path)
        return hl.read(path, "y_true", missing="drop").task

    def scanned(values: Any, kind: str) -> str:
        table = Predictions.scan(written(values, kind), missing="drop")
        table.close()  # type: ignore[attr-defined]
        return table.task

    return {
        "Dataset.of": lambda values: (
            Dataset.of(np.zeros((len(values), 1)), values, missing="drop").task
        ),
        "data in Parquet": lambda values: data(values, "parquet"),
        "data in CSV": lambda values: data(values, "csv"),
        "Predictions.of": lambda values: Predictions.of(values, values, missing="drop").task,
        "Predictions.read": lambda values: (
            Predictions.read(written(values, "parquet"), missing="drop").task
        ),
        "scanned Parquet": lambda values: scanned(values, "parquet"),
        "scanned CSV": lambda values: scanned(values, "csv"),
    }


@pytest.mark.parametrize("values", list(columns()))
def test_every_door_gives_the_same_task(values: Any, tmp_path: Path) -> None:
    found = {name: door(values) for name, door in doors(tmp_path).items()}
    assert found == dict.fromkeys(found, slowly(values))


def test_dates_are_no_labels_at_any_door(tmp_path: Path) -> None:
    dates = [datetime(2024, 1, 1 + at % 2) for at in range(8)]
    table = pa.table({"x": range(8), "y_pred": dates, "y_true": dates})
    pq.write_table(table, tmp_path / "dates.parquet")
    for door in (hl.read, Predictions.read, Predictions.scan):
        with pytest.raises(InputError, match="not labels"):
            door(tmp_path / "dates.parquet", **({"target": "y_true"} if door is hl.read else {}))
    told = hl.read(table, "y_true", task="regression")  # whoever means seconds
    assert np.unique(np.diff(told.y_true)).tolist() == [-86400.0, 86400.0]


def test_dates_of_arff() -> None:
    from heliast.data._make import make
    from heliast.tables.arff import arff_table

    head = "@relation r\n@attribute x real\n@attribute t date yyyy-MM-dd\n@data\n"
    text = head + "1,1990-01-01\n2,1991-01-01\n"
    with pytest.raises(InputError, match="'t' holds dates"):
        make(arff_table(text, "r.arff", "r"), target="t")


# --- the target --------------------------------------------------------------------------------

WORDS, NUMBERS = ["p", "q", "p"], [1.5, 2.5, 3.5]


@pytest.mark.parametrize(
    ("names", "target", "found", "by"),
    [
        (["a", "class", "b"], None, "class", "name"),
        (["a", "b"], None, "b", "last"),
        (["a", "b"], "a", "a", "told"),
        (["a", "b"], "first", "a", "told"),
        (["a", "b"], "last", "b", "told"),
        (["a", "b", "c"], "-2", "b", "told"),
        (["last", "b"], "last", "last", "told"),  # a name wins over a place
    ],
)
def test_the_target_is_found_by_one_rule(
    names: list[str], target: str | None, found: str, by: str
) -> None:
    table = dict.fromkeys(names, WORDS)
    for data in (hl.read(table, target), read_surely(table, target)):
        assert (data.target, data.target_by) == (found, by)
        assert any(note.startswith("target: ") for note in data.notes) == (by != "told")


def test_who_must_be_sure_refuses_what_may_be_another() -> None:
    assert hl.read({"label": WORDS, "y": WORDS}).target == "y"
    with pytest.raises(InputError, match="'y', 'label' may each be the target"):
        read_surely({"label": WORDS, "y": WORDS})
    with pytest.raises(InputError, match="'y', 'Y' may each be the target"):
        read_surely({"y": WORDS, "Y": WORDS})
    assert hl.read({"a": WORDS, "b": NUMBERS}).target_by == "last"
    with pytest.raises(InputError, match="The last, 'b', holds numbers"):
        read_surely({"a": WORDS, "b": NUMBERS})
    assert read_surely({"a": WORDS, "b": NUMBERS}, task="regression").target == "b"
    with pytest.raises(InputError, match="one column only"):
        read_surely({"a": WORDS})


def test_the_last_nominal_attribute(tmp_path: Path) -> None:
    head = "@relation r\n@attribute k {u,v}\n@attribute x real\n"
    inner, outer = tmp_path / "inner.arff", tmp_path / "outer.arff"
    inner.write_text(f"{head}@data\nu,1.5\nv,2.5\n")
    outer.write_text(f"{head}@attribute z {{p,q}}\n@data\nu,1.5,p\nv,2.5,q\n")
    assert [(hl.read(one).target, hl.read(one).target_by) for one in (inner, outer)] == [
        ("k", "nominal"),
        ("z", "nominal"),
    ]
    assert read_surely(outer).target == "z"
    assert read_surely(inner, task="regression").target == "x"
    with pytest.raises(InputError, match="The last, 'x', holds numbers"):
        read_surely(inner)  # the class may be any of them


def test_what_is_left_out_and_why() -> None:
    texts = [f"word {at}" for at in range(80)]
    table = pa.table({"t": texts, "l": [[at] for at in range(80)], "class": ["a", "b"] * 40})
    data = hl.read(table)
    assert data.inputs == ()
    assert set(data.left_out) == {"t", "l"}
    assert data.left_out["t"].startswith("free text")
    assert "neither numbers nor text" in data.left_out["l"]
    assert hl.read(table, nominal="t", ignore="l").left_out == {}


# --- the positive class ------------------------------------------------------------------------


def test_the_positive_class_is_always_stated(tmp_path: Path) -> None:
    data = Dataset.of(np.arange(40.0)[:, None], ["no", "yes"] * 20)
    tables = [
        hl.run({"majority": hl.Majority()}, data, hl.KFold(2), seed=1, progress=False),
        Predictions.of(data.y, data.y),
        Predictions.read({"y_true": data.y, "y_pred": data.y}),
    ]
    tables.append(Predictions.scan(tables[1].write(tmp_path / "t.csv")))
    for table in tables:
        assert table.positive == "yes"
        assert any(note.startswith("positive class: 'yes', the last") for note in table.notes)


@pytest.mark.parametrize("positive", [0, 1])
def test_the_positive_class_of_a_file_stays_whatever_else_is_said(
    positive: int, tmp_path: Path
) -> None:
    table = Predictions.of([0, 1, 1, 0], [0, 1, 0, 0], positive=positive)
    path = table.write(tmp_path / "t.parquet")
    assert Predictions.read(path, missing="drop").positive == positive
    assert Predictions.scan(path).positive == positive
    flags = Predictions.of([False, True], [False, True], positive=bool(positive))
    path = flags.write(tmp_path / "b.parquet")
    assert Predictions.read(path, missing="drop").positive is bool(positive)


@pytest.mark.parametrize("number", [0.5, 2, -1])
def test_truth_values_beside_other_numbers_are_no_classes(number: float, tmp_path) -> None:
    """Such a table was read as classes 0.5 and 1, and its copy in CSV as numbers."""
    path = tmp_path / "mixed.csv"
    path.write_text(f"y_true,y_pred\n{number},true\n{number},false\n")
    with pytest.raises(hl.InputError, match=r"alike in both|scores in the place of the truth"):
        hl.Predictions.read(path)
    with pytest.raises(hl.InputError, match=r"alike in both|scores in the place of the truth"):
        hl.Predictions.of([number, number], [True, False])
    assert hl.Predictions.of([1, 0], [True, False]).classes == (0, 1)
