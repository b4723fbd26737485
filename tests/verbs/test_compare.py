"""compare over several splits and data sets, tests by name, and what it refuses."""

import json
from typing import Any

import numpy as np
import pytest
from scipy.stats import t
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier
from tests.verbs.paired_tables import TWO, sets, table

import heliast as hl
from heliast import comparisons
from heliast.verbs.compare import compare


@pytest.fixture(scope="module")
def iris() -> hl.Dataset:
    data, target = load_iris(return_X_y=True)
    return hl.Dataset.of(data, target)


MODELS = {"bayes": GaussianNB(), "stump": DecisionTreeClassifier(max_depth=1, random_state=0)}


@pytest.fixture(scope="module")
def folds(iris: hl.Dataset) -> hl.Predictions:
    return hl.run(MODELS, iris, hl.KFold(10, repeats=2), seed=3)


# --- several splits ----------------------------------------------------------------------------


def test_folds_are_compared_by_paired_rows(folds: hl.Predictions) -> None:
    found = compare(folds)["bayes", "stump"]
    error = hl.measures.get("error")
    a, b = ([error.of(part) for _, part in folds.per_split(model)] for model in ("bayes", "stump"))
    assert found.value == pytest.approx(np.mean(a) - np.mean(b))
    assert (found.test, found.target, found.n, found.n_train) == (
        "paired_rows", "algorithm", 150, 135,
    )  # fmt: skip
    assert 1 < found.n_effective <= 150
    assert found.verdict == "better"
    assert "2 x 10 folds" in compare(folds).reason_for_test
    named = compare(folds, test="corrected_t")["bayes", "stump"]
    twin = comparisons.corrected_t(a, b, 135, 15, df=9)
    assert (named.low, named.high, named.p) == pytest.approx((twin.low, twin.high, twin.p))


@pytest.mark.parametrize("measure", ["kappa", "f1", "auc", "brier", "balanced_accuracy"])
def test_folds_take_every_measure(folds: hl.Predictions, measure: str) -> None:
    found = compare(folds, measure)["bayes", "stump"]
    assert found.low < found.value < found.high
    assert found.verdict == "better"


def test_identical_recipes_over_folds(iris: hl.Dataset) -> None:
    same = hl.run({"a": GaussianNB(), "b": GaussianNB()}, iris, hl.KFold(5), seed=1)
    found = compare(same)
    assert (found.pairs[0].p, found.pairs[0].verdict) == (1.0, "identical predictions")
    assert found.summary == "a and b make identical predictions."


def test_other_plans(iris: hl.Dataset) -> None:
    few = hl.run(MODELS, iris, hl.Subsampling(8, train=0.8), seed=1)
    found = compare(few, test="corrected_t")["bayes", "stump"]
    assert found.df == 5
    halves = hl.run(MODELS, iris, hl.FiveByTwo(), seed=1)
    assert compare(halves, test="five_by_two_f").pairs[0].p < 0.05
    assert compare(halves, test="five_by_two_f").pairs[0].verdict == "inconclusive"
    assert compare(halves, test="corrected_t")["bayes", "stump"].df == 9
    once = hl.run(MODELS, iris, hl.KFold(2), seed=1)
    assert "1 degree of freedom" in compare(once, test="corrected_t").reason_for_test
    for plan, words in ((hl.LeaveOneOut(), "leave-one-out"), (hl.Bootstrap(5), "resamples")):
        table_ = hl.run(MODELS, iris, plan, seed=1)
        with pytest.raises(hl.InputError, match=f"{words}.*run KFold"):
            compare(table_, test="corrected_t")
        assert compare(table_)["bayes", "stump"].verdict == "better"


# --- several data sets -------------------------------------------------------------------------


def test_two_models_over_data_sets_by_wilcoxon() -> None:
    tables = sets(8)
    found = compare(tables)["m0", "m1"]
    error = hl.measures.get("error")
    values = [[error.of(t.only(m)) for t in tables.values()] for m in ("m0", "m1")]
    twin = comparisons.wilcoxon(*values)
    assert (found.value, found.low, found.high, found.p) == (
        twin.value, twin.low, twin.high, twin.p,
    )  # fmt: skip
    assert (found.n, found.verdict) == (8, "better")


