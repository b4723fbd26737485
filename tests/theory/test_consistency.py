"""Codes and decoders under a perfect base, convergence in B, and theorem 8."""

from collections import Counter
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import heliast as hl
from heliast import codes, decoders
from heliast.theory import agreement, consistency, convergence, limits, needed_members

THESIS = [[0, 1, 1], [0, 0, 0], [1, 1, 0], [1, 0, 0]]


# --- theorem 1 and 6 ------------------------------------------------------------------------------


def test_thesis_2_2_1():
    scores = decoders.l1(np.array([0.4, 0.1, 0.3, 0.2]) @ np.array(THESIS), THESIS)
    assert scores.argmax() == 2  # class 3, though class 1 has the largest posterior
    found = consistency(THESIS)
    assert found.consistent is False
    assert found.exact
    assert np.argmax(found.posterior) != found.decoded
    again = decoders.l1(np.array(found.posterior) @ np.array(THESIS), THESIS)
    assert again.argmax() == found.decoded


@given(st.integers(2, 6), st.integers(1, 12), st.integers(0, 2**32 - 1))
def test_the_search_agrees_with_theorem_1(k, columns, seed):
    code = codes.random(k, columns, seed, iid=True)
    found = consistency(code, trials=50)
    assert found.exact
    assert found.consistent == codes.is_bayes_consistent(code)
    if not found.consistent:
        q = np.array(found.posterior)
        scores = decoders.l1(q @ code, code)
        others = np.delete(scores, q.argmax())
        assert others.max() >= scores[q.argmax()] - 1e-9


@pytest.mark.parametrize("k", [3, 5, 8])
def test_consistent_codes(k):
    for code in (codes.identity(k), codes.hadamard(k), codes.exhaustive(k)):
        assert consistency(code, trials=500).consistent is True


def test_least_squares_is_consistent_if_rows_are_independent():
    assert consistency(codes.random(5, 12, 1), "regression").consistent is True
    assert codes.is_bayes_consistent(codes.random(5, 12, 1)) is False
    assert consistency(THESIS, "regression").consistent is False  # 4 classes in 3 columns


def test_other_decoders_are_searched():
    # Hard votes forget how sure the columns are.
    found = consistency(codes.hadamard(5), "hamming")
    assert found.consistent is False
    assert not found.exact
    ridge = consistency(codes.hadamard(5), "ridge", lam=2.0)
    assert ridge.consistent is True
    assert "perhaps" in consistency([[0], [1]], lambda p, _: np.c_[1 - p, p] ** 3).sentence
    with pytest.raises(hl.InputError, match="needs lam="):
        consistency(THESIS, "ridge")


def test_equal_rows_are_never_consistent():
    assert consistency([[0, 1], [0, 1], [1, 0]]).consistent is False


# --- theorems 2 to 5 ------------------------------------------------------------------------------


def test_table_2_2_under_both_exponents():
    """Rows 0.2 and 0.5 follow gap², row 0.9 follows gap, as printed."""
    columns = [10, 50, 100, 200, 1000]
    squared = {gap: codes.convergence_bound(10, gap, columns).round(3) for gap in (0.2, 0.5, 0.9)}
    plain = codes.convergence_bound(10, 0.9, columns, printed=True).round(3)
    assert squared[0.2].tolist() == [1, 1, 1, 1, 0.061]
    assert squared[0.5].tolist() == [1, 1, 0.395, 0.017, 0]
    assert plain.tolist() == [1, 0.032, 0, 0, 0]
    assert squared[0.9].tolist() == [1, 0.057, 0, 0, 0]
    smallest = codes.convergence_bound(10, 0.9, 1000, printed=True)
    assert np.log10(smallest) == pytest.approx(-48, abs=0.5)  # 'actually 10^-48'


def test_the_limit_of_a_perfect_base_is_the_posterior():
    rng = np.random.default_rng(0)
    q = rng.dirichlet(np.ones(5), 30)
    numbers = np.arange(2**5)
    code = numbers[None, :] >> np.arange(5)[:, None] & 1
    assert limits(q @ code, code) == pytest.approx(q, abs=1e-12)


def test_convergence_is_within_the_bound():
    rng = np.random.default_rng(1)
    q = rng.dirichlet(np.full(6, 0.3), 200)
    found = convergence(posteriors=q, columns=(5, 20, 80, 320), draws=40, seed=2)
    assert (found.measured <= found.bound + 3 * found.se).all()
    assert (np.diff(found.measured) < 0).all()
    assert found.gap == pytest.approx(np.sort(q, axis=1)[:, -1] - np.sort(q, axis=1)[:, -2])
    assert "Convergence over 200 rows" in repr(found)


