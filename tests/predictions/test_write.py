"""Tables to files and back: Parquet keeps everything, CSV what plain columns can say."""

import json
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from heliast import Predictions
from heliast._core.errors import InputError
from heliast.predictions import Split, Splits

QUICK = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def rich() -> Predictions:
    """A table that uses every field."""
    table = Predictions.of(
        ["a", "b", "a", "b"],
        ["a", "b", "b", "b"],
        [0.1, 0.9, 0.6, 0.8],
        model=["m", "m", "k", "k"],
        split=[0, 1, 0, 1],
        row=["x", "y", "x", "y"],
        in_train=[0, 0, 0, 3],
        weight=[1, 2, 1, 2],
        group=["g", "h", "g", "h"],
    )
    meta = replace(
        table.meta,
        data_fingerprint="d",
        plan_fingerprint="p",
        seed=7,
        versions={"heliast": "0.1.0"},
    )
    splits = Splits((Split(0, fold=0, n_train=10, train_share=0.5), Split(1, "full", 1, 1)))
    cells = ({"model": "m", "split": 0, "status": "done", "seconds": 0.5},)
    return replace(table, meta=meta, splits=splits, cells=cells)


TABLES = {
    "rich": rich,
    "text": lambda: Predictions.of(["a", "b"], ["b", "b"]),
    "numbers": lambda: Predictions.of([0.5, 1e-300, -3.25], [1, 2, 3.1]),
    "whole": lambda: Predictions.of([-1, 1], [1, 1]),
    "fraction classes": lambda: Predictions.of([0.5, 1], [1, 1], task="classification"),
    "bool": lambda: Predictions.of([True, False], [True, True]),
    "no scores, one split": lambda: Predictions.of([0, 1], [0, 0], split=["x", "x"]),
    "decision": lambda: Predictions.of([0, 1], y_score=[-1.5, 0.25]),
    "decision in [0, 1]": lambda: Predictions.of([0, 1], y_score=[0.2, 0.7], scores="decision"),
    "two decisions": lambda: Predictions.of([0, 1], y_score=[[3, 2], [0, 9]]),
    "votes": lambda: Predictions.of([0, 1, 2], y_score=np.eye(3), scores="votes"),
    "probability": lambda: Predictions.of(list("abc"), y_score=np.eye(3), scores="probability"),
    "positive first": lambda: Predictions.of(list("ab"), y_score=[0.9, 0.2], positive="a"),
    "sampling": lambda: Predictions.of(
        [0, 1], [0, 1], weight=[0.1, 0.2], design="classes", row=[1, 2]
    ),
    "validation": lambda: Predictions.of([0, 1, 1], [0, 1, 0], split=["train", "val", "test"]),
    "one model without scores": lambda: Predictions.of(
        [0, 1, 0, 1], [0, 1, 1, 1], [0.1, 0.9, np.nan, np.nan], model=["m", "m", "k", "k"]
    ),
    "two kinds of scores": lambda: Predictions.of([0, 1], y_score=[0.2, 0.7], model="m").join(
        Predictions.of([0, 1], y_score=[-3.5, 0.7], model="k")
    ),
    "row floats": lambda: Predictions.of([0, 1], [0, 1], row=[1.5, 2.5]),
    "split text": lambda: Predictions.of([0, 1], [0, 1], split=["010", "9"]),
}


@pytest.mark.parametrize("name", TABLES)
def test_parquet_gives_the_table_back(tmp_path, name):
    table = TABLES[name]()
    again = Predictions.read(table.write(tmp_path / "a.parquet"))
    assert again.equals(table)
    assert again.cells == table.cells
    assert again.y_true.dtype == table.y_true.dtype


@pytest.mark.parametrize("ending", ["csv", "tsv", "csv.gz"])
@pytest.mark.parametrize("name", TABLES)
def test_csv_gives_back_what_columns_say(tmp_path, name, ending):
    if name == "two kinds of scores":
        pytest.skip("columns cannot say that models differ in kind")
    table = TABLES[name]()
    again = Predictions.read(table.write(tmp_path / f"a.{ending}"), positive=table.positive)
    assert again.models == table.models
    assert again.classes == table.classes
    assert [type(label) for label in again.classes] == [type(label) for label in table.classes]
    assert again.splits.names == table.splits.names
    assert again.meta.score_kind == table.meta.score_kind
    assert again.meta.weight_kind == table.meta.weight_kind
    for field in ("y_true", "y_pred", "scores", "row", "in_train", "weight", "group"):
        first, second = getattr(table, field), getattr(again, field)
        assert (first is None) == (second is None), field
        nan = first is not None and first.dtype.kind == "f"
        assert first is None or np.array_equal(first, second, equal_nan=nan), field


