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


def test_folds_are_compared_by_corrected_t_with_one_less_than_k(folds: hl.Predictions) -> None:
    found = compare(folds)["bayes", "stump"]
    error = hl.measures.get("error")
    a, b = ([error.of(part) for _, part in folds.per_split(model)] for model in ("bayes", "stump"))
    # Folds dealt by class: the classes' own differences add what their shares would vary.
    wrong = {m: folds.only(m).y_true != folds.only(m).y_pred for m in ("bayes", "stump")}
    gap = wrong["bayes"].astype(float) - wrong["stump"]
    of_class = [gap[folds.only("bayes").y_true == c].mean() for c in range(3)]
    between = np.var(of_class) / 150
    twin = comparisons.corrected_t(a, b, 135, 15, df=9, between=between, n=150)
    within = np.var(np.subtract(a, b), ddof=1) * (1 / 20 + 1 / 9)
    assert twin.high - twin.low == pytest.approx(
        2 * t.ppf(0.975, twin.df) * np.sqrt(within + between)
    )
    assert found.value == pytest.approx(np.mean(a) - np.mean(b))
    assert (found.low, found.high, found.p) == pytest.approx((twin.low, twin.high, twin.p))
    assert 9 < found.df < 150
    assert (found.target, found.n, found.n_train) == ("algorithm", 150, 135)
    assert 1 < found.n_effective <= 150
    assert found.verdict == "better"
    assert "2 x 10 folds" in compare(folds).reason_for_test


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
    found = compare(few)["bayes", "stump"]
    assert found.df >= 5
    halves = hl.run(MODELS, iris, hl.FiveByTwo(), seed=1)
    assert compare(halves, test="five_by_two_f").pairs[0].p < 0.05
    assert compare(halves, test="five_by_two_f").pairs[0].verdict == "inconclusive"
    assert compare(halves)["bayes", "stump"].df >= 9
    once = hl.run(MODELS, iris, hl.KFold(2), seed=1)
    assert "1 degree of freedom" in " ".join(compare(once).notes)
    for plan, words in ((hl.LeaveOneOut(), "leave-one-out"), (hl.Bootstrap(5), "resamples")):
        table_ = hl.run(MODELS, iris, plan, seed=1)
        with pytest.raises(hl.InputError, match=f"{words}.*run KFold"):
            compare(table_)


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
    assert any("finds too much" in note for note in found.notes)


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
    # Six rows of 60 differ: that many vary by the rows' own variance at least.
    se = np.sqrt(wrong.var() / 60)
    assert (found.high - found.low) / 2 == pytest.approx(t.ppf(0.975, found.df) * se)


def test_folds_dealt_by_class_and_at_random_say_the_same_of_constant_rules() -> None:
    """All of the difference lies between the classes, so how they are dealt must not matter."""
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 2, 200)
    order = np.argsort(truth, kind="stable")
    dealt = np.empty(200, int)
    dealt[order] = np.arange(200) % 10
    said = []
    for split in (dealt, rng.permutation(np.arange(200) % 10)):
        tables = [
            hl.Predictions.of(
                truth, np.full(200, c), model=str(c), split=split, row=range(200), classes=[0, 1]
            )
            for c in (0, 1)
        ]
        said.append(compare(tables[0].join(tables[1])).pairs[0])
    assert said[0].p == pytest.approx(said[1].p, rel=1e-6)
    assert (said[0].low, said[0].high) == pytest.approx((said[1].low, said[1].high), rel=1e-6)
    z = said[0].value / np.sqrt((1 - said[0].value ** 2) / 200)
    assert said[0].p == pytest.approx(2 * t.sf(abs(z), said[0].df), rel=0.02)


def test_a_model_without_what_the_measure_needs_is_left_out(iris: hl.Dataset) -> None:
    from sklearn.svm import LinearSVC

    models = {**MODELS, "svm": LinearSVC(random_state=0)}
    found = compare(hl.run(models, iris, hl.KFold(3), seed=1), "brier")
    assert found.models == ("bayes", "stump")
    assert "needs probabilities" in found.left_out["svm"]
