import numpy as np
import pytest
from sklearn.metrics import average_precision_score, roc_auc_score

from heliast import InputError, Predictions, measures
from heliast.measures.scores import precision_influence
from heliast.measures.summaries import Counted


def form(name, table, class_=None, **parameters):
    return measures.get(name, **parameters).form(Counted(table.rows()), class_)


def binary(seed=0, n=80, digits=None):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, n)
    score = rng.normal(size=n) + truth
    weight = rng.integers(1, 4, n)
    return truth, score if digits is None else score.round(digits), weight


def several(seed=1, n=120, digits=None):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, n)
    power = np.exp(rng.normal(size=(n, 3)) + np.eye(3)[truth])
    score = power / power.sum(axis=1, keepdims=True)
    if digits is not None:
        score = score.round(digits)
        score[:, 2] = 1 - score[:, 0] - score[:, 1]
        score = score.clip(0, 1)
    return truth, score


# --- AUC -------------------------------------------------------------------------------------


def test_auc_by_hand():
    table = Predictions.of([1, 1, 0, 0], y_score=[0.8, 0.3, 0.3, 0.1])
    assert measures.get("auc").of(table) == pytest.approx((2 + 1.5) / 4)


@pytest.mark.parametrize("digits", [None, 1, 0])
def test_auc_against_scikit_learn(digits):
    truth, score, weight = binary(digits=digits)
    assert measures.get("auc").of(Predictions.of(truth, y_score=score)) == pytest.approx(
        roc_auc_score(truth, score)
    )
    weighted = Predictions.of(truth, y_score=score, weight=weight)
    expected = roc_auc_score(truth, score, sample_weight=weight)
    assert measures.get("auc").of(weighted) == pytest.approx(expected)


@pytest.mark.parametrize("average", ["macro", "weighted"])
@pytest.mark.parametrize("digits", [None, 1])
def test_auc_of_several_classes_against_scikit_learn(average, digits):
    truth, score = several(digits=digits)
    expected = roc_auc_score(truth, score, multi_class="ovr", average=average)
    found = measures.get(f"auc.{average}").of(Predictions.of(truth, y_score=score))
    assert found == pytest.approx(expected)


def test_auc_of_either_class_of_two_is_the_same():
    truth, score, _ = binary()
    table = Predictions.of(truth, y_score=score)
    areas = [measures.get("auc").of(table, class_) for class_ in (0, 1)]
    assert areas[0] == pytest.approx(areas[1])


def test_a_column_per_class_of_two_is_read_by_name():
    truth = ["no", "yes", "yes", "no"]
    columns = {"yes": [0.1, 0.8, 0.6, 0.7], "no": [0.9, 0.2, 0.4, 0.3]}
    table = Predictions.of(truth, y_score=columns)
    assert measures.get("auc").of(table) == pytest.approx(3 / 4)
    decisions = {"yes": [-1.0, 3.0, 1.0, 2.0], "no": [5.0, 0.0, 1.0, 4.0]}
    table = Predictions.of(truth, y_score=decisions, scores="decision")
    assert measures.get("auc").of(table, "yes") == pytest.approx(3 / 4)
    assert measures.get("auc").of(table, "no") == pytest.approx(1)


@pytest.mark.parametrize("name", ["auc", "partial_auc"])
@pytest.mark.parametrize(
    ("truth", "reason"),
    [
        (["a", "a"], "there is no row of class 'b'"),
        (["b", "b"], "there is no row outside class 'b'"),
    ],
)
def test_one_class_has_no_area(name, truth, reason):
    found = form(name, Predictions.of(truth, y_score=[0.1, 0.9], classes=["a", "b"]))
    assert np.isnan(found.value)
    assert found.reason == reason


# --- average precision -----------------------------------------------------------------------


def test_average_precision_by_hand():
    # Recall rises at the first row (precision 1) and at the tied pair (2 of 3).
    table = Predictions.of([1, 0, 1, 0], y_score=[0.9, 0.5, 0.5, 0.1])
    found = measures.get("average_precision").of(table)
    assert found == pytest.approx(0.5 * 1 + 0.5 * 2 / 3)


@pytest.mark.parametrize("digits", [None, 0])
def test_average_precision_against_scikit_learn(digits):
    truth, score, weight = binary(3, digits=digits)
    found = measures.get("average_precision").of(Predictions.of(truth, y_score=score))
    assert found == pytest.approx(average_precision_score(truth, score))
    found = measures.get("average_precision").of(
        Predictions.of(truth, y_score=score, weight=weight)
    )
    assert found == pytest.approx(average_precision_score(truth, score, sample_weight=weight))


def test_macro_average_precision_against_scikit_learn():
    truth, score = several()
    expected = average_precision_score(np.eye(3, dtype=int)[truth], score, average="macro")
    found = measures.get("average_precision").of(Predictions.of(truth, y_score=score))
    assert found == pytest.approx(expected)


