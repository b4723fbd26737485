"""Pairs of classes and the two ways to couple them."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC

import heliast as hl
from heliast import InputError, PairwiseVote
from heliast.ensembles._pairwise import hastie_tibshirani, wins


def some_pairs(k, n=25, seed=0):
    """Any pairwise probabilities: in general no p fits them."""
    upper = np.triu(np.random.default_rng(seed).random((n, k, k)), 1)
    r = upper + np.tril(1 - upper.transpose(0, 2, 1), -1)
    r[:, np.arange(k), np.arange(k)] = 0.5
    return r


def scaled(r, counts, steps=20_000):
    """Hastie and Tibshirani's own iteration, one row."""
    k = len(r)
    p = np.full(k, 1 / k)
    for _ in range(steps):
        before = p.copy()
        for i in range(k):
            others = [j for j in range(k) if j != i]
            wanted = sum(counts[i, j] * r[i, j] for j in others)
            p[i] *= wanted / sum(counts[i, j] * p[i] / (p[i] + p[j]) for j in others)
            p /= p.sum()
        if np.abs(p - before).max() < 1e-14:
            break
    return p


@pytest.mark.parametrize("k", [2, 3, 7])
def test_pairs_that_fit_are_solved_exactly(k):
    p = np.random.default_rng(k).dirichlet(np.ones(k), size=20)
    found = hastie_tibshirani(p[:, :, None] / (p[:, :, None] + p[:, None, :]))
    np.testing.assert_allclose(found, p, atol=1e-6)


def test_two_classes_are_their_one_pair():
    r = some_pairs(2)
    np.testing.assert_allclose(hastie_tibshirani(r), r[:, [0, 1], [1, 0]], atol=1e-9)


@pytest.mark.parametrize("k", [3, 6])
def test_hastie_tibshirani_at_its_fixed_point(k):
    r = some_pairs(k)
    counts = np.random.default_rng(1).integers(5, 50, (k, k))
    counts = counts + counts.T
    p = hastie_tibshirani(r, counts)
    m = p[:, :, None] / (p[:, :, None] + p[:, None, :])
    off = counts * ~np.eye(k, dtype=bool)
    np.testing.assert_allclose((off * m).sum(axis=2), (off * r).sum(axis=2), rtol=1e-8)
    np.testing.assert_allclose(p.sum(axis=1), 1)
    np.testing.assert_allclose(p[0], scaled(r[0], counts), atol=1e-9)


def test_hastie_tibshirani_ranks_as_the_mean_of_the_pairs():
    """Their theorem for equal counts: p is ordered as Σ_j r_ij."""
    r = some_pairs(5)
    order = np.argsort(r.sum(axis=2), axis=1)
    np.testing.assert_array_equal(np.argsort(hastie_tibshirani(r), axis=1), order)


def test_extreme_pairs_are_solved():
    order = np.arange(9)
    sure = np.where(order[:, None] < order, 1.0, 0.0)
    cycle = np.array([[0.5, 1, 0], [0, 0.5, 1], [1, 0, 0.5]])
    assert hastie_tibshirani(sure[None])[0].argmax() == 0
    np.testing.assert_allclose(hastie_tibshirani(cycle[None])[0], 1 / 3, atol=1e-9)


def test_wins_are_shares_of_the_pairs():
    r = some_pairs(5)
    for row, found in zip(r, wins(r), strict=True):
        won = [sum(row[i, j] > 0.5 for j in range(5) if j != i) for i in range(5)]
        np.testing.assert_allclose(found, np.array(won) / 10)


