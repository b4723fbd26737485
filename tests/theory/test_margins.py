"""Margins, edges and what is proved of them: by hand, slow twins, bounds that must hold."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.theory import naive

import heliast as hl
from heliast.theory import (
    edge,
    margin_bound,
    margins,
    schapire_bound,
    simple_margin_bound,
    staged_margins,
)


def approx(value):
    return pytest.approx(value, abs=1e-12)


def test_thesis_4_1_1():
    votes = [[50, 30, 20]] * 3
    found = margins(["1", "2", "3"], votes=votes)
    assert found.value.tolist() == [approx(0.2), approx(-0.2), approx(-0.3)]
    members = [["1"] * 50 + ["2"] * 30 + ["3"] * 20] * 3
    assert margins(["1", "2", "3"], members).value.tolist() == [
        approx(0.2),
        approx(-0.2),
        approx(-0.3),
    ]
    assert found.error == approx(2 / 3)


@st.composite
def votings(draw):
    k, n, B = draw(st.integers(2, 4)), draw(st.integers(1, 6)), draw(st.integers(1, 8))
    label = draw(
        st.lists(st.lists(st.integers(0, k - 1), min_size=B, max_size=B), min_size=n, max_size=n)
    )
    truth = draw(st.lists(st.integers(0, k - 1), min_size=n, max_size=n))
    weights = draw(st.lists(st.integers(0, 5), min_size=B, max_size=B).filter(any))
    return k, np.array(label), truth, [one / 4 for one in weights]


@given(votings())
def test_margins_and_edges_are_their_twins(voting):
    k, label, truth, weights = voting
    classes = list(range(k))
    found = margins(truth, label, weights, classes=classes)
    edges = edge(truth, label, weights, classes=classes)
    for i, row in enumerate(label.tolist()):
        assert found.value[i] == approx(naive.margin(row, weights, truth[i], classes))
        wrong = sum(w for v, w in zip(row, weights, strict=True) if v != truth[i])
        assert edges.value[i] == approx(wrong / sum(weights))
    if k == 2:
        assert found.value == approx(1 - 2 * edges.value)
    assert (found.value >= 1 - 2 * edges.value - 1e-12).all()
    staged = staged_margins(truth, label, np.add(weights, 0.25), classes=classes)
    for b in range(label.shape[1]):
        part = margins(truth, label[:, : b + 1], np.add(weights, 0.25)[: b + 1], classes=classes)
        assert staged[b] == approx(part.value)


def test_a_margin_above_0_is_a_right_vote():
    rng = np.random.default_rng(0)
    label, truth = rng.integers(0, 3, (500, 25)), rng.integers(0, 3, 500)
    found = margins(truth, label, classes=[0, 1, 2])
    votes = np.stack([(label == c).sum(axis=1) for c in range(3)], axis=1)
    alone = (votes == votes.max(axis=1, keepdims=True)).sum(axis=1) == 1
    right = alone & (votes.argmax(axis=1) == truth)
    assert ((found.value > 0) == right).all()
    assert found.at_most([-1.0, 0.0, 1.0]).tolist() == [
        (found.value == -1).mean(),
        approx(found.error),
        1.0,
    ]


def test_from_a_table_of_votes():
    truth, votes = ["a", "b", "a"], [[7.0, 3.0], [5.0, 5.0], [1.0, 9.0]]
    table = hl.Predictions.of(truth, y_score=votes, scores="votes", model="bag")
    found = margins(table)
    assert found.value.tolist() == [approx(0.4), 0.0, approx(-0.8)]
    assert (found.model, found.ties) == ("bag", 1)
    assert "2 rows at most 0" not in repr(found)
    unsure = hl.Predictions.of(truth, y_score=np.array(votes) / 10, scores="probability")
    assert "read as shares" in margins(unsure).notes[0]
    with pytest.raises(hl.InputError, match="margins need votes"):
        margins(hl.Predictions.of(truth, y_score=votes, scores="decision"))
    with pytest.raises(hl.InputError, match="margins need votes"):
        margins(hl.Predictions.of(truth, truth))


def test_from_a_table_of_members():
    truth, rows = ["a", "b", "a", "b"], [3, 1, 2, 0]
    said = {"m/1": ["a", "a", "a", "b"], "m/2": ["a", "b", "b", "b"], "m/3": ["b", "b", "b", "b"]}
    table = None
    for name, labels in said.items():
        one = hl.Predictions.of(truth, labels, model=name, row=rows)
        table = one if table is None else table.join(one)
    found = margins(table, members=list(said), weights=[2, 1, 1])
    order = np.argsort(rows)
    expected = [
        naive.margin([said[m][i] for m in said], [2, 1, 1], truth[i], ["a", "b"]) for i in order
    ]
    assert found.value == approx(np.array(expected))
    assert found.row.tolist() == [0, 1, 2, 3]


def test_training_and_test_rows_apart():
    from sklearn.ensemble import RandomForestClassifier

    forest = {"forest": RandomForestClassifier(10, random_state=0)}
    table = hl.run(forest, hl.read("sklearn:iris"), 3, in_sample=True, progress=False)
    train, test = margins(table, seen="train"), margins(table)
    assert (train.n, test.n) == (300, 150)
    assert train.mean > test.mean
    assert margins(table, seen="all").n == 450
    with pytest.raises(hl.InputError, match="choose 'test', 'train' or 'all'"):
        margins(table, seen=0)


def test_refusals():
    for options, words in (
        ({}, "give members="),
        ({"members": [[0, 1]]}, "one column a member"),
        ({"members": [[0], [1]], "weights": [-1]}, "not negative"),
        ({"members": [[0], [1]], "weights": [1, 2]}, "give one a member"),
        ({"votes": [[1, 2, 3]] * 2}, "give classes="),
        ({"votes": [[0, 0]] * 2}, "some cast at every row"),
    ):
        with pytest.raises(hl.InputError, match=words):
            margins([0, 1], **options)


def test_views():
    found = margins([0, 1, 1], votes=[[3, 1], [2, 2], [0, 4]])
    assert json.loads(json.dumps(found.to_dict()))["value"] == [0.5, 0.0, 1.0]
    assert "66.7%" not in repr(found)
    assert "33.3% at most 0" in repr(found)
    assert found.svg().startswith("<svg")
    edges = edge([0, 1, 1], votes=[[3, 1], [2, 2], [0, 4]])
    assert (edges.top, edges.ties) == (0.5, 1)
    assert "Edges of the votes" in edges.svg()
    with pytest.raises(hl.InputError, match="not both"):
        hl.plots.plot([found, edges])


# --- bounds ---------------------------------------------------------------------------------------


def boosted(rng, n, rounds, alphas=None, start=None):
    """AdaBoost's weights on random answers: errors, alphas and signs (rounds x rows)."""
    weight = np.full(n, 1 / n)
    errors, used, signs = [], [], []
    for t in range(rounds):
        skill = rng.uniform(0.5, 0.9, n)
        sign = np.where(rng.random(n) < skill, 1, -1)
        error = weight[sign < 0].sum()
        if error >= 0.5:
            sign, error = -sign, 1 - error
        alpha = np.log((1 - error) / error) / 2 if alphas is None else alphas[t]
        weight = weight * np.exp(-alpha * sign)
        weight /= weight.sum()
        errors.append(error)
        used.append(alpha)
        signs.append(sign)
        if start is not None and t + 1 in start:
            weight = np.full(n, 1 / n)
    return np.array(errors), np.array(used), np.array(signs)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("own", [False, True])
