"""Files of any tool to a table: names recognised and stated, refusals with file and line."""

import csv
import gzip
import os
import re
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from heliast import Predictions
from heliast._core.errors import InputError


@pytest.fixture
def file(tmp_path: Path):
    def write(content: str | bytes, name: str = "tree.csv") -> Path:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def refusal(source, **options) -> str:
    with pytest.raises(InputError) as caught:
        Predictions.read(source, **options)
    return str(caught.value)


# --- recognised --------------------------------------------------------------------------------


@pytest.mark.parametrize("truth", ["truth", "y_true", "True", "TARGET", "actual", "y", "gold"])
@pytest.mark.parametrize("label", ["label", "y_pred", "Prediction", "predicted_class"])
def test_names_are_recognised_and_stated(file, truth, label):
    table = Predictions.read(file(f"{truth},{label}\nyes,no\nno,no\n"))
    assert table.models == ("tree",)
    assert table.classes == ("no", "yes")
    assert table.y_true.tolist() == [1, 0]
    assert (f"{truth!r} as y_true" in table.notes[0]) == (truth != "y_true")
    assert (f"{label!r} as y_pred" in table.notes[0]) == (label != "y_pred")


@pytest.mark.parametrize(
    ("name", "values", "kind"),
    [
        ("score", "0.2 0.9", "probability"),
        ("score", "-2 9", "decision"),
        ("y_score", "0.2 0.9", "probability"),
        ("prob", "0.2 0.9", "probability"),
        ("y_prob", "0.2 0.9", "probability"),
        ("decision_function", "0.2 0.9", "decision"),
        ("votes", "0.2 0.9", "votes"),
    ],
)
def test_one_score_column_belongs_to_the_last_class(file, name, values, kind):
    low, high = values.split()
    table = Predictions.read(file(f"y_true,{name}\n0,{low}\n1,{high}\n"))
    assert table.meta.score_kind == kind
    assert table.positive == 1
    assert "positive class: 1, the last in order (say positive= otherwise)" in table.notes


def test_declared_probabilities_are_checked(file):
    path = file("y_true,prob\n0,0.2\n1,1.9\n")
    assert "1.9 is not a probability, outside [0, 1] in 1 row (line 3)" in refusal(path)
    path = file("y_true,prob_a,prob_b\na,0.5,0.6\nb,0,1\n")
    assert "sum to 1.1, not 1, in 1 row (line 2)" in refusal(path)


@pytest.mark.parametrize("prefix", ["score", "prob", "proba", "p", "Prob", "votes"])
def test_one_score_column_a_class(file, prefix):
    names = ",".join(f"{prefix}_{label}" for label in "cba")
    table = Predictions.read(file(f"y_true,{names}\na,0,0,1\nb,0,1,0\nc,1,0,0\n"))
    assert table.classes == ("a", "b", "c")
    assert table.y_pred.tolist() == [0, 1, 2]
    expected = {"votes": "votes"}.get(prefix, "probability")
    assert table.meta.score_kind == expected


def test_numbers_in_score_names_match_numeric_labels(file):
    table = Predictions.read(file("y_true,score_0,score_1.0\n0,0.9,0.1\n1,0.2,0.8\n"))
    assert table.y_pred.tolist() == [0, 1]
    table = Predictions.read(file("y_true,score_false,score_true\nTRUE,0.1,0.9\nFALSE,1,0\n"))
    assert table.classes == (False, True)
    assert table.y_pred.tolist() == [1, 0]


def test_a_class_may_occur_in_scores_only(file):
    table = Predictions.read(file("y_true,votes_a,votes_b,votes_c\na,2,1,0\nb,1,2,0\n"))
    assert table.classes == ("a", "b", "c")


def test_one_named_score_column_names_the_positive_class(file):
    table = Predictions.read(file("y_true,score_a\na,0.9\nb,0.1\n"))
    assert table.positive == "a"
    assert table.y_pred.tolist() == [0, 1]


