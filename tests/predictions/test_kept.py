"""Kept columns: they go wherever the rows go, and come back as they were."""

import numpy as np
import pytest

import heliast as hl

P = hl.Predictions


def _table(**more: object) -> hl.Predictions:
    columns = {
        "region": ["north", None, "south", "north"],
        "age": [1.5, 2, None, 4],
        "count": [1, 2, 3, 4],
        "new": [True, False, None, True],
        "group": ["x", "x", "y", "y"],
    }
    given = {"row": [0, 1, 2, 3], "group": [5, 5, 6, 6], "columns": columns, **more}
    return P.of(["a", "b", "a", "b"], ["a", "a", "b", "b"], **given)


def _values(table: hl.Predictions, name: str) -> list[object]:
    return table.columns[name].plain().tolist()


def test_columns_are_text_or_numbers_and_what_is_missing_is_said() -> None:
    table = _table()
    assert _values(table, "region") == ["north", None, "south", "north"]
    assert _values(table, "new") == ["true", "false", None, "true"]
    assert _values(table, "count") == [1, 2, 3, 4]
    age = table.columns["age"].plain()
    assert np.isnan(age[2])
    assert age[[0, 1, 3]].tolist() == [1.5, 2.0, 4.0]
    assert any("'region' is missing in 1 row (row 1" in note for note in table.notes)


@pytest.mark.parametrize("ending", ["csv", "csv.gz", "parquet"])
def test_files_give_them_back(ending: str, tmp_path) -> None:
    table = _table()
    path = table.write(tmp_path / f"kept.{ending}")
    again = P.read(path, keep=[*table.columns])
    for name in table.columns:
        assert repr(_values(again, name)) == repr(_values(table, name))
    assert again.group.tolist() == table.group.tolist()
    if ending == "parquet":
        assert P.read(path).equals(table)
        assert [*P.read(path, positive="a").columns] == [*table.columns]


def test_only_and_where_take_them_along() -> None:
    table = _table()
    part = table.where(np.array([False, True, True, False]))
    assert _values(part, "region") == [None, "south"]
    assert part.columns["region"].missing.tolist() == [0]
    two = P.of([0, 1, 0, 1], [0, 0, 1, 1], model=["m", "n", "m", "n"], columns={"k": [1, 2, 3, 4]})
    assert _values(two.only("n"), "k") == [2, 4]
    split = P.of([0, 1, 0], [0, 0, 1], split=["v", "w", "v"], columns={"k": [1, 2, 3]})
    assert [_values(part, "k") for _, part in split.per_split("model")] == [[1, 3], [2]]


def test_joined_tables_share_them_by_row() -> None:
    one = _table(group=None)
    other = P.of(
        ["b", "a", "b", "a"], ["a"] * 4, row=[3, 2, 1, 0], model="other", classes=["a", "b"]
    )
    for joined in (one.join(other), other.join(one)):
        assert _values(joined.only("other"), "region") == ["north", "south", None, "north"]
        assert _values(joined.only("other"), "count") == [4, 3, 2, 1]
        assert _values(joined.only("model"), "count") == [1, 2, 3, 4]


def test_by_position_and_with_rows_of_one_table_only() -> None:
    one = P.of([0, 1, 0], [0, 1, 1], model="one", columns={"k": ["p", "q", "p"]})
    other = P.of([0, 1, 0], [0, 1, 1], model="other")
    assert _values(other.join(one).only("other"), "k") == ["p", "q", "p"]
    named = P.of([0, 1], [0, 1], model="named", row=[7, 8], columns={"k": ["p", "q"]})
    more = P.of([1, 0, 1], [0, 1, 1], model="more", row=[8, 9, 10])
    both = named.join(more, common_rows=True)
    assert _values(both.only("more"), "k") == ["q"]


def test_columns_that_disagree_are_refused() -> None:
    one = P.of([0, 1], [0, 1], model="one", row=[0, 1], columns={"k": ["p", "q"]})
    other = P.of([0, 1], [0, 1], model="other", row=[0, 1], columns={"k": ["p", "p"]})
    with pytest.raises(hl.InputError, match="row 1 has different values of 'k'"):
        one.join(other)


def test_run_and_predict_keep_inputs() -> None:
    from sklearn.naive_bayes import GaussianNB

    rng = np.random.default_rng(0)
    data = hl.Dataset.of(
        {"x": rng.normal(size=40), "size": np.arange(40.0)}, rng.integers(0, 2, 40)
    )
    table = hl.run({"bayes": GaussianNB()}, data, 4, progress=False, keep="size")
    assert table.columns["size"].plain().tolist() == table.row.tolist()
    fitted = GaussianNB().fit(data.rows(np.arange(40)), data.y)
    assert _values(hl.predict(fitted, data, keep=["size"]), "size") == list(range(40))
    with pytest.raises(hl.InputError, match="no input named 'colour'"):
        hl.run({"bayes": GaussianNB()}, data, 4, progress=False, keep="colour")


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"k": [1, 2]}, "y_true has 4 rows but the column 'k' has 2"),
        ({"k": [[1], [2, 3], [4], [5]]}, "column 'k'"),
        ({3: [1, 2, 3, 4]}, "no name of a column"),
        ([1, 2, 3, 4], "values by the name of a column"),
        ({"k": ["a", 1, "b", 2]}, "mixes text and numbers"),
    ],
)
def test_bad_columns_are_refused(columns: object, said: str) -> None:
    with pytest.raises(hl.InputError, match=said):
        _table(columns=columns)


def test_a_column_that_is_not_there_is_refused_by_name(tmp_path) -> None:
    path = _table().write(tmp_path / "kept.csv")
    with pytest.raises(
        hl.InputError, match=r"keep='regio': there is no such column.*did you mean 'region'"
    ):
        P.read(path, keep="regio")
    stored = _table().write(tmp_path / "kept.parquet")
    with pytest.raises(hl.InputError, match="there is no column 'size', to keep"):
        P.read(stored, keep="size")
    with pytest.raises(hl.InputError, match=r"keep='region'.*--no-scan"):
        P.scan(stored, keep=["region"])
    with pytest.raises(hl.InputError, match="one true or false for each"):
        _table().where([0, 1])


def test_a_kept_column_is_no_score_and_not_the_truth(tmp_path) -> None:
    path = tmp_path / "named.csv"
    path.write_text("mood,y_pred,p_age\ngood,good,3\nbad,good,4\n")
    table = P.read(path, y_true="mood", keep="p_age")
    assert table.scores is None
    assert table.classes == ("bad", "good")
    assert _values(table, "p_age") == [3, 4]