@pytest.mark.parametrize("resets", [(), (4, 9)])
def test_the_margin_bound_holds(seed, own, resets):
    rng = np.random.default_rng(seed)
    alphas = rng.uniform(0.1, 0.6, 15) if own else None
    errors, used, signs = boosted(rng, 80, 15, alphas, resets)
    margin = used @ signs / used.sum()
    for theta in np.linspace(-0.5, 1, 31):
        bound = margin_bound(errors, theta, alphas=alphas, resets=resets)
        assert (margin <= theta).mean() <= bound.raw + 1e-12
        assert bound.value == min(1, bound.raw)


def test_the_bound_is_theorem_10():
    errors = np.array([0.1, 0.25, 0.4])
    for theta in (-0.3, 0.0, 0.2):
        printed = 2**3 * np.prod(np.sqrt(errors ** (1 - theta) * (1 - errors) ** (1 + theta)))
        assert margin_bound(errors, theta).raw == approx(printed)
    assert margin_bound([0.3] * 8, 0.1).raw == approx(simple_margin_bound(0.2, 8, 0.1).raw)
    # Errors below 1/2 - gamma can only lower it (theta below gamma).
    assert margin_bound([0.3, 0.1, 0.2], 0.1).raw <= simple_margin_bound(0.2, 3, 0.1).raw


@pytest.mark.parametrize("gamma", [0.05, 0.2, 0.4])
def test_the_simple_bound_falls_if_theta_is_below_gamma(gamma):
    for theta in np.linspace(-0.5, gamma - 1e-6, 20):
        assert (
            simple_margin_bound(gamma, 2, theta).raw < simple_margin_bound(gamma, 1, theta).raw < 1
        )


def test_perfect_rounds_and_refusals():
    assert margin_bound([0.2, 0.0], 0.9).value == 0
    assert not margin_bound([0.5, 0.5], 0.0).informative
    for wrong in ([0.6], [], [[0.1]], [-0.1]):
        with pytest.raises(hl.InputError, match="errors"):
            margin_bound(wrong)
    with pytest.raises(hl.InputError, match="resets"):
        margin_bound([0.1, 0.2], resets=[5])
    with pytest.raises(hl.InputError, match="gamma"):
        simple_margin_bound(0.0, 3)


def test_schapires_bound_is_loose_and_says_so():
    margin = np.full(1000, 0.9)
    found = schapire_bound(margin, 0.5, log_hypotheses=np.log(1000), classes=2)
    more = np.sqrt((np.log(2000) * np.log(1000) / 0.25 + np.log(20)) / 1000)
    assert found.raw == approx(more)
    assert "loose" in found.notes[0]
    scaled = schapire_bound(margin, 0.5, log_hypotheses=np.log(1000), classes=2, constant=2)
    assert scaled.raw == approx(2 * more)
    with pytest.raises(hl.InputError, match="theta"):
        schapire_bound(margin, 0.0, log_hypotheses=1, classes=2)