def test_the_columns_of_a_csv_file(tmp_path):
    path = rich().write(tmp_path / "a.csv")
    names = "model,split,split_role,split_repeat,split_n_train,split_train_share,row,in_train,"
    names += "y_true,y_pred,score_b,weight,group"
    lines = path.read_text().splitlines()
    assert lines[0].replace('"', "") == names
    assert lines[1].replace('"', "") == "m,0,test,0,10,0.5,x,0,a,a,0.1,1,0"
    assert list(pd.read_csv(path).columns) == names.split(",")
    assert pl.read_csv(path).columns == names.split(",")


def test_other_tools_read_our_parquet(tmp_path):
    path = rich().write(tmp_path / "a.parquet")
    assert pl.read_parquet(path)["y_true"].to_list() == ["a", "b", "a", "b"]
    assert pd.read_parquet(path)["score_b"].tolist() == [0.1, 0.9, 0.6, 0.8]
    stored = json.loads(pq.read_schema(path).metadata[b"heliast"])
    assert stored["classes"] == ["a", "b"]
    assert stored["splits"][1]["role"] == "full"


def test_the_same_table_gives_the_same_bytes(tmp_path):
    for ending in ("csv", "csv.gz", "parquet"):
        first = rich().write(tmp_path / f"a.{ending}").read_bytes()
        assert rich().write(tmp_path / f"b.{ending}").read_bytes() == first


def test_options_are_heard_also_for_our_files(tmp_path):
    path = TABLES["positive first"]().write(tmp_path / "a.parquet")
    assert Predictions.read(path).positive == "a"
    path = Predictions.of(["a", "b"], ["a", "a"]).write(tmp_path / "a.parquet")
    again = Predictions.read(path, positive="a")
    assert again.positive == "a"
    assert again.classes == ("a", "b")


# --- formulas ----------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["=1+1", "+a", "-a", "@x", "'=x", "''@y", "'tis", "a=b", "<b>"])
def test_formulas_are_guarded_in_csv_and_come_back(tmp_path, text):
    table = Predictions.of([text, "b"], ["b", text], model=text, row=[text, "7b"])
    path = table.write(tmp_path / "a.csv")
    cells = [cell.strip('"') for line in path.read_text().splitlines() for cell in line.split(",")]
    assert not any(cell[:1] in "=+-@" for cell in cells if cell)
    again = Predictions.read(path)
    assert again.classes == table.classes
    assert again.models == (text,)
    assert again.row is not None
    assert again.row.tolist() == [text, "7b"]


def test_numbers_are_not_guarded(tmp_path):
    path = Predictions.of([-1, 1], [1, 1]).write(tmp_path / "a.csv")
    assert "'" not in path.read_text()


@pytest.mark.parametrize("text", ["", " a", "a ", "a\0b"])
def test_what_csv_cannot_say_is_refused(tmp_path, text):
    table = Predictions.of([text, "b"], ["b", "b"])
    with pytest.raises(InputError, match="write Parquet"):
        table.write(tmp_path / "a.csv")
    assert Predictions.read(table.write(tmp_path / "a.parquet")).equals(table)


# --- whole or not at all -----------------------------------------------------------------------


def test_a_failed_write_leaves_the_old_file_and_no_rest(tmp_path, monkeypatch):
    path = rich().write(tmp_path / "a.csv")
    before = path.read_bytes()

    def fail(*args):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(InputError, match="No space left on device"):
        TABLES["text"]().write(path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("a.xlsx", "write to a name that ends in .csv, .tsv, .csv.gz"),
        ("a", "write to a name that ends in"),
        ("none/a.csv", "cannot be written"),
        ("folder.csv", "cannot be written"),
    ],
)
def test_targets_that_will_not_do(tmp_path, name, words):
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(InputError) as caught:
        rich().write(tmp_path / name)
    assert words in str(caught.value)


