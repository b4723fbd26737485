"""regions: every place of the grid has the class that the fitted model itself gives it."""

import subprocess
import sys

import numpy as np
import pytest
from sklearn.compose import make_column_transformer
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import heliast as hl
from heliast.data import simulate
from heliast.views.plots import plot

RNG = np.random.default_rng(0)
ROWS = RNG.normal(size=(90, 2)) + np.repeat([[0, 0], [2, 0], [1, 2]], 30, axis=0)
CLASS = np.repeat(["a", "b", "c"], 30)


def grid_of(record):
    return np.column_stack([one.ravel() for one in np.meshgrid(record.x, record.y)])


@pytest.mark.parametrize(
    "model", [GaussianNB(), KNeighborsClassifier(3), hl.Tree(), hl.FullBayes(), SVC()]
)
def test_the_grid_is_the_model(model):
    (found,) = hl.regions(model, (ROWS, CLASS), grid=25)
    asked = model.fit(ROWS, CLASS)
    codes = np.searchsorted(["a", "b", "c"], asked.predict(grid_of(found)))
    np.testing.assert_array_equal(found.y_pred.ravel(), codes)
    wrong = int((asked.predict(ROWS) != CLASS).sum())
    assert found.words == f"{wrong} of 90 training rows"
    again = hl.regions(asked, (ROWS, CLASS), fitted=True, grid=25)[0]
    np.testing.assert_array_equal(again.y_pred, found.y_pred)
    assert again.words == f"{wrong} of 90 rows"  # whether they are new is not known


def test_the_grid_reaches_beyond_the_data():
    (found,) = hl.regions(GaussianNB(), (ROWS, CLASS), grid=25)
    for axis, values in zip((found.x, found.y), ROWS.T, strict=True):
        assert axis[0] < values.min() < values.max() < axis[-1]


def test_held_out_rows():
    """Chapter, example 22.1: trained on 120 of Iris, 30 rows are tested."""
    data = hl.Dataset.of(ROWS, CLASS)
    plan = hl.Holdout(0.8)
    (found,) = hl.regions({"qda": QuadraticDiscriminantAnalysis()}, data, plan, seed=4, grid=25)
    train = plan.on(data, 4).pieces[0].train
    assert np.flatnonzero(found.in_train).tolist() == sorted(train.tolist())
    model = QuadraticDiscriminantAnalysis().fit(ROWS[train], CLASS[train])
    wrong = (model.predict(ROWS) != CLASS)[~found.in_train].sum()
    assert found.words == f"{wrong} of 18 held-out rows"
    table = hl.run({"qda": QuadraticDiscriminantAnalysis()}, data, plan, 4, progress=False)
    assert hl.assess(table)["qda", "error"].value == pytest.approx(wrong / 18)


def test_several_fits_decide_by_majority():
    """Chapter, figures 22.7 and 22.8: a border for each of 10 bootstrap samples, and their vote."""
    data = simulate.two_gaussians(0.2).sample([40, 40], seed=1)
    (found,) = hl.regions({"bayes": GaussianNB()}, data, hl.Bootstrap(10), grid=25)
    assert found.fits.shape == (10, 25, 25)
    assert len(found.fit_borders) == 10
    ones = (found.fits == 1).sum(axis=0)
    np.testing.assert_array_equal(found.y_pred, (ones > 5).astype(int))
    piece = hl.Bootstrap(10).on(data, 0).pieces[0]
    model = GaussianNB().fit(data.matrix[piece.train], data.y_true[piece.train])
    np.testing.assert_array_equal(found.fits[0].ravel(), model.predict(grid_of(found)))


def test_stages_of_a_vote_are_models():
    """Chapter, figure 22.8b: the border of the vote for different numbers of members."""
    vote = hl.BaggedVote(hl.Tree(), 5, random_state=0)
    found = hl.regions({"bag": vote}, (ROWS, CLASS), grid=20)
    assert {"bag", "bag/hard/B=1", "bag/hard/B=5"} <= {one.model for one in found}
    assert str(plot(found)).count("<polyline") >= len(found)


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_models_that_know_columns_get_a_frame(library):
    frame = hl.Dataset.of(ROWS, CLASS, names=["u", "v"]).to_frame(library)
    model = make_pipeline(make_column_transformer((StandardScaler(), ["v", "u"])), GaussianNB())
    (found,) = hl.regions({"m": model}, hl.Dataset.of(frame, "target"), grid=20)
    plain = hl.regions({"m": GaussianNB()}, (ROWS, CLASS), grid=20)[0]
    assert (found.y_pred != plain.y_pred).mean() < 0.01
    assert found.inputs == ("u", "v")


def test_what_cannot_be_drawn_is_refused():
    with pytest.raises(hl.InputError, match="'data' has 3 inputs, 0 of them nominal"):
        hl.regions(GaussianNB(), (np.zeros((4, 3)), list("abab")))
    with pytest.raises(hl.InputError, match="has 2 inputs, 1 of them nominal"):
        hl.regions(GaussianNB(), ([[1.0, "x"], [2.0, "y"]], [0, 1]))
    with pytest.raises(hl.InputError, match="holds numbers"):
        hl.regions(GaussianNB(), hl.Dataset.of(ROWS, ROWS[:, 0], task="regression"))
    with pytest.raises(hl.InputError, match="grid=1:"):
        hl.regions(GaussianNB(), (ROWS, CLASS), grid=1)
    with pytest.raises(hl.InputError, match="leave out plan"):
        hl.regions(GaussianNB(), (ROWS, CLASS), 5, fitted=True)
    with pytest.raises(hl.InputError, match=r"no model could be fitted .*n_neighbors"):
        hl.regions(KNeighborsClassifier(500), (ROWS, CLASS), grid=20)


def test_the_report_shows_regions_and_no_rows(tmp_path):
    data = hl.Dataset.of(ROWS, CLASS)
    models = {"bayes": GaussianNB(), "tree": hl.Tree()}
    table = hl.run(models, data, 5, progress=False)
    found = hl.regions(models, data, grid=40)
    page = hl.report(table, tmp_path / "r.html", regions=found).read_text(encoding="utf-8")
    assert 'id="regions"' in page
    part = page[page.index('id="regions"') :].partition("</section>")[0]
    assert part.count("<svg") == 2
    # A mean and a sign in the legend for each class, and no more: rows are never in a report.
    assert part.count("<circle") == 2 * (2 + 1)
    assert "h0" not in part  # dots of many rows
    assert 'id="regions"' not in hl.report(table, tmp_path / "s.html").read_text(encoding="utf-8")
    with pytest.raises(hl.InputError, match="belong to one table"):
        hl.report({"a": table, "b": table}, tmp_path / "t.html", regions=found)


def test_the_command_line_draws_them_where_there_are_two_inputs(tmp_path):
    lines = [f"{u},{v},{class_}" for (u, v), class_ in zip(ROWS, CLASS, strict=True)]
    (tmp_path / "two.csv").write_text("\n".join(["u,v,class", *lines]))
    one = [line.partition(",")[2] for line in lines]
    (tmp_path / "one.csv").write_text("\n".join(["v,class", *one]))
    for name, there in (("two", True), ("one", False)):
        words = f"assess {name}.csv --target class --model bayes --plan 3 --report {name}.html"
        command = [sys.executable, "-m", "heliast.cli", *words.split()]
        subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
        page = (tmp_path / f"{name}.html").read_text(encoding="utf-8")
        assert ('id="regions"' in page) == there
