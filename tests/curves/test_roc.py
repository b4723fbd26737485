import json

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score, roc_curve
from tests.curves import naive
from tests.curves.conftest import tied

from heliast import InputError, Predictions
from heliast.curves import roc

# --- worked by hand ---------------------------------------------------------------------------


def test_example_22_4(chapter):
    found = roc(chapter)
    assert (found.positives, found.negatives) == (10, 20)
    # Printed 0.775; the rounded scores tie at 0.55 across classes, which counts half a pair more.
    assert found.auc == pytest.approx(0.7775)
    point = found.at(0.71)
    assert (point.tp, point.fp, point.tpr, point.fpr) == (4, 2, 0.4, 0.1)
    # The printed (3, 2) is the rule `score > 0.71`: the next threshold up.
    above = found.at(np.nextafter(0.71, 1))
    assert (above.tp, above.fp) == (3, 2)


def test_example_22_4_without_the_tie(chapter):
    score = chapter.scores.copy()
    score[11] += 0.001  # the c2 of the two rows at 0.55, first in the table
    untied = Predictions.of(
        [chapter.classes[code] for code in chapter.y_true], y_score=score, positive="c1"
    )
    assert roc(untied).auc == pytest.approx(0.775)


def test_example_22_5():
    truth = ["c1", "c2", "c1", "c1", "c2"]
    found = roc(Predictions.of(truth, y_score=[0.9, 0.8, 0.8, 0.8, 0.1], positive="c1"))
    assert found.threshold.tolist() == [np.inf, 0.9, 0.8, 0.1]
    assert found.fp.tolist() == [0, 0, 1, 2]
    assert found.tp.tolist() == [0, 1, 3, 3]
    assert found.auc == pytest.approx(0.833, abs=5e-4)
    running = np.cumsum(np.diff(found.fpr) * (found.tpr[1:] + found.tpr[:-1]) / 2)
    assert running == pytest.approx([0, 1 / 3, 5 / 6])


def test_example_22_6_random_diagonal():
    # One score for all: the only step is the diagonal.
    found = roc(Predictions.of([0, 1, 0, 1], y_score=[0.5] * 4))
    assert found.fpr.tolist() == found.tpr.tolist() == [0, 1]
    assert found.auc == 0.5
    assert found.inverted is None
    rng = np.random.default_rng(0)
    guess = roc(Predictions.of(rng.integers(0, 2, 20_000), y_score=rng.random(20_000)))
    assert np.abs(guess.fpr - guess.tpr).max() < 0.03


def test_exercise_q5():
    truth = [1, -1, 1, 1, -1, 1, -1, 1, -1, -1]
    score = [0.53, 0.86, 0.25, 0.95, 0.87, 0.86, 0.76, 0.94, 0.44, 0.86]
    found = roc(Predictions.of(truth, y_score=score, positive=1))
    assert found.fpr == pytest.approx([0, 0, 0, 0.2, 0.6, 0.8, 0.8, 1, 1])
    assert found.tpr == pytest.approx([0, 0.2, 0.4, 0.4, 0.6, 0.6, 0.8, 0.8, 1])
    assert found.auc == pytest.approx(0.56)


# --- oracles and twins ------------------------------------------------------------------------


@pytest.mark.parametrize("weighted", [False, True])
def test_scikit_learn(ties, weighted):
    truth, score, weight = ties
    weight = weight if weighted else None
    found = roc(Predictions.of(truth, y_score=score, weight=weight, weights="frequency"))
    fpr, tpr, threshold = roc_curve(truth, score, sample_weight=weight, drop_intermediate=False)
    assert found.fpr == pytest.approx(fpr)
    assert found.tpr == pytest.approx(tpr)
    assert np.array_equal(found.threshold, threshold)
    assert found.auc == pytest.approx(roc_auc_score(truth, score, sample_weight=weight))
    assert found.auc == pytest.approx(np.trapezoid(found.tpr, found.fpr))


@given(st.data())
def test_hull_and_best(data):
    n = data.draw(st.integers(2, 14))
    truth = np.array(data.draw(st.lists(st.integers(0, 1), min_size=n, max_size=n)))
    score = np.array(data.draw(st.lists(st.integers(0, 6), min_size=n, max_size=n)), float)
    assume(0 < truth.sum() < n)
    found = roc(Predictions.of(truth, y_score=score, scores="decision"))
    corners = list(zip(found.fp[found.hull].tolist(), found.tp[found.hull].tolist(), strict=True))
    assert corners == naive.upper_hull(found.fp, found.tp)
    assert found.hull_auc >= found.auc - 1e-12
    cost = np.array(data.draw(st.lists(st.integers(0, 9), min_size=4, max_size=4))).reshape(2, 2)
    share = data.draw(st.sampled_from([0.1, 0.5, 0.8]))
    assume(cost[0, 1] > cost[0, 0] or cost[1, 0] > cost[1, 1])
    best = found.best(cost, share)
    totals = naive.cheapest(truth, score, cost, share)
    assert best.cost == pytest.approx(min(totals.values()))
    assert totals[best.threshold] == pytest.approx(best.cost)
    youden = found.youden()
    assert youden.tpr - youden.fpr == pytest.approx((found.tpr - found.fpr).max())


