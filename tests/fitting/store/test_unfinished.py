"""A table of an unfinished run says so wherever it is read, and nothing is decided on it."""

from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

import heliast as hl
from heliast.fitting.store import Store

NOTE = "unfinished: 26 of 30 cells"
MODELS = {
    "bayes": GaussianNB(),
    "knn": KNeighborsClassifier(),
    "tree": DecisionTreeClassifier(random_state=0),
}


@pytest.fixture(scope="module")
def part(tmp_path_factory: pytest.TempPathFactory) -> hl.Predictions:
    """Three models on ten folds; the tree lacks four of them."""
    folder = tmp_path_factory.mktemp("runs")
    data = load_iris(return_X_y=True)
    hl.run(MODELS, data, 10, store=folder, shortcuts=False, jobs=1, progress=False)
    store = Store.at(folder)
    tree = [batch.key for batch in store.run().batches if batch.model == "tree"]
    for key in tree[:4]:
        for path in store.files_of(key):
            path.unlink()
    return store.table()


def test_it_says_so_of_itself(part: hl.Predictions) -> None:
    assert part.unfinished == NOTE
    assert repr(part).endswith(f"{NOTE}>")
    assert part.only("tree").unfinished == part.only(split=3).unfinished == NOTE


def test_a_file_says_so_however_it_is_read(part: hl.Predictions, tmp_path: Path) -> None:
    path = part.write(tmp_path / "part.parquet")
    assert hl.Predictions.read(path).equals(part)
    read = [
        hl.Predictions.read(path, scores="decision"),
        hl.Predictions.read(path, classes=[0, 1, 2]),
        hl.Predictions.read(path, missing="drop"),
        hl.Predictions.scan(path),
        hl.Predictions.scan(str(tmp_path / "*.parquet")),
    ]
    assert [table.unfinished for table in read] == [NOTE] * len(read)


def test_csv_cannot_say_so_and_is_refused(part: hl.Predictions, tmp_path: Path) -> None:
    for name in ("part.csv", "part.tsv", "part.csv.gz"):
        with pytest.raises(hl.InputError, match=f"{NOTE}, and CSV has no place"):
            part.write(tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_assess_gives_values_but_no_interval_to_what_is_not_complete(part: hl.Predictions) -> None:
    found = hl.assess(part)
    assert NOTE in found.notes
    assert NOTE in str(found)
    for one in found.estimates:
        if one.model == "tree":
            assert np.isnan(one.low)
            assert np.isnan(one.high)
            assert NOTE in one.reason or not one.defined
    assert np.isfinite(found["bayes", "error"].low)  # complete, and so is its interval


def test_without_its_plan_no_model_is_known_to_be_complete(
    part: hl.Predictions, tmp_path: Path
) -> None:
    """With other options the file is read as any other: splits without a row are not known."""
    path = part.write(tmp_path / "part.parquet")
    found = hl.assess(hl.Predictions.read(path, scores="decision"), "error")
    assert all(np.isnan(one.low) and one.reason == NOTE for one in found.estimates)


def test_compare_leaves_out_by_name_what_is_not_complete(part: hl.Predictions) -> None:
    found = hl.compare(part)
    assert found.models == ("bayes", "knn")
    assert found.left_out == {"tree": NOTE}
    assert NOTE in found.notes
    assert NOTE in str(found)
    with pytest.raises(hl.NotEnoughData, match=NOTE):
        hl.compare(part.only(["bayes", "tree"]))


def test_a_gate_never_opens(part: hl.Predictions) -> None:
    found = hl.gate(part, ["error.high <= 0.99", "error(bayes - knn).high <= 0.99"])
    assert not found.passed
    assert found.exit_code == 3
    assert all(NOTE in ruling.reason for ruling in found.rulings)
    assert NOTE in str(found)


def test_the_report_says_so_first(part: hl.Predictions, tmp_path: Path) -> None:
    page = hl.report(part, tmp_path / "report.html").read_text(encoding="utf-8")
    assert f"This run is {NOTE}." in page
    assert "resume the run" in page


def test_curves_and_comparisons_over_data_sets_say_so(part: hl.Predictions) -> None:
    assert NOTE in hl.curves.roc(part, model="tree", class_=1, pool=True).notes
    found = hl.compare({str(at): part for at in range(6)})
    assert f"data set 0: {NOTE}" in found.notes
    assert found.left_out == {"tree": f"data set 0: {NOTE}"}


def test_a_vote_of_such_a_table_says_so(part: hl.Predictions) -> None:
    voted = hl.ensembles.majority(part.only(["bayes", "knn"]), name="vote")
    assert voted.unfinished == NOTE