def test_several_models_over_data_sets() -> None:
    found = compare(sets(9, 3))
    assert found.omnibus is not None
    assert found.nemenyi is not None
    assert found.omnibus.method == "Friedman's test in the form of Iman and Davenport"
    assert found.nemenyi.critical_difference > 0
    assert found.order[0] == "m0"
    assert "critical_difference" in found.plots()
    assert [one.p for one in found] == list(comparisons.holm([one.p_alone for one in found]))
    json.dumps(found.to_dict(), allow_nan=False)


def test_data_sets_must_be_enough_and_hold_the_models() -> None:
    with pytest.raises(hl.NotEnoughData, match="5 data sets"):
        compare(sets(5))
    tables = sets(7, 3)
    tables["set 3"] = tables["set 3"].only(["m0", "m1"])
    assert compare(tables).left_out == {"m2": "data set set 3: no predictions"}
    tables["set 3"] = tables["set 3"].only("m0")
    with pytest.raises(hl.InputError, match="data set 'set 3': a comparison needs two models"):
        compare(tables)


# --- by name, refusals -------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["permutation", "bootstrap"])
def test_a_test_by_name_on_one_test_set(name: str) -> None:
    found = compare(table(TWO), test=name)["tree", "knn"]
    assert found.value == pytest.approx(0.1)
    assert found.p < 0.01
    assert found.method.startswith(name)


def test_paired_t_by_name_says_what_is_wrong_with_it(folds: hl.Predictions) -> None:
    found = compare(folds, test="paired_t")
    assert found.pairs[0].method == "paired t"
    assert any("30 to 50% of true nulls" in note for note in found.notes)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"test": "corrected_t"}, "several splits of one data set, but here is one test set"),
        ({"test": "wilcoxon"}, "is for several data sets"),
        ({"test": "cochran_q"}, "omnibus"),
        ({"test": "bayes_correlated_t"}, "is for several splits of one data set"),
        ({"test": "bayes"}, "several splits of one data set or several data sets"),
        ({"test": "bayes", "measure": "mcc"}, "needs margin="),
        ({"test": "guess"}, "is not known"),
        ({"test": "delong_paired"}, "compares the auc"),
        ({"measure": "kappa", "test": "mcnemar"}, "error or accuracy"),
        ({"measure": "kappa", "test": "permutation"}, "mean of row losses"),
        ({"measure": "errr"}, "did you mean 'error'"),
        ({"level": 95}, "level"),
        ({"margin": -1}, "margin"),
        ({"correction": "sidak"}, "choose 'holm' or 'none'"),
    ],
)
def test_what_cannot_be_done_is_refused_with_a_reason(options: dict[str, Any], words: str) -> None:
    with pytest.raises(hl.InputError, match=words):
        compare(table(TWO), **options)


def test_tables_that_cannot_be_compared() -> None:
    with pytest.raises(hl.InputError, match="needs two models"):
        compare(table(TWO).only("tree"))
    with pytest.raises(hl.InputError, match="only y_true is given"):
        compare([1, 2])
    with pytest.raises(hl.InputError, match="measure 'auc': needs scores"):
        compare(table(TWO), "auc")
    apart = hl.Predictions.of(
        ["a", "b", "b", "a"], ["a", "b", "a", "a"], model=["x", "x", "y", "y"]
    )
    with pytest.raises(hl.InputError, match="do not pair"):
        compare(apart)


def test_a_difference_that_never_varies_over_folds_varies_over_rows() -> None:
    truth = np.array([0, 1] * 30)
    wrong = np.tile([True] + [False] * 9, 6)
    split, row = np.repeat(np.arange(6), 10), range(60)
    right = hl.Predictions.of(truth, truth, model="right", split=split, row=row)
    other = hl.Predictions.of(
        truth, np.where(wrong, 1 - truth, truth), model="other", split=split, row=row
    )
    found = compare(right.join(other)).pairs[0]
    # Six rows of 60 differ, with the variance of rows times 1.7 for shared training rows.
    se = np.sqrt(1.7 * wrong.var() / 60)
    half = t.ppf(0.975, found.df) * se
    assert half < (found.high - found.low) / 2 < 1.2 * half


def test_a_model_without_what_the_measure_needs_is_left_out(iris: hl.Dataset) -> None:
    from sklearn.svm import LinearSVC

    models = {**MODELS, "svm": LinearSVC(random_state=0)}
    found = compare(hl.run(models, iris, hl.KFold(3), seed=1), "brier")
    assert found.models == ("bayes", "stump")
    assert "needs probabilities" in found.left_out["svm"]