def test_equal_scores_go_to_the_first_class_whatever_rounding_says():
    """Three columns that favour class 1 by 0.2 cancel one that favours class 0 by 0.6: a tie."""
    measured = convergence(posteriors=[[0.45, 0.35, 0.2]], columns=(10,), draws=8000).measured[0]
    every = np.array(list(product((0, 1), repeat=3)))
    answers = every @ [9, 7, 4]  # in twentieths: whole numbers tie exactly
    steps = 20 - 2 * np.abs(answers[:, None] - 20 * every)
    ways = Counter({(0, 0, 0): 1})
    for _ in range(10):
        after = Counter()
        for (sums, count), step in product(ways.items(), steps.tolist()):
            after[tuple(map(sum, zip(sums, step, strict=True)))] += count
        ways = after
    exact = sum(count for sums, count in ways.items() if np.argmax(sums)) / 8**10
    assert measured == pytest.approx(exact, abs=3 * np.sqrt(exact * (1 - exact) / 8000))


def test_the_printed_exponent_is_no_bound():
    """Two classes, columns that answer 0 or 1 and are right 55 times in 100: the gap is 0.2."""
    p = np.array([[1.0] * 110 + [0.0] * 90])
    found = convergence(p, [[1] * 200, [0] * 200], (101,), draws=2000, seed=3)
    assert found.gap == pytest.approx([0.2])
    assert found.measured[0] == pytest.approx(stats.binom.cdf(50, 101, 0.55), abs=0.03)
    assert found.measured[0] <= found.bound[0]
    assert found.measured[0] > 1.5 * found.printed[0]


def test_d_bar_is_normal_around_its_limit_as_in_theorem_3():
    """'sqrt(B)(D-bar_i - mu_i) converges to N(0, sigma_i^2)', with the Bayes classifier as base."""
    q, B, draws = np.array([0.45, 0.35, 0.2]), 200, 20_000
    result = convergence(posteriors=q, columns=(B,), draws=2)
    code = np.random.default_rng(5).integers(0, 2, (draws, 3, B))
    p = np.einsum("k,dkb->db", q, code)
    d_bar = (1 - 2 * np.abs(p[:, None] - code)).mean(axis=2)
    scaled = np.sqrt(B) * (d_bar - q) / np.sqrt(result.variance[0])
    assert scaled.mean(axis=0) == pytest.approx(np.zeros(3), abs=0.03)
    assert scaled.var(axis=0) == pytest.approx(np.ones(3), abs=0.05)
    assert (np.abs(scaled) < 1.96).mean(axis=0) == pytest.approx(np.full(3, 0.95), abs=0.01)


def test_variances_over_all_columns_are_those_of_the_perfect_base():
    q = np.random.default_rng(6).dirichlet(np.ones(5), 30)
    code = np.arange(2**5)[None, :] >> np.arange(5)[:, None] & 1
    drawn, exact = convergence(q @ code, code, (10,), draws=2), convergence(posteriors=q, draws=2)
    slow = np.var(1 - 2 * np.abs((q @ code)[:, None] - code), axis=2)
    assert drawn.variance == pytest.approx(slow)
    assert exact.variance == pytest.approx(slow)
    assert exact.slope == pytest.approx(drawn.slope)
    assert np.isfinite(exact.slope).all()


def test_small_numbers_of_columns_as_the_taylor_expansion_says():
    """'Pr(arg max D-bar != arg max mu) ~ 0.5 - m sqrt(B) for small values of m sqrt(B)'."""
    p = np.random.default_rng(7).uniform(0.0, 1.0, (1, 400)) ** 0.95
    code = np.array([[1] * 400, [0] * 400])
    result = convergence(p, code, (5, 10, 20, 40, 4000), draws=20_000, seed=8)
    assert 0 < result.slope[0] * np.sqrt(40) < 0.2
    assert result.first_order[:4] == pytest.approx(0.5 - result.slope * np.sqrt([5, 10, 20, 40]))
    assert result.measured[:4] == pytest.approx(result.first_order[:4], abs=0.015)
    assert result.measured[4] > result.first_order[4]  # the decline slows down


