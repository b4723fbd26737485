"""A function of y_true and y_pred, or y_score, as a measure: peers, intervals, refusals."""

import numpy as np
import pytest
from sklearn.metrics import hamming_loss, roc_auc_score

import heliast as hl
from heliast import measures


def table(n=150, **more):
    rng = np.random.default_rng(1)
    y_true = np.where(rng.random(n) < 0.4, "ill", "well")
    score = np.clip(0.4 * (y_true == "ill") + 0.6 * rng.random(n), 0, 1)
    return hl.Predictions.of(y_true, y_score=score, positive="ill", scores="probability", **more)


def gini(y_true, y_score):
    """Twice the area under the ROC curve, less 1."""
    return 2 * roc_auc_score(y_true == "ill", y_score) - 1


def test_labels_are_those_of_the_user():
    assessed = hl.assess(table(), ["error", hamming_loss])
    own, ours = assessed["model", "hamming_loss"], assessed["model", "error"]
    assert own.value == pytest.approx(ours.value)
    assert own.key.startswith("bootstrap")
    assert (own.low, own.high) == pytest.approx((ours.low, ours.high), abs=0.02)


def test_scores_are_those_of_the_positive_class():
    assessed = hl.assess(table(), [gini, "auc"])
    auc = assessed["model", "auc"]
    assert assessed["model", "gini"].value == pytest.approx(2 * auc.value - 1)
    assert measures.titled("gini").meaning == "Twice the area under the ROC curve, less 1."


def test_numbers():
    def largest_error(y_true, y_pred):
        return np.abs(y_true - y_pred).max()

    numbers = hl.Predictions.of([1.0, 2.5, 4.0], [1.5, 2.5, 2.0], task="regression")
    assert measures.get(largest_error).of(numbers) == 2.0


def test_which_way_is_better_follows_from_the_name():
    assert [measures.get(f).better for f in (hamming_loss, gini)] == ["low", "high"]


def test_compared():
    good = table()
    scores = np.asarray(good.scores)
    names = np.array(good.classes)[good.y_true]
    compared = hl.compare(
        names, {"a": scores, "b": np.roll(scores, 1)}, positive="ill", measure=gini
    )
    assert compared["a", "b"].value > 0


def test_weights_are_given_or_refused():
    weights = np.arange(150) % 3 + 1
    weighted = table(weight=weights, weights="sampling")
    assert measures.get(hamming_loss).of(weighted) == measures.get("error").of(weighted)
    assert "takes no sample_weight" in hl.assess(weighted, [gini])["model", "gini"].reason


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda y: 0.0, "takes y_true and y_pred"),
        (3, "give a name, or a function"),
        (type("F", (), {"__call__": lambda self, a, b: 0.0, "__name__": "auc"})(), "rename it"),
    ],
)
def test_refusals(function, message):
    with pytest.raises(hl.InputError, match=message):
        measures.get(function)