# --- metadata that lies ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"format": 99}, "newer heliast"),
        ({"classes": ["a", "c"], "positive": None}, "unknown label 'b'"),
        ({"models": ["m"]}, "is damaged"),
        ({"scores": ["score_z"]}, "is damaged"),
        ({"splits": None}, "is damaged"),
        ({"task": "x"}, "choose one of 'classification'"),
        ({"score_kind": "x"}, "kind of scores is not known"),
        ({"meta": 5}, "is damaged"),
    ],
)
def test_metadata_that_does_not_fit_is_refused(tmp_path, change, words):
    path = rich().write(tmp_path / "a.parquet")
    table = pq.read_table(path)
    stored = json.loads(table.schema.metadata[b"heliast"]) | change
    pq.write_table(table.replace_schema_metadata({"heliast": json.dumps(stored)}), path)
    with pytest.raises(InputError, match=words):
        Predictions.read(path)


def test_metadata_that_is_no_json_is_refused(tmp_path):
    path = tmp_path / "a.parquet"
    table = pa.table({"y_true": [0, 1], "y_pred": [0, 1]})
    for said in ("{", "[]", "{}"):
        pq.write_table(table.replace_schema_metadata({"heliast": said}), path)
        with pytest.raises(InputError, match="heliast metadata is damaged"):
            Predictions.read(path)


# --- frames and equality -----------------------------------------------------------------------


def test_frames():
    table = rich()
    assert isinstance(table.to_frame(), pa.Table)
    assert isinstance(table.to_frame("pandas"), pd.DataFrame)
    assert isinstance(table.to_frame("polars"), pl.DataFrame)
    assert Predictions.read(table.to_frame("polars")).y_true.tolist() == table.y_true.tolist()
    with pytest.raises(InputError, match="choose 'pyarrow'"):
        table.to_frame("excel")


def test_every_difference_counts():
    table = rich()
    assert table.equals(rich())
    assert table.equals(replace(table, cells=()))
    for change in (
        {"y_true": table.y_true[::-1]},
        {"scores": None},
        {"row": None},
        {"in_train": None},
        {"weight": None},
        {"group": None},
        {"models": ("m", "z")},
        {"splits": Splits((Split(0), Split(1)))},
        {"model_code": table.model_code[::-1]},
        {"split_code": table.split_code[::-1]},
        {"meta": replace(table.meta, seed=8)},
    ):
        assert not table.equals(replace(table, **change)), change
    whole, flags = Predictions.of([0, 1], [0, 1]), Predictions.of([False, True], [False, True])
    assert not whole.equals(replace(flags, meta=replace(flags.meta, notes=whole.notes)))


# --- properties --------------------------------------------------------------------------------

NAMES = st.text(st.characters(exclude_categories=["Cs"]), max_size=5)


@st.composite
def tables(draw, names=NAMES):
    n = draw(st.integers(1, 8))

    def column(values):
        return draw(st.lists(values, min_size=n, max_size=n))

    labels = draw(
        st.one_of(
            st.lists(names, min_size=2, max_size=4, unique=True),
            st.lists(st.integers(-(2**63), 2**63 - 1), min_size=2, max_size=4, unique=True),
            st.just([True, False]),
        )
    )
    label = st.sampled_from(labels)
    finite = st.floats(allow_nan=False, allow_infinity=False)
    options = {
        "y_score": np.array([column(finite) for _ in labels]).T if draw(st.booleans()) else None,
        "row": draw(st.permutations(range(n))) if draw(st.booleans()) else None,
        "weight": column(st.floats(0.1, 9)) if draw(st.booleans()) else None,
        "in_train": column(st.integers(0, 3)) if draw(st.booleans()) else None,
        "model": draw(names.filter(bool)),
        "split": column(st.integers(0, 2)) if draw(st.booleans()) else None,
    }
    return Predictions.of(column(label), column(label), classes=labels, **options)


@QUICK
@given(table=tables())
def test_any_table_survives_parquet(tmp_path: Path, table):
    assert Predictions.read(table.write(tmp_path / "a.parquet")).equals(table)


DECENT = st.text("abcxyz=+-@'\",;ü ", min_size=1, max_size=5).filter(lambda x: x == x.strip())


@QUICK
@given(table=tables(DECENT))
def test_any_table_of_decent_names_survives_csv(tmp_path: Path, table):
    path = table.write(tmp_path / "a.csv")
    again = Predictions.read(
        path, classes=table.classes, positive=table.positive, scores=table.meta.score_kind
    )
    assert again.classes == table.classes
    assert again.models == table.models
    for field in ("y_true", "y_pred", "scores", "row", "in_train", "weight"):
        first, second = getattr(table, field), getattr(again, field)
        assert (first is None and second is None) or np.array_equal(first, second), field
