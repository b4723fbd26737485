import numpy as np
import pytest
from sklearn.metrics import brier_score_loss, log_loss

from heliast import Predictions, measures
from heliast.measures.summaries import Counted


def form(name, table, **parameters):
    return measures.get(name, **parameters).form(Counted(table.rows()))


def binary(seed=0, n=90, digits=3):
    rng = np.random.default_rng(seed)
    score = rng.beta(1, 1, n).round(digits).clip(0.001, 0.999)
    return (rng.random(n) < score**1.5).astype(int), score, rng.integers(1, 4, n)


def several(seed=1, n=70):
    rng = np.random.default_rng(seed)
    score = rng.dirichlet([1, 1, 1, 1], n)
    return rng.integers(0, 4, n), score, rng.integers(1, 4, n)


# --- log loss and Brier score ----------------------------------------------------------------


def test_by_hand():
    table = Predictions.of(["n", "y"], y_score=[0.2, 0.6])
    assert measures.get("log_loss").of(table) == pytest.approx(-(np.log(0.8) + np.log(0.6)) / 2)
    assert measures.get("brier").of(table) == pytest.approx((0.2**2 + 0.4**2) / 2)
    table = Predictions.of(["a", "b", "c"], y_score=[[0.5, 0.3, 0.2]] * 3)
    assert measures.get("log_loss").of(table) == pytest.approx(-np.log(0.5 * 0.3 * 0.2) / 3)
    squares = [0.25 + 0.09 + 0.04, 0.25 + 0.49 + 0.04, 0.25 + 0.09 + 0.64]
    assert measures.get("brier").of(table) == pytest.approx(np.mean(squares))


@pytest.mark.parametrize("make", [binary, several])
@pytest.mark.parametrize("weighted", [False, True])
def test_against_scikit_learn(make, weighted):
    truth, score, weight = make()
    weight = weight if weighted else None
    table = Predictions.of(truth, y_score=score, weight=weight)
    expected = log_loss(truth, score, sample_weight=weight)
    assert measures.get("log_loss").of(table) == pytest.approx(expected)
    # Of two classes that of the positive one (half the sum), of more the sum over classes.
    expected = brier_score_loss(truth, score, sample_weight=weight)
    assert measures.get("brier").of(table) == pytest.approx(expected)


def test_the_positive_class_may_be_either():
    truth, score, _ = binary()
    names = np.array(["x", "y"])[truth]
    last, first = (Predictions.of(names, y_score=score, positive="y"),
                   Predictions.of(names, y_score=1 - score, positive="x"))  # fmt: skip
    for name in ("log_loss", "brier"):
        assert measures.get(name).of(last) == pytest.approx(measures.get(name).of(first))


@pytest.mark.parametrize(("score", "rows"), [([0.0, 0.1], "1 row"), ([0.0, 1.0], "2 rows")])
def test_certain_and_wrong_costs_infinity_and_says_so(score, rows):
    found = form("log_loss", Predictions.of([1, 0], y_score=score))
    assert found.value == np.inf
    assert found.reason == f"infinite: the true class was given probability 0 in {rows}"


def test_a_certain_mistake_that_weighs_nothing_costs_nothing():
    table = Predictions.of([1, 0], y_score=[0.0, 0.5], weight=[0, 3])
    assert measures.get("log_loss").of(table) == pytest.approx(np.log(2))


def test_tiny_probabilities_are_not_clipped():
    table = Predictions.of([1, 0], y_score=[1e-300, 0.0])
    assert measures.get("log_loss").of(table) == pytest.approx(300 * np.log(10) / 2)


def test_equal_losses_are_not_skewed():
    table = Predictions.of([0, 1] * 30, y_score=[0.3, 0.7] * 30)
    for name in ("log_loss", "brier"):
        found = form(name, table)
        assert found.skewness == 0, name
        assert found.variance == pytest.approx(0, abs=1e-15), name


def test_spread_of_the_losses():
    truth, score, _ = binary()
    loss = -np.log(np.where(truth == 1, score, 1 - score))
    found = form("log_loss", Predictions.of(truth, y_score=score))
    assert found.variance == pytest.approx(loss.var(ddof=1) / loss.size)
    assert found.df == loss.size - 1
    assert found.skewness == pytest.approx(np.mean((loss - loss.mean()) ** 3) / loss.std() ** 3)


def test_by_design_each_class_is_weighed_by_its_share():
    truth, score, _ = binary()
    rows = Predictions.of(truth, y_score=score, design="classes").rows()
    found = measures.get("brier").form(Counted(rows, {0: 0.8, 1: 0.2}))
    parts = [(score[truth == c] - c) ** 2 for c in (0, 1)]
    assert found.value == pytest.approx(0.8 * parts[0].mean() + 0.2 * parts[1].mean())
    variance = sum(
        w**2 * part.var(ddof=1) / part.size for w, part in zip((0.8, 0.2), parts, strict=True)
    )
    assert found.variance == pytest.approx(variance)


# --- what recalibration leaves of the Brier score --------------------------------------------


def test_recalibration_does_not_change_the_refinement():
    truth, score, _ = binary()
    squeezed = Predictions.of(truth, y_score=0.4 + 0.2 * score)
    plain = Predictions.of(truth, y_score=score)
    refinements = [measures.get("brier_refinement").of(table) for table in (squeezed, plain)]
    assert refinements[0] == pytest.approx(refinements[1])