def test_other_columns_that_look_like_scores_stay_out(file):
    table = Predictions.read(file("y_true,y_pred,p_value,score_time\na,a,1,2\nb,a,1,2\n"))
    assert table.scores is None
    assert "not used: 'p_value', 'score_time'" in table.notes


def test_all_columns_at_once(file):
    table = Predictions.read(
        file(
            "Model,fold,id,in_train,y_true,y_pred,sample_weight,group,extra\n"
            "m,0,1,0,a,a,1,g,x\nm,1,1,2,a,b,1,g,x\nk,0,1,0,a,b,2,h,x\nk,1,1,1,a,a,2,h,x\n"
        )
    )
    assert table.models == ("m", "k")
    assert table.splits.names == (0, 1)
    for name, values in {
        "row": [1, 1, 1, 1],
        "in_train": [0, 2, 0, 1],
        "weight": [1, 1, 2, 2],
    }.items():
        assert getattr(table, name).tolist() == values
    assert table.group is not None
    assert table.group.tolist() == [0, 0, 1, 1]
    assert table.notes[0].endswith("; not used: 'extra'")
    assert "'fold' as split" in table.notes[0]


def test_the_house_name_wins_over_kin(file):
    table = Predictions.read(file("y_true,y_pred,id,row\na,a,1,7\nb,a,1,8\n"))
    assert table.row is not None
    assert table.row.tolist() == [7, 8]
    assert "column 'id' looks reserved and is not used: row='id' uses it" in table.notes


def test_label_beside_prediction_is_the_truth(file):
    table = Predictions.read(file("label,prediction\n0,1\n1,1\n"))
    assert table.y_true.tolist() == [0, 1]
    assert "columns read: 'label' as y_true, 'prediction' as y_pred" in table.notes


def test_a_split_column_of_train_and_test_is_no_plan(file):
    table = Predictions.read(
        file("y_true,y_pred,split\na,a,train\na,b,test\nb,b,test\nb,a,val\nb,b,train\n")
    )
    assert table.splits.names == ("test", "val")
    assert table.splits["val"].role == "validation"
    assert table.only(role="test", in_train=0).y_true.tolist() == [0, 1]
    assert "split 'train' read as training rows (in_train = 1)" in table.notes


# --- options -----------------------------------------------------------------------------------


def test_options_name_any_column(file):
    path = file("a,b,c,d,e,f,g,h\nyes,no,m,1,7,0,2,x\nno,no,m,1,8,0,2,x\n")
    table = Predictions.read(
        path,
        y_true="a",
        y_pred="b",
        model="c",
        split="d",
        row="e",
        in_train="f",
        weight="g",
        group="h",
    )
    assert table.models == ("m",)
    assert table.row is not None
    assert table.row.tolist() == [7, 8]


def test_model_names_the_model_if_it_is_no_column(file):
    assert Predictions.read(file("y_true,y_pred\n0,1\n1,1\n"), model="mine").models == ("mine",)
    message = refusal(file("y_true,y_pred,model\n0,1,m\n1,1,m\n"), model="modle")
    assert "model='modle': the column 'model' names the models" in message


@pytest.mark.parametrize(
    "score",
    [{"a": "x", "b": "y", "c": "z"}, ["x", "y", "z"], ("x", "y", "z")],
)
def test_score_by_class_or_in_class_order(file, score):
    table = Predictions.read(file("y_true,x,y,z\na,1,0,0\nb,0,1,0\nc,0,0,1\n"), y_score=score)
    assert table.y_pred.tolist() == [0, 1, 2]