@pytest.mark.parametrize("coupling", ["hastie-tibshirani", "votes"])
def test_members_know_only_their_two_classes(blobs, coupling):
    X, y, new, _ = blobs
    vote = PairwiseVote(GaussianNB(), coupling=coupling).fit(X, y)
    r = vote.pair_probabilities(new)
    for i in range(4):
        for j in range(i + 1, 4):
            two = np.isin(y, vote.classes_[[i, j]])
            alone = GaussianNB().fit(X[two], y[two]).predict_proba(new)
            np.testing.assert_allclose(r[:, i, j], alone[:, 0], atol=1e-12)
            np.testing.assert_allclose(r[:, j, i], alone[:, 1], atol=1e-12)
    solve = wins if coupling == "votes" else hastie_tibshirani
    np.testing.assert_allclose(vote.predict_proba(new), solve(r), atol=1e-9)
    np.testing.assert_allclose(vote.votes(new), wins(r))


def test_unequal_classes_weigh_the_pairs(blobs):
    X, y, new, _ = blobs
    keep = (y != "oak") | (np.arange(160) < 30)
    vote = PairwiseVote(GaussianNB()).fit(X[keep], y[keep])
    size = np.array([(y[keep] == c).sum() for c in vote.classes_])
    expected = hastie_tibshirani(vote.pair_probabilities(new), size[:, None] + size)
    np.testing.assert_allclose(vote.predict_proba(new), expected)


def test_two_classes_are_the_base(rings):
    X, y, new, _ = rings
    vote = PairwiseVote(GaussianNB()).fit(X, y)
    np.testing.assert_allclose(
        vote.predict_proba(new), GaussianNB().fit(X, y).predict_proba(new), atol=1e-6
    )


def test_a_base_without_probabilities(blobs):
    X, y, new, truth = blobs
    vote = PairwiseVote(LinearSVC()).fit(X, y)
    assert set(np.unique(vote.pair_probabilities(new).round(9))) == {
        round(1 / 82, 9), 0.5, round(81 / 82, 9),
    }  # fmt: skip
    assert (
        abs(vote.score(new, truth) - PairwiseVote(LogisticRegression()).fit(X, y).score(new, truth))
        < 0.05
    )


def test_stages_are_tournaments_of_the_first_classes(blobs):
    X, y, new, truth = blobs
    vote = PairwiseVote(GaussianNB()).fit(X, y)
    stages = list(vote.staged_predict_proba(new))
    assert len(stages) == 3
    first = np.isin(y, vote.classes_[:3])
    np.testing.assert_allclose(
        stages[1][:, :3], PairwiseVote(GaussianNB()).fit(X[first], y[first]).predict_proba(new)
    )
    np.testing.assert_allclose(stages[2], vote.predict_proba(new))
    np.testing.assert_allclose(list(vote.staged_margins(new, truth))[2], vote.margins(new, truth))


def test_every_coupling_comes_from_one_run(blobs):
    table = hl.run(
        {"pairs": PairwiseVote(GaussianNB())}, hl.Dataset.of(*blobs[:2]), hl.KFold(3), seed=1
    )
    assert table.models[1:] == ("pairs/hastie-tibshirani", "pairs/votes")


def test_refusals(blobs):
    X, y, _, _ = blobs
    with pytest.raises(InputError, match="coupling='soft'"):
        PairwiseVote(GaussianNB(), coupling="soft").fit(X, y)
    with pytest.raises(InputError, match="1 class only, 'ash'"):
        PairwiseVote(GaussianNB()).fit(X[y == "ash"], y[y == "ash"])


def test_a_saturated_row_is_solved_to_convergence():
    """Four classes in order, every pair sure: the answer of Newton's steps with 60 digits.

    The authors' own sweeps creep there: after 100,000 of them the second class has 2.0e-5.
    """
    sure = np.triu(np.ones((4, 4)), 1) + np.eye(4) / 2
    slow = [0.9999997, 2.9999987992101066e-07, 1.1999992793680495e-13, 3.599997477156385e-20]
    np.testing.assert_allclose(hastie_tibshirani(sure[None])[0], slow, rtol=1e-6)


def test_a_class_without_weight_is_a_class_left_out() -> None:
    y = np.arange(30) % 3
    vote = PairwiseVote(LogisticRegression()).fit(y[:, None], y, sample_weight=y != 2)
    assert vote.classes_.tolist() == [0, 1]
