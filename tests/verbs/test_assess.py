"""assess: what it computes, states, refuses, and how it looks."""

import math

import numpy as np
import pytest

import heliast as hl
from heliast._core.proportions import guarded_limits


@pytest.fixture
def binary() -> hl.Predictions:
    rng = np.random.default_rng(4)
    truth = rng.random(300) < 0.4
    score = np.clip(0.4 + 0.2 * truth + rng.normal(0, 0.15, 300), 0.01, 0.99)
    return hl.Predictions.of(truth, y_score=score)


@pytest.fixture
def three() -> hl.Predictions:
    rng = np.random.default_rng(5)
    truth = rng.choice(["a", "b", "c"], 120)
    label = np.where(rng.random(120) < 0.7, truth, rng.choice(["a", "b", "c"], 120))
    return hl.Predictions.of(truth, label)


def test_every_panel_measure_comes_with_an_interval_a_method_and_a_target(
    binary: hl.Predictions,
) -> None:
    found = hl.assess(binary)
    assert {"error", "auc", "log_loss", "brier", "kappa", "f1"} <= set(found.measures)
    for one in found:
        assert one.low <= one.value <= one.high, one
        assert one.method
        assert one.target == "model"
        assert one.n_effective > 0


def test_chapter_22_1_error_of_8_in_30_with_its_wilson_interval() -> None:
    truth = ["c1"] * 10 + ["c2"] * 10 + ["c3"] * 10
    label = ["c1"] * 10 + ["c2"] * 7 + ["c3"] * 3 + ["c2"] * 5 + ["c3"] * 5
    error = hl.assess(hl.Predictions.of(truth, label))["model", "error"]
    assert error.value == 8 / 30
    limits = hl.estimates.wilson(8, 30)
    assert (error.low, error.high) == (limits.low, limits.high)
    assert error.n == 30


def test_a_class_can_be_asked_for(three: hl.Predictions) -> None:
    found = hl.assess(three)
    recall = found["model", "recall", "b"]
    mine = three.y_true == three.classes.index("b")
    assert recall.value == pytest.approx((three.y_pred[mine] == 1).mean())
    assert found["model", "recall"].value == pytest.approx(
        np.mean([found["model", "recall", class_].value for class_ in "abc"])
    )


@pytest.mark.parametrize(
    ("key", "words"),
    [
        (("other", "error"), "no model named 'other'; there are: model"),
        (("model", "auc"), "auc was left out: needs scores"),
        (("model", "recall", "z"), "no class 'z'"),
        (("model", "ece"), "ask for it with measures="),
    ],
)
def test_a_wrong_key_says_what_there_is(
    three: hl.Predictions, key: tuple[str, ...], words: str
) -> None:
    with pytest.raises(KeyError, match=words):
        hl.assess(three)[key]


def test_named_measures_only_and_parameters(binary: hl.Predictions) -> None:
    found = hl.assess(binary, [hl.measures.get("fbeta", beta=2), "ece"])
    assert found.measures == ("fbeta(beta=2)", "ece")
    assert found["model", "fbeta(beta=2)"].low < found["model", "fbeta(beta=2)"].high


def test_a_measure_that_cannot_be_computed_is_refused_when_asked_for(
    three: hl.Predictions,
) -> None:
    with pytest.raises(hl.InputError, match="measure 'auc': needs scores"):
        hl.assess(three, "auc")
    with pytest.raises(hl.InputError, match="no measure named 'erorr'; did you mean 'error'"):
        hl.assess(three, "erorr")


def test_costs_and_levels(three: hl.Predictions) -> None:
    cost = [[0, 1, 1], [2, 0, 1], [5, 5, 0]]
    found = hl.assess(three, cost=cost)
    expected = np.asarray(cost, float)[three.y_true, three.y_pred].mean()
    assert found["model", "expected_cost"].value == pytest.approx(expected)
    wide, narrow = hl.assess(three, "error", 0.99), hl.assess(three, "error", 0.8)
    assert wide["model", "error"].low < narrow["model", "error"].low
    with pytest.raises(hl.InputError, match=r"level=95.*did you mean 0.95"):
        hl.assess(three, level=95)


def test_values_alone_when_no_interval_is_wanted(binary: hl.Predictions) -> None:
    bare = hl.assess(binary, interval=None)
    full = hl.assess(binary)
    assert len(bare) == len(full)
    for one, other in zip(bare, full, strict=True):
        assert math.isnan(one.low)
        assert one.value == other.value


def test_several_models_side_by_side(binary: hl.Predictions) -> None:
    truth = binary.y_true.astype(bool)
    both = hl.Predictions.of(
        np.concatenate([truth, truth]),
        np.concatenate([binary.y_pred.astype(bool), truth]),
        model=["mine"] * 300 + ["oracle"] * 300,
    )
    found = hl.assess(both)
    assert found["oracle", "error"].value == 0
    assert found["oracle", "error"].high > 0
    assert found.summary.startswith("Best: oracle, error rate 0.0% (95% CI 0.0% to ")
    assert "adjusted for selecting the best of 2 models. Majority-class baseline" in found.summary


def test_rows_seen_in_training_are_not_assessed_unless_asked() -> None:
    table = hl.Predictions.of([0, 1, 0, 1], [0, 1, 1, 0], in_train=[1, 1, 0, 0])
    assert hl.assess(table, "error")["model", "error"].value == 1.0
    assert hl.assess(table, "error", in_train=None)["model", "error"].value == 0.5