def test_options_in_text_mean_the_labels_of_the_file(file):
    path = file("y_true,s\n0,0.9\n1,0.1\n")
    table = Predictions.read(path, y_score="s", classes=["0", "1"], positive="0")
    assert table.classes == (0, 1)
    assert table.positive == 0
    assert table.y_pred.tolist() == [0, 1]
    assert Predictions.read(path, y_score={"0": "s"}).positive == 0


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"y_true": "trut"}, "y_true='trut': there is no such column (did you mean 'y_true'?)"),
        (
            {"weight": "w"},
            "weight='w': there is no such column; the columns are 'y_true', 'x', 'z'",
        ),
        (
            {"y_score": ["x"], "classes": ["a", "b", "c"]},
            "y_score has 1 column but there are 3 classes",
        ),
        (
            {"y_score": ["x", "z"], "classes": ["a", "b", "c"]},
            "y_score: 2 columns but there are 3",
        ),
        ({"y_score": {"a": "x", "b": "nope"}}, "y_score='nope': there is no such column"),
    ],
)
def test_wrong_options_are_refused(file, options, words):
    assert words in refusal(file("y_true,x,z\na,1,0\nb,0,1\n"), **options)


# --- ambiguous or lacking ----------------------------------------------------------------------


def test_a_lone_label_column_is_ambiguous(file):
    message = refusal(file("label,score\na,0.1\nb,0.2\n"))
    assert "y_true='label' y_pred='COLUMN'" in message
    assert "y_pred='label' y_true='COLUMN'" in message
    assert Predictions.read(file("label,score\na,0.1\nb,0.2\n"), y_true="label").classes == (
        "a",
        "b",
    )


@pytest.mark.parametrize(
    ("header", "words"),
    [
        (
            "truth,y_true,label",
            "'truth' and 'y_true' both look like y_true: say which with y_true=",
        ),
        ("y_true,pred,prediction", "'pred' and 'prediction' both look like y_pred"),
        ("y_true,score,prob", "'score' and 'prob' all look like scores: say which with y_score="),
        ("truth,truth,label", "two columns are named 'truth'"),
        ("y_true,x,z", "no column is recognised as y_pred or y_score"),
        ("a,b,c", "no column is recognised as y_true; name it with y_true="),
        ("y_true,score_x,score_z", "'score_x', 'score_z' name none of the classes (1, 2)"),
        ("label,score_1,score_2", "may be y_true or y_pred"),
    ],
)
def test_ambiguity_is_refused_by_name(file, header, words):
    message = refusal(file(f"{header}\n1,2,3\n2,2,3\n"))
    assert message.startswith("tree.csv: ")
    assert words in message


def test_every_class_needs_its_score(file):
    message = refusal(file("y_true,score_a,score_b\na,1,0\nb,0,1\nc,0,1\n"))
    assert "lack class 'c'; the classes are 'a', 'b', 'c'" in message


# --- types of a CSV file -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "classes"),
    [
        ("0 1", (0, 1)),
        ("1.0 2", (1, 2)),
        ("+1 -1", (-1, 1)),
        ("1e2 5", (5, 100)),
        ("yes no", ("no", "yes")),
        ("true FALSE", (False, True)),
        ("007 008", ("007", "008")),
        ("1 a", ("1", "a")),
        ("12345678901234567890 1", ("1", "12345678901234567890")),
        ("é ü", ("é", "ü")),
        ("'=x =y", ("=x", "=y")),
        ('"NA" b', ("NA", "b")),
        ("1_000 2", ("1_000", "2")),
    ],
)
def test_types_lose_nothing(file, values, classes):
    first, second = values.split(" ")
    table = Predictions.read(file(f"y_true,y_pred\n{first},{first}\n{second},{first}\n"))
    assert table.classes == classes
    assert [type(label) for label in table.classes] == [type(label) for label in classes]


def test_truth_and_label_are_typed_together(file):
    table = Predictions.read(file("y_true,y_pred\n1,1\n2,1\nx,2\n"))
    assert table.classes == ("1", "2", "x")
    assert table.y_pred.tolist() == [0, 0, 1]
    table = Predictions.read(file("y_true,y_pred\ntrue,true\nmaybe,false\n", "m.csv"), classes=None)
    assert table.classes == ("false", "maybe", "true")


