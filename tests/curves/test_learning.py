"""Curves over training rows and label noise, and the cost of models."""

import warnings

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import heliast as hl
from heliast import curves


@pytest.fixture(scope="module")
def varied() -> hl.Predictions:
    plan = hl.LearningCurve(hl.KFold(4), shares=(0.1, 0.5, 1.0))
    models = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}
    return hl.run(models, hl.read("sklearn:wine"), plan, seed=1, progress=False)


def test_points_are_means_over_the_splits_of_each_share(varied: hl.Predictions) -> None:
    found = curves.learning(varied, "error", model="tree")
    assert found.splits.tolist() == [4, 4, 4]
    for share, value, spread in zip((0.1, 0.5, 1.0), found.value, found.spread, strict=True):
        errors = [
            (part.y_true != part.y_pred).mean()
            for split in varied.splits
            if split.train_share == share
            for part in [varied.only("tree", split=split.split)]
        ]
        assert value == pytest.approx(np.mean(errors))
        assert spread == pytest.approx(np.std(errors, ddof=1))
    assert found.x[-1] == pytest.approx(178 * 3 / 4, abs=1)


def test_more_rows_help_and_noise_hurts() -> None:
    data = hl.read("sklearn:wine")
    tree = {"tree": DecisionTreeClassifier(random_state=0)}
    noisy = hl.run(tree, data, hl.LabelNoise(hl.KFold(4), (0.0, 0.3)), progress=False)
    found = curves.noise(noisy)
    assert found.x.tolist() == [0.0, 0.3]
    assert found.value[1] > found.value[0] + 0.05


def test_assess_reads_the_main_condition_only(varied: hl.Predictions) -> None:
    full = [split.split for split in varied.splits if split.train_share == 1.0]
    part = varied.only("nb", split=full)
    found = hl.assess(varied, "error")
    assert found["nb", "error"].value == pytest.approx((part.y_true != part.y_pred).mean())
    assert any("curves.learning" in note for note in found.notes)


def test_refusals_say_what_to_do(varied: hl.Predictions) -> None:
    with pytest.raises(hl.InputError, match="several models"):
        curves.learning(varied)
    with pytest.raises(hl.InputError, match=r"run with the plan LabelNoise"):
        curves.noise(varied, model="nb")
    with pytest.raises(hl.InputError, match="for numbers only"):
        curves.learning(varied, "mae", model="nb")
    with pytest.raises(hl.InputError, match="only tables made by run know their times"):
        curves.speed(hl.Predictions.of([0, 1], [0, 1]))


def test_speed_reads_the_cells(varied: hl.Predictions) -> None:
    found = curves.speed(varied, "tree")
    assert {round(n, -1) for n in found.n_train} == {10, 70, 130}  # folds differ by a row
    assert (found.fit_seconds > 0).all()
    assert np.nanmax(found.size) > 0


def test_the_picture_holds_every_model(varied: hl.Predictions) -> None:
    records = [curves.learning(varied, model=model) for model in varied.models]
    picture = str(hl.plots.plot(records))
    assert "Learning curve" in picture
    assert "nb: " in picture
    assert "tree: " in picture
    assert "NaN" not in picture


def test_a_single_split_has_no_spread_and_is_drawn() -> None:
    plan = hl.LearningCurve(hl.Holdout(), shares=(0.2, 1.0))
    table = hl.run({"nb": GaussianNB()}, hl.read("sklearn:wine"), plan, progress=False)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = curves.learning(table)
        assert np.isnan(found.spread).all()
        assert "nan" not in found.svg()