def test_best_touches_the_hull(ties):
    truth, score, _ = ties
    found = roc(Predictions.of(truth, y_score=score))
    cost, share = [[0, 3], [5, 0]], 0.2
    best = found.best(cost, share)
    assert best.slope == pytest.approx(3 * 0.8 / (5 * 0.2))
    # No point lies above the iso-cost line through the best one.
    above = found.tpr - best.tpr - best.slope * (found.fpr - best.fpr)
    assert above.max() <= 1e-12
    assert found.slope() == pytest.approx(found.negatives / found.positives)
    # The error-free costs and names of a mapping give the same answer.
    assert found.best({(0, 1): 3, (1, 0): 5}, share).threshold == best.threshold


def test_one_sided_costs():
    found = roc(Predictions.of([1, 0, 1, 0], y_score=[0.9, 0.8, 0.4, 0.1]))
    assert found.best([[0, 1], [0, 0]]).tp == 0  # misses are free: never say positive...
    assert found.best([[0, 0], [1, 0]]).tpr == 1  # ...false alarms are: find all
    with pytest.raises(InputError, match="no threshold is best"):
        found.best([[0, 0], [0, 0]])


# --- invariances ------------------------------------------------------------------------------


def test_weights_are_counts(ties):
    truth, score, weight = ties
    whole = roc(Predictions.of(np.repeat(truth, weight), y_score=np.repeat(score, weight)))
    found = roc(Predictions.of(truth, y_score=score, weight=weight, weights="frequency"))
    assert np.array_equal(whole.tp, found.tp)
    assert np.array_equal(whole.hull, found.hull)
    assert whole.auc == pytest.approx(found.auc)
    assert whole.effective == found.effective
    sampled = roc(Predictions.of(truth, y_score=score, weight=weight, weights="sampling"))
    inside = weight[truth == 1]
    assert sampled.effective[0] == pytest.approx(inside.sum() ** 2 / (inside**2).sum())


@pytest.mark.parametrize("n", [300, 60_000])
def test_inverted(n):
    truth, score, _ = tied(n, digits=9)
    good, bad = (roc(Predictions.of(truth, y_score=s)) for s in (score, -score))
    assert "inverted" in repr(bad)
    turned = bad.inverted
    assert turned.auc == pytest.approx(good.auc)
    assert turned.hull_auc == pytest.approx(good.hull_auc)
    assert turned.best().cost == pytest.approx(good.best().cost)
    assert turned.rule == "-score >= threshold"
    for place in range(0, turned.threshold.size, 97):
        called = score >= turned.threshold[place]  # minus the score of `bad` is `score`
        assert called[truth == 1].sum() == turned.tp[place]


def test_any_class_against_the_rest():
    rng = np.random.default_rng(1)
    truth = np.array(list("abc"))[rng.integers(0, 3, 90)]
    score = rng.dirichlet([1, 1, 1], 90)
    table = Predictions.of(truth, y_score=score, classes=list("abc"))
    for code, name in enumerate("abc"):
        found = roc(table, name)
        assert found.auc == pytest.approx(roc_auc_score(truth == name, score[:, code]))
        assert found.pair == ("rest", name)
        assert found.best({("rest", name): 1, (name, "rest"): 2}).slope == pytest.approx(
            found.negatives / (2 * found.positives)
        )


def test_record(chapter):
    found = roc(chapter)
    held = json.loads(json.dumps(found.to_dict()))
    assert held["threshold"][0] is None
    assert held["fpr"][-1] == held["tpr"][-1] == 1
    assert held["model"] == "bayes"
    assert repr(found) == (
        "<Roc of 'bayes', class 'c1': AUC 0.7775; 10 positives, 20 negatives; 30 points; "
        "score >= threshold>"
    )
    with pytest.raises(AttributeError):
        found.auc = 1.0
    assert found.at(np.inf).tp == 0
    assert found.at(-1).fp == 20


# --- thinning ---------------------------------------------------------------------------------


@pytest.mark.parametrize("share", [0.5, 0.001])
def test_thinning_moves_no_vertex_by_a_pixel(share):
    truth, score, _ = tied(1_000_000, digits=12, share=share)
    table = Predictions.of(truth, y_score=score)
    thinned, whole = roc(table), roc(table, thin=False)
    assert whole.threshold.size > 990_000
    assert thinned.threshold.size <= 4098 + thinned.hull.size
    far = naive.far_from(
        np.column_stack([whole.fpr, whole.tpr]), np.column_stack([thinned.fpr, thinned.tpr])
    )
    assert far.max() <= 1 / 2048
    for name in ("auc", "hull_auc"):
        assert getattr(thinned, name) == getattr(whole, name)
    assert thinned.best([[0, 1], [7, 0]]) == whole.best([[0, 1], [7, 0]])
    assert thinned.youden() == whole.youden()


# --- undefined --------------------------------------------------------------------------------


def test_designed_class_counts_need_a_prevalence():
    table = Predictions.of([1, 0, 1, 0], y_score=[0.9, 0.8, 0.4, 0.1], design="classes")
    found = roc(table)
    assert found.auc == 0.75
    with pytest.raises(InputError, match="prevalence="):
        found.best()
    assert found.best(prevalence=0.5).cost == pytest.approx(0.25)
    with pytest.raises(InputError, match=r"did you mean 0\.3"):
        found.best(prevalence=30)