def test_numbers_against_text_are_refused(file):
    message = refusal(file("y_true,y_pred\nyes,1\nno,0\n"))
    assert "y_true holds 'no', 'yes', y_pred '0', '1'" in message


def test_true_is_one(file):
    table = Predictions.read(file("y_true,y_pred\ntrue,1\nfalse,1.0\n"))
    assert (table.y_true == table.y_pred).tolist() == [True, False]


@pytest.mark.parametrize("field", ["", "NA", "NaN", "null", "N/A", '""', " "])
def test_missing_fields_are_counted_by_line(file, field):
    path = file(f"y_true,y_pred\nyes,no\nno,{field}\nno,no\n")
    assert "y_pred is missing in 1 row (line 3). Complete them, or drop" in refusal(path)
    table = Predictions.read(path, missing="drop")
    assert len(table) == 2
    assert any("dropped 1 row of 3" in note and "(line 3)" in note for note in table.notes)


def test_missing_scores_are_counted_by_line(file):
    path = file('y_true,score\n1,0.5\n0,\n1,NA\n0,""\n')
    assert "y_score is missing in 3 rows (lines 3, 4 and 5)" in refusal(path)


def test_a_score_that_is_no_number_is_shown(file):
    message = refusal(file("y_true,score\n1,0.5\n0,high\n"))
    assert "column 'score': 'high' in 1 row (line 3) is not a number" in message
    assert "decimal_separator=','" in refusal(file('y_true,score\n1,"0,5"\n0,0.5\n'))


def test_spaces_around_values_do_not_count(file):
    table = Predictions.read(file("y_true , label\na, a\nb , a\n"))
    assert table.classes == ("a", "b")
    table = Predictions.read(file("y_true, score\n1, 0.5\n0, 0.7\n"))
    assert table.scores is not None
    assert table.scores.tolist() == [0.5, 0.7]


# --- lines -------------------------------------------------------------------------------------


def test_lines_count_blank_and_broken_lines(file):
    text = 'y_true,y_pred\n\na,a\n"b\nb",a\n\n\nx,a\n'
    message = refusal(file(text), classes=["a", "b\nb"])
    assert "unknown label 'x' in 1 row (line 8)" in message
    message = refusal(file("\n\n" + text), classes=["a", "b\nb"])
    assert "unknown label 'x' in 1 row (line 10)" in message


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_any_line_ending(file, ending):
    text = ending.join(["y_true,y_pred", "a,a", "b,", "b,b"])
    assert "y_pred is missing in 1 row (line 3)" in refusal(file(text))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("y_true,y_pred\na,a\nb\n", "line 3 has 1 field but the first line has 2;"),
        ("y_true,y_pred\na,a,a\nb,b\n", "line 2 has 3 fields but the first line has 2;"),
        ('y_true,y_pred\n"a\nb",a\n\nb,b,b\n', "line 5 has 3 fields"),
    ],
)
def test_ragged_rows_are_shown_by_line(file, text, words):
    message = refusal(file(text))
    assert message.startswith(f"tree.csv: {words}")
    assert "must be quoted" in message


def test_duplicates_are_shown_by_line(file):
    message = refusal(file("y_true,y_pred,row\na,a,1\nb,b,2\na,b,1\n"))
    assert "row 1 occurs twice for model 'tree' in split 0 (line 2 and line 4; 1 such)" in message