def test_columns_that_do_not_vary_leave_no_doubt():
    result = convergence([[0.9] * 8], [[1] * 8, [0] * 8], (1,), draws=2)
    assert result.variance == pytest.approx(np.zeros((1, 2)))
    assert result.first_order.tolist() == result.measured.tolist() == [0.0]


def test_convergence_of_fitted_columns():
    rng = np.random.default_rng(4)
    code = codes.random(5, 300, 5, iid=True)
    p = np.clip(rng.dirichlet(np.full(5, 0.5), 60) @ code + 0.2 * rng.normal(size=(60, 300)), 0, 1)
    found = convergence(p, code, (10, 100), draws=30)
    assert found.limit == pytest.approx(decoders.l1(p, code))
    assert (found.measured <= found.bound).all()
    with pytest.raises(hl.InputError, match="give p and code, or posteriors"):
        convergence()
    with pytest.raises(hl.InputError, match="1 or more"):
        convergence(p, code, (0,))


# --- figure 2.6 and theorem 8 ---------------------------------------------------------------------


def probabilities(model, scores, truth):
    """A table from scores (splits x rows x classes)."""
    T, n, k = scores.shape
    return hl.Predictions.of(
        np.tile(truth, T),
        y_score=scores.reshape(-1, k),
        classes=list(range(k)),
        scores="decision",
        model=model,
        row=np.tile(np.arange(n), T),
        split=np.repeat(np.arange(T), n),
    )


@pytest.fixture(scope="module")
def semiparametric():
    """Estimates made by the model of theorem 8: rho 0.2, gamma 0.5."""
    rng = np.random.default_rng(6)
    T, n, k, size = 150, 60, 4, 10
    q = rng.dirichlet(np.ones(k), n)
    rho, alpha_vote, alpha_one, spread = 0.2, 0.4, 0.8, 0.05
    shared = rng.normal(size=(T, 1, n, k)) * np.sqrt(rho)
    own = rng.normal(size=(T, size, n, k)) * np.sqrt(1 - rho)
    members = alpha_vote * q + spread * (shared + own)
    # Var(one)/alpha_one^2 = gamma Var(member)/alpha_vote^2
    one = alpha_one * q + np.sqrt(0.5) * spread * alpha_one / alpha_vote * rng.normal(
        size=(T, n, k)
    )
    truth = q.argmax(axis=1)
    table = probabilities("member", members[:, 0], truth)
    table = table.join(probabilities("vote", members.mean(axis=1), truth))
    return q, table.join(probabilities("one", one, truth))


def test_theorem_8_on_its_own_model(semiparametric):
    q, table = semiparametric
    found = needed_members(table, "member", "vote", 10, "one", q)
    assert found.rho.low <= 0.2 <= found.rho.high
    assert found.gamma.low <= 0.5 <= found.gamma.high
    assert found.members.low <= 0.8 / 0.3 <= found.members.high
    assert found.rho.high - found.rho.low < 0.1
    assert (found.alpha_vote, found.alpha_one) == pytest.approx((0.4, 0.8), abs=0.01)
    assert found.variance_member == pytest.approx(0.0025, rel=0.05)
    assert "more than 2." in found.sentence
    assert found.to_dict()["splits"] == 150


def test_the_thesis_numbers_give_nine():
    rho, gamma = 0.125, 0.0925 / 0.4068
    assert 8 < (1 - rho) / (gamma - rho) < 9


def test_no_number_helps_members_that_are_alike(semiparametric):
    q, table = semiparametric
    scores = table.only("member")
    same = probabilities("same", scores.scores.reshape(150, 60, 4), q.argmax(axis=1))
    found = needed_members(table.join(same), "member", "same", 10, "one", q)
    assert found.rho.value == pytest.approx(1)
    assert np.isinf(found.members.high)
    assert "no number" in found.sentence


def test_agreement_is_the_line_through_the_means(semiparametric):
    q, table = semiparametric
    found = agreement(table, "one", "vote", q)
    assert found.slope == pytest.approx(0.5, abs=0.01)
    assert found.r_squared > 0.99
    assert found.points == int((q > 0.01).sum())
    means = table.only("vote").scores.reshape(150, 60, 4).mean(axis=0)
    assert sorted(found.at[:, 1]) == pytest.approx(sorted(means[q > 0.01]))
    with pytest.raises(hl.InputError, match="true ones are needed"):
        needed_members(table, "member", "vote", 10, "one")