def test_average_precision_needs_a_positive():
    found = form("average_precision", Predictions.of([0, 0], y_score=[0.1, 0.9], classes=[0, 1]))
    assert np.isnan(found.value)
    assert found.reason == "there is no row of class 1"


@pytest.mark.parametrize("digits", [None, 0])
def test_influence_is_the_slope_in_the_weight_of_a_row(digits):
    truth, score, weight = binary(4, 25, digits)
    step = 1e-5

    def value(weights):
        table = Predictions.of(truth, y_score=score, weight=weights, weights="sampling")
        return measures.get("average_precision").of(table)

    influence = precision_influence(truth, score, weight.astype(float))
    assert np.average(influence, weights=weight) == pytest.approx(0, abs=1e-12)
    for i in range(25):
        bump = step * np.eye(25)[i]
        slope = (value(weight + bump) - value(weight - bump)) / (2 * step)
        assert influence[i] / weight.sum() == pytest.approx(slope, abs=1e-7)


# --- partial AUC -----------------------------------------------------------------------------


@pytest.mark.parametrize("digits", [None, 0])
@pytest.mark.parametrize("max_fpr", [0.05, 0.1, 0.33, 0.9, 1.0])
def test_partial_auc_against_scikit_learn(max_fpr, digits):
    truth, score, weight = binary(6, digits=digits)
    for weights in (None, weight):
        table = Predictions.of(truth, y_score=score, weight=weights)
        expected = roc_auc_score(truth, score, max_fpr=max_fpr, sample_weight=weights)
        assert measures.get("partial_auc", max_fpr=max_fpr).of(table) == pytest.approx(expected)


def test_partial_auc_to_the_end_is_the_auc():
    truth, score, _ = binary()
    table = Predictions.of(truth, y_score=score)
    whole = measures.get("partial_auc", max_fpr=1).of(table)
    assert whole == pytest.approx(measures.get("auc").of(table))


@pytest.mark.parametrize("max_fpr", [0, -0.1, 1.01, float("nan")])
def test_refuses_a_rate_outside_zero_and_one(max_fpr):
    table = Predictions.of([1, 0], y_score=[0.9, 0.2])
    with pytest.raises(InputError, match=f"max_fpr={max_fpr} must be above 0 and at most 1"):
        measures.get("partial_auc", max_fpr=max_fpr).of(table)


# --- Hand and Till ---------------------------------------------------------------------------


def hand_till(truth, score, weight):
    """Every pair of rows of different classes, judged by the score of the first one's class."""
    k = score.shape[1]
    areas = []
    for i in range(k):
        for j in set(range(k)) - {i}:
            won = total = 0.0
            for a in np.flatnonzero(truth == i):
                for b in np.flatnonzero(truth == j):
                    pair = weight[a] * weight[b]
                    total += pair
                    won += pair * (np.sign(score[a, i] - score[b, i]) + 1) / 2
            areas.append(won / total)
    return np.mean(areas)


@pytest.mark.parametrize("digits", [None, 1])
def test_hand_till_against_its_twin(digits):
    truth, score = several(2, 60, digits)
    weight = np.arange(60) % 3 + 1
    plain = measures.get("hand_till").of(Predictions.of(truth, y_score=score))
    assert plain == pytest.approx(hand_till(truth, score, np.ones(60)))
    weighted = measures.get("hand_till").of(Predictions.of(truth, y_score=score, weight=weight))
    assert weighted == pytest.approx(hand_till(truth, score, weight))
    assert plain == pytest.approx(roc_auc_score(truth, score, multi_class="ovo"))


def test_hand_till_of_two_classes_is_the_auc():
    truth, score, _ = binary()
    table = Predictions.of(truth, y_score=score)
    found = [measures.get(name).of(table) for name in ("hand_till", "auc")]
    assert found[0] == pytest.approx(found[1])


def test_hand_till_needs_rows_of_every_class():
    truth, score = several()
    keep = truth != 1
    table = Predictions.of(truth[keep], y_score=score[keep], classes=[0, 1, 2])
    assert form("hand_till", table).reason == "there is no row of class 1"
    table = Predictions.of(truth, y_score=score, weight=keep.astype(int))
    assert form("hand_till", table).reason == "there is no row of class 1"


# --- class counts fixed by design ------------------------------------------------------------


def test_by_design_precision_and_rest_against_many_are_undefined():
    truth, score = several()
    table = Predictions.of(truth, y_score=score, design="classes")
    for name in ("auc", "partial_auc", "average_precision"):
        assert "fixed by design" in form(name, table).reason, name
    assert np.isfinite(form("hand_till", table).value)
    truth, score, _ = binary()
    table = Predictions.of(truth, y_score=score, design="classes")
    assert np.isfinite(form("auc", table).value)
    assert "fixed by design" in form("average_precision", table).reason