# --- files that are none -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "the file is empty"),
        (b"\n \n", "the file is empty"),
        (b"\xef\xbb\xbf", "the file is empty"),
        (b"y_true,y_pred\n", "there is a header but no row of data"),
        (b"0,1\n1,0\n", "no column is recognised as y_true"),
        (b"cat,0.5\ndog,0.7\n", "the first line looks like data"),
        (b"y_true,y_pred\ncaf\xe9,a\n", "not UTF-8; save it as UTF-8"),
        ("y_true,y_pred\na,b\n".encode("utf-16"), "encoding='latin-1' or 'utf-16'"),
        (b"PK\x03\x04xxxx", "a zip archive or an Excel workbook; save it as CSV or Parquet"),
        (b"PAR1xxxx", "not a Parquet file, or damaged or cut short"),
        (b"\x1f\x8b\x08xxxxxx", "cannot be read"),
        (b"\x80\x04\x95abc", "a pickle"),
    ],
)
def test_what_is_no_table_is_refused(file, content, words):
    message = refusal(file(content))
    assert message.startswith("tree.csv: ")
    assert words in message


def test_an_encoding_is_named(file):
    path = file(b"y_true,y_pred\n\xe9,a\na,a\n")
    assert Predictions.read(path, encoding="latin-1").classes == ("a", "é")


def test_a_header_of_numbers_will_do_if_columns_are_named(file):
    table = Predictions.read(file("0,1\na,a\nb,a\n"), y_true="0", y_pred="1")
    assert table.classes == ("a", "b")


@pytest.mark.parametrize("name", ["short.parquet", "long.parquet"])
def test_a_parquet_file_that_is_none(file, name):
    content = b"x" if name.startswith("short") else b"x" * 1000
    assert f"{name}: not a Parquet file, or damaged or cut short" in refusal(file(content, name))


def test_a_truncated_parquet_file(tmp_path):
    path = Predictions.of([0, 1], [0, 1]).write(tmp_path / "whole.parquet")
    path.write_bytes(path.read_bytes()[:-20])
    assert "cut short" in refusal(path)


def test_paths_that_lead_nowhere(tmp_path):
    assert "there is no such file" in refusal(tmp_path / "none.csv")
    assert "no CSV, Parquet, JSON or Arrow file in this folder" in refusal(tmp_path)
    assert "not fetched; download the file" in refusal("https://example.org/a.csv")
    assert "cannot be opened" in refusal("a\0b")
    assert "expected a path or a data frame" in refusal(5)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission(file):
    path = file("y_true,y_pred\na,b\n")
    path.chmod(0)
    assert "no permission to read this file" in refusal(path)


# --- other formats -----------------------------------------------------------------------------


def test_byte_order_mark(file):
    table = Predictions.read(file(b"\xef\xbb\xbfy_true,y_pred\na,a\nb,a\n"))
    assert table.notes == ("positive class: 'b', the last in order (say positive= otherwise)",)


@pytest.mark.parametrize(
    ("name", "separator"), [("a.tsv", "\t"), ("a.csv", ";"), ("a.csv", "\t"), ("a.txt", "|")]
)
def test_other_separators(file, name, separator):
    text = "y_true,y_pred,row\na,a,1\nb,a,2\n".replace(",", separator)
    table = Predictions.read(file(text, name))
    assert table.classes == ("a", "b")
    assert f"columns separated by {separator!r}" in table.notes


def test_gzip(file):
    table = Predictions.read(file(gzip.compress(b"y_true,y_pred\na,a\nb,a\n"), "tree.csv.gz"))
    assert table.models == ("tree",)
    message = refusal(file(gzip.compress(b"y_true,y_pred\na,a\nb,\n"), "tree.csv.gz"))
    assert "(line 3)" in message


FRAME = {
    "y_true": ["a", "b", 'é, "x"', "b"],
    "y_pred": ["a", "b", "b", "a"],
    "row": [3, 1, 2, 4],
    "weight": [0.5, 1.5, 2.0, 1.0],
}


def by_pandas(path: Path, index: bool = False) -> None:
    frame = pd.DataFrame(FRAME)
    frame.to_csv(path, index=index) if path.suffix == ".csv" else frame.to_parquet(path)


