"""Tables of answers that were graded: attempts, bounds, what is recognised and what is refused."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq
import pytest

import heliast as hl
from heliast import Predictions
from heliast._core.errors import InputError, NotPredictions


def written(folder: Path, text: str, name: str = "graded.csv") -> Path:
    path = folder / name
    path.write_text(text)
    return path


def test_attempts_are_averaged_per_item() -> None:
    table = Predictions.graded(
        [1, 0, 0, 1, 1, 0], item=list("aabbba"), attempt=[1, 2, 1, 2, 3, 3], model="m"
    )
    assert table.row.tolist() == ["a", "b"]
    assert table.y_pred.tolist() == pytest.approx([1 / 3, 2 / 3])
    assert table.scores.tolist() == [[1, 0, 0], [0, 1, 1]]
    assert table.attempts == 3


def test_unequal_attempts_are_said_and_items_count_once() -> None:
    table = Predictions.graded([1, 1, 1, 0], item=list("aaab"), attempt=[1, 2, 3, 1])
    assert hl.assess(table)["model", "grade"].value == 0.5
    assert any("1 to 3 attempts at an item" in note for note in table.notes)
    assert np.isnan(table.scores[1, 1:]).all()


@pytest.mark.parametrize(
    ("grades", "values"),
    [
        ([True, False], [1, 0]),
        (["C", "I"], [1, 0]),
        (["correct", "Incorrect"], [1, 0]),
        (["C", "P"], [1, 0.5]),
        (["I", "N"], [0, 0]),
        (["Y", "N"], [1, 0]),
        ([0.25, 1], [0.25, 1]),
        (["1", "0"], [1, 0]),
    ],
)
def test_what_grades_are_worth(grades: list, values: list) -> None:
    assert Predictions.graded(grades, item=[1, 2]).y_pred.tolist() == values


def refusal(*args: object, **options: object) -> str:
    with pytest.raises(InputError) as caught:
        Predictions.graded(*args, **options)
    return str(caught.value)


@pytest.mark.parametrize(
    ("grade", "options", "words"),
    [
        ([1, 3], {}, "bounds=(1, 5) (command line: --bounds 1:5); grades reach from 1 to 3"),
        (["P", "N"], {}, "'P' is partly right beside 'C' and 'I'"),
        (["0%", "45%"], {}, "'0%' is no grade"),
        ([1, 3], {"bounds": (0, 2)}, "grade: 3 in 1 row (row 1, counting from 0) lies outside"),
        ([1, 3], {"bounds": (2, 2)}, "the least and the largest grade"),
        ([1, np.inf], {}, "grades are finite"),
        ([1, None], {}, "grade is missing in 1 row"),
        (["C", "good"], {}, "'good' is no grade"),
        ([1, 0], {"item": [1, 1]}, "graded twice (row 0 and row 1; 1 such)"),
        ([1, 0], {"item": [1, 1]}, "model_column='COLUMN'"),
        ([1, 0], {"item": [1, 1], "attempt": [4, 4]}, "graded twice for the same attempt"),
        (
            [1, 0],
            {"item": [1, 1], "attempt": "twice"},
            "attempt: expected one value a row, got 'twice'",
        ),
        ([1, 0], {"model": ["a", "b"]}, "which item each response is for is not known"),
        (
            [1, 0],
            {"item": [1, 1], "attempt": [1, 2], "group": [1, 2]},
            "group: attempts at one item have different values",
        ),
        ([1, 0], {"item": [1, 2, 3]}, "grade has 2 rows but row has 3"),
        ([], {}, "empty"),
    ],
)
def test_what_is_wrong_is_said(grade: list, options: dict, words: str) -> None:
    assert words in refusal(grade, **options)


def test_repeats_are_attempts_where_that_is_said() -> None:
    table = Predictions.graded([1, 0, 1], item=list("aab"), attempt="repeats")
    assert table.y_pred.tolist() == [0.5, 1.0]


def test_missing_grades_are_dropped_where_that_is_said() -> None:
    table = Predictions.graded([1, None, 0], item=[1, 2, 3], missing="drop")
    assert len(table) == 2
    assert "dropped 1 of 3 answers without a grade" in table.notes


def test_columns_are_recognised(tmp_path: Path) -> None:
    text = "model,question_id,epoch,passed,document,cost\n" + "".join(
        f"{model},{item},{attempt},{(item + attempt) % 2},{item // 2},0.5\n"
        for model in "ab"
        for item in range(6)
        for attempt in (1, 2)
    )
    table = Predictions.read(written(tmp_path, text))
    assert table.task == "graded"
    assert table.models == ("a", "b")
    assert table.attempts == 2
    assert table.group.tolist() == [0, 0, 1, 1, 2, 2] * 2
    assert table.columns["cost"].values.tolist() == [0.5] * 12
    assert "'question_id' as row" in table.notes[0]


def test_a_line_of_the_file_is_named(tmp_path: Path) -> None:
    path = written(tmp_path, "model,item,grade\na,1,0.5\na,2,7\n")
    with pytest.raises(InputError, match=r"graded.csv: .*7 in 1 row \(line 3\)"):
        Predictions.read(path)
    path = written(tmp_path, "model,item,correct\na,1,1\n\na,1,0\n")
    with pytest.raises(InputError, match=r"line 2 and line 4"):
        Predictions.read(path)
    path = written(tmp_path, "item,seed,epoch,correct\n1,1,1,1\n1,2,1,0\n")
    with pytest.raises(InputError, match=r"same attempt \(column 'epoch'\) \(line 2 and line 3"):
        Predictions.read(path)
    assert Predictions.read(path, attempt="seed").scores.tolist() == [[1, 0]]


def test_rows_of_json_are_lines_where_each_line_is_a_record(tmp_path: Path) -> None:
    records = [{"model": "a", "item": item, "grade": grade} for item, grade in enumerate([0.5, 7])]
    lines = "\n\n".join(map(json.dumps, records))
    columns = json.dumps({name: [one[name] for one in records] for name in records[0]})
    named = {
        lines: r"line 3\)",
        json.dumps(records, indent=1): r"row 1, counting from 0\)",
        columns: r"row 1, counting from 0\)",
    }
    for text in named:
        path = written(tmp_path, text, "graded.json")
        with pytest.raises(InputError, match=r"graded.json: grade: 7 in 1 row \(row 1"):
            Predictions.read(path)


@pytest.mark.parametrize("bounds", [None, (0, 2)])
def test_several_columns_of_grades_are_several_models(tmp_path: Path, bounds: tuple | None) -> None:
    rng = np.random.default_rng(4)
    one, two, other = (rng.integers(0, 2, 40) for _ in range(3))
    wide = pd.DataFrame({"item": range(40), "one": one, "two": two, "other": other})
    wide.to_csv(tmp_path / "wide.csv", index=False)
    long = wide.melt("item", ["one", "two"], "model", "correct")
    expected = hl.compare(Predictions.read(long, bounds=bounds))["one", "two"]
    for source in (wide, tmp_path / "wide.csv"):
        table = Predictions.read(source, grade=["one", "two"], bounds=bounds)
        found = hl.compare(table)["one", "two"]
        assert (found.value, found.low, found.high, found.p) == pytest.approx(
            (expected.value, expected.low, expected.high, expected.p)
        )
        assert "not used: 'other'" in table.notes[0]
        assert not any("not used" in note and "'two'" in note for note in table.notes)
        assert "several columns, each read as a model: 'one', 'two'" in table.notes
    long.to_csv(tmp_path / "long.csv", index=False)
    with pytest.raises(InputError, match="names models as well"):
        Predictions.read(tmp_path / "long.csv", grade=["correct", "item"])


def test_an_index_with_names_is_read_as_columns() -> None:
    frame = pd.DataFrame(
        {"model": "a", "item": list("xxyy"), "attempt": [1, 2, 1, 2], "correct": [1, 0, 1, 1]}
    )
    plain = Predictions.read(frame)
    for index in ("item", ["item", "attempt"], ["model", "item"]):
        assert Predictions.read(frame.set_index(index)).equals(plain)
    twins = frame.drop(columns="attempt").set_index("item")
    with pytest.raises(InputError, match="item 'x' of model 'a' is graded twice"):
        Predictions.read(twins)
    labels = pd.DataFrame({"y_true": [0, 1], "y_pred": [0, 1]}, index=pd.Index([7, 5], name="id"))
    assert Predictions.read(labels).row.tolist() == [7, 5]
    with pytest.raises(InputError, match="expected a path or a data frame"):
        Predictions.read(twins["correct"])


def test_a_list_of_records_inside_of_a_file_is_pointed_to(tmp_path: Path) -> None:
    rows = [{"item": item, "success": item % 2 == 0} for item in range(4)]
    for said, name in (({"results": rows}, "'results'"),):
        path = written(tmp_path, json.dumps(said), "made.json")
        with pytest.raises(InputError, match=f"the rows are the list in {name}, save that") as met:
            Predictions.read(path)
        assert "--grade results.rows" not in str(met.value)


def test_in_doubt_both_lines_are_shown(tmp_path: Path) -> None:
    path = written(tmp_path, "model,id,score\na,1,0.5\nb,1,0.7\n")
    with pytest.raises(InputError, match=r"grade='score'.*y_score='score' y_true='COLUMN'"):
        Predictions.read(path)
    assert Predictions.read(path, grade="score").task == "graded"


def test_predictions_and_data_are_not_taken_for_grades(tmp_path: Path) -> None:
    both = written(tmp_path, "model,item,target,prediction,correct\na,1,x,x,1\na,2,y,x,0\n")
    assert Predictions.read(both).task == "classification"
    assert Predictions.read(both, grade="correct").y_pred.tolist() == [1, 0]
    data = written(tmp_path, "id,school,grade\n1,a,3\n2,b,4\n")
    with pytest.raises(NotPredictions):
        Predictions.read(data)


@pytest.mark.parametrize(
    "names",
    [
        "model,item,correct,target",
        "model,item,correct,reference",
        "model,doc_id,is_correct,target,answer",
        "model,doc_id,grade,target",
        "model,item,correct,answer,prediction",
    ],
)
def test_what_was_asked_for_or_answered_makes_no_predictions_of_grades(
    tmp_path: Path, names: str
) -> None:
    rows = "".join(f"a,{item},{item % 2}{',x' * (names.count(',') - 2)}\n" for item in range(4))
    assert Predictions.read(written(tmp_path, f"{names}\n{rows}")).y_pred.tolist() == [0, 1, 0, 1]


def test_grades_beside_a_target_are_asked_for_where_names_do_not_tell(tmp_path: Path) -> None:
    path = written(tmp_path, "model,id,Correct,target\na,1,1,x\na,2,0,y\n")
    with pytest.raises(InputError, match=r"grade='Correct'.*y_true='target'.*target='target'"):
        Predictions.read(path)
    path = written(tmp_path, "model,sample_id,epoch,score,target\na,1,1,C,x\na,2,1,I,y\n")
    with pytest.raises(InputError, match=r"y_true='target' y_score='score'.*grade='score'"):
        Predictions.read(path)
    scored = written(tmp_path, "model,item,correct,y_true,prob\na,1,1,0,0.2\na,2,0,1,0.3\n")
    assert Predictions.read(scored).task == "classification"


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_a_table_comes_back_as_it_was(tmp_path: Path, ending: str) -> None:
    table = Predictions.graded(
        [1, 0, 0.5, 1, 0, 1], item=list("aabaab"), attempt=[1, 2, 1, 1, 2, 1],
        model=list("xxxyyy"), group=[5, 5, 6, 5, 5, 6], columns={"tokens": range(6)},
    )  # fmt: skip
    back = Predictions.read(table.write(tmp_path / f"kept.{ending}"))
    assert back.equals(table) or ending == "csv"
    assert np.array_equal(back.scores, table.scores, equal_nan=True)
    assert back.columns["tokens"].values.tolist() == table.columns["tokens"].values.tolist()
    assert back.group.tolist() == table.group.tolist()


def test_tables_of_different_attempts_join() -> None:
    one = Predictions.graded([1, 0, 1, 1], item=[1, 1, 2, 2], attempt=[1, 2, 1, 2], model="one")
    two = Predictions.graded([0, 1], item=[2, 1], model="two", columns={"cost": [1.0, 2.0]})
    both = one.join(two)
    assert both.only("two").scores.shape == (2, 2)
    assert both.columns["cost"].missing.tolist() == [0, 1]
    assert hl.compare(both)["one", "two"].value == pytest.approx(0.25)
    with pytest.raises(InputError, match="cannot be paired"):
        Predictions.graded([1, 0], model="x").join(Predictions.graded([1, 1], model="y"))


def test_items_of_one_model_only_are_left_out_by_name() -> None:
    table = Predictions.graded([1, 0, 1, 1, 0], model=list("aaabb"), item=[1, 2, 3, 1, 2])
    found = hl.assess(table)
    assert "incomplete" in found["b", "grade"].reason
    assert hl.compare(table, common_rows=True)["a", "b"].n == 2


def test_items_of_two_tasks_with_the_same_names_are_apart() -> None:
    table = Predictions.graded([1, 0, 0, 1], item=[1, 2, 1, 2], columns={"task": list("xxyy")})
    assert table.row.tolist() == ["x/1", "x/2", "y/1", "y/2"]


def test_tasks_are_items_where_nothing_else_names_them(tmp_path: Path) -> None:
    path = written(tmp_path, "model,task,trial,success\na,x,1,1\na,x,2,0\na,y,1,1\na,y,2,1\n")
    table = Predictions.read(path)
    assert table.row.tolist() == ["x", "y"]
    assert table.y_pred.tolist() == [0.5, 1.0]


def test_what_is_for_predictions_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, "model,item,correct,day\na,1,1,3\na,2,0,4\n")
    with pytest.raises(InputError, match="time= is for predictions, but these are grades"):
        Predictions.read(path, time="day")
    with pytest.raises(InputError, match="expected Predictions of classes or numbers"):
        hl.ensembles.select(Predictions.graded([1, 0], model=["a", "b"], item=[1, 1]))
    with pytest.raises(InputError, match="is read, not scanned"):
        Predictions.scan(path)


def test_a_kept_column_has_one_value_for_all_attempts_at_an_item() -> None:
    """A slice of the mean of two temperatures would hold no answer that was given."""
    given = {"item": [1, 1, 2, 2], "attempt": [1, 2, 1, 2], "model": "m"}
    said = refusal([1, 0, 1, 0], **given, columns={"temperature": [0, 1, 0, 1]})
    assert "temperature: attempts at one item have different values (item 1 of model 'm': 0" in said
    assert "different values" in refusal([1, 0, 1, 0], **given, columns={"style": list("abab")})
    assert "different values" in refusal([1, 0, 1, 0], **given, columns={"a": [0, np.nan, 1, 1]})
    same = {"length": [3, 3, 8, 8], "nothing": [np.nan, np.nan, 2.5, 2.5], "cost": [1, 2, 3, 4]}
    table = Predictions.graded([1, 0, 1, 0], **given, columns=same)
    assert table.columns["length"].values.tolist() == [3, 8]
    assert table.columns["nothing"].missing.tolist() == [0]
    assert table.columns["cost"].values.tolist() == [1.5, 3.5]


def test_human_grades_are_grades_of_each_answer() -> None:
    one = Predictions.graded([1, 0], item=[1, 2], model="a", columns={"human": ["C", None]})
    two = Predictions.graded([1, 1], item=[1, 2], model="b", columns={"human": [False, True]})
    assert one.join(two).columns["human"].values.tolist() == pytest.approx(
        [1, np.nan, 0, 1], nan_ok=True
    )
    bare = one.join(Predictions.graded([1, 1], item=[1, 2], model="c"))
    assert bare.columns["human"].missing.tolist() == [1, 2, 3]
    said = refusal([1, 0], item=[1, 2], columns={"human": [4, None]})
    assert "human: 4 in 1 row (row 0, counting from 0) lies outside 0 to 1" in said


def test_grades_between_semicolons_and_in_frames(tmp_path: Path) -> None:
    rows = [("a", item, item % 2) for item in range(6)]
    text = "model;item;correct\n" + "".join(";".join(map(str, row)) + "\n" for row in rows)
    assert Predictions.read(written(tmp_path, text)).y_pred.tolist() == [0, 1] * 3
    halves = text.replace("correct", "grade").replace(";1\n", ";0,5\n")
    assert (
        Predictions.read(written(tmp_path, halves), decimal_separator=",").y_pred.tolist()
        == [0, 0.5] * 3
    )
    frame = pd.DataFrame(rows, columns=["model", "item", "correct"])
    assert Predictions.read(frame).y_pred.tolist() == [0, 1] * 3
    assert hl.assess(frame)["a", "grade"].value == 0.5


def test_what_does_not_fit_grades_is_said(tmp_path: Path) -> None:
    path = written(tmp_path, "model,item,correct\na,1,1\na,2,0\n")
    for name, value in {
        "positive": 1,
        "classes": [0, 1],
        "order": [0, 1],
        "scores": "votes",
    }.items():
        with pytest.raises(InputError, match=rf"{name}= is for classes, but the task is graded"):
            Predictions.read(path, **{name: value})
    with pytest.raises(InputError, match="design='classes' is for classes"):
        Predictions.read(path, design="classes")


def test_bars_and_margins_that_say_nothing_are_refused() -> None:
    given = {"item": [1, 2, 3, 1, 2, 3], "model": list("aaabbb"), "bounds": (1, 5)}
    table = Predictions.graded([1, 5, 3, 2, 4, 4], **given)
    for bar, many in {7: "no", 1: "every"}.items():
        with pytest.raises(InputError, match=f"between 1 and 5, so that {many} answer"):
            hl.assess(table, f"above(bar={bar})")
    assert hl.assess(table, "above(bar=5)")["a", "above(bar=5)"].value == pytest.approx(1 / 3)
    with pytest.raises(InputError, match="margin=4: grade lies between 1 and 5"):
        hl.compare(table, margin=4)
    assert hl.compare(table, margin=3).margin == 3
    with pytest.raises(InputError, match=r"did you mean 0.05\?"):
        hl.compare([0, 1, 1], {"a": [0, 1, 1], "b": [0, 0, 1]}, margin=5)


def test_what_is_nested_is_read_by_dotted_names(tmp_path: Path) -> None:
    records = [
        {"model": "x", "sample": {"id": item}, "metrics": {"f1": item / 4, "more": {"em": 1}}}
        for item in range(4)
    ]
    lines = written(tmp_path, "".join(f"{json.dumps(one)}\n" for one in records), "nested.jsonl")
    parquet = tmp_path / "nested.parquet"
    pq.write_table(pa.Table.from_pylist(records), parquet)
    arrow = tmp_path / "nested.arrow"
    feather.write_feather(pa.Table.from_pylist(records), arrow)
    for path in (lines, parquet, arrow):
        with pytest.raises(InputError, match=r"Nested in columns are .*metrics.f1, metrics.more"):
            Predictions.read(path)
        with pytest.raises(InputError, match=r"neither numbers nor text|holds STRUCT"):
            Predictions.read(path, grade="metrics", row="sample.id")
        table = Predictions.read(path, grade="metrics.f1", row="sample.id", keep="metrics.more.em")
        assert table.y_pred.tolist() == [0, 0.25, 0.5, 0.75]
        assert table.row.tolist() == [0, 1, 2, 3]
        assert table.columns["metrics.more.em"].values.tolist() == [1] * 4
        assert not any("not used" in note for note in table.notes)


def test_items_of_tasks_that_are_groups_are_apart(tmp_path: Path) -> None:
    rows = [f"{m},t{t},{i},{(i + t) % 2}" for m in "ab" for t in range(6) for i in range(3)]
    path = written(tmp_path, "model,task,item,correct\n" + "\n".join(rows))
    table = Predictions.read(path, group="task")
    assert len(table) == 36
    assert table.row[:2].tolist() == ["t0/0", "t0/1"]
    assert table.group[:4].tolist() == [0, 0, 0, 1]


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"model": "a"}, "the column 'model' names the models"),
        ({"keep": "nosuch"}, "keep='nosuch': there is no such column"),
        ({"keep": "human"}, "there is no such column"),
    ],
)
def test_a_column_that_is_not_there_is_told_by_what_it_is_for(
    tmp_path: Path, asked: dict, words: str
) -> None:
    path = written(tmp_path, "model,item,correct\na,1,1\nb,1,0\n")
    with pytest.raises(InputError, match=words):
        Predictions.read(path, **asked)


def test_items_of_the_gate_are_called_so() -> None:
    table = Predictions.graded([1, 0] * 30, item=range(60))
    said_of = {"one": "add items and analyze again", "any": "at all analyses together"}
    for looks, words in said_of.items():
        said = " ".join(str(hl.gate(table, "grade.low >= 0.45", looks=looks)).split())
        assert words in said
        assert " rows" not in said
    rulings = hl.gate([0, 1] * 30, [0, 1] * 30, requirements="accuracy.low >= 0.5")
    assert "add rows and analyze again" in " ".join(str(rulings).split())


def test_equal_differences_have_a_p_between_bounds_and_else_another_test_is_named() -> None:
    table = Predictions.graded(
        [1] * 20 + [0.5] * 20, item=[*range(20)] * 2, model=["a"] * 20 + ["b"] * 20,
        columns={"cost": [2.0] * 20 + [1.0] * 20},
    )  # fmt: skip
    found = hl.compare(table)["a", "b"]
    assert found.p == pytest.approx(2 * (1 / 1.5) ** 20)
    assert 0 < found.low < 0.5 < found.high <= 1
    said = " ".join(hl.compare(table, "cost_per_attempt").summary.split())
    assert ": inconclusive." in said
    assert "test='permutation'" in said
    assert hl.compare(table, test="permutation")["a", "b"].p < 0.001