def test_several_splits_give_the_pooled_value_and_an_interval_if_they_are_folds() -> None:
    table = hl.Predictions.of([0, 1, 0, 1], [0, 1, 1, 1], split=[0, 0, 1, 1])
    error = hl.assess(table, "error")["model", "error"]
    assert error.value == 0.25
    assert error.target == "algorithm"
    assert math.isnan(error.low)
    assert "n_train is unknown" in error.reason
    folds = hl.Predictions.of([0, 1, 0, 1], [0, 1, 1, 1], split=[0, 0, 1, 1], row=[0, 1, 2, 3])
    again = hl.assess(folds, "error")["model", "error"]
    assert again.value == error.value
    assert again.low < again.value < again.high
    assert again.n_train == 2


def test_scores_are_never_pooled_over_splits() -> None:
    # In each fold the positive is above the negative; pooled, they interleave.
    table = hl.Predictions.of(
        [0, 1, 0, 1], y_score=[0.1, 0.2, 0.8, 0.9], split=[0, 0, 1, 1], scores="decision"
    )
    assert hl.assess(table, "auc")["model", "auc"].value == 1.0


@pytest.mark.parametrize("models", [1, 2, 5])
def test_the_terminal_view_opens_with_a_sentence_and_fits_80_columns(models: int) -> None:
    rng = np.random.default_rng(0)
    n = 60
    truth = rng.choice(["<b>", "a rather long class name", "c"], n)
    table = hl.Predictions.of(
        np.tile(truth, models),
        rng.choice(np.unique(truth), n * models),
        model=np.repeat([f"a model with a very long name {m}" for m in range(models)], n),
    )
    found = hl.assess(table)
    text = str(found)
    assert max(map(len, text.splitlines())) <= 80
    assert text.replace("\n", " ").startswith(found.summary)
    assert "error" in text


def test_the_notebook_view_escapes_everything() -> None:
    nasty = "</td><script>alert(1)</script>"
    html = hl.assess(hl.Predictions.of([nasty, "b"] * 9, [nasty, "b"] * 9, model=nasty))
    assert "<script>" not in html._repr_html_()
    assert "&lt;script&gt;" in html._repr_html_()


def test_to_dict_is_json_and_to_frame_is_a_table(three: hl.Predictions) -> None:
    import json

    found = hl.assess(three)
    again = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert again["models"] == ["model"]
    assert len(again["estimates"]) == len(found)
    assert found.to_frame().num_rows == len(found)
    first = ["model", "measure", "class", "value", "low", "high", "method"]
    assert found.to_frame().column_names[:7] == first
    assert found.to_frame("pandas")["measure"].iloc[0] == "error"
    assert found.to_frame("polars").height == len(found)
    with pytest.raises(hl.InputError, match="choose 'pyarrow'"):
        found.to_frame(backend="excel")


def test_numbers_are_assessed_too() -> None:
    rng = np.random.default_rng(1)
    truth = rng.normal(10, 2, 80)
    found = hl.assess(hl.Predictions.of(truth, truth + rng.normal(0, 1, 80)))
    assert found.task == "regression"
    assert found["model", "mae"].low < found["model", "mae"].value < found["model", "mae"].high
    assert found.summary.startswith("model: mean absolute error ")


def test_nothing_to_assess_is_an_input_error() -> None:
    table = hl.Predictions.of([0, 1], [0, 1], in_train=[1, 1])
    with pytest.raises(hl.InputError, match="nothing to judge by"):
        hl.assess(table)


def test_identical_seed_identical_answer(binary: hl.Predictions) -> None:
    one, two = (hl.assess(binary, "average_precision", seed=3) for _ in range(2))
    assert one["model", "average_precision"] == two["model", "average_precision"]


def test_an_infinite_mean_over_splits_says_why() -> None:
    table = hl.Predictions.of(
        [0, 1, 0, 1], y_score=[0.1, 0.0, 0.2, 0.9], split=[0, 0, 1, 1], scores="probability"
    )
    found = hl.assess(table, "log_loss")["model", "log_loss"]
    assert math.isinf(found.value)
    assert "probability 0" in found.reason


def test_leave_one_out_has_no_area() -> None:
    table = hl.Predictions.of([0, 1, 0, 1], y_score=[0.1, 0.8, 0.2, 0.4], split=[0, 1, 2, 3])
    found = hl.assess(table, ["error", "auc"])
    assert found["model", "error"].value == 0.25
    assert "each split tests one row" in found["model", "auc"].reason


def test_hundreds_of_classes_take_little_room_and_classes_are_squared_and_added() -> None:
    import tracemalloc

    k, rng = 500, np.random.default_rng(3)
    truth = np.concatenate([np.arange(k), rng.integers(0, k, 20_000 - k)])
    label = np.where(rng.random(20_000) < 0.7, truth, rng.integers(0, k, 20_000))
    table = hl.Predictions.of(truth, label, task="classification")
    tracemalloc.start()
    found = hl.assess(table, ["recall", "specificity", "f1", "kappa"])
    plain = hl.assess(table, "recall", interval="mover")["model", "recall"]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 300e6  # k tables of k x k floats would be 1,000 MB
    # Recalls of different classes rest on different rows, so their distances are squared and added.
    size = np.bincount(truth)
    hits = np.bincount(truth[truth == label], minlength=k)
    limits = [hl.estimates.wilson(int(h), int(n)) for h, n in zip(hits, size, strict=True)]
    low, high = guarded_limits(hits / size, size)
    below = math.sqrt(((hits / size - low) ** 2).sum()) / k
    above = math.sqrt(((high - hits / size) ** 2).sum()) / k
    assert plain.value == pytest.approx((hits / size).mean())
    assert (plain.value - plain.low, plain.high - plain.value) == pytest.approx((below, above))
    recall = found["model", "recall"]
    half = math.sqrt(sum((one.high - one.low) ** 2 for one in limits)) / 2 / k
    assert recall.high - recall.low == pytest.approx(2 * max(half, 1.959964 * recall.se))