def by_polars(path: Path) -> None:
    frame = pl.DataFrame(FRAME)
    frame.write_csv(path) if path.suffix == ".csv" else frame.write_parquet(path)


def by_csv(path: Path) -> None:
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream, quoting=csv.QUOTE_NONNUMERIC)
        writer.writerow(FRAME)
        writer.writerows(zip(*FRAME.values(), strict=True))


@pytest.mark.parametrize(
    ("writer", "name"),
    [
        (by_pandas, "a.csv"),
        (lambda path: by_pandas(path, index=True), "a.csv"),
        (by_polars, "a.csv"),
        (by_csv, "a.csv"),
        (by_pandas, "a.parquet"),
        (by_polars, "a.parquet"),
    ],
)
def test_files_of_other_tools(tmp_path, writer, name):
    writer(tmp_path / name)
    table = Predictions.read(tmp_path / name)
    assert [table.classes[code] for code in table.y_true] == FRAME["y_true"]
    assert table.row is not None
    assert table.row.tolist() == FRAME["row"]
    assert table.weight is not None
    assert table.weight.tolist() == FRAME["weight"]
    assert table.meta.weight_kind == "sampling"


def test_parquet_counts_rows_from_nought(tmp_path):
    path = tmp_path / "a.parquet"
    pl.DataFrame({"y_true": ["a", None, "b"], "y_pred": ["a", "a", "b"]}).write_parquet(path)
    message = refusal(path)
    assert "a.parquet: y_true is missing in 1 row (row 1, counting from 0)" in message
    pl.DataFrame({"y_true": [], "y_pred": []}).write_parquet(path)
    assert "no row" in refusal(path)


@pytest.mark.parametrize(
    "make",
    [
        pd.DataFrame,
        pl.DataFrame,
        lambda frame: pl.DataFrame(frame).lazy(),
        pa.table,
        dict,
        lambda frame: pd.DataFrame(frame).astype({"y_true": "category"}),
        lambda frame: pd.DataFrame(frame, index=[9, 9, 9, 9]),
    ],
)
def test_frames(make):
    table = Predictions.read(make(FRAME))
    assert [table.classes[code] for code in table.y_true] == FRAME["y_true"]
    assert table.models == ("model",)
    assert Predictions.read(make(FRAME), model="tree").models == ("tree",)


def test_frames_that_are_refused():
    twins = pd.DataFrame([[1, 2, 3]], columns=["y_true", "y_true", "y_pred"])
    for frame, words in [
        (pd.DataFrame({"y_true": ["a", 1], "y_pred": ["a", "b"]}), "mixes text and numbers"),
        (pd.DataFrame({0: [1, 2]}), "no column is recognised as y_true"),
        (twins, "two columns of the same name|duplicate|unique"),
        ({"y_true": [0, 1], "y_pred": [1]}, "y_true has 2 rows but y_pred has 1"),
    ]:
        with pytest.raises(InputError) as caught:
            Predictions.read(frame)
        assert re.search(words, str(caught.value))


def test_large_columns_take_the_same_path(tmp_path):
    # Beyond 100,000 different texts a column is parsed as a whole; the answers must not change.
    n = 120_000
    rng = np.random.default_rng(1)
    frame = pl.DataFrame(
        {"y_true": rng.normal(size=n), "y_pred": np.arange(n), "row": np.arange(n)}
    )
    frame.write_csv(tmp_path / "a.csv")
    table = Predictions.read(tmp_path / "a.csv")
    assert table.task == "regression"
    assert table.y_true.tolist() == frame["y_true"].to_list()
    assert table.y_pred.tolist() == frame["y_pred"].to_list()
    named = frame.with_columns(row=pl.format("{}", pl.col("row")).str.zfill(8))
    named.write_csv(tmp_path / "b.csv")
    table = Predictions.read(tmp_path / "b.csv")
    assert table.row is not None
    assert table.row[7] == "00000007"
